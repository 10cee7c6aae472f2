// What an op does in a mapped body: its kernel on each example, put together.
#include "reference/transforms/mapped.h"

#include <algorithm>
#include <array>

#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/trf.h"
#include "spec/vocabulary/call_slots.h"
#include "spec/vocabulary/error_texts.h"

namespace plumbline::reference::transforms {

namespace {

/// The number of an example on each axis.
using Numbers = std::vector<std::int64_t>;

/// One mapped call.
class Mapped {
 public:
  Mapped(const Judge& judge, State& state, OpId id, std::span<const Value> values, const Mapping& mapping, Tape* tape)
      : judge_(judge),
        state_(state),
        id_(id),
        op_(op(id)),
        values_(values.begin(), values.end()),
        mapping_(mapping),
        tape_(tape) {}

  Effect run() {
    refuse();
    const bool writes = written_argument(op_) >= 0;
    const auto place = static_cast<std::size_t>(std::max(written_argument(op_), 0));
    if (writes && dims(slot_at(place)) != nullptr && repeats_places(tensor_of(slot_at(place)).geometry))
      throw ReferenceLimit("a write of examples that share memory");
    // PyTorch's iterators look at overlaps before sizes and dtypes; masked_fill_ looks at its mask first.
    const bool overlap_first = id_ != OpId::masked_fill__Scalar;
    if (writes && overlap_first) check_overlap_of_wholes(slot_at(place));
    const std::int64_t count = element_count(mapping_.sizes);
    Effect whole = of_example(Numbers(mapping_.sizes.size(), 0));
    if (id_ == OpId::view_dtype)  // each example begins elsewhere
      for (std::int64_t i = 1; i < count; ++i) (void)of_example(numbers(i));
    if (!whole.views.empty() || whole.is_self) {
      if (op_.kind == OpKind::View || !whole.fresh.empty()) return views(std::move(whole));
      throw ReferenceLimit("new tensors that an op makes of views, in a mapped body");
    }
    for (const Fresh& one : whole.fresh)
      if (!one.around.empty() || one.offset != 0)
        throw ReferenceLimit("a new result that is a part of its storage, in a mapped body");
    std::vector<Effect> effects{std::move(whole)};
    for (std::int64_t i = 1; i < count; ++i) effects.push_back(of_example(numbers(i)));
    if (writes && !overlap_first) check_overlap_of_wholes(slot_at(place));
    return writes ? written(std::move(effects)) : fresh(std::move(effects));
  }

 private:
  void refuse() const {
    const auto refuse_op = [&](std::string_view what) {
      throw ReferenceLimit(text(qualified_name(op_), what, ", in a mapped body"));
    };
    if (op_.by_schema) refuse_op(", known by its schema");
    if (op_.kind == OpKind::InplaceView || id_ == OpId::resize_ || op_.aliases == Aliases::argument)
      refuse_op(", which changes the layout of its argument");
    if (op_.unsafe) refuse_op(", which is unsafe");
  }

  Numbers numbers(std::int64_t example) const {
    Numbers all(mapping_.sizes.size());
    for (std::size_t axis = all.size(); axis-- > 0; example /= mapping_.sizes[axis])
      all[axis] = example % mapping_.sizes[axis];
    return all;
  }

  const Mapping::Dims* dims(Slot slot) const {
    const auto found = mapping_.dims.find(slot);
    return found == mapping_.dims.end() ? nullptr : &found->second;
  }
  Slot slot_at(std::size_t argument) const {
    const auto* slot = std::get_if<Slot>(&values_[argument]);
    if (slot == nullptr) throw ReferenceLimit("a mapped call whose first argument is no tensor");
    return *slot;
  }
  const Tensor& tensor_of(Slot slot) const { return state_.tensors[static_cast<std::size_t>(held(state_, slot))]; }

