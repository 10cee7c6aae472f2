// Resolving a dispatch table, as c10's OperatorEntry does, from what is registered.
#include "optimized/dispatcher/operator.h"

#include <algorithm>
#include <bitset>
#include <initializer_list>

namespace plumbline::optimized {

namespace {

using Entries = std::bitset<kTableSize>;

/// The entries that each alias key serves, and what an Autograd entry checks before it takes a composite kernel.
struct Membership {
  std::array<Entries, kAliasNames.size()> served;
  std::array<Entries, kTableSize> looked_for;  ///< by entry: those of its backends
  Entries autograd_or_nested;
  int autograd_other = 0;
};

/// The entry of a functionality's backend, or of the functionality where it is not per backend.
std::size_t entry_of(Functionality f, int backend) {
  const TableRange range = kTableRanges[static_cast<std::size_t>(f)];
  return range.first + (range.backends == 0 ? 0U : static_cast<std::size_t>(backend));
}

/// [c10/core/DispatchKeySet.cpp]: backend_dispatch_keyset, non_functional_backend_dispatch_keyset,
/// math_dispatch_keyset, nested_dispatch_keyset, autograd_dispatch_keyset, autogradother_backends.
Membership make_membership() {
  using enum AliasKey;
  const KeyLayout& layout = layout_of(Profile::sound);
  Membership all;
  Entries without_autograd;  // the backends that have no Autograd key of their own
  const auto serve = [&](AliasKey alias, int entry) {
    all.served[static_cast<std::size_t>(alias)].set(static_cast<std::size_t>(entry));
  };
  for (const AliasKey alias :
       {CompositeExplicitAutograd, CompositeExplicitAutogradNonFunctional, CompositeImplicitAutograd})
    serve(alias, 0);
  for (int entry = 1; entry < kTableSize; ++entry) {
    const RuntimeKey key = key_at(layout, entry);
    const KeyGroup group = group_of(layout, key);
    const bool backend = group == KeyGroup::backend || group == KeyGroup::sparse;
    const bool nested = group == KeyGroup::nested;
    const bool family = layout.functionalities[key.functionality - 1U].per_backend;
    const bool autograd =
        group == KeyGroup::autograd || group == KeyGroup::autograd_other || group == KeyGroup::autograd_nested;
    const bool functional = family && layout.backends[key.backend].functional;
    if (backend) serve(CompositeExplicitAutograd, entry);
    if (group == KeyGroup::backend && !functional) serve(CompositeExplicitAutogradNonFunctional, entry);
    if (backend || nested || autograd) serve(CompositeImplicitAutograd, entry);
    if (nested || group == KeyGroup::autograd_nested) serve(CompositeImplicitAutogradNestedTensor, entry);
    if (autograd) serve(Autograd, entry);
    if (group == KeyGroup::batched) serve(FuncTorchBatchedDecomposition, entry);
    const auto at = static_cast<std::size_t>(entry);
    const bool dense = key.functionality == static_cast<int>(Functionality::Dense);
    if (backend && !dense) without_autograd.set(at);
    if (autograd || nested) all.autograd_or_nested.set(at);
    if (group == KeyGroup::autograd_other) all.autograd_other = entry;
    if (group == KeyGroup::autograd) all.looked_for[at].set(entry_of(Functionality::Dense, key.backend));
    if (group == KeyGroup::autograd_nested)
      for (int b = 0; b < kBackends; ++b) all.looked_for[at].set(entry_of(Functionality::NestedTensor, b));
  }
  all.looked_for[static_cast<std::size_t>(all.autograd_other)] = without_autograd;
  return all;
}
const Membership& membership() {
  static const Membership all = make_membership();
  return all;
}

[[noreturn]] void fall_through(void*, const Operator& op, KeySet, Frame&) {
  throw DispatchFailed(DispatchError::fallthrough,
                       op.name() + ": fallthrough_kernel was executed but it should have been short-circuited");
}
[[noreturn]] void find_nothing(void*, const Operator& op, KeySet keys, Frame&) {
  const KeyLayout& layout = layout_of(Profile::sound);
  const RuntimeKey key = key_at(layout, keys.entry());
  throw DispatchFailed(DispatchError::missing_kernel,
                       "Could not run '" + op.name() + "': no kernel for " + name_of(layout, key),
                       key == kUndefined ? "" : name_of(layout, key));
}
[[noreturn]] void find_two(void*, const Operator& op, KeySet, Frame&) {
  throw DispatchFailed(DispatchError::ambiguous,
                       op.name() +
                           " has kernels registered to both CompositeImplicitAutograd and a backend mapped to "
                           "AutogradOther");
}
constexpr Kernel kMissing{find_nothing, nullptr, nullptr};
constexpr Kernel kAmbiguous{find_two, nullptr, nullptr};

}  // namespace

Kernel fallthrough_kernel() { return {fall_through, nullptr, nullptr}; }

Operator::Operator(std::string name) : name_(std::move(name)) { table_.fill(kMissing); }

void Operator::add(Slot slot, std::uint64_t registration, const Kernel& kernel, const Fallbacks& fallbacks) {
  registered_[slot].emplace_back(registration, kernel);
  resolve(fallbacks);
}

void Operator::remove(Slot slot, std::uint64_t registration, const Fallbacks& fallbacks) {
  std::erase_if(registered_[slot], [&](const auto& one) { return one.first == registration; });
  resolve(fallbacks);
}

bool Operator::registered_at_all() const {
  return std::ranges::any_of(registered_, [](const auto& kernels) { return !kernels.empty(); });
}

const Kernel& Operator::newest(Slot slot) const {
  if (registered_[slot].empty())
    throw DispatchFailed(DispatchError::missing_kernel, name_ + ": no kernel is registered for the key");
  return registered_[slot].back().second;
}

/// [OperatorEntry.cpp, computeDispatchTableEntryWithDebug]: the first one that exists.
const Kernel* Operator::kernel_at(int entry, const Fallbacks& fallbacks) const {
  using enum AliasKey;
  const Membership& all = membership();
  const auto at = static_cast<std::size_t>(entry);
  const auto of = [&](AliasKey alias) -> const Kernel* {
    const Slot slot = slot_of(alias);
    return all.served[static_cast<std::size_t>(alias)].test(at) && registered(slot) ? &registered_[slot].back().second
                                                                                    : nullptr;
  };
  const auto any_of = [&](const Entries& entries) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (entries.test(i) && !registered_[i].empty()) return true;
    return false;
  };
  if (!registered_[at].empty()) return &registered_[at].back().second;
  if (const Kernel* kernel = of(CompositeExplicitAutogradNonFunctional)) return kernel;
  if (const Kernel* kernel = of(CompositeExplicitAutograd)) return kernel;
  if (const Kernel* kernel = of(CompositeImplicitAutogradNestedTensor)) return kernel;
  if (const Kernel* kernel = of(CompositeImplicitAutograd)) {
    const bool of_backend = any_of(all.looked_for[at]);
    if (entry == all.autograd_other && of_backend) return &kAmbiguous;
    const bool covered =
        all.autograd_or_nested.test(at) && (of_backend || registered(slot_of(CompositeExplicitAutograd)));
    if (!covered) return kernel;
  }
  if (const Kernel* kernel = of(Autograd)) return kernel;
  if (const Kernel* kernel = of(FuncTorchBatchedDecomposition)) return kernel;
  return fallbacks[at].boxed != nullptr ? &fallbacks[at] : &kMissing;
}

