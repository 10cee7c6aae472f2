// The commands of plumbline-run, with their options as parsed.
#pragma once

#include <string>
#include <vector>

namespace plumbline::cli {

/// What `run` and `check` share.
struct CommonOptions {
  std::string json;  ///< a file, "-" for stdout, empty for none
  unsigned jobs = 1;
  double timeout_s = 10;  ///< for one program
  std::string corpus;     ///< the folder of the curated programs
  std::string waivers;    ///< a waivers' file; empty: waivers.json of the corpus
  bool require_all = false;
  bool verbose = false;
};

struct RunOptions {
  CommonOptions common;
  std::vector<std::string> paths;
  std::vector<std::string> on{"reference"};
  std::string profile;  ///< empty: sound for the reference, its own for every other implementation
  std::string flip;
};

struct ListOptions {
  std::string what;  ///< one of kLists
  std::string corpus;
  bool json = false;
};

/// Each returns the exit code, and throws std::runtime_error (usage) for what cannot be done.
int run_command(const RunOptions& options);
int check_command(const CommonOptions& options);
int list_command(const ListOptions& options);

}  // namespace plumbline::cli
