// The errors if a view's creation metadata forbids a recorded write.
#include "optimized/autograd/view_errors.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

using enum ErrorClass;

/// By creation metadata, from IN_CUSTOM_FUNCTION on: for a write to the view itself, and for an earlier write to its
/// base.
constexpr std::array<std::array<ErrorClass, 2>, 4> kErrors{{{view_custom_function, stale_view_custom_function},
                                                            {view_multi_output, stale_view_multi_output},
                                                            {view_no_grad, stale_view_no_grad},
                                                            {view_inference_mode, stale_view_inference_mode}}};

/// PyTorch has two messages: for a view that is the output of a node, and for one that is not.
[[noreturn]] void raise_view(const AutogradMeta& view, bool stale) {
  const ErrorClass error = kErrors.at(static_cast<std::size_t>(view.creation) - 1).at(stale ? 1 : 0);
  const auto node = view.grad_fn ? view.grad_fn->named(view.output) : std::nullopt;
  const bool recorded = node.has_value();
  const auto texts = error_texts();
  const auto text = std::ranges::find_if(
      texts, [&](const ErrorText& one) { return one.error == error && one.pattern.starts_with("Output") == recorded; });
  if (text == texts.end()) raise(error);
  if (!recorded) raise_saying(error, fill(text->pattern, {}));
  const std::array<std::string, 2> parts{std::to_string(node->first), node->second};
  raise_saying(error, fill(text->pattern, parts));
}

}  // namespace

void raise_written_view(const AutogradMeta& view) { raise_view(view, false); }
void raise_stale_view(const AutogradMeta& view) { raise_view(view, true); }

}  // namespace plumbline::optimized
