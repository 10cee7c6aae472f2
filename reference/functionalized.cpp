// Enters and leaves a functionalized body.
#include "reference/functionalized.h"

#include <algorithm>
#include <stdexcept>

#include "reference/call.h"
#include "reference/functionalize/functionalize.h"
#include "reference/functorch/functorch.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "reference/transforms/batched.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/fun_body.h"
#include "spec/rules/tls.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference {

namespace {

/// Whether the frame is a body's, and the storage is neither an input's nor made in the body.
bool is_captured(const Frame& frame, std::int32_t storage) {
  return frame.before != nullptr && storage < static_cast<std::int32_t>(frame.before->storages.size()) &&
         std::ranges::find(frame.given, storage) == frame.given.end();
}

/// Whether a body that begins or ends now runs in PyTorch's layer, which is not described inside other transforms.
bool runs_as_shipped(const Judge& judge, const State& state) {
  return functorch::ships(judge) && !in_transform(state) && !state.bodies_as_specified;
}

/// From now on the counter's version is unspecified, and later versions count from it.
void free_version(State& state, std::int32_t counter) {
  state.counters.emplace_back();  // a number that no other counter has
  Counter& freed = state.counters[static_cast<std::size_t>(counter)];
  freed.free_by = &FUN_34;
  freed.first = freed.version;
  freed.number = static_cast<std::int32_t>(state.counters.size()) - 1;
}

bool is(const Judge& judge, const Rule& nobody_s) {
  return judge.flipped != nullptr && judge.flipped->index() == nobody_s.index();
}

/// Whether the body runs in its functionalized form: if a rule of the passes is misread.
bool is_transformed(const Judge& judge) {
  if (is(judge, kNoFault) || is(judge, kWithoutViews)) return true;
  return judge.flipped != nullptr && std::ranges::any_of(kFunctionalizeRules, [&](const Rule* rule) {
           return judge.flipped->index() == rule->index();
         });
}

/// Leaves unspecified the versions of tensors that the body wrote, and of its new results.
void free_versions(const Judge& judge, State& state, const Frame& frame, const std::vector<TensorId>& results) {
  const State& before = *frame.before;
  if (!version_is_free<Concrete>(judge, true).v) return;
  std::vector<std::int32_t> touched;
  for (std::size_t i = 0; i < before.counters.size(); ++i)
    if (state.counters[i].version != before.counters[i].version) touched.push_back(static_cast<std::int32_t>(i));
  if (!runs_as_shipped(judge, state) &&
      !input_gets_layout<Concrete>(judge, true).v)  // then an input that only changed its layout is written too
    for (const Slot input : std::get<EnterFunctionalize>(frame.body[0].kind).inputs)
      touched.push_back(at(state, held(before, input)).counter);
  for (std::size_t i = 0; i < touched.size(); ++i)
    if (touched[i] >= 0 && std::find(touched.begin(), touched.begin() + static_cast<std::ptrdiff_t>(i), touched[i]) ==
                               touched.begin() + static_cast<std::ptrdiff_t>(i))
      free_version(state, touched[i]);
  std::vector<std::int32_t> made;
  for (const TensorId result : results) {
    const std::int32_t counter = at(state, result).counter;
    if (counter < static_cast<std::int32_t>(before.counters.size()) || std::ranges::find(made, counter) != made.end())
      continue;
    free_version(state, made.emplace_back(counter));
  }
}

void show_as_no_view(Tensor& tensor) {
  tensor.meta.tracked = false;
  tensor.meta.creation = CreationMeta::DEFAULT;
  tensor.base = kNoTensor;
}

/// A result whose memory no other tensor has is not a view of a tensor that the caller cannot name.
void forget_hidden_bases(const Judge& judge, State& state, const State& before, const std::vector<TensorId>& results) {
  for (const TensorId seen : results) {
    const TensorId result = transforms::whole_of(state, seen).tensor;
    Tensor& tensor = at(state, result);
    const auto shares = [&](TensorId other) {
      return transforms::whole_of(state, other).tensor != result && at(state, other).storage == tensor.storage;
    };
    const bool alone =
        tensor.storage >= static_cast<std::int32_t>(before.storages.size()) && std::ranges::none_of(results, shares);
    if (tensor.base == kNoTensor || result_is_view<Concrete>(judge, alone).v) continue;
    show_as_no_view(tensor);
  }
}

/// Whether two inputs that share memory have one functional storage.
bool inputs_share(const Judge& judge) { return storage_of_input<Concrete>(judge, 0, 1).v == 0; }

bool same_layout(const Tensor& a, const Tensor& b) {
  return sizes_of(a.geometry) == sizes_of(b.geometry) && strides_of(a.geometry) == strides_of(b.geometry) &&
         a.geometry.offset.v == b.geometry.offset.v;
}

/// One run of a body's functionalized form.
class Transformed {
 public:
  Transformed(const Judge& judge, State& state) : judge_(judge), state_(state) {}

