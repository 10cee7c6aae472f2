// The adapter's side of the protocol: answering requests on standard input until the request to stop.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "adapters/protocol/protocol.h"

namespace plumbline {

/// What an adapter process does.
struct Served {
  std::function<Description()> describe;
  std::function<std::variant<Trace, CannotRun>(const Script&)> run;
};

/// Writes a line to standard output. False if that fails: the reader is gone.
bool answer(std::string line);

/// Answers each request until `stop` or the end of the input. Returns the exit code: 0, or 3 if an answer cannot be
/// written or a request does not follow the protocol, which `program` then reports on standard error.
int serve(std::string_view program, const Served& served);

}  // namespace plumbline
