// An implementation of eight operators, which keeps every law or breaks one on purpose.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "sweep/caller.h"
#include "sweep/candidates.h"

namespace plumbline::sweep::fake {

/// What it does wrong. The name of each ends with the law that it breaks.
enum class Lie : std::uint8_t {
  none,
  writes_its_input_01,
  counts_its_input_01,
  returns_its_input_02,
  shares_memory_02,
  returns_a_copy_03,
  does_not_count_04,
  writes_inference_tensors_05,
  writes_before_it_refuses_06,
  other_values_in_no_grad_07,
  other_values_in_inference_08,
  raises_in_inference_08,
  results_are_normal_09,
  views_are_inference_tensors_09,
  views_are_not_tracked_10,
  views_have_another_base_10,
  writes_before_it_raises_11,
  other_sizes_on_meta_12,
  other_dtype_on_meta_12,
  raises_on_meta_12,
  in_place_computes_another_13,
  out_has_other_sizes_13,
  values_change_14,
  reads_by_memory_15,
  writes_shared_elements_16,
  loses_writes_when_functionalized_17,
  raises_when_functionalized_17,
  other_gradients_18,
  one_example_for_all_19,
  copies_another_element_20,
  keys_of_inference_tensors_21,
  other_sizes_when_fake_22,
  copies_for_a_view_23,
};
inline constexpr std::size_t kLies = static_cast<std::size_t>(Lie::copies_for_a_view_23) + 1;

inline Parameter tensor(std::string name, std::vector<std::string> aliases = {}, bool written = false,
                        bool keyword = false) {
  return {std::move(name), "Tensor", false, false, keyword, false, std::move(aliases), written};
}

/// `twice` doubles, `twice_` and `twice.out` write that, `part` is the first element as a view, `part_copy` a copy of
/// it, `zero_` writes zeros, which `zero` returns, and `noise` adds a random number.
inline std::vector<Operator> operators() {
  const std::vector<std::string> cpu{"CPU"};
  const auto functional = [&](const std::string& name) {
    return Operator{name, "", name + "(Tensor self) -> Tensor", {tensor("self")}, {tensor("")}, cpu, {}};
  };
  return {
      functional("fake::noise"),
      {"fake::part",
       "",
       "fake::part(Tensor(a) self) -> Tensor(a)",
       {tensor("self", {"a"})},
       {tensor("", {"a"})},
       cpu,
       {}},
      functional("fake::part_copy"),
      functional("fake::twice"),
      {"fake::twice",
       "out",
       "fake::twice.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
       {tensor("self"), tensor("out", {"a"}, true, true)},
       {tensor("", {"a"}, true)},
       cpu,
       {}},
      {"fake::twice_",
       "",
       "fake::twice_(Tensor(a!) self) -> Tensor(a!)",
       {tensor("self", {"a"}, true)},
       {tensor("", {"a"}, true)},
       cpu,
       {}},
      functional("fake::zero"),
      {"fake::zero_",
       "",
       "fake::zero_(Tensor(a!) self) -> Tensor(a!)",
       {tensor("self", {"a"}, true)},
       {tensor("", {"a"}, true)},
       cpu,
       {}},
  };
}

inline Operator operator_named(const std::string& full_name) {
  const std::vector<Operator> all = operators();
  return *std::ranges::find(all, full_name, &Operator::full_name);
}

/// Elements are shown as decimal text of equal length: nothing decodes it, so it is compared to the letter.
class FakeCaller final : public Caller {
 public:
  explicit FakeCaller(Lie lie) : lie_(lie) {}

  Registered registered() override { return {"1.0", operators()}; }

  std::variant<Observation, Broken> call(const Experiment& experiment) override {
    ++calls_;
    if (experiment.setting == Setting::backward) return with_backward(experiment);
    if (experiment.setting != Setting::batched) return alone(experiment);
    Experiment second = experiment;
    if (lie_ != Lie::one_example_for_all_19)
      for (Ingredient& t : second.tensors) std::ranges::reverse(t.values);
    return batch(alone(experiment), alone(second));
  }

 private:
  Observation alone(const Experiment& experiment) {
    Observation seen;
    std::vector<std::vector<double>> elements;
    const bool inside = experiment.setting == Setting::inference_tensors || experiment.setting == Setting::escaped;
    for (const Ingredient& t : experiment.tensors) {
      elements.push_back(elements_of(t));
      Facts f = facts(t, elements.back());
      f.storage = static_cast<std::int64_t>(seen.before.size());
      f.inference = inside;
      f.version = inside ? -1 : 1;
      f.keys = keys(inside);
      seen.before.push_back(f);
    }
    seen.after = seen.before;
    if (const std::string dtype = experiment.tensors.front().dtype;
        dtype == "bool" || dtype.find("int") != std::string::npos) {
      seen.error = "not implemented for " + dtype;
      seen.error_type = "RuntimeError";
      if (lie_ == Lie::writes_before_it_raises_11) seen.after.front().bytes = "0 0";
      return seen;
    }
    run(experiment, elements, seen);
    if (lie_ == Lie::loses_writes_when_functionalized_17 && experiment.setting == Setting::functionalized)
      seen.after = seen.before;
    return seen;
  }

