// A script about the dispatcher for tests: kernels that log, pass on their arguments and redispatch.
#pragma once

#include "oracle/minimise.h"

namespace plumbline::dispatch_scripts {

constexpr Slot kX{0};

inline Invoke passing(std::int32_t op, std::vector<KeyStep> steps = {}) {
  Invoke invoke{op, {}, {}};
  if (!steps.empty()) invoke.redispatch = std::move(steps);
  invoke.passes_arguments = true;
  return invoke;
}
inline Invoke redispatch_of(std::int32_t op, std::vector<KeyStep> steps) {
  Invoke invoke{op, {kX}, {}};
  invoke.redispatch = std::move(steps);
  return invoke;
}

/// The places of its parts. kBelow, kAbove and kFallback are kernels; the others are statements.
inline constexpr std::size_t kBelow = 0, kAbove = 1, kFallback = 2;
inline constexpr std::size_t kDefine = 2, kAddBelow = 3, kAddAbove = 4, kAddFallback = 6, kCall = 7, kRead = 8;

/// `f(Tensor x) -> Tensor` has one kernel below autograd and one above it, which hands on what it gets; a fallback does
/// the same for CUDA. The program calls f, and reads the log.
inline Script script_of_dispatch() {
  CustomKernel below{"below", {Slot{1}}, {{AppendToLog{"below"}, 0}}, {Slot{1}}};
  CustomKernel above{"above"};
  above.statements = {{AppendToLog{"", true}, 0}, {passing(0, {{KeyStep::Kind::after_autograd, ""}}), 0}};
  above.with_keyset = above.any_arguments = above.returns_passed = true;
  CustomKernel fallback{"fallback"};
  fallback.statements = {{AppendToLog{"fallback"}, 0}, {passing(kCalledOperator), 0}};
  fallback.any_arguments = fallback.returns_passed = true;
  return {{{MakeTensor{kX, Dtype::float32, {}, {1}}, 0},
           {MakeLibrary{"lib", "mine", MakeLibrary::Kind::FRAGMENT}, 0},
           {DefineOperator{"lib", 0}, 0},
           {AddKernel{"lib", 0, "CPU", 0}, 0},
           {AddKernel{"lib", 0, "Autograd", 1}, 0},
           {MakeLibrary{"all", "_", MakeLibrary::Kind::IMPL}, 0},
           {AddFallback{"all", "CUDA", 2}, 0},
           {Invoke{0, {kX}, {}}, 0},
           {ReadLog{}, 0}},
          {"x", "y"},
          {},
          {{"mine::f", {{"x"}}, {{""}}}},
          {below, above, fallback}};
}

}  // namespace plumbline::dispatch_scripts
