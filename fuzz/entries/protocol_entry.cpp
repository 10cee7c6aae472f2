// Fuzzing entry: any bytes as a message from another process. An accepted message is written in full, and read to the
// same again.  The first line is read as a request or a script, the second as an answer, a description or a trace.
#include <nlohmann/json.hpp>

#include "adapters/protocol/protocol.h"
#include "adapters/protocol/show.h"
#include "fuzz/entries/entry.h"

namespace {

using namespace plumbline;
using Json = nlohmann::json;

constexpr std::string_view kTorch = "2.13";

template <class Decode>
auto decoded(Decode decode, std::string_view line) -> std::optional<decltype(decode(line))> {
  try {
    return decode(line);
  } catch (const ProtocolError&) {
    return std::nullopt;
  }
}

/// The message without members that mean the same as their absence, without classes, which may be found from an
/// error's message, and without what decode_shows reads of a description.
Json without_defaults(Json json) {
  if (json.is_object()) {
    const auto drop = [&](const char* key, const Json& value) {
      if (json.contains(key) && json[key] == value) json.erase(key);
    };
    drop("requires_grad", false);
    drop("method", false);
    drop("retain_graph", false);
    drop("create_graph", false);
    drop("functions", Json::array());
    drop("line", 0);
    drop("known", Json::array());
    drop("bounds", Json::array());
    json.erase("class");
    json.erase("shows");
  }
  if (json.is_structured())
    for (Json& part : json) part = without_defaults(std::move(part));
  return json;
}

/// Nothing is lost on the way, and a second pass changes nothing and refuses nothing.
template <class Decode, class Encode>
auto check(Decode decode, Encode encode, std::string_view line) {
  auto first = decoded(decode, line);
  if (!first) return first;
  const std::string once = encode(*first);
  const auto second = decoded(decode, once);
  fuzz::require(second.has_value(), "what was read is written as what can be read", once);
  fuzz::require(without_defaults(Json::parse(once)) == without_defaults(Json::parse(line)),
                "what was read is written in full", fmt::format("{}\n{}", line, once));
  fuzz::require(encode(*second) == once, "writing and reading is the identity", once);
  fuzz::require(once.find('\n') == std::string::npos, "a message is one line", once);
  return first;
}

std::string text_of(const Request& request) {
  if (const auto* run = std::get_if<RunRequest>(&request)) return encode_run(run->id, run->script);
  return std::holds_alternative<StartRequest>(request) ? encode_start() : encode_stop();
}

std::optional<Script> script_of(std::string_view line) {
  auto request = check([](std::string_view l) { return decode_request(l); }, text_of, line);
  auto script =
      check([](std::string_view l) { return decode_script(l); }, [](const Script& s) { return encode(s); }, line);
  if (script) return script;
  if (request && std::holds_alternative<RunRequest>(*request)) return std::get<RunRequest>(*request).script;
  return std::nullopt;
}

std::optional<Trace> trace_of(std::string_view line) {
  decoded([](std::string_view l) { return decode_exhibit(l); }, line);
  check([](std::string_view l) { return decode_description(l); }, [](const Description& d) { return encode(d); }, line);
  auto trace =
      check([](std::string_view l) { return decode_trace(l, kTorch); }, [](const Trace& t) { return encode(t); }, line);
  auto reply = check([](std::string_view l) { return decode_reply(l, kTorch); }, encode_reply, line);
  if (trace) return trace;
  if (reply && std::holds_alternative<Trace>(reply->result)) return std::get<Trace>(reply->result);
  return std::nullopt;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find('\n');
  const auto script = script_of(text.substr(0, end));
  const auto trace = trace_of(end == std::string_view::npos ? std::string_view() : text.substr(end + 1));
  if (!script || !trace) return 0;
  try {
    check_trace(*trace, *script);
  } catch (const ProtocolError&) {  // NOLINT(bugprone-empty-catch): that it is refused is no failure
  }
  return 0;
}
