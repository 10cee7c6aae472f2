// Reading and writing dispatch scripts and their traces.
#include "adapters/protocol/dispatch.h"

#include <fmt/format.h>

#include "adapters/protocol/cursor.h"
#include "adapters/protocol/dispatch_script.h"

namespace plumbline {

using protocol::Cursor;
using protocol::Json;

namespace {

constexpr std::array<std::string_view, 15> kErrors{"none",          "missing_kernel", "ambiguous",     "fallthrough",
                                                   "kernel_raised", "schema",         "defined_twice", "unknown_op",
                                                   "unknown_key",   "fallback_twice", "wrong_library", "alias_query",
                                                   "inconsistent",  "recursion",      "unclassified"};
static_assert(static_cast<std::size_t>(DispatchError::unclassified) + 1 == kErrors.size());

constexpr std::array<std::string_view, 6> kGuards{
    "exclude", "include", "below_autograd", "below_adinplaceorview", "inference_mode", "inference_mode_off"};
constexpr std::array<std::string_view, 3> kActs{"nothing", "redispatch", "call"};
constexpr std::array<std::string_view, 5> kTensors{"cpu", "requires_grad", "inference", "meta", "none"};
constexpr std::array<std::string_view, 6> kSchemas{"tensor", "two", "optional", "list", "number", "malformed"};
constexpr std::array<std::string_view, 3> kLibraries{"DEF", "IMPL", "FRAGMENT"};
constexpr std::array<std::string_view, 2> kTlsQueries{"included", "excluded"};
constexpr std::array<std::string_view, 3> kQueries{"has_kernel", "has_computed", "falls_through"};

template <class E, std::size_t N>
std::string_view named(const std::array<std::string_view, N>& names, E e) {
  return names[static_cast<std::size_t>(e)];
}

Json json_of(const KeyGuard& guard) { return {{"kind", named(kGuards, guard.kind)}, {"key", guard.key}}; }
KeyGuard guard_of(const Cursor& c) {
  c.object({"kind", "key"});
  return {c.at("kind").one_of<KeyGuard::Kind>(kGuards), c.at("key").text()};
}

Json json_of(const ProbeKernel& kernel) {
  Json steps = Json::array();
  for (const KeyStep& step : kernel.steps)
    steps.push_back({{"kind", named(kKeyStepNames, step.kind)}, {"key", step.key}});
  Json json{{"name", kernel.name},
            {"with_keyset", kernel.with_keyset},
            {"act", named(kActs, kernel.act)},
            {"steps", steps},
            {"op", kernel.op},
            {"raises", kernel.raises}};
  if (kernel.guard) json["guard"] = json_of(*kernel.guard);
  return json;
}
ProbeKernel kernel_of(const Cursor& c) {
  c.object({"name", "with_keyset", "act", "steps", "op", "raises", "guard"});
  ProbeKernel kernel;
  kernel.name = c.at("name").text();
  kernel.with_keyset = c.at("with_keyset").truth();
  kernel.act = c.at("act").one_of<ProbeKernel::Act>(kActs);
  kernel.steps = protocol::key_steps(c.at("steps"));
  kernel.op = c.at("op").text();
  kernel.raises = c.at("raises").truth();
  if (c.has("guard")) kernel.guard = guard_of(c.at("guard"));
  return kernel;
}

Json json_of(const std::optional<std::size_t>& kernel) { return kernel ? Json(*kernel) : Json(nullptr); }
std::optional<std::size_t> kernel_number(const Cursor& c, std::size_t kernels) {
  if (c.json().is_null()) return std::nullopt;
  if (kernels == 0) c.expected("null: the script has no kernel");
  return static_cast<std::size_t>(c.integer(0, static_cast<std::int64_t>(kernels) - 1));
}

Json tensors_json(const std::vector<ProbeTensor>& tensors) {
  Json json = Json::array();
  for (const ProbeTensor tensor : tensors) json.push_back(named(kTensors, tensor));
  return json;
}
std::vector<ProbeTensor> tensors_of(const Cursor& c) {
  return c.list([](const Cursor& one) { return one.one_of<ProbeTensor>(kTensors); });
}
std::vector<std::string> texts_of(const Cursor& c) {
  return c.list([](const Cursor& one) { return one.text(); });
}

Json json_of(const DispatchStatement& statement) {
  return std::visit(
      []<class S>(const S& s) -> Json {
        if constexpr (std::is_same_v<S, MakeLibrary>) {
          return {{"do", "library"}, {"library", s.library}, {"space", s.space}, {"kind", named(kLibraries, s.kind)}};
        } else if constexpr (std::is_same_v<S, DefineOp>) {
          return {{"do", "define"}, {"library", s.library}, {"op", s.op}, {"schema", named(kSchemas, s.schema)}};
        } else if constexpr (std::is_same_v<S, ImplOp>) {
          return {{"do", "impl"}, {"library", s.library}, {"op", s.op}, {"key", s.key}, {"kernel", json_of(s.kernel)}};
        } else if constexpr (std::is_same_v<S, FallbackOp>) {
          return {{"do", "fallback"}, {"library", s.library}, {"key", s.key}, {"kernel", json_of(s.kernel)}};
        } else if constexpr (std::is_same_v<S, DropLibrary>) {
          return {{"do", "drop"}, {"library", s.library}};
        } else if constexpr (std::is_same_v<S, EnterGuard>) {
          return {{"do", "enter"}, {"guard", json_of(s.guard)}};
        } else if constexpr (std::is_same_v<S, LeaveGuard>) {
          return {{"do", "leave"}};
        } else if constexpr (std::is_same_v<S, InvokeOp>) {
          return {{"do", "call"}, {"op", s.op}, {"tensors", tensors_json(s.tensors)}};
        } else if constexpr (std::is_same_v<S, RedispatchOp>) {
          return {{"do", "redispatch"}, {"op", s.op}, {"keys", s.keys}, {"tensors", tensors_json(s.tensors)}};
        } else if constexpr (std::is_same_v<S, QueryTls>) {
          return {{"do", "tls"}, {"key", s.key}, {"what", named(kTlsQueries, s.what)}};
        } else {
          return {{"do", "query"}, {"op", s.op}, {"key", s.key}, {"what", named(kQueries, s.what)}};
        }
      },
      statement);
}

DispatchStatement statement_of(const Cursor& c, std::size_t kernels) {
  if (!c.json().is_object()) c.expected("an object");
  const std::string what = c.at("do").text();
  if (what == "library") {
    c.object({"do", "library", "space", "kind"});
    return MakeLibrary{c.at("library").text(), c.at("space").text(),
                       c.at("kind").one_of<MakeLibrary::Kind>(kLibraries)};
  }
  if (what == "define") {
    c.object({"do", "library", "op", "schema"});
    return DefineOp{c.at("library").text(), c.at("op").text(), c.at("schema").one_of<ProbeSchema>(kSchemas)};
  }
  if (what == "impl") {
    c.object({"do", "library", "op", "key", "kernel"});
    return ImplOp{c.at("library").text(), c.at("op").text(), c.at("key").text(),
                  kernel_number(c.at("kernel"), kernels)};
  }
  if (what == "fallback") {
    c.object({"do", "library", "key", "kernel"});
    return FallbackOp{c.at("library").text(), c.at("key").text(), kernel_number(c.at("kernel"), kernels)};
  }
  if (what == "drop") return c.object({"do", "library"}), DropLibrary{c.at("library").text()};
  if (what == "enter") return c.object({"do", "guard"}), EnterGuard{guard_of(c.at("guard"))};
  if (what == "leave") return c.object({"do"}), LeaveGuard{};
  if (what == "call") {
    c.object({"do", "op", "tensors"});
    return InvokeOp{c.at("op").text(), tensors_of(c.at("tensors"))};
  }
  if (what == "redispatch") {
    c.object({"do", "op", "keys", "tensors"});
    return RedispatchOp{c.at("op").text(), texts_of(c.at("keys")), tensors_of(c.at("tensors"))};
  }
  if (what == "query") {
    c.object({"do", "op", "key", "what"});
    return QueryOp{c.at("op").text(), c.at("key").text(), c.at("what").one_of<QueryOp::What>(kQueries)};
  }
  if (what == "tls") {
    c.object({"do", "key", "what"});
    return QueryTls{c.at("key").text(), c.at("what").one_of<QueryTls::What>(kTlsQueries)};
  }
  c.at("do").expected("library, define, impl, fallback, drop, enter, leave, call, redispatch, query or tls");
}

Json json_of(const DispatchOutcome& outcome) {
  Json log = Json::array();
  for (const KernelLog& one : outcome.log) log.push_back({{"kernel", one.kernel}, {"keys", one.keys}});
  Json json{{"error", named(kErrors, outcome.error)}, {"log", log}};
  if (outcome.error != DispatchError::none) json["message"] = outcome.message;
  if (outcome.reading) json["reading"] = *outcome.reading;
  return json;
}

DispatchOutcome outcome_of(const Cursor& c) {
  c.object({"error", "message", "log", "reading"});
  DispatchOutcome outcome;
  outcome.error = c.at("error").one_of<DispatchError>(kErrors);
  if (c.has("message")) outcome.message = c.at("message").text();
  outcome.log = c.at("log").list([](const Cursor& one) {
    one.object({"kernel", "keys"});
    return KernelLog{one.at("kernel").text(), texts_of(one.at("keys"))};
  });
  if (c.has("reading")) outcome.reading = c.at("reading").truth();
  return outcome;
}

}  // namespace

std::string_view name_of(DispatchError error) { return named(kErrors, error); }

DispatchScript protocol::dispatch_script(const Cursor& c) {
  c.object({"kernels", "statements"});
  DispatchScript script;
  script.kernels = c.at("kernels").list(kernel_of);
  script.statements =
      c.at("statements").list([&](const Cursor& one) { return statement_of(one, script.kernels.size()); });
  int depth = 0;
  for (const DispatchStatement& statement : script.statements) {
    depth += std::holds_alternative<EnterGuard>(statement) ? 1 : std::holds_alternative<LeaveGuard>(statement) ? -1 : 0;
    if (depth < 0) c.at("statements").expected("guards to be entered before they are left");
  }
  return script;
}

std::string encode_dispatch(std::int64_t id, const DispatchScript& script) {
  Json kernels = Json::array();
  for (const ProbeKernel& kernel : script.kernels) kernels.push_back(json_of(kernel));
  Json statements = Json::array();
  for (const DispatchStatement& statement : script.statements) statements.push_back(json_of(statement));
  return Json{{"cmd", "dispatch"}, {"id", id}, {"script", {{"kernels", kernels}, {"statements", statements}}}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
}

std::string encode_reply(const DispatchReply& reply) {
  Json json{{"id", reply.id}};
  if (reply.restart) json["restart"] = true;
  if (const auto* cannot = std::get_if<CannotRun>(&reply.result)) {
    json["unsupported"] = cannot->why;
  } else {
    json["outcomes"] = Json::array();
    for (const DispatchOutcome& outcome : std::get<DispatchTrace>(reply.result))
      json["outcomes"].push_back(json_of(outcome));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

DispatchReply decode_dispatch_reply(std::string_view line) {
  const Json json = protocol::parsed(line);
  const Cursor c(json);
  c.object({"id", "unsupported", "outcomes", "restart"});
  DispatchReply reply{c.at("id").integer(), CannotRun{}, c.optional_truth("restart")};
  if (c.has("unsupported"))
    reply.result = CannotRun{c.at("unsupported").text()};
  else
    reply.result = c.at("outcomes").list(outcome_of);
  return reply;
}

void check_trace(const DispatchTrace& trace, const DispatchScript& script) {
  if (trace.size() != script.statements.size())
    throw ProtocolError("$.outcomes", fmt::format("{}, one for each statement", script.statements.size()),
                        fmt::format("{}", trace.size()));
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const bool query = is_query(script.statements[i]);
    if (trace[i].reading.has_value() != (query && trace[i].error == DispatchError::none))
      throw ProtocolError(fmt::format("$.outcomes[{}].reading", i), query ? "a reading" : "no reading", "the opposite");
  }
}

}  // namespace plumbline
