// A dispatch script out of a message, for the reader of requests.
#pragma once

#include "oracle/protocol/cursor.h"
#include "spec/dispatch_script.h"

namespace plumbline::protocol {

/// The script that is written there. Throws ProtocolError.
DispatchScript dispatch_script(const Cursor& c);

}  // namespace plumbline::protocol
