// Making the adapter that `--on` names.
#include "adapters/adapter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "adapters/process/process.h"
#include "adapters/reference/reference.h"
#include "reference/functionalized.h"
#include "support/siblings.h"

namespace plumbline {

namespace {

constexpr std::string_view kLibtorch = "libtorch";
constexpr std::string_view kProcess = "process:";
constexpr std::string_view kHowToBuild =
    "run ./check, or build it: cmake -S . -B build/release -DPLUMBLINE_TORCH=DIR, where DIR is the folder of a PyTorch "
    "(site-packages/torch), then cmake --build build/release";

/// Quotes a word of a command line, so that shell_words reads it back unchanged.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// The adapter that is an executable beside the running one.
std::unique_ptr<Adapter> sibling(const std::string& executable, const AdapterOptions& options) {
  return std::make_unique<ProcessAdapter>(quoted(executable_folder() / executable), options.timeout_s,
                                          options.memory_limit_mib);
}

std::unique_ptr<Adapter> libtorch(const std::string& name, const AdapterOptions& options) {
  const std::filesystem::path folder = executable_folder();
  const std::vector<std::string> versions = libtorch_versions(folder);
  if (versions.empty())
    throw std::runtime_error(fmt::format("'{}' is not built here (no plumbline-libtorch-VERSION in {}); {}", name,
                                         folder.string(), kHowToBuild));
  const std::string version = name == kLibtorch ? versions.front() : name.substr(kLibtorch.size() + 1);
  if (std::ranges::find(versions, version) == versions.end())
    throw std::runtime_error(fmt::format("'{}' is not built here, but libtorch-{} is; {}", name,
                                         fmt::join(versions, ", libtorch-"), kHowToBuild));
  return sibling(fmt::format("plumbline-libtorch-{}", version), options);
}

std::unique_ptr<Adapter> python(const AdapterOptions& options) {
  if (has_python(executable_folder())) return sibling("plumbline-python", options);
  throw std::runtime_error(fmt::format("'python' is not built here; {}", kHowToBuild));
}

}  // namespace

std::unique_ptr<Adapter> make_adapter(const std::string& name, const AdapterOptions& options) {
  if (name == "reference")
    return std::make_unique<ReferenceAdapter>(profile_or_throw(options.profile), rule_or_throw(options.flip));
  if (name == kReferenceWithoutViews)
    return std::make_unique<ReferenceAdapter>(profile_or_throw(options.profile), &reference::kWithoutViews,
                                              std::string(name));
  if (name == "optimized") return sibling("plumbline-optimized", options);
  if (name == kPython) return python(options);
  if (name == kLibtorch || name.starts_with("libtorch-")) return libtorch(name, options);
  if (name.starts_with(kProcess))
    return std::make_unique<ProcessAdapter>(name.substr(kProcess.size()), options.timeout_s, options.memory_limit_mib);
  std::string built = has_python(executable_folder()) ? ", python" : "";
  for (const std::string& version : libtorch_versions(executable_folder()))
    built += fmt::format(", libtorch-{}", version);
  throw std::runtime_error(fmt::format(
      "unknown implementation '{}'. Choose reference, reference-without-views, optimized{}, or process:CMD for "
      "a command that speaks the protocol of docs/PROTOCOL.md",
      name, built));
}

std::vector<std::string> adapter_names(const std::vector<std::string>& given) {
  std::vector<std::string> names;
  for (std::string rest : given) {
    while (!rest.empty()) {
      const std::size_t comma = rest.starts_with(kProcess) ? std::string::npos : rest.find(',');
      names.push_back(rest.substr(0, comma));
      rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    }
  }
  return names;
}

}  // namespace plumbline
