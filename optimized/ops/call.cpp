// Calling an op that is known only at run time.
#include "optimized/ops/call.h"

#include "optimized/ops.h"

namespace plumbline::optimized {

CallStack stack_call_of(OpId id) {
  static const std::array<CallStack, kOps> calls = [] {
    std::array<CallStack, kOps> all{};
    for_each_op([&]<class Op>() { all.at(static_cast<std::size_t>(Op::id)) = &Caller<Op>::call_stack; });
    return all;
  }();
  return calls.at(static_cast<std::size_t>(id));
}

}  // namespace plumbline::optimized
