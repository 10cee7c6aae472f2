// Which runners are built, and how one is started: as installed, tuned, or with a counter.
#include "bench/driver/launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "language/refusal.h"
#include "support/child.h"
#include "support/sibling.h"
#include "support/siblings.h"

namespace plumbline::bench {

namespace {

constexpr std::string_view kLibtorch = "libtorch-";
constexpr std::string_view kLazy = "lazy";
constexpr std::string_view kProcess = "process:";
constexpr std::string_view kRunner = "plumbline-bench-";

// Debian's paths.
constexpr const char* kAllocator = "/usr/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4";
constexpr const char* kBlas = "/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3";

bool is_there(const std::string& path) { return access(path.c_str(), R_OK) == 0; }

/// `words` with these variables set.
std::vector<std::string> with(std::vector<std::string> variables, const std::vector<std::string>& words) {
  variables.insert(variables.begin(), "env");
  variables.insert(variables.end(), words.begin(), words.end());
  return variables;
}

std::string found_on_path(const std::string& command) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string file = folder + "/" + command; access(file.c_str(), X_OK) == 0) return file;
  return {};
}

std::vector<std::string> names() {
  std::vector<std::string> all{"optimized"};
  for (const std::string& version : runner_versions()) all.push_back(std::string(kLibtorch) + version);
  for (const std::string& version : runner_versions()) all.push_back(lazy_runner(version));
  all.push_back(lazy_runner(""));
  std::erase(all, std::string());
  return all;
}

// LibTorch 1.13 runs the kernels that it is told to run, and dies of SIGILL if the processor lacks them.
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
}

}  // namespace

std::vector<std::string> runner_versions() {
  return libtorch_versions(executable_folder(), std::string(kRunner) + std::string(kLibtorch));
}

std::string lazy_runner(const std::string& version) {
  std::string name(kLazy);
  if (!version.empty()) name += "-" + std::string(kLibtorch) + version;
  const std::filesystem::path file = executable_folder() / (std::string(kRunner) + name);
  return access(file.c_str(), X_OK) == 0 ? name : std::string();
}

bool is_implementation(const std::string& name) {
  const std::vector<std::string> all = names();
  return name.starts_with(kProcess) || std::ranges::find(all, name) != all.end();
}

Implementation implementation_of(const std::string& name) {
  if (name.starts_with(kProcess)) return {name, shell_words(name.substr(kProcess.size())), ""};
  const std::vector<std::string> all = names();
  if (std::ranges::find(all, name) == all.end())
    throw std::runtime_error(fmt::format(
        "no runner for '{}' is built here; {}", name,
        program::did_you_mean(name, all, fmt::format("there are {} and process:COMMAND", fmt::join(all, ", ")))));
  return {name,
          {cli::sibling_path(std::string(kRunner) + name), "--serve"},
          name.find(kLibtorch) != std::string::npos ? "libtorch" : "ours"};
}

std::vector<std::string> tuned(const std::vector<std::string>& words) {
  std::vector<std::string> variables;
  if (has_avx512()) variables.emplace_back("ATEN_CPU_CAPABILITY=avx512");
  std::vector<std::string> preloaded;
  if (is_there(kAllocator)) {
    preloaded.emplace_back(kAllocator);
  } else {
    // glibc's malloc, set to keep freed memory, so that it asks the system for no pages.
    variables.insert(variables.end(), {"MALLOC_MMAP_MAX_=0", "MALLOC_TRIM_THRESHOLD_=17179869184"});
  }
  if (is_there(kBlas)) preloaded.emplace_back(kBlas);
  if (!preloaded.empty()) variables.push_back(fmt::format("LD_PRELOAD={}", fmt::join(preloaded, ":")));
  return with(variables, words);
}

std::string tuning() {
  return fmt::format(
      "{}, {}, {}", is_there(kAllocator) ? "tcmalloc" : "glibc's malloc set to keep its memory (no tcmalloc here)",
      has_avx512() ? "ATEN_CPU_CAPABILITY=avx512" : "the kernels that LibTorch chooses (no AVX-512 here)",
      is_there(kBlas) ? "OpenBLAS for 1.13.1" : "the installed BLAS for 1.13.1 (no OpenBLAS here)");
}

std::vector<std::string> counting_memory(const std::vector<std::string>& words) {
  return with({fmt::format("LD_PRELOAD={}", (executable_folder() / "libplumbline-bench-malloc.so").string())}, words);
}

std::vector<std::string> counting_instructions(const std::vector<std::string>& words, const std::string& folder) {
  const std::string valgrind = found_on_path("valgrind");
  if (valgrind.empty()) return {};
  std::vector<std::string> all{valgrind, "--quiet", "--tool=callgrind", "--instr-atstart=no",
                               fmt::format("--callgrind-out-file={}/out", folder)};
  all.insert(all.end(), words.begin(), words.end());
  all.push_back(fmt::format("--callgrind-out={}/out", folder));
  return all;
}

}  // namespace plumbline::bench
