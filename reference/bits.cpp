// The keys Conjugate and Negative, and what their fallback does.
#include "reference/bits.h"

#include <algorithm>
#include <array>

#include "reference/functorch/functorch.h"
#include "reference/pointwise.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference {

namespace {

using Keys = KeySet<Concrete>;

/// Those besides views for which PyTorch registers a fallthrough, or whose kernels work on memory alike
/// [aten/src/ATen/ConjugateFallback.cpp; aten/src/ATen/native/NegateFallback.cpp].
bool is_registered(OpId id) {
  using enum OpId;
  constexpr std::array kCarrying{
      clone,        _unsafe_view,    empty_like,   full_like,   copy_,         as_strided_,   squeeze_, t_,
      transpose_,   unsqueeze_,      resize_,      detach_,     neg_,          conj,          real,     imag,
      view_as_real, view_as_complex, resolve_conj, resolve_neg, conj_physical, conj_physical_};
  return std::ranges::find(kCarrying, id) != kCarrying.end();
}

/// Their kernels read or write memory beside an argument's elements, or give views of the copy.
bool shows_the_copy(OpId id) {
  return id == OpId::as_strided_copy || id == OpId::as_strided_scatter || id == OpId::unsafe_split_Tensor ||
         (op(id).by_schema && op(id).composite);
}

/// The tensor without bits: it shows its memory as it is.
Tensor plain(Tensor tensor) {
  tensor.meta.keys = tensor.meta.keys - bits_of(tensor);
  return tensor;
}

/// A copy with the layout that clone gives it.
TensorId copy_of(const Judge& judge, State& state, TensorId id) {
  Tensor copy = at(state, id);
  const Keys bits = bits_of(copy);
  copy.meta.keys = copy.meta.keys - bits;
  const std::vector<Element> elements = turned_by(copy_turns(judge, bits), elements_of(state, copy));
  const Sizes sizes = sizes_of(copy.geometry);
  copy.geometry = geometry_of(sizes, dense_strides(sizes, strides_of(copy.geometry)));
  copy.storage = static_cast<std::int32_t>(state.storages.size());
  copy.counter = -1;
  copy.base = kNoTensor;
  copy.meta.tracked = false;
  state.storages.push_back({std::vector<Element>(elements.size()), copy.dtype});
  write_elements(state, copy, elements);
  state.tensors.push_back(std::move(copy));
  return static_cast<TensorId>(state.tensors.size()) - 1;
}

}  // namespace

Keys bits_of(const Tensor& tensor) { return bits_among(tensor.meta.keys); }

bool has_bits(const Tensor& tensor) { return !bits_of(tensor).empty().v; }

bool any_has_bits(const State& state, const Arguments& arguments) {
  bool any = false;
  for (const Value& value : arguments.values())
    each_slot_of(value,
                 [&](Slot slot) { any = any || has_bits(state.tensors[static_cast<std::size_t>(held(state, slot))]); });
  return any;
}

std::vector<Element> turned_by(const Keys& bits, std::vector<Element> elements) {
  const Signs<Concrete> signs = turned_signs(bits);
  for (Element& element : elements) {
    if (signs.real.v) element.real = -element.real;
    if (signs.imag.v) element.imag = -element.imag;
  }
  return elements;
}

std::vector<Element> resolved(std::vector<Element> elements, const Tensor& tensor) {
  return has_bits(tensor) ? turned_by(bits_of(tensor), std::move(elements)) : elements;
}

void need_everyday(const State& state, const Keys& tensors, const Keys& keys) {
  const Keys everyday = Keys(Functionality::Dense) | Functionality::BackendSelect | Functionality::ADInplaceOrView |
                        Functionality::AutogradOther | Functionality::Autograd | Functionality::AutocastCPU |
                        Keys(Backend::CPU) | (tensors & (Keys(Functionality::AutocastCUDA) | Backend::CUDA));
  const Keys needed = (tensors & Functionality::Dense) | bits_among(tensors);
  const bool lost = !(needed - keys).empty().v;
  const bool included = !(keys - everyday - bits_among(tensors)).empty().v;
  if (included || lost || state.tls.excluded.has_any(Functionality::BackendSelect).v)
    throw ReferenceLimit("an op of PyTorch's under a guard of a key that no CPU tensor has, or without the CPU's key");
  if (!bits_among(tensors).empty().v && (functorch::is_on_top(state) || state.dispatched != nullptr))
    throw ReferenceLimit("a conjugate or a negative view in a functionalized body");
}

