// Where a report goes: text to stdout, JSON to a file or in its place.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "oracle/report/report.h"

namespace plumbline::cli {

/// Opened before the run, so that a path that cannot be written is told at once.
class Output {
 public:
  /// `json`: a path, "-" for stdout, empty for none. Throws std::runtime_error where it cannot be written.
  explicit Output(const std::string& json);
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Text for people: to stdout, or nowhere where that is for JSON.
  void text(std::string_view text);
  /// Writes the JSON and the closing text; returns the report's exit code, 3 where the JSON cannot be written.
  int close(const RunReport& report);

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
};

}  // namespace plumbline::cli
