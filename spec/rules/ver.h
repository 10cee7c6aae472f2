// VER: version counters.
#pragma once

#include "spec/rules/inf.h"

namespace plumbline {

inline constexpr Rule VER_01{
    Family::VER, 1, "A normal tensor made in Python starts at version 0, whatever fills it.",
    "torch/csrc/utils/tensor_new.cpp and the generated factories: they run below ADInplaceOrView",
    "The fill inside a factory counts a version."};
inline constexpr Rule VER_02{
    Family::VER, 2,
    "An inference tensor has no version counter, unless `x.data = y` made it one; reading its version is an error.",
    "rfc-0011-final, 'Do not have a version counter', 'Raise an error if you try to read their version'",
    "It has one that stays at 0."};
inline constexpr Rule VER_03{Family::VER, 3,
                             "An in-place op on a normal tensor counts one version, inside inference mode too; detach_ "
                             "and a resize_ that changes "
                             "nothing count none.",
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
       "immutability"},
      {Profile::torch_1_13,
       "`detach` of an inference tensor outside inference mode has a fresh version counter, so it can be written.",
       "c10/core/TensorImpl.cpp of v1.13.1, TensorImpl::TensorImpl, as in 2.13", "immutability"}}}};
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

inline constexpr Rule VER_11{
    Family::VER, 11, "A view made below ADInplaceOrView has a version counter of its own.",
    "tools/autograd/gen_inplace_or_view_type.py: as_view stands in the ADInplaceOrView kernel; variable.h, Note "
    "[Version Counter Sharing]",
    "It shares its base's."};
inline constexpr Rule VER_12{Family::VER, 12, "`x.data` has a version counter of its own, which starts at 0.",
                             "torch/csrc/autograd/variable.cpp, VariableHooks::variable_data: version_counter=0",
                             "It shares x's."};
inline constexpr Rule VER_13{
    Family::VER,
    13,
    "`x.data` of an inference tensor has no version counter, outside inference mode too.",
    "rfc-0011-final: inference tensors 'do not have a version counter'",
    "Outside inference mode it gets a fresh counter.",
    {{{Profile::torch_2_13, "Outside inference mode `x.data` of an inference tensor has a fresh version counter.",
       "c10/core/TensorImpl.cpp, TensorImpl::TensorImpl, as for `detach`", "immutability"},
      {Profile::torch_1_13, "Outside inference mode `x.data` of an inference tensor has a fresh version counter.",
       "c10/core/TensorImpl.cpp of v1.13.1, TensorImpl::TensorImpl, as for `detach`", "immutability"}}}};
inline constexpr Rule VER_14{Family::VER, 14, "`x.data = y` leaves x its version counter, and counts nothing.",
                             "torch/csrc/autograd/variable.cpp, VariableHooks::set_data; variable.h, Note [Version "
                             "Counter Sharing]: `x.set_data(y)` does not share",
                             "x shares y's counter."};
inline constexpr Rule VER_15{Family::VER, 15,
                             "Backward raises an error where a tensor that it needs has another version than when it "
                             "was saved.",
                             "inference-mode-docs: 'PyTorch throws an error when tensors saved for backwards are "
                             "subsequently mutated'; saved_variable.cpp, SavedVariable::unpack",
                             "Backward takes the tensor as it is."};

inline constexpr Rule VER_16{
    Family::VER, 16,
    "A normal tensor without a version counter, which `x.data = y` makes of an inference tensor, can neither be viewed "
    "nor saved for backward: both read its version, which is an error.",
    "torch/csrc/autograd/variable.h, DifferentiableViewMeta: attr_version is current_version(); saved_variable.cpp, "
    "SavedVariable::SavedVariable: saved_version_",
    "Both are allowed, and no write is ever noticed."};

inline constexpr Rule VER_17{
    Family::VER, 17,
    "The gradient that backward leaves in `.grad` has a version counter like any tensor of its mode; its first version "
    "is unspecified, and counted from there.",
    "torch/csrc/autograd/functions/accumulate_grad.h, AccumulateGrad::accumulateGrad: the gradient is stolen or copied",
    "It has no version counter."};

inline constexpr Rule VER_18{
    Family::VER,
    18,
    "resize_ to other sizes is a write: it counts a version, and is refused to an inference tensor outside the mode.",
    "rfc-0011-final: 'Inplace modifications'; torch/csrc/autograd/VariableTypeManual.cpp of 2.13, "
    "ADInplaceOrView::resize_: "
    "'If `self` was resized, increment the version'",
    "It counts nothing.",
    {{{Profile::torch_1_13, "resize_ has no ADInplaceOrView kernel: it counts nothing, and no tensor is safe from it.",
       "torch/csrc/autograd/VariableTypeManual.cpp of 1.13: resize_ is registered for Autograd alone",
       "immutability"}}}};

