// Comparison of what two errors of one class say.
#pragma once

#include <string_view>

#include "spec/observation.h"

namespace plumbline {

/// Whether two errors of one class say the same. Each message is an instance of one of PyTorch's texts for the class
/// (spec/error_texts.cpp). They say the same where that is one text, and its numbers are the same; names and types are
/// the implementation's own, and what the reference leaves out as "…" is free. What Python's wrapper and the C++ below
/// it word differently counts as one text, and so does a text of the reference that `version`, "1.13", does not have.
bool same_words(const Failure& expected, const Failure& got, std::string_view version);

}  // namespace plumbline