  /// The results of a body whose statements end with `leave`. Throws Raise after removing the body's frame.
  std::vector<TensorId> run(const Frame& frame, const LeaveFunctionalize& leave) {
    auto frames = std::move(state_.frames);
    state_ = *frame.before;
    Script script{frame.body, std::vector<std::string>(state_.slots.size(), "x"), {}};
    script.statements.push_back({leave, 0});
    auto& enter = std::get<EnterFunctionalize>(script.statements[0].kind);
    separate(enter);
    const functionalize::Body body = functionalize::body_at(judge_, state_, script, 0);
    callers_ = body.callers;
    auto passes = enter.remove == Remove::mutations ? functionalize::Passes::abc : functionalize::Passes::ab;
    if (is(judge_, kWithoutViews)) passes = functionalize::Passes::a;
    const functionalize::Program program = form_of(body, passes);
    first_ = state_.slots.size();
    try {
      for (const Statement& statement : program.core) {
        if (is(judge_, kWithoutViews)) refuse_view(statement);
        perform(statement);
      }
      for (const Statement& statement : program.epilogue) perform(statement);
    } catch (const Raise&) {  // earlier write-backs stay
      frames.pop_back();
      state_.frames = std::move(frames);
      state_.slots = frame.before->slots;
      throw;
    }
    std::vector<TensorId> results;
    for (const Slot slot : program.returned) results.push_back(original(held(state_, mapped(slot))));
    for (const auto& [copy, of] : separated_)
      if (!same_layout(at(state_, copy), frame.before->tensors[static_cast<std::size_t>(of)]))
        at(state_, of).geometry = at(state_, copy).geometry;
    for (Tensor& tensor : state_.tensors) tensor.base = original(tensor.base);
    state_.frames = std::move(frames);
    return results;
  }

 private:
  functionalize::Program form_of(const functionalize::Body& body, functionalize::Passes passes) const {
    try {
      return functionalize::functionalize(judge_, body, passes);
    } catch (const functionalize::NotFunctional& why) {
      throw ReferenceLimit(why.what());
    }
  }
  static void refuse_view(const Statement& statement) {
    const auto* call = std::get_if<Call>(&statement.kind);
    if (call == nullptr) return;
    const Op& called = op(call->op);
    if (called.kind == OpKind::View || called.kind == OpKind::InplaceView || called.aliases == Aliases::always)
      raise(ErrorClass::unclassified, "a backend without views has no kernel for " + qualified_name(called),
            "NotImplementedError");
  }
  /// If each input has its own functional storage, a tensor given twice counts as two.
  void separate(EnterFunctionalize& enter) {
    if (inputs_share(judge_)) return;
    for (Slot& input : enter.inputs) {
      const TensorId of = held(state_, input);
      state_.tensors.push_back(at(state_, of));
      const auto copy = static_cast<TensorId>(state_.tensors.size()) - 1;
      separated_.emplace_back(copy, of);
      input = static_cast<Slot>(state_.slots.size());
      state_.slots.push_back(copy);
    }
  }
  TensorId original(TensorId tensor) const {
    const auto found = std::ranges::find(separated_, tensor, [](const auto& pair) { return pair.first; });
    return found == separated_.end() ? tensor : found->second;
  }

  Slot mapped(Slot slot) const {
    const auto i = static_cast<std::size_t>(slot);
    return i < callers_.size() ? callers_[i] : static_cast<Slot>(first_ + i - callers_.size());
  }
  void perform(Statement statement) {
    const auto rename = [this](Slot& slot) { slot = mapped(slot); };
    if (auto* call = std::get_if<Call>(&statement.kind)) {
      each_argument_slot(*call, rename);
      std::ranges::for_each(call->results, rename);
    } else if (auto* make = std::get_if<MakeTensor>(&statement.kind)) {
      rename(make->result);
    }
    const Outcome outcome = step(judge_, state_, statement);
    if (outcome.failure.error != ErrorClass::none) throw Raise{outcome.failure};
  }

  const Judge& judge_;
  State& state_;
  std::vector<Slot> callers_;
  std::size_t first_ = 0;  ///< the first slot of the core's values
  std::vector<std::pair<TensorId, TensorId>> separated_;
};

/// A nested body is a part of the outer one, if the outer one's functional form is needed.
void note_inner_body(State& state, const Frame& inner, const LeaveFunctionalize& leave) {
  for (const Statement& statement : inner.body) note_in_body(state, statement);
  note_in_body(state, {leave, 0});
}

/// A tensor like this one in a copy of its storage.
TensorId unaliased(State& state, TensorId of) {
  Tensor copy = at(state, of);
  state.storages.push_back(state.storages[static_cast<std::size_t>(copy.storage)]);
  copy.storage = static_cast<std::int32_t>(state.storages.size()) - 1;
  state.tensors.push_back(std::move(copy));
  return static_cast<TensorId>(state.tensors.size()) - 1;
}

}  // namespace

