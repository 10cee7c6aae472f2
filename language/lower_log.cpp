// Lowering the test's log, a list of texts, and `raise`.
#include <fmt/format.h>

#include "language/lowerer.h"
#include "language/print.h"
#include "language/refusal.h"

namespace plumbline::program {

const EmptyList* Lowerer::list_named(const Expression& expression) {
  const auto* name = std::get_if<Name>(&expression.node);
  const Binding* binding = name != nullptr ? find(name->id) : context_attribute(expression);
  return binding == nullptr ? nullptr : std::get_if<EmptyList>(binding);
}

void Lowerer::take_as_log(const EmptyList& list, const Expression& name) {
  if (!log_) log_ = list.number;
  if (*log_ != list.number)
    fail(start_of(name), fmt::format("the list {} is a second log", print(name)),
         "A test has one log: write `log.clear()` to empty it");
}

void Lowerer::need_log_kept(const std::string& name, Place place) {
  const auto& names = scope_.frame().names;
  const auto found = names.find(name);
  const auto* list = found == names.end() ? nullptr : std::get_if<EmptyList>(&found->second);
  if (list != nullptr && list->number == log_)
    fail(place, fmt::format("'{}' is the name of the log", name),
         fmt::format("Use another name; to empty the log, write `{}.clear()`", name));
}

bool Lowerer::log_call(const Expression& callee, const Invocation& call, const Targets& targets) {
  const auto& method = std::get<Attribute>(callee.node);
  if (method.name != "append" && method.name != "clear") return false;
  const std::string log = print(*method.value);
  const EmptyList* list = list_named(*method.value);
  const auto* name = std::get_if<Name>(&method.value->node);
  const Binding* binding = name == nullptr ? nullptr : find(name->id);
  if (name != nullptr && binding == nullptr)
    fail(start_of(callee), fmt::format("there is no log '{}' here", log),
         in_kernel_ && !in_backward_ && contexts_.empty()
             ? "Define the kernel in the test, below `log = []`: a function of the file does not see the test's names"
             : "Make it in the test, `log = []`. A function sees it if it is defined in the test, below that line, or "
               "gets it as an argument");
  if (binding != nullptr && std::holds_alternative<Expression>(*binding))
    fail(start_of(callee), fmt::format("'{}' is not a log", log), "Make the log in the test itself: `log = []`");
  if (list == nullptr) return false;
  const EmptyList taken = *list;
  take_as_log(taken, *method.value);
  if (!targets.names.empty())
    fail(targets.place, fmt::format("{}.{} returns nothing to assign", log, method.name), "Call it without `=`");
  if (method.name == "append") return emit(appended(call, callee.place), targets.line), true;
  if (!call.positional.empty() || !call.keywords.empty())
    fail(callee.place, fmt::format("{}.clear takes no arguments", log), fmt::format("Write `{}.clear()`", log));
  return emit(ClearLog{}, targets.line), true;
}

AppendToLog Lowerer::appended(const Invocation& call, Place place) {
  const bool one = call.positional.size() == 1 && call.keywords.empty();
  const auto* shown = one ? std::get_if<Invocation>(&call.positional[0].node) : nullptr;
  const bool represents = shown != nullptr && dotted_name(*shown->callee) == "repr" && shown->keywords.empty();
  if (represents && shown->positional.size() == 1) {
    const auto* name = std::get_if<Name>(&shown->positional[0].node);
    const Binding* binding = name == nullptr ? nullptr : find(name->id);
    if (binding != nullptr && std::holds_alternative<KernelKeys>(*binding)) return {"", true};
  }
  if (one && shown == nullptr) {
    const Expression& given = call.positional[0];
    const bool named = std::holds_alternative<Name>(given.node);
    const auto text = named ? literal_of(look_up(given), given.place) : std::optional(given);
    if (text && string_in(*text) != nullptr) return {*string_in(*text)};
  }
  fail(place, "the log gets something other than a text",
       "Write `log.append(\"text\")`, or in a kernel that is registered with_keyset=True `log.append(repr(ks))`, where "
       "ks is its first parameter");
}

void Lowerer::read_log(const Expression& name, Place place) {
  const EmptyList* list = list_named(name);
  if (list == nullptr) fail(start_of(name), refuse_idle().problem, refuse_idle().advice);
  take_as_log(*list, name);
  emit(ReadLog{}, place.line);
}

void Lowerer::raise_error(const Raise& raised, Place place) {
  const auto* call = std::get_if<Invocation>(&raised.value.node);
  const bool fits = call != nullptr && dotted_name(*call->callee) == "RuntimeError" && call->positional.size() == 1 &&
                    call->keywords.empty();
  const std::string* message = fits ? string_in(call->positional[0]) : nullptr;
  if (message == nullptr)
    fail(start_of(raised.value), fmt::format("found `raise {}`", print(raised.value)),
         "Programs raise only RuntimeError, with a text: write `raise RuntimeError(\"…\")`");
  emit(RaiseError{*message}, place.line);
}

}  // namespace plumbline::program
