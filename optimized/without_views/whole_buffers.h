// A backend whose calls take whole buffers alone, as Vulkan's do: without views, or without mutation, or without both.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "optimized/removal/buffer_device.h"
#include "spec/ops/op_ids.h"

namespace plumbline::optimized {

/// Its buffers are memory of the CPU that only it knows. It refuses each call that it cannot do, by its abilities, with
/// ErrorClass::unclassified: then whatever should have been removed was not.
class WholeBuffers : public BufferDevice {
 public:
  explicit WholeBuffers(Abilities can, std::vector<OpId> lacks = {}) : can_(can), lacks_(std::move(lacks)) {}

  Abilities abilities() const override { return can_; }
  std::span<const OpId> lacks() const override { return lacks_; }
  Buffer* make(std::size_t bytes) override;
  void drop(Buffer* buffer) noexcept override;
  void run(BufferCall& call) override;
  void write(Buffer* to, const std::byte* from) override;
  void read(std::byte* to, Buffer* from, std::int64_t offset, std::size_t bytes) override;

 private:
  Abilities can_;
  std::vector<OpId> lacks_;
};

/// Gives the process the device PrivateUse1, which has these abilities, and no kernels for the ops that it lacks. Once.
void run_on_whole_buffers(const Abilities& can, std::vector<OpId> lacks = {});

}  // namespace plumbline::optimized
