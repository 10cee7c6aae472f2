// The parts that the files of error texts share.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "spec/vocabulary/errors.h"

namespace plumbline {

inline constexpr std::string_view kShips = "1.13 2.13";
inline constexpr std::string_view k213 = "2.13";
inline constexpr std::string_view k113 = "1.13";
inline constexpr std::string_view kDraft = "draft";  // for classes that only the RFC's drafts have; the wording is ours
inline constexpr std::string_view kRuntimeError = "RuntimeError";
inline constexpr std::string_view kIndexError = "IndexError";

/// The messages of single ops and of PyTorch's internal assertions; they come after the others.
std::span<const ErrorText> op_error_texts();

/// The message of a class whose text begins with `beginning`, with its `{}` replaced by `parts` in order. Throws
/// std::logic_error if the class has no such text.
std::string message_beginning(ErrorClass error, std::string_view beginning, std::initializer_list<std::string> parts);

/// Python's message for an operator "mine::f" that is not defined.
std::string no_such_operator(std::string_view name);

}  // namespace plumbline
