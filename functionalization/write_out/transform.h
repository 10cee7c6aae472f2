// Writing out the functionalized bodies of tests with the reference's passes, as ordinary programs.
#pragma once

#include <string>
#include <vector>

#include "language/lower.h"
#include "reference/functionalize/functionalize.h"

namespace plumbline::functionalize {

namespace passes = reference::functionalize;

/// A test without `torch.func.functionalize`, and the parts that could not be kept.
struct Transformed {
  program::Test test;
  int bodies = 0;  ///< the number of bodies that were written out
  std::vector<std::string>
      missing;  ///< why a body has no functional form, or an expectation no place; empty if all is well
};

/// Replaces each `torch.func.functionalize(body)(x)` by the core and the epilogue that the passes make. Expectations
/// that hold in the new program on the reference stay; the others become remarks. A body without a functional form
/// stays unchanged.
Transformed transformed(const reference::Judge& judge, const program::Test& test, passes::Passes which);

}  // namespace plumbline::functionalize
