// A pool for the many small vectors of `plumbline validate`: each thread keeps freed blocks, by size. It replaces the
// global operators new and delete; without it the executable spends half of its time in malloc. With sanitizers every
// block goes to malloc.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <array>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

constexpr std::size_t kStep = 32, kClasses = 512, kHeader = 16;

/// The header before each block; in a free block the second word links to the next free block.
struct Block {
  std::size_t size_class;  ///< kClasses: malloc's own
  Block* next;
};
static_assert(sizeof(Block) <= kHeader);

thread_local std::array<Block*, kClasses> free_blocks{};

void* take(std::size_t bytes) noexcept {
  const std::size_t size_class = (bytes + kStep - 1) / kStep;
  if (size_class >= kClasses) {
    auto* block = static_cast<Block*>(std::malloc(bytes + kHeader));
    if (block == nullptr) return nullptr;
    block->size_class = kClasses;
    return reinterpret_cast<std::byte*>(block) + kHeader;
  }
  Block*& first = free_blocks[size_class];
  Block* block = first;
  if (block != nullptr) {
    first = block->next;
  } else {
    block = static_cast<Block*>(std::malloc(size_class * kStep + kHeader));
    if (block == nullptr) return nullptr;
    block->size_class = size_class;
  }
  return reinterpret_cast<std::byte*>(block) + kHeader;
}

void give_back(void* memory) noexcept {
  if (memory == nullptr) return;
  auto* block = reinterpret_cast<Block*>(static_cast<std::byte*>(memory) - kHeader);
  if (block->size_class == kClasses) return std::free(block);
  block->next = free_blocks[block->size_class];
  free_blocks[block->size_class] = block;
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (void* memory = take(bytes)) return memory;
  throw std::bad_alloc();
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
#endif
