// Whose memory a gradient is, on its way through one run of backward (AUT-50).
#include "reference/gradient_memory.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "reference/call.h"
#include "spec/op_ids.h"
#include "spec/rules/aut_backward.h"

namespace plumbline::reference {

bool GradientMemory::gives_view(OpId op) {
  static constexpr std::array ops{
      OpId::view,          OpId::alias,     OpId::_unsafe_view, OpId::squeeze,      OpId::squeeze_dim,
      OpId::unsqueeze,     OpId::view_copy, OpId::alias_copy,   OpId::squeeze_copy, OpId::squeeze_copy_dim,
      OpId::unsqueeze_copy};
  return std::ranges::find(ops, op) != ops.end();
}

bool GradientMemory::may_give_view(OpId op) {
  static constexpr std::array ops{OpId::cat, OpId::stack, OpId::_unsafe_view, OpId::unsafe_split_Tensor};
  const std::string_view name = plumbline::op(op).name;
  // A {view}_copy has its view's derivative; that of a *_scatter's src is its view.
  const bool as_view = (name.ends_with("_copy") && name != "_to_copy") || name.ends_with("_scatter");
  return as_view || plumbline::op(op).kind == OpKind::View || std::ranges::find(ops, op) != ops.end();
}

void GradientMemory::arrives(Place place, Piece piece) {
  const bool first = pieces_.try_emplace(place, piece).second;
  if (!first) pieces_[place] = {++last_, false};
}

GradientMemory::Piece GradientMemory::passed(Place place, bool view) {
  return view ? Piece{pieces_[place].memory, true} : Piece{++last_, false};
}

void GradientMemory::take(const Judge& judge, State& state, Place leaf, TensorId made) {
  const Piece piece = pieces_[leaf];
  const auto holder = holders_.find(piece.memory);
  if (holder == holders_.end()) return hold(piece, made);
  Tensor& gradient = state.tensors[static_cast<std::size_t>(made)];
  const Tensor& other = state.tensors[static_cast<std::size_t>(holder->second)];
  const auto row_major_of = [](const Geometry& g) { return is_row_major(sizes_of(g), strides_of(g)); };
  const bool fits = gradient.dtype == other.dtype && (gradient.counter < 0) == (other.counter < 0) &&
                    row_major_of(gradient.geometry) && row_major_of(other.geometry);
  if (!gradient_shares_memory<Concrete>(judge, piece.view && fits).v) return;
  gradient.storage = other.storage;
  gradient.counter = other.counter;
  gradient.geometry.offset = other.geometry.offset;
}

}  // namespace plumbline::reference
