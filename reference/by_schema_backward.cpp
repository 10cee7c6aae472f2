// Ops of which only the schema is known: what a backward of the implementation's own run shows.
#include "reference/by_schema_backward.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "reference/bits.h"
#include "reference/call.h"
#include "reference/raise.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference {

namespace {

constexpr std::string_view kWritten = "modified by an inplace operation";  // [torch/csrc/autograd/saved_variable.cpp]
constexpr std::string_view kFreed = "backward through the graph a second time";
constexpr std::string_view kLacking = "is not implemented";
constexpr std::string_view kRefused = "is not differentiable with respect to argument";
constexpr std::string_view kOutRefused = "functions with out=... arguments don't support automatic differentiation";
constexpr std::string_view kLeaf = "leaf Variable that requires grad is being used in an in-place operation";

bool says(const std::optional<Failure>& failure, std::string_view words) {
  return failure && failure->message.find(words) != std::string::npos;
}

/// Calls `see` for each tensor among the arguments.
void each_tensor(const KernelCall& call, const std::function<void(TensorId, const Tensor&)>& see) {
  for (const Value& value : call.arguments.values())
    each_slot_of(value, [&](Slot slot) {
      const TensorId id = held(call.state, slot);
      see(id, call.state.tensors[static_cast<std::size_t>(id)]);
    });
}

/// The plain call with the tensors that require grad as leaves.
PlainCall recorded_call(const KernelCall& call) {
  PlainCall plain = plain_call_of(call);
  plain.backward.emplace();
  for (std::size_t i = 0; i < plain.arguments.size(); ++i) {
    const Value& there = call.arguments.values()[i];
    std::vector<TensorId> tensors;
    each_slot_of(there, [&](Slot slot) { tensors.push_back(held(call.state, slot)); });
    auto next = tensors.begin();
    each_slot_of(plain.arguments[i], [&](Slot slot) {
      if (requires_grad_of(call.judge, call.state, *next++))
        plain.backward->leaves.push_back(static_cast<std::int64_t>(slot));
    });
  }
  return plain;
}

/// Learns what a call saves, by runs that differ in what is disturbed.
class Learned {
 public:
  Learned(const KernelCall& call, PlainCall plain) : call_(call), op_(op(call.op)), plain_(std::move(plain)) {}

  std::shared_ptr<const SchemaRecord> record() {
    if (written_argument(op_) == 0 && !takes_history()) return nullptr;
    PlainBackward& how = *plain_.backward;
    how.gradients.emplace();
    const PlainOutcome forward = run_plainly(plain_);
    lay_out_by_rows(plain_);
    if (forward.failure) return raising(*forward.failure);
    if (written_argument(op_) < 0)
      for (const PlainTensor& result : forward.results)
        if (result.is_view && !result.in_first)
          refuse_by_schema(call_.op, "returns a view of a tensor that no one sees");
    record_.differentiable = forward.recorded;
    for (std::size_t k = 0; k < forward.results.size(); ++k)
      if (is_complex(forward.results[k].dtype) && forward.recorded.at(k))
        refuse_by_schema(call_.op, "is recorded and makes complex numbers");
    if (op_.composite) refuse_inference_operands();  // it may save a view with another version counter
    if (std::ranges::find(record_.differentiable, true) == record_.differentiable.end()) return nullptr;
    how.gradients.reset();
    record_.fails = run_plainly(plain_).failure;
    if (says(record_.fails, kLacking)) return made();
    if (record_.fails) refuse_by_schema(call_.op, "has a backward that raises");
    find_saves();
    return made();
  }

 private:
  std::shared_ptr<const SchemaRecord> made() const { return std::make_shared<const SchemaRecord>(record_); }

  /// Whether the written tensor gets a new history: a leaf in its place is refused then.
  bool takes_history() const {
    const TensorId self = call_.arguments.tensor(0);
    if (!requires_grad_of(call_.judge, call_.state, self)) return true;
    PlainCall plain = plain_;
    plain.backward->gradients.emplace();
    plain.backward->bare = true;
    const PlainOutcome outcome = run_plainly(plain);
    const bool takes = says(outcome.failure, kLeaf);
    plain.backward.reset();
    if (!takes && outcome.failure && !says(run_plainly(plain).failure, outcome.failure->message))
      refuse_by_schema(call_.op, "raises another error on a leaf");
    const Meta& meta = call_.state.tensors[static_cast<std::size_t>(self)].meta;
    if (takes && op_.composite && (!meta.has_grad_fn.v || meta.tracked.v))
      refuse_by_schema(call_.op, "in place on a leaf or a view");
    return takes;
  }

