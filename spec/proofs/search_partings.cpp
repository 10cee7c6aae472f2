// Programs on which InferenceMode and no_grad differ: the premises of the refinement's theorem, on plain values.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "spec/proofs/search.h"

namespace plumbline::proofs {

namespace {

using C = Concrete;

constexpr std::array<std::string_view, 5> kPremises{"requires_grad", "detach_", "resize_", "requires-grad-inside",
                                                    "enable-grad-inside"};

std::string_view name_of(const Act& act) { return all_moves()[static_cast<std::size_t>(act.move)].name; }
int move_named(std::string_view name) {
  return static_cast<int>(std::ranges::find(all_moves(), name, &Move<C>::name) - all_moves().begin());
}

/// The premise of the theorem that a statement violates; empty: no premise.
std::string_view against(const Heap<C>& before, const Act& act) {
  const std::string_view name = name_of(act);
  if (name == "requires_grad" || name == "detach_" || name == "resize_") return name;
  if (!act.asked || !before.tls.inference_mode.v) return {};
  return name == "factory" ? "requires-grad-inside" : name == "set_grad_enabled" ? "enable-grad-inside" : "";
}

/// The difference in what the theorem promises: not `_is_view()` and `_base`, and the version only for normal tensors.
std::string promised_difference(const Machine<C>& with, const Machine<C>& without) {
  if (!without.ok().v) return "the last statement raises under no_grad alone";
  const auto of = [](std::string_view what, int i) { return std::string(what) + " of t" + std::to_string(i); };
  for (int i = 0; i < tensors_in(with.heap); ++i) {
    const Object<C> a = with.heap.tensors.at({i});
    const Object<C> b = without.heap.tensors.at({i});
    if (with.requires_grad({i}).v != without.requires_grad({i}).v) return of("requires_grad", i) + " differs";
    if (a.meta.has_grad_fn.v != b.meta.has_grad_fn.v) return of("the presence of a grad_fn", i) + " differs";
    if (a.layout.v != b.layout.v || a.storage.v != b.storage.v) return of("the geometry", i) + " differs";
    if (!with.inference({i}).v && with.version({i}).v != without.version({i}).v) return of("_version", i) + " differs";
  }
  return {};
}

}  // namespace

Split shortest_parting(const Judge<Concrete>& judge, const SearchLimits& limits, std::string_view dropped) {
  if (!dropped.empty() && std::ranges::find(kPremises, dropped) == kPremises.end())
    throw std::logic_error("the theorem has no such premise: " + std::string(dropped));
  const int mode = move_named("inference_mode");
  const int grad = move_named("set_grad_enabled");
  Twins twins{judge, judge, promised_difference};
  twins.others = [mode, grad](Act act) {
    if (act.move == mode) act.move = grad, act.asked = !act.asked;
    return act;
  };
  twins.may = [dropped](const Heap<C>& before, const Act& act) {
    const std::string_view premise = against(before, act);
    return premise.empty() || premise == dropped;
  };
  twins.behind_errors = false;
  return shortest_split(twins, limits);
}

}  // namespace plumbline::proofs
