// Comparing traces: each planted difference is caught, except in fields that are not compared.
#include "oracle/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "adapters/protocol/names.h"
#include "oracle/compare_reading.h"
#include "spec/ops/op_ids.h"

namespace plumbline::compare_test {
namespace {

using Names = std::vector<std::string>;
using Integers = std::vector<std::int64_t>;

Description exact() {
  Description d;
  d.name = "planted";
  d.fields.fill(Strictness::exact);
  d.thread.fill(Strictness::exact);
  d.kernels = true;
  return d;
}

Failure error(ErrorClass c) { return {c, "a message", "RuntimeError"}; }

std::vector<Reading> readings() {
  return {std::string("float32"),
          Integers{2},
          Integers{1},
          std::int64_t{0},
          Values{{1, 2}, {}, {}, {}},
          std::int64_t{0},
          Names{"CPU", "ADInplaceOrView", "AutogradCPU"},
          false,
          std::int64_t{3},
          false,
          true,
          false,
          false,
          std::int64_t{-1},
          None{},
          None{}};
}

Script script() {
  const Slot x{0};
  return {{{MakeTensor{x, Dtype::float32, {2}, {0, 1}}, 4},
           {Call{OpId::add__Tensor, {x, std::int64_t{1}, std::int64_t{1}}, {x}}, 5},
           {Snapshot{}, 6},
           {Read{x, Field::version}, 7}},
          {"x"}};
}

Trace trace() {
  Trace t;
  for (std::size_t i = 0; i < 4; ++i) t.outcomes.push_back({i, {}, {}, {}, {}, {}});
  t.outcomes[2].thread = {false, true, Names{"ADInplaceOrView"}, Names{}};
  t.outcomes[2].tensors = {{Slot{0}, readings()}};
  t.outcomes[3].reading = std::int64_t{3};
  return t;
}

Comparison held(const Trace& got, const Description& description = exact()) {
  return compare(script(), trace(), got, description);
}

/// For each field another reading than in `readings()`, and the signature of that difference.
struct Planted {
  Field field;
  Reading reading;
  std::string signature;
};
std::vector<Planted> planted() {
  return {{Field::dtype, std::string("int64"), "add_.Tensor/dtype: float32 -> int64"},
          {Field::sizes, Integers{2, 1}, "add_.Tensor/sizes"},
          {Field::strides, Integers{2}, "add_.Tensor/strides"},
          {Field::offset, std::int64_t{1}, "add_.Tensor/offset"},
          {Field::values, Values{{1, 3}, {}, {}, {}}, "add_.Tensor/values"},
          {Field::storage, std::int64_t{1}, "add_.Tensor/storage"},
          {Field::keys, Names{"CPU", "AutogradCPU", "Negative"}, "add_.Tensor/keys: +Negative -ADInplaceOrView"},
          {Field::is_inference, true, "add_.Tensor/is_inference: false -> true"},
          {Field::version, error(ErrorClass::inference_version), "add_.Tensor/version: value -> inference_version"},
          {Field::requires_grad, true, "add_.Tensor/requires_grad: false -> true"},
          {Field::is_leaf, false, "add_.Tensor/is_leaf: true -> false"},
          {Field::grad_fn, true, "add_.Tensor/grad_fn: false -> true"},
          {Field::is_view, true, "add_.Tensor/is_view: false -> true"},
          {Field::base, std::int64_t{0}, "add_.Tensor/base: none -> slot"},
          {Field::creation_meta, std::string("DEFAULT"), "add_.Tensor/creation_meta: none -> DEFAULT"},
          {Field::grad, Values{{1, 1}, {}, {}, {}}, "add_.Tensor/grad: none -> value"}};
}

TEST(Compare, where_sizes_differ_strides_and_values_are_not_compared) {
  Trace got = trace();
  for (const Planted& one : planted())
    if (one.field == Field::sizes || one.field == Field::strides || one.field == Field::values ||
        one.field == Field::offset)
      got.outcomes[2].tensors[0].fields[static_cast<std::size_t>(one.field)] = one.reading;
  std::vector<std::string> signatures;
  for (const Difference& one : held(got).differences) signatures.push_back(one.signature);
  EXPECT_EQ(signatures, (std::vector<std::string>{"add_.Tensor/sizes", "add_.Tensor/offset"}));
}

TEST(Compare, same_traces_pass) {
  const Comparison c = held(trace());
  EXPECT_EQ(c.verdict, Verdict::pass) << c.message;
  EXPECT_EQ(c.statements, 4U);
  EXPECT_EQ(c.message, "");
}

TEST(Compare, each_field_that_differs_is_caught_and_named) {
  EXPECT_EQ(planted().size(), static_cast<std::size_t>(kFields));
  for (const Planted& p : planted()) {
    Trace got = trace();
    got.outcomes[2].tensors[0].fields[static_cast<std::size_t>(p.field)] = p.reading;
    const Comparison c = held(got);
    EXPECT_EQ(c.verdict, Verdict::divergent) << name_of(p.field);
    ASSERT_EQ(c.differences.size(), 1U) << name_of(p.field);
    EXPECT_EQ(c.differences[0].signature, p.signature);
    EXPECT_EQ(c.differences[0].field, p.field);
    EXPECT_EQ(c.differences[0].line, 6);
    EXPECT_EQ(c.statements, 3U) << "nothing after the first difference is compared";
    EXPECT_NE(c.message, "");
  }
}

TEST(Compare, a_field_that_is_ignored_may_differ) {
  for (const Planted& p : planted()) {
    Trace got = trace();
    got.outcomes[2].tensors[0].fields[static_cast<std::size_t>(p.field)] = p.reading;
    Description d = exact();
    d.fields[static_cast<std::size_t>(p.field)] = Strictness::ignore;
    const Comparison c = held(got, d);
    EXPECT_TRUE(c.differences.empty()) << name_of(p.field);
    // A statement of the script reads the version, so the report says that it is ignored.
    EXPECT_EQ(c.verdict, p.field == Field::version ? Verdict::unsupported : Verdict::pass) << name_of(p.field);
  }
}

TEST(Compare, each_thread_field_that_differs_is_caught_unless_ignored) {
  const std::vector<Reading> other{true, false, Names{}, Names{"AutogradCPU"}};
  for (std::size_t i = 0; i < kThreadFields; ++i) {
    Trace got = trace();
    got.outcomes[2].thread[i] = other[i];
    const Comparison c = held(got);
    ASSERT_EQ(c.differences.size(), 1U) << kThreadFieldNames[i];
    EXPECT_EQ(c.differences[0].thread, static_cast<ThreadField>(i));
    Description d = exact();
    d.thread[i] = Strictness::ignore;
    EXPECT_EQ(held(got, d).verdict, Verdict::pass) << kThreadFieldNames[i];
  }
}

TEST(Compare, a_field_that_is_claimed_but_not_shown_is_unsupported) {
  Trace got = trace();
  got.outcomes[2].tensors[0].fields[0] = std::monostate{};
  EXPECT_EQ(held(got).verdict, Verdict::unsupported);
}

TEST(Compare, kind_asks_a_field_only_whether_it_raises) {
  Description d = exact();
  d.fields[static_cast<std::size_t>(Field::version)] = Strictness::kind;
  Trace got = trace();
  got.outcomes[2].tensors[0].fields[static_cast<std::size_t>(Field::version)] = std::int64_t{9};
  EXPECT_EQ(held(got, d).verdict, Verdict::pass);
  got.outcomes[2].tensors[0].fields[static_cast<std::size_t>(Field::version)] = error(ErrorClass::inference_version);
  EXPECT_EQ(held(got, d).verdict, Verdict::divergent);
}

TEST(Compare, a_missing_live_tensor_is_caught) {
  Trace got = trace();
  got.outcomes[2].tensors.clear();
  EXPECT_EQ(held(got).differences.at(0).signature, "snapshot/live tensors");
}

TEST(Compare, unspecified_values_are_counted_and_not_compared) {
  Trace expected = trace();
  expected.outcomes[2].tensors[0].fields[static_cast<std::size_t>(Field::version)] = Unspecified{"VER-01"};
  const Comparison c = compare(script(), expected, trace(), exact());
  EXPECT_EQ(c.verdict, Verdict::unspecified);
  EXPECT_EQ(c.unspecified, 1U);
  EXPECT_NE(c.message, "");
}

TEST(Compare, versions_that_count_from_an_unspecified_one_are_compared_by_their_increments) {
  const Script twice{{{MakeTensor{Slot{0}, Dtype::float32, {}, {1.0}, false}, 0},
                      {Read{Slot{0}, Field::version}, 0},
                      {Read{Slot{0}, Field::version}, 0}},
                     {"x"}};
  const auto read = [](const Reading& first, const Reading& second) {
    Trace trace;
    trace.outcomes.resize(3);
    for (std::size_t i = 0; i < 3; ++i) trace.outcomes[i].statement = i;
    trace.outcomes[1].reading = first;
    trace.outcomes[2].reading = second;
    return trace;
  };
  const Trace expected = read(Unspecified{"VER-10", 3, 0}, Unspecified{"VER-10", 3, 2});
  const auto verdict = [&](std::int64_t first, std::int64_t second) {
    return compare(twice, expected, RunResult(read(first, second)), exact()).verdict;
  };
  EXPECT_EQ(verdict(0, 2), Verdict::unspecified);
  EXPECT_EQ(verdict(7, 9), Verdict::unspecified);
  EXPECT_EQ(verdict(7, 8), Verdict::divergent);
  EXPECT_EQ(verdict(7, 2), Verdict::divergent);
}

// An unspecified version in a snapshot is only counted; a program that reads it becomes unspecified.
TEST(Compare, an_unspecified_version_in_a_snapshot_is_a_pass) {
  Trace expected = trace();
  expected.outcomes[2].tensors[0].fields[static_cast<std::size_t>(Field::version)] = Unspecified{"FUN-34", 3, 0};
  const Comparison c = compare(script(), expected, trace(), exact());
  EXPECT_EQ(c.verdict, Verdict::pass) << c.message;
  EXPECT_EQ(c.unspecified, 1U);
  EXPECT_EQ(c.readings.fields[static_cast<std::size_t>(Field::version)].free, 1U);
  EXPECT_EQ(c.readings.fields[static_cast<std::size_t>(Field::version)].compared, 2U);
  EXPECT_EQ(c.readings.fields[static_cast<std::size_t>(Field::values)].compared, 1U);
  EXPECT_EQ(c.readings.sum().free, 1U);
  expected.outcomes[3].reading = Unspecified{"FUN-34", 4, 0};
  EXPECT_EQ(compare(script(), expected, trace(), exact()).verdict, Verdict::unspecified);
}

TEST(Compare, ignored_fields_are_not_counted) {
  Description blind = exact();
  blind.fields[static_cast<std::size_t>(Field::values)] = Strictness::ignore;
  EXPECT_EQ(held(trace(), blind).readings.fields[static_cast<std::size_t>(Field::values)].compared, 0U);
}

TEST(Compare, errors_are_compared_by_words_class_presence_or_not_at_all) {
  Trace expected = trace();
  expected.outcomes.resize(2);
  expected.outcomes[1].failure = error(ErrorClass::inference_inplace);
  expected.completed = false;
  Trace same = expected;
  same.outcomes[1].failure.message = "other words";
  Trace other = expected;
  other.outcomes[1].failure.error = ErrorClass::shape;
  const auto verdict = [&](const Trace& got, Strictness errors) {
    Description d = exact();
    d.errors = errors;
    return compare(script(), expected, got, d).verdict;
  };
  EXPECT_EQ(verdict(same, Strictness::exact), Verdict::divergent);
  EXPECT_EQ(compare(script(), expected, same, exact()).differences.at(0).signature,
            "add_.Tensor/message of inference_inplace");
  EXPECT_EQ(verdict(same, Strictness::classes), Verdict::pass);
  EXPECT_EQ(verdict(other, Strictness::classes), Verdict::divergent);
  EXPECT_EQ(verdict(other, Strictness::exact), Verdict::divergent);
  EXPECT_EQ(verdict(other, Strictness::kind), Verdict::pass);
  EXPECT_EQ(verdict(trace(), Strictness::kind), Verdict::divergent);
  EXPECT_EQ(verdict(trace(), Strictness::ignore), Verdict::unsupported);
  EXPECT_EQ(compare(script(), expected, trace(), exact()).differences.at(0).signature,
            "add_.Tensor/error: inference_inplace -> none");
  other.outcomes[1].failure.error = ErrorClass::unclassified;
  EXPECT_EQ(compare(script(), other, other, exact()).verdict, Verdict::divergent)
      << "an error without a class never equals the expected one";
}

TEST(Compare, kernels_of_a_call_are_compared_if_both_sides_show_them) {
  const KernelRun view{Functionality::ADInplaceOrView, false}, passed{Functionality::ADInplaceOrView, true};
  const KernelRun backend{Functionality::Dense, false};
  Trace expected = trace();
  expected.outcomes[1].kernels = {view, backend};
  const auto compared = [&](std::vector<KernelRun> kernels) {
    Trace got = trace();
    got.outcomes[1].kernels = std::move(kernels);
    return compare(script(), expected, got, exact());
  };
  EXPECT_EQ(compared({view, backend}).verdict, Verdict::pass);
  EXPECT_EQ(compared({}).verdict, Verdict::pass);
  for (const std::vector<KernelRun>& other : {std::vector{backend}, {passed, backend}, {backend, view}}) {
    const Comparison c = compared(other);
    ASSERT_EQ(c.differences.size(), 1U);
    EXPECT_EQ(c.differences[0].signature, "add_.Tensor/kernels");
    EXPECT_EQ(c.differences[0].expected, "ADInplaceOrView -> CPU");
  }
}

TEST(Compare, a_trace_that_ends_early_is_caught) {
  Trace got = trace();
  got.outcomes.pop_back();
  EXPECT_EQ(held(got).verdict, Verdict::divergent);
  Trace incomplete = trace();
  incomplete.completed = false;
  EXPECT_EQ(held(incomplete).verdict, Verdict::divergent);
}

TEST(Compare, a_breakdown_is_divergent_unless_unsupported) {
  using Kind = Breakdown::Kind;
  for (const Kind kind : {Kind::crash, Kind::exit, Kind::hang, Kind::garbage}) {
    const Comparison c = compare(script(), trace(), Breakdown{kind, "why"}, exact());
    EXPECT_EQ(c.verdict, Verdict::divergent);
    EXPECT_FALSE(c.message.empty());
    EXPECT_TRUE(c.differences.at(0).signature.starts_with("run/"));
  }
  EXPECT_EQ(compare(script(), trace(), Breakdown{Kind::unsupported, "no mm"}, exact()).verdict, Verdict::unsupported);
}

Agreement values(const Values& expected, const Values& got, std::optional<Dtype> dtype = Dtype::float32) {
  return compare_reading(Field::values, expected, got,
                         Measure{Strictness::exact, Strictness::exact, Closeness{4}, dtype})
      .agreement;
}

TEST(CompareValues, exact_values_are_compared_bit_for_bit) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(values({{nan}, {}, {}, {}}, {{nan}, {}, {}, {}}), Agreement::same);
  EXPECT_EQ(values({{0.0}, {}, {}, {}}, {{-0.0}, {}, {}, {}}), Agreement::differs);
  EXPECT_EQ(values({{1}, {}, {}, {}}, {{1, 2}, {}, {}, {}}), Agreement::differs);
  EXPECT_EQ(values({{}, {1}, {}, {}}, {{}, {2}, {}, {}}), Agreement::differs);
}

TEST(CompareValues, rounded_values_are_compared_within_their_bound_and_ulps_of_their_dtype) {
  const double near = std::nextafter(1.0F, 2.0F);
  const Values one{{1}, {}, {}, {1e-12}};
  EXPECT_EQ(values(one, {{near}, {}, {}, {}}), Agreement::same);
  EXPECT_EQ(values(one, {{near}, {}, {}, {}}, Dtype::float64), Agreement::differs);
  EXPECT_EQ(values(one, {{1.000001}, {}, {}, {}}), Agreement::differs);
  EXPECT_EQ(values({{1}, {}, {}, {0.25}}, {{1.25}, {}, {}, {}}), Agreement::same);
  EXPECT_EQ(values({{1, 1}, {}, {}, {0.25, 0}}, {{1, 1.25}, {}, {}, {}}), Agreement::differs);
  EXPECT_EQ(values({{INFINITY}, {}, {}, {1}}, {{3e38}, {}, {}, {}}), Agreement::differs);
  EXPECT_EQ(ulps_between(-0.0, 0.0, Dtype::float32), 0U);
  EXPECT_EQ(ulps_between(std::nextafter(0.0F, -1.0F), std::nextafter(0.0F, 1.0F), Dtype::float32), 2U);
}

TEST(CompareValues, unknown_elements_are_skipped) {
  EXPECT_EQ(values({{1, 2}, {}, {true, false}, {}}, {{1, 7}, {}, {}, {}}), Agreement::unspecified);
  EXPECT_EQ(values({{1, 2}, {}, {true, false}, {}}, {{0, 2}, {}, {}, {}}), Agreement::differs);
}

TEST(CompareKeys, keys_that_the_specification_does_not_have_are_not_compared) {
  Trace got = trace();
  auto& keys = got.outcomes[2].tensors[0].fields[static_cast<std::size_t>(Field::keys)];
  keys = Names{"AutogradCPU", "DenseCPU", "ADInplaceOrView", "SomethingNew"};
  EXPECT_EQ(held(got).verdict, Verdict::pass);
  for (const char* known : {"CPU", "DenseCPU", "AutogradCUDA", "ADInplaceOrView", "Dense"})
    EXPECT_TRUE(is_known_key(known)) << known;
  for (const char* unknown : {"", "CPUCPU", "AutogradFoo", "Conjug"}) EXPECT_FALSE(is_known_key(unknown)) << unknown;
}

}  // namespace
}  // namespace plumbline::compare_test
