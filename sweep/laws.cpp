// Each law is a function of what was seen; none knows what an operator computes.
#include "sweep/laws.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "support/glob.h"
#include "sweep/candidates.h"
#include "sweep/values.h"

namespace plumbline::sweep {

namespace {

constexpr std::string_view kSchemas =
    "aten/src/ATen/native/README.md, 'Annotations': an alias annotation says what a result may alias, and `!` what is "
    "written";
constexpr std::string_view kRfc = "RFC-0011, 'Inference tensor' and 'Inference mode'";

constexpr std::array kLaws{
    Law{"OP-01",
        "An argument that the schema does not annotate as written keeps its elements, its geometry and its version.",
        kSchemas, Severity::immutability},
    Law{"OP-02", "A result without an annotation shares memory with no argument.", kSchemas, Severity::aliasing},
    Law{"OP-03", "A result that is annotated as written is the argument with the same annotation, and no other tensor.",
        kSchemas, Severity::aliasing},
    Law{"OP-04", "A call that changes the elements of an argument raises its version.",
        "torch/csrc/autograd/VariableTypeManual.cpp and ADInplaceOrViewTypeEverything.cpp: increment_version after a "
        "write",
        Severity::metadata},
    Law{"OP-05", "A call outside inference mode that changes an inference tensor raises an error.", kRfc,
        Severity::wrong_error},
    Law{"OP-06", "A write to an inference tensor that is refused changes nothing.", kRfc, Severity::immutability},
    Law{"OP-07", "With grad mode off, a call gives the same elements and the same errors.",
        "torch.no_grad: it only turns recording off", Severity::silent_value},
    Law{"OP-08", "Inside inference mode, a call gives the same elements and raises no other error.", kRfc,
        Severity::silent_value},
    Law{"OP-09",
        "Inside inference mode, new results are inference tensors, and results that alias a normal tensor are normal.",
        kRfc, Severity::metadata},
    Law{"OP-10", "A result that shares memory with an argument is that argument, or a view of it that autograd tracks.",
        "torch/csrc/autograd/VariableTypeUtils.h, as_view", Severity::metadata},
    Law{"OP-11", "A call that raises an error changes no tensor.",
        "an error's caller goes on with the tensors that it had", Severity::immutability},
    Law{"OP-12",
        "On the device meta, results have the dtype, sizes and strides that they have on the CPU, and the same errors.",
        "torch/_subclasses/meta_utils.py and tools/codegen: a meta kernel computes everything but elements",
        Severity::metadata},
    Law{"OP-13", "A call that writes gives the written tensor what the functional operator of this name returns.",
        "aten/src/ATen/native/README.md, 'func': the variants `add`, `add_` and `add.out` compute the same",
        Severity::silent_value},
    Law{"OP-14", "The same call on equal tensors gives equal elements, unless a tag says otherwise.",
        "aten/src/ATen/native/tags.yaml: nondeterministic_seeded, nondeterministic_bitwise", Severity::silent_value},
    Law{"OP-15", "Elements do not depend on the strides and offsets of the arguments.",
        "a tensor's elements are those at its indices, wherever they lie", Severity::silent_value},
};

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

/// The name of the argument that holds this made tensor.
std::string argument_of(const Operator& op, const Experiment& experiment, std::size_t tensor) {
  for (std::size_t i = 0; i < op.arguments.size(); ++i)
    if (const auto all = tensors_of(experiment.arguments[i]); std::ranges::find(all, tensor) != all.end())
      return op.arguments[i].name;
  return "?";
}

constexpr std::string_view kFree = "its elements are whatever the memory held";
constexpr std::string_view kByDesign = "`x.data = y` exchanges what x is, and is no write (VER-14)";
constexpr std::array kExemptions{
    Exemption{"OP-04", "aten::set_data", kByDesign},
    Exemption{"OP-05", "aten::set_data", kByDesign},
    Exemption{"OP-08", "aten::_version", "an inference tensor has no version, and says so (RFC-0011)"},
    Exemption{"OP-08", "aten::is_inference", "it reads what the mode changes"},
    Exemption{"OP-10", "aten::detach", "its result shares memory and version, and is no view that autograd tracks"},
    Exemption{"OP-15", "aten::as_strided*", "its caller says where the elements lie"},
    Exemption{"OP-15", "aten::set*", "its caller says where the elements lie"},
    Exemption{"OP-15", "aten::is_contiguous*", "it reads strides"},
    Exemption{"OP-15", "aten::stride*", "it reads strides"},
    Exemption{"OP-15", "aten::sym_stride*", "it reads strides"},
    Exemption{"elements", "aten::empty*", kFree},
    Exemption{"elements", "aten::new_empty*", kFree},
    Exemption{"elements", "aten::_empty*", kFree},
    Exemption{"elements", "aten::resize*", kFree},
    Exemption{"elements", "aten::_resize*", kFree},
};

bool is_exempt(std::string_view law, const Operator& op) {
  return std::ranges::any_of(
      kExemptions, [&](const Exemption& one) { return one.law == law && fits_glob(op.full_name(), one.operators); });
}

class Judging {
 public:
  Judging(const Operator& op, const Runs& runs) : op_(op), runs_(runs), normal_(runs.seen.at(Setting::normal)) {
    for (const Law& law : kLaws) verdicts_[law.id];
  }

