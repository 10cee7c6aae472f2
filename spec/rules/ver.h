// VER: version counters.
#pragma once

#include "spec/rules/inf.h"

namespace plumbline {

inline constexpr Rule VER_01{Family::VER, 1};
inline constexpr Rule VER_02{Family::VER, 2};
inline constexpr Rule VER_03{Family::VER, 3};
inline constexpr Rule VER_04{Family::VER, 4};
inline constexpr Rule VER_05{Family::VER, 5};
inline constexpr Rule VER_06{Family::VER, 6};
inline constexpr Rule VER_07{Family::VER, 7};
inline constexpr Rule VER_08{Family::VER, 8};
inline constexpr Rule VER_09{Family::VER, 9};
inline constexpr Rule VER_10{Family::VER, 10};
inline constexpr Rule VER_11{Family::VER, 11};
inline constexpr Rule VER_12{Family::VER, 12};
inline constexpr Rule VER_13{Family::VER, 13};
inline constexpr Rule VER_14{Family::VER, 14};
inline constexpr Rule VER_15{Family::VER, 15};
inline constexpr Rule VER_16{Family::VER, 16};
inline constexpr Rule VER_17{Family::VER, 17};
inline constexpr Rule VER_18{Family::VER, 18};
inline constexpr Rule VER_19{Family::VER, 19};

/// The number that a counter shows after `versions` bumps, which are counted one at a time.
template <Domain D>
constexpr Num<D> version_number(const Judge<D>& judge, const Num<D>& versions) {
  constexpr std::int64_t kNumbers = std::int64_t{1} << 32;
  const Num<D> wrapped = select(versions == Num<D>(kNumbers), Num<D>(0), versions);
  return judge(VER_19, versions, wrapped, In{Profile::torch_2_13, wrapped}, In{Profile::torch_1_13, wrapped});
}
/// Whether an op that writes has an ADInplaceOrView kernel; `resizes`: it is resize_.
template <Domain D>
constexpr Bool<D> writer_counts(const Judge<D>& judge, const Bool<D>& resizes) {
  return judge(VER_18, Bool<D>(true), !resizes, In{Profile::torch_1_13, !resizes});
}
/// Whether resize_ writes: it gives the tensor other `sizes`, or other `strides`, those of a memory format.
template <Domain D>
constexpr Bool<D> resize_counts(const Judge<D>& judge, const Bool<D>& sizes, const Bool<D>& strides) {
  return judge(VER_18, sizes || strides, Bool<D>(false), In{Profile::torch_2_13, sizes});
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
/// Whether a view shares its base's counter, and whether `detach` does; `normal`: neither is an inference tensor.
template <Domain D>
constexpr Bool<D> view_shares_counter(const Judge<D>& judge, const Bool<D>& normal) {
  return judge(VER_04, normal, Bool<D>(false));
}
template <Domain D>
constexpr Bool<D> detach_shares_counter(const Judge<D>& judge, const Bool<D>& normal) {
  return judge(VER_05, normal, Bool<D>(false));
}
/// Whether `detach` of a tensor without a counter makes one.
template <Domain D>
constexpr Bool<D> detach_makes_counter(const Judge<D>& judge, const Tls<D>& tls) {
  return judge(VER_06, Bool<D>(false), !tls.inference_mode, In{Profile::torch_2_13, !tls.inference_mode},
               In{Profile::torch_1_13, !tls.inference_mode});
}
/// The same of a view made below ADInplaceOrView.
template <Domain D>
constexpr Bool<D> view_below_shares_counter(const Judge<D>& judge, const Bool<D>& normal) {
  return judge(VER_11, Bool<D>(false), normal);
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
/// Whether a result that is a normal tensor has a counter; `free`: its first version is unspecified.
template <Domain D>
constexpr Bool<D> free_version_counted(const Judge<D>& judge, const Bool<D>& free) {
  return judge(VER_10, Bool<D>(true), !free);
}
/// Whether a functional op's result shares the counter of its first tensor; `counted`: that has one.
template <Domain D>
constexpr Bool<D> result_shares_counter(const Judge<D>& judge, const Bool<D>& counted) {
  return judge(VER_07, Bool<D>(false), counted);
}

}  // namespace plumbline
