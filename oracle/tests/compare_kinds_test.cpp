// Comparing readings by their kinds: every two kinds differ, and a difference names both kinds.
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/compare_reading.h"

namespace plumbline::compare_kinds_test {
namespace {

using Integers = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

ReadingComparison compared(const Reading& expected, const Reading& got, Field field = Field::version,
                           Strictness strictness = Strictness::exact, Strictness errors = Strictness::exact) {
  return compare_reading(field, expected, got, Measure{strictness, errors, Closeness{4}, Dtype::float32});
}

/// One reading of each kind that has content.
std::vector<Reading> kinds() {
  return {None{},      true,         std::int64_t{1},         std::string("a"),
          Integers{1}, Names{"CPU"}, Values{{1}, {}, {}, {}}, Failure{ErrorClass::shape, "in words", "RuntimeError"}};
}

TEST(Kinds, a_reading_equals_itself_and_no_reading_of_another_kind) {
  for (std::size_t i = 0; i < kinds().size(); ++i)
    for (std::size_t j = 0; j < kinds().size(); ++j)
      EXPECT_EQ(compared(kinds()[i], kinds()[j]).agreement, i == j ? Agreement::same : Agreement::differs) << i << j;
  EXPECT_EQ(compared(true, false).agreement, Agreement::differs);
  EXPECT_EQ(compared(std::int64_t{1}, std::int64_t{2}).agreement, Agreement::differs);
  EXPECT_EQ(compared(Integers{1, 2}, Integers{2, 1}).agreement, Agreement::differs);
  EXPECT_EQ(compared(std::string("a"), std::string("b")).agreement, Agreement::differs);
}

TEST(Kinds, a_difference_names_both_kinds) {
  const auto shape = [](const Reading& expected, const Reading& got, Field field = Field::version) {
    return compared(expected, got, field).shape;
  };
  EXPECT_EQ(shape(true, false), "true -> false");
  EXPECT_EQ(shape(false, true), "false -> true");
  EXPECT_EQ(shape(None{}, std::int64_t{1}), "none -> value");
  EXPECT_EQ(shape(std::int64_t{1}, None{}), "value -> none");
  EXPECT_EQ(shape(std::int64_t{1}, std::int64_t{2}), "") << "both are numbers";
  EXPECT_EQ(shape(std::string("a"), std::string("b")), "a -> b");
  EXPECT_EQ(shape(std::int64_t{1}, Unspecified{"VER-10"}), "value -> unspecified");
  EXPECT_EQ(shape(std::int64_t{1}, Failure{ErrorClass::shape, "", ""}), "value -> shape");
  EXPECT_EQ(shape(Failure{ErrorClass::shape, "", ""}, std::int64_t{1}), "shape -> value");
  EXPECT_EQ(shape(std::int64_t{-1}, std::int64_t{0}, Field::base), "none -> slot");
  EXPECT_EQ(shape(std::int64_t{1}, std::int64_t{-2}, Field::base), "slot -> elsewhere");
  EXPECT_EQ(shape(std::int64_t{-2}, std::int64_t{-1}, Field::base), "elsewhere -> none");
  EXPECT_EQ(shape(std::int64_t{-1}, std::int64_t{-2}), "") << "only a base has these shapes";
  EXPECT_EQ(shape(Names{"CPU"}, None{}, Field::keys), "value -> none");
  EXPECT_EQ(shape(None{}, Names{"CPU"}, Field::keys), "none -> value");
  EXPECT_EQ(difference_shape(Field::version, Reading(), std::int64_t{1}), "unsupported -> value");
}

TEST(Kinds, a_field_that_is_not_compared_is_ignored_and_a_field_that_is_not_shown_is_reported) {
  const Failure error{ErrorClass::shape, "", ""}, other{ErrorClass::leaf_inplace, "", ""};
  const std::int64_t one = 1;
  EXPECT_EQ(compared(one, std::int64_t{2}, Field::version, Strictness::ignore).agreement, Agreement::ignored);
  EXPECT_EQ(compared(one, {}).agreement, Agreement::unsupported);
  EXPECT_EQ(compared(Unspecified{"VER-10"}, {}).agreement, Agreement::unsupported);
  EXPECT_EQ(compared(Unspecified{"VER-10"}, one).agreement, Agreement::unspecified);
  EXPECT_EQ(compared(Unspecified{"VER-10"}, error).agreement, Agreement::unspecified);
  EXPECT_EQ(compared(one, std::int64_t{2}, Field::version, Strictness::kind).agreement, Agreement::same);
  EXPECT_EQ(compared(one, error, Field::version, Strictness::kind).agreement, Agreement::differs);
  EXPECT_EQ(compared(error, one, Field::version, Strictness::kind).agreement, Agreement::differs);
  EXPECT_EQ(compared(error, other, Field::version, Strictness::kind).agreement, Agreement::same);
  EXPECT_EQ(compared(error, other).agreement, Agreement::differs);
  EXPECT_EQ(compared(error, other, Field::version, Strictness::exact, Strictness::kind).agreement, Agreement::same);
  EXPECT_EQ(compared(error, other, Field::version, Strictness::exact, Strictness::ignore).agreement,
            Agreement::ignored);
  EXPECT_EQ(compared(one, error, Field::version, Strictness::exact, Strictness::ignore).agreement, Agreement::ignored);
  EXPECT_EQ(compared(error, error).agreement, Agreement::same);
  EXPECT_EQ(compared(one, one).shape, "");
}

TEST(Kinds, errors_are_compared_by_their_strictness) {
  using enum ErrorClass;
  for (const Strictness strictness : {Strictness::kind, Strictness::exact}) {
    EXPECT_TRUE(same_error(none, none, strictness));
    EXPECT_FALSE(same_error(none, shape, strictness));
    EXPECT_FALSE(same_error(shape, none, strictness));
    EXPECT_TRUE(same_error(shape, shape, strictness));
  }
  EXPECT_TRUE(same_error(none, shape, Strictness::ignore));
  EXPECT_TRUE(same_error(shape, leaf_inplace, Strictness::kind));
  EXPECT_FALSE(same_error(shape, leaf_inplace, Strictness::exact));
  EXPECT_TRUE(same_error(unclassified, unclassified, Strictness::kind));
  EXPECT_FALSE(same_error(unclassified, unclassified, Strictness::exact));
}

Agreement values(const Values& expected, const Values& got) { return compared(expected, got, Field::values).agreement; }

TEST(Elements, nan_equals_only_nan) {
  for (const double bound : {0.0, 0.5, 1e300}) {
    EXPECT_EQ(values({{NAN}, {}, {}, {bound}}, {{1}, {}, {}, {}}), Agreement::differs) << bound;
    EXPECT_EQ(values({{1}, {}, {}, {bound}}, {{NAN}, {}, {}, {}}), Agreement::differs) << bound;
    EXPECT_EQ(values({{NAN}, {}, {}, {bound}}, {{-NAN}, {}, {}, {}}), Agreement::same) << bound;
  }
}

TEST(Elements, each_element_has_its_own_bound_and_its_own_known_flag) {
  const Values expected{{1, 2, 3}, {}, {true, false, true}, {0, 0, 0.5}};
  EXPECT_EQ(values(expected, {{1, 9, 3.5}, {}, {}, {}}), Agreement::unspecified);
  EXPECT_EQ(values(expected, {{1.25, 9, 3.5}, {}, {}, {}}), Agreement::differs);
  EXPECT_EQ(values(expected, {{1, 9, 3.75}, {}, {}, {}}), Agreement::differs);
  const Values all{{1, 2}, {}, {true, true}, {}};
  EXPECT_EQ(values(all, {{1, 2}, {}, {}, {}}), Agreement::same);
  const Values last{{1, 2}, {}, {false, true}, {}};
  EXPECT_EQ(values(last, {{7, 2}, {}, {}, {}}), Agreement::unspecified) << "a known element after it changes nothing";
}

TEST(Elements, integers_and_their_number_are_compared) {
  const Values expected{{}, {1, 2}, {}, {}};
  EXPECT_EQ(values(expected, expected), Agreement::same);
  EXPECT_EQ(values(expected, {{}, {1, 3}, {}, {}}), Agreement::differs);
  EXPECT_EQ(values(expected, {{}, {1}, {}, {}}), Agreement::differs);
  EXPECT_EQ(values(expected, {{1, 2}, {}, {}, {}}), Agreement::differs);
  EXPECT_EQ(values({{}, {1, 2}, {false, true}, {}}, {{}, {9, 2}, {}, {}}), Agreement::unspecified);
  EXPECT_EQ(values({{}, {1, 2}, {false, true}, {}}, {{}, {9, 3}, {}, {}}), Agreement::differs);
}

TEST(Keys, keys_are_known_by_backend_by_functionality_and_by_both) {
  for (const char* known : {"CPU", "CUDA", "Meta", "ADInplaceOrView", "AutogradCPU", "AutogradMeta", "SparseCPU",
                            "Dense", "DenseCUDA", "Negative", "Functionalize"})
    EXPECT_TRUE(is_known_key(known)) << known;
  for (const char* unknown :
       {"", "AutogradAutograd", "ADInplaceOrViewCPU", "NegativeCPU", "Autogradcpu", "cpu", "CPUDense"})
    EXPECT_FALSE(is_known_key(unknown)) << unknown;
}

}  // namespace
}  // namespace plumbline::compare_kinds_test
