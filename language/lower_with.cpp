// Lowering `with`: guards, and expected errors.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "language/guards.h"
#include "language/lowerer.h"
#include "language/print.h"
#include "language/refusal.h"

namespace plumbline::program {

void Lowerer::with(const With& with, Place place, bool raises) {
  const auto* item = std::get_if<Invocation>(&with.item.node);
  const std::string name = dotted_name(item == nullptr ? with.item : *item->callee);
  if (name == kSavedTensorsHooks && item != nullptr) return saved_tensors_hooks(*item, with, place, raises);
  if (const auto later = comes_later(name)) fail(start_of(with.item), later->problem, later->advice);
  if (is_auto_non_variable_type_mode(name))
    fail(start_of(with.item), "AutoNonVariableTypeMode is C++ only: Python has no such guard",
         "Write `with torch._C._AutoDispatchBelowAutograd():`, which excludes the same keys");
  const GuardSpelling* spelling = guard_named(name);
  if (spelling == nullptr && name != "pytest.raises")
    fail(start_of(with.item), fmt::format("`with {}` is not a guard that programs can use", print(with.item)),
         list_of_guards());
  if (item == nullptr)
    fail(with.item.place, fmt::format("{} is not called", name), fmt::format("Write `with {}():`", name));
  if (spelling != nullptr) {
    need_import("torch", start_of(with.item));
    emit(guard(*item, *spelling, with.item.place), place.line);
    block(with.body, raises);
    emit(Exit{}, place.line);
    return;
  }
  if (into_ != &test_.script.statements)
    fail(start_of(with.item), "pytest.raises is used in a backward", "Put pytest.raises around y.backward()");
  if (!raises) return expect_error(*item, with, place);
  Scope::Saved saved = scope_.save();
  expect_error(*item, with, place);
  scope_.restore(std::move(saved));
}

Enter Lowerer::guard(const Invocation& item, const GuardSpelling& spelling, Place place) {
  const GuardKind kind = spelling.kind;
  const std::size_t given = item.positional.size() + item.keywords.size();
  switch (spelling.takes) {
    case Takes::nothing:
      if (given == 0) return {kind, kind != GuardKind::no_grad};
      fail(place, fmt::format("{} does not take these arguments", spelling.name),
           fmt::format("Write {}()", spelling.name));
    case Takes::optional_truth:
      if (given == 0) return {kind, true};
      [[fallthrough]];
    case Takes::truth: {
      const bool by_keyword = item.positional.empty() && given == 1 && item.keywords[0].name == "mode";
      if (given != 1 || (item.positional.empty() && !by_keyword))
        fail(place, fmt::format("{} does not take these arguments", spelling.name),
             fmt::format("Write {0}(True) or {0}(False)", spelling.name));
      return {kind, truth(by_keyword ? item.keywords[0].value : item.positional[0], spelling.name)};
    }
    case Takes::key_set:
    case Takes::key:
      break;
  }
  const bool in_set = spelling.takes == Takes::key_set;
  if (item.positional.size() != 1 || !item.keywords.empty())
    fail(place, fmt::format("{} does not take these arguments", spelling.name),
         in_set ? fmt::format("Write {}({}({}CPU))", spelling.name, kKeySet, kKeyPrefix)
                : fmt::format("Write {}({}CPU)", spelling.name, kKeyPrefix));
  const auto read = in_set ? key_of_set : key_named;
  return {kind, true, read(item.positional[0], Undefined::refused, refusing())};
}

void Lowerer::expect_error(const Invocation& item, const With& with, Place place) {
  need_import("pytest", start_of(with.item));
  ExpectedError error{0, 0, item.positional.size() == 1 ? dotted_name(item.positional[0]) : "", "", place.line};
  if (std::find(kExceptions.begin(), kExceptions.end(), error.exception) == kExceptions.end())
    fail(item.positional.empty() ? with.item.place : start_of(item.positional[0]),
         "pytest.raises takes one exception that programs can expect",
         fmt::format("Write pytest.raises(RuntimeError) or one of {}", fmt::join(kExceptions, ", ")));
  for (const auto& [name, value] : item.keywords) {
    const auto* match = std::get_if<std::string>(&value.node);
    if (name != "match" || match == nullptr)
      fail(start_of(value), fmt::format("pytest.raises is given {}=", name),
           "Besides the exception it takes only match=\"…\", a string");
    error.match = *match;
  }
  const auto returns = [](const Line& l) { return std::holds_alternative<Return>(l.node); };
  if (std::any_of(with.body.begin(), with.body.end(), returns))
    fail(place, "a `return` is inside pytest.raises", "Put `return` after the block");
  error.first = emit(Try{}, place.line);
  const std::size_t index = test_.errors.size();
  test_.errors.push_back(error);
  ++expecting_;
  block(with.body, true);
  --expecting_;
  test_.errors[index].last = emit(EndTry{}, place.line);
}

}  // namespace plumbline::program
