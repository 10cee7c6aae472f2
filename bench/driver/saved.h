// A saved measurement: its report, and a copy of the runner that made it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/driver/runner.h"

namespace plumbline::bench {

/// The report does not exist or is malformed; the message says where and why.
struct SavedError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct SavedCase {
  std::vector<double> ns;  ///< one for each process that measured it
  std::optional<double> instructions;
};

struct Saved {
  std::string implementation;  ///< as `--on` named it
  std::string side;
  std::string cpu;
  std::string when;
  Json libraries = Json::array();  ///< what the runner had loaded
  std::string runner;              ///< the copy's path; empty: there is none
  std::map<std::string, SavedCase> cases;
};

/// The default folder of saved measurements, beside the executables' folder.
std::filesystem::path default_store();

/// Throws SavedError if the name could be mistaken for something else, or cannot be a folder's name.
void check_name(const std::string& name);

/// Writes STORE/NAME/report.json, and copies `runner` (a path; empty: none) beside it. An earlier one of this name is
/// replaced as a whole. Throws std::runtime_error.
void save(const std::filesystem::path& store, const std::string& name, const Saved& saved, const std::string& runner);

/// Reads a report: a file, or a folder with report.json in it. Throws SavedError.
Saved load(const std::filesystem::path& path);

/// The names in a store, sorted.
std::vector<std::string> saved_names(const std::filesystem::path& store);

/// Why the copy of the runner would not run as before: it is missing, or a library has changed. Empty: it would.
std::string why_not_runnable(const Saved& saved);

}  // namespace plumbline::bench
