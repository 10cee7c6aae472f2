// `plumbline prove --table`: prints docs/RULES.md, and writes or checks it and the page of each rule.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "prove/rules_table.h"

namespace plumbline::prove {

struct TableCommand {
  enum class Mode : std::uint8_t { print, write, check };
  Mode mode = Mode::print;
  std::string measured;  ///< the folder docs/measured
  std::string file;  ///< docs/RULES.md; the pages are in the folder `rules` beside it, the sources in the folder above
  std::string corpus;  ///< fuzz/corpus
};

/// If `written` is not `text`: the first line that differs, and what to do. Empty if they are equal.
std::string staleness(const std::string& file, const std::string& written, const std::string& text);

/// The pages by file name, "INF-06.md".
using Pages = std::map<std::string, std::string>;

/// A line for each page of the folder that is missing, out of date, or of no rule. `folder` is as the lines name it.
std::vector<std::string> stale_pages(const std::string& folder, const Pages& pages);

/// Writes the pages, and removes every other .md file of the folder.
void write_pages(const std::string& folder, const Pages& pages);

/// The exit code. 0: nothing is wrong; 1: the table has problems, or the file or a page is out of date;
/// stderr has a line for each. A table with problems is printed but not written. Throws MeasuredError, and as
/// `gather_facts` and `read_page_sources` do.
int table_command(const TableCommand& command);

}  // namespace plumbline::prove
