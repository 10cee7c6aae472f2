// The version of the LibTorch that this is built against, and every difference between the versions' headers.
#pragma once

#include <c10/util/Exception.h>
#include <c10/util/Optional.h>
#include <torch/version.h>

#include <optional>
#include <string_view>

namespace plumbline::libtorch {

/// The series that names profiles and error texts: "1.13", "2.13".
inline constexpr std::string_view kTorchSeries = PLUMBLINE_LIBTORCH_SERIES;

namespace detail {
constexpr int number_at(std::string_view text, std::size_t& at) {
  int number = 0;
  for (; at < text.size() && text[at] != '.'; ++at) number = number * 10 + (text[at] - '0');
  ++at;
  return number;
}
constexpr bool headers_are_of(std::string_view series) {
  std::size_t at = 0;
  return number_at(series, at) == TORCH_VERSION_MAJOR && number_at(series, at) == TORCH_VERSION_MINOR;
}
}  // namespace detail
static_assert(detail::headers_are_of(kTorchSeries), "the headers of another LibTorch come first on the include path");

#if TORCH_VERSION_MAJOR >= 2
using c10::BufferError;
using c10::SyntaxError;
#else
/// 1.13 has neither; nothing throws these.
struct BufferError : c10::Error {};
struct SyntaxError : c10::Error {};
#endif

/// The dispatch key of a library without a key.
#if TORCH_VERSION_MAJOR >= 2
inline constexpr auto kNoKey = std::nullopt;
#else
inline constexpr auto kNoKey = c10::nullopt;
#endif

/// Whether Python's `x.set_(y)` fails an assertion for another dtype, instead of raising an error about it.
inline constexpr bool kSetAssertsDtype = TORCH_VERSION_MAJOR < 2;

/// Whether backward() without a gradient refuses a tensor of a dtype that is not real.
inline constexpr bool kImplicitGradientIsReal = TORCH_VERSION_MAJOR >= 2;

/// Whether leaves have hooks after accumulation.
#define PLUMBLINE_LIBTORCH_HAS_HOOKS_AFTER (TORCH_VERSION_MAJOR >= 2)

/// Whether a tensor has a `grad_dtype`: the errors of `x.grad = y` then have other words.
inline constexpr bool kHasGradDtype = TORCH_VERSION_MAJOR >= 2;

}  // namespace plumbline::libtorch
