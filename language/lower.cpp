// Lowering statements: blocks, assignments, and functions written into their callers.
#include "language/lower.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
#include <set>
#include <utility>

#include "language/lowerer.h"
#include "language/print.h"
#include "language/refusal.h"

namespace plumbline::program {
namespace {

/// Functions that call other functions twice make the script grow exponentially.
constexpr std::size_t kMaxStatements = 100'000;

std::vector<std::string> ids_in(const std::string& comment, const std::regex& pattern) {
  std::vector<std::string> ids;
  for (std::sregex_iterator it(comment.begin(), comment.end(), pattern), end; it != end; ++it) ids.push_back(it->str());
  return ids;
}

}  // namespace

bool is_test(std::string_view name) { return name.starts_with("test_"); }

void Lowerer::fail(Place place, std::string problem, std::string advice) const {
  throw ProgramError(program_.file, place, std::move(problem), std::move(advice));
}

Refuse Lowerer::refusing() const {
  return [this](Place place, std::string problem, std::string advice) {
    fail(place, std::move(problem), std::move(advice));
  };
}

std::size_t Lowerer::emit(StatementKind kind, int line) {
  if (emitted_++ >= kMaxStatements)
    fail({line, 1},
         fmt::format("the test {} has more than {} statements once its functions are inlined", function_.name,
                     kMaxStatements),
         "Write a shorter test");
  const bool expects = std::holds_alternative<Try>(kind) || std::holds_alternative<EndTry>(kind);
  if (in_backward_ && (expects || !fits_backward(kind, hook_is_after_)))
    fail({line, 1},
         fmt::format("a {} contains something other than op calls, guards, `log.append(…)` and `raise`",
                     hook_ ? "hook" : "backward"),
         "It has no observations and no asserts: check the gradients after y.backward()");
  if (in_kernel_ && !in_backward_ && !fits_kernel(kind))
    fail({line, 1},
         "a kernel contains something other than calls, guards, custom functions, `log.append(…)` and `raise`",
         "A kernel has no observations and no asserts: check what the operator did after its call");
  if (transforming_ && !std::holds_alternative<Call>(kind) && !std::holds_alternative<MakeTensor>(kind) &&
      !std::holds_alternative<Enter>(kind) && !std::holds_alternative<Exit>(kind) &&
      !std::holds_alternative<Invoke>(kind) && !enters_body(kind) && !leaves_body(kind))
    fail({line, 1}, "the body of a transform contains something other than calls, factories, guards and transforms",
         "It has no observations, no asserts and no gradients: check what it returns");
  into_->push_back(Statement{std::move(kind), line});
  return into_->size() - 1;
}

Test Lowerer::run() {
  const bool fits = function_.parameters.empty() || function_.parameters == std::vector<std::string>{"device"};
  if (!fits)
    fail(function_.place, fmt::format("the test {} has parameters other than `device`", function_.name),
         "A test takes `device` or nothing");
  test_.name = function_.name;
  test_.line = function_.place.line;
  static const std::regex rule("\\b[A-Z]{3,4}-[0-9]{2,3}\\b");   // not the laws (OP): no program shows them
  static const std::regex sentence("\\b[FDABP]-[0-9]{2,3}\\b");  // of the five texts: tables/sentences.h
  test_.rules = ids_in(function_.comment, rule);
  test_.sentences = ids_in(function_.comment, sentence);
  if (!function_.decorators.empty())
    fail(function_.place, fmt::format("the test {} has a decorator", function_.name),
         "A test is not a kernel: give the kernel another name");
  module();
  scope_.frames().push_back(Frame{function_.name, "", {}});
  if (!function_.parameters.empty()) scope_.frame().names.emplace("device", DeviceParameter{});
  block(function_.body, false);
  check_started();
  check_fallbacks();
  test_.script.names = scope_.slot_names();
  return std::move(test_);
}

void Lowerer::need_reached(const Block& block) const {
  const auto returns = [](const auto& self, const Line& line) -> bool {
    if (const auto* with = std::get_if<With>(&line.node))
      return std::any_of(with->body.begin(), with->body.end(), [&](const Line& l) { return self(self, l); });
    return std::holds_alternative<Return>(line.node);
  };
  const auto last =
      std::find_if(block.rbegin(), block.rend(), [](const Line& l) { return !std::holds_alternative<Remark>(l.node); });
  for (auto before = last; before != block.rend(); ++before) {
    if (before == last) continue;
    const bool raises = std::holds_alternative<Raise>(before->node);
    if (!raises && !returns(returns, *before)) continue;
    const std::string_view word = raises ? "raise" : "return";
    fail(block.back().place, fmt::format("statements after a `{}` never run", word),
         fmt::format("Put `{}` last", word));
  }
}

/// `raises`: an enclosing `pytest.raises` expects the block's last statement to raise.
void Lowerer::block(const Block& block, bool raises) {
  need_reached(block);
  std::size_t last = block.size();
  while (last > 0 && std::holds_alternative<Remark>(block[last - 1].node)) --last;
  Lines lines{block};
  Lines* const around = std::exchange(lines_, &lines);
  while (const Line* next = next_line(lines)) line(*next, raises && lines.next == last);
  check_join(nullptr);
  lines_ = around;
}

const Line* Lowerer::next_line(Lines& lines) {
  while (lines.next < lines.block.size()) {
    const Line& line = lines.block[lines.next++];
    if (!std::holds_alternative<Remark>(line.node)) return &line;
  }
  return nullptr;
}

void Lowerer::line(const Line& line, bool raising) {
  check_join(&line);
  if (raising) check_not_raised_by_thread(line);
  if (const auto* guarded = std::get_if<With>(&line.node)) return with(*guarded, line.place, raising);
  if (!raising) return plain_line(line);
  if (std::holds_alternative<Assert>(line.node))
    fail(line.place, "the last statement in pytest.raises is an assert",
         "Write the observation alone if it is what raises, as in `x._version`; an assert after it never runs");
  Scope::Saved saved = scope_.save();
  plain_line(line);
  scope_.restore(std::move(saved));
}

void Lowerer::plain_line(const Line& line) {
  if (const auto* assignment = std::get_if<Assign>(&line.node)) assign(*assignment, line.place);
  if (const auto* set = std::get_if<SetAttribute>(&line.node)) set_attribute(*set, line.place);
  if (const auto* asserted = std::get_if<Assert>(&line.node)) assertion(*asserted, line.place);
  if (const auto* returned = std::get_if<Return>(&line.node)) finish_return(*returned, line.place);
  if (const auto* nested = std::get_if<Define>(&line.node)) define(*nested, line.place);
  if (const auto* raised = std::get_if<Raise>(&line.node)) raise_error(*raised, line.place);
}

/// Names of modules, of classes and of the file's functions keep their meaning.
void Lowerer::need_free_name(const std::string& name, Place place) const {
  const bool taken = name == "torch" || name == "pytest" || name == "threading" || name == "list" || name == "repr" ||
                     name == "RuntimeError" || class_named(name) != nullptr ||
                     std::ranges::find(program_.functions, name, &Function::name) != program_.functions.end();
  if (taken) fail(place, fmt::format("the name '{}' is taken", name), "Assign to another name");
}

void Lowerer::assign(const Assign& assign, Place place) {
  const auto* call = std::get_if<Invocation>(&assign.value.node);
  const bool makes_library = call != nullptr && dotted_name(*call->callee) == kLibraryClass;
  for (const std::string& name : assign.targets) {
    need_free_name(name, place);
    need_library_kept(name, makes_library, place);
    need_log_kept(name, place);
    if (std::ranges::count(assign.targets, name) > 1)
      fail(place, fmt::format("'{}' is assigned twice", name), "Use two names");
  }
  if (assign.targets.empty() && std::holds_alternative<Name>(assign.value.node)) return read_log(assign.value, place);
  const auto* list = std::get_if<List>(&assign.value.node);
  const bool in_test = returns_.empty() && assign.targets.size() == 1 && !assign.unpack;
  if (list != nullptr && list->items.empty() && in_test)
    return void(scope_.frame().names.insert_or_assign(assign.targets[0], EmptyList{lists_++}));
  deliver(assign.value, Targets{&scope_.frame(), assign.targets, assign.unpack, place, place.line});
}

/// Evaluates `value` in the innermost function and assigns it to `targets`.
void Lowerer::deliver(const Expression& value, const Targets& targets) {
  const auto* name = std::get_if<Name>(&value.node);
  if (load_saved(value, targets)) return;
  if (is_part(value)) {
    get_part(value, targets);
  } else if (auto found = name == nullptr ? observed(value) : std::nullopt) {
    if (is_grad_list(*found))
      fail(start_of(value), fmt::format("`{}` is used outside an assert", print(value)),
           fmt::format("Write `assert {} == […]`, or `g = x.grad`", print(value)));
    const Observed reading = read(*found, !targets.names.empty(), targets.line);
    if (!targets.names.empty()) bind(targets, reading, start_of(value));
  } else if (std::holds_alternative<Invocation>(value.node)) {
    call(value, targets);
  } else {
    bind(targets, name != nullptr ? look_up(value) : Binding(literal(value)), start_of(value));
  }
}

void Lowerer::bind(const Targets& targets, const Binding& binding, Place place) {
  if (targets.unpack || targets.names.size() != 1)
    fail(place, "this is one value, not a list of tensors", "Assign it to one name, without a comma");
  targets.frame->names.insert_or_assign(targets.names[0], binding);
}

void Lowerer::set_attribute(const SetAttribute& set, Place place) {
  if (const Context* ctx = context({Name{set.object}, place})) return set_context(*ctx, set, place);
  const Slot slot = tensor({Name{set.object}, place});
  if (set.attribute == "data") {
    const Slot data = tensor(set.value);
    emit(SetData{slot, data}, place.line);
    return;
  }
  if (set.attribute == "grad") return set_grad(slot, set.value, place);
  if (set.attribute != "requires_grad")
    fail(place, fmt::format("'{}' cannot be assigned to", set.attribute),
         "The attributes that can be set are x.requires_grad, x.grad and x.data");
  emit(SetRequiresGrad{slot, truth(set.value, "requires_grad")}, place.line);
}

std::map<std::string, Binding> Lowerer::bind_parameters(const Function& callee, const Invocation& call, Place place) {
  std::map<std::string, Binding> names;
  if (takes_any_arguments(callee))
    fail(place, fmt::format("the function {} takes {}", callee.name, callee.parameters.back()),
         "Only kernels take any arguments: write its parameters out");
  const std::string signature = fmt::format("{}({})", callee.name, fmt::join(callee.parameters, ", "));
  const auto value = [&](const Expression& argument) -> Binding {
    return std::holds_alternative<Name>(argument.node) ? look_up(argument) : Binding(literal(argument));
  };
  if (call.positional.size() > callee.parameters.size())
    fail(start_of(call.positional[callee.parameters.size()]),
         fmt::format("{} takes {} arguments, {} are given", callee.name, callee.parameters.size(),
                     call.positional.size()),
         fmt::format("It is defined as {}", signature));
  for (std::size_t i = 0; i < call.positional.size(); ++i)
    names.emplace(callee.parameters[i], value(call.positional[i]));
  for (const auto& [name, argument] : call.keywords) {
    const bool known = std::find(callee.parameters.begin(), callee.parameters.end(), name) != callee.parameters.end();
    if (!known || !names.emplace(name, value(argument)).second)
      fail(start_of(argument), fmt::format("{} has no parameter '{}', or has it already", callee.name, name),
           fmt::format("It is defined as {}", signature));
  }
  for (const std::string& parameter : callee.parameters)
    if (!names.contains(parameter))
      fail(place, fmt::format("the argument '{}' of {} is missing", parameter, callee.name),
           fmt::format("It is defined as {}", signature));
  return names;
}

bool Lowerer::write_in(const Function& callee, Frame frame, Place place, Returning returning) {
  for (const Frame& other : scope_.frames())
    if (other.function == frame.function)
      fail(place, fmt::format("{} calls itself", frame.function),
           "Programs have no recursion: write the statements out");
  scope_.frames().push_back(std::move(frame));
  returns_.push_back(std::move(returning));
  block(callee.body, false);
  const bool done = returns_.back().done;
  last_returned_ = std::move(returns_.back().returned);
  returns_.pop_back();
  std::erase_if(used_by_hooks_, [&](const UsedByHook& used) { return used.frame == &scope_.frame(); });
  scope_.frames().pop_back();
  return done;
}

Lowerer::Returned Lowerer::returned_by(const Function& callee, Frame frame, Place place) {
  Returning returning;
  returning.returned.emplace();
  write_in(callee, std::move(frame), place, std::move(returning));
  return std::move(*last_returned_);
}

void Lowerer::inline_function(const NestedFunction& nested, const Invocation& call, Place place,
                              const Targets& targets) {
  const Function& callee = *nested.function;
  Frame frame = nested.home != nullptr ? frame_of(nested) : Frame{callee.name, callee.name + "_", {}};
  frame.names = bind_parameters(callee, call, place);
  const bool returned = write_in(callee, std::move(frame), place, {targets, std::nullopt});
  if (!returned && !targets.names.empty())
    fail(place, fmt::format("{} returns nothing to assign", callee.name),
         "End it with `return`, or call it without `=`");
}

/// `return value`: the value goes to the targets of the call that is being inlined.
void Lowerer::finish_return(const Return& returned, Place place) {
  if (!returned.value) return;
  if (returns_.empty())
    fail(place, "a test returns a value", "Remove the `return`; write an `assert` for what the test shows");
  returns_.back().done = true;
  if (returns_.back().returned) return keep_returned(*returned.value);
  Targets targets = returns_.back().targets;
  targets.line = place.line;
  const auto* tuple = std::get_if<Tuple>(&returned.value->node);
  if (tuple == nullptr) {
    if (targets.names.empty() && !std::holds_alternative<Invocation>(returned.value->node)) return;
    return deliver(*returned.value, targets);
  }
  if (targets.names.empty()) return;
  if (!targets.unpack || targets.names.size() != tuple->items.size())
    fail(targets.place,
         fmt::format("the function returns {} values, but {} {} assigned", tuple->items.size(), targets.names.size(),
                     targets.names.size() == 1 ? "name is" : "names are"),
         "Write one name for each value to the left of '=', with commas between them");
  std::vector<Binding> bindings;
  for (const Expression& item : tuple->items)
    bindings.push_back(std::holds_alternative<Name>(item.node) ? look_up(item) : Binding(literal(item)));
  for (std::size_t i = 0; i < bindings.size(); ++i)
    targets.frame->names.insert_or_assign(targets.names[i], bindings[i]);
}

/// `return y, None` in a method of a class, a hook or a kernel; a returned call gets a slot for its tensor.
void Lowerer::keep_returned(const Expression& value) {
  const auto* tuple = std::get_if<Tuple>(&value.node);
  if (const auto* call = std::get_if<Invocation>(&value.node); call != nullptr && passes_arguments(*call)) {
    deliver(value, Targets{&scope_.frame(), {}, false, start_of(value), start_of(value).line});
    returns_.back().returned->passed = true;
    return;
  }
  returns_.back().returned->tuple = tuple != nullptr;
  for (const Expression& item : tuple != nullptr ? tuple->items : Expressions{value}) {
    const Place place = start_of(item);
    Binding binding;
    if (std::holds_alternative<Invocation>(item.node)) {
      Frame unnamed{"", "", {}};
      deliver(item, Targets{&unnamed, {"returned"}, false, place, place.line});
      binding = unnamed.names.at("returned");
    } else {
      binding = std::holds_alternative<Name>(item.node) ? look_up(item) : Binding(literal(item));
    }
    refuse_parameter(binding, item);
    const auto* slot = std::get_if<Slot>(&binding);
    const auto* constant = std::get_if<Expression>(&binding);
    if (slot == nullptr && (constant == nullptr || !std::holds_alternative<NoneLiteral>(constant->node)))
      fail(place, fmt::format("{} returns {}", scope_.frame().function, print(item)), "Return tensors, or None");
    if (slot != nullptr) need_memory(*slot, place);
    returns_.back().returned->values.push_back({slot != nullptr ? std::optional(*slot) : std::nullopt, place});
  }
}

void require_distinct_names(const Program& program) {
  std::set<std::string> names;
  for (const Function& function : program.functions)
    if (!names.insert(function.name).second)
      throw ProgramError(program.file, function.place, "there are two functions called " + function.name,
                         "Rename one: Python would keep only the second");
  for (const Class& definition : program.classes)
    if (!names.insert(definition.name).second)
      throw ProgramError(program.file, definition.place, "there are two definitions of " + definition.name,
                         "Rename one: Python would keep only the second");
}

void require_tests(const Program& program) {
  if (std::ranges::none_of(program.functions, is_test, &Function::name))
    throw ProgramError(program.file, {}, "there is no test in this file", "Define one: `def test_…(device):`");
}

std::vector<Test> lower(const Program& program) {
  require_distinct_names(program);
  require_tests(program);
  std::vector<Test> tests;
  for (const Function& function : program.functions)
    if (is_test(function.name)) tests.push_back(Lowerer(program, function).run());
  return tests;
}

}  // namespace plumbline::program
