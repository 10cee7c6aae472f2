// Reads a script's own operators.
#include "adapters/protocol/decode_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <set>
#include <string>

#include "spec/vocabulary/key_layout.h"
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
  if (space.empty() || !std::ranges::all_of(space, in_name) || space == "aten")
    c.expected("a namespace of the program's own");
  return space;
}

Invoke invoke(const Cursor& c) {
  c.object({"do", "line", "operator", "inputs", "results", "redispatch", "passes_arguments"});
  Invoke made{static_cast<std::int32_t>(c.at("operator").integer(kCalledOperator, INT32_MAX)),
              c.at("inputs").list(value), slots(c, "results")};
  made.passes_arguments = c.optional_truth("passes_arguments");
  if (!c.has("redispatch")) return made;
  made.redispatch = c.at("redispatch").list([](const Cursor& step) {
    step.object({"kind", "key"});
    return KeyStep{step.at("kind").one_of<KeyStep::Kind>(kKeyStepNames), step.at("key").text()};
  });
  for (std::size_t i = 0; i < made.redispatch->size(); ++i) {
    const KeyStep& step = (*made.redispatch)[i];
    const bool only = step.kind == KeyStep::Kind::only;
    const bool right =
        takes_key(step.kind) ? (only && step.key == "Undefined") || is_runtime_key(step.key) : step.key.empty();
    if (!right) c.at("redispatch").expected("for each of keep, add, remove and only a runtime key");
    if (only && i > 0) c.at("redispatch").expected("only as the first step, or not at all");
  }
  return made;
}

std::optional<std::int32_t> kernel_number(const Cursor& c) {
  return c.at("kernel").json().is_null() ? std::nullopt : std::optional(number(c.at("kernel")));
}

/// The questions, the log and the program's own errors.
std::optional<StatementKind> of_questions(std::string_view what, const Cursor& c) {
  if (what == "query_kernel") {
    c.object({"do", "line", "operator", "key", "what"});
    return QueryKernel{c.at("operator").text(), c.at("key").text(),
                       c.at("what").one_of<QueryKernel::What>(kQueryNames)};
  }
  if (what == "query_thread_key") {
    c.object({"do", "line", "key", "excluded"});
    return QueryThreadKey{runtime_key(c.at("key")), c.optional_truth("excluded")};
  }
  if (what == "raise") {
    c.object({"do", "line", "message"});
    return RaiseError{c.at("message").text()};
  }
  if (what != "append_to_log") return std::nullopt;
  c.object({"do", "line", "text", "keys"});
  const bool keys = c.optional_truth("keys");
  if (keys == c.has("text")) c.expected("either \"text\" or \"keys\": true");
  return AppendToLog{keys ? "" : c.at("text").text(), keys};
}

Complex complex_number(const Cursor& c) {
  const auto parts = c.list([](const Cursor& part) { return part.number(); });
  if (parts.size() != 2) c.expected("two numbers, the real and the imaginary part");
  return {parts[0], parts[1]};
}

}  // namespace

std::optional<StatementKind> of_operators(std::string_view what, const Cursor& c) {
  if (what == "invoke") return invoke(c);
  if (what == "add_kernel") {
    c.object({"do", "line", "library", "operator", "key", "kernel"});
    return AddKernel{c.at("library").text(), number(c.at("operator")), c.at("key").text(), kernel_number(c)};
  }
  if (what == "add_fallback") {
    c.object({"do", "line", "library", "key", "kernel"});
    return AddFallback{c.at("library").text(), c.at("key").text(), kernel_number(c)};
  }
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
  return of_questions(what, c);
}

std::string runtime_key(const Cursor& c) {
  const std::string name = c.text();
  if (!is_runtime_key(name)) c.expected("the name of a runtime key, as \"AutogradCPU\"");
  return name;
}

