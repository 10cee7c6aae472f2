// VER: version counters.
#pragma once

#include "spec/rules/inf.h"

namespace plumbline {

inline constexpr Rule VER_01{
    Family::VER, 1, "A normal tensor made in Python starts at version 0, however it is filled.",
    "torch/csrc/utils/tensor_new.cpp and the generated factories: they run below ADInplaceOrView",
    "The fill inside a factory bumps the version."};
inline constexpr Rule VER_02{
    Family::VER, 2,
    "An inference tensor has no version counter, unless it was a normal tensor before `x.data = y`; reading the "
    "version of a tensor without a counter is an error.",
    "rfc-0011-final, 'Do not have a version counter', 'Raise an error if you try to read their version'",
    "It has one that stays at 0."};
inline constexpr Rule VER_03{Family::VER, 3,
                             "An in-place op on a normal tensor bumps its version by one, inside inference mode too; "
                             "detach_ and a resize_ that changes nothing do not bump it.",
                             "rfc-0011-final: 'Inplace operations on normal tensors still do version counter bumps'",
                             "Inside inference mode no version is bumped."};
inline constexpr Rule VER_04{Family::VER, 4, "A view of a normal tensor shares its base's version counter.",
                             "rfc-0011-final, 'Examples': 'version counter is propagated'",
                             "A view has its own counter."};
inline constexpr Rule VER_05{
    Family::VER, 5, "`detach` of a normal tensor shares its version counter.",
    "torch/csrc/autograd/variable.h, make_variable_non_differentiable_view: 'shares version counter'",
    "A detached tensor has its own counter."};
inline constexpr Rule VER_06{
    Family::VER,
    6,
    "`detach` of an inference tensor has no version counter, outside inference mode too.",
    "rfc-0011-final: inference tensors 'do not have a version counter', and a view of one is one",
    "Outside inference mode it gets a new counter.",
    {{{Profile::torch_2_13,
       "`detach` of an inference tensor outside inference mode has a fresh version counter, so it can be written.",
       "c10/core/TensorImpl.cpp, TensorImpl::TensorImpl makes a counter for the copy in shallow_copy_and_detach before "
       "the key set is copied",
       "immutability"},
      {Profile::torch_1_13,
       "`detach` of an inference tensor outside inference mode has a fresh version counter, so it can be written.",
       "c10/core/TensorImpl.cpp of v1.13.1, TensorImpl::TensorImpl, as in 2.13", "immutability"}}}};
inline constexpr Rule VER_07{Family::VER, 7,
                             "The result of a functional op has its own version counter, which starts at 0.",
                             "rfc-0011-final: 'functional operations are guaranteed to have non-aliasing outputs'",
                             "It shares its first input's counter."};
inline constexpr Rule VER_08{Family::VER, 8, "An in-place op on a tensor without elements bumps the version too.",
                             "rfc-0011-final, the example kernel add__Tensor: increment_version is unconditional",
                             "An op that writes no element does not bump the version."};
inline constexpr Rule VER_09{
    Family::VER, 9, "An in-place op that raises an error does not bump the version.",
    "rfc-0011-final, the example kernel add__Tensor: increment_version comes after the redispatch",
    "The version is bumped before the kernel runs."};

inline constexpr Rule VER_10{Family::VER, 10,
                             "Outside inference mode a functional op on inference tensors alone reaches no Autograd "
                             "kernel, so the first version of its result depends on what the backend kernel wrote: it "
                             "is unspecified, and later versions count from it.",
                             "rfc-0011-final, 'InplaceOrView': included by default; "
                             "aten/src/ATen/native/TensorFactories.cpp, clone: copy_ inside",
                             "Such a result has no version counter."};

inline constexpr Rule VER_11{Family::VER, 11, "A view made below ADInplaceOrView has its own version counter.",
                             "tools/autograd/gen_inplace_or_view_type.py: as_view is called in the ADInplaceOrView "
                             "kernel; variable.h, Note [Version Counter Sharing]",
                             "It shares its base's."};
inline constexpr Rule VER_12{Family::VER, 12, "`x.data` has its own version counter, which starts at 0.",
                             "torch/csrc/autograd/variable.cpp, VariableHooks::variable_data: version_counter=0",
                             "It shares x's."};
inline constexpr Rule VER_13{
    Family::VER,
    13,
    "`x.data` of an inference tensor has no version counter, outside inference mode too.",
    "rfc-0011-final: inference tensors 'do not have a version counter'",
    "Outside inference mode it gets a new counter.",
    {{{Profile::torch_2_13, "Outside inference mode `x.data` of an inference tensor has a new version counter.",
       "c10/core/TensorImpl.cpp, TensorImpl::TensorImpl, as for `detach`", "immutability"},
      {Profile::torch_1_13, "Outside inference mode `x.data` of an inference tensor has a new version counter.",
       "c10/core/TensorImpl.cpp of v1.13.1, TensorImpl::TensorImpl, as for `detach`", "immutability"}}}};
inline constexpr Rule VER_14{Family::VER, 14, "`x.data = y` keeps x's version counter and does not bump it.",
                             "torch/csrc/autograd/variable.cpp, VariableHooks::set_data; variable.h, Note [Version "
                             "Counter Sharing]: `x.set_data(y)` does not share",
                             "x shares y's counter."};
inline constexpr Rule VER_15{
    Family::VER, 15,
    "Backward raises an error if the version of a tensor that it needs has changed since the tensor was saved.",
    "inference-mode-docs: 'PyTorch throws an error when tensors saved for backwards are subsequently mutated'; "
    "saved_variable.cpp, SavedVariable::unpack",
    "Backward uses the tensor as it is."};

inline constexpr Rule VER_16{
    Family::VER,
    16,
    "A normal tensor has no version counter if `x.data = y` made it from an inference tensor; "
    "it can then neither be viewed nor be saved for backward, because both read its version.",
    "torch/csrc/autograd/variable.h, DifferentiableViewMeta: attr_version is "
    "current_version(); saved_variable.cpp, SavedVariable::SavedVariable: saved_version_",
    "Both are allowed, and later writes go unnoticed.",
    {{{Profile::torch_2_13,
       "If no Autograd kernel ran, ops that make a view inside raise that error too: {view}_copy, *_scatter, "
       "index_select and argmax.",
       "torchgen/gen_functionalization_type.py, gen_composite_view_copy_kernel; "
       "aten/src/ATen/native/TensorShape.cpp, clone_preserve_strides; TensorAdvancedIndexing.cpp, "
       "index_select_out_cpu_; ReduceOps.cpp, argmax_argmin_impl: each calls a view op, which dispatches again",
       "a functional op reads no version"},
      {Profile::torch_1_13,
       "If no Autograd kernel ran, ops that make a view inside raise that error too: {view}_copy, index_select and "
       "argmax.",
       "torchgen/gen_functionalization_type.py of v1.13.1, gen_composite_view_copy_kernel; "
       "aten/src/ATen/native/TensorAdvancedIndexing.cpp, index_select_out_cpu_; ReduceOps.cpp, argmax_argmin_impl",
       "a functional op reads no version"}}}};

inline constexpr Rule VER_17{
    Family::VER, 17,
    "The `.grad` that backward makes has a version counter like any other tensor made in its mode; its first version "
    "is unspecified, and later versions count from it.",
    "torch/csrc/autograd/functions/accumulate_grad.h, AccumulateGrad::accumulateGrad: the gradient is stolen or copied",
    "It has no version counter."};

inline constexpr Rule VER_18{
    Family::VER,
    18,
    "resize_ to other sizes is a write: it bumps the version, and on an inference tensor outside inference mode it is "
    "an error.",
    "rfc-0011-final: 'Inplace modifications'; torch/csrc/autograd/VariableTypeManual.cpp of 2.13, "
    "ADInplaceOrView::resize_: 'If `self` was resized, increment the version'",
    "It does not bump the version.",
    {{{Profile::torch_1_13,
       "resize_ has no ADInplaceOrView kernel: it never bumps a version and is never refused for an inference tensor.",
       "torch/csrc/autograd/VariableTypeManual.cpp of 1.13: resize_ is registered for Autograd alone",
       "immutability"}}}};

inline constexpr Rule VER_19{
    Family::VER,
    19,
    "A version counter never shows the same number twice.",
    "VER-15: backward notices a write only by that number",
    "After 2^32 bumps it starts at 0 again.",
    {{{Profile::torch_2_13, "A version counter has 32 bits: after 2^32 bumps it starts at 0 again.",
       "c10/core/TensorImpl.h, VersionCounter: 'std::atomic<uint32_t> version_'",
       "backward notices every write to a saved tensor"},
      {Profile::torch_1_13, "A version counter has 32 bits: after 2^32 bumps it starts at 0 again.",
       "c10/core/TensorImpl.h of v1.13.1, VersionCounter: 'std::atomic<uint32_t> version_'",
       "backward notices every write to a saved tensor"}}}};

/// The number that a counter shows after `versions` bumps, which are counted one at a time.
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

/// Whether a new tensor has a version counter.
template <Domain D>
constexpr Bool<D> fresh_counted(const Judge<D>& judge, const Bool<D>& inference) {
  return judge(VER_02, !inference, Bool<D>(true));
}

/// By how much an in-place op bumps the version; `elements`: how many the written tensor has.
template <Domain D>
constexpr Num<D> version_step(const Judge<D>& judge, const Num<D>& elements, const Tls<D>& tls) {
  const Num<D> step = judge(VER_03, Num<D>(1), select(tls.inference_mode, Num<D>(0), Num<D>(1)));
  return judge(VER_08, step, select(elements == Num<D>(0), Num<D>(0), step));
}

/// The same for an in-place op whose kernel raises an error.
template <Domain D>
constexpr Num<D> version_step_on_error(const Judge<D>& judge) {
  return judge(VER_09, Num<D>(0), Num<D>(1));
}

/// Whether a view of a tensor with a counter shares it, and whether its `detach` does.
template <Domain D>
constexpr Bool<D> view_shares_counter(const Judge<D>& judge) {
  return judge(VER_04, Bool<D>(true), Bool<D>(false));
}
template <Domain D>
constexpr Bool<D> detach_shares_counter(const Judge<D>& judge) {
  return judge(VER_05, Bool<D>(true), Bool<D>(false));
}

/// Whether `detach` of a tensor without a counter makes one.
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
/// Whether an op that makes a view inside may be called, if no Autograd kernel ran; `scatters`: it is a *_scatter.
template <Domain D>
constexpr Error<D> check_inner_view(const Judge<D>& judge, const Bool<D>& counted, bool scatters) {
  return error_if(judge(VER_16, Bool<D>(false), Bool<D>(false), In{Profile::torch_2_13, !counted},
                        In{Profile::torch_1_13, scatters ? Bool<D>(false) : !counted}),
                  ErrorClass::inference_version);
}
/// Whether a gradient has a version counter; `counted`: a tensor made in its mode has one.
template <Domain D>
constexpr Bool<D> gradient_counted(const Judge<D>& judge, const Bool<D>& counted) {
  return judge(VER_17, counted, Bool<D>(false));
}
/// Whether `x.data` shares x's counter, and whether it makes one if x has none.
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

/// Whether the first version of a functional op's result is unspecified; `grad_kernel`: the Autograd kernel ran.
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
