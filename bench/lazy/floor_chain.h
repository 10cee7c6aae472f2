// The loop of the floor of a chain.
#pragma once

#include <cstdint>

namespace plumbline::bench {

/// `ops` times in turn: times a, plus b, at least 0; element by element from x, with the widest vectors of the machine.
void floor_chain(float* to, const float* x, const float* a, const float* b, std::int64_t count, std::int64_t ops);

}  // namespace plumbline::bench
