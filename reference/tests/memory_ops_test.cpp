// The results of reshaping, view(dtype), resizing, joining, indices and out=, and the state after their errors.
#include <gtest/gtest.h>

#include "reference/kernels.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "reference/reshape.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_ops.h"

namespace plumbline::reference::memory_ops_test {
namespace {

/// A program's tensors, by slot.
class Ops {
 public:
  explicit Ops(Judge judge = {}) : judge_(judge), state_(initial_state(judge)) {}

  /// A new tensor with the elements 1, 2, 3, …
  Slot counted(const Sizes& sizes, Dtype dtype = Dtype::float32) {
    std::vector<double> values;
    for (std::int64_t i = 0; i < element_count(sizes); ++i) values.push_back(static_cast<double>(i) + 1);
    return made(sizes, values, dtype);
  }
  Slot made(const Sizes& sizes, std::vector<double> values, Dtype dtype) {
    const Slot slot = static_cast<Slot>(state_.slots.size());
    (void)step(judge_, state_, Statement{MakeTensor{slot, dtype, sizes, std::move(values), false}});
    return slot;
  }
  /// A tensor of this geometry on the storage of another.
  Slot seen(Slot of, const Sizes& sizes, const Sizes& strides, std::int64_t offset = 0) {
    Tensor view = tensor(of);
    view.geometry = geometry_of(sizes, strides, offset);
    return add(view);
  }
  Slot seen_as(Slot of, Dtype dtype) {
    Tensor view = tensor(of);
    view.geometry = effect(OpId::view_dtype, {of, dtype}).views.at(0);
    view.dtype = dtype;
    return add(view);
  }

  Tensor& tensor(Slot slot) {
    return state_.tensors.at(static_cast<std::size_t>(state_.slots.at(static_cast<std::size_t>(slot))));
  }
  State& state() { return state_; }
  std::vector<Element> elements(Slot slot) { return elements_of(state_, tensor(slot)); }
  Storage& storage(Slot slot) { return state_.storages.at(static_cast<std::size_t>(tensor(slot).storage)); }

  Effect effect(OpId op, std::vector<Value> values) {
    const Arguments arguments(state_, plumbline::op(op), values);
    return meaning({judge_, state_, op, arguments});
  }
  ErrorClass error(OpId op, std::vector<Value> values) {
    try {
      (void)effect(op, std::move(values));
    } catch (const Raise& raised) {
      return raised.failure.error;
    }
    return ErrorClass::none;
  }

 private:
  Slot add(const Tensor& tensor) {
    state_.tensors.push_back(tensor);
    state_.slots.push_back(static_cast<TensorId>(state_.tensors.size()) - 1);
    return static_cast<Slot>(state_.slots.size() - 1);
  }

