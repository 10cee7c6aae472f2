// Each law that a schema or inference mode states is a function of what was seen; none knows what an operator computes.
#include "sweep/judge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "sweep/candidates.h"
#include "sweep/judging.h"
#include "sweep/values.h"

namespace plumbline::sweep {

namespace {

/// The name of the argument that holds this made tensor.
std::string argument_name(const Operator& op, const Experiment& experiment, std::size_t tensor) {
  for (std::size_t i = 0; i < op.arguments.size(); ++i)
    if (const auto all = tensors_of(experiment.arguments[i]); std::ranges::find(all, tensor) != all.end())
      return op.arguments[i].name;
  return "?";
}

/// Strides of dimensions that address something.
bool same_strides(const Facts& a, const Facts& b) {
  if (std::ranges::find(a.sizes, 0) != a.sizes.end()) return true;
  for (std::size_t d = 0; d < std::min(a.strides.size(), b.strides.size()); ++d)
    if (a.sizes[d] > 1 && a.strides[d] != b.strides[d]) return false;
  return true;
}

/// It is sparse or quantized: no new tensor here is.
bool has_another_backend(const Facts& f) {
  return f.dtype.find(',') != std::string::npos ||
         std::ranges::any_of(f.keys, [](const std::string& key) { return key.starts_with("Quantized"); });
}

bool is_row_major(const Facts& f) {
  Facts rows = f;
  std::int64_t step = 1;
  for (std::size_t d = f.sizes.size(); d-- > 0; step *= std::max<std::int64_t>(f.sizes[d], 1))
    if (d < rows.strides.size()) rows.strides[d] = step;
  return same_strides(f, rows);
}

}  // namespace

std::string show(const std::vector<std::int64_t>& list) { return fmt::format("[{}]", fmt::join(list, ", ")); }

/// What differs between two states of one tensor; empty: nothing.
std::pair<std::string, std::string> change(const Facts& before, const Facts& after) {
  if (before.bytes != after.bytes) return {"elements", show_elements(before) + " -> " + show_elements(after)};
  if (before.sizes != after.sizes) return {"sizes", show(before.sizes) + " -> " + show(after.sizes)};
  if (before.strides != after.strides) return {"strides", show(before.strides) + " -> " + show(after.strides)};
  if (before.version != after.version) return {"version", fmt::format("{} -> {}", before.version, after.version)};
  if (before.dtype != after.dtype) return {"dtype", before.dtype + " -> " + after.dtype};
  if (before.storage != after.storage) return {"storage", "another storage"};
  if (before.requires_grad != after.requires_grad)
    return {"requires_grad", before.requires_grad ? "it is off now" : "it is on now"};
  return {};
}

Judging::Judging(const Operator& op, const Runs& runs)
    : op_(op),
      runs_(runs),
      normal_(runs.seen.at(Setting::normal)),
      written_(written_tensors(op, runs.normal)),
      are_elements_defined_(!is_exempt("elements", op)) {
  for (const Law& law : laws()) verdicts_[law.id()];
}

std::vector<Judged> Judging::all() {
  for (const Setting setting : {Setting::normal, Setting::no_grad, Setting::inference}) unwritten_arguments(setting);
  fresh_results();
  written_results();
  for (const Setting setting : {Setting::normal, Setting::inference}) versions(setting);
  refusals();
  repetition();
  modes();
  inference_bits();
  views();
  metadata("OP-12", Setting::meta);
  metadata("OP-22", Setting::fake);
  twin();
  other_strides();
  shared_elements();
  functionalized();
  gradients();
  examples();
  copied_view();
  keys();
  std::vector<Judged> judged;
  for (const Law& law : laws()) judged.push_back(std::move(verdicts_[law.id()]));
  return judged;
}

const Observation* Judging::at(Setting setting) const {
  const auto found = runs_.seen.find(setting);
  return found == runs_.seen.end() ? nullptr : &found->second;
}

const Observation* Judging::returned(Setting setting) const {
  const Observation* seen = at(setting);
  return seen == nullptr || !seen->error.empty() ? nullptr : seen;
}

void Judging::broken(std::string_view law, Setting setting, std::string what, std::string detail,
                     const Experiment* shown) {
  Breach breach{law, setting, std::move(what), std::move(detail), std::nullopt};
  if (shown != nullptr) breach.shown = *shown;
  verdicts_[law].breaches.push_back(std::move(breach));
}

std::string Judging::argument_of(std::size_t tensor) const { return argument_name(op_, runs_.normal, tensor); }

void Judging::unwritten_arguments(Setting setting) {
  const Observation* seen = returned(setting);
  if (seen == nullptr) return;
  for (std::size_t i = 0; i < written_.size(); ++i) {
    const auto [what, detail] = change(seen->before[i], seen->after[i]);
    if (written_[i]) {
      told("OP-01", !what.empty());
      continue;
    }
    held("OP-01");
    if (!what.empty())
      broken("OP-01", setting, what + " of an argument that is not annotated", argument_of(i) + ": " + detail);
  }
}

void Judging::fresh_results() {
  if (exempt("OP-02")) return;
  for (const Result& result : normal_.results) {
    if (result.place >= op_.results.size() || !result.facts.defined) continue;
    const bool annotated = !op_.results[result.place].aliases.empty();
    if (!annotated) held("OP-02");
    for (std::size_t i = 0; i < normal_.after.size(); ++i) {
      const bool shares =
          result.facts.storage >= 0 && result.facts.storage == normal_.after[i].storage && !result.facts.bytes.empty();
      if (annotated) told("OP-02", shares);
      if (!annotated && (shares || result.is == static_cast<std::int64_t>(i)))
        broken("OP-02", Setting::normal,
               result.is >= 0 ? "a result is an argument" : "a result shares memory with an argument",
               fmt::format("result {} and {}", result.place, argument_of(i)));
    }
  }
}

void Judging::written_results() {
  for (const Result& result : normal_.results) {
    if (result.place >= op_.results.size() || !op_.results[result.place].written) continue;
    for (std::size_t i = 0; i < op_.arguments.size(); ++i) {
      if (op_.arguments[i].aliases != op_.results[result.place].aliases || op_.arguments[i].list) continue;
      const auto tensors = tensors_of(runs_.normal.arguments[i]);
      if (tensors.empty()) continue;
      held("OP-03");
      const bool same = result.is == static_cast<std::int64_t>(tensors.front());
      told("OP-03", same);
      if (!same) broken("OP-03", Setting::normal, "the result is another tensor", "not " + op_.arguments[i].name);
    }
  }
}

void Judging::versions(Setting setting) {
  const Observation* seen = returned(setting);
  if (seen == nullptr || exempt("OP-04")) return;
  for (std::size_t i = 0; i < written_.size(); ++i) {
    if (seen->before[i].version < 0) continue;
    const bool rises = seen->after[i].version > seen->before[i].version;
    if (!written_[i]) told("OP-04", !rises);
    if (!written_[i] || seen->before[i].bytes == seen->after[i].bytes) continue;
    held("OP-04");
    if (!rises)
      broken("OP-04", setting, "what is written keeps its version",
             fmt::format("{}: version {}", argument_of(i), seen->after[i].version));
  }
}

void Judging::refusals() {
  const Observation* seen = at(Setting::escaped);
  if (seen == nullptr) return;
  if (std::ranges::find(written_, true) == written_.end()) {
    told("OP-05", seen->error.empty() && !written_.empty());
    return;
  }
  if (seen->error.empty()) {
    for (std::size_t i = 0; i < written_.size() && !exempt("OP-05"); ++i) {
      const auto [what, detail] = change(seen->before[i], seen->after[i]);
      if (what != "elements" && what != "sizes") continue;
      held("OP-05");
      broken("OP-05", Setting::escaped, what + " changed without an error", argument_of(i) + ": " + detail);
    }
    return;
  }
  held("OP-05");
  held("OP-06");
  for (std::size_t i = 0; i < written_.size(); ++i) {
    const auto [what, detail] = change(seen->before[i], seen->after[i]);
    if (written_[i]) told("OP-06", what.empty());
    if (!what.empty())
      broken("OP-06", Setting::escaped, what + " changed although it was refused", argument_of(i) + ": " + detail);
  }
}

void Judging::inference_bits() {
  for (const Setting setting : {Setting::inference, Setting::inference_tensors}) {
    const Observation* seen = returned(setting);
    if (seen == nullptr) continue;
    for (const Result& result : seen->results) {
      if (!result.facts.defined || result.is >= 0) continue;
      const auto shares = [&](const Facts& made) { return made.storage >= 0 && made.storage == result.facts.storage; };
      const bool aliases = std::ranges::any_of(seen->after, shares);
      const bool annotated = result.place < op_.results.size() && !op_.results[result.place].aliases.empty();
      if (aliases && !annotated) continue;  // OP-02's
      const bool expected = !(aliases && setting == Setting::inference);
      held("OP-09");
      told("OP-09", !result.facts.inference);
      if (result.facts.inference != expected)
        broken("OP-09", setting,
               expected ? "a new result is a normal tensor" : "a view of a normal tensor is an inference tensor",
               fmt::format("result {}", result.place));
    }
  }
}

void Judging::views() {
  if (exempt("OP-10")) return;
  for (const Result& result : normal_.results) {
    if (result.is >= 0 || !result.facts.defined || result.facts.storage < 0) continue;
    if (result.place >= op_.results.size() || op_.results[result.place].aliases.empty() ||
        op_.results[result.place].written)
      continue;  // OP-02's and OP-03's
    for (std::size_t i = 0; i < normal_.after.size(); ++i) {
      if (normal_.after[i].storage != result.facts.storage) continue;
      held("OP-10");
      told("OP-10", result.facts.is_view);
      if (!result.facts.is_view)
        broken("OP-10", Setting::normal, "a view that is not tracked", "result of " + argument_of(i));
      else if (result.facts.base != static_cast<std::int64_t>(i))
        broken("OP-10", Setting::normal, "a view with another base", "result of " + argument_of(i));
    }
  }
}

void Judging::metadata(std::string_view law, Setting setting) {
  const Observation* seen = at(setting);
  if (seen == nullptr || exempt(law)) return;
  if (seen->error_type == "NotImplementedError" || seen->error.find("no meta kernel") != std::string::npos)
    return refused(law);
  held(law);
  if (!seen->error.empty())
    return broken(law, setting, setting == Setting::meta ? "an error on meta alone" : "an error on fake tensors alone",
                  seen->error);
  for (std::size_t i = 0; i < std::min(seen->results.size(), normal_.results.size()); ++i) {
    const Facts& cpu = normal_.results[i].facts;
    const Facts& other = seen->results[i].facts;
    if (!cpu.defined || !other.defined) continue;
    if (cpu.dtype != other.dtype) return broken(law, setting, "another dtype", cpu.dtype + " -> " + other.dtype);
    if (cpu.sizes != other.sizes)
      return broken(law, setting, "other sizes", show(cpu.sizes) + " -> " + show(other.sizes));
    told(law, !is_row_major(other));
    if (!same_strides(cpu, other))
      return broken(law, setting, "other strides", show(cpu.strides) + " -> " + show(other.strides));
  }
}

void Judging::keys() {
  if (exempt("OP-21")) return;
  const auto kept = [](const Facts& f) {
    std::vector<std::string> keys = f.keys;
    std::erase_if(keys, [](const std::string& key) { return key == "Conjugate" || key == "Negative"; });
    return keys;
  };
  std::map<std::pair<std::string, bool>, std::vector<std::string>> of_new;  // by device and inference bit
  for (const Setting setting : {Setting::normal, Setting::inference_tensors})
    if (const Observation* seen = at(setting); seen != nullptr)
      for (const Facts& made : seen->before) of_new[{made.device, made.inference}] = kept(made);
  for (const Setting setting : {Setting::normal, Setting::no_grad, Setting::inference, Setting::inference_tensors}) {
    const Observation* seen = returned(setting);
    if (seen == nullptr) continue;
    for (const Result& result : seen->results) {
      if (!result.facts.defined || result.is >= 0 || exempt("OP-21") || has_another_backend(result.facts)) continue;
      const auto expected = of_new.find({result.facts.device, result.facts.inference});
      if (expected == of_new.end()) continue;
      held("OP-21");
      told("OP-21", kept(result.facts) != kept(seen->before.front()));
      if (kept(result.facts) != expected->second)
        broken("OP-21", setting, "other dispatch keys",
               fmt::format("{} -> {}", fmt::join(expected->second, ", "), fmt::join(kept(result.facts), ", ")));
    }
  }
}

std::vector<Judged> judge(const Operator& op, const Runs& runs) { return Judging(op, runs).all(); }

void count_aliases(const Operator& op, const Observation& normal, Aliases& counts) {
  for (const Result& result : normal.results) {
    if (result.place >= op.results.size() || result.facts.bytes.empty()) continue;
    if (op.results[result.place].aliases.empty() || op.results[result.place].written) continue;
    const auto shares = [&](const Facts& made) { return made.storage >= 0 && made.storage == result.facts.storage; };
    ++(std::ranges::any_of(normal.after, shares) ? counts.shared : counts.copied);
  }
}

Judged judge_aliases(const Aliases& counts) {
  Judged judged;
  if (counts.copied + counts.shared == 0) return judged;
  judged.cases = 1;
  judged.told = counts.shared > 0 && counts.copied > 0 ? 1 : 0;
  if (counts.shared == 0)
    judged.breaches.push_back({"OP-23", Setting::normal, "a result that is annotated as an alias is a copy each time",
                               fmt::format("of {} results", counts.copied), std::nullopt});
  return judged;
}

Judged judge_refusal(const Operator& op, const Experiment& experiment, const Observation& seen) {
  Judged judged;
  if (seen.error.empty()) return judged;
  judged.cases = 1;
  const std::vector<bool> written = written_tensors(op, experiment);
  for (std::size_t i = 0; i < seen.before.size(); ++i) {
    if (written[i] && seen.before[i].version == seen.after[i].version) judged.told = 1;
    const auto [what, detail] = change(seen.before[i], seen.after[i]);
    if (what.empty()) continue;
    judged.breaches.push_back({"OP-11", experiment.setting, what + " changed although it raised",
                               fmt::format("{}: {}; {}", argument_name(op, experiment, i), detail, seen.error),
                               std::nullopt});
  }
  return judged;
}

}  // namespace plumbline::sweep
