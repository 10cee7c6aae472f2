// The builder: tensors and calls of ops.
#include <algorithm>
#include <utility>

#include "fuzz/building.h"
#include "fuzz/scene.h"
#include "reference/call.h"
#include "reference/composite.h"
#include "reference/kernels.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo.h"
#include "spec/rules/inf.h"
#include "spec/rules/view.h"

namespace plumbline::fuzz {

namespace {

/// The ops of one kind that the reference knows, in the table's order; `replacing`: those that replace a view. Without
/// to.dtype_layout, which programs of two devices call in place of to.dtype.
const std::vector<OpId>& ops_of(OpKind kind, bool replacing) {
  static const auto all = [] {
    std::array<std::array<std::vector<OpId>, 2>, kOpKinds.size()> lists;
    for (std::size_t i = 0; i < op_table().size(); ++i) {
      const auto id = static_cast<OpId>(i);
      const bool known = reference::has_meaning(id) || reference::is_expanded(id);
      const auto kind = static_cast<std::size_t>(op(id).kind);
      if (known && !op(id).unsafe && kind < lists.size() && id != OpId::to_dtype_layout)
        lists[kind][view_replaced(op(id)).empty() ? 0 : 1].push_back(id);
    }
    return lists;
  }();
  return all[static_cast<std::size_t>(kind)][replacing ? 1 : 0];
}

/// Tensors made for one call, one after the other.
constexpr int kMostMade = 3;
/// Variables from one call.
constexpr std::size_t kMostResults = 16;

}  // namespace

void Builder::leave_out(LeftOut why) {
  if (coverage_ != nullptr) ++coverage_->left_out[static_cast<std::size_t>(why)];
}

double Builder::elements_to_read() const {
  double sum = 0;
  for (const reference::TensorId id : state_.slots) {
    if (id == reference::kNoTensor) continue;
    const reference::Tensor& tensor = state_.tensors[static_cast<std::size_t>(id)];
    sum += elements_in(tensor) * (tensor.meta.requires_grad.v ? 2 : 1);
  }
  return sum;
}

bool Builder::is_light() const {
  constexpr double kMostInSnapshots = 1 << 17;
  return elements_to_read() < kMostInSnapshots;
}

Sizes Builder::choose_literal_sizes(Choices& choices) const { return sizes_like_newest(state_, live(), choices); }

double Builder::value_at(Dtype dtype, double counted) {
  if (dtype == Dtype::uint8) return counted < 0 ? counted + 256 : counted;
  if (dtype != Dtype::boolean) return counted;
  return static_cast<std::int64_t>(counted) % 3 == 0 ? 0 : 1;
}

void Builder::make(Sizes sizes, Choices& choices, std::uint8_t twist, std::optional<Dtype> dtype) {
  const auto zero = std::ranges::find(sizes, 0);
  if (zero != sizes.end()) sizes.erase(zero + 1, sizes.end());
  if (zero != sizes.end() && elements_in(std::span(sizes).first(sizes.size() - 1)) > kMostInLiteral)
    sizes = {0};  // a list of so many empty lists is too long
  constexpr std::array<Dtype, 8> dtypes{Dtype::float32, Dtype::float32, Dtype::float64, Dtype::float32,
                                        Dtype::int64,   Dtype::float64, Dtype::boolean, Dtype::int32};
  const Dtype chosen = perhaps_narrow(dtypes[choices.below(dtypes.size())], choices);
  const Dtype made = functionalizes_ ? part_of(dtype.value_or(chosen)) : dtype.value_or(chosen);
  MakeTensor statement{next_slot(), made, std::move(sizes), {}, false};
  std::int64_t count = 1;
  for (const std::int64_t size : statement.sizes) count *= size;
  const auto first = static_cast<double>(choices.below(5));
  statement.requires_grad = choices.one_in(3) && (is_inexact(statement.dtype) || twist % 8 == 7);
  if (count > kMostInLiteral) return make_counted(statement.sizes, statement.dtype, statement.requires_grad);
  for (std::int64_t i = 0; i < count; ++i) {
    statement.values.push_back(value_at(statement.dtype, static_cast<double>(i) + 1 - first));
    if (is_complex(statement.dtype)) statement.values.push_back(static_cast<double>(i % 4) - 1);
  }
  if ((statement.sizes.size() == 4 || statement.sizes.size() == 5) && choices.last() % 32 == 7)
    return make_channels_last(std::move(statement));
  if (perform(statement)) ++slots_;
}

/// The tensor with its channels last; a leaf, if that is allowed.
void Builder::make_channels_last(MakeTensor statement) {
  const bool requires_grad = std::exchange(statement.requires_grad, false);
  const Slot made = statement.result;
  const auto format = statement.sizes.size() == 4 ? MemoryFormat::channels_last : MemoryFormat::channels_last_3d;
  if (!perform(std::move(statement))) return;
  ++slots_;
  perform(Call{OpId::clone, {made, static_cast<std::int64_t>(format)}, {made}, false});
  if (requires_grad && grads_fit()) perform(SetRequiresGrad{made, true});
}

void Builder::make_counted(const Sizes& sizes, Dtype dtype, bool requires_grad) {
  dtype = part_of(dtype);  // arange has no complex numbers
  if (elements_to_read() + elements_in(sizes) > kMostToRead) return leave_out(LeftOut::too_large);
  const Slot made = next_slot();
  const bool boolean = dtype == Dtype::boolean;
  const bool table = elements_in(sizes) > kMostInResult;  // of which each element is the sum of its row and column
  const auto count = [&](std::int64_t end, Slot result) {
    const Value counted = boolean ? Dtype::int64 : dtype;
    return perform(Call{OpId::arange_start, {std::int64_t{0}, end, counted, None{}, None{}, None{}}, {result}, false});
  };
  if (!count(table ? sizes.front() : reference::element_count(sizes), made)) return;
  slots_ += 1;
  const Sizes viewed = table ? Sizes{sizes.front(), 1} : sizes;
  if (sizes.size() > 1 && !perform(Call{OpId::view, {made, viewed}, {made}, false})) return;
  Slot other = made;
  if (table || boolean) {
    other = next_slot();
    if (table ? !count(sizes.back(), other)
              : !perform(
                    Call{OpId::full, {Sizes{}, std::int64_t{9}, Dtype::int64, None{}, None{}, None{}}, {other}, false}))
      return;
    ++slots_;
  }
  if (boolean)
    perform(Call{OpId::gt_Tensor, {made, other}, {made}, false});
  else if (table)
    perform(Call{OpId::add_Tensor, {made, other, std::int64_t{1}}, {made}, false});
  else if (sizes.size() > 1)
    perform(Call{OpId::clone, {made, None{}}, {made}, false});
  if (requires_grad && is_floating(dtype) && grads_fit()) perform(SetRequiresGrad{made, true});
}

void Builder::call(OpKind kind, const Gene& gene, Choices& choices, int made) {
  constexpr std::uint8_t kBySchemaFrom = 192;
  if (by_schema_ && made == 0 && gene.op % 4 == 3 && call_of_parts(kind, gene)) return;
  if (by_schema_ && made == 0 && gene.op >= kBySchemaFrom && call_by_schema(kind, gene)) return;
  const std::vector<Slot> slots = live();
  if (slots.empty() && kind != OpKind::Factory) return make(choose_literal_sizes(choices), choices, 0);
  const bool replacing = kind == OpKind::Functional && gene.unwind % 6 == 4;
  const std::vector<OpId>& ops = ops_of(kind, replacing);
  Call call{ops[gene.op % ops.size()], {}, {}, false};
  const Op& chosen_op = op(call.op);
  Chosen chosen = choose_arguments(state_, slots, chosen_op, choices, gene.twist);
  if (chosen.left_out) return leave_out(*chosen.left_out);
  if (chosen.missing) {
    if (made == kMostMade) return leave_out(LeftOut::no_argument);
    if (elements_in(*chosen.missing) > kMostInResult) return leave_out(LeftOut::too_large);
    make(std::move(*chosen.missing), choices, 0, chosen.missing_dtype);
    Choices anew(gene);
    return this->call(kind, gene, anew, made + 1);
  }
  const double before = elements_to_read();
  if (before + chosen.elements > kMostToRead) return leave_out(LeftOut::too_large);
  call.arguments = std::move(chosen.arguments);
  if (chosen.index && !make_index(call, chosen_op, std::move(*chosen.index))) return;
  if (kind == OpKind::View || kind == OpKind::InplaceView) keep_sizes_natural(call, chosen_op);
  if (breaks_no_aliasing(call)) return leave_out(LeftOut::breaks_no_aliasing);
  if (call.op == OpId::copy_) copy_onto_itself(call, choices);
  if (kind == OpKind::Factory)
    call.requires_grad = choices.one_in(4) && (makes_floats(chosen_op, call) || gene.twist % 8 == 7);
  if (call.op == OpId::rand && gene.twist % 3 == 0) perform(ManualSeed{gene.twist});
  if (result_count(state_, chosen_op, call.arguments) > kMostResults) return leave_out(LeftOut::too_many_results);
  const std::size_t fresh = choose_results(call, chosen_op, slots, choices);
  if (!perform(call)) return;
  if (chosen.huge && elements_to_read() > before + kMostInResult) {  // it has not raised
    script_.statements.pop_back();
    return undo(LeftOut::too_large);
  }
  slots_ += fresh;
  const bool unspecified =
      chosen_op.name == "empty" || chosen_op.name == "empty_like" || (chosen_op.name == "rand" && !state_.generator);
  if (unspecified) fill(call.results.front(), choices);
  if (replacing && fresh == 1 && gene.twist % 4 == 2) backward_through(call.results.front(), gene, choices);
}

void Builder::backward_through(Slot result, const Gene& gene, Choices& choices) {
  const auto id = state_.slots[static_cast<std::size_t>(result)];
  if (reference::requires_grad_of(judge_, state_, id)) backward(result, gene, choices);
}

bool Builder::make_index(Call& call, const Op& op, MakeTensor index) {
  index.result = next_slot();
  if (!perform(index)) return false;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (op.arguments[i].name == "index") call.arguments[i] = next_slot();
  ++slots_;
  return true;
}

void Builder::copy_onto_itself(Call& call, Choices& choices) {
  const auto* self = std::get_if<Slot>(&call.arguments[0]);
  if (self == nullptr) return;
  const reference::Geometry& g = tensor_in(state_, *self).geometry;
  bool overlaps = false;
  for (int i = 0; i < g.rank(); ++i) overlaps = overlaps || (g.strides[i].v == 0 && g.sizes[i].v > 1);
  if (choices.last() % (overlaps ? 2 : 16) != 1) return;
  const Slot same = next_slot();
  if (!perform(Call{OpId::alias, {*self}, {same}, false})) return;
  ++slots_;
  call.arguments[1] = same;
}

void Builder::keep_sizes_natural(Call& call, const Op& op) {
  if (check_negative_size<Concrete>(judge_, Dims<Concrete>{-1, 0}).v != 0) return;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (auto* window = std::get_if<std::int64_t>(&call.arguments[i]);
        window != nullptr && op.arguments[i].name == "size" && *window < 0) {
      leave_out(LeftOut::negative_size);
      *window = 0;
    }
    auto* sizes = std::get_if<std::vector<std::int64_t>>(&call.arguments[i]);
    if (sizes == nullptr || op.arguments[i].name != "size") continue;
    const reference::Geometry& self = tensor_in(state_, std::get<Slot>(call.arguments[0])).geometry;
    const bool empty = std::ranges::count(*sizes, 0) > 0 || reference::element_count(reference::sizes_of(self)) == 0;
    if (op.kind == OpKind::View && !empty) continue;  // in place it stays after the error
    const auto negative = [](std::int64_t size) { return size < 0; };
    if (std::ranges::any_of(*sizes, negative)) leave_out(LeftOut::negative_size);
    std::ranges::replace_if(*sizes, negative, 1);
  }
}