  Judge judge_;
  State state_;
};

constexpr Judge kTorch{.profile = Profile::torch_2_13};

std::vector<double> numbers(const std::vector<Element>& elements, Dtype dtype = Dtype::float32) {
  std::vector<double> out;
  for (const Element& e : elements) out.push_back(is_floating(dtype) ? e.real : static_cast<double>(e.integer));
  return out;
}
std::size_t known(const std::vector<Element>& elements) {
  return static_cast<std::size_t>(
      std::count_if(elements.begin(), elements.end(), [](const Element& e) { return e.known; }));
}
using Numbers = std::vector<double>;

TEST(Reshape, a_transposed_matrix_cannot_be_viewed_as_a_vector) {
  EXPECT_EQ(view_strides({3, 2}, {1, 3}, {6}), std::nullopt);
  EXPECT_EQ(view_strides({3, 2}, {1, 3}, {3, 1, 2}), (Sizes{1, 6, 3}))
      << "the size of 1 is placed after the run of two";
}

TEST(Bytes, a_float_has_its_ieee_bytes) {  // GEO-66: 1.0f is 0x3F800000
  Ops ops;
  const Slot x = ops.made({1}, {1}, Dtype::float32);
  EXPECT_EQ(ops.elements(ops.seen_as(x, Dtype::int32)).at(0).integer, 0x3F800000);
}

TEST(Bytes, a_double_is_two_ints_with_the_low_one_first) {  // GEO-67: 1.0 is 0x3FF0000000000000
  Ops ops;
  const Slot x = ops.made({1}, {1}, Dtype::float64);
  EXPECT_EQ(numbers(ops.elements(ops.seen_as(x, Dtype::int32)), Dtype::int32), (Numbers{0, 0x3FF00000}));
}

TEST(Bytes, a_write_through_another_dtype_reaches_the_storage) {
  Ops ops;
  const Slot x = ops.made({2}, {5, 7}, Dtype::float32);
  const Slot y = ops.seen_as(x, Dtype::int32);
  write_elements(ops.state(), ops.tensor(y), {Element{.integer = 0x40000000}, Element{.known = false}});
  EXPECT_EQ(ops.elements(x).at(0).real, 2.0);
  EXPECT_FALSE(ops.elements(x).at(1).known);
}

TEST(Bytes, a_number_with_an_unknown_half_is_unknown) {
  Ops ops;
  const Slot x = ops.made({1}, {1}, Dtype::float64);
  const Slot y = ops.seen_as(x, Dtype::int32);
  write_elements(ops.state(), ops.tensor(y), {Element{.known = false}, Element{.integer = 0}});
  EXPECT_FALSE(ops.elements(x).at(0).known);
}

TEST(Bytes, a_bounded_number_has_no_known_bytes) {
  EXPECT_FALSE(bytes_of(Element{.real = 1, .error = 1e-9}, Dtype::float64).front().known);
}

TEST(Bytes, a_bool_is_zero_or_one) {
  EXPECT_FALSE(element_from({Byte{2, true}}, Dtype::boolean).known);
  EXPECT_TRUE(element_from({Byte{1, true}}, Dtype::boolean).known);
}

TEST(Bytes, a_storage_may_end_inside_a_larger_element) {
  Storage storage{{Element{.real = 1}}, Dtype::float64};
  grow(storage, 3, Dtype::int32);
  EXPECT_EQ(capacity(storage, Dtype::int32), 3);
  EXPECT_EQ(capacity(storage, Dtype::float64), 1);
  EXPECT_EQ(storage.elements.at(1).integer, 0x3FF00000);
}

TEST(ViewDtype, needs_a_last_stride_of_1_and_divisible_sizes) {
  Ops ops;
  const Slot x = ops.counted({4, 4});
  EXPECT_EQ(ops.error(OpId::view_dtype, {ops.seen(x, {4, 4}, {1, 4}), Dtype::float64}), ErrorClass::view_stride);
  EXPECT_EQ(ops.error(OpId::view_dtype, {ops.seen(x, {3}, {1}), Dtype::float64}), ErrorClass::view_stride);
  EXPECT_EQ(ops.error(OpId::view_dtype, {ops.seen(x, {2}, {1}, 1), Dtype::float64}), ErrorClass::view_stride);
  EXPECT_EQ(ops.error(OpId::view_dtype, {ops.seen(x, {4, 2}, {3, 1}), Dtype::float64}), ErrorClass::view_stride);
  EXPECT_EQ(ops.error(OpId::view_dtype, {ops.seen(x, {}, {}), Dtype::boolean}), ErrorClass::view_stride);
}

TEST(Memory, tensors_of_two_item_sizes_overlap_by_bytes) {
  Ops ops;
  const Slot x = ops.counted({4});
  const Slot doubles = ops.seen_as(x, Dtype::float64);
  Tensor upper = ops.tensor(doubles);
  upper.geometry = geometry_of({1}, {1}, 1);
  Tensor lower = ops.tensor(x);
  lower.geometry = geometry_of({2}, {1}, 0);
  EXPECT_FALSE(share_memory(upper, lower));
  EXPECT_EQ(overlap_between(upper, lower), Overlap::none);
  lower.geometry = geometry_of({2}, {1}, 1);
  EXPECT_TRUE(share_memory(upper, lower));
  EXPECT_EQ(overlap_between(upper, lower), Overlap::partial);
}

TEST(Split, split_with_sizes_must_cover_the_dimension) {  // GEO-68
  Ops ops;
  const Slot x = ops.counted({6});
  EXPECT_EQ(ops.effect(OpId::split_with_sizes, {x, Sizes{1, 0, 5}, std::int64_t{0}}).views.size(), 3U);
  EXPECT_EQ(ops.error(OpId::split_with_sizes, {x, Sizes{1, 4}, std::int64_t{0}}), ErrorClass::range);
  EXPECT_EQ(ops.error(OpId::split_with_sizes, {x, Sizes{7, -1}, std::int64_t{0}}), ErrorClass::range);
}

TEST(Resize, resize_to_the_same_sizes_keeps_the_strides) {  // GEO-64
  Ops ops;
  const Slot t = ops.seen(ops.counted({2, 3}), {3, 2}, {1, 3});
  EXPECT_FALSE(ops.effect(OpId::resize_, {t, Sizes{3, 2}, None{}}).layout);
  EXPECT_EQ(strides_of(*ops.effect(OpId::resize_, {t, Sizes{2, 2}, None{}}).layout), (Sizes{2, 1}));
}

TEST(Resize, resize_needs_room_after_the_offset) {  // GEO-65
  Ops ops;
  const Slot x = ops.seen(ops.counted({6}), {4}, {1}, 2);
  EXPECT_EQ(ops.effect(OpId::resize_, {x, Sizes{5}, None{}}).grown, 7);
  EXPECT_EQ(ops.effect(OpId::resize_, {x, Sizes{9, 0}, None{}}).grown, 0);
}

TEST(Index, index_select_refuses_a_negative_index_and_index_fill_accepts_it) {  // GEO-70
  Ops ops;
  const Slot x = ops.counted({3});
  const Slot last = ops.made({1}, {-1}, Dtype::int64);
  EXPECT_EQ(ops.error(OpId::index_select, {x, std::int64_t{0}, last}), ErrorClass::index_range);
  EXPECT_EQ(numbers(*ops.effect(OpId::index_fill__int_Scalar, {x, std::int64_t{0}, last, std::int64_t{9}}).written),
            (Numbers{1, 2, 9}));
}

TEST(Index, index_select_selects_along_one_dimension) {
  Ops ops;
  const Slot x = ops.counted({2, 3});
  const Fresh chosen =
      ops.effect(OpId::index_select, {x, std::int64_t{1}, ops.made({2}, {2, 0}, Dtype::int32)}).fresh.at(0);
  EXPECT_EQ(chosen.sizes, (Sizes{2, 2}));
  EXPECT_EQ(numbers(chosen.elements), (Numbers{3, 1, 6, 4}));
}

TEST(Index, gather_has_the_sizes_of_its_index) {  // GEO-71
  Ops ops;
  const Slot x = ops.counted({2, 3});
  const Fresh taken =
      ops.effect(OpId::gather, {x, std::int64_t{1}, ops.made({1, 4}, {2, 0, 0, 1}, Dtype::int64), false}).fresh.at(0);
  EXPECT_EQ(taken.sizes, (Sizes{1, 4}));
  EXPECT_EQ(numbers(taken.elements), (Numbers{3, 1, 1, 2}));
  EXPECT_EQ(ops.error(OpId::gather, {x, std::int64_t{0}, ops.made({1, 4}, {0, 0, 0, 0}, Dtype::int64), false}),
            ErrorClass::shape);
}

TEST(Index, index_fill_writes_nothing_if_an_index_is_out_of_range) {  // GEO-75
  Ops ops;
  const Slot x = ops.counted({3});
  const Slot index = ops.made({2}, {0, 3}, Dtype::int64);
  EXPECT_EQ(ops.error(OpId::index_fill__int_Scalar, {x, std::int64_t{0}, index, std::int64_t{9}}),
            ErrorClass::index_range);
  Ops torch(kTorch);
  const Slot y = torch.counted({3});
  const Slot same = torch.made({2}, {0, 3}, Dtype::int64);
  const Effect effect = torch.effect(OpId::index_fill__int_Scalar, {y, std::int64_t{0}, same, std::int64_t{9}});
  EXPECT_EQ(effect.raises->error, ErrorClass::index_range);
  EXPECT_EQ(numbers(*effect.written), (Numbers{9, 2, 3}));
}

TEST(Join, cat_skips_an_empty_vector_but_counts_its_dtype) {  // GEO-63
  Ops ops;
  const Slot x = ops.counted({2, 2});
  const Slot empty = ops.made({0}, {}, Dtype::float64);
  const Fresh all = ops.effect(OpId::cat, {std::vector{empty, x, x}, std::int64_t{1}}).fresh.at(0);
  EXPECT_EQ(all.sizes, (Sizes{2, 4}));
  EXPECT_EQ(all.dtype, Dtype::float64);
  EXPECT_EQ(numbers(all.elements), (Numbers{1, 2, 1, 2, 3, 4, 3, 4}));
}

TEST(Join, cat_requires_equal_sizes_except_in_the_dimension) {
  Ops ops;
  EXPECT_EQ(ops.error(OpId::cat, {std::vector{ops.counted({2, 3}), ops.counted({1, 4})}, std::int64_t{0}}),
            ErrorClass::shape);
}

TEST(Join, stack_adds_a_dimension_for_the_list) {
  Ops ops;
  const Slot x = ops.counted({2});
  const Fresh both = ops.effect(OpId::stack, {std::vector{x, x}, std::int64_t{1}}).fresh.at(0);
  EXPECT_EQ(both.sizes, (Sizes{2, 2}));
  EXPECT_EQ(numbers(both.elements), (Numbers{1, 1, 2, 2}));
}

TEST(Out, an_out_of_other_sizes_is_resized_and_its_storage_grows) {  // GEO-72
  Ops ops;
  const Slot x = ops.seen(ops.counted({2, 3}), {3, 2}, {1, 3});
  const Slot out = ops.seen(ops.counted({4}), {2}, {1}, 2);
  const Effect effect = ops.effect(OpId::add_out, {x, x, std::int64_t{1}, out});
  EXPECT_EQ(sizes_of(*effect.layout), (Sizes{3, 2}));
  EXPECT_EQ(strides_of(*effect.layout), (Sizes{1, 3}));
  EXPECT_EQ(effect.layout->offset.v, 2);
  EXPECT_EQ(effect.grown, 8);
  EXPECT_EQ(numbers(*effect.written), (Numbers{2, 8, 4, 10, 6, 12}));
}

TEST(Out, an_out_of_the_right_sizes_keeps_its_strides) {  // GEO-72
  Ops ops;
  const Slot x = ops.counted({2, 2});
  const Slot out = ops.seen(ops.counted({4}), {2, 2}, {1, 2});
  EXPECT_FALSE(ops.effect(OpId::add_out, {x, x, std::int64_t{1}, out}).layout);
}

TEST(Out, out_must_have_a_dtype_that_the_result_can_be_cast_to) {  // TYPE-73
  Ops ops;
  const Slot x = ops.counted({2});
  EXPECT_EQ(ops.error(OpId::add_out, {x, x, std::int64_t{1}, ops.counted({2}, Dtype::int64)}), ErrorClass::dtype_cast);
  EXPECT_EQ(ops.error(OpId::add_out, {x, x, std::int64_t{1}, ops.counted({2}, Dtype::float64)}), ErrorClass::none);
  EXPECT_EQ(ops.error(OpId::neg_out, {x, ops.counted({2}, Dtype::float64)}), ErrorClass::dtype_mismatch);
}

TEST(Out, an_out_that_is_an_input_is_not_resized) {
  Ops ops;
  const Slot x = ops.counted({3});
  EXPECT_EQ(ops.error(OpId::add_out, {x, ops.counted({2, 3}), std::int64_t{1}, x}), ErrorClass::shape);
}

TEST(Out, an_out_of_cat_that_is_an_input_raises_before_it_is_resized) {  // GEO-74, GEO-75
  Ops ops;
  const Slot x = ops.counted({2});
  EXPECT_EQ(ops.error(OpId::cat_out, {std::vector{x, x}, std::int64_t{0}, x}), ErrorClass::overlap_partial);
  Ops torch(kTorch);
  const Slot y = torch.counted({2});
  const Effect effect = torch.effect(OpId::cat_out, {std::vector{y, y}, std::int64_t{0}, y});
  EXPECT_EQ(effect.raises->error, ErrorClass::overlap_partial);
  EXPECT_EQ(sizes_of(*effect.layout), Sizes{4});
}

TEST(Out, an_out_of_mm_that_is_an_input_is_an_error_or_unspecified) {  // GEO-74
  Ops ops;
  const Slot x = ops.counted({2, 2});
  EXPECT_EQ(ops.error(OpId::mm_out, {x, x, x}), ErrorClass::overlap_partial);
  Ops torch(kTorch);
  const Slot y = torch.counted({2, 2});
  EXPECT_EQ(known(*torch.effect(OpId::mm_out, {y, y, y}).written), 0U);
}

TEST(Out, out_decides_in_which_dtype_sum_adds) {
  Ops ops;
  const Slot x = ops.made({2}, {0.75, 0.75}, Dtype::float32);
  const Slot out = ops.counted({}, Dtype::int64);
  EXPECT_EQ(ops.effect(OpId::sum_IntList_out, {x, Sizes{0}, false, None{}, out}).written->at(0).integer, 0);
}

}  // namespace
}  // namespace plumbline::reference::memory_ops_test
