// The protocol's messages about the dispatcher: scripts and traces of libraries, kernels and calls as JSON.
#pragma once

#include "adapters/protocol/protocol.h"
#include "spec/vocabulary/dispatch_script.h"

namespace plumbline {

/// The answer to a DispatchRequest.
struct DispatchReply {
  std::int64_t id = 0;
  std::variant<DispatchTrace, CannotRun> result;
  bool restart = false;  ///< as in Reply
};

/// One line of JSON each, without the line end.
std::string encode_dispatch(std::int64_t id, const DispatchScript& script);
std::string encode_reply(const DispatchReply& reply);
/// The inverse. Throws ProtocolError for a malformed line.
DispatchReply decode_dispatch_reply(std::string_view line);
/// Checks that `trace` can be one of `script`: an outcome for each statement, and readings only for queries. Throws
/// ProtocolError otherwise.
void check_trace(const DispatchTrace& trace, const DispatchScript& script);

/// The names of errors, in their order: "none", "missing_kernel", …
std::string_view name_of(DispatchError error);

}  // namespace plumbline
