// The kernels of ops that write `out`: the functional op's result, written into a tensor that is resized first.
#include <algorithm>
#include <array>

#include "reference/dtype_words.h"
#include "reference/join.h"
#include "reference/out.h"
#include "reference/overlap.h"
#include "reference/pointwise.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_ops.h"
#include "spec/rules/geo_value.h"

namespace plumbline::reference {

namespace {

/// How an op's out= form treats out.
enum class OutKind : std::uint8_t {
  pointwise,  ///< a TensorIterator that converts the result: it checks overlap, sizes and dtype in this order
  exact,      ///< a TensorIterator that requires exactly the dtype
  matrix,     ///< requires an input's dtype, does not check overlap, and checks the inputs' dtypes last
};

struct OutOp {
  OpId out;
  OpId functional;
  OutKind kind;
};
constexpr std::array kOutOps{OutOp{OpId::add_out, OpId::add_Tensor, OutKind::pointwise},
                             OutOp{OpId::sub_out, OpId::sub_Tensor, OutKind::pointwise},
                             OutOp{OpId::mul_out, OpId::mul_Tensor, OutKind::pointwise},
                             OutOp{OpId::div_out, OpId::div_Tensor, OutKind::pointwise},
                             OutOp{OpId::exp_out, OpId::exp, OutKind::pointwise},
                             OutOp{OpId::tanh_out, OpId::tanh, OutKind::pointwise},
                             OutOp{OpId::sqrt_out, OpId::sqrt, OutKind::pointwise},
                             OutOp{OpId::gt_Tensor_out, OpId::gt_Tensor, OutKind::pointwise},
                             OutOp{OpId::gt_Scalar_out, OpId::gt_Scalar, OutKind::pointwise},
                             OutOp{OpId::ge_Tensor_out, OpId::ge_Tensor, OutKind::pointwise},
                             OutOp{OpId::ge_Scalar_out, OpId::ge_Scalar, OutKind::pointwise},
                             OutOp{OpId::eq_Tensor_out, OpId::eq_Tensor, OutKind::pointwise},
                             OutOp{OpId::eq_Scalar_out, OpId::eq_Scalar, OutKind::pointwise},
                             OutOp{OpId::neg_out, OpId::neg, OutKind::exact},
                             OutOp{OpId::mm_out, OpId::mm, OutKind::matrix},
                             OutOp{OpId::bmm_out, OpId::bmm, OutKind::matrix}};

bool can_cast(const Judge& judge, Dtype from, Dtype to) { return check_cast<Concrete>(judge, from, to).v == 0; }

TensorId out_id(const KernelCall& call) { return call.arguments.tensor(call.arguments.values().size() - 1); }
const Tensor& out_of(const KernelCall& call) { return call.tensor(call.arguments.values().size() - 1); }

/// Whether the argument is a tensor: neither a number in its place, nor None.
bool is_tensor(const KernelCall& call, std::size_t i) {
  return std::holds_alternative<Slot>(call.arguments.values()[i]);
}

/// The tensors that a call reads, except out itself.
std::vector<const Tensor*> inputs_of(const KernelCall& call) {
  std::vector<const Tensor*> inputs;
  for (std::size_t i = 0; i + 1 < call.arguments.values().size(); ++i) {
    const auto type = call.arguments.op().arguments[i].type;
    if (type != ArgType::Tensor || !is_tensor(call, i)) continue;
    if (call.arguments.tensor(i) != out_id(call)) inputs.push_back(&call.tensor(i));
  }
  return inputs;
}
bool out_is_input(const KernelCall& call) {
  for (std::size_t i = 0; i + 1 < call.arguments.values().size(); ++i)
    if (call.arguments.op().arguments[i].type == ArgType::Tensor && is_tensor(call, i) &&
        call.arguments.tensor(i) == out_id(call))
      return true;
  return false;
}

/// The functional op's result for the same arguments.
Fresh functional(const KernelCall& call, OpId op, std::span<const Value> values) {
  const Arguments arguments(call.state, plumbline::op(op), values);
  return meaning({call.judge, call.state, op, arguments, call.tape}).fresh.front();
}

[[noreturn]] void wrong_dtype(Dtype wanted, Dtype got) {
  raise(ErrorClass::dtype_cast,
        text("Expected out tensor to have dtype ", type_name(wanted), ", but got ", type_name(got), " instead"));
}

/// out with its sizes and strides after the op, and the effect that makes them [aten/src/ATen/native/Resize.cpp,
/// resize_output].
Tensor resized(const KernelCall& call, const Sizes& sizes, const Sizes& strides, Effect& effect) {
  Tensor out = out_of(call);
  const bool same = sizes_of(out.geometry) == sizes;
  if (check_out_sizes<Concrete>(call.judge, same).v != 0)
    raise(ErrorClass::shape, text("output with shape ", printed(sizes_of(out.geometry)),
                                  " doesn't match the broadcast shape ", printed(sizes)));
  if (same) return out;
  out.geometry = geometry_of(sizes, strides, out.geometry.offset.v);
  effect.layout = out.geometry;
  const std::vector<std::int64_t> places = places_of(out.geometry);
  effect.grown = places.empty() ? 0 : *std::max_element(places.begin(), places.end()) + 1;
  const Storage& storage = call.state.storages[static_cast<std::size_t>(out.storage)];
  const std::int64_t held = capacity(storage, out.dtype);
  if (check_resize<Concrete>(call.judge, effect.grown, held).v != 0)
    raise_storage_bounds(sizes, strides, out.geometry.offset.v, out.dtype, effect.grown, bytes_in(storage));
  return out;
}

std::vector<Element> converted_to(const Fresh& result, Dtype dtype, Tape* tape) {
  std::vector<Element> elements = result.elements;
  for (Element& element : elements) element = converted(element, result.dtype, dtype, tape);
  return elements;
}

/// The error of an op that reads its inputs more than once, if out overlaps itself or one of them.
ErrorClass overlap_error(const Tensor& out, std::span<const Tensor* const> inputs, bool is_input) {
  const auto repeats = static_cast<ErrorClass>(check_overlap(Judge{}, overlap_facts(out, {}, false)).v);
  if (repeats == ErrorClass::overlap_internal) return repeats;
  const bool meets = std::any_of(inputs.begin(), inputs.end(), [&](const Tensor* input) {
    const Overlap overlap = overlap_between(out, *input);
    return overlap == Overlap::full || overlap == Overlap::partial;
  });
  return meets || is_input ? ErrorClass::overlap_partial : ErrorClass::none;
}

/// Whether out shares memory with itself or with an input of an op that reads its inputs more than once.
bool in_the_way(const Tensor& out, std::span<const Tensor* const> inputs, bool is_input) {
  return is_input || repeats_places(out.geometry) ||
         std::any_of(inputs.begin(), inputs.end(), [&](const Tensor* input) { return share_memory(out, *input); });
}

void forget(std::vector<Element>& elements) {
  for (Element& element : elements) element.known = false;
}

/// Whether the error is a dtype that the op does not accept, or that differs from the other input's.
bool is_of_dtypes(const Failure& failure) {
  return failure.error == ErrorClass::dtype_mismatch || failure.error == ErrorClass::dtype_op;
}

Effect write_pointwise(const KernelCall& call, bool exact, const std::function<Fresh()>& compute) {
  const Judge& judge = call.judge;
  const Tensor& out = out_of(call);
  const std::vector<const Tensor*> inputs = inputs_of(call);
  const OverlapFacts<Concrete> facts = overlap_facts(out, inputs, false);
  const auto overlap = static_cast<ErrorClass>(check_overlap(judge, facts).v);
  if (out_overlap_checked<Concrete>(judge, true).v) raise_overlap(overlap);
  const Fresh result = compute();
  if (out_is_input(call) && sizes_of(out.geometry) != result.sizes)
    raise(ErrorClass::shape, text("output with shape ", printed(sizes_of(out.geometry)),
                                  " doesn't match the broadcast shape ", printed(result.sizes)));
  if (!out_dtype_fits<Concrete>(judge, result.dtype == out.dtype, can_cast(judge, result.dtype, out.dtype), exact).v) {
    if (exact)
      raise(ErrorClass::dtype_mismatch,
            text("Found dtype ", scalar_name(out.dtype), " but expected ", scalar_name(result.dtype)));
    raise(ErrorClass::dtype_cast, text("result type ", scalar_name(result.dtype),
                                       " can't be cast to the desired output type ", scalar_name(out.dtype)));
  }
  Effect effect;
  const Tensor after = resized(call, result.sizes, result.strides, effect);
  effect.written = converted_to(result, out.dtype, call.tape);
  std::vector<Tensor> read;
  for (const Tensor* input : inputs) {
    read.push_back(*input);
    read.back().geometry = broadcast_to(input->geometry, result.sizes);
  }
  mark_order(after, read, *effect.written);
  return effect;
}

Effect pointwise(const KernelCall& call, const OutOp& op) {
  const auto given = call.arguments.values().first(call.arguments.values().size() - 1);
  std::optional<Fresh> early;
  const auto is_bool = [&](std::size_t i) {
    const Operand operand = call.arguments.operand(i);
    return operand.is_number() ? operand.truth : call.tensor(i).dtype == Dtype::boolean;
  };
  if (op.kind == OutKind::exact || (op.functional == OpId::sub_Tensor && (is_bool(0) || is_bool(1)))) {
    try {
      early = functional(call, op.functional, given);
    } catch (const Raise& raised) {
      if (is_of_dtypes(raised.failure)) throw;  // neg and sub refuse bools before anything else
    }
  }
  return write_pointwise(call, op.kind == OutKind::exact,
                         [&] { return early ? *std::move(early) : functional(call, op.functional, given); });
}

Effect matrix(const KernelCall& call, const OutOp& op) {
  const Tensor& out = out_of(call);
  const Tensor& self = call.tensor(0);
  const Tensor& other = call.tensor(1);
  std::optional<Failure> late;  // an error of the inputs' dtypes is found after out is resized
  Fresh result{{}, {}, op.functional == OpId::mm ? self.dtype : other.dtype, {}};
  try {
    result = functional(call, op.functional, call.arguments.values().first(2));
  } catch (const Raise& raised) {
    if (!is_of_dtypes(raised.failure)) throw;
    late = raised.failure;
    result.sizes = sizes_of(self.geometry);
    result.sizes.back() = other.geometry.sizes.back().v;
    result.strides = row_major(result.sizes);
  }
  if (!out_dtype_fits<Concrete>(call.judge, result.dtype == out.dtype, can_cast(call.judge, result.dtype, out.dtype),
                                true)
           .v)
    wrong_dtype(result.dtype, out.dtype);
  const std::vector<const Tensor*> inputs = inputs_of(call);
  const bool is_input = out_is_input(call);
  Effect effect;
  const Tensor after = resized(call, result.sizes, result.strides, effect);
  if (late) return raised_after(call.judge, std::move(effect), *late);
  if (out_overlap_checked<Concrete>(call.judge, false).v) raise_overlap(overlap_error(after, inputs, is_input));
  effect.written = converted_to(result, out.dtype, call.tape);
  if (in_the_way(after, inputs, is_input)) forget(*effect.written);
  return effect;
}

/// The op of a call.
const OutOp& out_op(const KernelCall& call) { return *std::ranges::find(kOutOps, call.op, &OutOp::out); }

Effect pointwise_out(const KernelCall& call) { return pointwise(call, out_op(call)); }
Effect matrix_out(const KernelCall& call) { return matrix(call, out_op(call)); }

/// Whether a tensor is contiguous in row-major order, or in the channels-last order `last`.
bool in_order(const Tensor& tensor, bool last) {
  const Sizes sizes = sizes_of(tensor.geometry);
  if (!last) return is_row_major(sizes, strides_of(tensor.geometry));
  const Sizes steps = channels_last_strides(sizes);
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] != 1 && tensor.geometry.strides[static_cast<int>(d)].v != steps[d]) return false;
  return true;
}

