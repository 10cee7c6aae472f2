// Bodies and programs as lines of calls, for findings.
#pragma once

#include <functional>
#include <string>

#include "reference/functionalize/functionalize.h"

namespace plumbline::validate {

/// An argument; `name` gives the text of a slot.
std::string text_of(const Value& value, const std::function<std::string(Slot)>& name);

/// Calls, one a line: "y = slice(x, 0, 1, 3, 1)".
std::string text_of(const reference::functionalize::Body& body);
std::string text_of(const reference::functionalize::Program& program);

}  // namespace plumbline::validate
