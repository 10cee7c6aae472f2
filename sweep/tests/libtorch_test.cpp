// What the caller of LibTorch sees of operators: PyTorch's own, and some that lie about what they do.
#include <gtest/gtest.h>
#include <torch/library.h>
#include <torch/torch.h>

#include <set>

#include "sweep/libtorch/arguments.h"
#include "sweep/libtorch/operators.h"
#include "sweep/libtorch/perform.h"
#include "sweep/sweep.h"
#include "sweep/tests/here.h"

namespace plumbline::sweep::libtorch {
namespace {

Ingredient floats(std::vector<std::complex<double>> values) {
  const auto size = static_cast<std::int64_t>(values.size());
  return {"float32", {size}, {1}, 0, std::move(values)};
}

Experiment calling(const std::string& op, std::vector<Ingredient> tensors, nlohmann::json arguments,
                   Setting setting = Setting::normal) {
  return {op, std::move(tensors), std::move(arguments), setting, 1};
}
const nlohmann::json kFirst = {{"tensor", 0}};

TEST(SweepLibtorch, a_schema_is_taken_apart) {
  for (const Operator& op : operators()) {
    if (op.full_name() == "aten::add_.Tensor") {
      EXPECT_EQ(op.arguments[0].aliases, std::vector<std::string>{"a"});
      EXPECT_TRUE(op.arguments[0].written);
      EXPECT_FALSE(op.arguments[1].written);
      EXPECT_EQ(op.arguments[2].type, "Scalar");
      EXPECT_TRUE(op.arguments[2].keyword_only && op.arguments[2].has_default);
    }
    if (op.full_name() == "aten::index_put_") {
      EXPECT_TRUE(op.arguments[1].list && op.arguments[1].optional && op.arguments[1].is_tensor());
    }
    if (op.full_name() == "aten::split.Tensor") {
      EXPECT_EQ(op.results[0].aliases.size(), 1U);
      EXPECT_TRUE(op.gives_a_view());
    }
  }
}

TEST(SweepLibtorch, a_write_is_seen_with_its_version_and_the_tensor_that_is_returned) {
  const Observation seen = perform(calling("aten::neg_", {floats({1, 2})}, {kFirst}));
  EXPECT_EQ(seen.error, "");
  EXPECT_EQ(seen.after[0].version, seen.before[0].version + 1);
  EXPECT_NE(seen.after[0].bytes, seen.before[0].bytes);
  EXPECT_EQ(seen.results.at(0).is, 0);
}

TEST(SweepLibtorch, complex_elements_and_numbers_have_both_parts) {
  const Ingredient one{"complex64", {1}, {1}, 0, {{1, -2}}};
  EXPECT_EQ(perform(calling("aten::sgn", {one}, {kFirst})).before[0].bytes, "0000803f000000c0");
  const nlohmann::json half = {{"complex", {0, 0.5}}};
  const Observation seen = perform(calling("aten::mul.Scalar", {one}, {kFirst, half}));
  EXPECT_EQ(seen.results.at(0).facts.bytes, "0000803f0000003f");  // (1 - 2i) 0.5i = 1 + 0.5i
  const Observation whole = perform(calling("aten::mul.Scalar", {floats({1})}, {kFirst, half}));
  EXPECT_EQ(whole.results.at(0).facts.dtype, "complex64");
}

TEST(SweepLibtorch, a_view_has_its_base_and_storage) {
  const Observation seen = perform(calling("aten::select.int", {floats({1, 2})}, {kFirst, 0, 1}));
  const Facts& view = seen.results.at(0).facts;
  EXPECT_TRUE(view.is_view);
  EXPECT_EQ(view.base, 0);
  EXPECT_EQ(view.storage, seen.after[0].storage);
  EXPECT_EQ(view.offset, 1);
}

TEST(SweepLibtorch, settings_are_what_they_are_called) {
  const auto result = [](Setting setting) {
    return perform(calling("aten::neg", {floats({1})}, {kFirst}, setting)).results.at(0).facts;
  };
  EXPECT_FALSE(result(Setting::normal).inference);
  EXPECT_TRUE(result(Setting::inference).inference);
  EXPECT_TRUE(result(Setting::inference_tensors).inference);
  EXPECT_FALSE(result(Setting::escaped).inference);
  EXPECT_EQ(result(Setting::meta).device, "meta");
  EXPECT_TRUE(perform(calling("aten::neg", {floats({1})}, {kFirst}, Setting::escaped)).before[0].inference);
  EXPECT_FALSE(c10::InferenceMode::is_enabled());
  EXPECT_TRUE(c10::GradMode::is_enabled());
}

TEST(SweepLibtorch, an_error_is_an_observation) {
  const Observation seen = perform(calling("aten::select.int", {floats({1, 2})}, {kFirst, 0, 7}));
  EXPECT_EQ(seen.error_type, "IndexError");
  EXPECT_NE(seen.error.find("out of range"), std::string::npos);
}

TEST(SweepLibtorch, a_tensor_has_the_elements_strides_and_offset_that_were_asked_for) {
  const Observation seen =
      perform(calling("aten::neg", {{"int64", {2, 2}, {2, 4}, 1, {0, 1, 0, 2, 0, 3, 0, 4}}}, {kFirst}));
  EXPECT_EQ(seen.before[0].strides, (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(seen.before[0].offset, 1);
  EXPECT_EQ(seen.before[0].bytes, "0100000000000000030000000000000002000000000000000400000000000000");
  EXPECT_FALSE(seen.before[0].is_view);
}

TEST(SweepLibtorch, what_cannot_be_made_is_unsupported) {
  EXPECT_THROW(perform(calling("aten::neg", {{"int3", {}, {}, 0, {1}}}, {kFirst})), Unsupported);
  EXPECT_THROW(perform(calling("aten::neg", {floats({1})}, nlohmann::json::array())), Unsupported);
  EXPECT_THROW(perform(calling("aten::no_such_operator", {}, nlohmann::json::array())), Unsupported);
}

// Operators that lie, registered as an extension of PyTorch would register them.

at::Tensor honest(const at::Tensor& x) { return x + 1; }
at::Tensor& honest_(at::Tensor& x) { return x.add_(1); }
at::Tensor writes_its_input(const at::Tensor& x) {
  x.add_(1);
  return x + 1;
}
at::Tensor returns_its_input(const at::Tensor& x) { return x; }
at::Tensor returns_a_view(const at::Tensor& x) { return x.alias(); }
at::Tensor returns_a_copy(at::Tensor& x) { return x.add_(1).clone(); }
at::Tensor& does_not_count(at::Tensor& x) {
  x.data().add_(1);
  return x;
}
at::Tensor other_in_no_grad(const at::Tensor& x) { return c10::GradMode::is_enabled() ? x + 1 : x + 2; }
at::Tensor other_in_inference(const at::Tensor& x) { return c10::InferenceMode::is_enabled() ? x + 2 : x + 1; }
at::Tensor differs_from_call_to_call(const at::Tensor& x) {
  static int calls = 0;
  return x + ++calls;
}
at::Tensor reads_by_memory(const at::Tensor& x) { return x + (x.storage_offset() == 1 && x.numel() > 1 ? 1.0 : 0.0); }
at::Tensor raises_after_a_write(const at::Tensor& x) {
  x.add_(1);
  TORCH_CHECK(false, "too late");
}

const std::vector<Setting> kSettingsHere(std::begin(kSettings), std::end(kSettings));

/// The laws that the operator breaks. The library is there once for all tests.
std::set<std::string> broken_by(const std::string& name) {
  static torch::Library library(torch::Library::DEF, "plumbline_lies", c10::nullopt, __FILE__, __LINE__);
  static const bool defined = [] {
    library.def("honest(Tensor x) -> Tensor", honest);
    library.def("honest_(Tensor(a!) x) -> Tensor(a!)", honest_);
    library.def("writes_its_input(Tensor x) -> Tensor", writes_its_input);
    library.def("returns_its_input(Tensor x) -> Tensor", returns_its_input);
    library.def("returns_a_view(Tensor x) -> Tensor", returns_a_view);
    library.def("returns_a_copy(Tensor(a!) x) -> Tensor(a!)", returns_a_copy);
    library.def("does_not_count(Tensor(a!) x) -> Tensor(a!)", does_not_count);
    library.def("other_in_no_grad(Tensor x) -> Tensor", other_in_no_grad);
    library.def("other_in_inference(Tensor x) -> Tensor", other_in_inference);
    library.def("differs_from_call_to_call(Tensor x) -> Tensor", differs_from_call_to_call);
    library.def("reads_by_memory(Tensor x) -> Tensor", reads_by_memory);
    library.def("raises_after_a_write(Tensor x) -> Tensor", raises_after_a_write);
    return true;
  }();
  EXPECT_TRUE(defined);
  SweepOptions options;
  options.operators = {"plumbline_lies::" + name};
  const SweepReport report =
      sweep::sweep([] { return std::make_unique<Here>(Offer{"", "", kSettingsHere, operators, perform}); }, options,
                   [](std::size_t, std::size_t) {}, [] { return false; });
  std::set<std::string> laws;
  for (const Finding& finding : report.findings) laws.insert(finding.law);
  return laws;
}

using Laws = std::set<std::string>;

TEST(SweepLies, honest_operators_are_silent) {
  EXPECT_EQ(broken_by("honest"), Laws());
  EXPECT_EQ(broken_by("honest_"), Laws({"OP-06"}))
      << "the write inside is refused after it was done, as in all of PyTorch";
}
TEST(SweepLies, a_write_that_is_not_declared) { EXPECT_TRUE(broken_by("writes_its_input").contains("OP-01")); }
TEST(SweepLies, a_result_that_is_the_argument) { EXPECT_EQ(broken_by("returns_its_input"), Laws({"OP-02"})); }
TEST(SweepLies, a_view_that_is_not_declared) { EXPECT_EQ(broken_by("returns_a_view"), Laws({"OP-02"})); }
TEST(SweepLies, a_copy_that_is_declared_as_the_argument) {
  EXPECT_EQ(broken_by("returns_a_copy"), Laws({"OP-03", "OP-06"}));
}
TEST(SweepLies, a_write_without_a_version) { EXPECT_TRUE(broken_by("does_not_count").contains("OP-04")); }
TEST(SweepLies, other_elements_without_grad_mode) {
  const Laws laws = broken_by("other_in_no_grad");
  EXPECT_TRUE(laws.contains("OP-07"));
  EXPECT_FALSE(laws.contains("OP-14"));
}
TEST(SweepLies, other_elements_inside_inference_mode) { EXPECT_EQ(broken_by("other_in_inference"), Laws({"OP-08"})); }
TEST(SweepLies, elements_that_change_from_call_to_call) {
  EXPECT_EQ(broken_by("differs_from_call_to_call"), Laws({"OP-14"}));
}
TEST(SweepLies, elements_that_depend_on_the_offset) { EXPECT_EQ(broken_by("reads_by_memory"), Laws({"OP-15"})); }
TEST(SweepLies, a_write_before_an_error) { EXPECT_EQ(broken_by("raises_after_a_write"), Laws({"OP-11"})); }

}  // namespace
}  // namespace plumbline::sweep::libtorch
