// What stands between the kernels of ops and a backend of buffers: it removes what the backend cannot do.
#include "optimized/removal/removing.h"

#include <algorithm>
#include <utility>

#include "optimized/removal/operands.h"

namespace plumbline::optimized {

namespace {

/// So many parts of a block are kept as copies, after a call that needed them.
constexpr std::size_t kMostCopies = 4;

/// A row of so many bytes.
std::vector<Reach::Part> row_of_bytes(std::size_t bytes) {
  return bytes == 1 ? std::vector<Reach::Part>() : std::vector{Reach::Part{static_cast<std::int64_t>(bytes), 1, 0}};
}

std::size_t bytes_of(std::span<const Reach::Part> parts, Dtype dtype) {
  std::int64_t elements = 1;
  for (const Reach::Part& part : parts) elements *= part.size;
  return static_cast<std::size_t>(elements * item_size(dtype));
}

/// Parts as they are whatever loop reaches them.
std::vector<Reach::Part> without_loops(std::vector<Reach::Part> parts) {
  for (Reach::Part& part : parts) part.loop = 0;
  return parts;
}

/// Whether operand k of a call that writes something has no elements: all that is read has those of the inner loops,
/// but for what a product adds.
bool has_no_elements(const PrimitiveCall& call, std::size_t k) {
  return k != 0 && call.inner.empty() && !(call.primitive == Primitive::multiply && k == 3);
}

}  // namespace

class Removing::Temporary : public Block {
 public:
  Temporary(Removing& removing, std::size_t size) : removing_(removing) { bytes = size; }
  ~Temporary() { removing_.hold(*this, nullptr); }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  /// A call that moves elements between this block, where they are in a row, and their places in another one.
  PlacedCall moved_from(Block& other, std::int64_t offset, std::span<const Reach::Part> parts, Dtype dtype) {
    const std::vector<Reach::Part> row = in_a_row({parts.begin(), parts.end()});
    return {move_call(dtype, nullptr, row, nullptr, parts), {this, &other}, {0, offset}};
  }
  PlacedCall moved_to(Block& other, std::int64_t offset, std::span<const Reach::Part> parts, Dtype dtype) {
    const std::vector<Reach::Part> row = in_a_row({parts.begin(), parts.end()});
    return {move_call(dtype, nullptr, parts, nullptr, row), {&other, this}, {offset, 0}};
  }

 private:
  Removing& removing_;
};

Removing::Removing(Backend device, std::unique_ptr<BufferDevice> backend)
    : backend_(std::move(backend)),
      can_(backend_->abilities()),
      removals_(inserted_for(can_).removals()),
      blocks_(device) {}

std::byte* Removing::allocate(std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  return blocks_.add(bytes);
}

void Removing::release(const std::byte* block) noexcept {
  const std::scoped_lock lock(mutex_);
  Block removed = blocks_.remove(block);
  forget_copies(removed, 0);
  hold(removed, nullptr);
}

std::int64_t Removing::in_use() {
  const std::scoped_lock lock(mutex_);
  return blocks_.bytes();
}

void Removing::copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  const std::vector<Reach::Part> row = row_of_bytes(bytes);
  auto* const read = const_cast<std::byte*>(from);  // NOLINT(*-const-cast): a call writes operand 0 alone
  PrimitiveCall call = move_call(Dtype::boolean, to, row, read, row);
  handle(call);
}

void Removing::copy_to_cpu(std::byte* to, const std::byte* from, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  const auto [block, offset] = blocks_.find(from);
  backend_->read(to, held_by(*block), offset, bytes);
}

void Removing::copy_from_cpu(std::byte* to, const std::byte* from, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  const auto [block, offset] = blocks_.find(to);
  Temporary row(*this, bytes);
  backend_->write(held_by(row), from);
  if (offset == 0 && bytes == block->bytes) {
    forget_copies(*block, 0);
    return hold(*block, std::exchange(row.held, nullptr));
  }
  PlacedCall into = row.moved_to(*block, offset, row_of_bytes(bytes), Dtype::boolean);
  go_on(into, 0);
}

void Removing::handle(PrimitiveCall& call) {
  if (call.is_empty()) return;
  const std::scoped_lock lock(mutex_);
  PlacedCall it = placed(call);
  go_on(it, 0);
}

Removing::PlacedCall Removing::placed(PrimitiveCall& call) {
  PlacedCall it{std::move(call), {}, {}};
  for (std::size_t k = 0; k < it.call.operands; ++k) {
    if (it.call.operand[k].is_number) continue;
    if (has_no_elements(it.call, k)) {
      it.blocks[k] = &nothing_;  // its address may be beyond its block
    } else {
      const auto [block, offset] = blocks_.find(it.call.operand[k].data);
      it.blocks[k] = block;
      it.offsets[k] = offset;
    }
    it.call.operand[k].data = nullptr;
  }
  return it;
}

void Removing::go_on(PlacedCall& it, std::size_t removal) {
  if (removal == removals_.size()) return run(it, held_by(*it.blocks[0]), nullptr);
  if (removals_[removal] == Removal::mutation) return remove_mutation(it);
  remove_aliases(it, removal + 1);
}

