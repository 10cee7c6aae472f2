// The laws that compare elements: between settings, operators, strides, seeds, examples, and of gradients.
#include <fmt/format.h>

#include <algorithm>

#include "sweep/candidates.h"
#include "sweep/judging.h"
#include "sweep/values.h"

namespace plumbline::sweep {

namespace {

/// The facts of one example of a batch of two, if its elements are shown.
std::optional<Facts> example(const Facts& batch, std::size_t which) {
  if (!batch.defined || batch.sizes.empty() || batch.sizes.front() != 2 || batch.bytes.starts_with('#'))
    return std::nullopt;
  Facts one = batch;
  one.sizes.erase(one.sizes.begin());
  const std::size_t half = batch.bytes.size() / 2;
  one.bytes = batch.bytes.substr(which * half, half);
  return one;
}

/// PyTorch functionalizes no operator of others with annotated results, and says so; 1.13 in other words.
bool is_not_functionalized(const std::string& error) {
  return error.starts_with("Found a custom (non-ATen) operator") || error.starts_with("!schema.hasAnyAliasInfo()");
}

bool any_differs(const std::vector<Facts>& a, const std::vector<Facts>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i].bytes != b[i].bytes) return true;
  return false;
}

}  // namespace

void Judging::repetition() {
  if (runs_.reseeded) told("OP-14", is_random());
  if (!runs_.again || op_.has_tag("nondeterministic_seeded") || op_.has_tag("nondeterministic_bitwise")) return;
  compare("OP-14", Setting::normal, *runs_.again, true);
  are_elements_defined_ = are_elements_defined_ && verdicts_["OP-14"].breaches.empty();
}

bool Judging::is_random() const {
  if (op_.has_tag("nondeterministic_seeded") || !runs_.reseeded) return true;
  for (std::size_t i = 0; i < std::min(runs_.reseeded->results.size(), normal_.results.size()); ++i)
    if (runs_.reseeded->results[i].facts.bytes != normal_.results[i].facts.bytes) return true;
  return any_differs(runs_.reseeded->after, normal_.after);
}

void Judging::modes() {
  for (const auto& [law, setting] : {std::pair{"OP-07", Setting::no_grad}, std::pair{"OP-08", Setting::inference},
                                     std::pair{"OP-08", Setting::inference_tensors}}) {
    const Observation* seen = at(setting);
    if (seen == nullptr || exempt(law)) continue;
    if (!seen->error.empty()) {
      held(law);
      broken(law, setting, "another error than in the normal setting", seen->error);
      continue;
    }
    for (std::size_t i = 0; i < seen->after.size(); ++i)
      if (setting == Setting::no_grad) told(law, seen->after[i].version > seen->before[i].version);
    if (setting == Setting::inference) told(law, !seen->before.empty());
    compare(law, setting, *seen, true);
  }
}

void Judging::compare(std::string_view law, Setting setting, const Observation& seen, bool to_the_bit) {
  if (!are_elements_defined_) return;
  held(law);
  if (!seen.error.empty()) return broken(law, setting, "an error", seen.error);
  if (seen.results.size() != normal_.results.size()) return broken(law, setting, "another number of results", "");
  const auto differ = [&](const Facts& a, const Facts& b) {
    return a.dtype != b.dtype || a.sizes != b.sizes || !(to_the_bit ? a.bytes == b.bytes : nearly_equal(a, b));
  };
  for (std::size_t i = 0; i < seen.results.size(); ++i) {
    const Facts& expected = normal_.results[i].facts;
    const Facts& got = seen.results[i].facts;
    if (seen.results[i].value != normal_.results[i].value || differ(expected, got))
      return broken(law, setting, "results differ",
                    fmt::format("{} -> {}", show_elements(expected), show_elements(got)));
  }
  for (std::size_t i = 0; i < seen.after.size(); ++i)
    if (differ(normal_.after[i], seen.after[i]))
      return broken(law, setting, "written elements differ",
                    fmt::format("{} -> {}", show_elements(normal_.after[i]), show_elements(seen.after[i])));
}

void Judging::other_strides() {
  if (!runs_.strided || is_random() || exempt("OP-15")) return;
  for (std::size_t i = 0; i < std::min(runs_.strided->results.size(), normal_.results.size()); ++i)
    told("OP-15", runs_.strided->results[i].facts.strides != normal_.results[i].facts.strides);
  compare("OP-15", Setting::normal, *runs_.strided, false);
}

void Judging::compare_written(std::string_view law, const Observation& expected, const Observation& seen,
                              std::string_view what, const Experiment* shown) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < written_.size(); ++i) {
    if (!written_[i]) continue;
    if (place >= expected.results.size()) return;
    const Facts& right = expected.results[place++].facts;
    const Facts& got = seen.after[i];
    if (!right.defined || right.dtype != got.dtype) continue;  // it was converted: another law
    held(law);
    if (right.sizes != got.sizes)
      broken(law, Setting::normal, fmt::format("other sizes than {}", what),
             show(right.sizes) + " -> " + show(got.sizes), shown);
    else if (!nearly_equal(right, got))
      broken(law, Setting::normal, fmt::format("other elements than {}", what),
             fmt::format("{} -> {}", show_elements(right), show_elements(got)), shown);
  }
}

