// Reporting.
#include "fuzz/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "adapters/protocol/names.h"
#include "oracle/report/text.h"
#include "support/files.h"

namespace plumbline::fuzz {

namespace {

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}
double rate(std::uint64_t count, double seconds) { return seconds > 0 ? static_cast<double>(count) / seconds : 0; }

nlohmann::ordered_json to_json(const ReadingCounts& readings) {
  nlohmann::ordered_json json;
  const auto put = [&](std::string_view name, const ReadingCount& count) {
    json[std::string(name)] = {{"compared", count.compared}, {"free", count.free}, {"left_out", count.left_out}};
  };
  for (std::size_t i = 0; i < kFields; ++i) put(name_of(static_cast<Field>(i)), readings.fields[i]);
  put("thread", readings.thread);
  put("answers", readings.answers);
  put("errors", readings.errors);
  put("all", readings.sum());
  return json;
}

/// "readings compared: 120 dtype, … 118 version (20 free), …", and on a second line those of fields that the
/// implementation leaves out.
std::string readings_text(const ReadingCounts& readings) {
  std::string text, left_out;
  const auto put = [&](std::string_view name, const ReadingCount& count) {
    if (count.left_out > 0) left_out += fmt::format("{}{} {}", left_out.empty() ? "" : ", ", count.left_out, name);
    const std::string free = count.free == 0 ? "" : fmt::format(" ({} free)", count.free);
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count.compared, name, free);
  };
  for (std::size_t i = 0; i < kFields; ++i) put(name_of(static_cast<Field>(i)), readings.fields[i]);
  put("of the thread", readings.thread);
  put("of logs and queries", readings.answers);
  put("errors", readings.errors);
  const ReadingCount all = readings.sum();
  if (!left_out.empty())
    left_out = fmt::format("{} readings not compared, because the implementation need not keep them: {}\n",
                           all.left_out, left_out);
  return fmt::format("{} readings compared, {} ({:.2f} %) free: {}\n{}", all.compared, all.free,
                     share(all.free, all.compared), text, left_out);
}

}  // namespace

nlohmann::ordered_json to_json(const Timing& t, const Report& report) {
  return {{"wall_s", t.wall},
          {"generation_s", t.generation},
          {"reference_s", t.reference},
          {"adapter_s", t.adapter},
          {"adapter_process_cpu_s", t.child_cpu},
          {"pipe_and_waiting_s", std::max(0.0, t.adapter - t.child_cpu)},
          {"comparison_s", t.comparison},
          {"programs_per_s", rate(report.programs, t.wall)},
          {"reference_statements_per_s", rate(report.statements, t.reference)}};
}

nlohmann::ordered_json to_json(const Report& r, const std::vector<Case>& cases, const std::vector<Shown>& shown,
                               std::uint64_t seed) {
  nlohmann::ordered_json json{{"implementation", r.description.name},
                              {"version", r.description.version},
                              {"seed", seed},
                              {"programs", r.programs},
                              {"statements", r.statements},
                              {"compared", r.compared},
                              {"unspecified_statements", r.unspecified},
                              {"unspecified_percent", share(r.unspecified, r.compared)},
                              {"readings", to_json(r.readings)},
                              {"waived_statements", r.waived},
                              {"waived_percent", share(r.waived, r.compared)},
                              {"tally",
                               {{"passed", r.tally.passed},
                                {"unsupported", r.tally.unsupported},
                                {"unspecified", r.tally.unspecified},
                                {"unknown", r.tally.unknown},
                                {"divergent", r.tally.divergent},
                                {"waived", r.tally.waived},
                                {"harness_errors", r.tally.harness_errors}}},
                              {"interrupted", r.interrupted},
                              {"stopped_at_max_failures", r.stopped_early}};
  json["unsupported"] = nlohmann::ordered_json::array();
  for (const auto& [why, missed] : r.unsupported)
    json["unsupported"].push_back({{"reason", why}, {"programs", missed.programs}, {"first", missed.first}});
  if (!r.counts.empty()) json["counts"] = r.counts;
  json["failures"] = nlohmann::ordered_json::array();
  for (const Case& c : cases)
    json["failures"].push_back({{"seed", seed},
                                {"index", c.finding.index},
                                {"verdict", name_of(c.finding.verdict)},
                                {"signature", c.finding.signature},
                                {"stage", c.finding.stage},
                                {"programs", c.finding.times},
                                {"message", c.finding.message},
                                {"file", c.file},
                                {"line", c.reproducer.line},
                                {"plain", c.plain},
                                {"statements", c.reproducer.statements},
                                {"shrink_runs", c.shrink_runs},
                                {"shrink_complete", c.shrink_complete},
                                {"verified", c.reproducer.verified},
                                {"note", c.reproducer.note},
                                {"program", c.reproducer.text}});
  json["known"] = nlohmann::ordered_json::array();
  for (const Finding& known : r.known)
    json["known"].push_back({{"waiver", known.waiver},
                             {"signature", known.signature},
                             {"programs", known.times},
                             {"index", known.index},
                             {"message", known.message}});
  json["monitors"] = nlohmann::ordered_json::array();
  for (const Shown& s : shown)
    json["monitors"].push_back({{"breach", s.sighting.key},
                                {"explained", s.sighting.explained},
                                {"waiver", s.sighting.waiver},
                                {"index", s.sighting.index},
                                {"programs", s.sighting.times},
                                {"message", s.sighting.message},
                                {"file", s.file},
                                {"line", s.reproducer.line},
                                {"statements", s.reproducer.statements},
                                {"verified", s.reproducer.verified},
                                {"note", s.reproducer.note},
                                {"program", s.reproducer.text}});
  json["coverage"] = to_json(r.coverage);
  return json;
}

