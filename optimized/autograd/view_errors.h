// The errors if a view's creation metadata forbids a recorded write.
#pragma once

#include "optimized/autograd/node.h"

namespace plumbline::optimized {

/// The view of this metadata, which is not DEFAULT, is about to be written: view_… [variable.cpp,
/// handle_view_on_rebase].
[[noreturn]] void raise_written_view(const AutogradMeta& view);
/// Its base, or another view of that, was written, and its history is asked for: stale_view_…
[[noreturn]] void raise_stale_view(const AutogradMeta& view);

}  // namespace plumbline::optimized
