// LibTorch's dispatcher as JSON lines: the layout of its keys, and the registrations and the table of each operator.
#pragma once

#include <functional>
#include <string>

namespace plumbline::libtorch {

/// Passes JSON lines to `write` (docs/PROTOCOL.md, 'The dispatcher'): first the constants, then one line for each
/// operator, in the order of their names, and last the number of operators.
void dump_dispatcher(const std::function<void(const std::string&)>& write);

}  // namespace plumbline::libtorch
