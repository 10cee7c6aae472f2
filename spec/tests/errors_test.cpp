// The error classes: each message of PyTorch 2.13.0 belongs to its class, and nothing else does.
#include "spec/errors.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "spec/tests/measured_errors_113.h"
#include "spec/tests/measured_errors_functionalize.h"

namespace plumbline {
namespace {

/// All that PyTorch 2.13.0 gave.
std::vector<Measured> measured_213() {
  std::vector<Measured> all(kMeasured.begin(), kMeasured.end());
  all.insert(all.end(), kMeasuredFunctionalized.begin(), kMeasuredFunctionalized.end());
  return all;
}

TEST(Errors, EachMeasuredMessageBelongsToItsClass) {
  for (const Measured& m : measured_213())
    EXPECT_EQ(name_of(classify_error(m.message, "2.13")), name_of(m.error)) << m.message;
  for (const Measured& m : kMeasured113)
    EXPECT_EQ(name_of(classify_error(m.message, "1.13.1")), name_of(m.error)) << m.message;
}

TEST(Errors, AMessageOfOneReleaseIsNoneOfAnother) {
  EXPECT_EQ(classify_error("invalid shape dimension -2", "2.13"), ErrorClass::unclassified);
  EXPECT_EQ(classify_error("Stride calculation overflowed", "1.13.1"), ErrorClass::unclassified);
}

TEST(Errors, NoMessageFitsPatternsOfTwoClasses) {
  const auto classes = [](const Measured& m) {
    std::set<ErrorClass> fitting;
    for (const ErrorText& text : error_texts())
      if (fits(m.message, text.pattern)) fitting.insert(text.error);
    return fitting.size();
  };
  for (const Measured& m : measured_213()) EXPECT_EQ(classes(m), 1U) << m.message;
  for (const Measured& m : kMeasured113) EXPECT_EQ(classes(m), 1U) << m.message;
}

TEST(Errors, EachPatternWasMeasured) {
  for (const ErrorText& text : error_texts()) {
    if (text.versions == "draft") continue;  // no PyTorch has it
    bool measured = false;
    for (const Measured& m : measured_213()) measured |= fits(m.message, text.pattern);
    for (const Measured& m : kMeasured113) measured |= fits(m.message, text.pattern);
    EXPECT_TRUE(measured) << text.pattern;
  }
}

TEST(Errors, EachClassHasACanonicalMessageOfItsOwn) {
  for (auto error = ErrorClass::inference_inplace; error != ErrorClass::unclassified;
       error = static_cast<ErrorClass>(static_cast<int>(error) + 1)) {
    ASSERT_NE(canonical_text(error), nullptr) << name_of(error);
    const std::string_view versions = canonical_text(error)->versions;
    EXPECT_EQ(classify_error(error_message(error, {}), versions.substr(0, versions.find(' '))), error)
        << name_of(error);
  }
}

TEST(Errors, SuccessAndUnclassifiedHaveNoMessage) {
  EXPECT_EQ(error_message(ErrorClass::none, {"x"}), "");
  EXPECT_EQ(error_message(ErrorClass::unclassified, {"x"}), "");
}

TEST(Errors, NamesAndClassesCorrespond) {
  for (auto error = ErrorClass::none; error <= ErrorClass::unclassified;
       error = static_cast<ErrorClass>(static_cast<int>(error) + 1))
    EXPECT_EQ(error_named(name_of(error)), error);
  EXPECT_EQ(name_of(ErrorClass::view_multi_output), "view_multi_output");
  EXPECT_EQ(error_named("no such class"), ErrorClass::unclassified);
}

TEST(Errors, UnknownTextIsUnclassified) {
  for (const std::string_view text :
       {"", "Dimension out of range", "a leaf Variable that requires grad is being used in an in-place operation.!",
        "Output 0 of View is a view", "CUDA error: an illegal memory access was encountered"})
    EXPECT_EQ(classify_error(text, "2.13"), ErrorClass::unclassified) << text;
}

TEST(Errors, TheVersionDecidesWhichTextsAreTried) {
  constexpr std::string_view message = "Inference tensors do not track version counter.";
  EXPECT_EQ(classify_error(message, "2.13.0"), ErrorClass::inference_version);
  EXPECT_EQ(classify_error(message, "2.13.0+cpu"), ErrorClass::inference_version);
  EXPECT_EQ(classify_error(message, "2.130"), ErrorClass::unclassified);
  EXPECT_EQ(classify_error(message, "2.1"), ErrorClass::unclassified);
}

TEST(Errors, APatternsHolesTakeAnyText) {
  EXPECT_TRUE(fits("a1b22c", "a{}b{}c"));
  EXPECT_TRUE(fits("abc", "a{}b{}c"));
  EXPECT_TRUE(fits("abcbc", "a{}b{}c"));
  EXPECT_TRUE(fits("anything", "{}"));
  EXPECT_TRUE(fits("", "{}"));
  EXPECT_FALSE(fits("a1c", "a{}b{}c"));
  EXPECT_FALSE(fits("a1b2c!", "a{}b{}c"));
  EXPECT_FALSE(fits("!a1b2c", "a{}b{}c"));
  EXPECT_FALSE(fits("ab", "{}b{}b"));
  EXPECT_FALSE(fits("aba", "ab{}ba"));  // the text before the hole and that behind it do not overlap
}

TEST(Errors, AMessageIsFilledInOrder) {
  EXPECT_EQ(error_message(ErrorClass::dim_range, {"-2", "1", "2"}),
            "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
  EXPECT_EQ(error_message(ErrorClass::dim_range, {"-2"}),
            "Dimension out of range (expected to be in range of [-2, …], but got …)");
  EXPECT_EQ(error_message(ErrorClass::leaf_inplace, {"unused"}),
            "a leaf Variable that requires grad is being used in an in-place operation.");
}

}  // namespace
}  // namespace plumbline
