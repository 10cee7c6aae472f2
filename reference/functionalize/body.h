// A body that is functionalized, as it runs without: calls of ops that have kernels, and what each tensor then is.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/state.h"

namespace plumbline::reference::functionalize {

/// What functionalization has to know of a tensor: never its elements.
struct Facts {
  Sizes sizes;
  Sizes strides;
  std::int64_t offset = 0;
  Dtype dtype = Dtype::float32;
  std::int32_t storage = -1;  ///< a number: of outside tensors an index into `Body::storages`

  friend bool operator==(const Facts&, const Facts&) = default;
};

/// One call, with the variables in its tensor arguments' places; or a tensor that is made from a list.
struct Step {
  Call call;
  std::optional<MakeTensor> made;  ///< in place of the call
  bool composite = false;          ///< a composite op called it
  std::vector<Facts> facts;        ///< of the results; those of an in-place op are what it wrote
  int line = 0;
};

/// A body: a straight line of steps. Its variables are numbered from 0: inputs, captured tensors, then what steps make;
/// each is one tensor object.
struct Body {
  std::vector<Slot> inputs;    ///< tensor objects; one may stand twice
  std::vector<Slot> captured;  ///< what it reads and is not given
  std::vector<Facts> outside;  ///< by variable, of inputs and captured tensors
  std::vector<Slot> callers;   ///< and the caller's slots
  /// Of the outside tensors' storages, how many elements they hold when the body begins, of the first tensor's dtype.
  std::vector<std::int64_t> storages;
  std::vector<Step> steps;
  std::vector<Slot> returned;
  std::vector<std::string> names;  ///< of the variables
};

/// A body that has no functional form, by a rule; `what()` says why in one sentence.
struct NotFunctional : std::runtime_error {
  NotFunctional(const Rule& by, int at, const std::string& why) : std::runtime_error(why), rule(&by), line(at) {}
  const Rule* rule;
  int line;  ///< of the program; 0: none
};

/// Where the body that `enter` begins ends: its LeaveFunctionalize.
std::size_t end_of_body(const Script& script, std::size_t enter);

/// The body between `enter` and its LeaveFunctionalize, by running it on a copy of `state`, in which `enter` is the
/// next statement of the script. Throws Raise where the body raises, NotFunctional, and ReferenceLimit for what no pass
/// takes: guards, and tensors that require grad. A body within it is there in its functionalized form, by its own
/// `remove`: that one's core and epilogue are steps of this one (FUN-36).
Body body_at(const Judge& judge, State state, const Script& script, std::size_t enter);

}  // namespace plumbline::reference::functionalize