  std::shared_ptr<const SchemaRecord> raising(const Failure& failure) {
    if (says(failure, kRefused)) throw Raise{failure};
    refuse_inference_operands();
    refuse_views();
    if (written_argument(op_) < 0) throw Raise{failure};
    PlainCall plain = plain_;
    plain.backward.reset();
    if (!run_plainly(plain).failure) refuse_by_schema(call_.op, "raises an error only if it is recorded");
    record_.differentiable = {true};
    return made();
  }

  /// Their histories, which are asked for first, may raise an error.
  void refuse_views() const {
    each_tensor(call_, [&](TensorId, const Tensor& tensor) {
      if (tensor.meta.tracked.v) refuse_by_schema(call_.op, "raises an error on a view");
    });
  }

  void refuse_inference_operands() const {
    each_tensor(call_, [&](TensorId id, const Tensor&) {
      if (is_inference_tensor(call_.judge, call_.state, id)) refuse_by_schema(call_.op, "may save an inference tensor");
    });
  }

  bool guards(std::size_t number) {
    plain_.backward->disturbed = static_cast<std::int64_t>(number);
    return says(run_plainly(plain_).failure, kWritten);
  }

  void find_saves() {
    std::vector<bool> saved;
    for (std::size_t i = 0; i < plain_.tensors.size(); ++i) saved.push_back(guards(i));
    for (std::size_t place = 0; place < op_.arguments.size(); ++place) find_saved_argument(place, saved);
    const bool fresh = written_argument(op_) < 0 && op_.kind != OpKind::View;  // otherwise a result is an argument
    for (std::size_t k = 0; fresh && k < record_.differentiable.size(); ++k)
      if (guards(plain_.tensors.size() + k)) add_result(k);
    plain_.backward->disturbed = -1;
    plain_.backward->twice = true;
    if (record_.saves.empty() && says(run_plainly(plain_).failure, kFreed)) record_.saves.push_back({0, 0, true});
  }

  void find_saved_argument(std::size_t place, const std::vector<bool>& saved) {
    std::vector<bool> here;
    each_slot_of(plain_.arguments[place], [&](Slot slot) { here.push_back(saved[static_cast<std::size_t>(slot)]); });
    if (here.empty() || std::ranges::find(here, true) == here.end()) return;
    if (std::ranges::find(here, false) != here.end()) refuse_by_schema(call_.op, "saves a part of a list");
    // What an in-place op saves of the tensor that it writes is the tensor after it.
    if (written_argument(op_) == static_cast<int>(place)) return add_result(0);
    record_.saves.push_back({static_cast<std::int8_t>(place), static_cast<std::int8_t>(place), false});
  }

  void add_result(std::size_t k) {
    constexpr std::size_t kMost = 100;
    if (k > kMost) throw ReferenceLimit("an op of which only the schema is known, with that many results, is recorded");
    record_.saves.push_back({static_cast<std::int8_t>(kSavesResult - static_cast<std::int8_t>(k)), 0, false});
  }

  const KernelCall& call_;
  const Op& op_;
  PlainCall plain_;
  SchemaRecord record_;
};

bool differ(const Element& a, const Element& b) {
  return a.integer != b.integer || a.imag != b.imag ||
         (a.real != b.real && !(std::isnan(a.real) && std::isnan(b.real)));
}

/// Throws ReferenceLimit if a saved tensor has other elements than the call had.
void same_elements(const std::vector<Element>& saved, const std::vector<Element>& then) {
  const bool same = std::ranges::equal(
      saved, then, [](const Element& a, const Element& b) { return a.known == b.known && !differ(a, b); });
  if (!same) throw ReferenceLimit("backward() through what an op by schema saved, written without a version bump");
}

/// One step of backward through such a node.
class Step {
 public:
  Step(const Judge& judge, State& state, const Node& node) : judge_(judge), state_(state), node_(node) {}

  std::vector<Gradient> run(const std::vector<Gradient>& given, const std::vector<TensorId>* tensors) {
    for (const Node::Input& input : node_.inputs)
      if (input.saved) same_elements(unpack(judge_, state_, *input.saved), input.elements);
    std::vector<std::vector<Element>> results;
    for (const Node::Output& output : node_.outputs)
      results.push_back(output.saved ? unpack(judge_, state_, *output.saved) : std::vector<Element>());
    if (node_.by_schema->fails) throw Raise{*node_.by_schema->fails};
    PlainCall plain = call_with(given);
    const bool by_rows =
        std::ranges::all_of(plain.tensors, [](const PlainTensor& one) { return is_row_major(one.sizes, one.strides); });
    const PlainOutcome laid_out = run_plainly(plain);
    if (!by_rows) lay_out_by_rows(plain);
    const PlainOutcome exact = by_rows ? laid_out : run_plainly(plain);
    if (exact.failure) throw Raise{*exact.failure};
    if (laid_out.failure) throw Raise{*laid_out.failure};
    compare_saved(results, exact);
    const bool seen =
        tensors == nullptr || std::ranges::any_of(*tensors, [](TensorId one) { return one != kNoTensor; });
    for (const auto& gradient : laid_out.gradients)
      if (gradient && gradient->in_other && (seen || laid_out.gradients.size() > 1))
        refuse_by_schema(node_.op, "passes a gradient on");
    return gradients(laid_out, exact);
  }

