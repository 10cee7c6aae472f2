// Measuring the table within ten minutes: every case on every runner in turn, the rows with targets first.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <regex>
#include <set>

#include "bench/driver/fleet.h"
#include "bench/driver/table.h"
#include "support/progress.h"

namespace plumbline::bench {

namespace {

using Clock = std::chrono::steady_clock;
using Kind = Fleet::Kind;

constexpr double kMeasure_s = 480;  // after this time no further case begins
constexpr double kAll_s = 560;      // after this time nothing more is counted
constexpr int kRounds = 3;
constexpr int kRepetitions = 3;
constexpr int kQuickRepetitions = 5;
constexpr double kTarget_s = 0.01;  // a repetition of a row with a target, at least
constexpr double kFurther_s = 0.004;

struct Ask {
  Implementation implementation;
  std::string version;
  Kind kind;
};

class Measurement {
 public:
  explicit Measurement(const TableOptions& options) : options_(options) {
    report_.versions = options.versions;
    for (const std::string& version : options.versions)
      implementations_.push_back({version, implementation_of("libtorch-" + version)});
    if (implementations_.empty()) implementations_.push_back({"", implementation_of("optimized")});
    find_lazy_runners();
    choose_rows();
  }

  TableReport run() {
    try {
      times();
      memory();
      instructions();
    } catch (const Interrupted&) {
      report_.interrupted = true;
    }
    report_.seconds = seconds();
    return std::move(report_);
  }

 private:
  /// A runner, and whether it has the lazy cases or all others.
  struct Runs {
    std::string version;
    Implementation implementation;
    bool lazy = false;
    bool has(const Row& row) const { return lazy == is_lazy(row.what); }
  };

