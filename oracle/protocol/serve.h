// The other side of the protocol: answering requests on standard input until told to stop.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "oracle/protocol/dispatch.h"
#include "oracle/protocol/protocol.h"

namespace plumbline {

/// What an adapter process does.
struct Served {
  std::function<Description()> describe;
  std::function<std::variant<Trace, CannotRun>(const Script&)> run;
  std::function<DispatchTrace(const DispatchScript&)> run_dispatch;
};

/// Writes a line to standard output. Whether it could; where it cannot, nobody listens any more.
bool answer(std::string line);

/// Answers each request until `stop` or the end of the input. The exit code: 0, or 3 where a request is not of the
/// protocol, which `program` says on standard error, or an answer cannot be written.
int serve(std::string_view program, const Served& served);

}  // namespace plumbline
