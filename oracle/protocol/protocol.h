// The process protocol: scripts, traces and descriptions as JSON, one message a line. docs/PROTOCOL.md describes it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "oracle/adapter.h"
#include "spec/dispatch_script.h"

namespace plumbline {

/// The version that both sides must speak.
inline constexpr int kProtocol = 2;

/// A message that is not of the protocol.
struct ProtocolError : std::runtime_error {
  ProtocolError(std::string where, const std::string& expected, const std::string& found);
  std::string path;  ///< where in the message, "$.trace.outcomes[3].reading"
};

/// The one that opens a conversation.
struct StartRequest {};
struct RunRequest {
  std::int64_t id = 0;
  Script script;
};
/// A program about the dispatcher (oracle/protocol/dispatch.h).
struct DispatchRequest {
  std::int64_t id = 0;
  DispatchScript script;
};
struct StopRequest {};
using Request = std::variant<StartRequest, RunRequest, DispatchRequest, StopRequest>;

/// Instead of a trace: the adapter cannot run this program, and why.
struct CannotRun {
  std::string why;
};
/// The answer to a RunRequest.
struct Reply {
  std::int64_t id = 0;
  std::variant<Trace, CannotRun> result;
};

/// Each gives one line of JSON, without the line's end. Numbers keep their type (a float has a point or an exponent)
/// and every digit; text that is not UTF-8 has its bad bytes replaced.
std::string encode_start();
std::string encode_run(std::int64_t id, const Script& script);
std::string encode_stop();
std::string encode_reply(const Reply& reply);
std::string encode(const Description& description);
std::string encode(const Script& script);
std::string encode(const Trace& trace);
std::string encode(const Reading& reading);

/// The inverses. Strict: a member that is missing, of another type, unknown or out of range throws ProtocolError with
/// its place and what was expected there. An error without a class is classified by its message as PyTorch
/// `torch_version` words it. A description is the answer to a StartRequest.
Request decode_request(std::string_view line);
Reply decode_reply(std::string_view line, std::string_view torch_version);
Description decode_description(std::string_view line);
Script decode_script(std::string_view line);
Trace decode_trace(std::string_view line, std::string_view torch_version);

/// Whether `trace` can be one of `script`: its outcomes name statements of it in rising order, readings stand where
/// something was read and have the type of what was read, an unfinished trace ends with an error. Throws ProtocolError.
void check_trace(const Trace& trace, const Script& script);

}  // namespace plumbline
