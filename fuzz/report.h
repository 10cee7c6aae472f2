// What a campaign found, for people and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fuzz/campaign.h"
#include "fuzz/reproduce.h"

namespace plumbline::fuzz {

/// A finding with its reproducer.
struct Case {
  Finding finding;
  Reproducer reproducer;
  std::size_t shrink_runs = 0;
  bool shrink_complete = true;
  std::string file;  ///< where it was written; empty: nowhere
  /// What became of the file beside it that fails under plain Python; empty: the implementation writes none.
  std::string plain = {};
};

/// What the monitors saw, with the program that shows it.
struct Shown {
  Sighting sighting;
  Reproducer reproducer;
  std::string file;  ///< where it was written; empty: nowhere
};

nlohmann::ordered_json to_json(const Report& report, const std::vector<Case>& cases, const std::vector<Shown>& shown,
                               std::uint64_t seed);
nlohmann::ordered_json to_json(const Timing& timing, const Report& report);

std::string to_text(const Report& report);
std::string to_text(const Case& one, std::uint64_t seed);
/// The lower part of that: how it was shrunk, and the reproducer.
std::string text_of_shrunk(const Case& one);
std::string to_text(const Shown& one, std::uint64_t seed);
/// Statements and programs per second, and where the time went, in one line.
std::string timing_text(const Report& report);
/// The same part by part, in microseconds per program and as a share of the workers' time.
std::string profile_text(const Report& report);

/// Writes `json` to `path`, "-" for stdout. Throws std::runtime_error if it cannot.
void write_json(const nlohmann::ordered_json& json, const std::string& path);
/// Writes a file, its folder included. Throws std::runtime_error if it cannot.
void write_file(const std::string& path, const std::string& text);

}  // namespace plumbline::fuzz