void Judging::twin() {
  if (!runs_.twin || !runs_.twin->error.empty() || !are_elements_defined_) return;
  for (const Result& result : normal_.results) told("OP-13", result.is >= 0);
  compare_written("OP-13", *runs_.twin, normal_, "the functional operator gives", nullptr);
}

void Judging::shared_elements() {
  if (!runs_.overlapping || !are_elements_defined_ || is_random() || exempt("OP-16")) return;
  if (!runs_.overlapping->error.empty()) return held("OP-16");
  told("OP-16", true);
  if (!runs_.overlapping_twin || !runs_.overlapping_twin->error.empty()) return refused("OP-16");
  compare_written("OP-16", *runs_.overlapping_twin, *runs_.overlapping, "the functional operator gives",
                  &runs_.overlapping_call);
}

void Judging::functionalized() {
  const Observation* seen = at(Setting::functionalized);
  if (seen == nullptr || is_random() || exempt("OP-17")) return;
  if (!op_.name.starts_with("aten::") && is_not_functionalized(seen->error)) return refused("OP-17");
  told("OP-17", seen->error.empty() && any_differs(seen->before, seen->after));
  compare("OP-17", Setting::functionalized, *seen, false);
}

void Judging::gradients() {
  const Observation* plain = returned(Setting::backward);
  if (plain == nullptr || !are_elements_defined_ || exempt("OP-18")) return;
  for (std::size_t which = 0; which < runs_.disturbed.size(); ++which) {
    const std::optional<Observation>& seen = runs_.disturbed[which];
    if (!seen) continue;
    held("OP-18");
    told("OP-18", seen->error.empty());
    if (!seen->error.empty()) continue;
    for (std::size_t i = 0; i < std::min(plain->gradients.size(), seen->gradients.size()); ++i) {
      if (nearly_equal(plain->gradients[i], seen->gradients[i])) continue;
      Experiment shown = runs_.normal;
      shown.disturbed = static_cast<std::int64_t>(which);
      const bool is_argument = which < written_.size();
      broken("OP-18", Setting::backward,
             fmt::format("a gradient changes without an error after a write to {}",
                         is_argument ? "an argument" : "a result"),
             fmt::format("of {} after a write to {}: {} -> {}", argument_of(i),
                         is_argument ? argument_of(which) : fmt::format("result {}", which - written_.size()),
                         show_elements(plain->gradients[i]), show_elements(seen->gradients[i])),
             &shown);
      return;
    }
  }
}

void Judging::examples() {
  const Observation* seen = at(Setting::batched);
  if (seen == nullptr || !are_elements_defined_ || is_random() || exempt("OP-19")) return;
  if (!runs_.reversed || !runs_.reversed->error.empty()) return;
  if (!seen->error.empty()) return refused("OP-19");
  held("OP-19");
  const Observation* alone[] = {&normal_, &*runs_.reversed};
  for (std::size_t which = 0; which < 2; ++which) {
    const auto check = [&](const Facts& batch, const Facts& expected, std::string_view what) {
      const auto got = example(batch, which);
      if (!got || !expected.defined) return true;
      if (got->dtype == expected.dtype && got->sizes == expected.sizes && nearly_equal(expected, *got)) return true;
      broken("OP-19", Setting::batched, fmt::format("other {} than for the example alone", what),
             fmt::format("example {}: {} {} -> {} {}", which, show(expected.sizes), show_elements(expected),
                         show(got->sizes), show_elements(*got)));
      return false;
    };
    if (seen->results.size() != alone[which]->results.size())
      return broken("OP-19", Setting::batched, "another number of results than for the example alone", "");
    for (std::size_t i = 0; i < seen->results.size(); ++i) {
      told("OP-19", which == 1 && normal_.results[i].facts.bytes != runs_.reversed->results[i].facts.bytes);
      if (!check(seen->results[i].facts, alone[which]->results[i].facts, "results")) return;
    }
    for (std::size_t i = 0; i < seen->after.size(); ++i)
      if (!check(seen->after[i], alone[which]->after[i], "written elements")) return;
  }
}

void Judging::copied_view() {
  if (!runs_.viewed || !runs_.viewed->error.empty() || exempt("OP-20")) return;
  held("OP-20");
  const auto& views = runs_.viewed->results;
  if (views.size() != normal_.results.size())
    return broken("OP-20", Setting::normal, "another number of results than the view has", "");
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Facts& expected = views[i].facts;
    const Facts& got = normal_.results[i].facts;
    told("OP-20", expected.strides != got.strides);
    if (expected.dtype != got.dtype || expected.sizes != got.sizes || expected.bytes != got.bytes)
      return broken("OP-20", Setting::normal, "other elements than the view has",
                    fmt::format("{} {} -> {} {}", show(expected.sizes), show_elements(expected), show(got.sizes),
                                show_elements(got)));
  }
}

}  // namespace plumbline::sweep
