// Which operands a backend can take, and how an operand becomes one that any backend can take.
#include "optimized/removal/operands.h"

#include <algorithm>
#include <array>
#include <utility>

namespace plumbline::optimized {

namespace {

std::vector<CallAxis> loops_of(const PrimitiveCall& call) {
  std::vector<CallAxis> loops(call.outer.levels().begin(), call.outer.levels().end());
  loops.insert(loops.end(), call.inner.levels().begin(), call.inner.levels().end());
  return loops;
}

std::vector<int> order_of_product(const PrimitiveCall& call) {
  const int outer = static_cast<int>(call.outer.levels().size());
  std::vector<int> order;
  if (call.matrix[0] != 1) order.push_back(0);
  if (call.matrix[2] != 1) order.push_back(outer);
  if (call.matrix[1] != 1) order.push_back(outer - 1);
  return order;
}

/// The one of the remaining loops that operand k has furthest out; -1 if it has none of them.
int outermost(std::span<const CallAxis> loops, std::span<const int> left, std::size_t k) {
  int found = -1;
  std::int64_t step = 0;
  for (const int one : left)
    if (const std::int64_t its = loops[static_cast<std::size_t>(one)].steps[k]; its > step) {
      step = its;
      found = one;
    }
  return found;
}

}  // namespace

std::vector<int> order_of_loops(const PrimitiveCall& call) {
  if (call.primitive == Primitive::multiply) return order_of_product(call);
  const std::vector<CallAxis> loops = loops_of(call);
  std::vector<int> left(loops.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<int>(i);
  std::vector<int> order;
  while (!left.empty()) {
    std::array<int, PrimitiveCall::kMost> first{};
    for (std::size_t k = 0; k < call.operands; ++k) first[k] = outermost(loops, left, k);
    const auto fits = [&](int one) {
      for (std::size_t k = 0; k < call.operands; ++k)
        if (first[k] != one && loops[static_cast<std::size_t>(one)].steps[k] != 0) return false;
      return true;
    };
    auto next = std::ranges::find_if(left, fits);
    for (std::size_t k = 0; k < call.operands && next == left.end(); ++k) next = std::ranges::find(left, first[k]);
    order.push_back(*next);
    left.erase(next);
  }
  return order;
}

std::vector<Reach::Part> ordered(const Reach& reach, std::span<const int> order) {
  std::vector<Reach::Part> parts;
  for (const int loop : order) {
    const auto part = std::ranges::find(reach.parts(), loop, &Reach::Part::loop);
    if (part != reach.parts().end()) parts.push_back(*part);
  }
  return parts;
}

bool is_whole(const Reach& reach, std::int64_t item, std::int64_t offset, std::size_t bytes) {
  return offset == 0 && reach.is_dense() && static_cast<std::size_t>(reach.elements() * item) == bytes;
}

bool can_take(const Abilities& can, const Reach& reach, std::int64_t item, std::int64_t offset, std::size_t bytes,
              std::span<const int> order) {
  if (reach.elements() == 0) return true;
  if (!can.views && !is_whole(reach, item, offset, bytes)) return false;
  if (can.strides) return true;
  const std::vector<Reach::Part> parts = ordered(reach, order);
  return in_a_row(parts) == parts;
}

}  // namespace plumbline::optimized