/// How cat's serial kernel would write into `out`: how many elements, in the order of memory, by out's stride in the
/// dimension, and whether along the first dimension of rows. Nothing if another kernel writes, or if these are all
/// [aten/src/ATen/native/cpu/CatKernel.cpp, cat_serial_kernel_impl; TensorShape.cpp, cat_out_cpu].
struct CountedByStride {
  std::int64_t stride;
  std::int64_t written;
  bool rows;
};
std::optional<CountedByStride> counted_by_stride(const Joining& joining, const Fresh& result, const Tensor& out) {
  const std::int64_t count = element_count(result.sizes);
  const auto dim = static_cast<int>(joining.dim);
  if (!joining.any() || count == 0 || !is_floating(out.dtype) || out.geometry.sizes[dim].v != 1) return std::nullopt;
  const bool last = result.strides != row_major(result.sizes);
  for (std::size_t i = 0; i < joining.tensors.size(); ++i)
    if (joining.skips[i] || joining.tensors[i].dtype != out.dtype || !in_order(joining.tensors[i], last))
      return std::nullopt;
  if (!in_order(out, last)) return std::nullopt;
  const std::int64_t stride = out.geometry.strides[dim].v;
  const std::int64_t written = stride == 0 ? 0 : count / stride * stride;
  if (written == count) return std::nullopt;
  return CountedByStride{stride, written, dim == 0 && !last};
}