void Removing::remove_aliases(PlacedCall& it, std::size_t next) {
  const std::vector<int> order = order_of_loops(it.call);
  std::array<bool, PrimitiveCall::kMost> takes{};
  for (std::size_t k = 0; k < it.call.operands; ++k)
    takes[k] = it.blocks[k] == nullptr ||
               can_take(can_, Reach(it.call, k), it.call.operand[k].item(), it.offsets[k], it.blocks[k]->bytes, order);
  if (!takes[0] && it.call.reads_what_it_writes() && !Reach(it.call, 0).is_distinct()) return split(it, next - 1);
  const bool moves = it.call.primitive == Primitive::move;
  const auto blocks = it.blocks;
  for (std::size_t k = 1; k < it.call.operands; ++k)
    if (!takes[k] && !(moves && takes[0])) read_copy(it, k, order, next);
  takes[0] || moves ? go_on(it, next) : write_copy(it, order, next);
  forget_copies(*blocks[0], 0);
  for (std::size_t k = 1; k < it.call.operands; ++k)
    if (blocks[k] != nullptr) forget_copies(*blocks[k], kMostCopies);
}

void Removing::split(const PlacedCall& it, std::size_t removal) {
  const CallAxis first = it.call.outer.levels().front();
  PlacedCall part = it;
  part.call.outer = CallLoops(static_cast<int>(it.call.outer.levels().size()));
  for (const CallAxis& level : it.call.outer.levels().subspan(1)) part.call.outer.add(level.size, level.steps);
  for (std::int64_t i = 0; i < first.size; ++i) {
    PlacedCall one = part;
    for (std::size_t k = 0; k < it.call.operands; ++k) one.offsets[k] += i * first.steps[k] * it.call.operand[k].item();
    go_on(one, removal);
  }
}

void Removing::read_copy(PlacedCall& it, std::size_t k, std::span<const int> order, std::size_t next) {
  const Dtype dtype = it.call.operand[k].dtype;
  const std::vector<Reach::Part> parts = ordered(Reach(it.call, k), order);
  const std::vector<Reach::Part> places = without_loops(parts);
  Block& block = *it.blocks[k];
  const auto found = std::ranges::find_if(block.copies, [&](const auto& one) {
    return one->offset == it.offsets[k] && one->item == item_size(dtype) && one->places == places;
  });
  Block* row = found == block.copies.end() ? nullptr : &(*found)->row;
  if (row == nullptr) {
    Temporary fresh(*this, bytes_of(parts, dtype));
    PlacedCall moved = fresh.moved_from(block, it.offsets[k], parts, dtype);
    go_on(moved, next);
    ++copies_made_;
    block.copies.push_back(
        std::make_unique<Block::Copy>(item_size(dtype), it.offsets[k], places, Block{fresh.bytes, nullptr, {}}));
    row = &block.copies.back()->row;
    std::swap(row->held, fresh.held);
  }
  it.blocks[k] = row;
  it.offsets[k] = 0;
  move_operand(it.call, k, nullptr, in_a_row(parts));
}

void Removing::write_copy(PlacedCall& it, std::span<const int> order, std::size_t next) {
  const Dtype dtype = it.call.operand[0].dtype;
  const std::vector<Reach::Part> parts = ordered(Reach(it.call, 0), order);
  Block& block = *it.blocks[0];
  const std::int64_t offset = std::exchange(it.offsets[0], 0);
  Temporary row(*this, bytes_of(parts, dtype));
  if (it.call.reads_what_it_writes()) {
    PlacedCall before = row.moved_from(block, offset, parts, dtype);
    go_on(before, next);
  }
  it.blocks[0] = &row;
  move_operand(it.call, 0, nullptr, in_a_row(parts));
  go_on(it, next);
  PlacedCall back = row.moved_to(block, offset, parts, dtype);
  go_on(back, next);
}

void Removing::remove_mutation(PlacedCall& it) {
  Block& block = *it.blocks[0];
  const bool counts = it.call.reads_what_it_writes() ||
                      !is_whole(Reach(it.call, 0), it.call.operand[0].item(), it.offsets[0], block.bytes);
  Buffer* const fresh = backend_->make(block.bytes);
  try {
    run(it, fresh, counts ? block.held : nullptr);
  } catch (...) {
    backend_->drop(fresh);
    throw;
  }
  hold(block, fresh);
}

void Removing::run(PlacedCall& it, Buffer* written, Buffer* before) {
  BufferCall call{std::move(it.call), {}, it.offsets, before};
  call.buffers[0] = written;
  for (std::size_t k = 1; k < PrimitiveCall::kMost; ++k)
    if (it.blocks[k] != nullptr) call.buffers[k] = held_by(*it.blocks[k]);
  backend_->run(call);
}

Buffer* Removing::held_by(Block& block) {
  if (block.held == nullptr) block.held = backend_->make(block.bytes);
  return block.held;
}

void Removing::hold(Block& block, Buffer* buffer) noexcept {
  if (block.held != nullptr) backend_->drop(block.held);
  block.held = buffer;
}

void Removing::forget_copies(Block& block, std::size_t left) noexcept {
  while (block.copies.size() > left) {
    hold(block.copies.front()->row, nullptr);
    block.copies.erase(block.copies.begin());
  }
}

void Removing::with_held(const std::function<void(std::span<Buffer* const>)>& visit) {
  const std::scoped_lock lock(mutex_);
  std::vector<Buffer*> all;
  blocks_.for_each([&](const Block& block) {
    if (block.held != nullptr) all.push_back(block.held);
  });
  visit(all);
}

Buffer* Removing::held_at(const std::byte* address) {
  const std::scoped_lock lock(mutex_);
  return held_by(*blocks_.find(address).block);
}

}  // namespace plumbline::optimized
