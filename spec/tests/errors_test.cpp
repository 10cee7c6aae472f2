// The error classes: each message of PyTorch belongs to its class and to no other.
#include "spec/vocabulary/errors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "spec/tests/measured_errors_113.h"
#include "spec/tests/measured_errors_devices.h"
#include "spec/tests/measured_errors_functionalize.h"
#include "spec/tests/measured_errors_hooks.h"
#include "spec/tests/measured_errors_operators.h"
#include "spec/tests/measured_errors_transforms.h"

namespace plumbline::errors_test {
namespace {

/// All messages measured in PyTorch 2.13.0.
std::vector<Measured> measured_213() {
  std::vector<Measured> all(kMeasured.begin(), kMeasured.end());
  all.insert(all.end(), kMeasuredFunctionalized.begin(), kMeasuredFunctionalized.end());
  all.insert(all.end(), kMeasuredHooks.begin(), kMeasuredHooks.end());
  all.insert(all.end(), kMeasuredOperators.begin(), kMeasuredOperators.end());
  all.insert(all.end(), kMeasuredDevices.begin(), kMeasuredDevices.end());
  all.insert(all.end(), kMeasuredTransforms.begin(), kMeasuredTransforms.end());
  return all;
}

TEST(Errors, each_measured_message_belongs_to_its_class) {
  for (const Measured& m : measured_213())
    EXPECT_EQ(name_of(classify_error(m.message, "2.13")), name_of(m.error)) << m.message;
  for (const Measured& m : kMeasured113)
    EXPECT_EQ(name_of(classify_error(m.message, "1.13.1")), name_of(m.error)) << m.message;
}

TEST(Errors, a_message_of_one_release_is_not_one_of_another) {
  EXPECT_EQ(classify_error("invalid shape dimension -2", "2.13"), ErrorClass::unclassified);
  EXPECT_EQ(classify_error("Stride calculation overflowed", "1.13.1"), ErrorClass::unclassified);
}

TEST(Errors, no_message_fits_patterns_of_two_classes) {
  const auto classes = [](const Measured& m) {
    std::set<ErrorClass> fitting;
    for (const ErrorText& text : error_texts())
      if (fits(m.message, text.pattern)) fitting.insert(text.error);
    return fitting.size();
  };
  for (const Measured& m : measured_213()) EXPECT_EQ(classes(m), 1U) << m.message;
  for (const Measured& m : kMeasured113) EXPECT_EQ(classes(m), 1U) << m.message;
}

TEST(Errors, each_pattern_was_measured) {
  for (const ErrorText& text : error_texts()) {
    if (text.versions == "draft") continue;  // no PyTorch has it
    const auto begins = [&](std::string_view beginning) { return text.pattern.starts_with(beginning); };
    if (std::ranges::any_of(kNotProvoked, begins)) continue;
    bool measured = false;
    for (const Measured& m : measured_213()) measured |= fits(m.message, text.pattern);
    for (const Measured& m : kMeasured113) measured |= fits(m.message, text.pattern);
    EXPECT_TRUE(measured) << text.pattern;
  }
}

TEST(Errors, each_class_has_its_own_canonical_message) {
  for (auto error = ErrorClass::inference_inplace; error != ErrorClass::raised;
       error = static_cast<ErrorClass>(static_cast<int>(error) + 1)) {
    ASSERT_NE(canonical_text(error), nullptr) << name_of(error);
    const std::string_view versions = canonical_text(error)->versions;
    EXPECT_EQ(classify_error(error_message(error, {}), versions.substr(0, versions.find(' '))), error)
        << name_of(error);
  }
}

TEST(Errors, success_foreign_errors_and_unclassified_have_no_message) {
  EXPECT_EQ(error_message(ErrorClass::by_schema, {"x"}), "");
  EXPECT_EQ(error_message(ErrorClass::none, {"x"}), "");
  EXPECT_EQ(error_message(ErrorClass::raised, {"x"}), "");
  EXPECT_EQ(error_message(ErrorClass::unclassified, {"x"}), "");
}

TEST(Errors, names_and_classes_correspond) {
  for (auto error = ErrorClass::none; error <= ErrorClass::unclassified;
       error = static_cast<ErrorClass>(static_cast<int>(error) + 1))
    EXPECT_EQ(error_named(name_of(error)), error);
  EXPECT_EQ(name_of(ErrorClass::view_multi_output), "view_multi_output");
  EXPECT_EQ(error_named("no such class"), ErrorClass::unclassified);
}

TEST(Errors, unknown_text_is_unclassified) {
  for (const std::string_view text :
       {"", "Dimension out of range", "a leaf Variable that requires grad is being used in an in-place operation.!",
        "Output 0 of View is a view", "CUDA error: an illegal memory access was encountered"})
    EXPECT_EQ(classify_error(text, "2.13"), ErrorClass::unclassified) << text;
}

TEST(Errors, the_version_decides_which_texts_are_tried) {
  constexpr std::string_view message = "Inference tensors do not track version counter.";
  EXPECT_EQ(classify_error(message, "2.13.0"), ErrorClass::inference_version);
  EXPECT_EQ(classify_error(message, "2.13.0+cpu"), ErrorClass::inference_version);
  EXPECT_EQ(classify_error(message, "2.130"), ErrorClass::unclassified);
  EXPECT_EQ(classify_error(message, "2.1"), ErrorClass::unclassified);
}

TEST(Errors, a_hole_of_a_pattern_matches_any_text) {
  EXPECT_TRUE(fits("a1b22c", "a{}b{}c"));
  EXPECT_TRUE(fits("abc", "a{}b{}c"));
  EXPECT_TRUE(fits("abcbc", "a{}b{}c"));
  EXPECT_TRUE(fits("anything", "{}"));
  EXPECT_TRUE(fits("", "{}"));
  EXPECT_FALSE(fits("a1c", "a{}b{}c"));
  EXPECT_FALSE(fits("a1b2c!", "a{}b{}c"));
  EXPECT_FALSE(fits("!a1b2c", "a{}b{}c"));
  EXPECT_FALSE(fits("ab", "{}b{}b"));
  EXPECT_FALSE(fits("aba", "ab{}ba"));  // the texts before and after the hole must not overlap
}

TEST(Errors, a_message_is_filled_in_order) {
  EXPECT_EQ(error_message(ErrorClass::dim_range, {"-2", "1", "2"}),
            "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
  EXPECT_EQ(error_message(ErrorClass::dim_range, {"-2"}),
            "Dimension out of range (expected to be in range of [-2, …], but got …)");
  EXPECT_EQ(error_message(ErrorClass::leaf_inplace, {"unused"}),
            "a leaf Variable that requires grad is being used in an in-place operation.");
}

}  // namespace
}  // namespace plumbline::errors_test
