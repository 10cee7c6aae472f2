// The dispatch trace: kernels that list themselves before they run.
#include "optimized/dispatcher/trace.h"

#include <utility>

#include "optimized/dispatcher/thread_state.h"

namespace plumbline::optimized {

namespace {

thread_local constinit TraceScope* innermost = nullptr;

}  // namespace

TraceScope::TraceScope() : outer_(std::exchange(innermost, this)) {}
TraceScope::~TraceScope() { innermost = outer_; }

/// While it lives, the kernel runs.
class TracedRun {
 public:
  /// If a kernel redispatches its own op, that call has a lower functionality than the kernel; other calls inside a
  /// kernel are not listed.
  TracedRun(TraceScope& scope, const Operator& op, KeySet keys, KeySet arguments)
      : scope_(scope), found_(scope.running_) {
    const int functionality = keys.functionality();
    const bool goes_on = found_.op == &op && functionality < found_.functionality;
    const KeySet whole = goes_on ? found_.left : with_thread(arguments);
    const bool listed = found_.op == nullptr || (goes_on && found_.listed);
    if (listed) list(whole, functionality);
    scope.running_ = {&op, whole & below(static_cast<Functionality>(functionality)), functionality, listed};
  }
  ~TracedRun() { scope_.running_ = found_; }
  TracedRun(const TracedRun&) = delete;
  TracedRun& operator=(const TracedRun&) = delete;

 private:
  void list(KeySet whole, int functionality) {
    for (int f = kFunctionalities; f > functionality; --f)
      if (whole.has_any(static_cast<Functionality>(f)))
        scope_.kernels_.push_back({static_cast<Functionality>(f), true});
    // A call without any tensor (an empty list) runs the backend's kernel anyway.
    const auto kernel = functionality == 0 ? Functionality::Dense : static_cast<Functionality>(functionality);
    scope_.kernels_.push_back({kernel, false});
  }

  TraceScope& scope_;
  TraceScope::Running found_;
};

void run_traced(void* context, const Operator& op, KeySet keys, Frame& frame) {
  const auto& traced = *static_cast<const TracedKernel*>(context);
  const auto run = [&] { traced.kernel.boxed(traced.kernel.context, op, keys, frame); };
  if (innermost == nullptr || traced.composite) return run();
  const TracedRun running(*innermost, op, keys, frame.keys);
  run();
}

}  // namespace plumbline::optimized
