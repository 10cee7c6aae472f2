// Comparing two traces of a dispatch script.
#pragma once

#include <string>
#include <vector>

#include "oracle/verdict.h"
#include "spec/vocabulary/dispatch_script.h"

namespace plumbline::dispatcher {

/// Where an implementation first departs from the reference.
struct TraceDifference {
  std::size_t statement = 0;
  std::string signature;  ///< what kind of difference: "call: error missing_kernel, not none"
  std::string expected;   ///< both outcomes in full
  std::string got;
  std::string message;  ///< with the place and both outcomes
};

/// The first difference, or nothing. Errors are compared by class, not by message.
std::optional<TraceDifference> compare(const DispatchScript& script, const DispatchTrace& reference,
                                       const DispatchTrace& found);

/// "k1 k2(CPU, AutogradCPU)": the kernels of a log.
std::string log_text(const std::vector<KernelLog>& log);

/// The kind of a statement: "library", "impl", "call", …
std::string_view kind_of(const DispatchStatement& statement);

}  // namespace plumbline::dispatcher