/// The elements of `out` after only that many are written, in the order of memory.
void write_fewer(std::vector<Element>& elements, const State& state, const Tensor& out, std::int64_t written) {
  const std::vector<Element> before = elements_of(state, out);
  const std::vector<std::int64_t> places = places_of(out.geometry);
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (places[i] - out.geometry.offset.v >= written) elements[i] = before[i];
}

/// [aten/src/ATen/native/TensorShape.cpp, cat's meta function]
Effect cat_out(const KernelCall& call) {
  const Tensor& out = out_of(call);
  const std::vector<TensorId> ids = call.arguments.tensors(0);
  std::vector<Tensor> tensors;
  for (const TensorId id : ids) tensors.push_back(call.state.tensors[static_cast<std::size_t>(id)]);
  const Joining joining = joining_of(call.judge, std::move(tensors), call.arguments.integer(1));
  const Dtype joined_type = joined_dtype(call.judge, joining);
  if (!out_dtype_fits<Concrete>(call.judge, joined_type == out.dtype, can_cast(call.judge, joined_type, out.dtype),
                                false)
           .v)
    raise(ErrorClass::dtype_cast,
          text("torch.cat(): input types can't be cast to the desired output type ", scalar_name(out.dtype)),
          "TypeError");
  const Fresh result = joined(call.state, joining, out.dtype, call.tape);
  Effect effect;
  const Tensor after = resized(call, result.sizes, result.strides, effect);
  const bool is_input = std::find(ids.begin(), ids.end(), out_id(call)) != ids.end();
  std::vector<const Tensor*> inputs;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] != out_id(call)) inputs.push_back(&joining.tensors[i]);
  if (joining.any() && out_overlap_checked<Concrete>(call.judge, true).v) {
    const ErrorClass error = overlap_error(after, inputs, is_input);
    if (error != ErrorClass::none) return raised_after(call.judge, std::move(effect), failure_of(error));
  }
  effect.written = result.elements;
  const Sizes strides = strides_of(after.geometry);
  const auto counted = counted_by_stride(joining, result, after);
  if (counted || std::ranges::count(strides, 0) > 0 || !is_row_major(sizes_of(after.geometry), strides)) {
    const auto takes = cat_into_strides<Concrete>(call.judge, counted.has_value(), counted && counted->rows).v;
    if (takes == kCatRefuses) raise(ErrorClass::view_stride, "out must be row-major");
    if (takes == kCatCounts && counted) {
      if (counted->stride == 0) throw ReferenceLimit("cat along a dimension of stride 0");
      write_fewer(*effect.written, call.state, after, counted->written);
    }
  }
  if (in_the_way(after, inputs, is_input)) forget(*effect.written);
  return effect;
}

