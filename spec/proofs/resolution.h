// Which reachable key sets of one operator's table find no kernel: all of them, found and shown complete by Z3.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/concrete.h"
#include "spec/key_layout.h"
#include "spec/proofs/solver.h"
#include "spec/rule.h"

namespace plumbline::proofs {

/// What an entry of the operator's table does with a call that arrives there.
enum class EntryDoes : std::uint8_t {
  runs,           ///< a kernel, of the operator or of a fallback
  falls_through,  ///< it is skipped when a call's set is computed
  goes_below,     ///< the version's own Autograd fallback: goes on by the keys after Autograd
  missing,        ///< no kernel, or one that only refuses
  ambiguous       ///< AutogradOther could be two things
};

/// A kind of tensor that a call can be given.
struct TensorKind {
  std::string backend;        ///< "CPU"
  std::string functionality;  ///< "Dense"
  bool inference = false;
  bool requires_grad = false;  ///< told apart only where the keys differ (the profile `ideal`)
  std::uint64_t keys = 0;      ///< in the layout of the rules

  std::string words() const;  ///< "an inference tensor of CPU", "a normal SparseCUDA tensor"
};

/// The kinds that a layout has: for each of `backends` and each of `functionalities` (Dense, Sparse, …) a normal and an
/// inference tensor, with the keys that the rules KEY give them. A nested tensor carries AutogradNestedTensor.
std::vector<TensorKind> tensor_kinds(const Judge<Concrete>& judge, const KeyLayout& layout,
                                     const std::vector<std::string>& backends,
                                     const std::vector<std::string>& functionalities);

/// One operator, as its calls see it.
struct Resolved {
  const KeyLayout* layout = nullptr;
  std::vector<EntryDoes> table;      ///< by entry
  std::vector<TensorKind> tensors;   ///< at least one
  Profile profile = Profile::sound;  ///< whose rules compute a call's set
};

/// An entry that runs nothing, and the shortest call that arrives there.
struct Hole {
  RuntimeKey key;
  EntryDoes does = EntryDoes::missing;  ///< or ambiguous; or falls_through, where a redispatch or DSP-31 leads there
  std::vector<std::size_t> tensors;     ///< the kinds of its arguments, as few as can be
  bool inference_mode = false;          ///< only where no call outside arrives there
  std::uint64_t found_by = 0;           ///< the call's set without what falls through, in the operator's layout
};

struct Holes {
  std::vector<Hole> found;    ///< every one, those with the fewest arguments first
  bool complete = false;      ///< Z3 proved that no other entry without a kernel is reached
  std::string why;            ///< where not complete: what stopped it
  std::size_t questions = 0;  ///< to Z3
  std::uint64_t resources = 0;
  double milliseconds = 0;
};

/// Finds every entry that a reachable key set arrives at and that runs nothing.
///
/// A key set is *reachable* if it is that of a call with at least one tensor argument, each of one of the `tensors`, in
/// any number and mix, in a thread that entered safe guards alone (InferenceMode and grad mode, on and off, at any
/// depth). Such a thread has the default key sets or those of inference mode: the obligations `guard.two-states`. The
/// call arrives where the rules KEY and DSP say, without what falls through; where that is the version's own Autograd
/// fallback, where its redispatch arrives. What a registered kernel redispatches to is its own affair and not looked
/// at.
Holes find_holes(const Resolved& question, std::uint64_t resource_limit = kResourceLimit);

}  // namespace plumbline::proofs
