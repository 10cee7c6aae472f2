// The loop over operators: candidates until some are taken, the other settings for these, and the laws.
#include "sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

#include "support/glob.h"
#include "sweep/candidates.h"

namespace plumbline::sweep {

namespace {

/// What was found about one operator.
struct Part {
  bool called = false;
  bool by_samples = false;
  std::vector<Experiment> accepted;
  std::string why_not;  ///< no arguments were found
  std::size_t calls = 0;
  std::vector<LawCount> laws = std::vector<LawCount>(sweep::laws().size());
  std::vector<Finding> findings;
};

class OneOperator {
 public:
  OneOperator(Caller& caller, const Operator& op, const Registered& registered, const SweepOptions& options)
      : caller_(caller),
        op_(op),
        registered_(registered),
        twin_(twin_of(op, registered.operators)),
        view_(view_of(op, registered.operators)),
        options_(options) {}

  Part run() {
    std::set<std::string> kinds;  // dtypes and ranks of what it took
    std::size_t repeats = 0;
    const std::vector<Experiment> kept = kept_arguments();
    const std::size_t most = kept.size() + options_.tries;
    for (std::size_t number = 0;
         number < most && part_.accepted.size() < options_.wanted && repeats <= options_.tries / 4; ++number) {
      const bool is_kept = number < kept.size();
      const Experiment one = is_kept ? kept[number] : candidate(op_, options_.seed, number - kept.size());
      const auto seen = call(one);
      if (!seen) {
        if (breakdowns_ >= kBreakdowns) break;
        continue;
      }
      if (!seen->error.empty()) {
        refused(one, *seen);
        continue;
      }
      part_.called = true;
      part_.by_samples = part_.by_samples || is_kept;
      if (!kinds.insert(kind_of(one)).second) {
        if (!is_kept) ++repeats;
        continue;
      }
      part_.accepted.push_back(one);
      judge_all(one, *seen);
      count_aliases(op_, *seen, aliases_);
    }
    judge_annotations();
    if (!part_.called && part_.why_not.empty()) part_.why_not = "no candidate was tried";
    if (!part_.called && breakdowns_ == 0 && most > 0)
      part_.why_not = fmt::format("it took none of {} candidates; the last error: {}", options_.tries, last_error_);
    for (std::size_t i = 0; i < part_.laws.size(); ++i) {
      part_.laws[i].operators = part_.laws[i].cases > 0 ? 1 : 0;
      part_.laws[i].broken =
          std::ranges::any_of(part_.findings, [&](const Finding& f) { return f.law == sweep::laws()[i].id(); }) ? 1 : 0;
    }
    return std::move(part_);
  }

 private:
  std::vector<Experiment> kept_arguments() const {
    if (options_.samples == nullptr) return {};
    const auto found = options_.samples->find(op_.full_name());
    return found == options_.samples->end() ? std::vector<Experiment>{} : found->second;
  }

  static constexpr std::size_t kBreakdowns = 3;  // crashes and hangs of an operator that is then left

  /// Nothing if the caller broke down, which is then a finding, or cannot make the arguments.
  std::optional<Observation> call(const Experiment& one) {
    ++part_.calls;
    auto seen = caller_.call(one);
    if (auto* observation = std::get_if<Observation>(&seen)) return std::move(*observation);
    const Broken& broken = std::get<Broken>(seen);
    last_error_ = part_.why_not = broken.message;
    if (broken.kind == Broken::Kind::unsupported) return std::nullopt;
    ++breakdowns_;
    note({one.op, broken.kind == Broken::Kind::crash ? "crash" : "hang", broken.message,
          std::string(name_of(one.setting)), one, false});
    return std::nullopt;
  }

  void note(Finding finding) {
    const auto same = [&](const Finding& other) { return other.law == finding.law && other.what == finding.what; };
    finding.is_private = is_private(finding.op);
    if (std::ranges::none_of(part_.findings, same)) part_.findings.push_back(std::move(finding));
  }

  void add(std::size_t law, const Judged& judged, const Experiment& experiment) {
    part_.laws[law].cases += judged.cases;
    part_.laws[law].told += judged.told;
    part_.laws[law].refused += judged.refused;
    for (const Breach& breach : judged.breaches) {
      Experiment shown = breach.shown.value_or(experiment);
      shown.setting = breach.setting;
      note({op_.full_name(), std::string(breach.law), breach.what, breach.detail, std::move(shown), false});
    }
  }

  static std::size_t index_of(std::string_view law) {
    return static_cast<std::size_t>(std::ranges::find(sweep::laws(), law, &Law::id) - sweep::laws().begin());
  }

  void refused(const Experiment& one, const Observation& seen) {
    last_error_ = seen.error;
    add(index_of("OP-11"), judge_refusal(op_, one, seen), one);
  }

  static std::string kind_of(const Experiment& one) {
    std::string kind;
    for (const Ingredient& t : one.tensors) kind += fmt::format("{}/{} ", t.dtype, t.sizes.size());
    return one.tensors.empty() ? one.arguments.dump() : kind;
  }

