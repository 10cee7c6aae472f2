// Asks Z3 for calls that find no kernel, until there are no more.
#include "spec/proofs/resolution.h"

#include <algorithm>

#include "spec/proofs/key_words.h"
#include "spec/rules/dsp_entry.h"
#include "spec/rules/tls.h"

namespace plumbline::proofs {

namespace {

const KeyLayout& rules_layout() { return layout_of(Profile::sound); }

std::uint64_t word_named(const KeyLayout& layout, std::string_view functionality) {
  const int f = functionality_named(layout, functionality);
  return f == 0 ? 0 : functionality_bit(layout, f);
}

/// The keys of a CPU tensor by the rules, translated to another backend and functionality.
std::uint64_t keys_of(const Judge<Concrete>& judge, const TensorKind& kind, std::size_t backend) {
  const KeyLayout& layout = rules_layout();
  std::uint64_t word = tensor_keys<Concrete>(judge, kind.inference).v;
  word = carried_keys(judge, KeySet<Concrete>::raw(word), Bool<Concrete>(kind.requires_grad)).v;
  const auto exchange = [&](std::uint64_t from, std::uint64_t to) {
    if ((word & from) != 0) word = (word & ~from) | to;
  };
  exchange(1, std::uint64_t{1} << backend);
  exchange(word_named(layout, "AutocastCPU"), word_named(layout, "Autocast" + kind.backend));
  exchange(word_named(layout, "Dense"), word_named(layout, kind.functionality));
  if (kind.functionality == "NestedTensor")
    exchange(word_named(layout, "Autograd"), word_named(layout, "AutogradNestedTensor"));
  return word;
}

/// Translates a key set of the rules' layout to another layout, as `relaid` does on values.
Keys relaid_keys(const KeyLayout& to, const Keys& set) {
  const KeyLayout& from = rules_layout();
  if (&from == &to) return set;
  Keys other;
  const auto copy = [&](std::uint64_t bit) {
    const std::uint64_t there = relaid(from, to, bit);
    if (there != 0) other = select(has(set, bit), other | keys(there), other);
  };
  for (std::size_t b = 0; b < from.backends.size(); ++b) copy(std::uint64_t{1} << b);
  for (int f = 1; f <= functionalities_of(from); ++f) copy(functionality_bit(from, f));
  return other;
}

/// A call, as terms.
struct Call {
  std::vector<Truth> given;  ///< for each kind, whether the call has a tensor of it
  Number tensors = 0;        ///< how many kinds it has
  Truth inference_mode = any_truth("inference_mode");
  Keys found_by;
  Place<S> arrives;

  explicit Call(const Resolved& question);

