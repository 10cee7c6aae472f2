// The graph of a lazy tensor, printed as a program: it has no view and no in-place op, and gives what the tensor holds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "adapters/optimized/run.h"
#include "adapters/tests/script_writer.h"
#include "language/expectation.h"
#include "language/lower.h"
#include "language/parse.h"
#include "optimized/elements/elements.h"
#include "optimized/lazy/lazy.h"
#include "optimized/ops.h"
#include "optimized/tensor/device_memory.h"
#include "spec/ops/op_ids.h"

namespace plumbline {
namespace {

using namespace optimized;  // NOLINT(google-build-using-namespace): the subject

constexpr Backend kCpu = Backend::CPU;

Tensor counting(std::vector<std::int64_t> sizes, Dtype dtype = Dtype::float32) {
  Tensor made = empty_tensor(sizes, dtype);
  visit_dtype(dtype, [&]<class T>(T) {
    for (std::int64_t i = 0; i < made.numel(); ++i) made.data<T>()[i] = static_cast<T>(i % 7);
  });
  return made;
}
Tensor number(double value) {
  Tensor made = empty_tensor({}, Dtype::float32);
  *made.data<float>() = static_cast<float>(value);
  return made;
}
Tensor on(const Tensor& self, Backend device) {
  return call<op::_to_copy>(self, std::optional<Dtype>(), std::optional<Enumerated>(),
                            std::optional<Enumerated>(device_number(device)), std::optional<bool>(), false,
                            std::optional<Enumerated>());
}

std::string list_of(const Tensor& row) {
  std::string text;
  visit_dtype(row.dtype(), [&]<class T>(T) {
    for (std::int64_t i = 0; i < row.numel(); ++i) {
      using Python = std::conditional_t<std::floating_point<T>, double, T>;
      const Python element = row.data<T>()[i];
      const std::string number = std::same_as<T, bool> ? (element ? "True" : "False") : fmt::format("{}", element);
      const bool whole = std::floating_point<T> && number.find_first_of(".e") == std::string::npos;
      text += (i == 0 ? "" : ", ") + number + (whole ? ".0" : "");
    }
  });
  return "[" + text + "]";
}

class LazyProgram : public ::testing::Test {
 protected:
  LazyProgram() {
    static const bool once = [] {
      lazy::run_lazily();
      return true;
    }();
    static_cast<void>(once);
  }

  /// Runs the program of what `make` gives, whose elements are whole numbers or a few binary digits.
  static void expect_same(const std::function<Tensor()>& make) {
    const Tensor made = make();
    const Tensor row = reshape(made, {made.numel()});
    const std::string text = lazy::printed(row);
    const std::string asserted = "    assert out.tolist() == " + list_of(on(row, kCpu)) + "\n";
    const std::vector<program::Test> tests = program::lower(program::parse(text + asserted, "graph.py"));
    ASSERT_EQ(tests.size(), 1U);
    for (const Statement& statement : tests[0].script.statements)
      if (const auto* called = std::get_if<Call>(&statement.kind)) {
        const OpKind kind = plumbline::op(called->op).kind;
        EXPECT_TRUE(kind == OpKind::Functional || kind == OpKind::Factory) << plumbline::op(called->op).name << text;
      }
    const auto ran = optimized::run(tests[0].script, false);
    ASSERT_TRUE(std::holds_alternative<Trace>(ran)) << text;
    for (const program::Expectation& one : tests[0].expectations)
      EXPECT_TRUE(program::meets(one, at(std::get<Trace>(ran), one.statement).reading)) << text << asserted;
  }
  static Tensor here(const Tensor& tensor) {
    Tensor made = on(tensor, lazy::kDevice);
    lazy::sync();
    return made;
  }
};

TEST_F(LazyProgram, pointwise_ops_with_broadcasts_and_conversions) {
  expect_same([] {
    const Tensor x = here(counting({3, 4}));
    const Tensor y = here(counting({4}, Dtype::int64));
    return where(gt(x, y), add(x, y, 2), relu(sub(mul(x, number(0.5)), transpose(here(counting({4, 3})), 0, 1))));
  });
  expect_same([] { return threshold_backward(here(counting({5})), here(counting({5})), 2); });
  expect_same([] { return tanh_backward(here(counting({5})), here(counting({5}))); });
  expect_same([] { return ge(here(counting({5}, Dtype::boolean)), here(counting({5}, Dtype::int32))); });
}

TEST_F(LazyProgram, writes_through_views) {
  expect_same([] {
    const Tensor x = here(counting({4, 4}));
    fill_(select(x, 1, 2), 9);
    add_(slice(x, 0, 1, 3), number(1));
    mul_(transpose(x, 0, 1), relu(x));
    masked_fill_(x, eq(x, number(9)), -1);
    return x;
  });
  expect_same([] {
    const Tensor x = here(counting({4}));
    const Tensor bits = call<op::view_dtype>(x, Dtype::int32);
    add_(bits, here(counting({4}, Dtype::int32)));
    return x;
  });
}

TEST_F(LazyProgram, reductions_products_and_indices) {
  expect_same([] { return sum(here(counting({3, 4, 2})), std::vector<std::int64_t>{0, 2}, false); });
  expect_same([] { return mean(here(counting({4, 4})), std::vector<std::int64_t>{1}, false); });
  expect_same([] { return sum(here(counting({3}, Dtype::boolean))); });
  expect_same([] { return std::get<0>(max(here(counting({3, 4})), 1, false)); });
  expect_same([] { return std::get<1>(max(here(counting({3, 4})), 0, false)); });
  expect_same([] { return max(here(counting({3, 4}))); });
  expect_same([] { return gather(here(counting({7, 4})), 0, here(counting({2, 4}, Dtype::int64)), false); });
  expect_same([] { return softmax(mul(here(counting({2, 4})), number(0)), 1, std::nullopt); });
  expect_same([] { return mm(transpose(here(counting({3, 2})), 0, 1), here(counting({3, 4}))); });
  expect_same([] { return addmm(here(counting({4})), here(counting({2, 3})), here(counting({3, 4})), 2, 3); });
  expect_same([] { return cat(std::vector<Tensor>{here(counting({2, 2})), here(counting({2, 3}))}, 1); });
}

TEST_F(LazyProgram, what_is_computed_already_is_an_input) {
  const Tensor x = here(counting({3}));
  EXPECT_EQ(lazy::printed(x),
            "import torch\n\n\ndef test_graph(device):\n"
            "    v0 = torch.tensor([0.0, 1.0, 2.0], dtype=torch.float32, device=device)\n"
            "    out = torch.as_strided_copy(v0, [3], [1], 0)\n");
}

TEST_F(LazyProgram, a_tensor_of_another_device_has_no_graph) {
  const auto refused = [](const Tensor& tensor) {
    try {
      static_cast<void>(lazy::printed(tensor));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refused(counting({2})).find("has no graph"), std::string::npos);
}

}  // namespace
}  // namespace plumbline
