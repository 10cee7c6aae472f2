// The abstract machine's state, as plain values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include "reference/element.h"
#include "reference/functorch/wrappers.h"
#include "reference/transforms/levels.h"
#include "spec/rules/tls.h"
#include "spec/vocabulary/concrete.h"
#include "spec/vocabulary/dtype.h"
#include "spec/vocabulary/geometry.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::reference {

using Geometry = plumbline::Geometry<Concrete>;
using Meta = plumbline::Meta<Concrete>;
using Tls = plumbline::Tls<Concrete>;
using Judge = plumbline::Judge<Concrete>;
using Sizes = std::vector<std::int64_t>;

/// An index into `State::tensors`: a tensor object; several slots may hold one.
using TensorId = std::int32_t;
inline constexpr TensorId kNoTensor = -1;

/// An index into `State::nodes`.
using NodeId = std::int32_t;
inline constexpr NodeId kNoNode = -1;

/// Where a gradient goes: into a node, as the gradient of one of its outputs, or into the `.grad` of a leaf, or
/// nowhere.
struct Edge {
  NodeId node = kNoNode;
  std::int32_t output = 0;
  TensorId leaf = kNoTensor;

  bool goes() const { return node != kNoNode || leaf != kNoTensor; }
};

/// A tensor object.
struct Tensor {
  Meta meta;
  Geometry geometry;
  Dtype dtype = Dtype::float32;
  std::int32_t storage = -1;     ///< index into `State::storages`
  std::int32_t counter = -1;     ///< index into `State::counters`; −1: no version counter
  TensorId base = kNoTensor;     ///< for a tracked view
  std::int64_t recorded_at = 0;  ///< the version at which a tracked view's history was recorded
  bool recorded_free = false;    ///< that is an unspecified version of a counter that the view no longer has
  NodeId node = kNoNode;         ///< its grad_fn, and which of its outputs the tensor is
  std::int32_t output = 0;
  TensorId grad = kNoTensor;      ///< `.grad`
  bool on_meta = false;           ///< it has no elements, and only the program's own operators take it
  Backend device = Backend::CPU;  ///< the CPU in a program of one device
  bool computed_mapped = false;   ///< an op computed it from examples, or from such a tensor (TRF-16)
  bool free_layout = false;       ///< a gradient of TRF-28, or computed from one
  bool may_repeat = false;        ///< a gradient of TRF-28, or a view of one: two elements may be in one place
};

/// The memory that tensors share.
struct Storage {
  std::vector<Element> elements;
  Dtype dtype = Dtype::float32;  ///< the dtype of `elements`; a tensor of another dtype reads their bytes
};

/// A version counter, which a tensor shares with its views.
struct Counter {
  std::int64_t version = 0;
  const Rule* free_by = nullptr;  ///< the rule that leaves one of its versions unspecified; null: no rule does
  std::int64_t first = 0;         ///< that version, from which later ones count
  std::int32_t number = -1;       ///< the same for all counters that count from one such version; −1: the counter's own
};

/// A tensor saved for backward.
struct SavedTensor {
  TensorId tensor = kNoTensor;
  Geometry geometry;
  Dtype dtype = Dtype::float32;
  std::int32_t storage = -1;
  std::int32_t counter = -1;
  std::int64_t version = 0;
  bool had_grad_fn = false;     ///< it was not a leaf
  bool original = false;        ///< an input: the tensor itself is saved, not its values
  TensorId packed = kNoTensor;  ///< what a pack hook made of it
  std::int32_t unpack = -1;     ///< the unpack hook, an index into `State::functions`
};

/// A pair of hooks of saved tensors, indexes into `State::functions`.
struct SavedTensorsHooks {
  std::int32_t pack;
  std::int32_t unpack;
};

struct SchemaRecord;