  /// The dimensions that are no axis.
  static Geometry without_axes(const Sizes& sizes, const Sizes& strides, const Mapping::Dims& dims,
                               std::int64_t offset) {
    Sizes left, left_strides;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (std::ranges::find(dims, std::optional(i)) != dims.end()) continue;
      left.push_back(sizes[i]);
      left_strides.push_back(strides[i]);
    }
    return geometry_of(left, left_strides, offset);
  }

  /// One example of a tensor.
  Tensor example(const Tensor& whole, const Mapping::Dims& dims, const Numbers& numbers) const {
    const Sizes strides = strides_of(whole.geometry);
    std::int64_t offset = whole.geometry.offset.v;
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
      if (dims[axis]) offset += example_read<Concrete>(judge_, numbers[axis]).v * strides.at(*dims[axis]);
    Tensor one = whole;
    one.geometry = without_axes(sizes_of(whole.geometry), strides, dims, offset);
    return one;
  }

  /// as_strided sees nothing of other examples.
  void check_strided(const Arguments& arguments) const {
    const auto end = [](const Geometry& geometry) {
      std::int64_t last = geometry.offset.v;
      const Sizes sizes = sizes_of(geometry), strides = strides_of(geometry);
      for (std::size_t i = 0; i < sizes.size(); ++i) last += (sizes[i] - 1) * strides[i];
      return last;
    };
    const Geometry& own = state_.tensors[static_cast<std::size_t>(arguments.tensor(0))].geometry;
    const Sizes sizes = arguments.integers(1), strides = arguments.integers(2);
    const bool some = std::ranges::find(sizes, 0) == sizes.end();
    if (!some || sizes.size() != strides.size()) return;
    const std::int64_t offset = arguments.optional_integer(3).value_or(own.offset.v);
    const Sizes own_sizes = sizes_of(own);
    const bool holds = std::ranges::find(own_sizes, 0) == own_sizes.end();
    const bool outside = !holds || offset < own.offset.v || end(geometry_of(sizes, strides, offset)) > end(own);
    if (static_cast<ErrorClass>(check_mapped_strided<Concrete>(judge_, outside).v) != ErrorClass::none)
      raise_class(ErrorClass::mapped_outside);
  }

  /// The effect of the op on one example of each argument.
  Effect of_example(const Numbers& numbers) {
    const std::size_t tensors = state_.tensors.size();
    const Restored slots(state_.slots);
    std::vector<Value> values = values_;
    for (Value& value : values)
      each_slot_of(value, [&](Slot& slot) {
        const Mapping::Dims* of = dims(slot);
        if (of == nullptr) return;
        state_.tensors.push_back(example(tensor_of(slot), *of, numbers));
        slot = static_cast<Slot>(state_.slots.size());
        state_.slots.push_back(static_cast<TensorId>(state_.tensors.size()) - 1);
      });
    const auto forget = [&] { state_.tensors.resize(tensors); };
    try {
      const Arguments arguments(state_, op_, values);
      if (id_ == OpId::as_strided || id_ == OpId::as_strided_copy) check_strided(arguments);
      Effect effect = meaning({judge_, state_, id_, arguments, tape_});
      forget();
      return effect;
    } catch (...) {
      forget();
      throw;
    }
  }

  /// The view of all examples that has this geometry for the first one.
  Geometry of_whole(const Geometry& first, std::optional<Dtype> dtype) const {
    const Slot self = slot_at(0);
    const Tensor& of = tensor_of(self);
    const Sizes strides = strides_of(of.geometry);
    Sizes sizes = mapping_.sizes, all;
    for (const auto& dim : *dims(self))
      all.push_back(strides.at(dim.value()) * item_size(of.dtype) / item_size(dtype.value_or(of.dtype)));
    std::ranges::copy(sizes_of(first), std::back_inserter(sizes));
    std::ranges::copy(strides_of(first), std::back_inserter(all));
    return geometry_of(sizes, all, first.offset.v);
  }

