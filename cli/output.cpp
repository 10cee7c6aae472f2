// Where a report goes: text to stdout, JSON to a file or to stdout instead of the text.
#include "cli/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "oracle/report/json.h"
#include "oracle/report/text.h"

namespace plumbline::cli {

Output::Output(const std::string& json) : path_(json) {
  if (json.empty()) return;
  file_ = json == "-" ? stdout : std::fopen(json.c_str(), "w");
  if (file_ == nullptr)
    throw std::runtime_error(
        fmt::format("--json {}: cannot write this file ({}); give a path in a folder that you can write to", json,
                    std::strerror(errno)));
}

Output::~Output() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

void Output::text(std::string_view text) {
  if (file_ == stdout) return;
  fmt::print("{}", text);
  std::fflush(stdout);
}

int Output::close(const RunReport& report, std::string_view ending) {
  if (file_ != nullptr) {
    const std::string json = report_json(report);
    if (std::fwrite(json.data(), 1, json.size(), file_) != json.size() || std::fflush(file_) != 0) {
      fmt::print(stderr, "plumbline: cannot write {} ({}); give --json another path\n", path_, std::strerror(errno));
      return kExitHarness;
    }
  }
  if (file_ == stdout)
    fmt::print(stderr, "{}", closing_text(report));
  else
    fmt::print("{}", ending);
  return report.exit_code();
}

}  // namespace plumbline::cli