  std::vector<Judged> all() {
    const std::vector<bool> written = written_tensors(op_, runs_.normal);
    for (const Setting setting : {Setting::normal, Setting::no_grad, Setting::inference})
      if (const Observation* seen = at(setting); seen != nullptr && seen->error.empty())
        inputs_stay(setting, *seen, written);
    fresh_results();
    written_results();
    for (const Setting setting : {Setting::normal, Setting::inference})
      if (const Observation* seen = at(setting); seen != nullptr && seen->error.empty())
        versions_rise(setting, *seen, written);
    refusals(written);
    repetition();
    same_elements("OP-07", Setting::no_grad);
    same_elements("OP-08", Setting::inference);
    same_elements("OP-08", Setting::inference_tensors);
    inference_bits();
    views();
    meta();
    twin(written);
    if (runs_.strided && !is_random() && !is_exempt("OP-15", op_))
      compare("OP-15", Setting::normal, *runs_.strided, false);
    std::vector<Judged> judged;
    for (const Law& law : kLaws) judged.push_back(std::move(verdicts_[law.id]));
    return judged;
  }

 private:
  const Observation* at(Setting setting) const {
    const auto found = runs_.seen.find(setting);
    return found == runs_.seen.end() ? nullptr : &found->second;
  }
  void held(std::string_view law) { ++verdicts_[law].cases; }
  void broken(std::string_view law, Setting setting, std::string what, std::string detail) {
    verdicts_[law].breaches.push_back({law, setting, std::move(what), std::move(detail)});
  }
  std::string argument_of(std::size_t tensor) const { return sweep::argument_of(op_, runs_.normal, tensor); }

  void inputs_stay(Setting setting, const Observation& seen, const std::vector<bool>& written) {
    for (std::size_t i = 0; i < written.size(); ++i) {
      if (written[i]) continue;
      held("OP-01");
      const auto [what, detail] = change(seen.before[i], seen.after[i]);
      if (!what.empty())
        broken("OP-01", setting, what + " of an argument that is not annotated", argument_of(i) + ": " + detail);
    }
  }

  void fresh_results() {
    for (const Result& result : normal_.results) {
      if (result.place >= op_.results.size() || !op_.results[result.place].aliases.empty() || !result.facts.defined)
        continue;
      held("OP-02");
      for (std::size_t i = 0; i < normal_.after.size(); ++i)
        if (result.is == static_cast<std::int64_t>(i) ||
            (result.facts.storage >= 0 && result.facts.storage == normal_.after[i].storage &&
             !result.facts.bytes.empty()))
          broken("OP-02", Setting::normal,
                 result.is >= 0 ? "a result is an argument" : "a result shares memory with an argument",
                 fmt::format("result {} and {}", result.place, argument_of(i)));
    }
  }

  void written_results() {
    for (const Result& result : normal_.results) {
      if (result.place >= op_.results.size() || !op_.results[result.place].written) continue;
      for (std::size_t i = 0; i < op_.arguments.size(); ++i) {
        if (op_.arguments[i].aliases != op_.results[result.place].aliases || op_.arguments[i].list) continue;
        const auto tensors = tensors_of(runs_.normal.arguments[i]);
        if (tensors.empty()) continue;
        held("OP-03");
        if (result.is != static_cast<std::int64_t>(tensors.front()))
          broken("OP-03", Setting::normal, "the result is another tensor", "not " + op_.arguments[i].name);
      }
    }
  }

