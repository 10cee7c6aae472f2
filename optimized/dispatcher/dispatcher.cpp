// Registering kernels, and removing them.
#include "optimized/dispatcher/dispatcher.h"

#include <algorithm>

namespace plumbline::optimized {

namespace {

/// An operator without a derivative goes on below Autograd [aten/src/ATen/core/VariableFallbackKernel.cpp].
void go_on_below_autograd(void*, const Operator& op, KeySet keys, Frame& frame) {
  op.redispatch(keys & kAfterAutograd, frame);
}
[[noreturn]] void refuse_meta(void*, const Operator& op, KeySet, Frame&) {
  throw DispatchFailed(DispatchError::missing_kernel,
                       op.name() + ": attempted to run this operator with Meta tensors, but there was no kernel",
                       "Meta");
}
[[noreturn]] void is_foreign(void*, const Operator& op, KeySet keys, Frame&) {
  const KeyLayout& layout = layout_of(Profile::sound);
  throw DispatchFailed(DispatchError::unclassified, op.name() + ": this runtime has no fallback for " +
                                                        name_of(layout, key_at(layout, keys.entry())));
}

Kernel shipped_at(int entry) {
  const KeyLayout& layout = layout_of(Profile::sound);
  switch (shipped_fallback(layout, key_at(layout, entry))) {
    case ShippedFallback::none:
      return {};
    case ShippedFallback::falls_through:
      return fallthrough_kernel();
    case ShippedFallback::autograd:
      return {go_on_below_autograd, nullptr, nullptr};
    case ShippedFallback::refuses:
      return {refuse_meta, nullptr, nullptr};
    case ShippedFallback::foreign:
      return {is_foreign, nullptr, nullptr};
  }
  return {};
}

}  // namespace

Dispatcher::Dispatcher(std::span<const ShippedFallbackKernel> own) {
  for (int entry = 0; entry < kTableSize; ++entry) fallbacks_[static_cast<std::size_t>(entry)] = shipped_at(entry);
  for (const ShippedFallbackKernel& one : own) fallbacks_[static_cast<std::size_t>(one.entry)] = one.kernel;
}

const Operator& Dispatcher::find_registered(std::string_view name) const {
  const auto found = operators_.find(std::string(name));
  if (found == operators_.end())
    throw DispatchFailed(DispatchError::unknown_op, "operator " + std::string(name) + " does not exist");
  return found->second->op;
}

const Operator& Dispatcher::find(std::string_view name) const {
  const auto found = operators_.find(std::string(name));
  if (found == operators_.end() || found->second->schemas == 0)
    throw DispatchFailed(DispatchError::unknown_op, "Could not find schema for " + std::string(name));
  return found->second->op;
}

Dispatcher::Named& Dispatcher::named(const std::string& name) {
  std::unique_ptr<Named>& one = operators_[name];
  if (one == nullptr) {
    one = std::make_unique<Named>(name);
    one->op.resolve(fallbacks_);
    one->op.trace(traced_);
  }
  return *one;
}

void Dispatcher::drop_if_unused(const std::string& name) {
  const auto found = operators_.find(name);
  if (found != operators_.end() && found->second->schemas == 0 && !found->second->op.registered_at_all())
    operators_.erase(found);
}

void Dispatcher::trace(bool on) {
  const std::lock_guard lock(mutex_);
  if (on == traced_) return;
  traced_ = on;
  for (auto& [name, one] : operators_) one->op.trace(on);
}

void Dispatcher::resolve_all() {
  for (auto& [name, one] : operators_) one->op.resolve(fallbacks_);
}

Library::Library(Dispatcher& dispatcher, Kind kind, std::string space)
    : dispatcher_(dispatcher), kind_(kind), space_(std::move(space)) {
  const std::lock_guard lock(dispatcher_.mutex_);
  if (kind_ == Kind::DEF && !dispatcher_.defining_.insert(space_).second)
    throw DispatchFailed(DispatchError::defined_twice,
                         "Only a single TORCH_LIBRARY can be used to register the namespace " + space_);
}

Library::~Library() {
  const std::lock_guard lock(dispatcher_.mutex_);
  for (auto one = done_.rbegin(); one != done_.rend(); ++one)
    std::visit([&](const auto& registration) { undo(registration); }, *one);
  if (kind_ == Kind::DEF) dispatcher_.defining_.erase(space_);
}

std::string Library::qualified(const std::string& op) const {
  return op.find("::") == std::string::npos ? space_ + "::" + op : op;
}

void Library::define(const std::string& op) {
  const std::lock_guard lock(dispatcher_.mutex_);
  if (kind_ == Kind::IMPL)
    throw DispatchFailed(DispatchError::wrong_library,
                         "Cannot define an operator inside of a TORCH_LIBRARY_IMPL block: " + op);
  Dispatcher::Named& one = dispatcher_.named(qualified(op));
  if (one.schemas != 0)
    throw DispatchFailed(DispatchError::defined_twice,
                         "Tried to register an operator with the same name and overload name multiple times: " + op);
  one.schemas = 1;
  done_.emplace_back(Defined{qualified(op)});
}

void Library::impl(const std::string& op, Slot slot, const Kernel& kernel) {
  const std::lock_guard lock(dispatcher_.mutex_);
  const std::uint64_t registration = dispatcher_.next_++;
  dispatcher_.named(qualified(op)).op.add(slot, registration, kernel, dispatcher_.fallbacks_);
  done_.emplace_back(Implemented{qualified(op), slot, registration});
}

void Library::fallback(int entry, const Kernel& kernel) {
  const std::lock_guard lock(dispatcher_.mutex_);
  const auto at = static_cast<std::size_t>(entry);
  if (space_ != "_")
    throw DispatchFailed(
        DispatchError::wrong_library,
        "Fallback can only be registered using library fragment on the global namespace \"_\" but it is " + space_);
  if (dispatcher_.fallbacks_[at].boxed != nullptr)
    throw DispatchFailed(DispatchError::fallback_twice, "Tried to register multiple backend fallbacks for a key");
  dispatcher_.fallbacks_[at] = kernel;
  dispatcher_.resolve_all();
  done_.emplace_back(FellBack{entry});
}

void Library::undo(const Defined& one) {
  dispatcher_.operators_.at(one.op)->schemas = 0;
  dispatcher_.drop_if_unused(one.op);
}
void Library::undo(const Implemented& one) {
  dispatcher_.operators_.at(one.op)->op.remove(one.slot, one.registration, dispatcher_.fallbacks_);
  dispatcher_.drop_if_unused(one.op);
}
void Library::undo(const FellBack& one) {
  dispatcher_.fallbacks_[static_cast<std::size_t>(one.entry)] = {};
  dispatcher_.resolve_all();
}

}  // namespace plumbline::optimized
