// What an operator of a script is given, and what its kernels get.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace plumbline::walk {

/// An argument's value: std::monostate is None.
template <class Tensor>
using Given = std::variant<std::monostate, Tensor, std::vector<Tensor>, bool, std::int64_t, double>;

}  // namespace plumbline::walk
