// `plumbline prove --table`: prints, writes or checks docs/RULES.md.
#pragma once

#include <string>
#include <vector>

#include "prove/rules_table.h"

namespace plumbline::prove {

struct TableCommand {
  enum class Mode : std::uint8_t { print, write, check };
  Mode mode = Mode::print;
  std::string measured;  ///< the folder docs/measured
  std::string file;      ///< docs/RULES.md
  std::string corpus;    ///< fuzz/corpus
};

/// If `written` is not `text`: the first line that differs, and what to do. Empty if they are equal.
std::string staleness(const std::string& file, const std::string& written, const std::string& text);

/// The exit code. 0: nothing is wrong; 1: the table has problems or the file is out of date; stderr has a line for
/// each. A table with problems is printed but not written. Throws MeasuredError, and as `gather_facts` does.
int table_command(const TableCommand& command);

}  // namespace plumbline::prove
