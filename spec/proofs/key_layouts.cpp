// Obligations about the layout of each version, for all 2^64 words: the highest key, the table's index, and the masks
// after a key.
#include "spec/proofs/key_words.h"
#include "spec/rules/dsp_entry.h"

namespace plumbline::proofs {

std::vector<Obligation> layout_obligations();

namespace {

Question highest_is_maximum(const KeyLayout& layout) {
  const Keys set = any_keys("keys");
  const Number highest = highest_functionality(layout, set);
  Truth all = iff(highest == Number(0), !has(set, functionality_bits(layout)));
  for (int f = 1; f <= functionalities_of(layout); ++f) {
    const Truth maximum = has(set, functionality_bit(layout, f)) && !has(set, bits_above(layout, f));
    all = all && iff(highest == Number(f), maximum);
  }
  return claim(all).show("highest", highest).show("keys", set.v.t);
}

/// If a set's highest functionality is per backend, it arrives at the entry of its highest backend.
Question backend_is_maximum(const Judge<S>& judge, const KeyLayout& layout) {
  const Keys set = any_keys("keys");
  const Place<S> place = entry_place(judge, layout, set);
  Truth all = true;
  for (std::size_t b = 0; b < layout.backends.size(); ++b) {
    const std::uint64_t bit = std::uint64_t{1} << b;
    const Truth maximum = has(set, bit) && !has(set, backend_mask(layout) & ~((bit << 1) - 1));
    all = all && iff(place.backend == Number(b), maximum);
  }
  return claim(all)
      .given(is_per_backend(layout, highest_functionality(layout, set)))
      .given(has(set, backend_mask(layout)))
      .show("backend", place.backend)
      .show("keys", set.v.t);
}

Question bare_arrives_at_first_backend(const Judge<S>& judge, const KeyLayout& layout) {
  const Keys set = any_keys("keys");
  const Place<S> place = entry_place(judge, layout, set);
  const Number highest = highest_functionality(layout, set);
  return claim(place.functionality == highest && place.backend == Number(0))
      .given(!has(set, backend_mask(layout)) || !is_per_backend(layout, highest))
      .show("functionality", place.functionality)
      .show("keys", set.v.t);
}

/// The number of keys before those of a functionality: Undefined, and those of all lower ones.
int keys_before(const KeyLayout& layout, int functionality) {
  int before = 1;
  for (int f = 1; f < functionality; ++f)
    before += row_of(layout, f).per_backend ? static_cast<int>(layout.backends.size()) : 1;
  return before;
}

/// Any place in a layout: a functionality or none, and a backend if the functionality is per backend.
struct AnyPlace {
  Place<S> place;
  Truth there;
};
AnyPlace any_place(const KeyLayout& layout, const std::string& name) {
  const Place<S> place{any_number(name + ".functionality"), any_number(name + ".backend")};
  const Number backends =
      select(is_per_backend(layout, place.functionality), Number(layout.backends.size()), Number(1));
  const Truth functionality =
      Number(0) <= place.functionality && place.functionality <= Number(functionalities_of(layout));
  return {place, functionality && Number(0) <= place.backend && place.backend < backends};
}
Question shown(Question question, const std::string& name, const Place<S>& place) {
  return question.show(name + ".functionality", place.functionality).show(name + ".backend", place.backend);
}

Question index_is_offset_plus_backend(const KeyLayout& layout) {
  const auto [place, there] = any_place(layout, "key");
  const Number index = table_index(layout, place);
  Truth all = implies(place.functionality == Number(0), index == Number(0));
  for (int f = 1; f <= functionalities_of(layout); ++f) {
    const Number right = Number(keys_before(layout, f)) + place.backend;
    all = all && implies(place.functionality == Number(f), index == right);
  }
  return shown(claim(all).given(there).show("index", index), "key", place);
}

Question index_in_range(const KeyLayout& layout) {
  const auto [place, there] = any_place(layout, "key");
  const Number index = table_index(layout, place);
  const Truth claimed = Number(0) <= index && index < Number(table_size(layout));
  return shown(claim(claimed).given(there).show("index", index), "key", place);
}

/// A key can be read back from its entry, so no two keys share an entry.
Question index_tells_keys_apart(const KeyLayout& layout) {
  const auto [place, there] = any_place(layout, "key");
  const Number index = table_index(layout, place);
  Place<S> read;
  for (int f = 1; f <= functionalities_of(layout); ++f) {
    const Number first = keys_before(layout, f);
    read = select(first <= index, Place<S>{Number(f), index - first}, read);
  }
  return shown(claim(read == place).given(there).show("index", index), "key", place);
}

/// Every set arrives at a place of the layout.
Question arrives_somewhere(const Judge<S>& judge, const KeyLayout& layout) {
  const Keys set = any_keys("keys");
  const Place<S> place = entry_place(judge, layout, set);
  Truth functionality = place.functionality == Number(0);
  Truth backend = place.backend == Number(0);
  for (int f = 1; f <= functionalities_of(layout); ++f)
    functionality = functionality || place.functionality == Number(f);
  for (std::size_t b = 1; b < layout.backends.size(); ++b) backend = backend || place.backend == Number(b);
  const Truth each = is_per_backend(layout, place.functionality);
  return shown(claim(functionality && backend && (each || place.backend == Number(0))).show("keys", set.v.t), "key",
               place);
}

/// Whether a set is one functionality with at most one backend.
Truth is_one_key(const KeyLayout& layout, const Keys& set) {
  Truth one = false;
  for (int f = 1; f <= functionalities_of(layout); ++f) {
    const Keys bit = keys(functionality_bit(layout, f));
    one = one || set == bit;
    if (!row_of(layout, f).per_backend) continue;
    for (std::size_t b = 0; b < layout.backends.size(); ++b) one = one || set == (bit | keys(std::uint64_t{1} << b));
  }
  return one;
}

/// The set of each runtime key arrives at that key, so no two keys share a set.
Question place_tells_keys_apart(const Judge<S>& judge, const KeyLayout& layout) {
  const Number entry = any_number("entry");
  Truth all = true;
  for (int i = 0; i < table_size(layout); ++i) {
    const RuntimeKey key = key_at(layout, i);
    const Place<S> place = entry_place(judge, layout, keys(word_of(layout, key)));
    all = all && implies(entry == Number(i), place == Place<S>{Number(key.functionality), Number(key.backend)});
  }
  return claim(all).show("entry", entry);
}

Question index_tells_sets_apart(const Judge<S>& judge, const KeyLayout& layout) {
  const Keys a = any_keys("first");
  const Keys b = any_keys("second");
  const auto index = [&](const Keys& set) { return table_index(layout, entry_place(judge, layout, set)); };
  const std::uint64_t dense = functionality_bit(layout, 1);
  return claim(implies(index(a) == index(b), a == b))
      .given(is_one_key(layout, a))
      .given(is_one_key(layout, b))
      .show("the first is Dense without a backend", a == keys(dense))
      .show("the second is CPU", b == keys(dense | 1U));
}

/// The contents of the mask after each functionality; it has all backends of the layout.
Question after_is_lower(const Judge<S>& judge, const KeyLayout& layout) {
  const std::uint64_t python = bit_named(layout, "PythonDispatcher");
  const Number at = any_number("functionality");
  Truth all = true;
  for (int f = 1; f <= functionalities_of(layout); ++f) {
    const Keys after = Keys::of(keys_after(judge, layout, f));
    const std::uint64_t below = full_word(layout) & ~bits_above(layout, f) & ~functionality_bit(layout, f);
    all = all && implies(at == Number(f), after == keys(below | python));
  }
  return claim(all).show("functionality", at);
}

/// For every functionality in a set: its kernel redispatches with a subset that has neither itself nor anything `above`
/// it.
Question redispatch_decreases(const Judge<S>& judge, const KeyLayout& layout, bool above) {
  const Keys set = any_keys("keys");
  Truth all = true;
  for (int f = 1; f <= functionalities_of(layout); ++f) {
    const std::uint64_t bit = functionality_bit(layout, f);
    const Keys rest = set & Keys::of(keys_after(judge, layout, f));
    const Truth down = within(rest, set) && !has(rest, bit | (above ? bits_above(layout, f) : 0));
    all = all && implies(has(set, bit), down);
  }
  return claim(all)
      .show("PythonDispatcher is the only functionality",
            (set & keys(functionality_bits(layout))) == keys(bit_named(layout, "PythonDispatcher")))
      .show("keys", set.v.t);
}
Question redispatch_decreases_but_python(const Judge<S>& judge, const KeyLayout& layout) {
  return redispatch_decreases(judge, layout, true).given(!has(any_keys("keys"), bit_named(layout, "PythonDispatcher")));
}

/// The functionalities of a set are the highest one and those that its kernel redispatches with.
Question chain_step(const Judge<S>& judge, const KeyLayout& layout) {
  const Keys set = any_keys("keys");
  const Keys all_of_it = keys(functionality_bits(layout));
  Truth all = true;
  for (int f = 1; f <= functionalities_of(layout); ++f) {
    const std::uint64_t bit = functionality_bit(layout, f);
    const Truth highest = has(set, bit) && !has(set, bits_above(layout, f));
    const Keys rest = set & Keys::of(keys_after(judge, layout, f));
    all = all && implies(highest, (set & all_of_it) == (keys(bit) | (rest & all_of_it)) && !has(rest, bit));
  }
  return claim(all).given(!has(set, bit_named(layout, "PythonDispatcher"))).show("keys", set.v.t);
}

Question after_has_none(const Judge<S>& judge, const KeyLayout& layout, std::string_view functionality,
                        std::uint64_t gone) {
  const Keys rest = any_keys("keys") & Keys::of(keys_after(judge, layout, functionality_named(layout, functionality)));
  return claim(!has(rest, gone)).show("rest", rest.v.t);
}

std::vector<Obligation> index_obligations(const NamedLayout& named) {
  const KeyLayout& l = *named.layout;
  return {{"keys.highest-is-the-maximum" + named.suffix,
           "The highest functionality of a set is in the set, and no higher one is.",
           [&l](const Judge<S>&) { return highest_is_maximum(l); }},
          {"keys.backend-is-the-maximum" + named.suffix,
           "If the highest functionality is per backend, a set arrives at the entry of its highest backend.",
           [&l](const Judge<S>& judge) { return backend_is_maximum(judge, l); }},
          {"keys.no-backend-is-the-first" + named.suffix,
           "If a set has no backend, or its highest functionality is not per backend, it arrives at that "
           "functionality's first entry.",
           [&l](const Judge<S>& judge) { return bare_arrives_at_first_backend(judge, l); }},
          {"keys.arrives-somewhere" + named.suffix, "Every set arrives at a key that the layout has, or at Undefined.",
           [&l](const Judge<S>& judge) { return arrives_somewhere(judge, l); }},
          {"keys.index-is-offset-plus-backend" + named.suffix,
           "A key's entry is its backend's place after the entries of all lower functionalities.",
           [&l](const Judge<S>&) { return index_is_offset_plus_backend(l); }},
          {"keys.index-in-range" + named.suffix, "Every key's entry is one of the table's.",
           [&l](const Judge<S>&) { return index_in_range(l); }},
          {"keys.index-tells-keys-apart" + named.suffix, "Different runtime keys have different entries.",
           [&l](const Judge<S>&) { return index_tells_keys_apart(l); }},
          {"keys.place-tells-keys-apart" + named.suffix,
           "The set of one runtime key, with its backend where it has one, arrives at that key.",
           [&l](const Judge<S>& judge) { return place_tells_keys_apart(judge, l); }},
          {"keys.place-tells-keys-apart-without-a-backend" + named.suffix,
           "Different sets of one functionality each have different entries, also if a per-backend one has no backend.",
           [&l](const Judge<S>& judge) { return index_tells_sets_apart(judge, l); },
           Verdict::refuted,
           {},
           "DSP-33: Dense without a backend arrives at CPU's entry",
           {{"the first is Dense without a backend", "true"}, {"the second is CPU", "true"}}}};
}

std::vector<Obligation> after_obligations(const NamedLayout& named) {
  const KeyLayout& l = *named.layout;
  const std::uint64_t grad = autograd_bits(l);
  const std::uint64_t view = bit_named(l, "ADInplaceOrView");
  return {
      {"keys.after-is-what-is-lower" + named.suffix,
       "The keys after a key are exactly the backends, the functionalities below it, and PythonDispatcher.",
       [&l](const Judge<S>& judge) { return after_is_lower(judge, l); }},
      {"keys.redispatch-decreases" + named.suffix,
       "In a set without PythonDispatcher, a redispatch leaves fewer keys: no key at its own or above.",
       [&l](const Judge<S>& judge) { return redispatch_decreases_but_python(judge, l); }},
      {"keys.redispatch-decreases-with-python-dispatcher" + named.suffix,
       "In any set, a redispatch leaves fewer keys: its own key is gone.",
       [&l](const Judge<S>& judge) { return redispatch_decreases(judge, l, false); },
       Verdict::refuted,
       {},
       "DSP-39: c10 keeps PythonDispatcher after every key, so a redispatch from its own kernel does not go to a lower "
       "key",
       {{"PythonDispatcher is the only functionality", "true"}}},
      {"keys.chain-visits-the-effective-set" + named.suffix,
       "A functionality is in a set exactly when it is the highest, or in the keys that the highest one's redispatch "
       "leaves. So a chain of redispatches visits exactly the effective set, each key once.",
       [&l](const Judge<S>& judge) { return chain_step(judge, l); }},
      {"keys.after-autograd-no-autograd" + named.suffix, "After Autograd there is no Autograd key.",
       [&l, grad](const Judge<S>& judge) { return after_has_none(judge, l, "AutogradOther", grad); }},
      {"keys.after-adinplaceorview-neither" + named.suffix,
       "After ADInplaceOrView there is neither an Autograd key nor ADInplaceOrView.",
       [&l, both = grad | view](const Judge<S>& judge) { return after_has_none(judge, l, "ADInplaceOrView", both); }}};
}

}  // namespace

std::vector<Obligation> layout_obligations() {
  std::vector<Obligation> all;
  for (const NamedLayout& named : layouts())
    for (const auto& part : {index_obligations(named), after_obligations(named)})
      all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace plumbline::proofs
