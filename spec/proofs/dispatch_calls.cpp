// Obligations about calls: the keys of tensors, fallthrough, where a call arrives, and what happens there.
#include "spec/proofs/key_words.h"
#include "spec/rules/dsp_entry.h"

namespace plumbline::proofs {

std::vector<Obligation> dispatch_call_obligations();

namespace {

/// Whether an operator falls through at a key: free for each functionality and each of its backends.
Truth falls_through(const KeyLayout& layout, int functionality, const Number& backend) {
  const std::string name = "falls_through." + std::string(row_of(layout, functionality).name);
  if (!row_of(layout, functionality).per_backend)  // it has no backends
    return select(backend == Number(0), any_truth(name), any_truth(name + ".elsewhere"));
  Truth falls = any_truth(name + std::string(layout.backends[0].name));
  for (std::size_t b = 1; b < layout.backends.size(); ++b)
    falls = select(backend == Number(b), any_truth(name + std::string(layout.backends[b].name)), falls);
  return falls;
}
Truth falls_through(const KeyLayout& layout, const Place<S>& place) {
  Truth falls = false;
  for (int f = 1; f <= functionalities_of(layout); ++f)
    falls = falls || (place.functionality == Number(f) && falls_through(layout, f, place.backend));
  return falls;
}

struct Masked {
  Keys arguments = any_keys("arguments");
  Keys effective = any_keys("effective");

  Keys rest(const Judge<S>& judge, const KeyLayout& layout) const {
    const auto falls = [&layout](int functionality, const Number& backend) {
      return falls_through(layout, functionality, backend);
    };
    return without_fallthrough(judge, layout, arguments, effective, falls);
  }
  Question shown(Question question, const KeyLayout& layout) const {
    return question.show("arguments", arguments.v.t)
        .show("effective", effective.v.t)
        .show("the thread includes another backend",
              !(highest_backend(layout, arguments) == highest_backend(layout, effective)));
  }
};

/// The definition, key by key and backend by backend: for the highest backend, or for none if the set has none.
Question mask_is_its_definition(const Judge<S>& judge, const KeyLayout& layout) {
  const Masked call;
  const Keys rest = call.rest(judge, layout);
  const Number backend = highest_backend(layout, call.effective);
  Truth all = (rest - keys(functionality_bits(layout))) == (call.effective - keys(functionality_bits(layout)));
  for (int f = 1; f <= functionalities_of(layout); ++f) {
    const std::uint64_t bit = functionality_bit(layout, f);
    const Truth falls = falls_through(layout, f, row_of(layout, f).per_backend ? backend : Number(0));
    all = all && iff(has(rest, bit), has(call.effective, bit) && !falls);
  }
  return call.shown(claim(all), layout);
}

/// A call arrives at a key of its own set that does not fall through, or at Undefined if all do.
Question arrives_at_no_fallthrough(const Judge<S>& judge, const KeyLayout& layout) {
  const Masked call;
  const Place<S> place = entry_place(judge, layout, call.rest(judge, layout));
  return call.shown(claim(!falls_through(layout, place)), layout)
      .show("functionality", place.functionality)
      .show("backend", place.backend);
}

const std::vector<Exception> kAsksArguments{
    {Profile::torch_1_13, "DSP-31: fallthrough is looked up for the arguments' backend, whatever the thread includes"}};
const std::vector<std::pair<std::string, std::string>> kOtherBackend{{"the thread includes another backend", "true"}};

Obligation mask_obligation(const NamedLayout& named) {
  const KeyLayout& l = *named.layout;
  return {"dispatch.fallthrough-mask" + named.suffix,
          "A call's key set keeps its backends, and each functionality at which the operator does not fall through for "
          "the call's highest backend.",
          [&l](const Judge<S>& judge) { return mask_is_its_definition(judge, l); },
          Verdict::proved,
          kAsksArguments,
          {},
          kOtherBackend};
}

/// Three tensors, alone or in a list.
Question every_tensor_counts(const Judge<S>& judge, bool list) {
  const std::array<Keys, 3> tensors{any_keys("first"), any_keys("second"), any_keys("third")};
  const Keys all = argument_keys<S>(judge, tensors, list);
  const Truth every = for_each_bit(kAllBits, [&](std::uint64_t bit) {
    return iff(has(all, bit), has(tensors[0], bit) || has(tensors[1], bit) || has(tensors[2], bit));
  });
  return claim(every).show("arguments", all);
}

/// At every entry one kernel runs, or one error of the rules is raised.
Question one_outcome(const Judge<S>& judge) {
  using A = Choice<S, Arrival>;
  using Source = Choice<S, EntrySource>;
  const auto source = Source::of({variable("source", Sort::Word)});
  const Truth falls = any_truth("falls_through");
  const A got = arrive(judge, source, falls);
  Truth one_of_them = false;
  for (int i = 0; i <= static_cast<int>(EntrySource::fallback); ++i)
    one_of_them = one_of_them || source == Source(static_cast<EntrySource>(i));
  const Truth missing = source == Source(EntrySource::missing);
  const Truth ambiguous = source == Source(EntrySource::ambiguous);
  const Truth kernel = !missing && !ambiguous;
  return claim(iff(got == A(Arrival::missing), missing) && iff(got == A(Arrival::ambiguous), ambiguous) &&
               iff(got == A(Arrival::runs), kernel && !falls) && iff(got == A(Arrival::fallthrough), kernel && falls))
      .given(one_of_them)
      .show("source", source.v.t)
      .show("falls_through", falls);
}

}  // namespace

std::vector<Obligation> dispatch_call_obligations() {
  std::vector<Obligation> all;
  for (const NamedLayout& named : layouts()) all.push_back(mask_obligation(named));
  const std::vector<Obligation> others{
      {"dispatch.no-call-arrives-at-a-fallthrough",
       "No call arrives at a key at which the operator falls through.",
       [](const Judge<S>& judge) { return arrives_at_no_fallthrough(judge, *layout_named("2.13")); },
       Verdict::proved,
       kAsksArguments,
       {},
       kOtherBackend},
      {"dispatch.every-tensor-brings-its-keys.arguments",
       "A key is in the arguments' key set exactly when one of the tensors brings it.",
       [](const Judge<S>& judge) { return every_tensor_counts(judge, false); }},
      {"dispatch.every-tensor-brings-its-keys.list",
       "A key is in the key set of a list of tensors exactly when one of them brings it.",
       [](const Judge<S>& judge) { return every_tensor_counts(judge, true); }},
      {"dispatch.redispatch-takes-its-keys", "A redispatch uses the key set that it is given, whatever falls through.",
       [](const Judge<S>& judge) {
         const Keys given = any_keys("given");
         return claim(redispatched_keys(judge, given, any_keys("skipped")) == given).show("given", given);
       }},
      {"dispatch.kernel-is-given-what-found-it",
       "A kernel receives the key set by which it was found, so the highest key of that set is its own.",
       [](const Judge<S>& judge) {
         const KeyLayout& l = *layout_named("2.13");
         const Keys rest = any_keys("rest");
         const Keys handed = handed_keys(judge, rest, any_keys("effective"));
         const Truth its_own = entry_place(judge, l, handed) == entry_place(judge, l, rest);
         return claim(handed == rest && its_own).show("handed", handed);
       }},
      {"dispatch.one-kernel-or-one-error",
       "At every entry one kernel runs or one error is raised: missing, ambiguous, or, for a redispatch, fallthrough.",
       one_outcome}};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace plumbline::proofs
