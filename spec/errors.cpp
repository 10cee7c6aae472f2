// The error classes by name, and PyTorch's messages for them.
#include "spec/errors.h"

namespace plumbline {

namespace {

constexpr std::size_t kClasses = static_cast<std::size_t>(ErrorClass::unclassified) + 1;
constexpr std::array<std::string_view, kClasses> kNames{
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
    "unclassified",
};

constexpr std::string_view kHole = "{}";

constexpr ErrorText kTexts[] = {
    {ErrorClass::inference_inplace, "2.13", "RuntimeError", "Inplace update to inference tensor outside InferenceMode is not allowed.{}"},
};

}  // namespace

std::string_view name_of(ErrorClass error) { return kNames[static_cast<std::size_t>(error)]; }

ErrorClass error_named(std::string_view name) {
  for (std::size_t i = 0; i < kClasses; ++i)
    if (kNames[i] == name) return static_cast<ErrorClass>(i);
  return ErrorClass::unclassified;
}

bool fits(std::string_view message, std::string_view pattern) {
  // The text before the first hole begins the message, that behind the last ends it, the others follow in order.
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

std::span<const ErrorText> error_texts() { return kTexts; }

ErrorClass classify_error(std::string_view message, std::string_view version) {
  for (const ErrorText& text : error_texts())
    if (text.version == version && fits(message, text.pattern)) return text.error;
  return ErrorClass::unclassified;
}

}  // namespace plumbline