  static Facts together(const Facts& a, const Facts& b) {
    Facts both = a;
    both.sizes.insert(both.sizes.begin(), 2);
    both.bytes += b.bytes;
    return both;
  }

  static Observation batch(Observation first, const Observation& second) {
    for (std::size_t i = 0; i < first.after.size(); ++i) first.after[i] = together(first.after[i], second.after[i]);
    for (std::size_t i = 0; i < first.results.size(); ++i)
      first.results[i].facts = together(first.results[i].facts, second.results[i].facts);
    return first;
  }

  /// `twice` saves its argument, as if its derivative needed it; nothing else has a derivative.
  std::variant<Observation, Broken> with_backward(const Experiment& experiment) {
    if (experiment.op != "fake::twice") return Broken{Broken::Kind::unsupported, "no result requires grad"};
    Observation seen = alone(experiment);
    if (!seen.error.empty()) return seen;
    seen.gradients = seen.before;
    seen.gradients.front().bytes = "1 1";
    if (experiment.disturbed != 0) return seen;
    if (lie_ == Lie::other_gradients_18)
      seen.gradients.front().bytes = "2 2";
    else
      seen.error = "one of the variables needed for gradient computation has been modified by an inplace operation";
    return seen;
  }

  std::vector<std::string> keys(bool is_inference) const {
    if (is_inference) return {"CPU"};
    return {"CPU", "ADInplaceOrView", "AutogradCPU"};
  }

  static std::vector<double> elements_of(const Ingredient& t) {
    std::vector<double> all;
    std::vector<std::int64_t> index(t.sizes.size(), 0);
    std::int64_t count = 1;
    for (const std::int64_t size : t.sizes) count *= size;
    for (std::int64_t n = 0; n < count; ++n) {
      std::int64_t at = t.offset;
      for (std::size_t d = 0; d < index.size(); ++d) at += index[d] * t.strides[d];
      all.push_back(t.values[static_cast<std::size_t>(at)].real());
      for (std::size_t d = index.size(); d-- > 0;) {
        if (++index[d] < t.sizes[d]) break;
        index[d] = 0;
      }
    }
    return all;
  }

  static std::string text(const std::vector<double>& elements) {
    return fmt::format("{:+11.4f}", fmt::join(elements, ""));
  }

  static Facts facts(const Ingredient& t, const std::vector<double>& elements) {
    Facts f;
    f.defined = true;
    f.dtype = t.dtype;
    f.device = "cpu";
    f.sizes = t.sizes;
    f.strides = t.strides;
    f.offset = t.offset;
    f.bytes = text(elements);
    return f;
  }

  std::vector<double> doubled(const Experiment& e, std::vector<double> elements) {
    for (double& x : elements) x *= 2;
    const bool changes = (lie_ == Lie::other_values_in_no_grad_07 && e.setting == Setting::no_grad) ||
                         (lie_ == Lie::other_values_in_inference_08 && e.setting == Setting::inference) ||
                         (lie_ == Lie::in_place_computes_another_13 && e.op == "fake::twice_");
    for (double& x : elements) x += changes ? 1 : 0;
    if (lie_ == Lie::values_change_14)
      for (double& x : elements) x += static_cast<double>(calls_);
    if (lie_ == Lie::reads_by_memory_15 && !elements.empty() && e.tensors.front().offset != 0) elements.front() += 1;
    return elements;
  }

