// The graph of a lazy tensor, printed as a program: it has no view and no in-place op, and gives what the tensor holds.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "adapters/optimized/run.h"
#include "adapters/tests/script_writer.h"
#include "language/expectation.h"
#include "language/lower.h"
#include "language/parse.h"
#include "optimized/autograd/variable.h"
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

  /// What is wrong with the program of a tensor, with its text; empty: it has no view and no in-place op, and gives
  /// what the tensor holds, whose elements are whole numbers or a few binary digits.
  static std::string wrong_with_program_of(const Tensor& tensor) {
    const Tensor row = reshape(tensor, {tensor.numel()});
    std::string text = lazy::printed(row);
    text += "    assert out.tolist() == " + list_of(on(row, kCpu)) + "\n";
    const std::vector<program::Test> tests = program::lower(program::parse(text, "graph.py"));
    for (const Statement& statement : tests.at(0).script.statements)
      if (const auto* called = std::get_if<Call>(&statement.kind)) {
        const OpKind kind = plumbline::op(called->op).kind;
        if (kind != OpKind::Functional && kind != OpKind::Factory)
          return std::string(plumbline::op(called->op).name) + " is neither functional nor a factory\n" + text;
      }
    const auto ran = optimized::run(tests[0].script, false);
    if (!std::holds_alternative<Trace>(ran)) return "it cannot run\n" + text;
    for (const Outcome& one : std::get<Trace>(ran).outcomes)
      if (one.failure.error != ErrorClass::none) return one.failure.message + "\n" + text;
    for (const program::Expectation& one : tests[0].expectations)
      if (!program::meets(one, at(std::get<Trace>(ran), one.statement).reading))
        return "it gives something else\n" + text;
    return "";
  }
  static void expect_same(const std::function<Tensor()>& make) { EXPECT_EQ(wrong_with_program_of(make()), ""); }
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

/// The gradient of what `make` computes from a leaf of the device.
Tensor gradient(std::vector<std::int64_t> sizes, const std::function<Tensor(const Tensor& leaf)>& make) {
  const Tensor leaf = on(counting(std::move(sizes)), lazy::kDevice);
  set_requires_grad(leaf, true);
  const Tensor made = make(leaf);
  backward(sum(mul(made, on(counting(made.sizes().vec()), lazy::kDevice))));
  return grad_of(leaf);
}
Tensor indices(std::vector<std::int64_t> sizes, std::int64_t most) {
  Tensor made = counting(std::move(sizes), Dtype::int64);
  for (std::int64_t i = 0; i < made.numel(); ++i) made.data<std::int64_t>()[i] = (i * 5 + 1) % most;
  return on(made, lazy::kDevice);
}

TEST_F(LazyProgram, sums_at_places_that_repeat) {
  expect_same([] { return gradient({3, 4}, [](const Tensor& x) { return gather(x, 0, indices({5, 4}, 3), false); }); });
  expect_same([] { return gradient({3, 4}, [](const Tensor& x) { return gather(x, 1, indices({2, 7}, 4), false); }); });
  expect_same([] { return gradient({4, 3}, [](const Tensor& x) { return index_select(x, 0, indices({6}, 4)); }); });
  expect_same([] { return gradient({4, 3}, [](const Tensor& x) { return index_select(x, 1, indices({2}, 1)); }); });
  expect_same([] { return gradient({8}, [](const Tensor& x) { return as_strided(x, {3, 4}, {1, 1}, 1); }); });
  expect_same([] { return gradient({8}, [](const Tensor& x) { return as_strided(x, {2, 3, 2}, {2, 0, 2}, 0); }); });
  expect_same([] { return gradient({9}, [](const Tensor& x) { return unfold(x, 0, 3, 2); }); });
}

TEST_F(LazyProgram, fills_at_places_that_repeat) {
  expect_same([] {
    const Tensor x = here(counting({8}));
    masked_fill_(as_strided(x, {3, 4}, {1, 1}, 1), eq(here(counting({3, 4})), number(2)), 9);
    return x;
  });
}

TEST_F(LazyProgram, bytes_that_are_no_whole_elements_of_another_dtype) {
  expect_same([] {
    const Tensor one = here(counting({1}, Dtype::int64));
    const Tensor row = here(counting({3}, Dtype::int32));
    const Tensor x = mul(row, row);
    add_(call<op::view_dtype>(slice(x, 0, 0, 2), Dtype::int64), one);
    return x;
  });
  expect_same([] {
    const Tensor x = here(counting({5}, Dtype::int32));
    return add(call<op::view_dtype>(slice(x, 0, 2, 4), Dtype::int64), here(counting({1}, Dtype::int64)));
  });
}