/// The sum is computed in out's dtype, if no dtype is given [aten/src/ATen/native/ReduceOpsUtils.h,
/// infer_dtype_from_optional].
Effect sum_out(const KernelCall& call) {
  const Tensor& out = out_of(call);
  const Dtype dtype = call.arguments.dtype(3).value_or(out.dtype);
  const auto given = call.arguments.values().first(4);
  std::vector<Value> values(given.begin(), given.end());
  values[3] = dtype;
  const Fresh result = functional(call, OpId::sum_dim_IntList, values);
  if (!out_dtype_fits<Concrete>(call.judge, dtype == out.dtype, can_cast(call.judge, dtype, out.dtype), true).v)
    wrong_dtype(dtype, out.dtype);
  const std::vector<const Tensor*> inputs = inputs_of(call);
  const bool is_input = out_is_input(call);
  Effect effect;
  const Tensor after = resized(call, result.sizes, result.strides, effect);
  if (out_overlap_checked<Concrete>(call.judge, false).v) raise_overlap(overlap_error(after, inputs, is_input));
  effect.written = converted_to(result, out.dtype, call.tape);
  if (in_the_way(after, inputs, is_input)) forget(*effect.written);
  return effect;
}

}  // namespace

Effect write_pointwise_out(const KernelCall& call, const std::function<Fresh()>& compute) {
  return write_pointwise(call, false, compute);
}

Effect write_whole_out(const KernelCall& call, const Fresh& result) {
  Effect effect;
  (void)resized(call, result.sizes, result.strides, effect);
  effect.written = result.elements;
  return effect;
}

std::span<const KernelEntry> out_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::add_out, pointwise_out},
                                      KernelEntry{OpId::sub_out, pointwise_out},
                                      KernelEntry{OpId::mul_out, pointwise_out},
                                      KernelEntry{OpId::div_out, pointwise_out},
                                      KernelEntry{OpId::neg_out, pointwise_out},
                                      KernelEntry{OpId::exp_out, pointwise_out},
                                      KernelEntry{OpId::tanh_out, pointwise_out},
                                      KernelEntry{OpId::sqrt_out, pointwise_out},
                                      KernelEntry{OpId::gt_Tensor_out, pointwise_out},
                                      KernelEntry{OpId::gt_Scalar_out, pointwise_out},
                                      KernelEntry{OpId::ge_Tensor_out, pointwise_out},
                                      KernelEntry{OpId::ge_Scalar_out, pointwise_out},
                                      KernelEntry{OpId::eq_Tensor_out, pointwise_out},
                                      KernelEntry{OpId::eq_Scalar_out, pointwise_out},
                                      KernelEntry{OpId::mm_out, matrix_out},
                                      KernelEntry{OpId::bmm_out, matrix_out},
                                      KernelEntry{OpId::cat_out, cat_out},
                                      KernelEntry{OpId::sum_IntList_out, sum_out}};
  return entries;
}

}  // namespace plumbline::reference