void Operator::resolve(const Fallbacks& fallbacks) {
  const bool was_traced = std::exchange(traced_, false);
  tracing_.reset();
  masks_.fill(KeySet(~std::uint64_t{0}));
  for (int entry = 0; entry < kTableSize; ++entry)
    table_[static_cast<std::size_t>(entry)] = *kernel_at(entry, fallbacks);
  for (int f = 1; f <= kFunctionalities; ++f) {
    const auto functionality = static_cast<Functionality>(f);
    for (int b = 0; b < kBackends; ++b) {
      KeySet& mask = masks_[static_cast<std::size_t>(b)];
      if (table_[entry_of(functionality, b)].boxed == fall_through) mask = mask - functionality;
    }
  }
  find_usual();
  trace(was_traced);
}

void Operator::find_usual() {
  // BackendSelect has a kernel if no argument brings a backend, as for a factory.
  const KeySet select = Functionality::BackendSelect;
  const KeySet cpu = select | Functionality::Dense | KeySet(Backend::CPU);
  const bool is_factory = (select & masks_.front()) == select;
  const KeySet inference = is_factory ? select : cpu;
  const KeySet other_mode = inference | Functionality::ADInplaceOrView;
  const KeySet normal = is_factory ? other_mode : other_mode | Functionality::Autograd;
  const auto find = [&](auto& into, std::initializer_list<KeySet> sets) {
    into = {};
    std::size_t next = 0;
    for (const KeySet all : sets) {
      const auto [keys, found] = arrive(all);
      if (found->unboxed != nullptr) into.at(next++) = {all, keys, found->unboxed};
    }
  };
  find(usual_, {normal, inference, other_mode});
  find(functional_, {normal | Functionality::Functionalize, inference | Functionality::Functionalize});
}

std::array<Kernel, kTableSize> Operator::wrapped() {
  const Slot composite = slot_of(AliasKey::CompositeImplicitAutograd);
  std::array<Kernel, kTableSize> table = table_;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].boxed == find_nothing || table[i].boxed == fall_through) continue;
    TracedKernel& traced = tracing_->kernels[i];
    traced = {table[i], registered(composite) && table[i] == registered_[composite].back().second};
    table[i] = {run_traced, &traced, nullptr};
  }
  return table;
}

void Operator::trace(bool on) {
  if (on == traced_) return;
  if (tracing_ == nullptr) {
    tracing_ = std::make_unique<Tracing>();
    tracing_->other = wrapped();
  }
  std::swap(table_, tracing_->other);
  traced_ = on;
  find_usual();
}

bool Operator::has_entry(int entry) const { return table_[static_cast<std::size_t>(entry)].boxed != find_nothing; }

}  // namespace plumbline::optimized
