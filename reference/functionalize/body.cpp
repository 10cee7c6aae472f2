// Running a body by the reference, to see what its tensors are.
#include "reference/functionalize/body.h"

#include <map>

#include "reference/call.h"
#include "reference/call_slots.h"
#include "reference/composite.h"
#include "reference/machine.h"
#include "reference/raise.h"

namespace plumbline::reference::functionalize {
namespace {

/// Runs statement by statement; a tensor becomes a variable when it is first met.
class Tracer {
 public:
  Tracer(const Judge& judge, State& state, const Script& script) : judge_(judge), state_(state), script_(script) {}

  Body run(std::size_t enter) {
    const auto& begin = std::get<EnterFunctionalize>(script_.statements.at(enter).kind);
    std::vector<TensorId> inputs;
    for (const Slot input : begin.inputs) {
      inputs.push_back(held(state_, input));
      body_.inputs.push_back(outside(inputs.back(), input));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) bind(state_, begin.parameters.at(i), inputs[i]);
    find_captured(enter);
    in_front_ = false;
    std::size_t at = enter + 1;
    for (; !std::holds_alternative<LeaveFunctionalize>(script_.statements.at(at).kind); ++at)
      step(script_.statements[at]);
    for (const Slot slot : std::get<LeaveFunctionalize>(script_.statements[at].kind).returned)
      body_.returned.push_back(variables_.at(held(state_, slot)));
    return std::move(body_);
  }

 private:
  /// What was there before the body, and is read in it under a name of the caller's.
  void find_captured(std::size_t enter) {
    std::vector<bool> own(state_.slots.size(), false);
    const auto mark = [&](Slot slot) {
      const auto i = static_cast<std::size_t>(slot);
      if (i >= own.size()) own.resize(i + 1, false);
      own[i] = true;
    };
    for (const Slot slot : std::get<EnterFunctionalize>(script_.statements[enter].kind).parameters) mark(slot);
    const auto capture = [&](Slot slot) {
      const auto i = static_cast<std::size_t>(slot);
      if ((i < own.size() && own[i]) || variables_.contains(held(state_, slot))) return;
      body_.captured.push_back(outside(held(state_, slot), slot));
    };
    for (std::size_t at = enter + 1;; ++at) {
      const StatementKind& kind = script_.statements.at(at).kind;
      if (const auto* leave = std::get_if<LeaveFunctionalize>(&kind)) {
        for (const Slot slot : leave->returned) capture(slot);
        return;
      }
      const auto* call = std::get_if<Call>(&kind);
      if (const auto* made = std::get_if<MakeTensor>(&kind)) mark(made->result);
      if (call == nullptr) continue;
      each_argument_slot(*call, capture);
      for (const Slot slot : call->results) mark(slot);
    }
  }

  std::string name_of(Slot slot) const {
    const auto i = static_cast<std::size_t>(slot);
    return i < script_.names.size() ? script_.names[i] : "x" + std::to_string(i);
  }

  Slot outside(TensorId tensor, Slot caller) {
    const auto found = variables_.find(tensor);
    if (found != variables_.end()) return found->second;
    const Slot made = variable(tensor, name_of(caller));
    body_.callers.push_back(caller);
    body_.outside.push_back(facts(tensor));
    return made;
  }
  Slot variable(TensorId tensor, const std::string& name) {
    const auto next = static_cast<Slot>(body_.names.size());
    const auto [found, added] = variables_.emplace(tensor, next);
    if (added) body_.names.push_back(name);
    return found->second;
  }

  Facts facts(TensorId id) {
    const Tensor& tensor = at(state_, id);
    if (requires_grad_of(judge_, state_, id))
      throw ReferenceLimit("a tensor that requires grad in a functionalized body");
    const auto [found, added] = storages_.emplace(tensor.storage, static_cast<std::int32_t>(storages_.size()));
    if (added && in_front_)
      body_.storages.push_back(capacity(state_.storages[static_cast<std::size_t>(tensor.storage)], tensor.dtype));
    return {sizes_of(tensor.geometry), strides_of(tensor.geometry), tensor.geometry.offset.v, tensor.dtype,
            found->second};
  }

  void step(const Statement& statement) {
    if (const auto* made = std::get_if<MakeTensor>(&statement.kind)) {
      run(statement);
      const TensorId tensor = held(state_, made->result);
      Step& step = add(statement.line);
      step.made = *made;
      step.made->result = variable(tensor, name_of(made->result));
      step.facts.push_back(facts(tensor));
      return;
    }
    const auto* call = std::get_if<Call>(&statement.kind);
    if (call == nullptr) throw ReferenceLimit("a guard in a functionalized body");
    if (op(call->op).kind == OpKind::Factory) {
      run(statement);
      const TensorId tensor = held(state_, call->results.at(0));
      Step& step = add(statement.line);
      step.call = *call;
      step.call.results = {variable(tensor, name_of(call->results[0]))};
      step.facts.push_back(facts(tensor));
      return;
    }
    std::vector<Dispatched> dispatched;
    state_.dispatched = &dispatched;
    run(statement);
    state_.dispatched = nullptr;
    for (const Dispatched& one : dispatched) call_of(one, *call, statement.line);
  }

  void run(const Statement& statement) {
    const Outcome outcome = reference::step(judge_, state_, statement);
    if (outcome.failure.error != ErrorClass::none) throw Raise{outcome.failure};
  }
  Step& add(int line) {
    Step& step = body_.steps.emplace_back();
    step.line = line;
    return step;
  }

  void call_of(const Dispatched& one, const Call& written, int line) {
    Step& step = add(line);
    step.composite = one.op != written.op;
    step.call.op = one.op;
    step.call.arguments = one.arguments;
    each_argument_slot(step.call, [this](Slot& slot) { slot = variables_.at(static_cast<TensorId>(slot)); });
    for (std::size_t i = 0; i < one.results.size(); ++i) {
      step.call.results.push_back(variable(one.results[i], result_name(one.results[i], written)));
      step.facts.push_back(facts(one.results[i]));
    }
  }
  /// The name that the program gives a result; a composite's own have the name of what it gives.
  std::string result_name(TensorId tensor, const Call& written) const {
    for (const Slot slot : written.results)
      if (held(state_, slot) == tensor) return name_of(slot);
    return written.results.empty() ? "value" : name_of(written.results[0]);
  }

  const Judge& judge_;
  State& state_;
  const Script& script_;
  Body body_;
  std::map<TensorId, Slot> variables_;
  std::map<std::int32_t, std::int32_t> storages_;
  bool in_front_ = true;  ///< the body has not begun
};

}  // namespace

Body body_at(const Judge& judge, State state, const Script& script, std::size_t enter) {
  return Tracer(judge, state, script).run(enter);
}

}  // namespace plumbline::reference::functionalize
