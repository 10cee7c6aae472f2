// The calling thread's dispatch state, and the guards that change it for a scope.
#pragma once

#include "optimized/dispatcher/key_set.h"

namespace plumbline::optimized {

inline constexpr KeySet kAutocastKeys =
    KeySet(Functionality::AutocastCPU) | Functionality::AutocastMTIA | Functionality::AutocastMAIA |
    Functionality::AutocastXPU | Functionality::AutocastIPU | Functionality::AutocastHPU | Functionality::AutocastXLA |
    Functionality::AutocastMPS | Functionality::AutocastCUDA | Functionality::AutocastPrivateUse1;

/// The thread state that c10 keeps for dispatch and autograd. A new thread begins with these values.
struct ThreadState {
  KeySet included = KeySet(Functionality::BackendSelect) | Functionality::ADInplaceOrView;
  KeySet excluded = kAutocastKeys;
  bool inference_mode = false;
  bool grad_mode = true;
  Backend device = Backend::CPU;  ///< where what is made is made: the default device, or that of the running kernel
};

inline ThreadState& thread_state() {
  thread_local constinit ThreadState state;
  return state;
}

/// The set that a call's arguments make together with the calling thread's sets [DispatchKeyExtractor.h,
/// computeDispatchKeySet]; kernels that fall through are still in it.
inline KeySet with_thread(KeySet arguments) {
  const ThreadState& state = thread_state();
  return (arguments | state.included) - state.excluded;
}

/// Whether the thread works on the CPU's memory, which it can read.
inline bool on_cpu() { return thread_state().device == Backend::CPU; }

/// Works on a device for a scope. As in c10, the current device is no part of the state that other guards restore.
class DeviceGuard {
 public:
  explicit DeviceGuard(Backend device) { thread_state().device = device; }
  ~DeviceGuard() { thread_state().device = before_; }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;

 private:
  Backend before_ = thread_state().device;
};

/// Restores, at the end of its scope, the whole state that it found. It copies field by field: a copy of the modes
/// together with the following bytes would wait for stores that are narrower than the load.
class StateGuard {
 public:
  StateGuard() = default;
  ~StateGuard() {
    ThreadState& state = thread_state();
    state.included = included_;
    state.excluded = excluded_;
    state.inference_mode = inference_mode_;
    state.grad_mode = grad_mode_;
  }
  StateGuard(const StateGuard&) = delete;
  StateGuard& operator=(const StateGuard&) = delete;

 private:
  KeySet included_ = thread_state().included;
  KeySet excluded_ = thread_state().excluded;
  bool inference_mode_ = thread_state().inference_mode;
  bool grad_mode_ = thread_state().grad_mode;
};

/// [c10/core/InferenceMode.h]: on, ADInplaceOrView is not included and Autograd is excluded; off, the other way round.
class InferenceMode : StateGuard {
 public:
  explicit InferenceMode(bool enabled = true) {
    ThreadState& state = thread_state();
    if (enabled) {
      state.included = state.included - Functionality::ADInplaceOrView;
      state.excluded = state.excluded | kAutogradKeys;
    } else {
      state.included = state.included | Functionality::ADInplaceOrView;
      state.excluded = state.excluded - kAutogradKeys;
    }
    state.inference_mode = enabled;
    state.grad_mode = !enabled;
  }
};

/// Excludes keys [c10/core/impl/LocalDispatchKeySet.h, ExcludeDispatchKeyGuard].
class ExcludeKeys : StateGuard {
 public:
  explicit ExcludeKeys(KeySet keys) { thread_state().excluded = thread_state().excluded | keys; }
};
/// Includes keys [IncludeDispatchKeyGuard].
class IncludeKeys : StateGuard {
 public:
  explicit IncludeKeys(KeySet keys) { thread_state().included = thread_state().included | keys; }
};
/// [aten/src/ATen/core/LegacyTypeDispatch.h]
class AutoDispatchBelowAutograd : ExcludeKeys {
 public:
  AutoDispatchBelowAutograd() : ExcludeKeys(kAutogradKeys) {}
};
class AutoDispatchBelowADInplaceOrView : ExcludeKeys {
 public:
  AutoDispatchBelowADInplaceOrView() : ExcludeKeys(kAutogradKeys | Functionality::ADInplaceOrView) {}
};
/// Sets only grad mode [c10/core/GradMode.h, AutoGradMode].
class GradMode : StateGuard {
 public:
  explicit GradMode(bool enabled) { thread_state().grad_mode = enabled; }
};

}  // namespace plumbline::optimized
