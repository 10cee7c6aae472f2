// Operators, candidates, the codec and elements: the parts that the sweep is made of.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "spec/rules/catalogue.h"
#include "sweep/candidates.h"
#include "sweep/elements.h"
#include "sweep/judge.h"
#include "sweep/tests/fake.h"
#include "sweep/values.h"

namespace plumbline::sweep {
namespace {

using nlohmann::json;

TEST(SweepOperators, the_twin_of_a_writing_operator_has_the_same_arguments) {
  const std::vector<Operator> all = fake::operators();
  for (const Operator& op : all) {
    const Operator* twin = twin_of(op, all);
    EXPECT_EQ(twin != nullptr, op.writes()) << op.full_name();
    if (twin != nullptr) {
      EXPECT_EQ(twin->full_name(), op.name.substr(0, op.name.find_last_not_of('_') + 1));
    }
  }
  EXPECT_TRUE(fake::operator_named("fake::twice_").is_in_place());
  EXPECT_TRUE(fake::operator_named("fake::twice.out").is_out());
  EXPECT_TRUE(fake::operator_named("fake::part").gives_a_view());
}

TEST(SweepOperators, a_copy_names_its_view) {
  const std::vector<Operator> all = fake::operators();
  for (const Operator& op : all) {
    const Operator* view = view_of(op, all);
    EXPECT_EQ(view == nullptr ? "" : view->full_name(), op.name == "fake::part_copy" ? "fake::part" : "");
  }
}

TEST(SweepOperators, a_name_with_an_underscore_before_it_is_private) {
  EXPECT_FALSE(is_private("fake::twice"));
  EXPECT_TRUE(is_private("fake::_twice"));
}

TEST(SweepCandidates, are_the_same_for_a_seed_and_differ_among_numbers) {
  const Operator op = fake::operator_named("fake::twice.out");
  EXPECT_EQ(candidate(op, 1, 5), candidate(op, 1, 5));
  std::size_t same = 0;
  for (std::uint64_t i = 1; i < 50; ++i) same += candidate(op, 1, i) == candidate(op, 1, 0) ? 1 : 0;
  EXPECT_LT(same, 25U);
}

TEST(SweepCandidates, what_is_given_to_out_begins_without_elements) {
  const Experiment one = candidate(fake::operator_named("fake::twice.out"), 1, 0);
  EXPECT_EQ(one.tensors[1].sizes, std::vector<std::int64_t>{0});
  EXPECT_EQ(written_tensors(fake::operator_named("fake::twice.out"), one), (std::vector<bool>{false, true}));
}

TEST(SweepCandidates, an_operator_that_needs_an_unknown_type_says_so) {
  Operator op = fake::operator_named("fake::twice");
  op.arguments[0].type = "Storage";
  EXPECT_EQ(why_uncallable(op), "no value is known for arguments of the type Storage");
  op.arguments[0].optional = true;
  EXPECT_EQ(why_uncallable(op), "");
  op.kernels.clear();
  EXPECT_EQ(why_uncallable(op), "no kernel for the device");
}

TEST(SweepCandidates, strided_tensors_have_the_same_elements_elsewhere) {
  const std::vector<Ingredient> all{{"float32", {2, 3}, {3, 1}, 0, {1, 2, 3, 4, 5, 6}}};
  const std::vector<Ingredient> moved = strided(all);
  ASSERT_EQ(moved.size(), 1U);
  EXPECT_EQ(moved[0].strides, (std::vector<std::int64_t>{2, 4}));
  for (std::int64_t i = 0; i < 2; ++i)
    for (std::int64_t j = 0; j < 3; ++j)
      EXPECT_EQ(moved[0].values[static_cast<std::size_t>(1 + 2 * i + 4 * j)], static_cast<double>(3 * i + j + 1));
  EXPECT_TRUE(strided({{"float32", {}, {}, 0, {1}}}).empty());
}

TEST(SweepCandidates, written_tensors_may_share_elements) {
  const Operator op = fake::operator_named("fake::twice_");
  const Experiment one{"fake::twice_", {{"float32", {1, 3}, {3, 1}, 0, {1, 2, 3}}}, {{{"tensor", 0}}}};
  EXPECT_EQ(overlapping(op, one).at(0).strides, (std::vector<std::int64_t>{3, 0}));
  EXPECT_TRUE(overlapping(fake::operator_named("fake::twice"), one).empty());
}

TEST(SweepLaws, the_page_has_each_law_as_the_code_has_it) {
  std::ifstream file(PLUMBLINE_SWEEP_TESTS "/../../docs/SWEEP.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const Law& law : laws())
    EXPECT_NE(page.find(fmt::format("| {} | {} |\n", law.id(), law.text().sentence)), std::string::npos) << law.id();
  EXPECT_EQ(page.find(fmt::format("| OP-{:02} |", laws().size() + 1)), std::string::npos) << "the page has a law more";
}

std::vector<std::string_view> ids_of_laws() {
  std::vector<std::string_view> ids;
  for (const Law& law : laws()) ids.push_back(law.id());
  return ids;
}

TEST(SweepLaws, are_the_rules_of_family_op) {
  std::vector<std::string_view> rules;
  for (const Rule* rule : kLawRules) rules.push_back(rule->text().id);
  EXPECT_EQ(ids_of_laws(), rules);
}

TEST(SweepLaws, each_is_broken_by_a_planted_fault_and_each_fault_breaks_one) {
  std::ifstream file(PLUMBLINE_SWEEP_TESTS "/../selftest/faults.py");
  std::set<std::string> broken;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("def fault_")) broken.insert("OP-" + line.substr(std::string_view("def fault_").size(), 2));
  for (const std::string_view id : ids_of_laws())
    EXPECT_TRUE(broken.erase(std::string(id)) == 1) << id << " has no fault in sweep/selftest/faults.py";
  EXPECT_EQ(broken, std::set<std::string>()) << "faults that break no law";
}

TEST(SweepLaws, each_exemption_is_of_a_law) {
  for (const Exemption& one : exemptions())
    EXPECT_TRUE(one.law == "elements" || law_named(one.law) != nullptr) << one.law;
}

TEST(SweepCodec, reads_what_it_writes) {
  for (const Operator& op : fake::operators()) EXPECT_EQ(to_json(operator_from(to_json(op))), to_json(op));
  const Experiment one = candidate(fake::operator_named("fake::twice.out"), 1, 3);
  EXPECT_EQ(experiment_from(to_json(one)), one);
  fake::FakeCaller caller(fake::Lie::none);
  const auto seen = std::get<Observation>(caller.call(candidate(fake::operator_named("fake::twice"), 1, 0)));
  EXPECT_EQ(to_json(observation_from(to_json(seen))), to_json(seen));
}

TEST(SweepCodec, a_complex_element_is_a_pair_and_a_number_alone_has_no_imaginary_part) {
  const Ingredient made{"complex64", {3}, {1}, 0, {{1, -2}, {NAN, HUGE_VAL}, {0.5, -HUGE_VAL}}};
  json one = to_json(Experiment{"fake::twice", {made}, {{{"tensor", 0}}}});
  EXPECT_EQ(one["tensors"][0]["values"].dump(), R"([[1.0,-2.0],["nan","inf"],[0.5,"-inf"]])");
  EXPECT_EQ(experiment_from(one).tensors[0].values[2], made.values[2]);
  one["tensors"][0]["values"] = {1, json::array({2, 3}), "inf"};
  EXPECT_EQ(experiment_from(one).tensors[0].values, (std::vector<std::complex<double>>{1, {2, 3}, HUGE_VAL}));
}

TEST(SweepCodec, refuses_a_pair_in_a_real_tensor_and_other_than_two_parts) {
  json one = to_json(Experiment{"fake::twice", {{"float32", {1}, {1}, 0, {1}}}, {{{"tensor", 0}}}});
  EXPECT_EQ(one["tensors"][0]["values"].dump(), "[1.0]");
  one["tensors"][0]["values"][0] = {1, 0};
  EXPECT_THROW(experiment_from(one), std::runtime_error);
  one["tensors"][0]["dtype"] = "complex128";
  EXPECT_EQ(experiment_from(one).tensors[0].values[0], 1.0);
  one["tensors"][0]["values"][0] = {1, 0, 0};
  EXPECT_THROW(experiment_from(one), std::runtime_error);
  one["tensors"][0]["values"][0] = "one";
  EXPECT_THROW(experiment_from(one), std::runtime_error);
}

TEST(SweepCandidates, complex_tensors_have_imaginary_parts) {
  const Operator op = fake::operator_named("fake::twice");
  std::set<std::string> dtypes;
  for (std::uint64_t number = 0; number < 300; ++number)
    for (const Ingredient& t : candidate(op, 1, number).tensors) {
      const auto has_one = [](std::complex<double> value) { return value.imag() != 0; };
      const bool complex = is_complex(t.dtype);
      if (complex) dtypes.insert(t.dtype);
      EXPECT_EQ(std::ranges::any_of(t.values, has_one), complex && !t.values.empty()) << t.dtype;
    }
  EXPECT_EQ(dtypes.size(), 2U);
}

TEST(SweepCodec, refuses_an_unknown_setting_and_a_missing_member) {
  json one = to_json(candidate(fake::operator_named("fake::twice"), 1, 0));
  one["setting"] = "upside down";
  EXPECT_THROW(experiment_from(one), std::runtime_error);
  one.erase("op");
  EXPECT_THROW(experiment_from(one), json::exception);
}

Facts of(const std::string& dtype, const std::string& bytes) {
  Facts f;
  f.defined = true;
  f.dtype = dtype;
  f.bytes = bytes;
  return f;
}

TEST(SweepElements, of_lazy_negatives_and_conjugates_are_what_they_stand_for) {
  const std::int64_t sizes[] = {2}, strides[] = {1};
  const auto shown = [&](const auto& memory, Elements tensor) {
    tensor.sizes = sizes;
    tensor.strides = strides;
    tensor.item = sizeof memory / 2;
    tensor.memory = std::as_bytes(std::span(memory));
    return bytes_of(tensor);
  };
  const std::int16_t whole[] = {1, -256};
  EXPECT_EQ(shown(whole, {.is_negated = true}), "ffff0001");
  const float real[] = {1, -2};
  EXPECT_EQ(shown(real, {.sign_of_real = true}), "000080bf00000040");
  const float complex[][2] = {{1, -2}, {0, 1}};
  EXPECT_EQ(shown(complex, {.sign_of_imaginary = true, .is_complex = true}), "0000803f0000004000000000000080bf");
  EXPECT_EQ(shown(complex, {.sign_of_real = true, .is_complex = true}), "000080bf000000c0000000800000803f");
}

TEST(SweepValues, are_shown_as_numbers) {
  EXPECT_EQ(show_elements(of("float32", "0000803f00000040")), "float32 [1, 2]");
  EXPECT_EQ(show_elements(of("bool", "0100")), "bool [1, 0]");
  EXPECT_EQ(show_elements(of("bfloat16", "803f")), "bfloat16 [1]");
  EXPECT_EQ(show_elements(of("float16", "003c00c0")), "float16 [1, -2]");
  EXPECT_EQ(show_elements(of("int16", "ffff")), "int16 [-1]");
  EXPECT_EQ(show_elements(of("complex64", "0000803f000000c0")), "complex64 [1-2j]");
}

TEST(SweepValues, floats_may_differ_by_rounding_and_integers_may_not) {
  EXPECT_TRUE(nearly_equal(of("float32", "0000803f"), of("float32", "0100803f")));
  EXPECT_FALSE(nearly_equal(of("float32", "0000803f"), of("float32", "00000040")));
  EXPECT_FALSE(nearly_equal(of("float32", "0000803f"), of("float32", "0000c07f"))) << "a NaN";
  EXPECT_TRUE(nearly_equal(of("float32", "0000c07f"), of("float32", "0100c07f"))) << "two NaNs";
  EXPECT_FALSE(nearly_equal(of("int32", "01000000"), of("int32", "02000000")));
  EXPECT_FALSE(nearly_equal(of("float32", "#1"), of("float32", "#2"))) << "a hash";
  EXPECT_FALSE(nearly_equal(of("float32", ""), of("float64", "")));
}

}  // namespace
}  // namespace plumbline::sweep
