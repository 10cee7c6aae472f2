// Where a report goes: text to stdout, JSON to a file or to stdout instead of the text.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "oracle/report/report.h"

namespace plumbline::cli {

/// Opened before the run, so that a path that cannot be written fails at once.
class Output {
 public:
  /// `json`: a path, "-" for stdout, empty for none. Throws std::runtime_error if it cannot be written.
  explicit Output(const std::string& json);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Prints text for people to stdout, unless stdout is for JSON.
  void text(std::string_view text);
  /// Writes the JSON and prints `ending`; if stdout is for JSON, the closing text goes to stderr instead. Returns the
  /// report's exit code, or 3 if the JSON cannot be written.
  int close(const RunReport& report, std::string_view ending);

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
};

}  // namespace plumbline::cli
