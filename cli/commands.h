// The commands of plumbline-run, with their options as parsed.
#pragma once

#include <string>
#include <vector>

#include "adapters/adapter.h"

namespace plumbline::cli {

/// The options that both `run` and `check` have.
struct CommonOptions {
  std::string json;  ///< a file, "-" for stdout, empty for none
  unsigned jobs = 1;
  double timeout_s = 10;  ///< for one program
  std::int64_t memory_limit_mib = kMemoryLimit_mib;
  std::string corpus;   ///< the folder of the curated programs
  std::string waivers;  ///< a waivers' file; empty: waivers.json and findings.json of the corpus
  bool require_all = false;
  bool verbose = false;
  bool quiet = false;  ///< print only what failed and the last line
};

struct RunOptions {
  CommonOptions common;
  std::vector<std::string> paths;
  std::vector<std::string> on{"reference"};
  std::string level = std::string(name_of(Level::versions));
  std::string profile;  ///< empty: sound for the reference, each other implementation's own for comparing with it
  std::string flip;
  bool graph = false;
};

struct CheckOptions {
  CommonOptions common;
  std::string report;  ///< the folder of the report's files; empty: the default
};

struct ListOptions {
  std::string what;  ///< one of kLists
  std::vector<std::string>
      names;  ///< list only these, whole: rules by id or family, anything else by a glob of its name
  std::string corpus;
  std::string waivers;  ///< empty: waivers.json and findings.json in the corpus
  std::string json;     ///< as in CommonOptions
};

struct TableOptions {
  std::string what;  ///< one of table_names()
  std::string corpus;
  std::vector<std::string> on;  ///< implementations that run the programs too
  std::string flip;             ///< a rule to misread
  std::string json;             ///< as in CommonOptions
};

struct ExplainOptions {
  std::string program;          ///< FILE or FILE::TEST
  std::vector<std::string> on;  ///< implementations to compare with the reference
  std::string profile;          ///< empty: sound for the explanation, and for verdicts as RunOptions has it
  std::string corpus;           ///< the folder whose waivers are read
  int line = 0;                 ///< 0: all
  bool all = false;
  std::string file;  ///< where a file that fails under plain Python is written; empty: nowhere
  std::string json;  ///< as in CommonOptions
};

/// What `plumbline table` can print.
std::vector<std::string> table_names();

/// Each returns the exit code. Throws std::runtime_error for wrong usage.
int run_command(const RunOptions& options);
int check_command(const CheckOptions& options);
int list_command(const ListOptions& options);
int table_command(const TableOptions& options);
int explain_command(const ExplainOptions& options);
/// The tables `inference-mode`, `functionalize-inference-mode`, `migration`, `ideal` and `workload`.
int behaviour_table(const TableOptions& options);
int functionalized_table(const TableOptions& options);
int migration_table(const TableOptions& options);
int ideal_table(const TableOptions& options);
int workload_table(const TableOptions& options);
int transforms_table(const TableOptions& options);

}  // namespace plumbline::cli
