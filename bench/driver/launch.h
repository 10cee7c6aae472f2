// Which runners are built, and how one is started: as installed, tuned, or with a counter.
#pragma once

#include <string>
#include <vector>

namespace plumbline::bench {

/// An implementation that can be measured.
struct Implementation {
  std::string name;                ///< "optimized", "libtorch-2.13.0", "lazy", "process:COMMAND"
  std::vector<std::string> words;  ///< what starts its runner
  std::string side;                ///< which of the runner's sides it is; empty: the first
};

/// The LibTorch versions for which a runner is built, the newest first.
std::vector<std::string> runner_versions();
/// The runner of the lazy cases beside this LibTorch, or of ours alone for "": "lazy-libtorch-2.13.0", "lazy". Empty
/// where none is built.
std::string lazy_runner(const std::string& version);
/// The implementation that `--on` or `--against` names. Throws std::runtime_error, which lists all of them, for another
/// name.
Implementation implementation_of(const std::string& name);
/// Whether implementation_of accepts `name`.
bool is_implementation(const std::string& name);

/// The same runner with an allocator that keeps its memory, AVX-512 where the processor has it, and Debian's OpenBLAS
/// where that is installed.
std::vector<std::string> tuned(const std::vector<std::string>& words);
/// How LibTorch is tuned on this machine, for the report.
std::string tuning();
/// The same runner with its calls of malloc counted.
std::vector<std::string> counting_memory(const std::vector<std::string>& words);
/// The same runner under callgrind, which writes to `folder`; empty where valgrind is not installed.
std::vector<std::string> counting_instructions(const std::vector<std::string>& words, const std::string& folder);

}  // namespace plumbline::bench
