// Choosing mutants, hunting them in workers, and comparing survivors with the written reasons.
#include "mutation/rules/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <set>
#include <stdexcept>

#include "spec/rules/catalogue.h"
#include "support/files.h"
#include "support/interrupt.h"
#include "support/progress.h"

namespace plumbline::mutants {

namespace {

/// FNV-1a: the same on every machine, so samples are reproducible.
std::uint64_t hash_of(const std::string& text, std::uint64_t seed) {
  std::uint64_t hash = 0xCBF29CE484222325ULL ^ (seed * 0x9E3779B97F4A7C15ULL);
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return hash;
}

bool is_file(const std::string& path, const std::string& asked) { return path == asked || path.ends_with("/" + asked); }

std::set<std::pair<std::string, std::string>> functions_of(const Suite& suite, const std::string& rule) {
  std::set<std::pair<std::string, std::string>> functions;
  for (const Place& place : suite.places)
    if (place.rule == rule) functions.emplace(place.site.file, place.function);
  return functions;
}

/// Mutants that one worker hunts, one after the other: the mutants of one function, which share killers and questions
/// to the solver. The groups do not depend on the number of workers.
using Batch = std::vector<std::size_t>;
constexpr std::size_t kBatch = 24;

std::vector<Batch> batches_of(const Report& report) {
  std::vector<Batch> batches;
  const Place* last = nullptr;
  for (std::size_t i = 0; i < report.mutants.size(); ++i) {
    const Place* place = report.mutants[i].place;
    if (last == nullptr || place->site.file != last->site.file || place->function != last->function ||
        batches.back().size() == kBatch)
      batches.emplace_back();
    batches.back().push_back(i);
    last = place;
  }
  return batches;
}

/// Hunts the mutants; returns those that a worker left unfinished.
std::vector<Batch> hunt_batches(const Suite& suite, const Options& options, const std::vector<Batch>& batches,
                                cli::Progress& progress, Report& report) {
  std::vector<Batch> left;
  run_workers(
      batches.size(), options.jobs,
      [&](std::size_t b, const Announce& announce, const Tell& tell) {
        Hunter hunter(suite, announce);
        for (const std::size_t i : batches[b]) tell(hunter.hunt(*report.mutants[i].place, options.programs).to_json());
      },
      [&](std::size_t b, const Ended& ended) {
        const Batch& batch = batches[b];
        std::size_t n = 0;
        for (; n < ended.lines.size(); ++n) report.mutants[batch[n]].fate = Fate::from_json(ended.lines[n]);
        if (ended.how != Ended::How::finished && n < batch.size()) {
          report.mutants[batch[n]].fate = fate_of_lost(ended);
          ++n;
        }
        if (n < batch.size()) left.emplace_back(batch.begin() + static_cast<std::ptrdiff_t>(n), batch.end());
        for (std::size_t i = 0; i < n; ++i) progress.step();
      },
      cli::interrupted);
  return left;
}

void hunt_all(const Suite& suite, const Options& options, Report& report) {
  cli::Progress progress("mutants", report.mutants.size());
  for (std::vector<Batch> batches = batches_of(report); !batches.empty() && !cli::interrupted();)
    batches = hunt_batches(suite, options, batches, progress, report);
}

void judge_branches(const Suite& suite, const std::vector<const Place*>& selects, const Options& options,
                    Survivors& survivors, Report& report) {
  std::vector<Branches> all(selects.size());
  {
    cli::Progress progress("branches", selects.size());
    run_workers(
        selects.size(), options.jobs,
        [&](std::size_t i, const Announce& announce, const Tell& tell) {
          tell(to_json(branches_of(suite, *selects[i], announce)));
        },
        [&](std::size_t i, const Ended& ended) {
          if (!ended.lines.empty()) all[i] = branches_from_json(ended.lines.front());
          progress.step();
        },
        cli::interrupted);
  }
  report.branches_asked = true;
  report.selects = selects.size();
  for (std::size_t i = 0; i < selects.size(); ++i) {
    const Branches& one = all[i];
    if (!one.ran) continue;
    report.both_by_obligations += !one.obligation[0].empty() && !one.obligation[1].empty() ? 1 : 0;
    report.both_at_all += one.reached(0) && one.reached(1) ? 1 : 0;
    for (std::size_t side = 0; side < 2; ++side) {
      if (one.reached(side)) continue;
      const Survivor* reason = survivors.explain(*selects[i], side == 1 ? kAlwaysFalse : kAlwaysTrue);
      const sites::Site& site = selects[i]->site;
      report.unreached.push_back({fmt::format("{}:{}:{}", site.file, site.line, site.column),
                                  fmt::format("its condition is never {}", side == 1 ? "true" : "false"),
                                  reason == nullptr ? "" : reason->reason});
    }
  }
}

void judge_calls(const Suite& suite, const std::vector<const Place*>& mutants, const Options& options,
                 Survivors& survivors, Report& report) {
  for (const Place* place : mutants) {
    if (place->site.token != Token::misread || !place->obligations.empty()) continue;
    report.without_obligation.push_back(
        fmt::format("{} at {}:{}:{}; {} programs do, the first is {}", place->rule, place->site.file, place->site.line,
                    place->site.column, place->programs.size(), suite.programs[place->programs.front()].name));
  }
  for (const WrittenCall& call : calls_never_met(suite, options.source)) {
    if ((!options.file.empty() && !is_file(call.file, options.file)) ||
        (!options.rule.empty() && call.rule != options.rule))
      continue;
    const Survivor* reason = survivors.explain_call(call);
    report.unreached.push_back({fmt::format("{}:{}:{}", call.file, call.line, call.column),
                                fmt::format("{} is never asked", call.rule), reason == nullptr ? "" : reason->reason});
  }
}

/// Whether there is an obligation or a program of this name.
bool is_evidence(const Suite& suite, const std::string& name) {
  return std::ranges::any_of(suite.obligations, [&](const auto& one) { return one.name == name; }) ||
         std::ranges::any_of(suite.programs, [&](const auto& one) { return one.name == name; });
}

/// Entries that name a missing site, obligation or program; after a run over all mutants, also those that explained
/// nothing.
std::vector<std::string> stale_entries(const Suite& suite, const Survivors& survivors, const Options& options,
                                       const Report& report) {
  const bool whole = report.mutants.size() == report.mutants_in_all && options.branches && !report.interrupted;
  std::vector<std::string> stale;
  for (const Survivor& entry : survivors.entries()) {
    if (!is_evidence(suite, entry.by))
      stale.push_back(
          fmt::format("{}: the entry \"{}\" of {} names '{}' in \"by\", which is neither an obligation nor a program",
                      options.survivors, entry.change, entry.function, entry.by));
    const bool there =
        entry.change == kNeverAsked || std::ranges::any_of(suite.places, [&](const Place& place) {
          const bool side =
              place.site.token == Token::select && (entry.change == kAlwaysTrue || entry.change == kAlwaysFalse);
          return Survivors::fits(entry, place, side ? std::string_view(entry.change) : change_of(place.site.token));
        });
    if (there && (!whole || entry.used > 0)) continue;
    stale.push_back(fmt::format("{}: the entry \"{}\" of {} in {} {}: remove it", options.survivors, entry.change,
                                entry.function, entry.file,
                                there ? "explains nothing" : "names nothing in the sources"));
  }
  return stale;
}

bool is_file_name(const std::string& name) { return !name.empty() && name != "-"; }
/// Throws before the work if a file cannot be written. Keeps the file's content.
void check_writable(const std::string& name) {
  if (is_file_name(name) && !std::ofstream(name, std::ios::app))
    throw std::runtime_error(fmt::format("cannot write {}", name));
}
void write_json(const std::string& name, const nlohmann::ordered_json& json) {
  if (!is_file_name(name)) return;
  write_file(name, json.dump(1) + "\n");
}

}  // namespace

std::vector<const Place*> chosen(const Suite& suite, const Options& options) {
  std::vector<const Place*> places;
  const auto functions = functions_of(suite, options.rule);
  if (!options.rule.empty()) (void)asked_rule(options.rule);
  for (const Place& place : suite.places)
    if ((options.file.empty() || is_file(place.site.file, options.file)) &&
        (options.rule.empty() || functions.contains({place.site.file, place.function})))
      places.push_back(&place);
  if (places.empty())
    throw std::runtime_error(fmt::format("there are no mutants in {}{}{}", options.file,
                                         options.file.empty() || options.rule.empty() ? "" : " of ", options.rule));
  if (options.sample == 0 || options.sample >= places.size()) return places;
  std::ranges::sort(places, {}, [&](const Place* place) { return hash_of(place->key(), options.seed); });
  places.resize(options.sample);
  std::ranges::sort(places, {}, [](const Place* place) { return place->site; });
  return places;
}

Report run(const Suite& suite, const Options& options, Survivors survivors) {
  const std::vector<const Place*> places = chosen(suite, options);
  Report report;
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t, bool>> sites;
  for (const Place& place : suite.places) {
    const bool opposite = place.site.token == Token::opposite || place.site.token == Token::misread;
    if (!opposite || place.site.token == Token::misread)
      sites.emplace(place.site.file, place.site.line, place.site.column, opposite);
  }
  report.sites = sites.size();
  report.mutants_in_all = suite.places.size();
  for (const Place* place : places) report.mutants.push_back({place, {}, ""});
  hunt_all(suite, options, report);
  std::set<std::string> mistakes;
  for (const Mutant& mutant : report.mutants)
    if (!mutant.fate.mistake.empty()) mistakes.insert(mutant.fate.mistake);
  for (const std::string& name : mistakes)
    report.mistakes.push_back(fmt::format("{} cannot kill mutants: without a mutant it is not as expected", name));
  for (Mutant& mutant : report.mutants)
    if (mutant.kind() == Kind::unexplained || mutant.kind() == Kind::undecided)
      if (const Survivor* entry = survivors.explain(*mutant.place, change_of(mutant.place->site.token)))
        mutant.reason = entry->reason;
  if (options.branches && options.sample == 0) {
    std::vector<const Place*> selects;
    for (const Place* place : places)
      if (place->site.token == Token::select) selects.push_back(place);
    judge_branches(suite, selects, options, survivors, report);
    judge_calls(suite, places, options, survivors, report);
  }
  report.interrupted = cli::interrupted();
  report.stale = stale_entries(suite, survivors, options, report);
  return report;
}

int run_and_print(const Options& options, const Outputs& outputs) {
  if (!outputs.by_rule.empty() && (options.sample > 0 || !options.rule.empty() || !options.file.empty()))
    throw std::runtime_error("--by-rule counts all mutants. Leave out --rule, --file and --sample");
  check_writable(outputs.json);
  check_writable(outputs.by_rule);
  Survivors survivors = Survivors::load(options.survivors);
  const Suite suite = make_suite(options.source, options.corpus);
  const Report report = run(suite, options, std::move(survivors));
  std::string text;
  for (const Mutant& mutant : report.mutants) text += line_of(mutant) + "\n";
  text += closing_text(report);
  if (outputs.json == "-")
    fmt::print("{}\n", json_of(report).dump(2));
  else
    fmt::print("{}", text);
  write_json(outputs.json, json_of(report));
  if (!report.interrupted) write_json(outputs.by_rule, by_rule_json(report));
  return report.exit_code();
}

}  // namespace plumbline::mutants
