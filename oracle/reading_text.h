// Statements and readings in words, for messages and signatures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/vocabulary/observation.h"

namespace plumbline {

/// The name of a statement: an op's qualified name, a guard's name, "tensor", "requires_grad=", "data=", "read", …
std::string statement_name(const Statement& statement);

/// The name of the answer of a statement that reads no field: "log", "has_kernel", "included", …; empty for others.
std::string_view answer_name(const StatementKind& kind);
/// The same with what it is about: "the log", "has_kernel of mine::f for CPU", "whether CPU is included".
std::string answer_subject(const StatementKind& kind);
/// The answer as Python prints it.
std::string answer_text(const Reading& answer);

/// The name of a slot in the program, or "slot N".
std::string slot_name(const Script& script, Slot slot);

/// A reading as Python prints it; an error by its class and message. Long lists are shortened, and say so.
std::string reading_text(const Reading& reading);
/// The same for a field; a slot's number becomes its name.
std::string reading_text(Field field, const Reading& reading, const Script& script);

/// An error: its class, then its message if it has one.
std::string failure_text(const Failure& failure);

/// The name of a kernel: its functionality, or "CPU" for the backend; and the chain of kernels of a call.
std::string_view kernel_name(Functionality kernel);
std::string kernels_text(const std::vector<KernelRun>& kernels, std::string_view between);

/// The statement that a difference at `statement` is named after: for a tensor, the last one that bound its slot or
/// wrote a tensor; for the log, the last one that appended to it or called what may; for kernels, the last one that
/// registered something; for the thread (`tensor` null), the last one that entered or left a guard; otherwise
/// `statement` itself.
std::size_t blamed_statement(const Script& script, std::size_t statement, const Slot* tensor);

}  // namespace plumbline
