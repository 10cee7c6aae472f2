// Reading a dispatch script from a message.
#pragma once

#include "oracle/protocol/cursor.h"
#include "spec/dispatch_script.h"

namespace plumbline::protocol {

/// The script at this place. Throws ProtocolError.
DispatchScript dispatch_script(const Cursor& c);

}  // namespace plumbline::protocol