  void run(const Experiment& e, const std::vector<std::vector<double>>& elements, Observation& seen) {
    const auto fail = [&](const char* why) {
      seen.error = why;
      seen.error_type = "RuntimeError";
    };
    const bool in_mode = e.setting == Setting::inference || e.setting == Setting::inference_tensors;
    if (lie_ == Lie::raises_in_inference_08 && in_mode) return fail("not in inference mode");
    if (lie_ == Lie::raises_on_meta_12 && e.setting == Setting::meta) return fail("not on meta");
    if (lie_ == Lie::raises_when_functionalized_17 && e.setting == Setting::functionalized) return fail("not here");
    const bool writes = e.op == "fake::twice_" || e.op == "fake::twice.out" || e.op == "fake::zero_";
    const std::size_t target = e.op == "fake::twice.out" ? 1 : 0;
    std::vector<double> result = doubled(e, elements.front());
    if (e.op.starts_with("fake::zero")) std::ranges::fill(result, 0.0);
    if (e.op == "fake::noise" && !result.empty()) result.front() += static_cast<double>(e.seed);
    const auto& strides = e.tensors.front().strides;
    const bool is_shared = std::ranges::find(strides, 0) != strides.end();
    if (is_shared && e.op == "fake::twice_") {
      if (lie_ != Lie::writes_shared_elements_16) return fail("unsupported operation: elements share memory");
      for (double& x : result) x *= 2;
    }
    if (writes) {
      Facts& written = seen.after[target];
      if (e.setting == Setting::escaped && lie_ != Lie::writes_inference_tensors_05) {
        if (lie_ == Lie::writes_before_it_refuses_06) written.bytes = text(result) + "!";
        return fail("Inplace update to inference tensor outside InferenceMode is not allowed");
      }
      if (target == 1) {
        written.sizes = seen.before.front().sizes;
        written.strides = seen.before.front().strides;
        written.dtype = seen.before.front().dtype;
        if (lie_ == Lie::out_has_other_sizes_13) written.sizes.push_back(1);
      }
      written.bytes = text(result);
      if (written.version >= 0 && lie_ != Lie::does_not_count_04) ++written.version;
      seen.results.push_back({static_cast<std::int64_t>(target), "", written, 0});
      if (lie_ == Lie::returns_a_copy_03) seen.results.back().is = -1;
    } else if (e.op != "fake::part") {
      functional(e, e.op == "fake::part_copy" ? copied(elements.front()) : result, in_mode, seen);
    } else {
      part(e, elements.front(), seen);
    }
  }

  std::vector<double> copied(const std::vector<double>& elements) const {
    if (elements.empty()) return {};
    return {lie_ == Lie::copies_another_element_20 ? elements.back() + 1 : elements.front()};
  }

  void functional(const Experiment& e, const std::vector<double>& result, bool in_mode, Observation& seen) {
    if (lie_ == Lie::writes_its_input_01) seen.after.front().bytes = "0 0";
    if (lie_ == Lie::counts_its_input_01 && seen.after.front().version >= 0) ++seen.after.front().version;
    Facts made = seen.before.front();
    made.bytes = text(result);
    std::ranges::reverse(made.strides);
    if (e.op == "fake::part_copy") {
      made.sizes = {std::ssize(result)};
      made.strides = {2};
    }
    made.storage = lie_ == Lie::shares_memory_02 ? 0 : 7;
    made.inference = in_mode && lie_ != Lie::results_are_normal_09;
    made.version = made.inference ? -1 : 0;
    made.keys = keys(made.inference || lie_ == Lie::keys_of_inference_tensors_21);
    if (lie_ == Lie::other_sizes_when_fake_22 && e.setting == Setting::fake) made.sizes.push_back(3);
    if (e.setting == Setting::meta) {
      if (lie_ == Lie::other_sizes_on_meta_12) made.sizes.push_back(3);
      if (lie_ == Lie::other_dtype_on_meta_12) made.dtype = "int16";
    }
    seen.results.push_back({lie_ == Lie::returns_its_input_02 ? 0 : -1, "", made, 0});
  }

  void part(const Experiment& e, const std::vector<double>& elements, Observation& seen) {
    Facts view = seen.before.front();
    view.bytes = text({elements.begin(), elements.begin() + std::min<std::ptrdiff_t>(1, std::ssize(elements))});
    view.sizes = {static_cast<std::int64_t>(elements.empty() ? 0 : 1)};
    view.strides = {1};
    view.is_view = !view.inference && lie_ != Lie::views_are_not_tracked_10;
    view.base = view.is_view ? (lie_ == Lie::views_have_another_base_10 ? -1 : 0) : -1;
    if (lie_ == Lie::views_are_inference_tensors_09 && e.setting == Setting::inference) view.inference = true;
    view.keys = keys(view.inference);
    // Some are copies, as those of `reshape` may be.
    if (lie_ == Lie::copies_for_a_view_23 || e.tensors.front().sizes.size() > 2) {
      view.storage = 7;
      view.is_view = false;
      view.base = -1;
      view.inference = e.setting == Setting::inference || e.setting == Setting::inference_tensors;
      view.version = view.inference ? -1 : 0;
      view.keys = keys(view.inference);
    }
    seen.results.push_back({-1, "", view, 0});
  }

  Lie lie_;
  std::size_t calls_ = 0;
};

}  // namespace plumbline::sweep::fake
