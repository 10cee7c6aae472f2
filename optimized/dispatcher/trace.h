// The dispatch trace on demand: which kernels a call runs, in order.
#pragma once

#include <vector>

#include "optimized/dispatcher/kernel.h"

namespace plumbline::optimized {

/// A kernel that a call met on its way down.
struct KernelRan {
  Functionality kernel = Functionality::Dense;
  bool fallthrough = false;  ///< its key was in the set, and it passed the call on unseen
};

/// Lists, while it lives, what the calling thread's calls run, where Dispatcher::trace is on: of each call that no
/// kernel makes, each kernel from the highest key down. Composite kernels are not listed, but what they call is. The
/// innermost scope lists.
class TraceScope {
 public:
  TraceScope();
  ~TraceScope();
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

  const std::vector<KernelRan>& kernels() const { return kernels_; }

 private:
  friend class TracedRun;

  /// The kernel that runs, of the call that is being listed.
  struct Running {
    const Operator* op = nullptr;  ///< null: none runs
    KeySet left;                   ///< what the call's set has below it, with what falls through
    int functionality = 0;
    bool listed = false;
  };

  std::vector<KernelRan> kernels_;
  Running running_;
  TraceScope* outer_;
};

/// A kernel as a traced table has it: what is run, and whether it is CompositeImplicitAutograd's.
struct TracedKernel {
  Kernel kernel;
  bool composite = false;
};
/// The boxed form of a TracedKernel, which is its context.
void run_traced(void* context, const Operator& op, KeySet keys, Frame& frame);

}  // namespace plumbline::optimized
