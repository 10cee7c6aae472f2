// Gradients of views by sizes, strides and offset, and of windows.
#include "optimized/autograd/strided.h"

#include <algorithm>
#include <vector>

#include "optimized/cpu/checks.h"
#include "optimized/elements/primitives.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

bool is_empty(const Layout& layout) { return std::ranges::find(layout.sizes, 0) != layout.sizes.end(); }

/// Whether two elements may be at one place: not if each stride exceeds everything that the smaller strides reach.
bool may_overlap(const Layout& layout) {
  DimVector order(layout.sizes.size());
  for (std::size_t d = 0; d < order.size(); ++d) order[d] = static_cast<std::int64_t>(d);
  std::ranges::sort(order, {}, [&](std::int64_t d) { return layout.strides[static_cast<std::size_t>(d)]; });
  std::int64_t reached = 0;
  for (const std::int64_t at : order) {
    const auto d = static_cast<std::size_t>(at);
    if (layout.sizes[d] == 1) continue;
    if (layout.strides[d] <= reached) return true;
    reached += layout.strides[d] * (layout.sizes[d] - 1);
  }
  return false;
}

Tensor seen(const Tensor& memory, const Layout& layout, std::int64_t offset) {
  return as_strided(memory, layout.sizes, layout.strides, offset);
}

}  // namespace

std::int64_t extent(const Layout& layout) {
  if (is_empty(layout)) return 0;
  std::int64_t last = 0;
  for (std::size_t d = 0; d < layout.sizes.size(); ++d) last += (layout.sizes[d] - 1) * layout.strides[d];
  return last + 1;
}

SharedMemory shared_memory(const Layout& first, const Layout& second, Dtype dtype) {
  const std::int64_t low = std::min(first.offset, second.offset);
  const std::int64_t begin = first.offset - low;
  const std::int64_t other = second.offset - low;
  const std::int64_t places = std::max(begin + extent(first), other + extent(second));
  return {zeros({places}, dtype), begin, other};
}

void add_at(const Tensor& memory, const Layout& layout, const Tensor& added) {
  if (!std::ranges::equal(layout.sizes, added.sizes()))
    raise_saying(ErrorClass::grad_shape,
                 "got a gradient of " + printed(added.sizes()) + " for " + printed(layout.sizes));
  if (!is_floating(memory.dtype())) return;
  LoopNest<2> places(added.dim());
  for (int d = 0; d < added.dim(); ++d)
    places.add(added.size(d), {layout.strides[static_cast<std::size_t>(d)], added.stride(d)});
  Operand to = Operand::of(memory);
  to.data += layout.offset * to.item();
  primitives().add_up(places, to, Operand::of(added));
}

Tensor as_strided_gradient(const Tensor& gradient, const Layout& input, const Layout& output) {
  if (is_empty(input) || is_empty(output)) return zeros(input.sizes, gradient.dtype());
  const SharedMemory memory = shared_memory(input, output, gradient.dtype());
  if (may_overlap(output))
    add_at(memory.zeros, {output.sizes, output.strides, memory.second}, gradient);
  else
    copy_(seen(memory.zeros, output, memory.second), gradient);
  if (may_overlap(input)) {
    const Tensor count = zeros_like(memory.zeros);
    add_at(count, {input.sizes, input.strides, memory.first}, ones(input.sizes, gradient.dtype()));
    div_(memory.zeros, count);
  }
  return seen(memory.zeros, input, memory.first);
}

}  // namespace plumbline::optimized
