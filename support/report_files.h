// The files of a report: everything as text, and as JSON.
#pragma once

#include <string>
#include <string_view>

namespace plumbline {

/// A folder for NAME.txt and NAME.json. Each takes its place only when it is whole.
class ReportFiles {
 public:
  /// `folder`: empty for the default, `report` beside the build's folder. Throws std::runtime_error if a folder that
  /// was given with `option` cannot be written; if the default one cannot be, `problem` says why.
  ReportFiles(const std::string& folder, std::string name, std::string_view option);

  /// Why nothing can be written; empty if it can.
  const std::string& problem() const { return problem_; }
  /// Throws std::runtime_error that says which file and why.
  void write(const std::string& text, const std::string& json) const;
  /// "build/report/check.txt, check.json (or -v)".
  std::string where() const;

 private:
  std::string path(const std::string& extension) const;

  std::string folder_;
  std::string name_;
  std::string problem_;
};

}  // namespace plumbline
