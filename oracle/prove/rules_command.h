// `plumbline prove --table`: prints docs/RULES.md, writes it, or holds it against what it should be.
#pragma once

#include <string>
#include <vector>

#include "oracle/prove/rules_table.h"

namespace plumbline::prove {

struct TableCommand {
  enum class Mode : std::uint8_t { print, write, check };
  Mode mode = Mode::print;
  std::string measured;  ///< the folder docs/measured
  std::string file;      ///< docs/RULES.md
  std::string corpus;    ///< fuzz/corpus
};

/// Where `written` is not `text`: its first line that differs, and what to do; nothing where they are equal.
std::string staleness(const std::string& file, const std::string& written, const std::string& text);

/// The exit code: 0 nothing is wrong, 1 the table has problems or the file is stale, each told in a line on stderr. A
/// table with problems is printed, but not written. Throws MeasuredError, and as `gather_facts`.
int table_command(const TableCommand& command);

}  // namespace plumbline::prove
