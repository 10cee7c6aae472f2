// What is measured of a lazy device, written once for all sides: a side has the ops, on its device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace plumbline::bench::lazy {

/// A row on one side.
struct Row {
  std::string name;
  std::int64_t ops = 1;        ///< the time is for one
  std::function<void()> call;  ///< computes the row once
};

/// `Side` has Tensor, input(sizes), the ops of PyTorch by their names, and finish(tensor), which has it computed.
template <class Side>
class Rows {
 public:
  using Tensor = typename Side::Tensor;

  /// `elements`: of a tensor in a chain.
  static std::vector<Row> all(std::int64_t elements) {
    std::vector<Row> rows{build()};
    for (const int ops : {10, 100, 1000}) rows.push_back(chain(ops, elements));
    rows.push_back(perceptron(64, std::min<std::int64_t>(elements / 64, 512)));
    rows.push_back(attention(std::min<std::int64_t>(elements / 64, 512)));
    return rows;
  }

 private:
  /// An op on one element, whose result no one reads.
  static Row build() {
    return {"one add, 1 element, never read", 1, [a = Side::input({1}), b = Side::input({1})] { Side::add(a, b); }};
  }
  static Row chain(int ops, std::int64_t elements) {
    return {"chain of " + std::to_string(ops) + " pointwise ops, " + std::to_string(elements) + " floats", ops,
            [ops, x = Side::input({elements}), a = Side::input({elements}), b = Side::input({elements})] {
              Tensor y = x;
              for (int i = 0; i < ops; ++i)
                y = i % 3 == 0 ? Side::mul(y, a) : i % 3 == 1 ? Side::add(y, b) : Side::relu(y);
              Side::finish(y);
            }};
  }
  static Row perceptron(std::int64_t rows, std::int64_t width) {
    return {"MLP, " + std::to_string(rows) + " rows of " + std::to_string(width), 1,
            [x = Side::input({rows, width}), w1 = Side::input({width, width}), b1 = Side::input({width}),
             w2 = Side::input({width, width}), b2 = Side::input({width})] {
              const Tensor hidden = Side::relu(Side::add(Side::mm(x, w1), b1));
              Side::finish(Side::tanh(Side::add(Side::mm(hidden, w2), b2)));
            }};
  }
  static Row attention(std::int64_t length) {
    constexpr std::int64_t kWidth = 64;
    return {"attention, " + std::to_string(length) + " places of 64", 1,
            [q = Side::input({length, kWidth}), k = Side::input({length, kWidth}), v = Side::input({length, kWidth}),
             mask = Side::input({length, length}), scale = Side::input({1})] {
              const Tensor scores = Side::add(Side::mul(Side::mm(q, Side::t(k)), scale), mask);
              Side::finish(Side::mm(Side::softmax(scores), v));
            }};
  }
};

/// The rows of a side by its name; of one that is not built here or cannot start, none, and why.
struct Measured {
  std::string name;
  std::vector<Row> rows;
  std::string why_not;
};
/// What making a node forces alone: its memory, its result's, and who counts whom. Only the first row.
Measured floor();
/// Ours on the CPU.
Measured ours(std::int64_t elements);
/// Ours on the lazy device, which this registers: from then on each op of the CPU asks where the thread is.
Measured ours_lazily(std::int64_t elements);
/// LibTorch on the CPU, and on its lazy device with the backend of TorchScript.
std::vector<Measured> libtorch(std::int64_t elements);

}  // namespace plumbline::bench::lazy
