// What the caller of the optimized runtime sees of operators, of a kernel with a planted fault too.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "optimized/ops.h"
#include "sweep/optimized/operators.h"
#include "sweep/optimized/perform.h"
#include "sweep/sweep.h"
#include "sweep/tests/here.h"

namespace plumbline::sweep::optimized {
namespace {

Ingredient floats(const std::vector<double>& values) {
  const auto size = static_cast<std::int64_t>(values.size());
  return {"float32", {size}, {1}, 0, {values.begin(), values.end()}};
}

const nlohmann::json kFirst = {{"tensor", 0}}, kSecond = {{"tensor", 1}};

Experiment calling(const std::string& op, std::vector<Ingredient> tensors, nlohmann::json arguments,
                   Setting setting = Setting::normal) {
  return {op, std::move(tensors), std::move(arguments), setting, 1};
}
Experiment negating(Setting setting) { return calling("aten::neg", {floats({1, 2})}, {kFirst}, setting); }

Operator named(const std::string& full_name) {
  for (Operator& op : operators())
    if (op.full_name() == full_name) return op;
  throw std::runtime_error("no " + full_name);
}

TEST(SweepOptimized, an_entry_of_the_table_is_an_operator_with_its_annotations) {
  EXPECT_EQ(operators().size(), op_table().size());
  const Operator add = named("aten::add_.Tensor");
  EXPECT_TRUE(add.is_in_place());
  EXPECT_EQ(add.results.at(0).aliases, add.arguments.at(0).aliases);
  EXPECT_TRUE(add.results.at(0).written && add.arguments.at(2).keyword_only && add.arguments.at(2).has_default);
  const Operator split = named("aten::split.Tensor");
  EXPECT_TRUE(split.gives_a_view() && split.results.at(0).list);
  EXPECT_TRUE(named("aten::add.out").is_out());
  EXPECT_EQ(named("aten::max.dim").results.size(), 2U);
  EXPECT_TRUE(named("aten::unsafe_split.Tensor").results.at(0).aliases.empty()) << "as its schema says";
  EXPECT_TRUE(named("aten::rand").has_tag("nondeterministic_seeded"));
}

TEST(SweepOptimized, a_write_is_seen_with_its_version_and_the_tensor_that_is_returned) {
  const Observation seen = perform(calling("aten::neg_", {floats({1, 2})}, {kFirst}));
  EXPECT_EQ(seen.error, "");
  EXPECT_EQ(seen.after.at(0).version, seen.before.at(0).version + 1);
  EXPECT_EQ(seen.before.at(0).bytes, "0000803f00000040");
  EXPECT_EQ(seen.after.at(0).bytes, "000080bf000000c0");
  EXPECT_EQ(seen.results.at(0).is, 0);
}

TEST(SweepOptimized, a_view_has_its_base_and_storage) {
  const Observation seen = perform(calling("aten::split.Tensor", {floats({1, 2})}, {kFirst, 1, {{"default", true}}}));
  ASSERT_EQ(seen.results.size(), 2U);
  const Result& second = seen.results[1];
  EXPECT_EQ(second.place, 0U);
  EXPECT_TRUE(second.facts.is_view);
  EXPECT_EQ(second.facts.base, 0);
  EXPECT_EQ(second.facts.storage, seen.after.at(0).storage);
  EXPECT_EQ(second.facts.offset, 1);
}

TEST(SweepOptimized, settings_are_what_they_are_called) {
  const auto result = [](Setting setting) { return perform(negating(setting)).results.at(0).facts; };
  EXPECT_FALSE(result(Setting::normal).inference);
  EXPECT_TRUE(result(Setting::inference).inference);
  EXPECT_TRUE(result(Setting::inference_tensors).inference);
  EXPECT_FALSE(result(Setting::escaped).inference);
  EXPECT_TRUE(perform(negating(Setting::escaped)).before.at(0).inference);
  EXPECT_TRUE(result(Setting::backward).has_grad_fn);
  EXPECT_FALSE(result(Setting::no_grad).has_grad_fn);
  EXPECT_FALSE(plumbline::optimized::thread_state().inference_mode);
  EXPECT_TRUE(plumbline::optimized::thread_state().grad_mode);
}

TEST(SweepOptimized, what_functionalization_writes_back_is_seen) {
  const Observation seen = perform(calling("aten::neg_", {floats({1, 2})}, {kFirst}, Setting::functionalized));
  EXPECT_EQ(seen.error, "");
  EXPECT_EQ(seen.after.at(0).bytes, "000080bf000000c0");
  EXPECT_EQ(seen.results.at(0).is, 0);
}

TEST(SweepOptimized, gradients_are_those_of_the_tensors_that_have_some) {
  const Ingredient index{"int64", {1}, {1}, 0, {1}};
  const Observation seen =
      perform(calling("aten::index_select", {floats({1, 2}), index}, {kFirst, 0, kSecond}, Setting::backward));
  EXPECT_EQ(seen.error, "");
  EXPECT_EQ(seen.gradients.at(0).bytes, "000000000000003f");
  EXPECT_FALSE(seen.gradients.at(1).defined);
  const Ingredient whole{"int64", {1}, {1}, 0, {1}};
  EXPECT_THROW(perform(calling("aten::neg", {whole}, {kFirst}, Setting::backward)), std::runtime_error)
      << "no result requires grad";
}

TEST(SweepOptimized, a_write_to_what_backward_needs_is_an_error) {
  Experiment exp = calling("aten::exp", {floats({1, 2})}, {kFirst}, Setting::backward);
  exp.disturbed = 0;
  EXPECT_EQ(perform(exp).error, "") << "exp saves its result alone";
  exp.disturbed = 1;
  EXPECT_NE(perform(exp).error.find("modified by an inplace operation"), std::string::npos);
}

TEST(SweepOptimized, an_error_is_an_observation) {
  const Observation seen = perform(calling("aten::select.int", {floats({1, 2})}, {kFirst, 0, 7}));
  EXPECT_EQ(seen.error_type, "IndexError");
  EXPECT_NE(seen.error.find("out of range"), std::string::npos);
}

TEST(SweepOptimized, a_tensor_has_the_elements_strides_and_offset_that_were_asked_for) {
  const Facts made =
      perform(calling("aten::neg", {{"int64", {2, 2}, {2, 4}, 1, {0, 1, 0, 2, 0, 3, 0, 4}}}, {kFirst})).before.at(0);
  EXPECT_EQ(made.strides, (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(made.offset, 1);
  EXPECT_EQ(made.bytes, "0100000000000000030000000000000002000000000000000400000000000000");
  EXPECT_FALSE(made.is_view);
}

TEST(SweepOptimized, what_cannot_be_made_is_unsupported) {
  EXPECT_THROW(perform(negating(Setting::meta)), std::runtime_error);
  EXPECT_THROW(perform(calling("aten::neg", {{"float16", {}, {}, 0, {1}}}, {kFirst})), std::runtime_error);
  EXPECT_THROW(perform(calling("aten::neg", {floats({1})}, nlohmann::json::array())), std::runtime_error);
  EXPECT_THROW(perform(calling("aten::zeros", {}, {{1}, nullptr, nullptr, "meta", nullptr})), std::runtime_error);
  EXPECT_THROW(perform(calling("aten::no_such_operator", {}, nlohmann::json::array())), std::runtime_error);
}

const Offer kOffer{"here", "", {kSettingsHere.begin(), kSettingsHere.end()}, operators, perform};

TEST(SweepOptimized, an_answer_names_the_settings) {
  const nlohmann::json answer = answer_to({{"cmd", "operators"}}, kOffer);
  EXPECT_EQ(answer.at("settings").size(), kSettingsHere.size());
  EXPECT_EQ(answer.at("operators").size(), op_table().size());
  EXPECT_TRUE(
      answer_to({{"cmd", "call"}, {"experiment", to_json(negating(Setting::meta))}}, kOffer).contains("unsupported"));
}

/// The laws that `aten::neg` breaks.
std::set<std::string> broken_by_neg() {
  SweepOptions options;
  options.operators = {"aten::neg"};
  const SweepReport report = sweep::sweep([] { return std::make_unique<Here>(kOffer); }, options,
                                          [](std::size_t, std::size_t) {}, [] { return false; });
  EXPECT_EQ(report.called, 1U);
  std::set<std::string> laws;
  for (const Finding& finding : report.findings) laws.insert(finding.law);
  return laws;
}

namespace runtime = plumbline::optimized;

runtime::Tensor neg_that_writes_its_input(const runtime::Tensor& self) {
  std::memset(self.storage()->data(), 0, self.storage()->bytes());
  return runtime::empty_strided(self.sizes(), self.strides(), self.dtype());
}

TEST(SweepOptimized, a_kernel_that_writes_its_input_breaks_a_law) {
  EXPECT_TRUE(broken_by_neg().empty());
  {
    constexpr auto kCpu = runtime::KeySet(Functionality::Dense) | Backend::CPU;
    runtime::Library planted(runtime::dispatcher(), runtime::Library::Kind::IMPL, "aten");
    planted.impl("neg", static_cast<runtime::Slot>(kCpu.entry()),
                 runtime::plain_kernel<runtime::op::neg, neg_that_writes_its_input>().kernel);
    EXPECT_TRUE(broken_by_neg().contains("OP-01"));
  }
  EXPECT_TRUE(broken_by_neg().empty()) << "the runtime's own kernel is back";
}

}  // namespace
}  // namespace plumbline::sweep::optimized