  void versions_rise(Setting setting, const Observation& seen, const std::vector<bool>& written) {
    for (std::size_t i = 0; i < written.size() && !is_exempt("OP-04", op_); ++i) {
      if (!written[i] || seen.before[i].version < 0) continue;
      if (seen.before[i].bytes == seen.after[i].bytes) continue;
      held("OP-04");
      if (seen.after[i].version <= seen.before[i].version)
        broken("OP-04", setting, "what is written keeps its version",
               fmt::format("{}: version {}", argument_of(i), seen.after[i].version));
    }
  }

  void refusals(const std::vector<bool>& written) {
    const Observation* seen = at(Setting::escaped);
    if (seen == nullptr || std::ranges::find(written, true) == written.end()) return;
    if (seen->error.empty()) {
      for (std::size_t i = 0; i < written.size() && !is_exempt("OP-05", op_); ++i) {
        const auto [what, detail] = change(seen->before[i], seen->after[i]);
        if (what != "elements" && what != "sizes") continue;
        held("OP-05");
        broken("OP-05", Setting::escaped, what + " changed without an error", argument_of(i) + ": " + detail);
      }
      return;
    }
    held("OP-05");
    held("OP-06");
    for (std::size_t i = 0; i < written.size(); ++i)
      if (const auto [what, detail] = change(seen->before[i], seen->after[i]); !what.empty())
        broken("OP-06", Setting::escaped, what + " changed although it was refused", argument_of(i) + ": " + detail);
  }

  /// If elements differ from call to call, no other law compares them.
  void repetition() {
    are_elements_defined_ = !is_exempt("elements", op_);
    if (!runs_.again || op_.has_tag("nondeterministic_seeded") || op_.has_tag("nondeterministic_bitwise")) return;
    compare("OP-14", Setting::normal, *runs_.again, true);
    are_elements_defined_ = are_elements_defined_ && verdicts_["OP-14"].breaches.empty();
  }

  /// Whether another seed gives other elements: which element gets which number depends on strides.
  bool is_random() const {
    if (op_.has_tag("nondeterministic_seeded") || !runs_.reseeded) return true;
    const auto differ = [](const Facts& a, const Facts& b) { return a.bytes != b.bytes; };
    for (std::size_t i = 0; i < std::min(runs_.reseeded->results.size(), normal_.results.size()); ++i)
      if (differ(runs_.reseeded->results[i].facts, normal_.results[i].facts)) return true;
    for (std::size_t i = 0; i < std::min(runs_.reseeded->after.size(), normal_.after.size()); ++i)
      if (differ(runs_.reseeded->after[i], normal_.after[i])) return true;
    return false;
  }

  void same_elements(std::string_view law, Setting setting) {
    const Observation* seen = at(setting);
    if (seen == nullptr || is_exempt(law, op_)) return;
    if (!seen->error.empty()) {
      held(law);
      return broken(law, setting, "another error than in the normal setting", seen->error);
    }
    compare(law, setting, *seen, true);
  }