  /// Beside each LibTorch that has a lazy device, or of ours alone if there is none.
  void find_lazy_runners() {
    std::vector<std::string> versions = options_.versions;
    std::erase_if(versions, [](const std::string& version) { return lazy_runner(version).empty(); });
    if (versions.empty() && !lazy_runner("").empty()) versions.emplace_back();
    for (const std::string& version : versions)
      implementations_.push_back({version, implementation_of(lazy_runner(version)), true});
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void choose_rows() {
    std::regex wanted;
    try {
      wanted = std::regex(options_.filter, std::regex::icase);
    } catch (const std::regex_error&) {
      throw std::runtime_error(
          fmt::format("--filter '{}' is not a regular expression; examples: add, ^view/, 'mm|mlp'", options_.filter));
    }
    for (const Case& one : cases()) {
      const auto target = std::ranges::find_if(targets(), [&](const Target& t) { return id_of(t.what) == id_of(one); });
      Row row;
      row.what = one;
      if (target != targets().end()) row.target = &*target;
      const std::string title(row.target == nullptr ? "" : row.target->title);
      if (options_.quick && row.target == nullptr) continue;
      if (options_.versions.empty() && !is_on(one, "ours")) continue;
      if (std::regex_search(id_of(one), wanted) || std::regex_search(title, wanted)) report_.rows.push_back(row);
    }
  }

  void times() {
    cli::Progress progress("measuring", report_.rows.size());
    std::size_t late = 0;
    for (Row& row : report_.rows) {
      if (seconds() > kMeasure_s) {
        ++late;
        continue;
      }
      const std::vector<Ask> asks = asks_of(row);
      for (int round = 0; round < (options_.quick ? 1 : kRounds); ++round) time_once(row, asks);
      for (const Ask& ask : asks) let_go(ask);
      progress.step();
    }
    if (late != 0)
      report_.notes.push_back(
          fmt::format("{} further cases were not measured: ten minutes are the limit; use --filter", late));
    fleet_.end(Kind::tuned);
    fleet_.end(Kind::stock);
  }

  std::vector<Ask> asks_of(const Row& row) const {
    std::vector<Ask> asks;
    for (const Runs& one : implementations_) {
      if (!one.has(row)) continue;
      asks.push_back({one.implementation, one.version, Kind::stock});
      if (!one.version.empty() && row.target != nullptr && is_tunable(row.what))
        asks.push_back({one.implementation, one.version, Kind::tuned});
    }
    return asks;
  }

  /// Each process once, in random order.
  void time_once(Row& row, std::vector<Ask> asks) {
    std::ranges::shuffle(asks, random_);
    for (const Ask& ask : asks) {
      if (!row.error.empty()) return;
      guarded(row, ask, [&](Runner& runner) {
        const double least_s = row.target != nullptr && !options_.quick ? kTarget_s : kFurther_s;
        Times times = runner.time(id_of(row.what), runner.info().sides,
                                  options_.quick ? kQuickRepetitions : kRepetitions, least_s);
        Beside& beside = (ask.kind == Kind::tuned ? row.tuned : row.stock)[ask.version];
        append(beside.ours, times["ours"]);
        append(beside.libtorch, times["libtorch"]);
        append(beside.floor, times["floor"]);
        append(beside.eager, times["eager"]);
        append(beside.libtorch_eager, times["libtorch_eager"]);
        report_.cpu = runner.info().cpu;
        report_.cpus = runner.info().cpus;
        if (ask.kind == Kind::tuned) report_.tuning = tuning();
      });
    }
  }

  static void append(std::vector<double>& all, const std::vector<double>& some) {
    all.insert(all.end(), some.begin(), some.end());
  }

  /// A failure becomes the row's error. A process that failed is replaced.
  template <class Use>
  void guarded(Row& row, const Ask& ask, const Use& use) {
    try {
      use(fleet_.get(ask.implementation, ask.kind));
    } catch (const CaseFailed& failed) {
      row.error = fmt::format("{}: {}", ask.implementation.name, failed.what());
    } catch (const RunnerFailed& failed) {
      row.error = failed.what();
      fleet_.lose(ask.implementation, ask.kind);
    }
  }

  void let_go(const Ask& ask) {
    try {
      fleet_.get(ask.implementation, ask.kind).drop();
    } catch (const RunnerFailed&) {
      fleet_.lose(ask.implementation, ask.kind);  // the next case starts it again, or reports why it cannot
    } catch (const CaseFailed&) {
      fleet_.lose(ask.implementation, ask.kind);
    }
  }

  void memory() {
    count(Kind::memory, "counting mallocs", [](Runner& runner, Row& row, const std::string& version) {
      if (!runner.info().counts_memory) throw RunnerFailed("cannot load the library that counts malloc");
      const Json memory = runner.memory(id_of(row.what), sides(row, version));
      for (const auto& [side, counted] : memory.items()) {
        Counts& counts = counted_of(row, side)[version];
        if (counted.contains("peak")) counts.peak = counted["peak"].template get<double>();
        counts.mallocs = counted.at("mallocs").template get<double>();
        if (counted.contains("kept")) counts.kept = counted["kept"].template get<double>();
      }
    });
  }

  void instructions() {
    count(Kind::instructions, "counting instructions", [this](Runner& runner, Row& row, const std::string& version) {
      if (!runner.info().counts_instructions)
        throw RunnerFailed("this build has no valgrind headers; install valgrind and build again");
      for (const auto& [side, counted] : runner.count(id_of(row.what), sides(row, version)))
        counted_of(row, side)[version].instructions = counted;
      report_.instructions = true;
    });
  }

  /// The sides that are counted.
  static std::vector<std::string> sides(const Row& row, const std::string& version) {
    std::vector<std::string> all{"ours"};
    if (is_lazy(row.what)) all.emplace_back("eager");
    if (version.empty()) return all;
    all.emplace_back("libtorch");
    if (is_lazy(row.what)) all.emplace_back("libtorch_eager");
    return all;
  }
  static std::map<std::string, Counts>& counted_of(Row& row, std::string_view side) {
    if (side == "eager") return row.eager;
    if (side == "libtorch_eager") return row.libtorch_eager;
    return side == "ours" ? row.ours : row.libtorch;
  }

  static bool is_counted(const Row& row, Kind kind) {
    if (kind == Kind::memory) return is_countable(row.what) || is_lazy(row.what);
    return row.target != nullptr && is_countable(row.what);
  }

  /// Counts instructions (only of rows with targets) or memory. A failure becomes a note.
  template <class Use>
  void count(Kind kind, const std::string& label, const Use& use) {
    std::vector<Row*> rows;
    for (Row& row : report_.rows)
      if (row.error.empty() && row.measured() && is_counted(row, kind)) rows.push_back(&row);
    if (rows.empty() || options_.quick) return;
    cli::Progress progress(label, rows.size() * implementations_.size());
    for (const auto& [version, implementation, lazy] : implementations_) {
      for (Row* row : rows) {
        if (lazy != is_lazy(row->what)) continue;
        if (seconds() > kAll_s)
          return report_.notes.push_back(fmt::format("{} stopped after ten minutes; use --filter", label));
        try {
          use(fleet_.get(implementation, kind), *row, version);
        } catch (const CaseFailed& failed) {
          report_.notes.push_back(fmt::format("{}, {}: {}", label, implementation.name, failed.what()));
        } catch (const RunnerFailed& failed) {
          report_.notes.push_back(fmt::format("{}, {}: {}", label, implementation.name, failed.what()));
          break;
        }
        progress.step();
      }
      fleet_.end(kind);
    }
  }

  const TableOptions& options_;
  Clock::time_point start_ = Clock::now();
  TableReport report_;
  std::vector<Runs> implementations_;
  Fleet fleet_;
  std::mt19937_64 random_{std::random_device()()};
};

}  // namespace

TableReport measure_table(const TableOptions& options) { return Measurement(options).run(); }

}  // namespace plumbline::bench
