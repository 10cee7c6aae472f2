// `plumbline bench --save`: measuring one implementation for later.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "bench/driver/against.h"
#include "bench/driver/measuring.h"

namespace plumbline::bench {

namespace {

std::string now() { return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(std::time(nullptr))); }

}  // namespace

Measured measure_for_later(const AgainstOptions& options) {
  Measured measured;
  const Implementation implementation = implementation_of(options.on);
  const Contender contender = contender_of(implementation);
  measured.saved.implementation = options.on;
  measured.saved.side = contender.side;
  measured.saved.cpu = contender.info.cpu;
  measured.saved.when = now();
  measured.saved.libraries = contender.info.libraries;
  if (!options.on.starts_with("process:")) measured.runner = implementation.words.front();
  const std::vector<std::string> ids = ids_of(contender.info, options);
  if (ids.empty()) return measured;
  try {
    std::map<std::string, double> instructions;
    if (options.instructions) instructions = count_with_progress(contender, ids, measured.notes);
    RaceResult result = race_with_progress({contender}, ids, options, "measuring");
    measured.interrupted = result.interrupted;
    for (auto& [id, raced] : result.cases) {
      if (!raced.error.empty()) {
        measured.errors[id] = raced.error;
        continue;
      }
      SavedCase& one = measured.saved.cases[id];
      one.ns = std::move(raced.ns.front());
      if (const auto found = instructions.find(id); found != instructions.end()) one.instructions = found->second;
    }
  } catch (const Interrupted&) {
    measured.interrupted = true;
  }
  return measured;
}

}  // namespace plumbline::bench
