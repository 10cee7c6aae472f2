// Programs about the dispatcher, made from genes: libraries, kernels that redispatch, guards, calls, readings.
#pragma once

#include "fuzz/gene.h"
#include "reference/dispatcher/machine.h"

namespace plumbline::fuzz {

/// The script that `genes` stand for, under `judge`: what the reference cannot execute is left out. It is well-formed:
/// a library's name is given once and not used after its end, guards nest, a call's tensors fit the schema that its
/// operator has, and keys are those that Python names and that the layouts of all these profiles have.
DispatchScript build_dispatch(const Genes& genes, const reference::Judge& judge, std::span<const Profile> profiles);

}  // namespace plumbline::fuzz
