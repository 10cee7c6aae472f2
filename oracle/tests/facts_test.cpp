// Facts about a statement that differs, by which waivers are chosen.
#include "oracle/facts.h"

#include <gtest/gtest.h>

#include "oracle/waivers.h"
#include "spec/ops/op_ids.h"

namespace plumbline::facts_test {
namespace {

Description torch() {
  Description shipped;
  shipped.profile = "torch-2.13";
  return shipped;
}

/// Whether the fact holds before the statement at `place`.
bool has(const Script& script, std::size_t place, const std::string& fact) {
  Difference difference;
  difference.blamed = place;
  return occurrence_of(script, difference, torch()).facts.contains(fact);
}

TEST(Occurrence, has_the_op_and_the_facts_of_the_blamed_statement) {
  const Slot a{0};
  const Script script{{{Enter{GuardKind::inference_mode}},
                       {MakeTensor{a, Dtype::float32, {1}, {1}}},
                       {Exit{}},
                       {Call{OpId::zero_, {a}, {}}}},
                      {"a"}};
  Difference difference;
  difference.blamed = 3;
  difference.signature = "zero_/values";
  const Occurrence occurrence = occurrence_of(script, difference, torch());
  EXPECT_EQ(occurrence.op, "zero_");
  EXPECT_EQ(occurrence.signature, "zero_/values");
  EXPECT_EQ(occurrence.facts,
            (std::set<std::string>{"outside_inference_mode", "self_is_inference", "argument_is_inference",
                                   "written_is_inference", "refuses_inference", "raises"}))
      << "self is an argument too";
  difference.blamed = 1;
  EXPECT_EQ(occurrence_of(script, difference, torch()).facts,
            (std::set<std::string>{"inside_inference_mode", "result_has_free_strides"}));
  difference.blamed = 9;
  EXPECT_TRUE(occurrence_of(script, difference, torch()).op.empty()) << "no statement is blamed";
}

TEST(Occurrence, knows_whether_a_backend_was_excluded_before) {
  const auto facts = [](GuardKind kind, const std::string& key) {
    const Script script{{{Enter{kind, true, key}}, {Exit{}}, {MakeTensor{Slot{0}, Dtype::float32, {}, {0}}}}, {"a"}};
    Difference difference;
    difference.blamed = 2;
    return occurrence_of(script, difference, torch()).facts;
  };
  EXPECT_TRUE(facts(GuardKind::exclude_key, "AutogradCPU").contains("excluded_a_backend"));
  EXPECT_TRUE(facts(GuardKind::exclude_key, "SparseCUDA").contains("excluded_a_backend"));
  EXPECT_FALSE(facts(GuardKind::exclude_key, "ADInplaceOrView").contains("excluded_a_backend"));
  EXPECT_FALSE(facts(GuardKind::include_key, "AutogradCPU").contains("excluded_a_backend"));
  EXPECT_FALSE(facts(GuardKind::below_autograd, "").contains("excluded_a_backend"));
}

TEST(Occurrence, knows_whether_a_kernel_excludes_a_backend) {
  Script script{{{MakeTensor{Slot{0}, Dtype::float32, {}, {0}}}}, {"a"}};
  script.kernels = {{"k", {}, {{Enter{GuardKind::exclude_key, true, "CPU"}}, {Exit{}}}}};
  Difference difference;
  EXPECT_TRUE(occurrence_of(script, difference, torch()).facts.contains("excluded_a_backend"));
}

TEST(Occurrence, knows_whether_backward_starts_from_several_tensors) {
  const auto facts = [](std::vector<Root> more) {
    const Slot x{0};
    const Script script{
        {{MakeTensor{x, Dtype::float32, {}, {0}, true}}, {Backward{x, std::nullopt, false, {}, std::move(more)}}},
        {"x"}};
    Difference difference;
    difference.blamed = 1;
    return occurrence_of(script, difference, torch()).facts;
  };
  EXPECT_TRUE(facts({{Slot{0}}}).contains("several_roots"));
  EXPECT_FALSE(facts({}).contains("several_roots"));
}

TEST(Occurrence, knows_whether_a_hook_is_registered_on_a_view_whose_base_was_written) {
  const auto facts = [](bool writes) {
    const Slot x{0}, y{1}, v{2}, g{3};
    Script script{{{MakeTensor{x, Dtype::float32, {}, {0}, true}},
                   {Call{OpId::mul_Tensor, {x, std::int64_t{2}}, {y}, false}},
                   {Call{OpId::alias, {y}, {v}, false}},
                   {RegisterHook{v, 0}}},
                  {"x", "y", "v", "g"}};
    script.functions = {{"hook", {g}, {}, {std::nullopt}}};
    if (writes) script.statements.insert(script.statements.begin() + 3, {Call{OpId::zero_, {y}, {}, false}});
    Difference difference;
    difference.blamed = 0;
    return occurrence_of(script, difference, torch()).facts;
  };
  EXPECT_TRUE(facts(true).contains("hooks_a_stale_view"));
  EXPECT_FALSE(facts(false).contains("hooks_a_stale_view"));
}

TEST(Occurrence, does_not_look_at_guards_after_the_statement) {
  const Script script{
      {{MakeTensor{Slot{0}, Dtype::float32, {}, {0}}}, {Enter{GuardKind::exclude_key, true, "AutogradCPU"}}, {Exit{}}},
      {"a"}};
  Difference difference;
  for (difference.blamed = 0; difference.blamed < 2; ++difference.blamed)
    EXPECT_FALSE(occurrence_of(script, difference, torch()).facts.contains("excluded_a_backend")) << difference.blamed;
}

TEST(Occurrence, knows_whether_it_is_in_a_body_what_ran_before_and_what_is_written) {
  const Slot a{0}, b{1}, c{2};
  const Script script{{{MakeTensor{a, Dtype::int64, {1}, {1}}},
                       {EnterFunctionalize{Remove::mutations, {a}, {b}}},
                       {Call{OpId::zero_, {b}, {}}},
                       {Call{OpId::zeros_like, {b, {}, {}, {}, {}, {}}, {c}}},
                       {LeaveFunctionalize{{}, {}}},
                       {Call{OpId::zero_, {a}, {}}}},
                      {"a", "b", "c"}};
  EXPECT_FALSE(has(script, 1, "inside_a_body")) << "it begins there";
  EXPECT_TRUE(has(script, 2, "inside_a_body"));
  EXPECT_TRUE(has(script, 4, "inside_a_body")) << "it ends there";
  EXPECT_FALSE(has(script, 5, "inside_a_body"));
  EXPECT_FALSE(has(script, 3, "saw_a_factory")) << "it is the factory";
  EXPECT_TRUE(has(script, 4, "saw_a_factory"));
  EXPECT_TRUE(has(script, 2, "written_is_integral"));
  EXPECT_FALSE(has(script, 3, "written_is_integral")) << "it writes nothing";
}

TEST(Occurrence, knows_whether_numbers_were_drawn_and_of_what_the_first_tensor_is) {
  const Slot a{0}, b{1};
  const Script script{{{MakeTensor{a, Dtype::float32, {1}, {1}}},
                       {Call{OpId::neg, {a}, {b}}},
                       {Call{*find_op("rand", ""), {std::vector<std::int64_t>{1}, Dtype::float32, {}, {}, {}}, {b}}},
                       {Call{OpId::neg, {b}, {a}}},
                       {MakeTensor{a, Dtype::boolean, {1}, {1}}},
                       {Call{OpId::neg, {a}, {b}}}},
                      {"a", "b"}};
  EXPECT_FALSE(has(script, 1, "drew_numbers"));
  EXPECT_TRUE(has(script, 2, "drew_numbers")) << "it draws them";
  EXPECT_TRUE(has(script, 3, "drew_numbers"));
  EXPECT_FALSE(has(script, 3, "self_is_integral"));
  EXPECT_TRUE(has(script, 5, "self_is_integral"));
}

TEST(Occurrence, knows_whether_hooks_may_have_packed_a_saved_tensor) {
  Script script{
      {{MakeTensor{Slot{0}, Dtype::float32, {}, {1}}}, {EnterSavedTensorsHooks{0, 1}}, {Exit{}}, {Backward{Slot{0}}}},
      {"x"}};
  script.functions.assign(2, CustomBackward{"keep", {Slot{0}}, {}, {Slot{0}}});
  EXPECT_FALSE(has(script, 1, "packed_a_saved_tensor"));
  EXPECT_TRUE(has(script, 3, "packed_a_saved_tensor"));
}

TEST(Occurrence, knows_whether_a_hook_was_registered_before_it) {
  Script script{{{MakeTensor{Slot{0}, Dtype::float32, {}, {1}, true}}, {RegisterHook{Slot{0}, 0}}, {Snapshot{}}},
                {"x", "g"}};
  script.functions = {{"hook", {Slot{1}}, {}, {std::nullopt}}};
  EXPECT_FALSE(has(script, 1, "saw_a_hook"));
  EXPECT_TRUE(has(script, 2, "saw_a_hook"));
}

TEST(Occurrence, has_what_the_script_tells_where_no_run_arrives) {
  const Slot a{0}, b{1};
  const Script script{{{MakeTensor{a, Dtype::int64, {1}, {1}}},
                       {EnterFunctionalize{Remove::mutations, {a}, {b}}},
                       {Call{OpId::exp_, {b}, {}}},
                       {LeaveFunctionalize{{}, {}}}},
                      {"a", "b"}};
  Difference difference;
  difference.blamed = 3;
  EXPECT_EQ(occurrence_of(script, difference, torch()).facts,
            (std::set<std::string>{"functionalizes", "inside_a_body"}))
      << "exp_ raises";
}

}  // namespace
}  // namespace plumbline::facts_test
