// The kernels of view ops: the geometry of each view, by the rules of GEO.
#include <algorithm>
#include <array>

#include "reference/dtype_words.h"
#include "reference/kernels.h"
#include "reference/raise.h"
#include "reference/reshape.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_exchange.h"
#include "spec/rules/type.h"

namespace plumbline::reference {

namespace {

/// The helpers of view kernels.
struct ViewCall {
  const Judge& judge;
  const State& state;
  const Arguments& arguments;
  const Tensor& self;

  const Geometry& geometry() const { return self.geometry; }
  int rank() const { return self.geometry.rank(); }
  std::int64_t integer(std::size_t i) const { return arguments.integer(i); }
};

int wrapped(const ViewCall& call, std::int64_t dim, int rank) {
  return wrapped_dim(call.judge, dim, static_cast<std::size_t>(rank));
}

void needs_dimension(const ViewCall& call, const char* name) {
  if (call.rank() == 0)
    raise(ErrorClass::dim_range, text(name, "() cannot be applied to a 0-dim tensor."),
          name == std::string_view("narrow") ? "RuntimeError" : "IndexError");
}

Geometry select_int(const ViewCall& call) {
  needs_dimension(call, "select");
  const int dim = wrapped(call, call.integer(1), call.rank());
  const auto view = select_view<Concrete>(call.judge, call.geometry(), dim, call.integer(2));
  if (view.error.v != 0)
    raise(ErrorClass::index_range,
          text("select(): index ", call.integer(2), " out of range for tensor of size ",
               printed(sizes_of(call.geometry())), " at dimension ", dim),
          "IndexError");
  return view.geometry;
}

Geometry slice(const ViewCall& call) {
  needs_dimension(call, "slice");
  const int dim = wrapped(call, call.integer(1), call.rank());
  const std::int64_t end = call.arguments.optional_integer(3).value_or(call.geometry().sizes[dim].v);
  const auto view = slice_view<Concrete>(call.judge, call.geometry(), dim,
                                         call.arguments.optional_integer(2).value_or(0), end, call.integer(4));
  if (view.error.v != 0) raise(ErrorClass::range, "slice step must be positive");
  return view.geometry;
}

Geometry narrow(const ViewCall& call) {
  needs_dimension(call, "narrow");
  const std::int64_t start = call.integer(2);
  const std::int64_t length = call.integer(3);
  const bool bad_length = narrow_refuses_length_first(call.judge, length < 0);
  const int dim = bad_length ? 0 : wrapped(call, call.integer(1), call.rank());
  const auto view = narrow_view<Concrete>(call.judge, call.geometry(), dim, start, length);
  if (view.error.v == 0) return view.geometry;
  const std::int64_t size = call.geometry().sizes[dim].v;
  const std::int64_t places = std::max<std::int64_t>(size, 1);
  if (!bad_length && static_cast<ErrorClass>(view.error.v) == ErrorClass::dim_range)
    raise(ErrorClass::dim_range,
          text("Dimension out of range (expected to be in range of [", -places, ", ", places - 1, "], but got ", start,
               ")"),
          "IndexError");
  if (length < 0) raise(ErrorClass::range, "narrow(): length must be non-negative.");
  if (start < -size || start > size)
    raise(ErrorClass::range,
          text("start out of range (expected to be in range of [", -size, ", ", size, "], but got ", start, ")"),
          "IndexError");
  raise(ErrorClass::range, text("start (", start < 0 ? start + size : start, ") + length (", length,
                                ") exceeds dimension size (", size, ")."));
}

Geometry transpose(const ViewCall& call) {
  const int dim0 = wrapped(call, call.integer(1), call.rank());
  const int dim1 = wrapped(call, call.integer(2), call.rank());
  return transpose_view(call.judge, call.geometry(), dim0, dim1);
}

Geometry t(const ViewCall& call) {
  if (call.rank() > 2)
    raise(ErrorClass::shape, text(qualified_name(call.arguments.op()),
                                  "() expects a tensor with <= 2 dimensions, but self is ", call.rank(), "D"));
  return call.rank() < 2 ? call.geometry() : transpose_view(call.judge, call.geometry(), 0, 1);
}

Geometry permute(const ViewCall& call) {
  const std::vector<std::int64_t> dims = call.arguments.integers(1);
  if (static_cast<int>(dims.size()) != call.rank())
    raise(ErrorClass::shape, text("permute(sparse_coo): number of dimensions in the tensor input does not match the "
                                  "length of the desired ordering of dimensions i.e. input.dim() = ",
                                  call.rank(), " is not equal to len(dims) = ", dims.size()));
  std::vector<int> order;
  for (const std::int64_t dim : dims) {
    const int at = wrapped(call, dim, call.rank());
    if (std::find(order.begin(), order.end(), at) != order.end())
      raise(ErrorClass::dim_repeated, "permute(): duplicate dims are not allowed.");
    order.push_back(at);
  }
  return permute_view(call.judge, call.geometry(), order);
}

Geometry expand(const ViewCall& call) {
  const Sizes asked = call.arguments.integers(1);
  const Sizes have = sizes_of(call.geometry());
  if (asked.size() < have.size())
    raise(ErrorClass::shape,
          text("expand(", legacy_name(call.self.dtype), "{", printed(have), "}, size=", printed(asked),
               "): the number of sizes provided (", asked.size(),
               ") must be greater or equal to the number of dimensions in the tensor (", have.size(), ")"));
  const auto view = expand_view<Concrete>(call.judge, call.geometry(), Dims<Concrete>(asked.begin(), asked.end()));
  if (view.error.v == 0) return view.geometry;
  for (std::size_t i = asked.size(); i-- > 0;) {
    const bool fresh = i + have.size() < asked.size();
    const std::int64_t size = fresh ? 1 : have[i + have.size() - asked.size()];
    if (asked[i] == -1 && fresh && !have.empty())
      raise(ErrorClass::range, text("The expanded size of the tensor (", asked[i],
                                    ") isn't allowed in a leading, non-existing dimension ", i));
    if (asked[i] != -1 && asked[i] != size && size != 1)
      raise(ErrorClass::shape, text("The expanded size of the tensor (", asked[i], ") must match the existing size (",
                                    size, ") at non-singleton dimension ", i, ".  Target sizes: ", printed(asked),
                                    ".  Tensor sizes: ", printed(have)));
  }
  raise(ErrorClass::range, "numel: integer multiplication overflow");
}

Geometry squeeze(const ViewCall& call) {
  Geometry view = call.geometry();
  for (int dim = view.rank() - 1; dim >= 0; --dim)
    if (squeezes(call.judge, view.sizes[dim]).v) view = drop_dim(view, dim);
  return view;
}

Geometry squeeze_dim(const ViewCall& call) {
  const int dim = wrapped(call, call.integer(1), call.rank());
  const bool drops = call.rank() > 0 && squeezes(call.judge, call.geometry().sizes[dim]).v;
  return drops ? drop_dim(call.geometry(), dim) : call.geometry();
}

Geometry unsqueeze(const ViewCall& call) {
  return unsqueeze_view(call.judge, call.geometry(), wrapped(call, call.integer(1), call.rank() + 1));
}

Geometry diagonal(const ViewCall& call) {
  const int dim1 = wrapped(call, call.integer(2), call.rank());
  const int dim2 = wrapped(call, call.integer(3), call.rank());
  if (dim1 == dim2)
    raise(ErrorClass::dim_repeated,
          text("diagonal dimensions cannot be identical ", call.integer(2), ", ", call.integer(3)));
  return diagonal_view<Concrete>(call.judge, call.geometry(), call.integer(1), dim1, dim2);
}

Geometry unfold(const ViewCall& call) {
  const int dim = wrapped(call, call.integer(1), call.rank());
  const std::int64_t size = call.integer(2);
  const std::int64_t step = call.integer(3);
  const auto view = unfold_view<Concrete>(call.judge, call.geometry(), dim, size, step);
  if (view.error.v == 0) return view.geometry;
  if (size < 0) raise(ErrorClass::range, text("size is ", size, " but must be >= 0"));
  const std::int64_t n = call.rank() == 0 ? 1 : call.geometry().sizes[dim].v;
  if (size > n)
    raise(ErrorClass::range, text("maximum size for tensor at dimension ", dim, " is ", n, " but size is ", size));
  raise(ErrorClass::range, text("step is ", step, " but must be > 0"));
}

/// How many elements a storage must hold for this geometry.
std::int64_t reach(const Geometry& geometry) {
  std::int64_t last = geometry.offset.v;
  for (int i = 0; i < geometry.rank(); ++i) last += (geometry.sizes[i].v - 1) * geometry.strides[i].v;
  return last + 1;
}

Geometry as_strided(const ViewCall& call) {
  const Sizes sizes = call.arguments.integers(1);
  const Sizes strides = call.arguments.integers(2);
  if (sizes.size() != strides.size()) raise(ErrorClass::shape, "mismatch in length of strides and shape");
  const auto offset = call.arguments.optional_integer(3);
  const Storage& storage = call.state.storages[static_cast<std::size_t>(call.self.storage)];
  const std::int64_t available = capacity(storage, call.self.dtype);
  const auto view = as_strided_view<Concrete>(call.judge, call.geometry(), Dims<Concrete>(sizes.begin(), sizes.end()),
                                              Dims<Concrete>(strides.begin(), strides.end()),
                                              offset ? std::optional(Num<Concrete>(*offset)) : std::nullopt, available);
  if (view.error.v == static_cast<std::uint64_t>(ErrorClass::range)) {
    if (offset.value_or(0) < 0) raise(ErrorClass::range, text("Tensor: invalid storage offset ", *offset));
    if (std::ranges::any_of(strides, [](std::int64_t stride) { return stride < 0; }))
      raise(ErrorClass::range,
            text("as_strided: Negative strides are not supported at the moment, got strides: ", printed(strides)));
    if (std::ranges::find(sizes, 0) != sizes.end()) raise(ErrorClass::range, "numel: integer multiplication overflow");
    raise(ErrorClass::range,
          text("Storage size calculation overflowed with sizes=", printed(sizes), " and strides=", printed(strides)));
  }
  if (view.error.v != 0)
    raise_storage_bounds(sizes, strides, view.geometry.offset.v, call.self.dtype, reach(view.geometry),
                         bytes_in(storage));
  return view.geometry;
}

Geometry view(const ViewCall& call) {
  const Sizes have = sizes_of(call.geometry());
  const Sizes sizes = whole_sizes(call.judge, call.arguments.integers(1), element_count(have));
  const std::optional<Sizes> strides = view_strides(have, strides_of(call.geometry()), sizes);
  if (!view_keeps_memory<Concrete>(call.judge, strides.has_value()).v)
    raise(ErrorClass::view_stride,
          "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
          "contiguous subspaces). Use .reshape(...) instead.");
  return geometry_of(sizes, strides.value_or(row_major(sizes)), call.geometry().offset.v);
}

std::vector<Geometry> split(const ViewCall& call) {
  if (call.rank() == 0) raise(ErrorClass::dim_range, "split expects at least a 1-dimensional tensor");
  const std::int64_t size = call.integer(1);
  if (size < 0) raise(ErrorClass::range, text("split expects split_size be non-negative, but got split_size=", size));
  const int dim = wrapped(call, call.integer(2), call.rank());
  const std::int64_t n = call.geometry().sizes[dim].v;
  if (size == 0 && n != 0)
    raise(ErrorClass::range, text("split_size can only be 0 if dimension size is 0, but got dimension size of ", n));
  std::vector<Geometry> pieces;
  const std::int64_t count = split_pieces<Concrete>(call.judge, n, size).v;
  for (std::int64_t i = 0; i < count; ++i)
    pieces.push_back(split_view<Concrete>(call.judge, call.geometry(), dim, size, i));
  return pieces;
}

std::vector<Geometry> unbind(const ViewCall& call) {
  const int dim = wrapped(call, call.integer(1), call.rank());
  if (call.rank() == 0)
    raise(ErrorClass::dim_range, "Dimension specified as 0 but tensor has no dimensions", "IndexError");
  std::vector<Geometry> pieces;
  for (std::int64_t i = 0; i < call.geometry().sizes[dim].v; ++i)
    pieces.push_back(unbind_view<Concrete>(call.judge, call.geometry(), dim, i));
  return pieces;
}

Geometry itself(const ViewCall& call) { return call.geometry(); }

using OneView = Geometry (*)(const ViewCall&);
using ManyViews = std::vector<Geometry> (*)(const ViewCall&);

ViewCall view_call(const KernelCall& call) { return {call.judge, call.state, call.arguments, call.tensor(0)}; }

template <OneView kView>
Effect one(const KernelCall& call) {
  Effect effect;
  effect.views.push_back(kView(view_call(call)));
  return effect;
}

template <ManyViews kViews>
Effect many(const KernelCall& call) {
  Effect effect;
  effect.views = kViews(view_call(call));
  return effect;
}

template <OneView kView>
Effect in_place(const KernelCall& call) {
  Effect effect;
  effect.layout = kView(view_call(call));
  return effect;
}

Effect set_source(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Tensor& source = call.tensor(1);
  if (check_set_dtype<Concrete>(call.judge, source.dtype == self.dtype).v != 0)
    raise(ErrorClass::dtype_mismatch,
          text("Could not set tensor of type ", name_of(source.dtype), " to a tensor of type ", name_of(self.dtype)));
  Effect effect;
  effect.source = call.arguments.tensor(1);
  return effect;
}

}  // namespace

std::span<const KernelEntry> view_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::select_int, one<select_int>},
                                      KernelEntry{OpId::slice_Tensor, one<slice>},
                                      KernelEntry{OpId::narrow, one<narrow>},
                                      KernelEntry{OpId::transpose_int, one<transpose>},
                                      KernelEntry{OpId::transpose_, in_place<transpose>},
                                      KernelEntry{OpId::t, one<t>},
                                      KernelEntry{OpId::t_, in_place<t>},
                                      KernelEntry{OpId::permute, one<permute>},
                                      KernelEntry{OpId::expand, one<expand>},
                                      KernelEntry{OpId::squeeze, one<squeeze>},
                                      KernelEntry{OpId::squeeze_, in_place<squeeze>},
                                      KernelEntry{OpId::squeeze_dim, one<squeeze_dim>},
                                      KernelEntry{OpId::squeeze__dim, in_place<squeeze_dim>},
                                      KernelEntry{OpId::unsqueeze, one<unsqueeze>},
                                      KernelEntry{OpId::unsqueeze_, in_place<unsqueeze>},
                                      KernelEntry{OpId::diagonal, one<diagonal>},
                                      KernelEntry{OpId::unfold, one<unfold>},
                                      KernelEntry{OpId::as_strided, one<as_strided>},
                                      KernelEntry{OpId::view, one<view>},
                                      KernelEntry{OpId::alias, one<itself>},
                                      KernelEntry{OpId::detach, one<itself>},
                                      KernelEntry{OpId::split_Tensor, many<split>},
                                      KernelEntry{OpId::unbind_int, many<unbind>},
                                      KernelEntry{OpId::set__source_Tensor, set_source}};
  return entries;
}

}  // namespace plumbline::reference
