// How a program about the dispatcher runs on an implementation: its guards, its libraries, its kernels' logs and its
// errors. What differs between implementations is in `Types`, which has the implementation's types and names of keys:
//   Keys, Library, Exclude, Include, BelowAutograd, BelowADInplaceOrView, InferenceMode: types; guards act while they
//     live
//   names(keys), and what key_steps.h needs
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "adapters/walk/key_steps.h"
#include "spec/vocabulary/dispatch_script.h"

namespace plumbline::walk {

/// A statement of a dispatch script raised this error. An implementation's code may be between the throw and the catch.
struct DispatchStop : std::runtime_error {
  DispatchStop(DispatchError raised, const std::string& message) : std::runtime_error(message), error(raised) {}
  DispatchError error;
};

/// A guard that lives as long as a reference to it.
template <class Types>
std::shared_ptr<void> entered(const KeyGuard& guard) {
  switch (guard.kind) {
    case KeyGuard::Kind::exclude:
      return std::make_shared<typename Types::Exclude>(Types::keys(guard.key));
    case KeyGuard::Kind::include:
      return std::make_shared<typename Types::Include>(Types::keys(guard.key));
    case KeyGuard::Kind::below_autograd:
      return std::make_shared<typename Types::BelowAutograd>();
    case KeyGuard::Kind::below_adinplaceorview:
      return std::make_shared<typename Types::BelowADInplaceOrView>();
    case KeyGuard::Kind::inference_mode:
    case KeyGuard::Kind::inference_mode_off:
      return std::make_shared<typename Types::InferenceMode>(guard.kind == KeyGuard::Kind::inference_mode);
  }
  throw std::logic_error("an unknown kind of guard");
}

/// The state of a running script. `Running` derives from it, with an `execute` for each kind of statement that is not
/// here, a `failed()` that makes the current exception an error by `fail`, or throws it again, and a destructor that
/// calls `finish`.
template <class Types, class Running>
class DispatchWalk {
 public:
  DispatchWalk(const DispatchWalk&) = delete;
  DispatchWalk& operator=(const DispatchWalk&) = delete;

  /// Runs one statement. An error is its outcome.
  DispatchOutcome step(const DispatchStatement& statement) {
    outcome_ = {};
    depth_ = 0;
    try {
      std::visit([&](const auto& s) { static_cast<Running&>(*this).execute(s); }, statement);
    } catch (const DispatchStop& stop) {
      fail(stop.error, stop.what());
    } catch (...) {
      static_cast<Running&>(*this).failed();
    }
    return std::move(outcome_);
  }

 protected:
  /// Ends the guards in reverse order, and drops the libraries. For the destructor of `Running`, whose members they
  /// use.
  void finish() {
    while (!guards_.empty()) guards_.pop_back();
    libraries_.clear();
  }

  /// An error has no reading; of its message the first line is kept.
  void fail(DispatchError error, std::string_view message) {
    outcome_.error = error;
    outcome_.message = message.substr(0, message.find('\n'));
    outcome_.reading.reset();
  }

  /// Runs a kernel that is called with `keys`: `call()` calls its operator, `redispatch(keys)` redispatches, `ignore()`
  /// is for a kernel that does neither.
  template <class Call, class Redispatch, class Ignore>
  void run(const ProbeKernel& kernel, const typename Types::Keys& keys, Call call, Redispatch redispatch,
           Ignore ignore) {
    if (depth_ >= kDeepestCall) throw DispatchStop(DispatchError::recursion, "maximum recursion depth exceeded");
    const Deeper deeper(depth_);
    KernelLog log{kernel.name, {}};
    if (kernel.with_keyset) log.keys = Types::names(keys);
    if (kernel.with_keyset && log.keys.empty()) log.keys = {"Undefined"};
    outcome_.log.push_back(std::move(log));
    if (kernel.act == ProbeKernel::Act::nothing) {
      ignore();
    } else {
      const std::shared_ptr<void> guard = kernel.guard ? entered<Types>(*kernel.guard) : nullptr;
      if (kernel.act == ProbeKernel::Act::call)
        call();
      else
        redispatch(stepped<Types>(keys, kernel.steps));
    }
    if (kernel.raises) throw DispatchStop(DispatchError::kernel_raised, kernel.name + " raised");
  }

  typename Types::Library& library(const std::string& name) {
    const auto found = libraries_.find(name);
    if (found == libraries_.end()) throw DispatchStop(DispatchError::wrong_library, "there is no library " + name);
    return *found->second;
  }
  /// A library that had the name before is dropped after the new one is there.
  void hold(const std::string& name, std::unique_ptr<typename Types::Library> library) {
    libraries_[name] = std::move(library);
  }

  void execute(const DropLibrary& drop) {
    library(drop.library);
    libraries_.erase(drop.library);
  }
  void execute(const EnterGuard& enter) {
    guards_.emplace_back();  // a guard that cannot be entered is still left
    guards_.back() = entered<Types>(enter.guard);
  }
  void execute(const LeaveGuard&) { guards_.pop_back(); }

  /// The answer of a query.
  void answer(bool reading) { outcome_.reading = reading; }

 private:
  friend Running;
  DispatchWalk() = default;
  ~DispatchWalk() = default;

  struct Deeper {
    explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
    ~Deeper() { --depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    int& depth_;
  };

  std::map<std::string, std::unique_ptr<typename Types::Library>> libraries_;
  std::vector<std::shared_ptr<void>> guards_;
  DispatchOutcome outcome_;
  int depth_ = 0;
};

/// Runs each statement of a script.
template <class Running>
DispatchTrace each_statement(const DispatchScript& script) {
  Running running(script);
  DispatchTrace trace;
  for (const DispatchStatement& statement : script.statements) trace.push_back(running.step(statement));
  return trace;
}

}  // namespace plumbline::walk