void refuse_bits(std::initializer_list<const Tensor*> tensors, const char* what) {
  for (const Tensor* tensor : tensors)
    if (has_bits(*tensor)) throw ReferenceLimit(text(what, " of a conjugate or a negative view"));
}

void refuse_view_of_parts(const State& state, const Tensor& view) {
  const Tensor& base = state.tensors[static_cast<std::size_t>(view.base)];
  if (base.dtype != view.dtype || has_bits(base) || has_bits(view))
    throw ReferenceLimit("the history of a view of complex parts, or of a conjugate or negative view, that is written");
}

bool computes_complex(OpId id) {
  using enum OpId;
  constexpr std::array kComputing{zeros,
                                  ones,
                                  empty_memory_format,
                                  full,
                                  add_Tensor,
                                  sub_Tensor,
                                  mul_Tensor,
                                  div_Tensor,
                                  add__Tensor,
                                  sub__Tensor,
                                  mul__Tensor,
                                  div__Tensor,
                                  add_out,
                                  sub_out,
                                  mul_out,
                                  div_out,
                                  clone,
                                  sum,
                                  sum_dim_IntList,
                                  sum_IntList_out,
                                  fill__Scalar,
                                  zero_,
                                  copy_,
                                  neg,
                                  neg_,
                                  neg_out,
                                  where_self,
                                  masked_fill_Scalar,
                                  eq_Tensor,
                                  eq_Scalar,
                                  eq_Tensor_out,
                                  eq_Scalar_out,
                                  cat,
                                  cat_out,
                                  stack,
                                  mean,
                                  mean_dim,
                                  index_select,
                                  gather,
                                  masked_fill__Scalar,
                                  empty_like,
                                  zeros_like,
                                  ones_like,
                                  full_like,
                                  new_full,
                                  _to_copy,
                                  _unsafe_view,
                                  unsafe_split_Tensor,
                                  set__source_Tensor,
                                  resize_,
                                  detach_,
                                  conj,
                                  real,
                                  imag,
                                  view_as_real,
                                  view_as_complex,
                                  conj_physical,
                                  conj_physical_,
                                  resolve_conj,
                                  resolve_neg};
  const Op& one = op(id);
  if (std::ranges::find(kComputing, id) != kComputing.end()) return true;
  if (one.by_schema) return false;
  const bool moves = view_of_copy(id) || one.name.ends_with("_scatter");
  return one.kind == OpKind::View || one.kind == OpKind::InplaceView || moves;
}

std::optional<ResolvedCall> resolve_bits(const Judge& judge, State& state, OpId id, const Arguments& arguments) {
  if (carries_bits<Concrete>(judge, is_registered(id), op(id).kind == OpKind::View).v) return std::nullopt;
  ResolvedCall call{{arguments.values().begin(), arguments.values().end()}};
  const int written = written_argument(op(id));
  bool any = false;
  for (std::size_t i = 0; i < call.values.size(); ++i)
    each_slot_of(call.values[i], [&](Slot& slot) {
      const TensorId tensor = held(state, slot);
      const bool is_written = static_cast<int>(i) == written;
      if (!has_bits(at(state, tensor)) || !gets_a_copy<Concrete>(judge, is_written).v) return;
      if (overlap_checked_first<Concrete>(judge, is_written).v)
        (void)judged_overlap(judge, at(state, tensor), {}, false);
      any = true;
      slot = static_cast<Slot>(state.slots.size());
      state.slots.push_back(copy_of(judge, state, tensor));
      if (!is_written) return;
      call.written = tensor;
      call.copy = state.slots.back();
    });
  if (any && shows_the_copy(id))
    throw ReferenceLimit(text(qualified_name(op(id)), " of a conjugate or a negative view"));
  return any ? std::optional(std::move(call)) : std::nullopt;
}

void copy_back(const Judge& judge, State& state, const ResolvedCall& call) {
  Tensor& written = at(state, call.written);
  const Tensor& copy = at(state, call.copy);
  const Sizes sizes = sizes_of(copy.geometry);
  const bool same = sizes_of(written.geometry) == sizes;
  raise_class(static_cast<ErrorClass>(check_copied_back<Concrete>(judge, same).v));
  if (!same) {
    written.geometry = geometry_of(sizes, row_major(sizes), written.geometry.offset.v);
    const std::int64_t count = element_count(sizes);
    if (count > 0)
      grow(state.storages[static_cast<std::size_t>(written.storage)], written.geometry.offset.v + count, written.dtype);
  }
  (void)judged_overlap(judge, written, {}, false);
  write_elements(state, plain(written),
                 turned_by(copying_back_turns(judge, bits_of(written)), elements_of(state, copy)));
}

}  // namespace plumbline::reference
