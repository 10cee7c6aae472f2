// Functionalized bodies: what their callers see of writes, views, results and errors; functional tensors by themselves.
#include "optimized/functionalize/functionalize.h"

#include <gtest/gtest.h>

#include "optimized/autograd/engine.h"
#include "optimized/autograd/variable.h"
#include "optimized/ops.h"
#include "optimized/tensor/pool.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::functionalize_test {
namespace {

using testing::counting;
using testing::error_of;
using testing::inference_vector;
using testing::numbers;
using testing::Numbers;
using testing::sizes;
using testing::Sizes;
using testing::strides;
using testing::vector;

using Tensors = std::vector<Tensor>;

Tensors run(const std::vector<Tensor>& inputs, const std::function<Tensors(Tensors)>& body) {
  return functionalize(body, Remove::mutations_and_views, inputs);
}

TEST(Functionalize, FUN_03_a_read_sees_what_was_written_through_an_alias) {
  const Tensors out = run({vector({1, 2})}, [](const Tensors& in) {
    const Tensor v = view(in[0], {2, 1});
    add_(in[0], vector({1, 1}));
    return Tensors{clone(v)};
  });
  EXPECT_EQ(numbers(out[0]), (Numbers{2, 3}));
}
TEST(Functionalize, FUN_15_as_strided_reaches_the_memory_outside_of_an_input) {
  const Tensor base = counting({4});
  run({slice(base, 0, 0, 2, 1)}, [](const Tensors& in) {
    fill_(as_strided(in[0], {1}, {1}, 3), 9);
    return Tensors{};
  });
  EXPECT_EQ(numbers(base), (Numbers{0, 1, 2, 9}));
}
TEST(Functionalize, GEO_20_a_write_by_an_index_that_it_would_overwrite_is_refused_in_a_body_too) {
  const Tensor x = vector({0, 0, 1}, Dtype::int64);
  const auto by_itself = [](const Tensors& in) { return Tensors{index_fill_(in[0], 0, in[0], 5)}; };
  EXPECT_EQ(error_of([&] { run({x}, by_itself); }), ErrorClass::overlap_partial);
  EXPECT_EQ(numbers(x), (Numbers{0, 0, 1}));
}
TEST(Functionalize, FUN_20_an_input_does_not_change_before_the_body_ends) {
  const Tensor x = vector({1, 2});
  Numbers meanwhile;
  run({x}, [&](const Tensors& in) {
    fill_(in[0], 5);
    meanwhile = numbers(x);
    return Tensors{};
  });
  EXPECT_EQ(meanwhile, (Numbers{1, 2}));
}
TEST(Functionalize, FUN_20_what_was_written_is_in_the_input_when_the_body_ends) {
  const Tensor x = vector({1, 2});
  run({x}, [](const Tensors& in) { return Tensors{fill_(in[0], 5)}; });
  EXPECT_EQ(numbers(x), (Numbers{5, 5}));
}
TEST(Functionalize, FUN_20_an_input_that_is_not_written_keeps_its_version) {
  const Tensor x = vector({1, 2}), y = vector({1, 2});
  run({x, y}, [](const Tensors& in) { return Tensors{fill_(in[0], 5)}; });
  EXPECT_TRUE(version_of(x) == 1 && version_of(y) == 0);
}
TEST(Functionalize, FUN_21_two_inputs_that_share_memory_see_each_others_writes) {
  const Tensor x = counting({2, 2});
  const Tensors out = run({x, select(x, 0, 1)}, [](const Tensors& in) {
    zero_(in[0]);
    return Tensors{clone(in[1])};
  });
  EXPECT_EQ(numbers(out[0]), (Numbers{0, 0}));
}
TEST(Functionalize, FUN_22_a_result_that_is_an_input_is_that_tensor) {
  const Tensor x = vector({1});
  EXPECT_TRUE(run({x}, [](const Tensors& in) { return Tensors{in[0]}; })[0].is_same(x));
}
TEST(Functionalize, FUN_22_a_result_that_views_an_input_is_a_view_of_it) {
  const Tensor x = counting({2, 3});
  const Tensor v = run({x}, [](const Tensors& in) { return Tensors{transpose(in[0], 0, 1)}; })[0];
  EXPECT_TRUE(is_view(v) && base_of(v).is_same(x) && v.storage() == x.storage());
}
TEST(Functionalize, FUN_22_a_view_of_an_input_counts_versions_with_it) {
  const Tensor x = counting({2, 3});
  const Tensor v = run({x}, [](const Tensors& in) { return Tensors{view(in[0], {6})}; })[0];
  fill_(x, 1);
  EXPECT_EQ(version_of(v), version_of(x));
}
TEST(Functionalize, FUN_23_results_that_share_memory_have_one_base) {
  const Tensors out = run({counting({2, 2})}, [](const Tensors& in) {
    const Tensor y = neg(in[0]);
    return Tensors{select(y, 0, 0), y};
  });
  EXPECT_TRUE(base_of(out[0]).is_same(out[1]));
}
TEST(Functionalize, FUN_24_an_input_has_the_layout_that_the_body_gave_it) {
  const Tensor x = counting({2, 3});
  run({x}, [](const Tensors& in) { return Tensors{t_(in[0])}; });
  EXPECT_TRUE(sizes(x) == (Sizes{3, 2}) && strides(x) == (Sizes{1, 3}));
}
TEST(Functionalize, FUN_25_a_result_has_the_offset_that_eager_gives) {
  const Tensor y = run({counting({2, 3})}, [](const Tensors& in) { return Tensors{select(neg(in[0]), 0, 1)}; })[0];
  EXPECT_EQ(y.offset(), 3);
}
TEST(Functionalize, FUN_26_a_captured_tensor_may_be_read) {
  const Tensor captured = vector({3});
  const Tensors out = run({vector({1})}, [&](const Tensors& in) { return Tensors{add(in[0], captured)}; });
  EXPECT_EQ(numbers(out[0]), (Numbers{4}));
}
TEST(Functionalize, FUN_26_a_captured_tensor_may_not_be_written) {
  const Tensor captured = vector({3});
  EXPECT_EQ(error_of([&] { run({vector({1})}, [&](const Tensors&) { return Tensors{zero_(captured)}; }); }),
            ErrorClass::captured_write);
}
TEST(Functionalize, FUN_26_a_view_of_a_captured_tensor_may_not_be_written) {
  const Tensor captured = vector({3});
  EXPECT_EQ(error_of([&] { run({vector({1})}, [&](const Tensors&) { return Tensors{zero_(view(captured, {1}))}; }); }),
            ErrorClass::captured_write);
}
TEST(Functionalize, FUN_26_that_is_looked_at_before_all_else) {
  const Tensor captured = inference_vector({3});
  EXPECT_EQ(error_of([&] { run({vector({1})}, [&](const Tensors&) { return Tensors{zero_(captured)}; }); }),
            ErrorClass::captured_write);
}
TEST(Functionalize, FUN_21_a_captured_tensor_that_shares_an_inputs_memory_may_be_written) {
  const Tensor x = counting({4});
  const Tensor captured = slice(x, 0, 2, 4, 1);
  run({x}, [&](const Tensors&) { return Tensors{zero_(captured)}; });
  EXPECT_EQ(numbers(x), (Numbers{0, 1, 0, 0}));
}
TEST(Functionalize, FUN_31_a_resize_beyond_the_memory_of_an_input_reaches_it) {
  const Tensor x = vector({1, 2});
  run({x}, [](const Tensors& in) { return Tensors{fill_(resize_(in[0], {3}), 7)}; });
  EXPECT_EQ(numbers(x), (Numbers{7, 7, 7}));
}
TEST(Functionalize, FUN_33_a_body_that_raises_leaves_its_inputs_as_they_were) {
  const Tensor x = counting({2, 3});
  EXPECT_THROW(run({x},
                   [](const Tensors& in) {
                     fill_(in[0], 5);
                     t_(in[0]);
                     return Tensors{view(in[0], {4})};
                   }),
               Error);
  EXPECT_TRUE(numbers(x) == (Numbers{0, 1, 2, 3, 4, 5}) && sizes(x) == (Sizes{2, 3}) && version_of(x) == 0);
}
TEST(Functionalize, FUN_33_a_body_that_raises_leaves_the_thread_as_it_was) {
  const KeySet before = thread_state().included;
  EXPECT_THROW(run({}, [](const Tensors&) -> Tensors { throw Error(ErrorClass::shape, "no"); }), Error);
  EXPECT_TRUE(thread_state().included == before && !in_functionalized_body());
}
TEST(Functionalize, FUN_35_a_result_that_nobody_shares_is_no_view) {
  const Tensor y = run({counting({2, 3})}, [](const Tensors& in) { return Tensors{select(neg(in[0]), 0, 1)}; })[0];
  EXPECT_FALSE(is_view(y));
}
TEST(Functionalize, INF_01_a_result_made_in_inference_mode_is_an_inference_tensor) {
  const InferenceMode mode;
  EXPECT_TRUE(run({vector({1})}, [](const Tensors& in) { return Tensors{neg(in[0])}; })[0].is_inference());
}
TEST(Functionalize, INF_05_an_inference_tensor_is_not_written_outside_the_mode) {
  const Tensor x = inference_vector({1});
  EXPECT_EQ(error_of([&] { run({x}, [](const Tensors& in) { return Tensors{zero_(in[0])}; }); }),
            ErrorClass::inference_inplace);
}
TEST(Functionalize, FUN_21_many_inputs_that_share_memory_are_written_one_by_one) {
  const Tensor x = counting({40});
  Tensors rows;
  for (std::int64_t i = 0; i < 40; ++i) rows.push_back(select(x, 0, i));
  run(rows, [](const Tensors& in) {
    for (const Tensor& row : in) neg_(row);
    return in;
  });
  EXPECT_EQ(numbers(x), numbers(neg(counting({40}))));
}
TEST(Functionalize, no_result_is_functional) {
  const Tensors out = run({vector({1})}, [](const Tensors& in) { return Tensors{neg(in[0]), view(in[0], {1, 1})}; });
  EXPECT_FALSE(is_functional_tensor(out[0]) || is_functional_tensor(out[1]));
}
TEST(Functionalize, AUT_07_a_result_has_the_history_of_the_body) {
  const Tensor x = testing::leaf({1, 2});
  const Tensors out = run({x}, [](const Tensors& in) {
    const Tensor y = mul(in[0], in[0]);
    add_(view(y, {2}), vector({1, 1}));
    return Tensors{mul(y, in[0])};
  });
  backward({sum(out[0])});
  EXPECT_EQ(numbers(grad_of(x)), (Numbers{4, 13}));
}
TEST(Functionalize, AUT_07_a_written_input_has_the_history_of_the_body) {
  const Tensor x = testing::leaf({1, 2}), y = vector({3, 4});
  run({x, y}, [](const Tensors& in) { return Tensors{mul_(in[1], in[0])}; });
  backward({sum(y)});
  EXPECT_EQ(numbers(grad_of(x)), (Numbers{3, 4}));
}
TEST(Functionalize, AUT_13_a_leaf_is_not_written_in_a_body) {
  const Tensor x = testing::leaf({1, 2});
  EXPECT_EQ(error_of([&] { run({x}, [](const Tensors& in) { return Tensors{zero_(in[0])}; }); }),
            ErrorClass::leaf_inplace);
  EXPECT_EQ(numbers(x), (Numbers{1, 2}));
}
TEST(Functionalize, VER_15_what_the_body_saved_of_an_input_is_guarded_after_it) {
  const Tensor x = testing::leaf({1, 2}), y = vector({3, 4});
  const Tensors out = run({x, y}, [](const Tensors& in) { return Tensors{mul(in[0], view(in[1], {2}))}; });
  zero_(y);
  EXPECT_EQ(error_of([&] { backward({sum(out[0])}); }), ErrorClass::saved_modified);
}
TEST(Functionalize, what_the_body_saved_is_not_functional_after_it) {
  const Tensor x = testing::leaf({1, 2});
  const Tensors out = run({x}, [](const Tensors& in) { return Tensors{exp(in[0])}; });
  backward({sum(out[0])});
  EXPECT_FALSE(is_functional_tensor(grad_of(x)));
}

TEST(FunctionalTensor, FUN_02_what_is_written_to_it_does_not_reach_the_plain_tensor) {
  const Tensor x = vector({1, 2});
  const Tensor f = to_functional_tensor(x);
  fill_(f, 5);
  EXPECT_EQ(numbers(x), (Numbers{1, 2}));
}
TEST(FunctionalTensor, FUN_02_what_is_written_to_it_is_what_it_holds) {
  const Tensor f = to_functional_tensor(vector({1, 2}));
  fill_(select(f, 0, 1), 5);
  sync(f);
  EXPECT_EQ(numbers(from_functional_tensor(f)), (Numbers{1, 5}));
}
TEST(FunctionalTensor, FUN_29_a_value_taken_out_stays_as_it_is) {
  const Tensor f = to_functional_tensor(vector({1, 2}));
  const Tensor value = from_functional_tensor(f);
  fill_(f, 5);
  EXPECT_EQ(numbers(value), (Numbers{1, 2}));
}
TEST(FunctionalTensor, it_borrows_memory_until_it_is_written) {
  const Tensor x = counting({1000});
  const std::int64_t before = pool_figures().live;
  const Tensor f = to_functional_tensor(x);
  EXPECT_LE(pool_figures().live - before, 512);
}
TEST(FunctionalTensor, FUN_27_a_first_write_of_all_its_memory_keeps_the_dtype_of_what_is_written) {
  const Tensor f = to_functional_tensor(vector({1, 2}));
  add_(f, vector({0.5, 0.5}, Dtype::float64));
  EXPECT_TRUE(f.dtype() == Dtype::float32 && numbers(f) == (Numbers{1.5, 2.5}));
}
TEST(FunctionalTensor, a_first_write_that_is_refused_leaves_it_as_it_was) {
  const Tensor f = to_functional_tensor(vector({1, 2}));
  EXPECT_EQ(error_of([&] { add_(f, vector({1, 2, 3})); }), ErrorClass::shape);
  EXPECT_EQ(numbers(f), (Numbers{1, 2}));
}
TEST(FunctionalTensor, FUN_03_a_view_that_was_made_before_sees_the_first_write) {
  const Tensor f = to_functional_tensor(vector({1, 2}));
  const Tensor v = select(f, 0, 1);
  neg_(f);
  EXPECT_EQ(numbers(v), (Numbers{-2}));
}
TEST(FunctionalTensor, a_result_of_an_op_on_it_is_functional) {
  EXPECT_TRUE(is_functional_tensor(add(to_functional_tensor(vector({1})), vector({2}))));
}
TEST(FunctionalTensor, a_factory_gives_one_where_the_thread_functionalizes) {
  const Functionalizing guard;
  EXPECT_TRUE(is_functional_tensor(zeros({2})));
}
TEST(FunctionalTensor, FUN_26_an_op_that_reads_one_does_not_write_a_plain_tensor) {
  EXPECT_EQ(error_of([] { add_(vector({1}), to_functional_tensor(vector({1}))); }), ErrorClass::captured_write);
}
TEST(FunctionalTensor, FUN_01_a_view_keeps_as_many_bytes_however_deep_it_is) {
  constexpr std::int64_t kDeep = 1000;
  Tensors all{to_functional_tensor(vector({1, 2}))};
  all.reserve(kDeep + 1);
  const std::int64_t before = pool_figures().live;
  for (std::int64_t i = 0; i < kDeep; ++i) all.push_back(view(all.back(), {2}));
  EXPECT_LE((pool_figures().live - before) / kDeep, 320);
}

}  // namespace
}  // namespace plumbline::optimized::functionalize_test
