// A backend whose calls take whole buffers alone: without views, or without mutation, or without both.
#include "optimized/without_views/whole_buffers.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "optimized/removal/backend.h"
#include "optimized/removal/operands.h"
#include "optimized/tensor/error.h"
#include "optimized/tensor/pool.h"

namespace plumbline::optimized {

namespace {

struct Memory : Buffer {
  explicit Memory(std::size_t size) : bytes(size), data(static_cast<std::byte*>(allocate(size))) {}
  ~Memory() { optimized::release(data, bytes); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  std::size_t bytes;
  std::byte* data;
  bool written = false;
};

Memory& memory_of(Buffer* buffer) { return static_cast<Memory&>(*buffer); }

/// Memory that nothing wrote has no zeros.
constexpr int kFresh = 0xCD;

[[noreturn]] void refuse(const std::string& what) {
  raise_saying(ErrorClass::unclassified, "internal fault: a call has " + what + ", which this backend cannot take");
}

/// Whether the operand has each element of its buffer once.
bool is_whole_buffer(const BufferCall& it, std::size_t k) {
  const Reach reach(it.call, k);
  const std::int64_t bytes = reach.elements() * it.call.operand[k].item();
  return reach.is_dense() && it.offsets[k] == 0 && static_cast<std::size_t>(bytes) == memory_of(it.buffers[k]).bytes;
}

/// Whether its elements follow each other, in an order of the loops that all operands have.
bool is_row(const BufferCall& it, std::size_t k) {
  std::int64_t step = 1;
  std::vector<int> order = order_of_loops(it.call);
  std::ranges::reverse(order);
  for (const Reach::Part& part : ordered(Reach(it.call, k), order)) {
    if (part.step != step) return false;
    step *= part.size;
  }
  return true;
}

/// A move has one operand that is whole and a row. The other one is what the backend has moves for.
void check_move(const Abilities& can, const BufferCall& it) {
  const auto fits = [&](std::size_t k) {
    return (can.views || is_whole_buffer(it, k)) && (can.strides || is_row(it, k));
  };
  if (!fits(0) && !fits(1)) refuse("a move from a part of a buffer to a part of another one");
}

void check(const Abilities& can, const BufferCall& it) {
  if (!can.mutation && memory_of(it.buffers[0]).written) refuse("a buffer that was written before");
  if (it.call.primitive == Primitive::move) return check_move(can, it);
  for (std::size_t k = 0; k < it.call.operands; ++k) {
    if (it.buffers[k] == nullptr || Reach(it.call, k).elements() == 0) continue;
    if (!can.views && !is_whole_buffer(it, k)) refuse("a view");
    if (!can.strides && !is_row(it, k)) refuse("strides");
  }
}

}  // namespace

Buffer* WholeBuffers::make(std::size_t bytes) {
  auto made = std::make_unique<Memory>(bytes);
  std::memset(made->data, kFresh, bytes);
  return made.release();
}

void WholeBuffers::drop(Buffer* buffer) noexcept { const std::unique_ptr<Memory> dropped(&memory_of(buffer)); }

void WholeBuffers::run(BufferCall& it) {
  check(can_, it);
  Memory& written = memory_of(it.buffers[0]);
  written.written = true;
  if (it.before != nullptr) std::memcpy(written.data, memory_of(it.before).data, written.bytes);
  for (std::size_t k = 0; k < it.call.operands; ++k)
    if (it.buffers[k] != nullptr) it.call.operand[k].data = memory_of(it.buffers[k]).data + it.offsets[k];
  run_on_cpu(it.call);
}

void WholeBuffers::write(Buffer* to, const std::byte* from) {
  Memory& written = memory_of(to);
  written.written = true;
  std::memcpy(written.data, from, written.bytes);
}

void WholeBuffers::read(std::byte* to, Buffer* from, std::int64_t offset, std::size_t bytes) {
  std::memcpy(to, memory_of(from).data + offset, bytes);
}

void run_on_whole_buffers(const Abilities& can, std::vector<OpId> lacks) {
  BufferBackend<Backend::PrivateUse1>::register_with(std::make_unique<WholeBuffers>(can, std::move(lacks)));
}

}  // namespace plumbline::optimized