/// A grad_fn: autograd's record of one call.
struct Node {
  enum class Kind : std::uint8_t {
    op,            ///< a call of an op: its derivative is that of its kernel
    view_of_base,  ///< a view's regenerated history: the view's elements, by their places in the base
    copy_slices,   ///< for a base whose view was written: the view's part goes through `function`
    custom,        ///< an apply of a custom function
    fallback       ///< a call of a custom operator that Autograd's fallback recorded
  };
  struct Input {
    Edge edge;
    Geometry geometry;
    Dtype dtype = Dtype::float32;
    std::vector<Element> elements = {};  ///< the values when the call was recorded
    std::optional<SavedTensor> saved = std::nullopt;
    SavedTensor before = {};  ///< how it would be saved, as it was before the call
    bool conjugate = false;   ///< it had the key Conjugate
    Backend device = Backend::CPU;
    bool ends = false;  ///< it required grad, and no gradient reaches it: a view made without grad mode of a leaf
  };
  struct Output {
    Sizes sizes;
    Dtype dtype = Dtype::float32;
    bool differentiable = true;
    std::optional<SavedTensor> saved = std::nullopt;
    TensorId retained = kNoTensor;                   ///< the tensor whose `.grad` takes this gradient: retain_grad()
    std::vector<std::int32_t> before_retained = {};  ///< the hooks that were registered before retain_grad()
    bool retained_by_view = false;                   ///< retain_grad() followed the tensor through an in-place view op
    Backend device = Backend::CPU;
  };

  Kind kind = Kind::op;
  OpId op{};
  std::vector<Value> values;  ///< the arguments; a tensor is the slot numbered by its place in `inputs`
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  bool freed = false;              ///< a backward has used and freed what it saved
  bool saves_unversioned = false;  ///< it saved a Python number given as a tensor, or a copy
  Geometry base;                   ///< for view_of_base and copy_slices: both geometries refer to the base's storage
  Geometry view;
  NodeId function = kNoNode;  ///< for copy_slices
  std::shared_ptr<const CustomBackward> custom;
  std::vector<SavedTensor> saved;  ///< for custom: the tensors of save_for_backward
  struct Hooks {
    std::int32_t output;
    std::int32_t list;  ///< index into `State::hooks`
  };
  std::vector<Hooks> hooks = {};                            ///< of its outputs, in the order of registration
  std::shared_ptr<const SchemaRecord> by_schema = nullptr;  ///< for an op by schema
  std::optional<transforms::Mapping> mapping = {};          ///< for a mapped op: the dimensions of `values`'s slots

  /// Whether it has a saved tensor that backward frees.
  bool saves() const {
    const auto has = [](const auto& part) { return part.saved.has_value(); };
    return saves_unversioned || !saved.empty() || std::ranges::any_of(inputs, has) || std::ranges::any_of(outputs, has);
  }
};

/// The running forward of a custom function.
struct Forward {
  std::int32_t function = 0;  ///< index into `State::functions`
  std::vector<TensorId> inputs;
  std::vector<Edge> edges;
  bool recorded = false;
  std::vector<TensorId> saved;
  std::vector<TensorId> dirty;
  std::vector<TensorId> not_differentiable;
};

/// The hooks that were registered on a tensor since it has its present grad_fn.
struct TensorHooks {
  std::int32_t list = -1;  ///< index into `State::hooks`; a leaf calls these
  bool open = false;       ///< the next hook joins them
};

class Registry;
struct State;

/// An open guard, pair of hooks of saved tensors, thread, wait of a thread, forward of a custom function, or
/// functionalized body, and the thread state that it found.
struct Frame {
  Tls found;
  std::optional<Forward> forward = std::nullopt;
  bool whole = false;                             ///< the guard restores whole key sets
  std::shared_ptr<const State> before = nullptr;  ///< for a functionalized body: the state before it
  std::vector<std::int32_t> given = {};           ///< the storages of its inputs
  std::vector<Statement> body = {};               ///< its statements so far, from EnterFunctionalize on
  bool thread = false;
  std::optional<std::vector<TensorId>> variables = {};             ///< for the body of a transform: those that it found
  std::optional<Transform> transform = {};                         ///< and the transform
  std::optional<std::vector<SavedTensorsHooks>> saved_hooks = {};  ///< those that it found, if it changes them
};

/// A call that reached kernels: its arguments, in which a tensor is the slot of its own number, and its results.
struct Dispatched {
  OpId op;
  std::vector<Value> arguments;
  std::vector<TensorId> results;
  std::vector<Tensor> given;  ///< the results right after the call; a later call may change their sizes
};

/// Everything that a program can change.
/// An argument of a program's own operator.
using Given = std::variant<None, TensorId, std::vector<TensorId>, bool, std::int64_t, double>;

