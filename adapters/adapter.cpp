// Making the adapter that `--on` names.
#include "adapters/adapter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "adapters/by_schema/plain_run.h"
#include "adapters/exhibit.h"
#include "adapters/implementations.h"
#include "adapters/process/process.h"
#include "adapters/reference/reference.h"
#include "language/refusal.h"
#include "reference/functionalized.h"
#include "support/child.h"
#include "support/siblings.h"

namespace plumbline {

namespace {

constexpr std::string_view kLibtorch = "libtorch";
constexpr std::string_view kProcess = "process:";

/// The adapter that is an executable beside the running one, with these arguments.
std::unique_ptr<Adapter> sibling(const std::string& executable, const AdapterOptions& options,
                                 const std::string& arguments = "") {
  return std::make_unique<ProcessAdapter>(quoted_word(executable_folder() / executable) + arguments, options.timeout_s,
                                          options.memory_limit_mib);
}

std::unique_ptr<Adapter> libtorch(const std::string& name, const AdapterOptions& options) {
  const std::filesystem::path folder = executable_folder();
  const std::vector<std::string> versions = libtorch_versions(folder);
  if (versions.empty())
    throw std::runtime_error(fmt::format("'{}' is not built here (no plumbline-libtorch-VERSION in {}); {}", name,
                                         folder.string(), kHowToBuildWithTorch));
  const std::string version = name == kLibtorch ? versions.front() : name.substr(kLibtorch.size() + 1);
  if (std::ranges::find(versions, version) == versions.end())
    throw std::runtime_error(fmt::format("'{}' is not built here, but libtorch-{} is; {}", name,
                                         fmt::join(versions, ", libtorch-"), kHowToBuildWithTorch));
  return sibling(fmt::format("plumbline-libtorch-{}", version), options);
}

/// One of adapters/implementations.json; null if the file has no such name.
std::unique_ptr<Adapter> script_named(const std::string& name, const Implementations& known, const Places& places,
                                      const AdapterOptions& options) {
  const NamedImplementation* one = known.implementation(name);
  if (one == nullptr) return nullptr;
  if (const std::string why = why_not_here(*one, places); !why.empty())
    throw std::runtime_error(fmt::format("'{}' cannot run here: {}", name, why));
  return std::make_unique<ProcessAdapter>(command_line_of(*one, places), options.timeout_s, options.memory_limit_mib);
}

/// The optimized runtime on CUDA; null if it has no such name.
std::unique_ptr<Adapter> optimized_cuda(const std::string& name, const AdapterOptions& options) {
  const bool graph = name.ends_with(kGraph);
  const std::string_view device = std::string_view(name).substr(0, name.size() - (graph ? kGraph.size() : 0));
  const std::string graphs = graph ? " --graph" : "";
  if (device == kOptimizedCudaHost) return sibling("plumbline-optimized", options, " --device cuda-host" + graphs);
  if (device != kOptimizedCuda) return nullptr;
  static const std::string why = why_no_gpu(places_here());  // asked once, whatever the number of workers
  if (!why.empty()) throw std::runtime_error(fmt::format("'{}' cannot run here: {}", name, why));
  return sibling(std::string(kOptimizedCudaAdapter), options, " --device cuda" + graphs);
}

/// The optimized runtime on a backend that lacks something; null if it has no such name.
std::unique_ptr<Adapter> optimized_of_buffers(const std::string& name, const AdapterOptions& options) {
  const auto* const found = std::ranges::find(kOfBuffers, name, &OfBuffers::name);
  if (found == kOfBuffers.end()) return nullptr;
  return sibling("plumbline-optimized", options, fmt::format(" --device {}", found->device));
}

[[noreturn]] void refuse_unknown(const std::string& name, const Implementations& known) {
  std::vector<std::string> names = names_on_devices();
  names.insert(names.begin(), {"reference", std::string(kReferenceWithoutViews), "optimized"});
  for (const std::string& version : libtorch_versions(executable_folder())) names.push_back("libtorch-" + version);
  for (const NamedImplementation& one : known.implementations) names.push_back(one.name);
  const std::string near = program::did_you_mean(name, names, "");
  throw std::runtime_error(
      fmt::format("unknown implementation '{}'.{}{} `plumbline list implementations` lists them; process:CMD is any "
                  "command that speaks the protocol of docs/PROTOCOL.md",
                  name, near.empty() ? "" : " ", near));
}

/// An adapter that is held to a lower level than its own.
class Lowered : public Adapter, public Exhibitor {
 public:
  Lowered(std::unique_ptr<Adapter> whole, Level level) : whole_(std::move(whole)), description_(whole_->describe()) {
    hold_to(level, description_);
  }
  const Description& describe() const override { return description_; }
  RunResult run(const Script& script) override { return whole_->run(script); }
  std::vector<RunResult> run_all(std::span<const Script> scripts) override { return whole_->run_all(scripts); }
  Counts counts() const override { return whole_->counts(); }
  std::optional<Exhibit> show(const Script& script, std::size_t statement, const std::string& found) override {
    return plumbline::show(*whole_, script, statement, found);
  }

 private:
  std::unique_ptr<Adapter> whole_;
  Description description_;
};

std::unique_ptr<Adapter> make_whole(const std::string& name, const AdapterOptions& options) {
  if (name == "reference")
    return std::make_unique<ReferenceAdapter>(profile_or_throw(options.profile), rule_or_throw(options.flip));
  if (name == kReferenceWithoutViews)
    return std::make_unique<ReferenceAdapter>(profile_or_throw(options.profile), &reference::kWithoutViews,
                                              std::string(name));
  if (name == "optimized") return sibling("plumbline-optimized", options);
  if (auto adapter = optimized_cuda(name, options)) return adapter;
  if (auto adapter = optimized_of_buffers(name, options)) return adapter;
  if (name == kLibtorch || name.starts_with("libtorch-")) return libtorch(name, options);
  if (name.starts_with(kProcess))
    return std::make_unique<ProcessAdapter>(name.substr(kProcess.size()), options.timeout_s, options.memory_limit_mib);
  const Places places = places_here();
  const Implementations known = implementations_of(places);
  if (auto adapter = script_named(name, known, places, options)) return adapter;
  refuse_unknown(name, known);
}

}  // namespace

std::unique_ptr<Adapter> make_adapter(const std::string& name, const AdapterOptions& options) {
  auto whole = make_whole(name, options);
  if (auto words = plain_caller_of(name); !words.empty()) compute_by_schema_on(std::move(words), options.timeout_s);
  if (options.level == Level::versions) return whole;
  return std::make_unique<Lowered>(std::move(whole), options.level);
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