  Effect views(Effect first) const {
    for (Geometry& view : first.views) view = of_whole(view, first.view_dtype);
    if (gives_view_of_whole<Concrete>(judge_, true).v) return first;
    const Arguments arguments(state_, op_, values_);
    if (first.is_self) first.views.push_back(tensor_of(slot_at(0)).geometry);
    first.is_self = false;
    copy_views({judge_, state_, id_, arguments}, first, true);
    return first;
  }

  /// The layout of a new result, by those of the arguments, with the examples in the first dimensions.
  Sizes strides_of_whole(const Sizes& sizes, const Fresh& first) const {
    const std::size_t axes = mapping_.sizes.size();
    if (follows_arguments()) {
      std::vector<Geometry> read;
      for (const Value& value : values_)
        each_slot_of(value, [&](const Slot& slot) { read.push_back(in_front(slot, sizes.size() - axes)); });
      if (id_ == OpId::threshold_backward) std::ranges::reverse(read);  // its iterator has `self` first
      if (op_.name == "clone" || op_.name.ends_with("_like") || op_.name == "_to_copy")
        return dense_strides(sizes, strides_of(read.front()));
      return pointwise_strides(sizes, read);
    }
    if (!is_row_major(first.sizes, first.strides))
      throw ReferenceLimit(text("the layout of a result of ", qualified_name(op_), " in a mapped body"));
    return row_major(sizes);
  }
  /// Whether the layout of the op's result follows its arguments': one that reads each element once, in its place.
  bool follows_arguments() const {
    if (!values_.empty() && std::holds_alternative<std::vector<Slot>>(values_[0])) return false;
    if (op_.name.ends_with("_like") || op_.name == "clone" || op_.name == "_to_copy") {
      const Value& format = values_.back();
      if (std::holds_alternative<None>(format)) return true;
      const auto asked = static_cast<MemoryFormat>(std::get<std::int64_t>(format));
      if (asked != MemoryFormat::preserve && asked != MemoryFormat::contiguous)
        throw ReferenceLimit("a memory format in a mapped body");
      return asked == MemoryFormat::preserve;
    }
    if (id_ == OpId::masked_fill_Scalar) return false;
    const auto lists = [&](std::span<const KernelEntry> kernels) {
      return std::ranges::any_of(kernels, [&](const KernelEntry& entry) { return entry.op == id_; });
    };
    if (id_ == OpId::threshold_backward || id_ == OpId::tanh_backward) return true;
    return lists(pointwise_kernels()) || lists(unary_kernels()) || lists(comparison_kernels());
  }
  /// An argument with its axes in front, and dimensions of size 1 after them up to the rank of the result
  /// [aten/src/ATen/functorch/BatchRulesHelper.h, moveBatchDimToFront, maybePadToLogicalRank].
  Geometry in_front(Slot slot, std::size_t rank) const {
    const Geometry& whole = tensor_of(slot).geometry;
    const Mapping::Dims* of = dims(slot);
    if (of == nullptr) return whole;
    const Sizes sizes = sizes_of(whole), strides = strides_of(whole);
    const Geometry left = without_axes(sizes, strides, *of, whole.offset.v);
    const Sizes rest = sizes_of(left), rest_strides = strides_of(left);
    Sizes front, front_strides;
    for (const auto& dim : *of) {
      front.push_back(dim ? sizes.at(*dim) : 1);
      front_strides.push_back(dim ? strides.at(*dim) : 0);
    }
    const std::size_t padding = rank > rest.size() ? rank - rest.size() : 0;
    front.insert(front.end(), padding, 1);
    front_strides.insert(front_strides.end(), padding, rest.empty() ? 1 : rest[0] * rest_strides[0]);
    front.insert(front.end(), rest.begin(), rest.end());
    front_strides.insert(front_strides.end(), rest_strides.begin(), rest_strides.end());
    return geometry_of(front, front_strides, whole.offset.v);
  }

