// A tensor's metadata for the rules: keys, version counter, view tracking and autograd flags.
#pragma once

#include <array>
#include <string_view>

#include "spec/vocabulary/errors.h"
#include "spec/vocabulary/keys.h"

namespace plumbline {

/// How a view was made [torch/csrc/autograd/variable.h, CreationMeta].
enum class CreationMeta : std::uint8_t {
  DEFAULT,
  NO_GRAD_MODE,
  MULTI_OUTPUT_NODE,
  INFERENCE_MODE,
  NO_VARIABLE_TYPE_VIEW,  ///< draft-1's name for a view of a normal tensor made inside inference mode
  IN_CUSTOM_FUNCTION,
};
inline constexpr std::array<std::string_view, 6> kCreationMetaNames{
    "DEFAULT", "NO_GRAD_MODE", "MULTI_OUTPUT_NODE", "INFERENCE_MODE", "NO_VARIABLE_TYPE_VIEW", "IN_CUSTOM_FUNCTION"};

template <Domain D>
using Error = Choice<D, ErrorClass>;

/// The first error, if any.
template <Domain D>
constexpr Error<D> first_error(const Error<D>& first, const Error<D>& second) {
  return select(first == Error<D>(ErrorClass::none), second, first);
}
template <Domain D>
constexpr Error<D> error_if(const Bool<D>& condition, ErrorClass error) {
  return select(condition, Error<D>(error), Error<D>(ErrorClass::none));
}

template <Domain D>
struct Meta {
  KeySet<D> keys;
  Bool<D> counted;                   ///< has a version counter
  Bool<D> tracked;                   ///< is a view that autograd tracks: it has a base and creation metadata
  Choice<D, CreationMeta> creation;  ///< DEFAULT unless track() says otherwise
  Bool<D> requires_grad;             ///< its own flag; a view also has its base's
  Bool<D> has_grad_fn;
};

}  // namespace plumbline
