// The table as text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/driver/grid.h"
#include "bench/driver/growth.h"
#include "bench/driver/statistics.h"
#include "bench/driver/table.h"
#include "bench/driver/units.h"

namespace plumbline::bench {

namespace {

constexpr const char* kNone = "-";

std::string shown_times(const std::vector<double>& ns) {
  return ns.empty() ? kNone : fmt::format("{} ({})", shown_time(median(ns)), shown_time(*std::ranges::min_element(ns)));
}

std::string shown_target(const Target& target) {
  std::vector<std::string> asked;
  if (!target.as.empty()) asked.push_back(fmt::format("as {}", target.as));
  if (target.ratio != 0) asked.push_back(fmt::format("≥ {:g}x", target.ratio));
  if (target.protocol_ratio != 0) asked.push_back(fmt::format("(≥ {:g}x with biased counts)", target.protocol_ratio));
  if (target.tuned_ratio != 0) asked.push_back(fmt::format("≥ {:g}x tuned", target.tuned_ratio));
  return fmt::format("{}", fmt::join(asked, " "));
}

/// Ours, in the run of the LibTorch that the ratio is against.
const Beside* compared(const Row& row) {
  if (row.stock.empty()) return nullptr;
  const auto ratio = row.ratio();
  return ratio ? &row.stock.at(ratio->version) : &row.stock.begin()->second;
}

/// The two times of the tuned ratio, which are in no other column.
std::string tuned_times(const Row& row, const Row::Ratio& ratio) {
  const auto tuned = row.tuned.find(ratio.version);
  const Beside& run = ratio.tuned ? tuned->second : row.stock.at(ratio.version);
  return fmt::format("{} / {}", shown_time(median(run.libtorch)), shown_time(median(run.ours)));
}

std::string cell_of(const std::map<std::string, Beside>& runs, const std::string& version) {
  const auto found = runs.find(version);
  return found == runs.end() ? kNone : shown_times(found->second.libtorch);
}

std::string verdict(const TableReport& report, const Row& row) {
  if (!row.error.empty()) return "ERROR";
  const auto met = report.met(row);
  if (!met) return row.measured() ? "" : "not measured";
  return *met ? "met" : "NOT MET";
}

std::vector<std::string> heading(const TableReport& report, bool targets) {
  std::vector<std::string> line{targets ? "row" : "further cases", "ours"};
  for (const std::string& version : report.versions) line.push_back("LibTorch " + version);
  line.insert(line.end(), {"floor", "ratio"});
  if (targets) line.insert(line.end(), {"tuned / ours", "tuned ratio", "target", ""});
  return line;
}

std::vector<std::string> line_of(const TableReport& report, const Row& row) {
  const bool target = row.target != nullptr;
  std::vector<std::string> line{target ? std::string(row.target->title) : id_of(row.what)};
  const Beside* run = compared(row);
  line.push_back(run == nullptr ? kNone : shown_times(run->ours));
  for (const std::string& version : report.versions) line.push_back(cell_of(row.stock, version));
  const auto floor = row.floor_ns();
  line.push_back(floor ? shown_time(*floor) : kNone);
  const auto ratio = row.ratio();
  line.push_back(ratio ? shown_ratio(ratio->value) : kNone);
  if (!target) return line;
  const auto tuned = row.tuned_ratio();
  const bool has_tuned = !row.tuned.empty() && tuned;
  line.push_back(has_tuned ? tuned_times(row, *tuned) : kNone);
  line.push_back(has_tuned ? shown_ratio(tuned->value) : kNone);
  line.push_back(shown_target(*row.target));
  line.push_back(verdict(report, row));
  return line;
}

std::string shown_count(const std::optional<double>& count) { return count ? fmt::format("{:.4g}", *count) : kNone; }

/// Mallocs, bytes and instructions of the rows with targets, and of others that ask for memory.
std::string counts_text(const TableReport& report) {
  std::vector<std::vector<std::string>> lines{{"counted for one call", "mallocs: ours"}};
  for (const std::string& version : report.versions) lines[0].push_back(version);
  lines[0].emplace_back("bytes kept: ours");
  for (const std::string& version : report.versions) lines[0].push_back(version);
  lines[0].emplace_back("instructions: ours");
  for (const std::string& version : report.versions) lines[0].push_back(version);
  for (const Row& row : report.rows) {
    if (row.ours.empty() || is_lazy(row.what)) continue;
    const Counts& ours = row.ours.begin()->second;
    if (row.target == nullptr && ours.mallocs.value_or(0) <= kMostMallocs) continue;
    std::vector<std::string> line{id_of(row.what)};
    for (const auto count : {&Counts::mallocs, &Counts::kept, &Counts::instructions}) {
      line.push_back(shown_count(ours.*count));
      for (const std::string& version : report.versions) {
        const auto found = row.libtorch.find(version);
        line.push_back(found == row.libtorch.end() ? kNone : shown_count(found->second.*count));
      }
    }
    lines.push_back(line);
  }
  return lines.size() == 1 ? "" : "\n" + grid(lines);
}

/// The rows of memory, which ask for no ratio.
std::string memory_text(const TableReport& report) {
  std::string text;
  double most = -1;
  for (const Row& row : report.rows)
    for (const auto& [version, counts] : row.ours)
      if (row.target != nullptr && counts.mallocs && row.what.call != Call::illegal)
        most = std::max(most, *counts.mallocs);
  if (most >= 0)
    text += fmt::format(
        "mallocs per op, steady state, rows with targets (without the row that raises): at most {:g}; target 0: {}\n",
        most, most <= kMostMallocs ? "met" : "NOT MET");
  for (const char* id : {"view/normal", "view/inference"}) {
    const Row* row = report.row(id);
    if (row == nullptr || row->ours.empty() || !row->ours.begin()->second.kept) continue;
    const double kept = *row->ours.begin()->second.kept;
    text += fmt::format("memory kept, {}: {:g} bytes; target at most {:g}: {}\n", id, kept, kMostKept_bytes,
                        kept <= kMostKept_bytes ? "met" : "NOT MET");
  }
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

std::string table_text(const TableReport& report) {
  std::string text = fmt::format(
      "{}, {} CPUs; one pinned thread; median (minimum) of CPU time\n"
      "ratio: LibTorch's printed median divided by ours, both from one process; against the faster LibTorch\n",
      report.cpu, report.cpus);
  if (!report.tuning.empty())
    text += fmt::format("tuned: the faster LibTorch, with {}; LibTorch 2.13 has MKL as its BLAS\n", report.tuning);
  if (std::ranges::any_of(report.rows, [](const Row& row) { return row.target && row.target->protocol_ratio != 0; }))
    text +=
        "with biased counts: for a runtime whose reference counts need no atomic on the owning thread; ours are "
        "atomic, "
        "so this does not decide\n";
  std::vector<std::vector<std::string>> lines{heading(report, true)};
  std::vector<std::vector<std::string>> further{heading(report, false)};
  for (const Row& row : report.rows) (row.target != nullptr ? lines : further).push_back(line_of(report, row));
  const std::size_t last = lines[0].size() - 1;
  if (lines.size() > 1) text += "\n" + grid(lines, {last - 1, last});
  text += memory_text(report);
  if (further.size() > 1) text += "\n" + grid(further);
  text += lazy_text(report);
  text += growth_text(growths(report));
  text += counts_text(report);
  if (report.instructions)
    text += "callgrind counts the instructions of the AVX2 path, since it does not know AVX-512.\n";
  for (const Row& row : report.rows)
    if (!row.error.empty()) text += fmt::format("error: {}: {}\n", id_of(row.what), row.error);
  for (const std::string& note : report.notes) text += fmt::format("note: {}\n", note);
  std::size_t met = 0;
  std::size_t judged = 0;
  std::size_t measured = 0;
  for (const Row& row : report.rows) {
    const auto verdict = report.met(row);
    judged += verdict ? 1 : 0;
    met += verdict.value_or(false) ? 1 : 0;
    measured += row.measured() && row.error.empty() ? 1 : 0;
  }
  text +=
      fmt::format("\n{}{} of {} cases measured in {:.0f} s; {} of {} targets met\n",
                  report.interrupted ? "interrupted: " : "", measured, report.rows.size(), report.seconds, met, judged);
  return text;
}

}  // namespace plumbline::bench
