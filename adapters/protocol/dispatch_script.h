// Reading a dispatch script from a message.
#pragma once

#include "adapters/protocol/cursor.h"
#include "spec/vocabulary/dispatch_script.h"

namespace plumbline::protocol {

/// The script at this place. Throws ProtocolError.
DispatchScript dispatch_script(const Cursor& c);

}  // namespace plumbline::protocol
