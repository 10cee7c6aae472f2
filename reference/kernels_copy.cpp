// The kernels of view copies, and of the ops that replace the part of a tensor under a view.
#include <array>

#include "reference/call.h"
#include "reference/kernels.h"
#include "reference/raise.h"
#include "reference/reshape.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_copy.h"

namespace plumbline::reference {

Effect meaning_as(const KernelCall& call, OpId op) {
  const Arguments arguments(call.state, plumbline::op(op), call.arguments.values());
  return meaning({call.judge, call.state, op, arguments, call.tape});
}

void copy_views(const KernelCall& call, Effect& effect, bool row_major_copies) {
  for (const Geometry& view : effect.views) {
    Tensor seen = call.tensor(0);
    seen.geometry = view;
    seen.dtype = effect.view_dtype.value_or(seen.dtype);
    const Sizes sizes = sizes_of(view);
    Fresh copy = filled(sizes, seen.dtype, {});
    if (!row_major_copies) copy.strides = dense_strides(sizes, strides_of(view));
    copy.elements = elements_of(call.state, seen);
    effect.fresh.push_back(std::move(copy));
  }
  effect.views.clear();
  effect.view_dtype.reset();
}

namespace {

template <OpId kView>
Effect view_copy_of(const KernelCall& call) {
  Effect effect = meaning_as(call, kView);
  copy_views(call, effect, view_copy_is_row_major(call.judge).v);
  return effect;
}

Effect view_copy(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Sizes have = sizes_of(self.geometry);
  const Sizes sizes = whole_sizes(call.judge, call.arguments.integers(1), element_count(have));
  const bool allowed = view_strides(have, strides_of(self.geometry), sizes).has_value();
  if (allowed || !view_copy_fits<Concrete>(call.judge, allowed).v) return view_copy_of<OpId::view>(call);
  Effect effect;
  effect.fresh.push_back({sizes, row_major(sizes), self.dtype, elements_of(call.state, self)});
  return effect;
}

/// A state with only a scatter's copy, as tensor 0, and the source, as tensor 1.
State scattered_into(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const bool repeats = overlap_facts(self, {}, false).repeats.v;
  const bool keeps = scatter_keeps_layout<Concrete>(call.judge, repeats).v;
  const Storage& own = call.state.storages[static_cast<std::size_t>(self.storage)];
  const bool whole = bytes_in(own) % item_size(self.dtype) == 0;
  if (keeps && check_scatter_storage<Concrete>(call.judge, whole).v != 0)
    raise(ErrorClass::internal,
          "nbytes % dtype_size == 0 INTERNAL ASSERT FAILED at \"aten/src/ATen/native/TensorShape.cpp\", please report "
          "a bug to PyTorch. ");
  State made;
  made.slots = {0, 1};
  made.storages = {own, call.state.storages[static_cast<std::size_t>(call.tensor(1).storage)]};
  made.tensors = {self, call.tensor(1)};
  made.tensors[0].storage = 0;
  made.tensors[1].storage = 1;
  if (made.storages[0].dtype != self.dtype) {  // after view(dtype): the bytes as elements of this dtype
    Tensor whole = self;
    whole.geometry = geometry_of({capacity(made.storages[0], self.dtype)}, {1});
    made.storages[0] = {elements_of(call.state, whole), self.dtype};
  }
  if (keeps) return made;
  const Sizes sizes = sizes_of(self.geometry);
  made.tensors[0].geometry = geometry_of(sizes, dense_strides(sizes, strides_of(self.geometry)));
  made.storages[0] = {std::vector<Element>(static_cast<std::size_t>(element_count(sizes))), self.dtype};
  write_elements(made, made.tensors[0], elements_of(call.state, self));
  return made;
}

/// The view's arguments are the scatter's without the source.
template <OpId kView>
Effect scatter(const KernelCall& call) {
  if constexpr (kView == OpId::as_strided) {
    const Geometry& own = call.tensor(0).geometry;
    const auto error = static_cast<ErrorClass>(
        check_strided_scatter<Concrete>(call.judge, is_row_major(sizes_of(own), strides_of(own)),
                                        requires_grad_of(call.judge, call.state, call.arguments.tensor(0)))
            .v);
    if (error != ErrorClass::none)
      raise(error,
            "!self.requires_grad() || self.is_contiguous() INTERNAL ASSERT FAILED at "
            "\"aten/src/ATen/native/TensorShape.cpp\", please report a bug to PyTorch. as_strided_scatter is "
            "currently only supported for contiguous inputs");
  }
  State made = scattered_into(call);
  std::vector<Value> values(call.arguments.values().begin() + 1, call.arguments.values().end());
  values[0] = Slot{0};
  const Arguments of_view(made, op(kView), values);
  const Geometry view = meaning({call.judge, made, kView, of_view, nullptr}).views.front();
  const Sizes sizes = sizes_of(view);
  const Sizes given = sizes_of(call.tensor(1).geometry);
  if (check_scatter_source<Concrete>(call.judge, sizes == given).v != 0)
    raise(ErrorClass::shape, text("expected src to have a size equal to the slice of self. src size = ", printed(given),
                                  ", slice size = ", printed(sizes)));
  Tensor seen = made.tensors[0];
  seen.geometry = view;
  made.tensors.push_back(seen);
  made.slots.push_back(2);
  const std::array<Value, 3> copied{Slot{2}, Slot{1}, false};
  const Arguments of_copy(made, op(OpId::copy_), copied);
  const Effect copy = meaning({call.judge, made, OpId::copy_, of_copy, call.tape});
  if (copy.written) write_elements(made, seen, *copy.written);

  const Tensor& result = made.tensors[0];
  Effect effect;
  effect.fresh.push_back({sizes_of(result.geometry), strides_of(result.geometry), result.dtype,
                          elements_of(made, result), result.geometry.offset.v, std::move(made.storages[0].elements)});
  return effect;
}

}  // namespace

std::span<const KernelEntry> copy_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::alias_copy, view_copy_of<OpId::alias>},
                                      KernelEntry{OpId::as_strided_copy, view_copy_of<OpId::as_strided>},
                                      KernelEntry{OpId::detach_copy, view_copy_of<OpId::detach>},
                                      KernelEntry{OpId::diagonal_copy, view_copy_of<OpId::diagonal>},
                                      KernelEntry{OpId::expand_copy, view_copy_of<OpId::expand>},
                                      KernelEntry{OpId::permute_copy, view_copy_of<OpId::permute>},
                                      KernelEntry{OpId::select_copy_int, view_copy_of<OpId::select_int>},
                                      KernelEntry{OpId::slice_copy_Tensor, view_copy_of<OpId::slice_Tensor>},
                                      KernelEntry{OpId::split_copy_Tensor, view_copy_of<OpId::split_Tensor>},
                                      KernelEntry{OpId::split_with_sizes_copy, view_copy_of<OpId::split_with_sizes>},
                                      KernelEntry{OpId::squeeze_copy, view_copy_of<OpId::squeeze>},
                                      KernelEntry{OpId::squeeze_copy_dim, view_copy_of<OpId::squeeze_dim>},
                                      KernelEntry{OpId::t_copy, view_copy_of<OpId::t>},
                                      KernelEntry{OpId::transpose_copy_int, view_copy_of<OpId::transpose_int>},
                                      KernelEntry{OpId::unbind_copy_int, view_copy_of<OpId::unbind_int>},
                                      KernelEntry{OpId::unfold_copy, view_copy_of<OpId::unfold>},
                                      KernelEntry{OpId::unsqueeze_copy, view_copy_of<OpId::unsqueeze>},
                                      KernelEntry{OpId::view_copy, view_copy},
                                      KernelEntry{OpId::view_copy_dtype, view_copy_of<OpId::view_dtype>},
                                      KernelEntry{OpId::as_strided_scatter, scatter<OpId::as_strided>},
                                      KernelEntry{OpId::diagonal_scatter, scatter<OpId::diagonal>},
                                      KernelEntry{OpId::select_scatter, scatter<OpId::select_int>},
                                      KernelEntry{OpId::slice_scatter, scatter<OpId::slice_Tensor>}};
  return entries;
}

}  // namespace plumbline::reference
