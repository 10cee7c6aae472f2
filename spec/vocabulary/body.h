// Bodies that a transform of torch.func is given: where each begins and ends among the statements.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "spec/vocabulary/slot.h"

namespace plumbline {

/// What `torch.func.functionalize(body, remove=…)` removes from its body: writes, and with `mutations_and_views` views.
enum class Remove : std::uint8_t { mutations, mutations_and_views };
inline constexpr std::array<std::string_view, 2> kRemoveNames{"mutations", "mutations_and_views"};

/// `y, … = torch.func.functionalize(body, remove=…)(x, …)`: the statements up to the matching LeaveFunctionalize are
/// the body, and nothing is observed in it. Each of `parameters` stands for one of `inputs` in it.
struct EnterFunctionalize {
  Remove remove = Remove::mutations;
  std::vector<Slot> inputs;
  std::vector<Slot> parameters;
};
/// The body returns `returned`; the caller has each of them in the matching slot of `results`.
struct LeaveFunctionalize {
  std::vector<Slot> returned;
  std::vector<Slot> results;
};

/// What random ops give the examples of a mapped body: `randomness=` of torch.vmap.
enum class Randomness : std::uint8_t {
  error,      ///< they raise an error
  different,  ///< each example gets numbers of its own
  same        ///< all examples get the same numbers
};
inline constexpr std::array<std::string_view, 3> kRandomnessNames{"error", "different", "same"};

/// A dimension of torch.vmap; nothing: None.
using MappedDim = std::optional<std::int64_t>;

/// `torch.vmap(body, in_dims=…, randomness=…)`: the body sees one example, and each op in it is mapped over all.
struct Vmap {
  std::vector<MappedDim> in_dims;  ///< for each input, the dimension of the examples; None: the input has none
  Randomness randomness = Randomness::error;
  friend bool operator==(const Vmap&, const Vmap&) = default;
};

/// `torch.func.grad(body, argnums=…)`: the gradients of the number that the body returns, by some of its inputs.
struct Grad {
  std::vector<std::int64_t> argnums;  ///< the inputs, from 0 or, if negative, from the end; an int, if it is one
  bool value = false;                 ///< grad_and_value, with one argnum: the caller also gets what the body returned
  friend bool operator==(const Grad&, const Grad&) = default;
};

/// The transforms of torch.func that run their body once, at a level of its own.
using Transform = std::variant<Vmap, Grad>;

/// `y, … = torch.vmap(body, …)(x, …)`, or torch.func.grad: the statements up to the matching LeaveTransform are the
/// body, and nothing is observed in it. Each of `parameters` stands for one of `inputs` in it.
struct EnterTransform {
  Transform transform;
  std::vector<Slot> inputs;
  std::vector<Slot> parameters;
};
/// The body returns `returned`. Of vmap, the caller has each of them in the matching slot of `results`; of grad, that
/// is one tensor, and `results` has a gradient for each argnum, and the value, if it is asked for.
struct LeaveTransform {
  std::vector<MappedDim> out_dims;  ///< of vmap: where the examples are in each result; None: it has none
  std::vector<Slot> returned;
  std::vector<Slot> results;
  bool differentiates = false;  ///< it ends the body of grad
};

}  // namespace plumbline
