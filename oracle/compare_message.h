// Comparing the messages of two errors of one class.
#pragma once

#include <string_view>

#include "adapters/adapter.h"
#include "spec/vocabulary/observation.h"

namespace plumbline {

/// The release, "1.13" or "2.13", whose texts an implementation's errors are compared with.
std::string_view release_worded_by(const Description& description);

/// Whether two errors of one class say the same. Each message is an instance of one of PyTorch's texts for the class
/// (spec/vocabulary/error_texts.cpp). Two messages say the same if they have the same text and the same numbers; names
/// and types may differ, and so may what the reference leaves out as "…". Different words of Python's wrapper and of
/// the C++ below it count as one text, and so does a text of the reference that `version`, "1.13", does not have.
bool same_words(const Failure& expected, const Failure& got, std::string_view version);

}  // namespace plumbline
