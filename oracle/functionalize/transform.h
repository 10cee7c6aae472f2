// Tests whose functionalized bodies are written out: by the reference's passes, as programs that run as they are.
#pragma once

#include <string>
#include <vector>

#include "oracle/program/lower.h"
#include "reference/functionalize/functionalize.h"

namespace plumbline::functionalize {

namespace passes = reference::functionalize;

/// A test without `torch.func.functionalize`, and what had to be left out of it.
struct Transformed {
  program::Test test;
  int bodies = 0;  ///< how many were written out
  std::vector<std::string>
      missing;  ///< why a body has no functional form, or an expectation no place; empty: all is well
};

/// Each `torch.func.functionalize(body)(x)` becomes what the passes make of its body: the core, then the epilogue. Of
/// the expectations those stay that hold of the new program on the reference; the others are remarks. A body that has
/// no functional form stays as it is.
Transformed transformed(const reference::Judge& judge, const program::Test& test, passes::Passes which);

}  // namespace plumbline::functionalize