bool Builder::breaks_no_aliasing(const Call& call) const {
  if (call.op != OpId::view_dtype) return false;
  const reference::Tensor& viewed = tensor_in(state_, std::get<Slot>(call.arguments[0]));
  const bool own = std::get<Dtype>(call.arguments[1]) == viewed.dtype;
  if (own_dtype_is_self<Concrete>(judge_, own).v) return false;
  const auto source = is_inference(judge_, viewed.meta, state_.tls);
  return view_inference(judge_, source, state_.tls, true).v != source.v;
}

bool Builder::makes_floats(const Op& op, const Call& call) {
  bool integral = false;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (const Dtype* dtype = std::get_if<Dtype>(&call.arguments[i])) return is_floating(*dtype);
    integral = integral ||
               (op.arguments[i].type == ArgType::Scalar && std::holds_alternative<std::int64_t>(call.arguments[i]));
  }
  return !integral;
}

std::size_t Builder::choose_results(Call& call, const Op& op, const std::vector<Slot>& slots, Choices& choices) const {
  const std::size_t results = result_count(state_, op, call.arguments);
  const bool rebinds = choices.one_in(8) && inner_ == 0;  // a name that a function assigns is local to it
  if ((op.aliases == Aliases::self || op.aliases == Aliases::out) && !rebinds) return 0;
  if (rebinds && results == 1 && !slots.empty() && choices.below(3) != 2) {
    call.results = {slots[choices.below(slots.size())]};
    return 0;
  }
  for (std::size_t i = 0; i < results; ++i) call.results.push_back(static_cast<Slot>(slots_ + i));
  return results;
}

void Builder::fill(Slot slot, Choices& choices) {
  if (choices.one_in(16)) return;
  perform(Call{OpId::fill__Scalar, {slot, static_cast<std::int64_t>(1 + choices.below(3))}, {}, false});
}

}  // namespace plumbline::fuzz
