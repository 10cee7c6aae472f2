// Reading elements on the CPU, wherever they are.
#include "optimized/elements/read.h"

#include <array>

#include "optimized/elements/elements.h"
#include "optimized/elements/loop_nest.h"
#include "optimized/tensor/device_memory.h"

namespace plumbline::optimized {

Scalar only_element(const Tensor& tensor) {
  alignas(std::int64_t) std::array<std::byte, sizeof(std::int64_t)> bytes{};
  const std::int64_t item = item_size(tensor.dtype());
  memory_of(tensor.device())
      .copy_to_cpu(bytes.data(), tensor.storage()->data() + tensor.offset() * item, static_cast<std::size_t>(item));
  return visit_dtype(tensor.dtype(), [&]<class T>(T) -> Scalar {
    const T element = loaded<T>(bytes.data());
    if constexpr (std::same_as<T, float>) return static_cast<double>(element);
    if constexpr (!std::same_as<T, float>) return element;
  });
}

namespace {

template <class I>
std::optional<std::int64_t> first_outside(const LoopNest<1>& places, const I* indices, std::int64_t size) {
  std::optional<std::int64_t> found;
  places.for_each([&](const Steps<1>& at) {
    const std::int64_t named = indices[at[0]];
    if ((named < 0 || named >= size) && !found) [[unlikely]]
      found = named;
  });
  return found;
}

}  // namespace

std::optional<std::int64_t> first_out_of_range(const Tensor& index, std::int64_t size) {
  LoopNest<1> places(index.dim());
  for (int d = 0; d < index.dim(); ++d) places.add(index.size(d), {index.stride(d)});
  const ReadBytes bytes(*index.storage());
  const std::byte* const first = bytes.data() + index.offset() * item_size(index.dtype());
  return index.dtype() == Dtype::int64 ? first_outside(places, reinterpret_cast<const std::int64_t*>(first), size)
                                       : first_outside(places, reinterpret_cast<const std::int32_t*>(first), size);
}

}  // namespace plumbline::optimized