 private:
  /// The call again, with the gradients of its results.
  PlainCall call_with(const std::vector<Gradient>& given) {
    PlainCall plain{node_.op, {}, node_.values};
    plain.backward.emplace();
    for (const Node::Input& input : node_.inputs) {
      if (input.edge.goes()) plain.backward->leaves.push_back(static_cast<std::int64_t>(plain.tensors.size()));
      const Sizes sizes = sizes_of(input.geometry);
      Sizes strides = strides_of(input.geometry);
      if (!is_dense(sizes, strides)) strides = row_major(sizes);
      plain.tensors.push_back({input.dtype, sizes, std::move(strides), 0, exact(input.elements)});
    }
    auto& gradients = plain.backward->gradients.emplace();
    for (std::size_t k = 0; k < node_.outputs.size(); ++k) {
      auto& gradient = gradients.emplace_back();
      const Sizes& sizes = node_.outputs[k].sizes;
      if (k < given.size() && given[k])
        gradient = PlainTensor{node_.outputs[k].dtype, sizes, row_major(sizes), 0, exact(*given[k])};
    }
    return plain;
  }

  /// Elements without bounds. If one was rounded or is not specified, no gradient is.
  std::vector<Element> exact(std::vector<Element> elements) {
    for (Element& element : elements) {
      open_ = open_ || !element.known || element.error > 0;
      element = {.real = element.real, .integer = element.integer};
    }
    return elements;
  }

  void compare_saved(const std::vector<std::vector<Element>>& saved, const PlainOutcome& outcome) const {
    const bool writes = written_argument(op(node_.op)) >= 0;
    for (std::size_t k = 0; k < saved.size() && !open_; ++k)
      if (!saved[k].empty())
        same_elements(saved[k], writes ? outcome.after.at(0).elements : outcome.results.at(k).elements);
  }

  std::vector<Gradient> gradients(const PlainOutcome& laid_out, const PlainOutcome& exact) const {
    std::vector<Gradient> all(node_.inputs.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!node_.inputs[i].edge.goes() || !exact.gradients.at(i)) continue;
      const auto& other = laid_out.gradients.at(i);
      all[i] = with_bounds(node_.op, other ? *other : *exact.gradients[i], *exact.gradients[i]);
      for (Element& element : *all[i]) element.known = element.known && !open_;
    }
    return all;
  }

  const Judge& judge_;
  State& state_;
  const Node& node_;
  bool open_ = false;
};

}  // namespace

std::shared_ptr<const SchemaRecord> record_by_schema(const KernelCall& call) {
  if (!call.state.saved_hooks.empty())
    throw ReferenceLimit("hooks of saved tensors, and an op of which only the schema is known");
  return Learned(call, recorded_call(call)).record();
}

void refuse_hidden_recording(const KernelCall& call) {
  const Op& called = op(call.op);
  if (!call.state.tls.grad_mode.v) return;
  const bool hides = called.composite && called.kind == OpKind::Out;
  each_tensor(call, [&](TensorId id, const Tensor&) {
    const bool hidden = hides || is_inference_tensor(call.judge, call.state, id);
    if (hidden && requires_grad_of(call.judge, call.state, id))
      throw ReferenceLimit(text("the ops that ", qualified_name(called), ", known by its schema, calls are recorded"));
  });
}

bool refuses_gradients_by_schema(const KernelCall& call, bool any_requires) {
  if (!any_requires || !call.state.tls.grad_mode.v) return true;  // there is nothing to refuse
  if (has_complex(call)) refuse_by_schema(call.op, "is recorded and takes complex numbers");
  PlainCall plain = recorded_call(call);
  plain.backward->gradients.emplace();
  const auto place = static_cast<std::size_t>(written_argument(op(call.op)));
  const Meta& out = call.state.tensors[static_cast<std::size_t>(call.arguments.tensor(place))].meta;
  plain.backward->bare = !out.has_grad_fn.v;
  const PlainOutcome outcome = run_plainly(plain);
  if (says(outcome.failure, kOutRefused)) return true;
  if (outcome.failure) refuse_by_schema(call.op, "raises another error if it is recorded");
  // [torch/csrc/autograd/autograd_not_implemented_fallback.cpp]
  if (outcome.recorded.at(0)) refuse_by_schema(call.op, "gives its out= a grad_fn that has no derivative");
  return false;
}

std::vector<Gradient> gradients_by_schema(const Judge& judge, State& state, const Node& node,
                                          const std::vector<Gradient>& given, const std::vector<TensorId>* tensors) {
  return Step(judge, state, node).run(given, tensors);
}

}  // namespace plumbline::reference
