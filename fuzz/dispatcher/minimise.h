// Making dispatch scripts shorter, as long as they show what they show.
#pragma once

#include <functional>

#include "spec/vocabulary/dispatch_script.h"

namespace plumbline::fuzz {

/// The same script without statements, kernels' acts and guards that `keeps` does not need; at most `most` tries.
DispatchScript minimised(DispatchScript script, const std::function<bool(const DispatchScript&)>& keeps,
                         std::size_t most = 2000);

}  // namespace plumbline::fuzz
