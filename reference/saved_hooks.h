// The hooks of saved tensors: packing what is saved, and unpacking it in backward.
#pragma once

#include "reference/state.h"

namespace plumbline::reference {

/// Gives a tensor that is saved to the pack hook in effect, if there is one. Raises what its body raises, and
/// pack_writes. `tensor`: the one that is saved, as it is now.
void pack(const Judge& judge, State& state, SavedTensor& saved, TensorId tensor);

/// The tensor that the unpack hook makes of what was packed. Raises what its body raises. Throws ReferenceLimit if it
/// has other sizes or another dtype than the tensor that was saved.
TensorId unpacked(const Judge& judge, State& state, const SavedTensor& saved);

/// The frame of a thread or of a pair of hooks ends: the hooks that it found are in effect again.
void leave_saved_hooks(State& state, const Frame& frame);

}  // namespace plumbline::reference
