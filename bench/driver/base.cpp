// What `--against` names: a saved measurement, whose runner perhaps still runs, or another implementation.
#include "bench/driver/base.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "language/refusal.h"

namespace plumbline::bench {

namespace {

Saved load_named(const AgainstOptions& options) {
  namespace fs = std::filesystem;
  const std::string& name = options.against;
  if (const fs::path path = fs::path(options.store) / name; !name.empty() && fs::exists(path / "report.json"))
    return load(path);
  if (name.find('/') != std::string::npos || name.ends_with(".json") || fs::exists(name)) return load(name);
  std::vector<std::string> names = saved_names(options.store);
  const std::string there = names.empty() ? fmt::format("nothing is saved in {}", options.store)
                                          : fmt::format("there are {}", fmt::join(names, ", "));
  throw SavedError(fmt::format("--against '{}': no such saved report, file or implementation; {}", name,
                               program::did_you_mean(name, names, there)));
}

}  // namespace

Base base_of(const AgainstOptions& options, const Contender& fresh) {
  Base base;
  if (is_implementation(options.against)) {
    base.contender = contender_of(implementation_of(options.against));
    base.what = options.against;
    return base;
  }
  base.saved = load_named(options);
  base.what = fmt::format("{} ({}, {})", options.against, base.saved->implementation, base.saved->when);
  base.why_not = why_not_runnable(*base.saved);
  if (!base.why_not.empty()) return base;
  try {
    base.contender = contender_of({options.against, {base.saved->runner, "--serve"}, base.saved->side});
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error& error) {
    base.why_not = error.what();
  }
  if (base.saved->cpu != fresh.info.cpu) base.what += fmt::format(", saved on {}", base.saved->cpu);
  return base;
}

}  // namespace plumbline::bench