  Effect fresh(std::vector<Effect> effects) const {
    Effect whole = std::move(effects.front());
    for (std::size_t k = 0; k < whole.fresh.size(); ++k) {
      Fresh& one = whole.fresh[k];
      Sizes sizes = mapping_.sizes;
      std::ranges::copy(one.sizes, std::back_inserter(sizes));
      for (std::size_t i = 1; i < effects.size(); ++i) {
        const Fresh& next = effects[i].fresh.at(k);
        if (next.sizes != one.sizes) throw ReferenceLimit("results of different sizes for the examples of a call");
        one.elements.insert(one.elements.end(), next.elements.begin(), next.elements.end());
      }
      const Sizes strides = strides_of_whole(sizes, one);
      one.sizes = sizes;
      one.strides = strides;
    }
    return whole;
  }

  /// The places of an example's elements among the whole tensor's, in row-major order of both.
  static std::vector<std::int64_t> places_in_whole(const Sizes& sizes, const Mapping::Dims& dims,
                                                   const Numbers& numbers) {
    const Sizes strides = row_major(sizes);
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
      if (dims[axis]) offset += numbers[axis] * strides.at(*dims[axis]);
    return places_of(without_axes(sizes, strides, dims, offset));
  }

  /// One example must not read what another one writes.
  void check_overlap_of_wholes(Slot written) const {
    const Tensor& to = tensor_of(written);
    const std::size_t rank = sizes_of(to.geometry).size() - mapping_.sizes.size();
    const auto in_order = [&](Slot slot) {
      Tensor whole = tensor_of(slot);
      whole.geometry = in_front(slot, rank);
      return whole;
    };
    for (const Value& value : values_)
      each_slot_of(value, [&](const Slot& slot) {
        if (slot == written || tensor_of(slot).storage != to.storage || dims(written) == nullptr) return;
        const Tensor whole = in_order(written), other = in_order(slot);
        const Overlap overlap = overlap_between(whole, other);
        if (overlap == Overlap::partial)
          raise(ErrorClass::overlap_partial,
                message_beginning(ErrorClass::overlap_partial, "unsupported operation: some", {}));
        if (overlap == Overlap::unseen && share_memory(whole, other))
          throw ReferenceLimit("a write of examples that other examples read");
      });
  }

  Effect written(std::vector<Effect> effects) const {
    const auto place = static_cast<std::size_t>(written_argument(op_));
    const Slot slot = slot_at(place);
    const Mapping::Dims* of = dims(slot);
    const Sizes sizes = sizes_of(tensor_of(slot).geometry);
    Effect whole = std::move(effects.front());
    std::vector<Element> elements = elements_of(state_, tensor_of(slot));
    for (std::size_t i = 0; i < effects.size(); ++i) {
      const Effect& one = i == 0 ? whole : effects[i];
      if (one.layout || one.grown != 0 || one.source != kNoTensor || one.raises)
        throw ReferenceLimit("a write that changes a layout, in a mapped body");
      const std::vector<std::int64_t> places =
          places_in_whole(sizes, of != nullptr ? *of : Mapping::Dims(), numbers(static_cast<std::int64_t>(i)));
      if (!one.written) continue;  // a copy of itself
      for (std::size_t e = 0; e < places.size(); ++e)
        elements.at(static_cast<std::size_t>(places[e])) = one.written->at(e);
    }
    whole.written = std::move(elements);
    const std::int64_t versions = versions_of_mapped_write<Concrete>(judge_, std::ssize(effects)).v;
    if (versions != 1) whole.counts = versions;
    return whole;
  }

  const Judge& judge_;
  State& state_;
  OpId id_;
  const Op& op_;
  std::vector<Value> values_;
  const Mapping& mapping_;
  Tape* tape_;
};

}  // namespace

Effect mapped_meaning(const Judge& judge, State& state, OpId op, std::span<const Value> values, const Mapping& mapping,
                      Tape* tape) {
  return Mapped(judge, state, op, values, mapping, tape).run();
}

}  // namespace plumbline::reference::transforms