void check_key_set(const StatementKind& kind, const CustomKernel* kernel, const Cursor& c) {
  const bool with_keyset = kernel != nullptr && kernel->with_keyset;
  if (const auto* append = std::get_if<AppendToLog>(&kind); append != nullptr && append->keys && !with_keyset)
    c.at("keys").expected("no key set outside a kernel with_keyset");
  const auto number_of = [](const std::vector<Value>& values) {
    return std::ranges::any_of(values, [](const Value& v) { return std::holds_alternative<NumberOf>(v); });
  };
  const auto* call = std::get_if<Call>(&kind);
  if (call != nullptr && kernel == nullptr && number_of(call->arguments))
    c.at("arguments").expected("no number_of outside a kernel");
  const auto* invoke = std::get_if<Invoke>(&kind);
  if (invoke == nullptr) return;
  if (kernel == nullptr && number_of(invoke->inputs)) c.at("inputs").expected("no number_of outside a kernel");
  if (invoke->redispatch && !with_keyset &&
      (invoke->redispatch->empty() || invoke->redispatch->front().kind != KeyStep::Kind::only))
    c.at("redispatch").expected("\"only\" as the first step outside a kernel with_keyset, and in a forward");
  if (invoke->passes_arguments && (kernel == nullptr || !kernel->any_arguments))
    c.at("passes_arguments").expected("no arguments to pass on outside a kernel with any_arguments");
  if (invoke->op == kCalledOperator && !invoke->passes_arguments)
    c.at("operator").expected("an operator, or -1 with passes_arguments");
}

std::vector<CustomOperator> operators(const Cursor& c) {
  std::set<std::string> names;
  return c.list([&](const Cursor& o) {
    o.object({"namespace", "schema"});
    auto op = schema_of(o.at("schema").text());
    if (!op) o.at("schema").expected("a schema, as \"f(Tensor(a!) x, int n) -> Tensor\"");
    op->name = own_space(o.at("namespace")) + "::" + op->name;
    if (!names.insert(op->name).second) o.at("schema").expected("an operator that is not defined above");
    return *op;
  });
}

CustomKernel kernel(const Cursor& c) {
  c.object({"name", "with_keyset", "any_arguments", "returns_passed", "parameters", "statements", "returned"});
  CustomKernel made{c.at("name").text()};
  made.with_keyset = c.optional_truth("with_keyset");
  made.parameters = slots(c, "parameters");
  made.returned = slots(c, "returned");
  made.any_arguments = c.optional_truth("any_arguments");
  made.returns_passed = c.optional_truth("returns_passed");
  if (made.any_arguments && !made.parameters.empty()) c.at("parameters").expected("none with any_arguments");
  if (made.returns_passed && (!made.any_arguments || !made.returned.empty()))
    c.at("returns_passed").expected("true only with any_arguments, and with none returned");
  return made;
}

Value value(const Cursor& c) {
  const auto& json = c.json();
  if (json.is_null()) return None{};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_float()) return json.get<double>();
  if (json.is_number_integer()) return c.integer();
  if (json.is_array()) return c.integers();
  if (json.is_object() && c.has("slots"))
    return c.object({"slots"}).at("slots").list([](const Cursor& s) { return s.slot(); });
  if (json.is_object() && c.has("text")) return c.object({"text"}).at("text").text();
  if (json.is_object() && c.has("complex")) return complex_number(c.object({"complex"}).at("complex"));
  if (json.is_object() && c.has("number_of")) return NumberOf{c.object({"number_of"}).at("number_of").slot()};
  if (json.is_object()) return c.object({"slot"}).at("slot").slot();
  if (const auto dtype = dtype_named(json.get_ref<const std::string&>())) return *dtype;
  const auto& text = json.get_ref<const std::string&>();
  if (text == "nan" || text == "inf" || text == "-inf") return c.number();
  c.expected(
      R"(null, a boolean, a number, "nan", "inf", "-inf", a dtype, an array of integers, {"slot": N}, {"slots": [N]}, {"text": "…"}, {"complex": [RE, IM]} or {"number_of": N})");
}

}  // namespace plumbline::protocol
