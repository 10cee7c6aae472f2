// `plumbline record`: runs a Python script, and writes the program that it performed.
#pragma once

#include <string>
#include <vector>

namespace plumbline::record {

struct Options {
  std::string script;
  bool module = false;                 ///< the script is no script but a saved module, which is run in each mode
  std::vector<std::string> arguments;  ///< the script's own; of a module: the sizes of its inputs, such as "2,3"
  std::vector<std::string> only;       ///< of a file with tests: the tests to record; empty: all
  std::string python;                  ///< the Python that runs it; it must import PyTorch
  std::string out;                     ///< the program goes to this file instead of stdout
  int statements = 10000;              ///< the script is stopped when a program would have more
  double seconds = 120;                ///< and after this time
  bool quiet = false;                  ///< prints no summary
};

/// Returns the exit code. Throws std::runtime_error if the recorder cannot be started, or if what it says is no
/// recording.
int record_command(const Options& options);

}  // namespace plumbline::record
