// A body as it runs without functionalization: calls of ops with kernels, and facts about each tensor.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/state.h"

namespace plumbline::reference::functionalize {

/// What functionalization needs to know of a tensor, without its elements.
struct Facts {
  Sizes sizes;
  Sizes strides;
  std::int64_t offset = 0;
  Dtype dtype = Dtype::float32;
  std::int32_t storage = -1;  ///< its number; for outside tensors an index into `Body::storages`

  friend bool operator==(const Facts&, const Facts&) = default;
};

/// One call, with variables as its tensor arguments; or a tensor made from a list.
struct Step {
  Call call;
  std::optional<MakeTensor> made;  ///< instead of the call
  bool composite = false;          ///< a composite op called it
  std::vector<Facts> facts;        ///< the results' facts; for an in-place op, those of the written tensor
  int line = 0;
};

/// A body: a straight line of steps. Its variables are numbered from 0: inputs, captured tensors, then the results of
/// steps. Each is one tensor object.
struct Body {
  std::vector<Slot> inputs;    ///< tensor objects; one may occur twice
  std::vector<Slot> captured;  ///< tensors that it reads and that are not inputs
  std::vector<Facts> outside;  ///< by variable, for inputs and captured tensors
  std::vector<Slot> callers;   ///< and the caller's slots
  /// For the outside tensors' storages: how many elements they hold when the body begins, in the first tensor's dtype.
  std::vector<std::int64_t> storages;
  std::vector<Step> steps;
  std::vector<Slot> returned;
  std::vector<std::string> names;  ///< the variables' names
};

/// A body without a functional form, by a rule; `what()` says why in one sentence.
struct NotFunctional : std::runtime_error {
  NotFunctional(const Rule& by, int at, const std::string& why) : std::runtime_error(why), rule(&by), line(at) {}
  const Rule* rule;
  int line;  ///< in the program; 0: unknown
};

/// Where the body that `enter` begins ends: its LeaveFunctionalize.
std::size_t end_of_body(const Script& script, std::size_t enter);

/// The body between `enter` and its LeaveFunctionalize, by running it on a copy of `state`, in which `enter` is the
/// next statement of the script. Throws Raise if the body raises an error, NotFunctional, and ReferenceLimit for what
/// no pass supports: guards, and tensors that require grad. A nested body is included in its functionalized form, by
/// its own `remove`: its core and epilogue are steps of this body (FUN-36).
Body body_at(const Judge& judge, State state, const Script& script, std::size_t enter);

}  // namespace plumbline::reference::functionalize
