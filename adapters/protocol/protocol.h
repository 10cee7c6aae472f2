// The process protocol (docs/PROTOCOL.md): scripts, traces and descriptions as JSON, one message for each line.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "adapters/adapter.h"

namespace plumbline {

/// The version that both sides must speak.
inline constexpr int kProtocol = 3;

/// A message that does not follow the protocol.
struct ProtocolError : std::runtime_error {
  ProtocolError(std::string where, const std::string& expected, const std::string& found);
  std::string path;  ///< where in the message, "$.trace.outcomes[3].reading"
};

/// The first request of a conversation.
struct StartRequest {};
struct RunRequest {
  std::int64_t id = 0;
  Script script;
};
struct StopRequest {};
using Request = std::variant<StartRequest, RunRequest, StopRequest>;

/// Instead of a trace: why the adapter cannot run this program.
struct CannotRun {
  std::string why;
};
/// Instead of a trace: what the program has left changed in the process.
struct Leaked {
  std::string what;
};
/// The answer to a RunRequest.
struct Reply {
  std::int64_t id = 0;
  std::variant<Trace, CannotRun, Leaked> result;
  bool restart = false;  ///< the process can run no other script, and asks to be started again
  Counts counts = {};    ///< what it counted while it ran this script
};

/// Each gives one line of JSON, without the line end. Numbers keep their type (a float has a point or an exponent) and
/// every digit; bytes that are not UTF-8 are replaced.
std::string encode_start();
std::string encode_run(std::int64_t id, const Script& script);
std::string encode_stop();
std::string encode_reply(const Reply& reply);
std::string encode(const Description& description);
std::string encode(const Script& script);
std::string encode(const Trace& trace);
std::string encode(const Reading& reading);

/// The inverses. They are strict: a member that is missing, unknown, out of range or of another type throws
/// ProtocolError with its place and what was expected there. An error without a class is classified by its message, in
/// the words of PyTorch `torch_version`. A description is the answer to a StartRequest.
Request decode_request(std::string_view line);
Reply decode_reply(std::string_view line, std::string_view torch_version);
Description decode_description(std::string_view line);
Script decode_script(std::string_view line);
Trace decode_trace(std::string_view line, std::string_view torch_version);

/// Checks that `trace` can be one of `script`: its outcomes name statements in rising order, only statements that read
/// have readings, readings have the type of their field, and an unfinished trace ends with an error. Throws
/// ProtocolError otherwise.
void check_trace(const Trace& trace, const Script& script);

}  // namespace plumbline
