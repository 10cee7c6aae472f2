// The dispatch trace on demand: which kernels a call runs, in order.
#pragma once

#include <vector>

#include "optimized/dispatcher/kernel.h"

namespace plumbline::optimized {

/// A kernel that a call reached.
struct KernelRan {
  Functionality kernel = Functionality::Dense;
  bool fallthrough = false;  ///< its key was in the set, but it fell through
};

/// While it lives and Dispatcher::trace is on, lists what the calling thread's calls run: for each call that is made
/// outside a kernel, each kernel from the highest key down. Composite kernels are not listed, but what they call is.
/// Only the innermost scope lists.
class TraceScope {
 public:
  TraceScope();
  ~TraceScope();
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

  const std::vector<KernelRan>& kernels() const { return kernels_; }

 private:
  friend class TracedRun;

  /// The running kernel of the call that is being listed.
  struct Running {
    const Operator* op = nullptr;  ///< null: none runs
    KeySet left;                   ///< the keys of the call's set below it, also those that fall through
    int functionality = 0;
    bool listed = false;
  };

  std::vector<KernelRan> kernels_;
  Running running_;
  TraceScope* outer_;
};

/// A kernel as a traced table has it: what runs, and whether it is CompositeImplicitAutograd's.
struct TracedKernel {
  Kernel kernel;
  bool composite = false;
};
/// The boxed form of a TracedKernel, which is its context.
void run_traced(void* context, const Operator& op, KeySet keys, Frame& frame);

}  // namespace plumbline::optimized
