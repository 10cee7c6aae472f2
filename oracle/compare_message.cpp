// Comparing the messages of two errors of one class.
#include "oracle/compare_message.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "spec/vocabulary/errors.h"

namespace plumbline {

namespace {

/// Texts with one meaning: most are worded once in Python's wrapper and once in the C++ below it.
constexpr std::array<std::array<std::string_view, 2>, 7> kTwins{{
    // PyTorch names the node that made the saved tensor while the node still exists.
    {"one of the variables needed for gradient computation has been modified by an inplace operation: [{}] is at "
     "version {}; expected version {} instead. Hint: {}",
     "one of the variables needed for gradient computation has been modified by an inplace operation: [{}], which is "
     "output {} of {}, is at version {}; expected version {} instead. Hint: {}"},
    // These differ in which of two products overflows first.
    {"Storage size calculation overflowed with sizes={}", "numel: integer multiplication overflow"},
    {"only Tensors of floating point dtype can require gradients",
     "only Tensors of floating point and complex dtype can require gradients"},
    {"Only Tensors of floating point and complex dtype can require gradients",
     "only Tensors of floating point and complex dtype can require gradients"},
    {"only Tensors of floating point dtype can require gradients",
     "Only Tensors of floating point and complex dtype can require gradients"},
    {"One of the differentiated Tensors does not require grad",
     "element {} of the input tensors does not require grad"},
    {"The differentiated Tensor at index {} appears to not have been used in the graph. Set allow_unused=True if this "
     "is the desired behavior.",
     "element {}of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if "
     "this is the desired behavior."},
}};

bool are_twins(std::string_view a, std::string_view b) {
  return std::ranges::any_of(
      kTwins, [&](const auto& twin) { return (a == twin[0] && b == twin[1]) || (a == twin[1] && b == twin[0]); });
}

const ErrorText* text_of(const Failure& failure) {
  const auto texts = error_texts();
  const auto found = std::ranges::find_if(
      texts, [&](const ErrorText& text) { return text.error == failure.error && fits(failure.message, text.pattern); });
  return found == texts.end() ? nullptr : &*found;
}

/// The texts that fill the holes of a pattern, in order.
std::vector<std::string_view> parts_of(std::string_view message, std::string_view pattern) {
  std::vector<std::string_view> parts;
  std::size_t hole = pattern.find("{}");
  message.remove_prefix(std::min(hole, message.size()));
  while (hole != std::string_view::npos) {
    pattern.remove_prefix(hole + 2);
    hole = pattern.find("{}");
    const std::string_view after = pattern.substr(0, hole);
    const std::size_t end = hole == std::string_view::npos ? message.size() - after.size() : message.find(after);
    parts.push_back(message.substr(0, end));
    message.remove_prefix(end + after.size());
  }
  return parts;
}

/// A part that has only numbers, "3" or "[2, -1]", in one normal form.
std::optional<std::string> numbers_in(std::string_view part) {
  constexpr std::string_view size = "torch.Size(";
  if (part.starts_with(size) && part.ends_with(")")) part = part.substr(size.size(), part.size() - size.size() - 1);
  if (part.find_first_not_of("-0123456789., []") != std::string_view::npos) return std::nullopt;
  return std::string(part);
}

bool same_numbers(std::string_view expected, std::string_view got) {
  const auto wanted = numbers_in(expected);
  const auto found = numbers_in(got);
  return !wanted || !found || *wanted == *found;
}

}  // namespace

std::string_view release_worded_by(const Description& description) {
  return description.profile == "torch-1.13" ? "1.13" : "2.13";
}

bool same_words(const Failure& expected, const Failure& got, std::string_view version) {
  if (expected.message == got.message) return true;
  const ErrorText* wanted = text_of(expected);
  const ErrorText* found = text_of(got);
  if (wanted == nullptr || found == nullptr) return false;
  if (wanted != found) return are_twins(wanted->pattern, found->pattern) || !is_of(*wanted, version);
  return std::ranges::equal(parts_of(expected.message, wanted->pattern), parts_of(got.message, found->pattern),
                            same_numbers);
}

}  // namespace plumbline
