// Obligations about key sets, for all 2^64 words: a tensor's keys, a call's keys, and the keys for a redispatch.
#include "spec/proofs/key_words.h"
#include "spec/rules/key.h"

namespace plumbline::proofs {

std::vector<Obligation> layout_obligations();

namespace {

/// The sets of a call.
struct Sets {
  Keys tensors = any_keys("tensors");
  Keys included = any_keys("included");
  Keys excluded = any_keys("excluded");

  Keys effective(const Judge<S>& judge) const { return effective_keys(judge, tensors, included, excluded); }
  Question shown(Question question) const {
    return question.show("tensors", tensors).show("included", included).show("excluded", excluded);
  }
};

/// Claims for each functionality whether it is in the effective set.
Question effective_functionality(const Judge<S>& judge) {
  const Sets sets;
  const Keys effective = sets.effective(judge);
  return sets.shown(claim(for_each_bit(~kAllBackends, [&](std::uint64_t bit) {
    const Truth there = has(sets.tensors, bit) || has(sets.included, bit);
    return iff(has(effective, bit), there && !has(sets.excluded, bit));
  })));
}

Question effective_backend(const Judge<S>& judge) {
  const Sets sets;
  const Keys effective = sets.effective(judge);
  return sets.shown(claim(for_each_bit(kAllBackends, [&](std::uint64_t bit) {
    return iff(has(effective, bit), has(sets.tensors, bit) || has(sets.included, bit));
  })));
}

Question exclude_beats_include(const Judge<S>& judge) {
  const Sets sets;
  const Keys barred = sets.excluded - keys(kAllBackends);
  return sets.shown(claim(!sets.effective(judge).has_any(barred)));
}

Question join(const Judge<S>& judge) {
  const Keys a = any_keys("first");
  const Keys b = any_keys("second");
  const Keys both = join_keys(judge, a, b);
  return claim(
             for_each_bit(kAllBits, [&](std::uint64_t bit) { return iff(has(both, bit), has(a, bit) || has(b, bit)); }))
      .show("first", a)
      .show("second", b);
}

std::vector<Obligation> call_obligations() {
  return {
      {"keys.effective-set.functionality",
       "A functionality is in the effective set exactly when the tensors or the included set have it and the excluded "
       "set does not.",
       effective_functionality},
      {"keys.effective-set.backend",
       "A backend is in the effective set exactly when the tensors or the included set have it: the excluded set "
       "removes no backend.",
       effective_backend},
      {"keys.exclude-beats-include", "An excluded functionality is not in the effective set, even if it is included.",
       exclude_beats_include},
      {"keys.without-takes-functionalities", "c10's difference removes the other set's functionalities and no backend.",
       [](const Judge<S>&) {
         const Keys a = any_keys("first");
         const Keys b = any_keys("second");
         const Keys rest = without(a, b);
         return claim(for_each_bit(kAllBits,
                                   [&](std::uint64_t bit) {
                                     const Truth taken = Truth((bit & kAllBackends) == 0) && has(b, bit);
                                     return iff(has(rest, bit), has(a, bit) && !taken);
                                   }))
             .show("first", a)
             .show("second", b);
       }},
      {"keys.join-is-the-union", "A key is in a call's set exactly when one of its tensors brings it.", join}};
}

std::vector<Obligation> tensor_obligations() {
  const auto made = [](const Judge<S>& judge) { return tensor_keys(judge, any_truth("inference")); };
  return {
      {"keys.both-keys-or-neither",
       "A tensor carries an Autograd key and ADInplaceOrView, or neither: a normal one both, an inference one neither.",
       [made](const Judge<S>& judge) {
         const Keys set = made(judge);
         const Truth normal = !any_truth("inference");
         return claim(iff(has(set, kAutograd), normal) && iff(has(set, kView), normal)).show("tensor", set);
       }},
      {"keys.own-autograd-key", "A normal tensor carries the Autograd key of its backend and no other Autograd key.",
       [made](const Judge<S>& judge) {
         const Keys set = made(judge);
         const Truth own = (set & keys(kAutograd)) == Keys(Functionality::Autograd) &&
                           (set & keys(kAllBackends)) == Keys(Backend::CPU);
         return claim(own).given(!any_truth("inference")).show("tensor", set);
       }},
      {"keys.autocast-key-always", "A tensor carries its backend's Autocast key and its backend's own key.",
       [made](const Judge<S>& judge) {
         const Keys set = made(judge);
         const Truth dense = has(set, bit_of(Functionality::Dense)) && has(set, bit_of(Backend::CPU));
         return claim(dense && has(set, bit_of(Functionality::AutocastCPU))).show("tensor", set);
       }},
      {"keys.carried-whether-grad-is-required",
       "A tensor carries the same keys whether it requires grad or not.",
       [](const Judge<S>& judge) {
         const Keys set = any_keys("tensor");
         const Truth needed = any_truth("requires_grad");
         return claim(carried_keys(judge, set, needed) == set).show("tensor", set).show("requires_grad", needed);
       },
       Verdict::proved,
       {{Profile::ideal, "KEY-10: in the ideal end state a tensor that does not require grad carries no Autograd key"}},
       {},
       {{"requires_grad", "false"}}},
      {"keys.carried-in-any-state",
       "Only Autograd keys depend on requires_grad, and a tensor that requires grad carries all its keys.",
       [](const Judge<S>& judge) {
         const Keys set = any_keys("tensor");
         const Truth needed = any_truth("requires_grad");
         const Keys carried = carried_keys(judge, set, needed);
         const Truth others = (carried - keys(kAutograd)) == (set - keys(kAutograd));
         return claim(others && within(carried, set) && implies(needed, carried == set)).show("tensor", set);
       }}};
}

/// The kernel that runs next, for an op kind with ADInplaceOrView kernels, and for one without.
Question next_is_highest(const Judge<S>& judge, OpKind kind, bool handled) {
  using F = Choice<S, Functionality>;
  const Keys set = any_keys("keys");
  const F next = next_kernel(judge, set, kind);
  const Truth grad = has(set, kAutograd);
  const Truth view = has(set, kView) && Truth(handled);
  return claim(iff(next == F(Functionality::Autograd), grad) &&
               iff(next == F(Functionality::ADInplaceOrView), view && !grad) &&
               iff(next == F(Functionality::Dense), !view && !grad))
      .show("keys", set);
}

/// The keys below one of the two kernels that redispatch.
Question below(const Judge<S>& judge, Functionality from, std::uint64_t taken) {
  const Keys set = any_keys("keys");
  const Keys rest = keys_below(judge, set, from);
  return claim(for_each_bit(
                   kAllBits,
                   [&](std::uint64_t bit) { return iff(has(rest, bit), has(set, bit) && Truth((bit & taken) == 0)); }))
      .show("keys", set);
}

/// Below the kernel at `from`, which ran because `set` has one of `taken`, the set is smaller and the next kernel
/// lower.
Question goes_down(const Judge<S>& judge, Functionality from, std::uint64_t taken) {
  using F = Choice<S, Functionality>;
  const Keys set = any_keys("keys");
  const Keys rest = keys_below(judge, set, from);
  const F next = next_kernel(judge, rest, OpKind::Inplace);
  const Truth lower = next == F(Functionality::Dense) ||
                      (next == F(Functionality::ADInplaceOrView) && Truth(from == Functionality::Autograd));
  return claim(within(rest, set) && !(rest == set) && lower).given(has(set, taken)).show("keys", set);
}

/// ADInplaceOrView runs in a chain of redispatches that begins at `set` exactly when it runs at once or in the rest.
Question chain_visits_view(const Judge<S>& judge) {
  using F = Choice<S, Functionality>;
  const Keys set = any_keys("keys");
  const auto at_view = [&](const Keys& keys) {
    return next_kernel(judge, keys, OpKind::Inplace) == F(Functionality::ADInplaceOrView);
  };
  const Truth grad = next_kernel(judge, set, OpKind::Inplace) == F(Functionality::Autograd);
  const Truth visited = at_view(set) || (grad && at_view(keys_below(judge, set, Functionality::Autograd)));
  return claim(iff(visited, has(set, kView))).show("keys", set);
}

std::vector<Obligation> chain_obligations() {
  using enum Functionality;
  return {{"keys.next-kernel-is-the-highest.in-place",
           "For an in-place op, the highest of Autograd, ADInplaceOrView and the backend in a set runs next.",
           [](const Judge<S>& judge) { return next_is_highest(judge, OpKind::Inplace, true); }},
          {"keys.next-kernel-is-the-highest.view",
           "For a view op, the highest of Autograd, ADInplaceOrView and the backend in a set runs next.",
           [](const Judge<S>& judge) { return next_is_highest(judge, OpKind::View, true); }},
          {"keys.next-kernel-is-the-highest.functional",
           "A functional op runs at Autograd or at the backend, and falls through ADInplaceOrView.",
           [](const Judge<S>& judge) { return next_is_highest(judge, OpKind::Functional, false); }},
          {"keys.below-autograd", "The Autograd kernel redispatches to all keys except the Autograd keys.",
           [](const Judge<S>& judge) { return below(judge, Autograd, kAutograd); }},
          {"keys.below-adinplaceorview", "The ADInplaceOrView kernel redispatches to all keys except ADInplaceOrView.",
           [](const Judge<S>& judge) { return below(judge, ADInplaceOrView, kView); }},
          {"keys.redispatch-goes-down.autograd",
           "Below the Autograd kernel there are fewer keys, and the next kernel is a lower one.",
           [](const Judge<S>& judge) { return goes_down(judge, Autograd, kAutograd); }},
          {"keys.redispatch-goes-down.adinplaceorview",
           "Below the ADInplaceOrView kernel there are fewer keys, and without Autograd keys the backend is next.",
           [](const Judge<S>& judge) {
             return goes_down(judge, ADInplaceOrView, kView).given(!has(any_keys("keys"), kAutograd));
           }},
          {"keys.chain-visits-adinplaceorview",
           "An in-place op runs at ADInplaceOrView, directly or below Autograd, exactly when the set has that key.",
           chain_visits_view}};
}

}  // namespace

std::vector<Obligation> key_set_obligations() {
  std::vector<Obligation> all = layout_obligations();
  for (const auto& part : {call_obligations(), tensor_obligations(), chain_obligations()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace plumbline::proofs
