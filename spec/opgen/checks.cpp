// What the alias annotations of a schema imply for the other columns.
#include "spec/opgen/checks.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumbline::opgen {

namespace {

bool is_tensor(const Parameter& p) { return p.type.type == ArgType::Tensor || p.type.type == ArgType::TensorList; }

Problem wrong_kind(std::string problem, std::string_view kinds) {
  return {std::move(problem), fmt::format("write 'kind: {}'", kinds), std::nullopt};
}

/// Only the first argument, or a last `out`, may be aliased.
std::optional<Problem> check_aliased_arguments(const Schema& schema) {
  const AliasSet& result = schema.results.front().type.alias;
  bool found = result.name.empty();
  for (const Parameter& argument : schema.arguments) {
    const AliasSet& alias = argument.type.alias;
    if (alias.name.empty()) continue;
    const bool out = &argument == &schema.arguments.back() && argument.keyword_only && alias.write;
    if (&argument != &schema.arguments.front() && !out)
      return Problem{fmt::format("the argument '{}' has an alias annotation but is not the first", argument.name),
                     "the table supports ops that alias or write their first argument, or write a last one that is "
                     "keyword-only",
                     argument.offset};
    if (alias.name != result.name || alias.write != result.write)
      return Problem{fmt::format("the result does not repeat the annotation of the argument '{}'", argument.name),
                     "annotate both alike, as in 'Tensor(a) self … -> Tensor(a)'", schema.results_offset};
    const bool list = schema.results.front().type.type == ArgType::TensorList;
    if (alias.wildcard != list)
      return Problem{"'-> *' and a result that is a list of views belong together",
                     "write 'Tensor(a -> *) self … -> Tensor(a)[]' or 'Tensor(a) self … -> Tensor(a)'",
                     argument.offset};
    found = true;
  }
  if (!found)
    return Problem{fmt::format("the result is annotated '({})' but no argument is", result.name),
                   "annotate the argument that it aliases", schema.results_offset};
  return std::nullopt;
}

}  // namespace

std::optional<Problem> check_schema(const Schema& schema) {
  const auto plain = [](const Parameter& p) { return p.type.type == ArgType::Tensor && !p.type.optional; };
  const bool list = schema.results.size() == 1 && schema.results.front().type.type == ArgType::TensorList;
  if (schema.results.empty() || (!list && !std::ranges::all_of(schema.results, plain)) || schema.results.size() > 8)
    return Problem{"the op does not return one to eight tensors, or one list of tensors",
                   "the table does not support such ops yet", schema.results_offset};
  if (schema.arguments.size() > 127)
    return Problem{"the op has more than 127 arguments", "widen Saves in spec/ops/ops.h", 0};
  return check_aliased_arguments(schema);
}

std::optional<Problem> check_kind(const Schema& schema, OpKind kind) {
  const AliasSet& alias = schema.results.front().type.alias;
  const bool takes_tensor = std::ranges::any_of(schema.arguments, is_tensor);
  if (alias.write && !schema.arguments.front().type.alias.write) {
    if (kind != OpKind::Out) return wrong_kind("the schema writes its last argument", "Out");
    return std::nullopt;
  }
  if (alias.write) {
    if (kind != OpKind::Inplace && kind != OpKind::InplaceView)
      return wrong_kind(fmt::format("the schema writes its argument ('({}!)')", alias.name),
                        "Inplace' or 'kind: InplaceView");
    if (!schema.name.ends_with('_'))
      return Problem{fmt::format("the op writes its first argument, but '{}' does not end in '_'", schema.name),
                     "write PyTorch's name of the in-place op", 0};
    return std::nullopt;
  }
  if (!alias.name.empty()) {
    if (kind != OpKind::View)
      return wrong_kind(fmt::format("the schema's result aliases its argument ('({})')", alias.name), "View");
    return std::nullopt;
  }
  const OpKind implied = takes_tensor ? OpKind::Functional : OpKind::Factory;
  if (kind != implied)
    return wrong_kind(takes_tensor ? "the schema takes tensors and annotates no alias" : "the schema takes no tensor",
                      takes_tensor ? "Functional" : "Factory");
  return std::nullopt;
}

