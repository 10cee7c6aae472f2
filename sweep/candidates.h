// Arguments for an operator, chosen at random by what its schema says, until it takes some.
#pragma once

#include <cstdint>

#include "sweep/experiment.h"

namespace plumbline::sweep {

/// The candidate number `number` for the operator: always the same for the same seed.
Experiment candidate(const Operator& op, std::uint64_t seed, std::uint64_t number);

/// Why no call can be made up; empty: candidates can.
std::string why_uncallable(const Operator& op);

/// The same tensors elsewhere in memory: columns first, every second element, after an offset. Empty if no tensor has
/// two elements.
std::vector<Ingredient> strided(const std::vector<Ingredient>& tensors);

/// The same tensors, but those that are written share one element along their first dimension of more than one. Empty
/// if none has such a dimension.
std::vector<Ingredient> overlapping(const Operator& op, const Experiment& experiment);

/// The same call of the functional operator: without what is given to `out=`.
Experiment call_of_twin(const Operator& op, const Operator& twin, const Experiment& experiment);

/// The made tensors that some argument annotates as written, and those that no argument does.
std::vector<bool> written_tensors(const Operator& op, const Experiment& experiment);
/// The made tensors of argument `i`.
std::vector<std::size_t> tensors_of(const nlohmann::json& argument);

}  // namespace plumbline::sweep
