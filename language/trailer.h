// The end of a file that only Python reads: what lets `python FILE.py` and `pytest FILE.py` run it in any folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plumbline::program {

/// The line above what only Python reads.
inline constexpr std::string_view kTrailerLine = "# Only Python reads the lines below. Write tests above this line.";

/// A file in two parts.
struct Parts {
  std::string_view program;            ///< what Plumbline reads
  std::optional<std::string> trailer;  ///< what is below the line `kTrailerLine`, if the file has one
};

/// Splits a file at the first line that is `kTrailerLine`. Throws ProgramError if a test is below it, since Plumbline
/// would not run that test.
Parts split_trailer(std::string_view text, const std::string& file);

/// A program, printed, with a trailer that has the fixture `device` and runs the tests under `python FILE.py`, which
/// then exits with 0 if no test fails, and with 1 and a message otherwise.
std::string with_trailer(const std::string& program);

}  // namespace plumbline::program
