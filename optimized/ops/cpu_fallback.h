// Ops that a backend has no kernel for: they run on the CPU.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "optimized/dispatcher/kernel.h"
#include "spec/ops/ops.h"

namespace plumbline::optimized {

/// The fallback of a backend, boxed, for operators that have no kernel at its key. It copies the storages of the
/// arguments to the CPU, which has the backend compute what waits; runs the CPU's kernel on tensors of the same layout;
/// and copies what that wrote, and new results, back. Whole storages, so that overlaps, layouts, views and errors are
/// those of a kernel of the backend. If the kernel raises, nothing is written. It warns once for each operator
/// [aten/src/ATen/native/CPUFallback.cpp, cpu_fallback, copies tensors without their storages, so it has no views;
/// aten/src/ATen/mps/MPSFallback.mm, mps_fallback: the text of the warning].
Kernel cpu_fallback_kernel();

/// Whether a backend may lack a kernel for this op: not for composite ops, which are kernels of no backend, nor for
/// those that move tensors from and to it, whose kernels record the copy that they make inside (AUT-16).
bool may_fall_back(OpId op);
/// The ops for which that is true.
std::span<const OpId> all_that_may_fall_back();

/// How often each operator ("aten::mm") fell back, since the process began or `forget_fallbacks`, which lets each of
/// them warn again.
std::map<std::string, std::uint64_t> fallbacks_done();
void forget_fallbacks();

}  // namespace plumbline::optimized
