// AUT, continued: Autograd's fallback, which runs where an operator has no kernel for Autograd.
#pragma once

#include "spec/vocabulary/tensor_meta.h"

namespace plumbline {

inline constexpr Rule AUT_62{Family::AUT, 62};
inline constexpr Rule AUT_63{Family::AUT, 63};
inline constexpr Rule AUT_64{Family::AUT, 64};
inline constexpr Rule AUT_65{Family::AUT, 65};
inline constexpr Rule AUT_66{Family::AUT, 66};

/// Whether the fallback records the call; `recorded`: a kernel of Autograd would (AUT-01, AUT-02).
template <Domain D>
constexpr Bool<D> fallback_records(const Judge<D>& judge, const Bool<D>& recorded) {
  return judge(AUT_62, recorded, Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}
/// Whether a result of a recorded call gets the fallback's node as its history; `requires_it`: it requires grad
/// already; `written`: the schema says that it is written.
template <Domain D>
constexpr Bool<D> fallback_gives_history(const Judge<D>& judge, const Bool<D>& requires_it, const Bool<D>& written) {
  return judge(AUT_63, !written, Bool<D>(true)) && judge(AUT_64, !requires_it, Bool<D>(true));
}
/// Whether backward through a call gives its arguments a gradient; `fallback`: the fallback recorded the call, so that
/// it could only be zeros.
template <Domain D>
constexpr Bool<D> gives_gradient(const Judge<D>& judge, const Bool<D>& fallback) {
  return judge(AUT_65, !fallback, Bool<D>(true));
}
/// Whether a kernel of Autograd excludes Autograd in what it calls.
template <Domain D>
constexpr Bool<D> excludes_autograd(const Judge<D>& judge, const Bool<D>& fallback) {
  return judge(AUT_66, !fallback, Bool<D>(true));
}

}  // namespace plumbline
