// The names of a test during lowering: what each stands for, and which slots hold the same tensor.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "language/ast.h"
#include "language/observe.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::program {

/// The test's parameter `device`.
struct DeviceParameter {};
/// An observation, by the script's statement that reads it.
struct Observed {
  Observation observation;
  std::size_t statement = 0;
};
/// A name whose assignment is assumed to have raised; the slot is kept for its next assignment.
struct Unassigned {
  Slot slot;
};
struct Frame;
/// A `def`; `home` is the enclosing function, whose names it sees, or null.
struct NestedFunction {
  const Function* function = nullptr;
  Frame* home = nullptr;
};
struct Thread;
struct Event;
struct Apply;
/// A `torch.library.Library` of the program.
struct CustomLibrary {
  std::string name;        ///< the variable to which it was assigned
  std::string space;       ///< its namespace
  bool of_module = false;  ///< made outside the tests
  bool ended = false;      ///< by `_destroy`
};
/// The parameter `ks` of a kernel that is registered `with_keyset=True`.
struct KernelKeys {};
/// The parameter `op` of a fallback: the operator that was called.
struct CalledOperator {};
/// The parameter `*args` of a kernel.
struct KernelArguments {};
/// A kernel's parameter that is a number, True or False.
struct KernelNumber {
  Slot parameter;
  SchemaValue::Kind kind{};
};
/// A kernel's parameter that is a list of tensors.
struct KernelList {};
/// `name = []` in the test itself: a literal, or the test's log.
struct EmptyList {
  int number = 0;  ///< of the assignment
};
/// What `x.register_hook(hook)` returns.
struct HookHandle {
  std::int32_t function = 0;  ///< the hook's index in the script's functions
};
/// The parameter `ctx` of a custom function's methods.
struct Context {
  std::shared_ptr<Apply> apply;
};
/// What a name stands for: a tensor's slot, a literal, …
using Binding =
    std::variant<Slot, Expression, Observed, DeviceParameter, Unassigned, NestedFunction, std::shared_ptr<Thread>,
                 std::shared_ptr<Event>, Context, std::shared_ptr<CustomLibrary>, HookHandle, KernelKeys,
                 CalledOperator, KernelArguments, KernelNumber, KernelList, EmptyList>;

/// The names of one function during lowering.
struct Frame {
  std::string function;
  std::string prefix;  ///< of the slots' names; empty in the test itself
  std::map<std::string, Binding> names;
  Frame* enclosing = nullptr;      ///< its names are visible too, except those in `own`
  std::set<std::string> own = {};  ///< with `enclosing`: the names that the function assigns
};

/// A `threading.Thread`.
struct Thread {
  NestedFunction function;
  std::map<std::string, Binding> arguments;
  Place place;
  Place place_started;
  bool started = false;
};

/// A `threading.Event`, which one thread sets and another one waits for, once.
struct Event {
  bool used = false;
};

/// One `F.apply(…)`, which its methods share as `ctx`.
struct Apply {
  const Class* function = nullptr;
  bool in_backward = false;
  std::map<std::string, Binding> attributes;  ///< `ctx.name = …`
  std::vector<Slot> saved, dirty;
};

class Scope {
 public:
  /// The innermost function. Frames stay where they are until they are popped.
  Frame& frame() { return frames_.back(); }
  std::list<Frame>& frames() { return frames_; }
  const std::vector<std::string>& slot_names() const { return slot_names_; }

  /// The slot that an assignment to `name` fills: its present slot, or a new one if another name stands for that slot
  /// too. From now on the name stands for it.
  Slot assign(Frame& frame, const std::string& name);

  /// A new slot that no name stands for.
  Slot fresh(const std::string& name);

  /// `slot` now holds a tensor object of its own, or the one that `other` holds.
  void holds_new_object(Slot slot);
  void holds_object_of(Slot slot, Slot other);
  /// `slot` now holds a new meta tensor.
  void holds_new_meta_tensor(Slot slot);
  bool holds_meta_tensor(Slot slot) const { return metas_.contains(objects_[static_cast<std::size_t>(slot)]); }
  /// `slot` now holds a new object or one that other slots hold; which one depends on the sizes.
  void holds_some_object(Slot slot) { objects_[static_cast<std::size_t>(slot)] = kUnknown; }
  /// `slot` now holds the gradient of the tensor in `other`: the same object each time, from the first `backward`
  /// until another gradient is assigned.
  void holds_grad_of(Slot slot, Slot other);
  /// `tensor.grad = grad`, or None.
  void sets_grad(Slot tensor, std::optional<Slot> grad);
  /// A tensor whose gradient is kept by `retain_grad` gets a new gradient at each backward.
  void retains_grad(Slot tensor) { retained_.insert(objects_[static_cast<std::size_t>(tensor)]); }
  void after_backward();
  /// A hook assigns gradients when backward calls it.
  void hook_sets_grads() { grads_are_unknown_ = true; }
  /// The lowest slot that holds the same tensor object as `slot`; nothing if that is not known.
  std::optional<Slot> lowest_with_object_of(Slot slot) const;

  /// Undoes the assignments in `frame` of a statement that raises.
  struct Saved {
    std::map<std::string, Binding> names;
    std::vector<std::int64_t> objects;
  };
  Saved save() const { return {frames_.back().names, objects_}; }
  void restore(Saved saved);

 private:
  std::string unique(const std::string& name) const;
  bool shared(Slot slot) const;

  std::list<Frame> frames_;
  std::vector<std::string> slot_names_;
  static constexpr std::int64_t kUnknown = -2;
  std::vector<std::int64_t> objects_;  ///< by slot; -1: none yet
  std::int64_t next_object_ = 0;
  std::set<std::int64_t> metas_;                ///< the objects that are meta tensors
  std::map<std::int64_t, std::int64_t> grads_;  ///< the gradient's object, by that of its tensor
  std::set<std::int64_t> retained_;
  std::set<std::int64_t> cleared_;  ///< tensors whose gradient was set to None and not computed since
  bool grads_are_unknown_ = false;
  bool grads_can_be_ = false;  ///< false before the first `backward`: each gradient is None
};

}  // namespace plumbline::program