/// A kernel of a program's own operators, while it runs.
struct RunningKernel {
  std::optional<std::uint64_t> keys;  ///< its key set, if it is `with_keyset`
  std::int32_t op;                    ///< the operator that was called, an index into `State::operators`
  std::vector<Slot> parameters;
  std::vector<Given> arguments;  ///< what it was given
  std::vector<TensorId> passed;  ///< what its last call with these arguments returned
};

struct State {
  Tls tls;
  std::vector<Tensor> tensors;
  std::vector<Storage> storages;
  std::vector<Counter> counters;
  std::vector<TensorId> slots;                   ///< the tensor of each local variable; kNoTensor: it holds nothing
  std::vector<Frame> frames;                     ///< the open frames, outermost first
  std::vector<Node> nodes;                       ///< the recorded nodes, in order
  std::vector<CustomBackward> functions;         ///< the script's custom functions and hooks
  std::vector<std::vector<std::int32_t>> hooks;  ///< lists of hooks, each an index into `functions`
  std::map<TensorId, TensorHooks> hooked;        ///< the tensors that have hooks
  std::map<TensorId, std::vector<std::int32_t>> hooked_after;  ///< hooks after accumulation, indexes into `functions`
  std::vector<SavedTensorsHooks> saved_hooks;  ///< of saved tensors, in effect in this thread, the innermost last
  bool hook_wrote = false;                     ///< a hook of the last backward or apply wrote a tensor or saw a `.grad`
  std::shared_ptr<const std::vector<CustomOperator>> operators;  ///< the script's own; null: it has none
  std::shared_ptr<const std::vector<CustomKernel>> kernels;      ///< the script's own; null: it has none
  std::shared_ptr<const Registry> registry;                      ///< what is registered; null: nothing was
  int kernels_deep = 0;                                          ///< how many of their kernels are running
  std::optional<RunningKernel> kernel;                           ///< the innermost one
  std::vector<std::string> log;                                  ///< the script's list of texts
  NodeId backward_of = kNoNode;                                  ///< the custom function whose backward is running
  std::optional<std::mt19937> generator;                         ///< the random number generator, after it was seeded
  bool two_devices = false;                                      ///< the program names the CPU beside its device
  Backend makes_on = Backend::CPU;                               ///< where new tensors are made
  std::vector<functorch::Wrappers> layers;                       ///< for bodies that run as PyTorch functionalizes them
  std::vector<transforms::Level> levels;                         ///< the running mapped bodies, the outermost first
  std::vector<transforms::Differentiated> differentiated;        ///< those of torch.func.grad
  bool bodies_as_specified = false;  ///< a functionalized body has another transform's in it: none runs in layers
  std::size_t layers_on = 0;  ///< how many layers see a call; inside a layer's kernel it and the layers above do not
  /// The list of calls, or null. Composite ops are listed as the ops that they call, and calls made by kernels are not
  /// listed.
  std::vector<Dispatched>* dispatched = nullptr;
};

/// Puts back what was there before an error. What the program logged stays: the list is not PyTorch's.
inline void undo(State& state, State before) {
  before.log = std::move(state.log);
  state = std::move(before);
}

/// Whether a body of torch.vmap or torch.func.grad runs.
inline bool in_transform(const State& state) { return !state.levels.empty() || !state.differentiated.empty(); }

/// A tensor object of the state.
inline Tensor& at(State& state, TensorId id) { return state.tensors[static_cast<std::size_t>(id)]; }

/// Restores a part of the state when it is destroyed, also after an exception.
template <class Part>
class Restored {
 public:
  explicit Restored(Part& part) : part_(part), found_(part) {}
  ~Restored() { part_ = std::move(found_); }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;

 private:
  Part& part_;
  Part found_;
};

/// The variables, guards and thread state of a custom backward (`of`: its node) or of a hook: they end with it.
class BodyScope {
 public:
  BodyScope(State& state, NodeId of)
      : backward_of_(state.backward_of), frames_(state.frames), slots_(state.slots), tls_(state.tls) {
    state.backward_of = of;
    state.frames.clear();
  }

 private:
  Restored<NodeId> backward_of_;
  Restored<std::vector<Frame>> frames_;
  Restored<std::vector<TensorId>> slots_;
  Restored<Tls> tls_;
};

}  // namespace plumbline::reference
