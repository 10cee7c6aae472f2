// What is measured on a GPU, of our runtime.
#include "bench/gpu/rows.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "optimized/ops.h"

namespace plumbline::bench::gpu {

namespace {

using optimized::Tensor;
using Call = std::function<void()>;
using Sizes = std::vector<std::int64_t>;

Tensor random(const Sizes& sizes) { return optimized::rand(sizes); }

/// Calls `unit` with one set of inputs after another, of which there are enough to pass any cache.
template <class Inputs, class Unit>
Call rotating(double bytes_of_a_set, const std::function<Inputs()>& make, Unit unit) {
  constexpr double kRotated = 512e6;
  const auto sets = std::make_shared<std::vector<Inputs>>();
  do sets->push_back(make());
  while (static_cast<double>(sets->size()) * bytes_of_a_set < kRotated && sets->size() < 64);
  return [sets, unit, next = std::size_t{0}]() mutable {
    unit((*sets)[next]);
    next = (next + 1) % sets->size();
  };
}

/// Of `body`, which computes from one set of inputs.
Call eager(std::function<Tensor()> body) {
  return [body = std::move(body)] { body(); };
}
Call as_graph(const Device& device, const std::function<Tensor()>& body) {
  const auto result = std::make_shared<Tensor>();
  const auto run = [result, body] { *result = body(); };
  const std::shared_ptr<optimized::cuda::Graph> graph(new optimized::cuda::Graph(device.graph(run)));
  return [graph, result] { graph->replay(); };
}

/// relu(x · a + b), and again: `length` pointwise ops.
Tensor chain(Tensor x, const Tensor& a, const Tensor& b, int length) {
  for (int i = 0; i < length; ++i) x = i % 3 == 0 ? mul(x, a) : i % 3 == 1 ? add(x, b) : relu(x);
  return x;
}

class Table {
 public:
  explicit Table(const Device& device) : device_(device) {}

  std::vector<Row> all() {
    launches();
    bandwidth(scaled(1'000'000), "1e6");
    bandwidth(scaled(std::int64_t{1} << 24), "2^24");
    bandwidth(scaled(std::int64_t{1} << 28), "2^28");
    long_chains();
    reductions();
    for (const std::int64_t n : {1024, 4096, 8192}) product(n);
    perceptron();
    attention();
    return std::move(rows_);
  }

 private:
  std::int64_t scaled(std::int64_t size) const { return device_.small ? std::min<std::int64_t>(size, 4099) : size; }
  std::int64_t edge(std::int64_t size) const { return device_.small ? std::min<std::int64_t>(size, 32) : size; }

  void both(const std::string& name, const std::function<std::function<Tensor()>()>& make, double bytes, double flops) {
    rows_.push_back({name + ", eager", [make] { return eager(make()); }, bytes, flops});
    rows_.push_back({name + ", graph", [make, device = device_] { return as_graph(device, make()); }, bytes, flops});
  }

  void launches() {
    rows_.push_back({"add, 1 element",
                     [] {
                       const Tensor x = random({1}), y = random({1});
                       return Call([x, y] { add(x, y); });
                     },
                     0, 0});
    both(
        "chain of 20, 1 element",
        [] {
          const Tensor x = random({1}), a = random({1}), b = random({1});
          return [=] { return chain(x, a, b, 20); };
        },
        0, 0);
  }

  void bandwidth(std::int64_t n, const std::string& size) {
    const double bytes = 4 * static_cast<double>(n);
    using Two = std::pair<Tensor, Tensor>;
    const std::function<Two()> make = [n] { return Two(random({n}), random({n})); };
    rows_.push_back({"copy, " + size + " elements",
                     [=] { return rotating<Two>(2 * bytes, make, [](const Two& of) { copy_(of.first, of.second); }); },
                     2 * bytes, 0});
    rows_.push_back({"add, " + size + " elements",
                     [=] { return rotating<Two>(3 * bytes, make, [](const Two& of) { add(of.first, of.second); }); },
                     3 * bytes, 0});
  }

  void long_chains() {
    const std::int64_t n = scaled(std::int64_t{1} << 26);
    both(
        "chain of 10, 2^26 elements",
        [n] {
          const Tensor x = random({n}), a = random({n}), b = random({n});
          return [=] { return chain(x, a, b, 10); };
        },
        4 * 4 * static_cast<double>(n), 0);
  }

  void reductions() {
    const std::int64_t n = edge(8192);
    const double bytes = 4 * static_cast<double>(n) * static_cast<double>(n);
    const std::function<Tensor()> make = [n] { return random({n, n}); };
    const auto of_one = [&](const std::string& name, double all, void (*unit)(const Tensor&)) {
      rows_.push_back({name, [=] { return rotating<Tensor>(bytes, make, unit); }, all, 0});
    };
    of_one("sum of all, 8192 x 8192", bytes, [](const Tensor& x) { sum(x); });
    of_one("sum of each row, 8192 x 8192", bytes, [](const Tensor& x) { sum(x, Sizes{1}); });
    of_one("softmax of each row, 8192 x 8192", 2 * bytes, [](const Tensor& x) { softmax(x, 1); });
  }

  void product(std::int64_t n) {
    const std::int64_t e = edge(n);
    const double edge_length = static_cast<double>(e);
    using Two = std::pair<Tensor, Tensor>;
    const std::function<Two()> make = [e] { return Two(random({e, e}), random({e, e})); };
    rows_.push_back({"matmul, float32, " + std::to_string(n),
                     [=] {
                       return rotating<Two>(8 * edge_length * edge_length, make,
                                            [](const Two& of) { matmul(of.first, of.second); });
                     },
                     0, 2 * edge_length * edge_length * edge_length});
  }

  void perceptron() {
    const std::int64_t batch = edge(64), in = edge(1024), hidden = edge(4096);
    const double flops = 4 * static_cast<double>(batch) * static_cast<double>(in) * static_cast<double>(hidden);
    both(
        "MLP 1024-4096-1024, batch 64",
        [=] {
          const Tensor x = random({batch, in}), w1 = random({in, hidden}), b1 = random({hidden});
          const Tensor w2 = random({hidden, in}), b2 = random({in});
          return [=] { return addmm(b2, relu(addmm(b1, x, w1)), w2); };
        },
        0, flops);
  }

  void attention() {
    const std::int64_t heads = edge(16), tokens = edge(512), width = edge(64);
    const double flops =
        4 * static_cast<double>(heads) * static_cast<double>(tokens) * static_cast<double>(tokens * width);
    both(
        "attention, 16 heads, 512 tokens, 64",
        [=] {
          const Tensor q = random({heads, tokens, width}), k = random({heads, tokens, width});
          const Tensor v = random({heads, tokens, width});
          return [=] { return bmm(softmax(bmm(q, transpose(k, 1, 2)), -1), v); };
        },
        0, flops);
  }

  Device device_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<Row> rows(const Device& device) { return Table(device).all(); }

}  // namespace plumbline::bench::gpu
