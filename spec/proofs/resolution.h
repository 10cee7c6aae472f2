// Finds all reachable key sets of one operator that find no kernel. Z3 finds them and proves that the list is complete.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/proofs/solver.h"
#include "spec/rules/rule.h"
#include "spec/vocabulary/concrete.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline::proofs {

/// What an entry of the operator's table does with a call that arrives there.
enum class EntryDoes : std::uint8_t {
  runs,           ///< a kernel, of the operator or of a fallback
  falls_through,  ///< it is skipped when a call's set is computed
  goes_below,     ///< the version's own Autograd fallback: redispatches with the keys after Autograd
  missing,        ///< no kernel, or one that only raises an error
  ambiguous       ///< AutogradOther has two possible kernels
};

/// A kind of tensor argument.
struct TensorKind {
  std::string backend;        ///< "CPU"
  std::string functionality;  ///< "Dense"
  bool inference = false;
  bool requires_grad = false;  ///< distinguished only if the keys differ (in the profile `ideal`)
  std::uint64_t keys = 0;      ///< in the layout of the rules

  std::string words() const;  ///< "an inference tensor of CPU", "a normal SparseCUDA tensor"
};

/// The kinds of a layout: for each of `backends` and each of `functionalities` (Dense, Sparse, …) a normal and an
/// inference tensor, with their keys by the rules KEY. A nested tensor carries AutogradNestedTensor.
std::vector<TensorKind> tensor_kinds(const Judge<Concrete>& judge, const KeyLayout& layout,
                                     const std::vector<std::string>& backends,
                                     const std::vector<std::string>& functionalities);

/// One operator for its calls.
struct Resolved {
  const KeyLayout* layout = nullptr;
  std::vector<EntryDoes> table;      ///< by entry
  std::vector<TensorKind> tensors;   ///< at least one
  Profile profile = Profile::sound;  ///< the profile whose rules compute a call's set
};

/// An entry that runs no kernel, and the shortest call that arrives there.
struct Hole {
  RuntimeKey key;
  EntryDoes does = EntryDoes::missing;  ///< or ambiguous; or falls_through, where a redispatch or DSP-31 leads there
  std::vector<std::size_t> tensors;     ///< the kinds of its arguments, as few as possible
  bool inference_mode = false;          ///< true only if no call outside inference mode arrives there
  std::uint64_t found_by = 0;           ///< the call's set without the keys that fall through, in the operator's layout
};

struct Holes {
  std::vector<Hole> found;    ///< all of them, those with the fewest arguments first
  bool complete = false;      ///< Z3 proved that no other entry without a kernel is reached
  std::string why;            ///< if not complete: the reason
  std::size_t questions = 0;  ///< how many questions Z3 was asked
  std::uint64_t resources = 0;
  double milliseconds = 0;
};

/// Finds every entry that runs no kernel and at which a reachable key set arrives.
///
/// A key set is *reachable* if a call has it, with at least one tensor argument, each of one of the kinds `tensors`, in
/// any number and mix, in a thread that entered only safe guards (InferenceMode and grad mode, on and off, at any
/// depth). Such a thread has the default key sets or those of inference mode: the obligations `guard.two-states`. The
/// call arrives where the rules KEY and DSP say, after keys that fall through are dropped. If that is the version's own
/// Autograd fallback, the call arrives where its redispatch does. Redispatches of registered kernels are not followed.
Holes find_holes(const Resolved& question, std::uint64_t resource_limit = kResourceLimit);

}  // namespace plumbline::proofs