  /// `seen` has the elements and sizes of the normal run.
  void compare(std::string_view law, Setting setting, const Observation& seen, bool to_the_bit) {
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

  void inference_bits() {
    for (const Setting setting : {Setting::inference, Setting::inference_tensors}) {
      const Observation* seen = at(setting);
      if (seen == nullptr || !seen->error.empty()) continue;
      for (const Result& result : seen->results) {
        if (!result.facts.defined || result.is >= 0) continue;
        const auto shares = [&](const Facts& made) {
          return made.storage >= 0 && made.storage == result.facts.storage;
        };
        const bool aliases = std::ranges::any_of(seen->after, shares);
        const bool annotated = result.place < op_.results.size() && !op_.results[result.place].aliases.empty();
        if (aliases && !annotated) continue;  // OP-02's
        const bool expected = !(aliases && setting == Setting::inference);
        held("OP-09");
        if (result.facts.inference != expected)
          broken("OP-09", setting,
                 expected ? "a new result is a normal tensor" : "a view of a normal tensor is an inference tensor",
                 fmt::format("result {}", result.place));
      }
    }
  }

  void views() {
    for (const Result& result : normal_.results) {
      if (result.is >= 0 || !result.facts.defined || result.facts.storage < 0 || is_exempt("OP-10", op_)) continue;
      if (result.place >= op_.results.size() || op_.results[result.place].aliases.empty() ||
          op_.results[result.place].written)
        continue;  // OP-02's and OP-03's
      for (std::size_t i = 0; i < normal_.after.size(); ++i) {
        if (normal_.after[i].storage != result.facts.storage) continue;
        held("OP-10");
        if (!result.facts.is_view)
          broken("OP-10", Setting::normal, "a view that is not tracked", "result of " + argument_of(i));
        else if (result.facts.base != static_cast<std::int64_t>(i))
          broken("OP-10", Setting::normal, "a view with another base", "result of " + argument_of(i));
      }
    }
  }

  void meta() {
    const Observation* seen = at(Setting::meta);
    if (seen == nullptr || seen->error_type == "NotImplementedError") return;
    held("OP-12");
    if (!seen->error.empty()) return broken("OP-12", Setting::meta, "an error on meta alone", seen->error);
    for (std::size_t i = 0; i < std::min(seen->results.size(), normal_.results.size()); ++i) {
      const Facts& cpu = normal_.results[i].facts;
      const Facts& meta = seen->results[i].facts;
      if (!cpu.defined || !meta.defined) continue;
      if (cpu.dtype != meta.dtype)
        return broken("OP-12", Setting::meta, "another dtype", cpu.dtype + " -> " + meta.dtype);
      if (cpu.sizes != meta.sizes)
        return broken("OP-12", Setting::meta, "other sizes", show(cpu.sizes) + " -> " + show(meta.sizes));
      if (!same_strides(cpu, meta))
        return broken("OP-12", Setting::meta, "other strides", show(cpu.strides) + " -> " + show(meta.strides));
    }
  }

  /// Strides of dimensions that address something.
  static bool same_strides(const Facts& a, const Facts& b) {
    if (std::ranges::find(a.sizes, 0) != a.sizes.end()) return true;
    for (std::size_t d = 0; d < std::min(a.strides.size(), b.strides.size()); ++d)
      if (a.sizes[d] > 1 && a.strides[d] != b.strides[d]) return false;
    return true;
  }

  void twin(const std::vector<bool>& written) {
    if (!runs_.twin || !runs_.twin->error.empty() || !are_elements_defined_) return;
    std::size_t place = 0;
    for (std::size_t i = 0; i < written.size(); ++i) {
      if (!written[i]) continue;
      if (place >= runs_.twin->results.size()) return;
      const Facts& expected = runs_.twin->results[place++].facts;
      const Facts& got = normal_.after[i];
      if (!expected.defined || expected.dtype != got.dtype) continue;  // it was converted: another law
      held("OP-13");
      if (expected.sizes != got.sizes)
        broken("OP-13", Setting::normal, "other sizes than the functional operator gives",
               show(expected.sizes) + " -> " + show(got.sizes));
      else if (!nearly_equal(expected, got))
        broken("OP-13", Setting::normal, "other elements than the functional operator gives",
               fmt::format("{} -> {}", show_elements(expected), show_elements(got)));
    }
  }

  const Operator& op_;
  const Runs& runs_;
  const Observation& normal_;
  std::map<std::string_view, Judged> verdicts_;
  bool are_elements_defined_ = true;  ///< they are the same in each call
};

}  // namespace

std::span<const Law> laws() { return kLaws; }
std::span<const Exemption> exemptions() { return kExemptions; }

const Law* law_named(std::string_view id) {
  const auto found = std::ranges::find(kLaws, id, &Law::id);
  return found == kLaws.end() ? nullptr : &*found;
}

std::vector<Judged> judge(const Operator& op, const Runs& runs) { return Judging(op, runs).all(); }

Judged judge_refusal(const Operator& op, const Experiment& experiment, const Observation& seen) {
  Judged judged;
  if (seen.error.empty()) return judged;
  judged.cases = 1;
  for (std::size_t i = 0; i < seen.before.size(); ++i) {
    const auto [what, detail] = change(seen.before[i], seen.after[i]);
    if (what.empty()) continue;
    judged.breaches.push_back({"OP-11", experiment.setting, what + " changed although it raised",
                               fmt::format("{}: {}; {}", argument_of(op, experiment, i), detail, seen.error)});
  }
  return judged;
}

}  // namespace plumbline::sweep
