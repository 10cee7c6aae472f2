// Comparing close values: each by the units of its own dtype, and unspecified values are counted.
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/compare.h"
#include "oracle/compare_reading.h"

namespace plumbline::compare_closeness_test {
namespace {

constexpr Slot kX{0};

Description exact() {
  Description d;
  d.name = "planted";
  d.fields.fill(Strictness::exact);
  d.thread.fill(Strictness::exact);
  return d;
}

Values rounded(double value) { return {{value}, {}, {}, {1e-300}}; }

/// The next float32 above 1, and the next float64.
const double kNextFloat = std::nextafter(1.0F, 2.0F);
const double kNextDouble = std::nextafter(1.0, 2.0);

Agreement agreement(double expected, double got, std::optional<Dtype> dtype, int ulps = 1) {
  return compare_reading(Field::values, rounded(expected), rounded(got),
                         Measure{Strictness::exact, Strictness::exact, Closeness{ulps}, dtype})
      .agreement;
}

TEST(Closeness, units_are_those_of_the_dtype) {
  EXPECT_EQ(agreement(1, kNextFloat, Dtype::float32), Agreement::same);
  EXPECT_EQ(agreement(1, kNextFloat, Dtype::float64), Agreement::differs);
  EXPECT_EQ(agreement(1, kNextDouble, Dtype::float64), Agreement::same);
}

TEST(Closeness, a_reading_of_unknown_dtype_is_float32_if_every_number_is_a_float32) {
  EXPECT_EQ(agreement(1, kNextFloat, {}), Agreement::same);
  EXPECT_EQ(agreement(1, 1 + 1e-9, {}), Agreement::differs) << "2 ^ 22 units of float64, 0 units of float32";
  EXPECT_EQ(agreement(1 + 1e-9, 1, {}), Agreement::differs);
  EXPECT_EQ(agreement(1, kNextDouble, {}), Agreement::same);
  const Values two{{1, 0.1}, {}, {}, {1e-300, 1e-300}};
  const Measure measure{Strictness::exact, Strictness::exact, Closeness{1}, {}};
  EXPECT_EQ(compare_reading(Field::values, two, Values{{kNextFloat, 0.1}, {}, {}, {}}, measure).agreement,
            Agreement::differs)
      << "0.1 is not a float32, so the others are not read as float32";
  EXPECT_EQ(compare_reading(Field::values, Values{{NAN, 1}, {}, {}, {1e-300, 1e-300}},
                            Values{{NAN, kNextFloat}, {}, {}, {}}, measure)
                .agreement,
            Agreement::same)
      << "NaN and infinity are float32 too";
}

TEST(Closeness, the_adapter_says_how_many_units_are_allowed) {
  const double two = std::nextafter(std::nextafter(1.0F, 2.0F), 2.0F);
  EXPECT_EQ(agreement(1, two, Dtype::float32, 2), Agreement::same);
  EXPECT_EQ(agreement(1, two, Dtype::float32, 1), Agreement::differs);
  EXPECT_EQ(agreement(1, kNextFloat, Dtype::float32, 0), Agreement::differs);
  EXPECT_EQ(agreement(-1, -two, Dtype::float32, 2), Agreement::same);
  EXPECT_EQ(agreement(-1, -two, Dtype::float32, 1), Agreement::differs);
}

TEST(Closeness, units_are_counted_from_number_to_number) {
  EXPECT_EQ(ulps_between(1, kNextFloat, Dtype::float32), 1U);
  EXPECT_EQ(ulps_between(kNextFloat, 1, Dtype::float32), 1U);
  EXPECT_EQ(ulps_between(1, kNextDouble, Dtype::float64), 1U);
  EXPECT_EQ(ulps_between(1, 1, Dtype::float64), 0U);
  EXPECT_EQ(ulps_between(NAN, NAN, Dtype::float32), 0U);
  EXPECT_EQ(ulps_between(NAN, 1, Dtype::float32), std::nullopt);
  EXPECT_EQ(ulps_between(1, NAN, Dtype::float32), std::nullopt);
  EXPECT_EQ(ulps_between(INFINITY, INFINITY, Dtype::float32), 0U);
  EXPECT_EQ(ulps_between(INFINITY, -INFINITY, Dtype::float32), std::nullopt);
  EXPECT_EQ(ulps_between(1, INFINITY, Dtype::float32), std::nullopt);
  EXPECT_EQ(ulps_between(INFINITY, 1, Dtype::float64), std::nullopt);
}

TEST(Closeness, units_of_halves_are_those_of_16_bits) {
  EXPECT_EQ(ulps_between(1, 1 + 0x1p-10, Dtype::float16), 1U);
  EXPECT_EQ(ulps_between(1, 1 + 0x1p-7, Dtype::bfloat16), 1U);
  EXPECT_EQ(ulps_between(1, 1 + 0x1p-7, Dtype::float16), 8U);
  EXPECT_EQ(ulps_between(-0x1p-24, 0x1p-24, Dtype::float16), 2U);
  EXPECT_EQ(ulps_between(0.0, -0.0, Dtype::bfloat16), 0U);
}

/// A trace with a reading and a snapshot of one tensor of this dtype with these values.
Trace seen(const char* dtype, Values values) {
  Trace trace;
  trace.outcomes.resize(3);
  for (std::size_t i = 0; i < 3; ++i) trace.outcomes[i].statement = i;
  trace.outcomes[1].tensors = {{kX, std::vector<Reading>(kFields, None{})}};
  std::vector<Reading>& fields = trace.outcomes[1].tensors[0].fields;
  fields[static_cast<std::size_t>(Field::dtype)] = std::string(dtype);
  fields[static_cast<std::size_t>(Field::values)] = values;
  trace.outcomes[2].reading = std::move(values);
  return trace;
}
Comparison compared(const Trace& expected, const Trace& got, int ulps = 1) {
  const Script script{{{MakeTensor{kX, Dtype::float64, {1}, {1}}, 1}, {Snapshot{}, 2}, {Read{kX, Field::values}, 3}},
                      {"x"}};
  Description description = exact();
  description.closeness.ulps = ulps;
  return compare(script, expected, got, description);
}

TEST(Closeness, a_snapshot_uses_the_dtype_of_the_tensor) {
  EXPECT_EQ(compared(seen("float32", rounded(1)), seen("float32", rounded(kNextFloat))).verdict, Verdict::pass);
  const Comparison wide = compared(seen("float64", rounded(1)), seen("float64", rounded(kNextFloat)));
  EXPECT_EQ(wide.verdict, Verdict::divergent);
  EXPECT_EQ(wide.differences.at(0).statement, 1U);
  EXPECT_EQ(compared(seen("float64", rounded(1)), seen("float64", rounded(kNextDouble))).verdict, Verdict::pass);
}

TEST(Closeness, readings_and_snapshots_use_the_adapters_closeness) {
  EXPECT_EQ(compared(seen("float64", rounded(1)), seen("float64", rounded(kNextDouble)), 0).verdict,
            Verdict::divergent);
  Trace snapshot_alone = seen("float64", rounded(1));
  snapshot_alone.outcomes[2].reading = rounded(kNextDouble);
  const Comparison reading = compared(seen("float64", rounded(1)), snapshot_alone, 0);
  ASSERT_EQ(reading.differences.size(), 1U);
  EXPECT_EQ(reading.differences[0].statement, 2U);
}

TEST(Free, each_statement_with_an_unspecified_value_is_counted_once) {
  const Values unknown{{1}, {}, {false}, {}};
  const Comparison both = compared(seen("float32", unknown), seen("float32", rounded(7)));
  EXPECT_EQ(both.verdict, Verdict::unspecified);
  EXPECT_EQ(both.statements, 3U);
  EXPECT_EQ(both.unspecified, 2U) << "the snapshot and the reading";
  EXPECT_EQ(
      both.message,
      "2 of 3 statements have a value that the specification does not define, the first: some elements in values of x");
  Trace one = seen("float32", rounded(1));
  one.outcomes[2].reading = Unspecified{"VER-10"};
  const Comparison last = compared(one, seen("float32", rounded(1)));
  EXPECT_EQ(last.unspecified, 1U);
  EXPECT_EQ(last.message,
            "1 of 3 statements have a value that the specification does not define, the first: values of x (VER-10)");
}

TEST(Free, an_unspecified_value_excuses_no_other_difference) {
  Trace free = seen("float32", Values{{1}, {}, {false}, {}});
  Trace got = seen("float64", rounded(7));
  const Comparison c = compared(free, got);
  EXPECT_EQ(c.verdict, Verdict::divergent);
  EXPECT_EQ(c.differences.at(0).field, Field::dtype);
}

}  // namespace
}  // namespace plumbline::compare_closeness_test