 private:
  Truth does(const Resolved& question, const Place<S>& place, EntryDoes what) const;
};

/// Whether the entry of a place does this.
Truth Call::does(const Resolved& question, const Place<S>& place, EntryDoes what) const {
  Truth any = false;
  for (std::size_t i = 0; i < question.table.size(); ++i) {
    if (question.table[i] != what) continue;
    const RuntimeKey key = key_at(*question.layout, static_cast<int>(i));
    any = any || place == Place<S>{Number(key.functionality), Number(key.backend)};
  }
  return any;
}

Call::Call(const Resolved& question) {
  const KeyLayout& layout = *question.layout;
  const Judge<S> judge{question.profile};
  Keys arguments;
  for (std::size_t i = 0; i < question.tensors.size(); ++i) {
    given.push_back(any_truth("tensor." + std::to_string(i)));
    tensors = tensors + select(given.back(), Number(1), Number(0));
    arguments = select(given.back(), join_keys(judge, arguments, keys(question.tensors[i].keys)), arguments);
  }
  const Tls<S> outside = default_tls(judge);
  const Tls<S> state = select(inference_mode, enter_inference_mode<S>(judge, outside, true), outside);
  const Keys effective = relaid_keys(layout, effective_keys(judge, arguments, state.included, state.excluded));
  const auto falls = [&](int functionality, const Number& backend) {
    Truth any = false;
    const std::size_t width = row_of(layout, functionality).per_backend ? layout.backends.size() : 1;
    for (std::size_t b = 0; b < width; ++b) {
      const RuntimeKey key{static_cast<std::uint8_t>(functionality), static_cast<std::uint8_t>(b)};
      if (question.table[static_cast<std::size_t>(index_of(layout, key))] == EntryDoes::falls_through)
        any = any || backend == Number(b);
    }
    return any;
  };
  found_by = without_fallthrough(judge, layout, relaid_keys(layout, arguments), effective, falls);
  arrives = entry_place(judge, layout, found_by);
  const Truth below = does(question, arrives, EntryDoes::goes_below);
  const Keys after = Keys::of(keys_after(judge, layout, functionality_named(layout, "AutogradOther")));
  arrives = select(below, entry_place(judge, layout, found_by & after), arrives);
}

/// The entries that run no kernel and at which no hole was found yet.
Truth at_one_of(const KeyLayout& layout, const Call& call, const std::vector<int>& entries) {
  Truth any = false;
  for (const int entry : entries) {
    const RuntimeKey key = key_at(layout, entry);
    any = any || call.arrives == Place<S>{Number(key.functionality), Number(key.backend)};
  }
  return any;
}

/// The word that Z3 printed as #x….
std::uint64_t word_in(const std::string& text) { return std::stoull(text.substr(2), nullptr, 16); }

/// The call in Z3's answer.
Hole hole_in(const Resolved& question, const Call& call, const Answer& answer) {
  const auto value = [&](Term term) { return answer.values.at(term); };
  Hole hole;
  hole.key = {static_cast<std::uint8_t>(std::stoi(value(call.arrives.functionality.v.t))),
              static_cast<std::uint8_t>(std::stoi(value(call.arrives.backend.v.t)))};
  const auto entry = static_cast<std::size_t>(index_of(*question.layout, hole.key));
  hole.does = question.table[entry];
  for (std::size_t i = 0; i < call.given.size(); ++i)
    if (value(call.given[i].v.t) == "true") hole.tensors.push_back(i);
  hole.inference_mode = value(call.inference_mode.v.t) == "true";
  hole.found_by = word_in(value(call.found_by.v.t));
  return hole;
}

}  // namespace

std::string TensorKind::words() const {
  const std::string key = functionality == "Dense" ? backend : functionality + backend;
  return (inference ? "an inference tensor of " : "a normal tensor of ") + key +
         (requires_grad ? " that requires grad" : "");
}

std::vector<TensorKind> tensor_kinds(const Judge<Concrete>& judge, const KeyLayout& layout,
                                     const std::vector<std::string>& backends,
                                     const std::vector<std::string>& functionalities) {
  std::vector<TensorKind> kinds;
  const auto& all = rules_layout().backends;
  for (std::size_t b = 0; b < all.size(); ++b) {
    if (std::ranges::find(backends, all[b].name) == backends.end()) continue;
    for (const std::string& functionality : functionalities) {
      if (functionality_named(layout, functionality) == 0) continue;
      for (const bool inference : {false, true}) {
        TensorKind kind{std::string(all[b].name), functionality, inference, false, 0};
        kind.keys = keys_of(judge, kind, b);
        kinds.push_back(kind);
        kind.requires_grad = true;
        const std::uint64_t needed = keys_of(judge, kind, b);
        if (needed == kind.keys) continue;
        kind.keys = needed;
        kinds.push_back(kind);
      }
    }
  }
  return kinds;
}

Holes find_holes(const Resolved& question, std::uint64_t resource_limit) {
  Holes holes;
  const Call call(question);
  std::vector<int> open;
  for (std::size_t i = 0; i < question.table.size(); ++i)
    if (question.table[i] == EntryDoes::missing || question.table[i] == EntryDoes::ambiguous ||
        question.table[i] == EntryDoes::falls_through)  // a redispatch of the version's own fallback can arrive at one
      open.push_back(static_cast<int>(i));
  std::vector<Term> watched{call.arrives.functionality.v.t, call.arrives.backend.v.t, call.inference_mode.v.t,
                            call.found_by.v.t};
  for (const Truth& given : call.given) watched.push_back(given.v.t);
  Truth inference_tensor = false;
  for (std::size_t i = 0; i < call.given.size(); ++i)
    if (question.tensors[i].inference) inference_tensor = inference_tensor || call.given[i];
  enum class Calls : std::uint8_t { normal, outside, all };  // the simpler calls are shown first
  /// The next hole with at most that many tensors, or nothing: there is no more, or `holes.why` says why the search
  /// stopped.
  const auto next = [&](std::size_t most, Calls calls) {
    const Truth few = call.tensors <= Number(most) && Number(1) <= call.tensors;
    const Truth mode =
        (!call.inference_mode || Truth(calls == Calls::all)) && (!inference_tensor || Truth(calls != Calls::normal));
    const std::vector<Term> asked{few.v.t, mode.v.t, at_one_of(*question.layout, call, open).v.t};
    const Answer answer = solve(asked, {}, watched, resource_limit);
    ++holes.questions;
    holes.resources += answer.resources;
    holes.milliseconds += answer.milliseconds;
    if (answer.kind == Answer::Kind::unknown) holes.why = answer.why.empty() ? "unknown" : answer.why;
    if (answer.kind != Answer::Kind::satisfiable) return false;
    holes.found.push_back(hole_in(question, call, answer));
    std::erase(open, index_of(*question.layout, holes.found.back().key));
    return true;
  };
  const std::size_t all = question.tensors.size();
  for (std::size_t most = 1; most <= all && holes.why.empty(); ++most) {
    for (const Calls calls : {Calls::normal, Calls::outside, Calls::all})
      while (holes.why.empty() && next(most, calls)) {
      }
    if (most == all || !holes.why.empty()) break;
    // Is any hole left? If not, that is the proof, and the bound need not rise. If so, find the one with fewest
    // tensors.
    const std::size_t before = holes.found.size();
    const std::vector<int> left = open;
    if (!next(all, Calls::all)) break;
    holes.found.resize(before);
    open = left;
  }
  holes.complete = holes.why.empty();
  return holes;
}

}  // namespace plumbline::proofs
