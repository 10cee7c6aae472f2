// Comparing the messages of two errors of one class.
#include "oracle/compare_message.h"

#include <gtest/gtest.h>

#include "oracle/compare_reading.h"

namespace plumbline::compare_message_test {

namespace {

Failure range(std::string message) { return {ErrorClass::dim_range, std::move(message), "IndexError"}; }

TEST(CompareMessage, one_text_with_the_same_numbers_says_the_same) {
  const Failure wanted = range("Dimension out of range (expected to be in range of [-1, 0], but got 3)");
  EXPECT_TRUE(same_words(wanted, wanted, "2.13"));
}

TEST(CompareMessage, other_numbers_say_something_else) {
  EXPECT_FALSE(same_words(range("Dimension out of range (expected to be in range of [-1, 0], but got 3)"),
                          range("Dimension out of range (expected to be in range of [-2, 1], but got 3)"), "2.13"));
}

TEST(CompareMessage, another_text_of_the_class_says_something_else) {
  EXPECT_FALSE(same_words(range("select() cannot be applied to a 0-dim tensor."),
                          range("slice() cannot be applied to a 0-dim tensor."), "2.13"));
}

TEST(CompareMessage, a_text_that_pytorch_does_not_have_says_something_else) {
  EXPECT_FALSE(same_words(range("select() cannot be applied to a 0-dim tensor."), range("no such dimension"), "2.13"));
}

TEST(CompareMessage, names_are_the_implementations_own) {
  const auto custom = [](const std::string& name) {
    return Failure{ErrorClass::grad_shape,
                   "Function " + name +
                       " returned an invalid gradient at index 0 - got [2] but expected shape compatible with [3]",
                   "RuntimeError"};
  };
  EXPECT_TRUE(same_words(custom("F1Backward"), custom("CppNode<F1>"), "2.13"));
}

TEST(CompareMessage, sizes_are_the_same_in_pythons_words) {
  const auto mismatch = [](const std::string& size) {
    return Failure{
        ErrorClass::grad_shape,
        "Mismatch in shape: grad_output[0] has a shape of " + size + " and output[0] has a shape of " + size + ".",
        "RuntimeError"};
  };
  EXPECT_TRUE(same_words(mismatch("torch.Size([2, 1])"), mismatch("[2, 1]"), "2.13"));
  EXPECT_FALSE(same_words(mismatch("torch.Size([2, 1])"), mismatch("[2, 2]"), "2.13"));
}

TEST(CompareMessage, pythons_wrapper_and_the_cpp_below_it_say_the_same) {
  const Failure python{ErrorClass::grad_dtype, "only Tensors of floating point dtype can require gradients",
                       "RuntimeError"};
  const Failure cpp{ErrorClass::grad_dtype, "only Tensors of floating point and complex dtype can require gradients",
                    "RuntimeError"};
  EXPECT_TRUE(same_words(python, cpp, "2.13"));
}

TEST(CompareMessage, a_text_that_the_release_does_not_have_is_not_compared) {
  const Failure newer{ErrorClass::range, "zeros: Dimension size must be non-negative.", "RuntimeError"};
  const Failure older{ErrorClass::range, "Trying to create tensor with negative dimension -1: [-1]", "RuntimeError"};
  EXPECT_TRUE(same_words(newer, older, "1.13"));
  EXPECT_FALSE(same_words(newer, older, "2.13"));
}

TEST(CompareMessage, messages_count_only_if_errors_are_compared_exactly) {
  const Failure select = range("select() cannot be applied to a 0-dim tensor.");
  const Failure slice = range("slice() cannot be applied to a 0-dim tensor.");
  EXPECT_FALSE(same_failure(select, slice, Strictness::exact, "2.13"));
  EXPECT_TRUE(same_failure(select, slice, Strictness::classes, "2.13"));
}

}  // namespace

}  // namespace plumbline::compare_message_test
