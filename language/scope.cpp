// The names of a test during lowering: what each stands for, and which slots hold the same tensor.
#include "language/scope.h"

#include <algorithm>

namespace plumbline::program {

Slot Scope::assign(Frame& frame, const std::string& name) {
  const auto found = frame.names.find(name);
  if (found != frame.names.end()) {
    if (const auto* unassigned = std::get_if<Unassigned>(&found->second)) {
      const Slot slot = unassigned->slot;
      found->second = slot;
      return slot;
    }
    if (const auto* slot = std::get_if<Slot>(&found->second); slot != nullptr && !shared(*slot)) return *slot;
  }
  const Slot slot = fresh(frame.prefix + name);
  frame.names[name] = slot;
  return slot;
}

Slot Scope::fresh(const std::string& name) {
  const Slot slot{static_cast<std::int32_t>(slot_names_.size())};
  slot_names_.push_back(unique(name));
  objects_.push_back(-1);
  return slot;
}

void Scope::holds_new_object(Slot slot) { objects_[static_cast<std::size_t>(slot)] = next_object_++; }

void Scope::holds_new_meta_tensor(Slot slot) {
  holds_new_object(slot);
  metas_.insert(objects_[static_cast<std::size_t>(slot)]);
}

void Scope::holds_object_of(Slot slot, Slot other) {
  objects_[static_cast<std::size_t>(slot)] = objects_[static_cast<std::size_t>(other)];
}

void Scope::holds_grad_of(Slot slot, Slot other) {
  const std::int64_t of = objects_[static_cast<std::size_t>(other)];
  if (of == kUnknown || grads_are_unknown_) return holds_some_object(slot);
  if ((!grads_can_be_ && !grads_.contains(of)) || cleared_.contains(of)) return holds_new_object(slot);
  const auto [grad, is_new] = grads_.try_emplace(of, next_object_);
  if (is_new) ++next_object_;
  objects_[static_cast<std::size_t>(slot)] = grad->second;
}

void Scope::sets_grad(Slot tensor, std::optional<Slot> grad) {
  const std::int64_t of = objects_[static_cast<std::size_t>(tensor)];
  grads_.erase(of);
  if (!grad) return void(cleared_.insert(of));
  cleared_.erase(of);
  grads_.emplace(of, objects_[static_cast<std::size_t>(*grad)]);
}

void Scope::after_backward() {
  grads_can_be_ = true;
  cleared_.clear();
  for (const std::int64_t object : retained_) grads_.erase(object);
}

std::optional<Slot> Scope::lowest_with_object_of(Slot slot) const {
  if (objects_[static_cast<std::size_t>(slot)] == kUnknown) return std::nullopt;
  const auto found = std::find(objects_.begin(), objects_.end(), objects_[static_cast<std::size_t>(slot)]);
  return Slot{static_cast<std::int32_t>(found - objects_.begin())};
}

void Scope::restore(Saved saved) {
  saved.objects.resize(objects_.size(), -1);
  objects_ = std::move(saved.objects);
  for (const auto& [name, binding] : frames_.back().names) {
    const auto* slot = std::get_if<Slot>(&binding);
    if (slot != nullptr && !saved.names.contains(name)) saved.names.emplace(name, Unassigned{*slot});
  }
  frames_.back().names = std::move(saved.names);
}

std::string Scope::unique(const std::string& name) const {
  std::string candidate = name;
  for (int n = 2; std::find(slot_names_.begin(), slot_names_.end(), candidate) != slot_names_.end(); ++n)
    candidate = name + "_" + std::to_string(n);
  return candidate;
}

bool Scope::shared(Slot slot) const {
  std::size_t names = 0;
  for (const Frame& frame : frames_)
    for (const auto& [name, binding] : frame.names) {
      const auto* other = std::get_if<Slot>(&binding);
      names += other != nullptr && *other == slot ? 1 : 0;
    }
  return names > 1;
}

}  // namespace plumbline::program
