// What LibTorch says of its dispatcher, as JSON lines: the layout of its keys, and for each operator what is registered
// and the table that it computed from that.
#pragma once

#include <functional>
#include <string>

namespace plumbline::libtorch {

/// Gives one line of JSON after the other to `write` (docs/PROTOCOL.md, 'The dispatcher'): first the constants, then an
/// operator each, in the order of their names, at last how many they were.
void dump_dispatcher(const std::function<void(const std::string&)>& write);

}  // namespace plumbline::libtorch