  void judge_all(const Experiment& normal, const Observation& seen) {
    Runs runs;
    runs.seen.emplace(Setting::normal, seen);
    for (const Setting setting : registered_.settings) {
      if (setting == Setting::normal || (setting >= Setting::meta && normal.tensors.empty())) continue;
      Experiment other = normal;
      other.setting = setting;
      if (setting == Setting::meta) to_meta(other.arguments);
      if (auto observation = call(other)) runs.seen.emplace(setting, std::move(*observation));
    }
    if (const auto plain = runs.seen.find(Setting::backward); plain != runs.seen.end() && plain->second.error.empty())
      disturb(runs, normal, plain->second);
    runs.again = call(normal);
    Experiment other = normal;
    other.seed = 2;
    runs.reseeded = call(other);
    if (runs.seen.contains(Setting::batched)) {
      other = normal;
      for (Ingredient& t : other.tensors) std::ranges::reverse(t.values);
      runs.reversed = call(other);
    }
    other = normal;
    other.tensors = strided(normal.tensors);
    if (!other.tensors.empty()) runs.strided = call(other);
    if (twin_ != nullptr) runs.twin = call(call_of_twin(op_, *twin_, normal));
    if (view_ != nullptr) runs.viewed = call(call_of_twin(op_, *view_, normal));
    if (twin_ != nullptr) overlap(runs, normal);
    runs.normal = normal;
    const std::vector<Judged> judged = judge(op_, runs);
    for (std::size_t i = 0; i < judged.size(); ++i) add(i, judged[i], normal);
  }

  /// OP-23. An operator that may give an alias gives copies for most arguments, so more are tried before it is judged.
  void judge_annotations() {
    if (part_.accepted.empty() || is_exempt("OP-23", op_)) return;
    for (std::uint64_t number = 0;
         number < options_.tries && aliases_.copied > 0 && aliases_.shared == 0 && breakdowns_ < kBreakdowns; ++number)
      if (const auto seen = call(candidate(op_, options_.seed, number)); seen && seen->error.empty())
        count_aliases(op_, *seen, aliases_);
    add(index_of("OP-23"), judge_aliases(aliases_), part_.accepted.front());
  }

  void disturb(Runs& runs, const Experiment& normal, const Observation& plain) {
    Experiment one = normal;
    one.setting = Setting::backward;
    for (std::size_t which = 0; which < plain.after.size() + plain.results.size(); ++which) {
      one.disturbed = static_cast<std::int64_t>(which);
      runs.disturbed.push_back(call(one));
    }
  }

  void overlap(Runs& runs, const Experiment& normal) {
    runs.overlapping_call = normal;
    runs.overlapping_call.tensors = overlapping(op_, normal);
    if (runs.overlapping_call.tensors.empty()) return;
    runs.overlapping = call(runs.overlapping_call);
    runs.overlapping_twin = call(call_of_twin(op_, *twin_, runs.overlapping_call));
  }

  static void to_meta(nlohmann::json& arguments) {
    for (nlohmann::json& one : arguments)
      if (one == "cpu") one = "meta";
  }

  Caller& caller_;
  const Operator& op_;
  const Registered& registered_;
  const Operator* twin_;
  const Operator* view_;  ///< whose result it copies
  const SweepOptions& options_;
  Part part_;
  Aliases aliases_;
  std::size_t breakdowns_ = 0;
  std::string last_error_;
};

bool wanted(const SweepOptions& options, const Operator& op) {
  return options.operators.empty() || std::ranges::any_of(options.operators, [&](const std::string& glob) {
           return fits_glob(op.full_name(), glob);
         });
}

void add(SweepReport& report, const Operator& op, Part part) {
  report.calls += part.calls;
  if (part.by_samples) ++report.by_samples;
  if (!part.accepted.empty()) report.accepted.emplace(op.full_name(), std::move(part.accepted));
  if (part.called)
    ++report.called;
  else
    report.left.push_back({op.full_name(), part.why_not});
  for (std::size_t i = 0; i < part.laws.size(); ++i) {
    report.laws[i].cases += part.laws[i].cases;
    report.laws[i].told += part.laws[i].told;
    report.laws[i].refused += part.laws[i].refused;
    report.laws[i].operators += part.laws[i].operators;
    report.laws[i].broken += part.laws[i].broken;
  }
  for (Finding& finding : part.findings) report.findings.push_back(std::move(finding));
}

}  // namespace

SweepReport sweep(const std::function<std::unique_ptr<Caller>()>& make_caller, const SweepOptions& options,
                  const std::function<void(std::size_t, std::size_t)>& step, const std::function<bool()>& stop) {
  std::unique_ptr<Caller> first = make_caller();
  const Registered registered = first->registered();
  SweepReport report;
  report.version = registered.version;
  report.laws.resize(laws().size());
  std::vector<const Operator*> todo;
  std::vector<std::optional<Part>> parts;
  for (const Operator& op : registered.operators) {
    if (!wanted(options, op)) continue;
    ++report.known;
    if (std::string why = why_uncallable(op); !why.empty()) {
      report.left.push_back({op.full_name(), std::move(why)});
      continue;
    }
    todo.push_back(&op);
  }
  report.callable = todo.size();
  parts.resize(todo.size());
  std::atomic<std::size_t> next = 0, done = 0;
  std::mutex stepping;
  const auto work = [&](std::unique_ptr<Caller> caller) {
    if (caller == nullptr) caller = make_caller();
    for (std::size_t i = next++; i < todo.size() && !stop(); i = next++) {
      parts[i] = OneOperator(*caller, *todo[i], registered, options).run();
      const std::lock_guard lock(stepping);
      step(++done, todo.size());
    }
  };
  {
    std::vector<std::jthread> workers;
    workers.emplace_back(work, std::move(first));  // to load PyTorch takes seconds
    for (unsigned i = 1; i < options.jobs; ++i) workers.emplace_back(work, nullptr);
  }
  for (std::size_t i = 0; i < todo.size(); ++i) {
    if (parts[i])
      add(report, *todo[i], std::move(*parts[i]));
    else
      report.interrupted = true;
  }
  // A call of a twin may end the process too: the twin's own calls may have shown that.
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  std::erase_if(report.findings, [&](const Finding& one) { return !seen.emplace(one.op, one.law, one.what).second; });
  std::ranges::sort(report.left, {}, &NotJudged::op);
  report.operators = registered.operators;
  return report;
}

}  // namespace plumbline::sweep
