// The error classes by name, and PyTorch's messages for them.
#include "spec/vocabulary/errors.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "spec/vocabulary/error_texts.h"

namespace plumbline {

namespace {

constexpr std::size_t kClasses = static_cast<std::size_t>(ErrorClass::unclassified) + 1;
constexpr auto kNames = std::to_array<std::string_view>({
    "none",
    "inference_inplace",
    "inference_saved",
    "inference_requires_grad",
    "inference_version",
    "view_inference_mode",
    "view_no_grad",
    "view_multi_output",
    "stale_view_inference_mode",
    "stale_view_no_grad",
    "stale_view_multi_output",
    "leaf_inplace",
    "view_of_leaf_inplace",
    "not_a_leaf",
    "grad_dtype",
    "overlap_internal",
    "overlap_partial",
    "dim_range",
    "index_range",
    "range",
    "shape",
    "view_stride",
    "storage_bounds",
    "dtype_cast",
    "dim_repeated",
    "dtype_mismatch",
    "number_cast",
    "option",
    "device",
    "memory",
    "unpack",
    "inference_mixed",
    "inference_view",
    "inference_view_used",
    "saved_modified",
    "no_graph",
    "input_requires_no_grad",
    "input_unused",
    "hook_requires_no_grad",
    "hook_not_leaf",
    "hook_result",
    "pack_writes",
    "view_custom_function",
    "stale_view_custom_function",
    "custom_function",
    "saved_detached",
    "backward_twice",
    "grad_not_scalar",
    "grad_shape",
    "retain_grad",
    "detach_view",
    "out_requires_grad",
    "resize_requires_grad",
    "no_derivative",
    "leaf_moved",
    "dtype_op",
    "no_kernel",
    "unknown_operator",
    "defined_twice",
    "library_kind",
    "unknown_key",
    "fallback_twice",
    "alias_query",
    "ambiguous_kernels",
    "captured_write",
    "not_functional",
    "mapped_write",
    "mapped_out",
    "mapped_none",
    "mapped_random",
    "mapped_sizes",
    "mapped_dim",
    "mapped_nothing",
    "mapped_outside",
    "grad_scalar",
    "grad_write",
    "grad_argnum",
    "grad_argnums",
    "math_bit",
    "internal",
    "raised",
    "by_schema",
    "unclassified",
});
static_assert(kNames.size() == kClasses, "each error class has its name here, in the order of the enumerators");

constexpr std::string_view kHole = "{}";

/// Whether `version` ("2.13.0", "2.13.0+cpu", "2.13.0a0") is a release of `series` ("2.13").
bool is_release_of(std::string_view version, std::string_view series) {
  if (!version.starts_with(series)) return false;
  version.remove_prefix(series.size());
  return version.empty() || version[0] == '.' || version[0] == '+';
}

}  // namespace

std::string_view name_of(ErrorClass error) { return kNames[static_cast<std::size_t>(error)]; }

ErrorClass error_named(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  return found == kNames.end() ? ErrorClass::unclassified : static_cast<ErrorClass>(found - kNames.begin());
}

const ErrorText* canonical_text(ErrorClass error) {
  const auto texts = error_texts();
  const auto found = std::ranges::find(texts, error, &ErrorText::error);
  return found == texts.end() ? nullptr : &*found;
}

std::string fill(std::string_view pattern, std::span<const std::string> parts) {
  std::string text;
  for (std::size_t hole = pattern.find(kHole); hole != std::string_view::npos; hole = pattern.find(kHole)) {
    text.append(pattern.substr(0, hole)).append(parts.empty() ? "…" : parts.front());
    if (!parts.empty()) parts = parts.subspan(1);
    pattern.remove_prefix(hole + kHole.size());
  }
  return text.append(pattern);
}

std::string message_beginning(ErrorClass error, std::string_view beginning, std::initializer_list<std::string> parts) {
  for (const ErrorText& text : error_texts())
    if (text.error == error && text.pattern.starts_with(beginning))
      return fill(text.pattern, {parts.begin(), parts.size()});
  throw std::logic_error("no error text of this class begins with: " + std::string(beginning));
}

bool is_of(const ErrorText& text, std::string_view version) {
  for (std::string_view rest = text.versions; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (is_release_of(version, rest.substr(0, end))) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

std::string error_message(ErrorClass error, std::initializer_list<std::string> parts) {
  const ErrorText* text = canonical_text(error);
  return text == nullptr ? std::string() : fill(text->pattern, {parts.begin(), parts.size()});
}

bool fits(std::string_view message, std::string_view pattern) {
  // The message begins with the text before the first hole, ends with the text after the last one, and has the other
  // texts between them in order.
  std::size_t hole = pattern.find(kHole);
  if (hole == std::string_view::npos) return message == pattern;
  if (!message.starts_with(pattern.substr(0, hole))) return false;
  message.remove_prefix(hole);
  for (;;) {
    pattern.remove_prefix(hole + kHole.size());
    hole = pattern.find(kHole);
    if (hole == std::string_view::npos) return message.ends_with(pattern);
    const std::size_t found = message.find(pattern.substr(0, hole));
    if (found == std::string_view::npos) return false;
    message.remove_prefix(found + hole);
  }
}

ErrorClass classify_error(std::string_view message, std::string_view version) {
  for (const ErrorText& text : error_texts())
    if (is_of(text, version) && fits(message, text.pattern)) return text.error;
  return ErrorClass::unclassified;
}

}  // namespace plumbline
