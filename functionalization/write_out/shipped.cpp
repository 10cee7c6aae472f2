// Writing a body as a program, and running it on two references.
#include "functionalization/write_out/shipped.h"

#include <algorithm>

#include "adapters/reference/reference.h"
#include "language/print.h"
#include "oracle/compare.h"
#include "reference/memory.h"
#include "spec/ops/op_ids.h"

namespace plumbline::functionalize {
namespace {

class TestWriter {
 public:
  explicit TestWriter(const passes::Body& body) : body_(body) {}

  program::Test test() {
    test_.name = "test_body";
    for (std::size_t i = 0; i < body_.outside.size(); ++i) slots_.push_back(outside(i));
    const std::size_t opened = script().statements.size();
    put({});
    EnterFunctionalize enter;
    for (const Slot input : body_.inputs) {
      enter.inputs.push_back(slot(input));
      enter.parameters.push_back(named("p" + std::to_string(enter.parameters.size())));
    }
    for (std::size_t i = 0; i < body_.inputs.size(); ++i) slot(body_.inputs[i]) = enter.parameters[i];
    script().statements[opened].kind = enter;
    for (std::size_t i = body_.outside.size(); i < body_.names.size(); ++i)
      slots_.push_back(named("y" + std::to_string(i)));
    for (const passes::Step& step : body_.steps) put(call_of(step.call));
    LeaveFunctionalize leave;
    for (const Slot returned : body_.returned) {
      leave.returned.push_back(slot(returned));
      leave.results.push_back(named("r" + std::to_string(leave.results.size())));
    }
    put(leave);
    return std::move(test_);
  }

 private:
  Script& script() { return test_.script; }
  void put(StatementKind kind) { script().statements.push_back({std::move(kind), 0}); }
  Slot named(std::string name) {
    script().names.push_back(std::move(name));
    return static_cast<Slot>(script().names.size() - 1);
  }
  Slot& slot(Slot variable) { return slots_.at(static_cast<std::size_t>(variable)); }

  /// The first tensor of a memory is made with it if it has all of it in row-major order; others are views of the
  /// first.
  Slot outside(std::size_t i) {
    const passes::Facts& facts = body_.outside[i];
    std::size_t first = 0;
    while (body_.outside[first].storage != facts.storage) ++first;
    const std::int64_t elements = body_.storages.at(static_cast<std::size_t>(facts.storage));
    const bool plain = facts.offset == 0 && facts.strides == reference::row_major(facts.sizes) &&
                       reference::element_count(facts.sizes) == elements;
    if (i == first && plain) return made(i, facts.sizes, elements);
    const Slot whole = i == first ? made(i, {elements}, elements) : slots_[first];
    const Slot view = named("x" + std::to_string(i) + (i == first ? "_view" : ""));
    put(Call{OpId::as_strided, {whole, facts.sizes, facts.strides, facts.offset}, {view}});
    return view;
  }
  Slot made(std::size_t i, std::vector<std::int64_t> sizes, std::int64_t elements) {
    const Slot result = named("x" + std::to_string(i));
    std::vector<double> values;
    for (std::int64_t n = 0; n < elements; ++n) values.push_back(static_cast<double>(n + 1));
    put(MakeTensor{result, Dtype::float32, std::move(sizes), std::move(values)});
    return result;
  }
  Call call_of(const Call& of) {
    Call call = of;
    for (Value& value : call.arguments)
      if (auto* one = std::get_if<Slot>(&value)) *one = slot(*one);
    for (Slot& result : call.results) result = slot(result);
    if (written_argument(op(call.op)) >= 0) call.results.clear();
    return call;
  }

  const passes::Body& body_;
  program::Test test_;
  std::vector<Slot> slots_;  ///< by variable
};

/// Ops that make views or change layouts, and what is special of the tensors from outside.
std::set<std::string> parts_of(const passes::Body& body) {
  std::set<std::string> parts;
  for (const passes::Step& step : body.steps)
    if (const OpKind kind = op(step.call.op).kind; kind == OpKind::View || kind == OpKind::InplaceView)
      parts.insert(std::string(op(step.call.op).name));
  for (std::size_t i = 0; i < body.outside.size(); ++i) {
    const passes::Facts& facts = body.outside[i];
    if (std::ranges::find(facts.strides, 0) != facts.strides.end()) parts.insert("an input that repeats elements");
    if (i > 0 && facts.storage == body.outside[i - 1].storage) parts.insert("inputs that share memory");
  }
  return parts;
}

}  // namespace

std::optional<program::Test> test_of(const passes::Body& body) {
  for (const passes::Step& step : body.steps)
    if (step.composite || step.made) return std::nullopt;
  return TestWriter(body).test();
}

std::optional<validate::Finding> wrong_as_shipped(Profile profile, const passes::Body& body) {
  const std::optional<program::Test> test = test_of(body);
  if (!test) return std::nullopt;
  Script script = test->script;
  script.statements.push_back({Snapshot{}, 0});
  ReferenceAdapter reference(Profile::sound);
  const RunResult sound = reference.run(script);
  const auto* trace = std::get_if<Trace>(&sound);
  if (trace == nullptr) return std::nullopt;
  Description compared = reference.describe();
  ignore_what_forms_leave(compared);
  compared.thread.fill(Strictness::ignore);
  const RunResult shipped = ReferenceAdapter(profile).run(script);
  if (std::holds_alternative<Breakdown>(shipped)) return std::nullopt;  // what the reference cannot execute yet
  const Comparison comparison = compare(script, *trace, shipped, compared);
  if (comparison.differences.empty()) return std::nullopt;
  const Difference& first = comparison.differences.front();
  validate::Finding finding;
  finding.difference = describe(first);
  finding.kind = first.signature.substr(first.signature.find('/') + 1);  // of whatever statement
  if (finding.kind == "values") finding.parts = parts_of(body);
  finding.program = program::print(program::raise(*test));
  return finding;
}

}  // namespace plumbline::functionalize
