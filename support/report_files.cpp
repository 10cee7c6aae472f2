// Writing a report's files.
#include "support/report_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "support/files.h"
#include "support/siblings.h"

namespace plumbline {

namespace {

namespace fs = std::filesystem;

/// Writes beside the file and renames: who reads it meanwhile has the earlier one.
void write_whole(const std::string& path, const std::string& text) {
  const std::string beside = fmt::format("{}.{}", path, getpid());
  std::error_code error;
  try {
    write_file(beside, text);
    fs::rename(beside, path);
  } catch (...) {
    fs::remove(beside, error);
    throw;
  }
}

/// Why files cannot be made in a folder; empty if they can. Makes the folder.
std::string obstacle(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return error.message();
  const fs::path probe = fs::path(folder) / fmt::format(".probe.{}", getpid());
  try {
    write_file(probe.string(), "");
  } catch (const std::runtime_error& why) {
    return why.what();
  }
  fs::remove(probe, error);
  return "";
}

/// A path as a person types it: from the current folder, if it is below that.
std::string short_path(const std::string& path) {
  std::error_code error;
  const std::string relative = fs::proximate(path, error).string();
  return error || relative.starts_with("..") ? path : relative;
}

}  // namespace

ReportFiles::ReportFiles(const std::string& folder, std::string name, std::string_view option)
    : folder_(folder.empty() ? (executable_folder().parent_path().parent_path() / "report").string() : folder),
      name_(std::move(name)) {
  const std::string why = obstacle(folder_);
  if (why.empty()) return;
  problem_ = fmt::format("cannot write the report into the folder {} ({}); give {} a folder that you can write to",
                         folder_, why, option);
  if (!folder.empty()) throw std::runtime_error(problem_);
}

std::string ReportFiles::path(const std::string& extension) const {
  return (fs::path(folder_) / (name_ + extension)).string();
}

void ReportFiles::write(const std::string& text, const std::string& json) const {
  write_whole(path(".txt"), text);
  write_whole(path(".json"), json);
}

std::string ReportFiles::where() const { return fmt::format("{}, {}.json (or -v)", short_path(path(".txt")), name_); }

}  // namespace plumbline