std::optional<Problem> check_aliases(OpKind kind, Aliases aliases, bool unsafe) {
  const auto wrong = [](std::string_view what, std::string_view right) {
    return Problem{fmt::format("this value of 'aliases' contradicts the kind: {}", what),
                   fmt::format("write 'aliases: {}'", right), std::nullopt};
  };
  switch (kind) {
    case OpKind::Functional:
      if (unsafe && aliases == Aliases::always) break;  // unsafe_split: views that autograd does not track
      [[fallthrough]];
    case OpKind::Factory:
      if (aliases != Aliases::never) return wrong("its results have their own storage", "never");
      break;
    case OpKind::View:
      if (aliases != Aliases::always && aliases != Aliases::may)
        return wrong("a view aliases its base", "always' or 'aliases: may");
      break;
    case OpKind::Out:
      if (aliases != Aliases::out) return wrong("an out= op returns what it writes", "out");
      break;
    case OpKind::InplaceView:
      if (aliases == Aliases::argument) break;
      [[fallthrough]];
    case OpKind::Inplace:
      if (aliases != Aliases::self) return wrong("an in-place op returns its first argument", "self");
      break;
  }
  return std::nullopt;
}

std::optional<Problem> read_saves(const Entry& entry, std::string_view item, Saves& saves) {
  constexpr std::string_view kCopyOf = "copy of ";
  constexpr std::string_view kWhen = " when ";
  const std::string_view whole = item;
  saves.copy = item.starts_with(kCopyOf);
  if (saves.copy) item.remove_prefix(kCopyOf.size());
  const std::size_t when = item.find(kWhen);
  if (when == std::string_view::npos)
    return Problem{fmt::format("'{}' is not an item of 'saves'", whole), "write 'X when Y' or 'copy of X when Y'",
                   std::nullopt};

  const auto tensor_argument = [&](std::string_view name, std::int8_t& place) -> std::optional<Problem> {
    const auto found = std::ranges::find(entry.schema.arguments, name, &Parameter::name);
    if (found == entry.schema.arguments.end())
      return Problem{fmt::format("'saves' names '{}', which is not an argument of {}", name, entry.schema.name),
                     "name a tensor argument of the schema", std::nullopt};
    if (!is_tensor(*found))
      return Problem{fmt::format("'saves' names '{}', which is not a tensor", name),
                     "name a tensor argument of the schema", std::nullopt};
    place = static_cast<std::int8_t>(found - entry.schema.arguments.begin());
    return std::nullopt;
  };
  const std::string_view what = item.substr(0, when);
  const auto& results = entry.schema.results;
  const auto named = std::ranges::find(results, what, &Parameter::name);
  if (!saves.copy && (what == "result" || (named != results.end() && !named->name.empty())))
    saves.saved = static_cast<std::int8_t>(kSavesResult - (what == "result" ? 0 : named - results.begin()));
  else if (auto problem = tensor_argument(what, saves.saved))
    return problem;
  if (auto problem = tensor_argument(item.substr(when + kWhen.size()), saves.when)) return problem;

  if (entry.composite)
    return Problem{"a composite op saves nothing itself", "remove 'saves' or 'composite'", std::nullopt};
  const bool overwritten = entry.kind == OpKind::Inplace && saves.saved == 0;
  if (overwritten != saves.copy)
    return overwritten ? Problem{"the op overwrites what it saves", "write 'copy of X when Y'", std::nullopt}
                       : Problem{"a copy is saved only of an argument that the op overwrites", "remove 'copy of'",
                                 std::nullopt};
  return std::nullopt;
}

}  // namespace plumbline::opgen
