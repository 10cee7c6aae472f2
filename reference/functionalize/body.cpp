// Runs a body by the reference to collect facts about its tensors.
#include "reference/functionalize/body.h"

#include <algorithm>
#include <map>

#include "reference/call.h"
#include "reference/composite.h"
#include "reference/functionalize/functionalize.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/rules/fun.h"
#include "spec/rules/fun_body.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference::functionalize {
namespace {

/// Runs statement by statement; a tensor becomes a variable at its first use.
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
    const std::size_t end = end_of_body(script_, enter);
    for (std::size_t at = enter + 1; at < end; ++at) {
      if (std::holds_alternative<EnterFunctionalize>(script_.statements[at].kind))
        at = inner_body(at);
      else
        step(script_.statements[at]);
    }
    for (const Slot slot : std::get<LeaveFunctionalize>(script_.statements[end].kind).returned)
      body_.returned.push_back(variables_.at(held(state_, slot)));
    return std::move(body_);
  }

 private:
  /// A tensor from before the body that the body reads under a name of the caller's.
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
    const std::size_t end = end_of_body(script_, enter);
    for (std::size_t at = enter + 1; at <= end; ++at)
      if (std::holds_alternative<Invoke>(script_.statements[at].kind))
        throw ReferenceLimit("a call of the program's own operator in a functionalized body");
    for (std::size_t at = enter + 1; at <= end; ++at) {
      const StatementKind& kind = script_.statements[at].kind;
      if (const auto* leave = std::get_if<LeaveFunctionalize>(&kind)) {
        std::ranges::for_each(leave->returned, capture);
        std::ranges::for_each(leave->results, mark);
      }
      if (const auto* inner = std::get_if<EnterFunctionalize>(&kind)) {
        std::ranges::for_each(inner->inputs, capture);
        std::ranges::for_each(inner->parameters, mark);
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
    if (const auto made = inner_names_.find(slot); made != inner_names_.end()) return made->second;
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

  Facts facts(TensorId id) { return facts(id, at(state_, id)); }
  /// The facts of `tensor`.
  Facts facts(TensorId id, const Tensor& tensor) {
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

  /// Runs the functionalized form of a nested body, whose steps become this body's, and returns where it ends.
  std::size_t inner_body(std::size_t enter) {
    if (refuses_inner_body(judge_))
      throw NotFunctional(FUN_36, script_.statements[enter].line,
                          "it has a functionalized body within it, which is not supported");
    const std::size_t end = end_of_body(script_, enter);
    const bool reapply = std::get<EnterFunctionalize>(script_.statements[enter].kind).remove == Remove::mutations;
    const Body inner = body_at(judge_, state_, script_, enter);
    Program form = functionalize(judge_, inner, reapply ? Passes::abc : Passes::ab);
    number_names(form);
    std::vector<Slot> slots = inner.callers;  // indexed by the form's slots
    for (std::size_t i = slots.size(); i < form.values.size(); ++i) slots.push_back(fresh_slot(form.names[i]));
    const auto rename = [&](Slot& slot) { slot = slots[static_cast<std::size_t>(slot)]; };
    for (const auto* statements : {&form.core, &form.epilogue})
      for (Statement statement : *statements) {
        each_slot(statement, rename);
        step(statement);
      }
    const auto& leave = std::get<LeaveFunctionalize>(script_.statements[end].kind);
    for (std::size_t i = 0; i < leave.results.size(); ++i)
      bind(state_, leave.results[i], held(state_, slots[static_cast<std::size_t>(form.returned.at(i))]));
    return end;
  }
  /// As many slots as the script names or assigns.
  static std::size_t slots_of(const Script& script) {
    std::size_t count = script.names.size();
    const auto see = [&](Slot slot) { count = std::max(count, static_cast<std::size_t>(slot) + 1); };
    for (const Statement& statement : script.statements) {
      if (const auto* made = std::get_if<MakeTensor>(&statement.kind)) see(made->result);
      if (const auto* call = std::get_if<Call>(&statement.kind)) std::ranges::for_each(call->results, see);
      if (const auto* enter = std::get_if<EnterFunctionalize>(&statement.kind))
        std::ranges::for_each(enter->parameters, see);
      if (const auto* leave = std::get_if<LeaveFunctionalize>(&statement.kind))
        std::ranges::for_each(leave->results, see);
    }
    return count;
  }
  static void each_slot(Statement& statement, const auto& rename) {
    if (auto* made = std::get_if<MakeTensor>(&statement.kind)) return rename(made->result);
    auto& call = std::get<Call>(statement.kind);
    each_argument_slot(call, rename);
    std::ranges::for_each(call.results, rename);
  }
  /// A slot that neither the script nor the state uses.
  Slot fresh_slot(const std::string& name) {
    next_slot_ = std::max({next_slot_, slots_of(script_), state_.slots.size()});
    inner_names_.emplace(static_cast<Slot>(next_slot_), name);
    return static_cast<Slot>(next_slot_++);
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
      step.facts.push_back(facts(one.results[i], one.given[i]));
    }
  }
  /// The program's name of a result; the inner values of a composite have the name of its result.
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
  bool in_front_ = true;                     ///< the body has not begun
  std::map<Slot, std::string> inner_names_;  ///< the names of values that nested bodies make
  std::size_t next_slot_ = 0;
};

}  // namespace

std::size_t end_of_body(const Script& script, std::size_t enter) {
  for (int bodies = 0;; ++enter) {
    const StatementKind& kind = script.statements.at(enter).kind;
    bodies += std::holds_alternative<EnterFunctionalize>(kind) ? 1 : 0;
    if (std::holds_alternative<LeaveFunctionalize>(kind) && --bodies == 0) return enter;
  }
}

Body body_at(const Judge& judge, State state, const Script& script, std::size_t enter) {
  return Tracer(judge, state, script).run(enter);
}

}  // namespace plumbline::reference::functionalize