bool has_transform_in_functionalized_body(const Script& script) {
  int open = 0;
  for (const Statement& statement : script.statements) {
    if (std::holds_alternative<EnterFunctionalize>(statement.kind)) ++open;
    if (std::holds_alternative<LeaveFunctionalize>(statement.kind)) --open;
    if (open > 0 && std::holds_alternative<EnterTransform>(statement.kind)) return true;
  }
  return false;
}

bool in_body(const State& state) {
  return std::ranges::any_of(state.frames, [](const Frame& frame) { return frame.before != nullptr; });
}

bool is_functional(const State& state, std::int32_t storage) {
  return std::ranges::any_of(
      state.frames, [&](const Frame& frame) { return frame.before != nullptr && !is_captured(frame, storage); });
}

void enter_functionalize(const Judge& judge, State& state, const EnterFunctionalize& enter) {
  refuse_inner_body(judge, state);
  if (in_transform(state) && (is(judge, kNoFault) || is(judge, kWithoutViews)))
    throw ReferenceLimit("the functionalized form of a body in that of another transform");
  std::vector<TensorId> inputs = held_all(state, enter.inputs);
  for (const TensorId input : inputs)
    if (!functorch::ships(judge) && is_functional(state, at(state, input).storage))
      functorch::check_nesting(judge, true);
  Frame frame{state.tls};
  frame.before = std::make_shared<const State>(state);
  frame.body.push_back({enter, 0});
  for (TensorId& input : inputs) {
    if (!functorch::ships(judge) && !inputs_share(judge)) input = unaliased(state, input);
    frame.given.push_back(at(state, input).storage);
  }
  state.frames.push_back(std::move(frame));
  if (runs_as_shipped(judge, state)) return functorch::enter(judge, state, enter, inputs);
  for (std::size_t i = 0; i < inputs.size() && i < enter.parameters.size(); ++i)
    bind(state, enter.parameters[i], inputs[i]);
}

void leave_functionalize(const Judge& judge, State& state, const LeaveFunctionalize& leave) {
  if (state.frames.empty() || state.frames.back().before == nullptr)
    throw std::logic_error("the script leaves a functionalized body that it did not enter");
  std::vector<TensorId> results = held_all(state, leave.returned);
  const Frame frame = state.frames.back();
  const std::shared_ptr<const State>& before = frame.before;
  state.tls = frame.found;
  const bool shipped = !state.layers.empty();
  const bool transformed = is_transformed(judge) && !in_transform(state);  // inside another transform, no pass runs
  if (shipped)
    results = functorch::leave(judge, state, results);
  else if (transformed)
    results = Transformed(judge, state).run(frame, leave);
  if (!(shipped || transformed) || judge.only_variant != nullptr) forget_hidden_bases(judge, state, *before, results);
  state.frames.pop_back();
  note_inner_body(state, frame, leave);
  std::vector<TensorId> inputs;
  for (const Slot input : std::get<EnterFunctionalize>(frame.body[0].kind).inputs)
    inputs.push_back(held(*before, input));
  keep_layouts(judge, state, *before, inputs, results);
  free_versions(judge, state, frame, results);
  state.slots = before->slots;
  for (std::size_t i = 0; i < results.size() && i < leave.results.size(); ++i)
    bind(state, leave.results[i], results[i]);
}

void note_in_body(State& state, const Statement& statement) {
  const auto body = std::find_if(state.frames.rbegin(), state.frames.rend(),
                                 [](const Frame& frame) { return frame.before != nullptr; });
  if (body != state.frames.rend()) body->body.push_back(statement);
}

void refuse_captured_write(const Judge& judge, State& state, const Call& call) {
  const int place = written_argument(op(call.op));
  if (place < 0 || (!state.layers.empty() && writes_captured_at_once(judge).v)) return;
  const auto* written = std::get_if<Slot>(&call.arguments[static_cast<std::size_t>(place)]);
  if (written == nullptr) return;
  const std::int32_t storage = functorch::memory_of(state, held(state, *written));
  const bool captured =
      std::ranges::any_of(state.frames, [&](const Frame& frame) { return is_captured(frame, storage); });
  if (!captured) return;
  const auto error = static_cast<ErrorClass>(check_captured_write<Concrete>(judge, true).v);
  if (error != ErrorClass::none) raise_class(error, {"a write of a captured tensor"});
}

void abandon_functionalize(const Judge& judge, State& state) {
  const std::shared_ptr<const State> before = state.frames.back().before;
  if (!state.layers.empty()) {  // inputs have not been written, but captured tensors may have
    functorch::end_layer(state);
    state.slots = before->slots;
    return;
  }
  if (is_copied_back_on_error<Concrete>(judge, 1).v) return;
  const auto generator = state.generator;  // drawn random numbers stay drawn
  auto* const dispatched = state.dispatched;
  auto frames = std::move(state.frames);
  state = *before;
  state.frames = std::move(frames);
  state.generator = generator;
  state.dispatched = dispatched;
}

}  // namespace plumbline::reference
