// Reads a script's own operators.
#include "adapters/protocol/decode_operators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <set>
#include <string>

#include "adapters/protocol/dispatch_script.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::protocol {
namespace {

std::vector<Slot> slots(const Cursor& c, const char* key) {
  return c.at(key).list([](const Cursor& s) { return s.slot(); });
}
std::int32_t number(const Cursor& c) { return static_cast<std::int32_t>(c.integer(0, INT32_MAX)); }

/// A namespace of the program's own.
std::string own_space(const Cursor& c) {
  const std::string space = c.text();
  const auto in_name = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
  };
  if (space.empty() || !std::ranges::all_of(space, in_name) || space == "aten" || space == "_")
    c.expected("a namespace of the program's own");
  return space;
}

Invoke invoke(const Cursor& c) {
  c.object({"do", "line", "operator", "inputs", "results", "redispatch"});
  Invoke made{number(c.at("operator")), slots(c, "inputs"), slots(c, "results")};
  if (!c.has("redispatch")) return made;
  made.redispatch = key_steps(c.at("redispatch"));
  for (const KeyStep& step : *made.redispatch)
    if (takes_key(step.kind) ? std::ranges::find(kStepKeys, step.key) == kStepKeys.end() : !step.key.empty())
      c.at("redispatch")
          .expected(fmt::format("for each of keep, add and remove one of the keys {}", fmt::join(kStepKeys, ", ")));
  return made;
}

AddKernel add_kernel(const Cursor& c) {
  c.object({"do", "line", "library", "operator", "key", "kernel"});
  AddKernel made{c.at("library").text(), number(c.at("operator")), c.at("key").text()};
  if (std::ranges::find(kKernelKeys, made.key) == kKernelKeys.end())
    c.at("key").expected(fmt::format("one of {}", fmt::join(kKernelKeys, ", ")));
  if (!c.at("kernel").json().is_null()) made.kernel = number(c.at("kernel"));
  return made;
}

}  // namespace

std::optional<StatementKind> of_operators(std::string_view what, const Cursor& c) {
  if (what == "invoke") return invoke(c);
  if (what == "add_kernel") return add_kernel(c);
  if (what == "make_library") {
    c.object({"do", "line", "library", "namespace", "kind"});
    return MakeLibrary{c.at("library").text(), own_space(c.at("namespace")),
                       c.at("kind").one_of<MakeLibrary::Kind>(kLibraryKindNames)};
  }
  if (what == "define_operator") {
    c.object({"do", "line", "library", "operator"});
    return DefineOperator{c.at("library").text(), number(c.at("operator"))};
  }
  if (what == "drop_library") {
    c.object({"do", "line", "library"});
    return DropLibrary{c.at("library").text()};
  }
  return std::nullopt;
}

std::vector<CustomOperator> operators(const Cursor& c) {
  std::set<std::string> names;
  return c.list([&](const Cursor& o) {
    o.object({"namespace", "schema"});
    auto op = schema_of(o.at("schema").text());
    if (!op) o.at("schema").expected("a schema of tensors, as \"f(Tensor(a!) x) -> Tensor\"");
    op->name = own_space(o.at("namespace")) + "::" + op->name;
    if (!names.insert(op->name).second) o.at("schema").expected("an operator that is not defined above");
    return *op;
  });
}

CustomKernel kernel(const Cursor& c) {
  c.object({"name", "with_keyset", "parameters", "statements", "returned"});
  CustomKernel made{c.at("name").text()};
  made.with_keyset = c.optional_truth("with_keyset");
  made.parameters = slots(c, "parameters");
  made.returned = slots(c, "returned");
  return made;
}

std::vector<KeyStep> key_steps(const Cursor& c) {
  return c.list([](const Cursor& step) {
    step.object({"kind", "key"});
    return KeyStep{step.at("kind").one_of<KeyStep::Kind>(kKeyStepNames), step.at("key").text()};
  });
}

}  // namespace plumbline::protocol