TEST_F(LazyProgram, integers_that_no_program_can_have) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 60;
  const auto large = [](std::vector<std::int64_t> sizes) {
    Tensor made = counting(std::move(sizes), Dtype::int64);
    for (std::int64_t i = 0; i < made.numel(); ++i) made.data<std::int64_t>()[i] -= kLarge;
    return made;
  };
  expect_same([&] { return sub(here(large({3})), here(large({1}))); });
  expect_same([&] { return sub(here(large({3})), large({})); });  // a number of the CPU
}

TEST_F(LazyProgram, products_of_nothing) {
  const auto some = [](std::vector<std::int64_t> sizes) { return here(eq(counting(std::move(sizes)), number(1))); };
  expect_same([&] { return mm(some({3, 0}), some({0, 4})); });
  expect_same([&] { return addmm(some({3, 4}), some({3, 0}), some({0, 4}), true, true); });
  expect_same([] { return addmm(here(counting({3, 4})), here(counting({3, 0})), here(counting({0, 4})), 2); });
}

/// Ops on a few matrices, with views, writes and gradients; the same numbers choose the same ops.
void do_one(int choice, std::vector<Tensor>& all) {
  const auto pick = [&](int salt) { return all[static_cast<std::size_t>(choice / 16 + salt) % all.size()]; };
  const Tensor a = pick(0);
  const Tensor b = pick(1);
  const std::int64_t place = choice / 16 % 4;
  switch (choice % 16) {
    case 0:
      all.push_back(add(a, b, 2));
      break;
    case 1:
      all.push_back(transpose(a, 0, 1));
      break;
    case 2:
      add_(slice(a, 0, 1, 3), to(number(3), Dtype::int32));
      break;
    case 3:
      copy_(select(a, 1, place), select(b, 0, place));
      break;
    case 4:
      all.push_back(relu(sub(a, b)));
      break;
    case 5:
      all.push_back(where(gt(a, b), a, b));
      break;
    case 6:
      all.push_back(std::get<0>(max(expand(select(a, 0, place), {4, 4}), 1, true)));
      all.back() = expand(all.back(), {4, 4});
      break;
    case 7:
      masked_fill_(a, gt(b, number(2)), static_cast<int>(place));
      break;
    case 8:
      all.push_back(sub(a, sum(b, std::vector<std::int64_t>{0}, false)));
      break;
    case 9:
      fill_(select(clone(a), 0, place), 1);
      fill_(select(all.front(), 0, place), 1);
      break;
    case 10:
      all.push_back(mm(to(a, Dtype::float64), on(counting({4, 4}, Dtype::float64), lazy::kDevice)));
      break;
    case 11:
      all.push_back(gradient({4, 4}, [&](const Tensor& x) { return gather(x, 1, indices({4, 4}, 4), false); }));
      break;
    case 12:
      all.push_back(gradient({4, 4}, [&](const Tensor& x) { return as_strided(x, {4, 3}, {2, 1}, place); }));
      break;
    case 13:
      all.push_back(cat(std::vector<Tensor>{slice(a, 0, 0, place), slice(b, 0, place, 4)}, 0));
      break;
    case 14:
      all.push_back(gather(a, 0, indices({4, 4}, 4), false));
      break;
    default:
      all.push_back(mul(to(a, Dtype::float32), number(0.5)));
  }
}
std::vector<Tensor> made_by(const std::vector<int>& choices) {
  std::vector<Tensor> all{on(counting({4, 4}), lazy::kDevice), on(counting({4, 4}, Dtype::int64), lazy::kDevice)};
  for (const int choice : choices) try {
      do_one(choice, all);
    } catch (const Error&) {
      continue;  // a write of a tensor that has an element twice
    }
  return all;
}

RC_GTEST_FIXTURE_PROP(LazyProgram, every_graph_is_a_program_that_gives_the_same, (const std::vector<int>& numbers)) {
  std::vector<int> choices;
  for (std::size_t i = 0; i < std::min<std::size_t>(numbers.size(), 16); ++i)
    choices.push_back(std::abs(numbers[i] % 4096));
  for (std::size_t i = 0; i < made_by(choices).size(); ++i) {
    const std::string wrong = wrong_with_program_of(made_by(choices)[i]);
    if (!wrong.empty()) RC_FAIL(wrong);
  }
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
