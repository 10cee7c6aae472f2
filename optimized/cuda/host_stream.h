// The streams of CUDA on the host: work that is done later, in each stream in the order in which it was started.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "optimized/cuda/mark.h"

namespace plumbline::optimized::cuda {

/// Starts work in the thread's stream, and returns at once. It is done when something waits for it, or when much work
/// of the stream waits. So what it uses must be its own, or device memory. It must not throw, and may use device
/// memory.
void start(std::function<void()> work);
/// The same in this stream.
void start_in(std::uint32_t stream, std::function<void()> work);

/// Returns when all work that was started in a stream, on any thread, is done. Of the other streams, only that work is
/// done for which the stream waits: so work that should wait for theirs, and does not, runs before it.
void synchronize_on_host(std::uint32_t stream) noexcept;

/// The same of all streams. They run one after the other, as far as events permit: the one in which work was started
/// last runs first, the next time it runs last, and then the one in the middle runs first.
void synchronize() noexcept;

/// Begins these orders again.
void begin_orders_again();

/// Marks the end of what has been started in a stream.
std::shared_ptr<const Mark> mark_on_host(std::uint32_t stream);

}  // namespace plumbline::optimized::cuda
