// VER: version counters.
#pragma once

#include "spec/rules/inf.h"

namespace plumbline {

inline constexpr Rule VER_01{
    Family::VER, 1, "A normal tensor made in Python starts at version 0, whatever fills it.",
    "torch/csrc/utils/tensor_new.cpp and the generated factories: they run below ADInplaceOrView",
    "The fill inside a factory counts a version."};
inline constexpr Rule VER_02{
    Family::VER, 2, "An inference tensor has no version counter; reading its version is an error.",
    "rfc-0011-final, 'Do not have a version counter', 'Raise an error if you try to read their version'",
    "It has one that stays at 0."};
inline constexpr Rule VER_03{Family::VER, 3,
                             "An in-place op on a normal tensor counts one version, inside inference mode too.",
                             "rfc-0011-final: 'Inplace operations on normal tensors still do version counter bumps'",
                             "Inside inference mode no version is counted."};
inline constexpr Rule VER_04{Family::VER, 4, "A view of a normal tensor shares its base's version counter.",
                             "rfc-0011-final, 'Examples': 'version counter is propagated'",
                             "A view has a counter of its own."};
inline constexpr Rule VER_05{
    Family::VER, 5, "`detach` of a normal tensor shares its version counter.",
    "torch/csrc/autograd/variable.h, make_variable_non_differentiable_view: 'shares version counter'",
    "A detached tensor has a counter of its own."};
inline constexpr Rule VER_06{
    Family::VER,
    6,
    "`detach` of an inference tensor has no version counter, outside inference mode too.",
    "rfc-0011-final: inference tensors 'do not have a version counter', and a view of one is one",
    "Outside inference mode it gets a fresh counter.",
    {{{Profile::torch_2_13,
       "`detach` of an inference tensor outside inference mode has a fresh version counter, so it can be written.",
       "c10/core/TensorImpl.cpp, TensorImpl::TensorImpl makes a counter for the copy in shallow_copy_and_detach before "
       "the key set is copied",
       "immutability"}}}};
inline constexpr Rule VER_07{Family::VER, 7,
                             "The result of a functional op starts at version 0 with a counter of its own.",
                             "rfc-0011-final: 'functional operations are guaranteed to have non-aliasing outputs'",
                             "It shares its first input's counter."};
inline constexpr Rule VER_08{Family::VER, 8,
                             "An in-place op on a tensor without elements counts a version all the same.",
                             "rfc-0011-final, the example kernel add__Tensor: increment_version is unconditional",
                             "Writing nothing counts nothing."};
inline constexpr Rule VER_09{
    Family::VER, 9, "An in-place op that raises counts no version.",
    "rfc-0011-final, the example kernel add__Tensor: increment_version stands behind the redispatch",
    "The version is counted before the kernel runs."};

inline constexpr Rule VER_10{Family::VER, 10,
                             "Outside inference mode, a functional op on inference tensors alone meets no Autograd "
                             "kernel, so its result's first version "
                             "shows what its kernel wrote on the way: it is unspecified, and counted from there.",
                             "rfc-0011-final, 'InplaceOrView': included by default; "
                             "aten/src/ATen/native/TensorFactories.cpp, clone: copy_ inside",
                             "Such a result has no version counter."};

/// The version of a factory's tensor.
template <Domain D>
constexpr Num<D> factory_version(const Judge<D>& judge) {
  return judge(VER_01, Num<D>(0), Num<D>(1));
}

/// Whether a fresh tensor has a version counter.
template <Domain D>
constexpr Bool<D> fresh_counted(const Judge<D>& judge, const Bool<D>& inference) {
  return judge(VER_02, !inference, Bool<D>(true));
}

/// How far an in-place op moves the version; `elements`: how many the written tensor has.
template <Domain D>
constexpr Num<D> version_step(const Judge<D>& judge, const Num<D>& elements, const Tls<D>& tls) {
  const Num<D> step = judge(VER_03, Num<D>(1), select(tls.inference_mode, Num<D>(0), Num<D>(1)));
  return judge(VER_08, step, select(elements == Num<D>(0), Num<D>(0), step));
}

/// The same for an in-place op that raises in its kernel.
template <Domain D>
constexpr Num<D> version_step_on_error(const Judge<D>& judge) {
  return judge(VER_09, Num<D>(0), Num<D>(1));
}

/// Whether a view, or a detached tensor, of a counted tensor shares its counter.
template <Domain D>
constexpr Bool<D> view_shares_counter(const Judge<D>& judge) {
  return judge(VER_04, Bool<D>(true), Bool<D>(false));
}
template <Domain D>
constexpr Bool<D> detach_shares_counter(const Judge<D>& judge) {
  return judge(VER_05, Bool<D>(true), Bool<D>(false));
}

/// Whether `detach` of an uncounted tensor makes a counter.
template <Domain D>
constexpr Bool<D> detach_makes_counter(const Judge<D>& judge, const Tls<D>& tls) {
  return judge(VER_06, Bool<D>(false), !tls.inference_mode, In{Profile::torch_2_13, !tls.inference_mode});
}

/// Whether the first version of a functional op's result is left free; `grad_kernel`: whether the Autograd kernel ran.
template <Domain D>
constexpr Bool<D> first_version_free(const Bool<D>& grad_kernel, const Tls<D>& tls) {
  return !grad_kernel && !tls.inference_mode;
}
/// Whether such a result has a counter.
template <Domain D>
constexpr Bool<D> free_version_counted(const Judge<D>& judge) {
  return judge(VER_10, Bool<D>(true), Bool<D>(false));
}

/// Whether a functional op's result has a counter of its own.
template <Domain D>
constexpr Bool<D> result_owns_counter(const Judge<D>& judge) {
  return judge(VER_07, Bool<D>(true), Bool<D>(false));
}

}  // namespace plumbline
