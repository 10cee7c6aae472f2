// GEO: memory formats, which say in what order a new tensor's dimensions are laid out.
#pragma once

#include "spec/rules/geo_copy.h"

namespace plumbline {

inline constexpr Rule GEO_34{Family::GEO, 34};
inline constexpr Rule GEO_35{Family::GEO, 35};
inline constexpr Rule GEO_36{Family::GEO, 36};
inline constexpr Rule GEO_37{Family::GEO, 37};
inline constexpr Rule GEO_38{Family::GEO, 38};
inline constexpr Rule GEO_39{Family::GEO, 39};

/// Whether dimension 1 of a new tensor runs fastest; otherwise it is row-major. `last`: the format is a channels-last
/// one, and the tensor has as many dimensions.
template <Domain D>
constexpr Bool<D> channels_run_fastest(const Judge<D>& judge, const Bool<D>& last) {
  return judge(GEO_34, last, Bool<D>(false));
}
/// Whether a tensor may have the format; `fits`: it has as many dimensions as the format.
template <Domain D>
constexpr Error<D> check_format_rank(const Judge<D>& judge, const Bool<D>& fits) {
  return error_if(judge(GEO_35, !fits, Bool<D>(false)), ErrorClass::option);
}
/// Whether an op that cannot preserve a layout accepts the format; `preserve`: it is torch.preserve_format.
template <Domain D>
constexpr Error<D> check_not_preserve(const Judge<D>& judge, const Bool<D>& preserve) {
  return error_if(judge(GEO_36, preserve, Bool<D>(false)), ErrorClass::option);
}
/// Whether contiguous finds the format that it is given; `there`: the elements are without gaps in its order;
/// `row_major`: in row-major order; `wrapped`: it is a tensor of a functionalized body.
template <Domain D>
constexpr Bool<D> contiguous_finds_format(const Judge<D>& judge, const Bool<D>& there, const Bool<D>& row_major,
                                          const Bool<D>& wrapped) {
  return judge(GEO_37, there, row_major, In{Profile::torch_1_13, select(wrapped, row_major, there)});
}
/// Whether to finds the format that it is given; `suggested`: the strides suggest it; `there`: as above.
template <Domain D>
constexpr Bool<D> to_finds_format(const Judge<D>& judge, const Bool<D>& suggested, const Bool<D>& there) {
  return judge(GEO_38, suggested, there);
}
/// Whether resize_ lays out a tensor again; `given`: it is given a memory format.
template <Domain D>
constexpr Bool<D> resize_lays_out(const Judge<D>& judge, const Bool<D>& given) {
  return judge(GEO_39, given, Bool<D>(false));
}

}  // namespace plumbline