inline constexpr Rule VER_19{
    Family::VER,
    19,
    "A version counter never shows the same number twice.",
    "VER-15: backward notices a write by that number alone",
    "After 2^32 versions it starts at 0 again.",
    {{{Profile::torch_2_13, "A version counter has 32 bits: after 2^32 versions it starts at 0 again.",
       "c10/core/TensorImpl.h, VersionCounter: 'std::atomic<uint32_t> version_'",
       "backward does not notice 2^32 writes to a saved tensor"},
      {Profile::torch_1_13, "A version counter has 32 bits: after 2^32 versions it starts at 0 again.",
       "c10/core/TensorImpl.h of v1.13.1, VersionCounter: 'std::atomic<uint32_t> version_'",
       "backward does not notice 2^32 writes to a saved tensor"}}}};

/// The number that a counter shows after `versions` versions, of which each is counted by itself.
template <Domain D>
constexpr Num<D> version_number(const Judge<D>& judge, const Num<D>& versions) {
  constexpr std::int64_t kNumbers = std::int64_t{1} << 32;
  const Num<D> wrapped = select(versions == Num<D>(kNumbers), Num<D>(0), versions);
  return judge(VER_19, versions, wrapped, In{Profile::torch_2_13, wrapped}, In{Profile::torch_1_13, wrapped});
}

/// Whether resize_ has an ADInplaceOrView kernel.
template <Domain D>
constexpr Bool<D> resize_counts(const Judge<D>& judge) {
  return judge(VER_18, Bool<D>(true), Bool<D>(false), In{Profile::torch_1_13, Bool<D>(false)});
}

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
  return judge(VER_06, Bool<D>(false), !tls.inference_mode, In{Profile::torch_2_13, !tls.inference_mode},
               In{Profile::torch_1_13, !tls.inference_mode});
}

/// Whether a view made below ADInplaceOrView shares its base's counter.
template <Domain D>
constexpr Bool<D> view_below_shares_counter(const Judge<D>& judge) {
  return judge(VER_11, Bool<D>(false), Bool<D>(true));
}
/// Whether a tracked view of a normal tensor may be made, or the tensor saved.
template <Domain D>
constexpr Error<D> check_tracked_counter(const Judge<D>& judge, const Bool<D>& counted) {
  return error_if(judge(VER_16, !counted, Bool<D>(false)), ErrorClass::inference_version);
}
/// Whether a gradient has a version counter, where a tensor of its mode has one.
template <Domain D>
constexpr Bool<D> gradient_counted(const Judge<D>& judge, const Bool<D>& counted) {
  return judge(VER_17, counted, Bool<D>(false));
}
/// Whether `x.data` shares x's counter; and whether it makes one where x has none.
template <Domain D>
constexpr Bool<D> data_shares_counter(const Judge<D>& judge) {
  return judge(VER_12, Bool<D>(false), Bool<D>(true));
}
template <Domain D>
constexpr Bool<D> data_makes_counter(const Judge<D>& judge, const Tls<D>& tls) {
  return judge(VER_13, Bool<D>(false), !tls.inference_mode, In{Profile::torch_2_13, !tls.inference_mode},
               In{Profile::torch_1_13, !tls.inference_mode});
}
/// Whether `x.data = y` gives x the counter of y.
template <Domain D>
constexpr Bool<D> set_data_shares_counter(const Judge<D>& judge) {
  return judge(VER_14, Bool<D>(false), Bool<D>(true));
}

/// Whether backward may use a saved tensor.
template <Domain D>
constexpr Error<D> check_saved_version(const Judge<D>& judge, const Num<D>& saved, const Num<D>& now) {
  return error_if(judge(VER_15, !(saved == now), Bool<D>(false)), ErrorClass::saved_modified);
}

/// Whether the first version of a functional op's result is left free; `grad_kernel`: whether the Autograd kernel ran.
template <Domain D>
constexpr Bool<D> first_version_free(const Bool<D>& grad_kernel, const Tls<D>& tls) {
  return !grad_kernel && !tls.inference_mode && !tls.excluded.has_any(KeySet<D>(Functionality::ADInplaceOrView));
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
