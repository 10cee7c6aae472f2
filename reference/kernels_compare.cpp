// The kernels of comparisons, and of the ops that choose elements by a mask: where, masked_fill.
#include <array>
#include <unordered_set>

#include "reference/dtype_words.h"
#include "reference/pointwise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_value.h"

namespace plumbline::reference {

namespace {

Element truth(std::optional<bool> value) {
  return value ? Element{.integer = *value ? 1 : 0} : Element{.known = false};
}

Element compared(const Arithmetic& in, OpId op, const Element& a, const Element& b) {
  const bool equality = op == OpId::eq_Tensor || op == OpId::eq_Scalar;
  const bool strict = op == OpId::gt_Tensor || op == OpId::gt_Scalar;
  if (equality) return truth(in.equal(a, b));
  const std::optional<bool> greater = in.less(b, a);
  if (strict || (greater && *greater)) return truth(greater);
  const std::optional<bool> same = in.equal(a, b);
  return truth(greater && same ? same : std::nullopt);
}

Effect comparison(const KernelCall& call) {
  const std::array inputs{input_at(call, 0), input_at(call, 1)};
  const Sizes sizes = broadcast_all(call.judge, inputs);
  const Dtype common = common_type(call.judge, inputs);
  const bool mixed = inputs[0].dtype != inputs[1].dtype;
  const Dtype dtype = mixed ? static_cast<Dtype>(comparison_type<Concrete>(call.judge, common).v) : common;
  const std::vector<Element> a = spread(call, inputs[0], sizes, dtype);
  const std::vector<Element> b = spread(call, inputs[1], sizes, dtype);
  const Arithmetic in(dtype);
  std::vector<Element> out;
  for (std::size_t i = 0; i < a.size(); ++i) out.push_back(compared(in, call.op, a[i], b[i]));
  const std::array read{as_read(inputs[0], common), as_read(inputs[1], common)};
  return made(pointwise_result(call.judge, sizes, read, Dtype::boolean, std::move(out)));
}

/// `yes` or `no`. If the mask's element is unknown, so are the result and the element to which a gradient goes.
Element chosen(const KernelCall& call, const Element& mask, const Element& yes, const Element& no) {
  if (mask.known) return mask.integer != 0 ? yes : no;
  Element either = no;
  either.known = false;
  if (call.tape != nullptr) {
    const Element open{.known = false};
    either.trace = call.tape->record({{yes.trace, open}, {no.trace, open}});
    either.imag_trace = call.tape->record({{yes.imag_trace, open}, {no.imag_trace, open}});
  }
  return either;
}

Effect where(const KernelCall& call) {
  const std::array inputs{input_at(call, 0), input_at(call, 1), input_at(call, 2)};
  if (inputs[0].dtype != Dtype::boolean && inputs[0].dtype != Dtype::uint8)  // a uint8 is converted, with a warning
    raise(ErrorClass::dtype_mismatch,
          text("where expected condition to be a boolean tensor, but got a tensor with dtype ",
               scalar_name(inputs[0].dtype)));
  const Dtype dtype = common_type(call.judge, std::span(inputs).subspan(1));
  const Sizes sizes = broadcast_all(call.judge, inputs);
  const std::vector<Element> mask = spread(call, inputs[0], sizes, Dtype::boolean);
  const std::vector<Element> yes = spread(call, inputs[1], sizes, dtype);
  const std::vector<Element> no = spread(call, inputs[2], sizes, dtype);
  std::vector<Element> out;
  for (std::size_t i = 0; i < mask.size(); ++i) out.push_back(chosen(call, mask[i], yes[i], no[i]));
  const std::array read{as_read(inputs[0], Dtype::boolean), as_read(inputs[1], dtype), as_read(inputs[2], dtype)};
  return made(pointwise_result(call.judge, sizes, read, dtype, std::move(out)));
}

void require_mask(const Judge& judge, const Input& mask) {
  const auto takes = fills_by_mask<Concrete>(judge, mask.dtype == Dtype::boolean).v;
  if (takes == kReadsMemory) throw ReferenceLimit("masked_fill with a mask whose dtype is not bool");
  if (takes == kRefuses)
    raise(ErrorClass::dtype_mismatch,
          text("masked_fill_ only supports boolean masks, but got mask with dtype ", type_name(mask.dtype)));
}

// A row-major clone of self expanded to the mask's sizes, and then masked_fill_
// [aten/src/ATen/native/TensorAdvancedIndexing.cpp, masked_fill].
Effect masked_fill(const KernelCall& call) {
  const Input self = input_at(call, 0);
  const Input mask = input_at(call, 1);
  const Sizes sizes = broadcast_sizes(call.judge, mask.sizes(), self.sizes());
  require_mask(call.judge, mask);
  const Element value = checked_element(call.arguments.number(2), self.dtype);
  std::vector<Element> out = spread(call, self, sizes, self.dtype);
  const std::vector<Element> masks = spread(call, mask, sizes, Dtype::boolean);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = chosen(call, masks[i], value, out[i]);
  return made({sizes, row_major(sizes), self.dtype, std::move(out)});
}

Effect masked_fill_inplace(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const std::array mask{input_at(call, 1)};
  require_mask(call.judge, mask[0]);
  const OverlapFacts<Concrete> facts = overlap_of(self, mask, false);
  raise_overlap(static_cast<ErrorClass>(check_masked_fill(call.judge, facts).v));
  require_sizes(call.judge, self, mask);
  const Sizes sizes = sizes_of(self.geometry);
  const Element value = checked_element(call.arguments.number(2), self.dtype);
  const std::vector<Element> masks = spread(call, mask[0], sizes, Dtype::boolean);
  const std::vector<std::int64_t> places = places_of(self.geometry);
  std::unordered_set<std::int64_t> filled;
  std::unordered_set<std::int64_t> open;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    if (!masks[i].known) open.insert(places[i]);
    if (masks[i].known && masks[i].integer != 0) filled.insert(places[i]);
  }
  std::vector<Element> written = elements_of(call.state, self);
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (filled.contains(places[i]))
      written[i] = value;
    else if (open.contains(places[i]))
      written[i] = chosen(call, Element{.known = false}, value, written[i]);
  }
  if (mask[0].tensor != nullptr && mask[0].tensor->storage == self.storage && mask[0].tensor != &self)
    mark_unspecified(facts, self, mask, written);
  Effect effect;
  effect.written = std::move(written);
  return effect;
}

}  // namespace

std::span<const KernelEntry> comparison_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::gt_Tensor, comparison},
                                      KernelEntry{OpId::gt_Scalar, comparison},
                                      KernelEntry{OpId::ge_Tensor, comparison},
                                      KernelEntry{OpId::ge_Scalar, comparison},
                                      KernelEntry{OpId::eq_Tensor, comparison},
                                      KernelEntry{OpId::eq_Scalar, comparison},
                                      KernelEntry{OpId::where_self, where},
                                      KernelEntry{OpId::masked_fill_Scalar, masked_fill},
                                      KernelEntry{OpId::masked_fill__Scalar, masked_fill_inplace}};
  return entries;
}

}  // namespace plumbline::reference
