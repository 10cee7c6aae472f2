// Functionalized bodies within functionalized bodies (FUN-36).
#include <gtest/gtest.h>

#include "optimized/functionalize/functionalize.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::functionalize_nested_test {
namespace {

using testing::counting;
using testing::error_of;
using testing::numbers;
using testing::Numbers;
using testing::sizes;
using testing::Sizes;
using testing::vector;

using Tensors = std::vector<Tensor>;
using Body = std::function<Tensors(Tensors)>;

Tensors run(const Tensors& inputs, const Body& body) {
  return functionalize(body, Remove::mutations_and_views, inputs);
}

Body nothing(const std::function<void(const Tensor&)>& act) {
  return [act](const Tensors& in) {
    act(in[0]);
    return Tensors{};
  };
}

TEST(Nested, what_the_inner_body_writes_the_outer_one_reads) {
  const Tensor x = vector({1, 2});
  const Tensors out = run({x}, [](const Tensors& outer) {
    run(outer, nothing([](const Tensor& y) { fill_(y, 5); }));
    return Tensors{neg(outer[0])};
  });
  EXPECT_EQ(numbers(out[0]), (Numbers{-5, -5}));
  EXPECT_EQ(numbers(x), (Numbers{5, 5}));
}
TEST(Nested, a_view_of_an_input_that_the_outer_body_captured_is_the_callers) {
  const Tensor x = vector({1, 2});
  const Tensor captured = vector({3, 4});
  for (const bool by_name : {true, false}) {
    const Tensors out = run({x}, [&](const Tensors&) {
      return run({captured},
                 [&](const Tensors& inner) { return Tensors{view(by_name ? captured : inner[0], {2, 1})}; });
    });
    EXPECT_TRUE(out[0].storage() == captured.storage()) << by_name;
    EXPECT_EQ(out[0].keys(), captured.keys());
  }
}
TEST(Nested, nothing_reaches_the_caller_before_the_outer_body_ends) {
  const Tensor x = vector({1, 2});
  Numbers behind_inner;
  run({x}, [&](const Tensors& outer) {
    run(outer, nothing([](const Tensor& y) { fill_(y, 5); }));
    behind_inner = numbers(x);
    return Tensors{};
  });
  EXPECT_EQ(behind_inner, (Numbers{1, 2}));
}
TEST(Nested, the_outer_body_sees_nothing_before_the_inner_one_ends) {
  Numbers meanwhile;
  run({vector({1, 2})}, [&](const Tensors& outer) {
    run(outer, nothing([&](const Tensor& y) {
          fill_(y, 5);
          meanwhile = numbers(outer[0]);
        }));
    return Tensors{};
  });
  EXPECT_EQ(meanwhile, (Numbers{1, 2}));
}
TEST(Nested, a_result_of_the_inner_body_is_functional_in_the_outer_one_alone) {
  Tensor inner_result;
  const Tensors out = run({vector({1, 2})}, [&](const Tensors& outer) {
    inner_result = run(outer, [](const Tensors& in) { return Tensors{neg(in[0])}; })[0];
    EXPECT_TRUE(is_functional_tensor(inner_result));
    return Tensors{fill_(inner_result, 3)};
  });
  EXPECT_FALSE(is_functional_tensor(out[0]));
  EXPECT_EQ(numbers(out[0]), (Numbers{3, 3}));
}
TEST(Nested, a_result_that_views_the_inner_input_views_the_outer_one) {
  const Tensor x = counting({2, 2});
  run({x}, [](const Tensors& outer) {
    const Tensor row = run(outer, [](const Tensors& in) { return Tensors{select(in[0], 0, 1)}; })[0];
    fill_(row, 9);
    return Tensors{};
  });
  EXPECT_EQ(numbers(x), (Numbers{0, 1, 9, 9}));
}
TEST(Nested, FUN_23_results_that_share_memory_in_the_inner_body_share_it_outside) {
  const Tensors out = run({vector({1, 2})}, [](const Tensors& outer) {
    return run(outer, [](const Tensors& in) {
      const Tensor made = neg(in[0]);
      return Tensors{view(made, {2, 1}), view(made, {1, 2}), view(in[0], {2, 1}), view(in[0], {1, 2})};
    });
  });
  EXPECT_EQ(out[0].storage(), out[1].storage());
  EXPECT_EQ(out[2].storage(), out[3].storage());
  EXPECT_NE(out[0].storage(), out[2].storage());
}
TEST(Nested, the_inner_body_sees_its_input_by_the_outer_name) {
  const Tensors out = run({vector({1})}, [](const Tensors& outer) {
    return run(outer, [&](const Tensors& in) {
      fill_(in[0], 7);
      return Tensors{neg(outer[0])};
    });
  });
  EXPECT_EQ(numbers(out[0]), (Numbers{-7}));
}
TEST(Nested, the_inner_body_sees_its_input_by_the_callers_name) {
  const Tensor x = vector({1});
  const Tensors out = run({x}, [&](const Tensors& outer) {
    return run(outer, [&](const Tensors& in) {
      fill_(in[0], 7);
      return Tensors{neg(x)};
    });
  });
  EXPECT_EQ(numbers(out[0]), (Numbers{-7}));
}
TEST(Nested, an_inner_body_reads_what_the_outer_one_has_written_by_the_callers_name) {
  const Tensor x = vector({1});
  const Tensors out = run({x}, [&](const Tensors& outer) {
    fill_(outer[0], 7);
    return run({}, [&](const Tensors&) { return Tensors{neg(x)}; });
  });
  EXPECT_EQ(numbers(out[0]), (Numbers{-7}));
}
TEST(Nested, FUN_26_what_the_outer_body_made_no_inner_one_writes_unless_it_is_given) {
  EXPECT_EQ(error_of([] {
              run({vector({1})}, [](const Tensors& outer) {
                const Tensor made = neg(outer[0]);
                return run({}, [&](const Tensors&) { return Tensors{zero_(made)}; });
              });
            }),
            ErrorClass::captured_write);
}
TEST(Nested, FUN_26_what_the_outer_body_captured_no_inner_one_writes_though_it_is_given) {
  const Tensor captured = vector({1});
  EXPECT_EQ(error_of([&] {
              run({}, [&](const Tensors&) { return run({captured}, nothing([](const Tensor& y) { zero_(y); })); });
            }),
            ErrorClass::captured_write);
  EXPECT_EQ(numbers(captured), (Numbers{1}));
}
TEST(Nested, what_the_outer_body_was_given_an_inner_one_writes_under_the_callers_name) {
  const Tensor x = vector({1});
  run({x}, [&](const Tensors&) { return run({x}, nothing([](const Tensor& y) { zero_(y); })); });
  EXPECT_EQ(numbers(x), (Numbers{0}));
}
TEST(Nested, what_the_inner_body_makes_it_writes) {
  const Tensors out = run({vector({1})}, [](const Tensors& outer) {
    return run(outer, [](const Tensors& in) { return Tensors{zero_(neg(in[0]))}; });
  });
  EXPECT_EQ(numbers(out[0]), (Numbers{0}));
}
TEST(Nested, FUN_24_the_outer_body_has_the_layout_that_the_inner_one_gave) {
  const Tensor x = counting({2, 3});
  run({x}, [](const Tensors& outer) {
    run(outer, nothing([](const Tensor& y) { transpose_(y, 0, 1); }));
    EXPECT_EQ(sizes(outer[0]), (Sizes{3, 2}));
    return Tensors{};
  });
  EXPECT_EQ(sizes(x), (Sizes{3, 2}));
}
TEST(Nested, FUN_33_an_inner_body_that_raises_leaves_the_outer_one_as_it_was) {
  const Tensors out = run({vector({1, 2})}, [](const Tensors& outer) {
    EXPECT_EQ(error_of([&] {
                run(outer, nothing([](const Tensor& y) {
                      fill_(y, 5);
                      view(y, {3});
                    }));
              }),
              ErrorClass::shape);
    return Tensors{neg(outer[0])};
  });
  EXPECT_EQ(numbers(out[0]), (Numbers{-1, -2}));
}
TEST(Nested, three_deep) {
  const Tensor x = vector({1});
  run({x}, [](const Tensors& one) {
    return run(one, [](const Tensors& two) {
      return run(two, [](const Tensors& three) { return Tensors{mul_(three[0], vector({3}))}; });
    });
  });
  EXPECT_EQ(numbers(x), (Numbers{3}));
}

}  // namespace
}  // namespace plumbline::optimized::functionalize_nested_test