std::string timing_text(const Report& r) {
  const Timing& t = r.timing;
  return fmt::format(
      "{:.0f} programs/s of {:.1f} statements; reference {:.0f} statements/s\n"
      "time, summed over workers: generation {:.2f} s, reference {:.2f} s, adapter {:.2f} s (of which its process "
      "{:.2f} s CPU, "
      "pipe and waiting {:.2f} s), comparison {:.2f} s; wall {:.2f} s\n",
      rate(r.programs, t.wall),
      r.programs == 0 ? 0.0 : static_cast<double>(r.statements) / static_cast<double>(r.programs),
      rate(r.statements, t.reference), t.generation, t.reference, t.adapter, t.child_cpu,
      std::max(0.0, t.adapter - t.child_cpu), t.comparison, t.wall);
}

std::string profile_text(const Report& r) {
  const Timing& t = r.timing;
  const double pipe = std::max(0.0, t.adapter - t.child_cpu);
  const double all = t.generation + t.reference + t.adapter + t.comparison;
  std::string text = fmt::format("{:<36}{:>10}{:>14}{:>9}\n", "where the time went", "s", "us/program", "share");
  const auto line = [&](std::string_view what, double seconds) {
    text += fmt::format("{:<36}{:>10.2f}{:>14.2f}{:>8.1f}%\n", what, seconds,
                        r.programs == 0 ? 0 : 1e6 * seconds / static_cast<double>(r.programs),
                        all > 0 ? 100 * seconds / all : 0);
  };
  line("generation", t.generation);
  line("reference", t.reference);
  line("adapter: its process (CPU)", t.child_cpu);
  line("adapter: pipe, coding and waiting", pipe);
  line("comparison and monitors", t.comparison);
  return text + fmt::format("{:.2f} s of workers' time in {:.2f} s wall time: {:.0f} programs per second and worker\n",
                            all, t.wall, rate(r.programs, all));
}

std::string to_text(const Report& r) {
  std::string text =
      fmt::format("{} {}: {} programs, {} statements compared, {} ({:.2f} %) unspecified, {} ({:.2f} %) waived\n",
                  r.description.name, r.description.version, r.programs, r.compared, r.unspecified,
                  share(r.unspecified, r.compared), r.waived, share(r.waived, r.compared));
  text += comparison_text(r.description) + readings_text(r.readings);
  if (!r.counts.empty()) text += counts_text(r.counts) + "\n";
  for (const auto& [why, missed] : r.unsupported)
    text += fmt::format("not compared: {} programs, the first is number {}: {}\n", missed.programs, missed.first, why);
  for (const Finding& known : r.known)
    text += fmt::format("waived by {}: {} programs, the first is number {}: {}\n", known.waiver, known.times,
                        known.index, known.signature);
  text += to_text(r.coverage) + timing_text(r);
  if (r.interrupted) text += fmt::format("interrupted after {} programs: these are partial results\n", r.programs);
  if (r.stopped_early)
    text += fmt::format("stopped after {} programs, at {} distinct failures (--max-failures)\n", r.programs,
                        r.findings.size());
  return text;
}

std::string to_text(const Case& c, std::uint64_t seed) {
  return fmt::format("\n{} {} ({} program{}, first {}:{})\n  {}\n", name_of(c.finding.verdict), title_of(c.finding),
                     c.finding.times, c.finding.times == 1 ? "" : "s", seed, c.finding.index, c.finding.message) +
         text_of_shrunk(c);
}

std::string text_of_shrunk(const Case& c) {
  const Reproducer& r = c.reproducer;
  std::string text;
  if (!r.message.empty())
    text += fmt::format("  shrunk to {} statements in {} runs{}: {}\n", r.statements, c.shrink_runs,
                        c.shrink_complete ? "" : " (stopped at the limit of runs)", r.message);
  if (!r.text.empty() && !r.verified)
    text += fmt::format("  NOT VERIFIED: {}\n", r.note);
  else if (!r.note.empty())
    text += fmt::format("  no reproducer: {}\n", r.note);
  if (!c.file.empty()) text += fmt::format("  {}:{}\n", c.file, r.line);
  if (!c.plain.empty()) text += fmt::format("  {}\n", c.plain);
  return r.text.empty() ? text : text + "\n" + r.text;
}

std::string to_text(const Shown& s, std::uint64_t seed) {
  const Reproducer& r = s.reproducer;
  std::string text =
      fmt::format("\n{} {} ({} program{}, first {}:{})\n", s.sighting.explained ? "monitor" : "divergent",
                  s.sighting.key, s.sighting.times, s.sighting.times == 1 ? "" : "s", seed, s.sighting.index);
  text += fmt::format("  {}\n", r.message.empty() ? s.sighting.message : r.message);
  if (!r.verified) text += fmt::format("  NOT VERIFIED: {}\n", r.note);
  if (!s.file.empty()) text += fmt::format("  {}:{}\n", s.file, r.line);
  return r.text.empty() ? text : text + "\n" + r.text;
}

void write_file(const std::string& path, const std::string& text) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error)
    throw std::runtime_error(
        fmt::format("cannot write {}: {}; choose a folder that you can write to", path, error.message()));
  plumbline::write_file(path, text);
}

void write_json(const nlohmann::ordered_json& json, const std::string& path) {
  const std::string text = json.dump(2) + "\n";
  if (path == "-")
    fmt::print("{}", text);
  else
    write_file(path, text);
}

}  // namespace plumbline::fuzz
