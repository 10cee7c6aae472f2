// The campaign of dispatch scripts.
#include "fuzz/dispatcher/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include "fuzz/campaign.h"
#include "fuzz/progress.h"
#include "reference/raise.h"

namespace plumbline::fuzz {

namespace {

constexpr std::uint64_t kBatch = 64;

std::optional<dispatcher::TraceDifference> judged(const DispatchScript& script, const DispatchTrace& right,
                                                  const DispatchResult& result) {
  if (const auto* broken = std::get_if<Breakdown>(&result))
    return dispatcher::TraceDifference{0, std::string(name_of(broken->kind)), broken->message};
  return dispatcher::compare(script, right, std::get<DispatchTrace>(result));
}

/// What the workers share.
class Shared {
 public:
  explicit Shared(const DispatchCampaign& campaign) : campaign_(campaign) {}

  /// The next batch's first program, or nothing.
  std::optional<std::uint64_t> next() {
    if (stop_ || interrupted) return std::nullopt;
    const std::uint64_t first = next_.fetch_add(kBatch);
    return first < campaign_.programs ? std::optional(first) : std::nullopt;
  }
  void stop() { stop_ = true; }

  void add(const DispatchCampaignReport& part) {
    const std::lock_guard lock(mutex_);
    sum_.programs += part.programs;
    sum_.statements += part.statements;
    sum_.calls += part.calls;
    sum_.kernels += part.kernels;
    for (std::size_t i = 0; i < sum_.errors.size(); ++i) sum_.errors[i] += part.errors[i];
    sum_.passed += part.passed;
    sum_.unsupported += part.unsupported;
    sum_.divergent += part.divergent;
    sum_.decisions.consulted |= part.decisions.consulted;
    sum_.decisions.mattered |= part.decisions.mattered;
    for (const DispatchFinding& finding : part.findings) {
      auto [at, added] = findings_.emplace(finding.signature, finding);
      if (added) continue;
      const std::size_t times = at->second.times + finding.times;
      if (finding.index < at->second.index) at->second = finding;
      at->second.times = times;
    }
  }
  DispatchCampaignReport sum() {
    for (auto& [signature, finding] : findings_) sum_.findings.push_back(finding);
    std::ranges::sort(sum_.findings, {}, &DispatchFinding::index);
    sum_.interrupted = interrupted;
    return sum_;
  }
  std::uint64_t done() {
    const std::lock_guard lock(mutex_);
    return sum_.programs;
  }
  std::size_t found() {
    const std::lock_guard lock(mutex_);
    return findings_.size();
  }

 private:
  const DispatchCampaign& campaign_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  DispatchCampaignReport sum_;
  std::map<std::string, DispatchFinding> findings_;
};

void count(DispatchCampaignReport& part, const DispatchTrace& trace, const DispatchScript& script) {
  ++part.programs;
  part.statements += script.statements.size();
  for (std::size_t i = 0; i < trace.size(); ++i) {
    ++part.errors[static_cast<std::size_t>(trace[i].error)];
    part.kernels += trace[i].log.size();
    const auto& statement = script.statements[i];
    part.calls +=
        std::holds_alternative<InvokeOp>(statement) || std::holds_alternative<RedispatchOp>(statement) ? 1 : 0;
  }
}

void work(const DispatchCampaign& campaign, Shared& shared) {
  const dispatcher::DispatchRunner runner = campaign.make_runner();
  while (const auto first = shared.next()) {
    DispatchCampaignReport part;
    reference::Judge expected = campaign.expected;
    expected.decisions = &part.decisions;
    const std::uint64_t last = std::min(campaign.programs, *first + kBatch);
    std::vector<DispatchScript> scripts;
    for (std::uint64_t i = *first; i < last; ++i)
      scripts.push_back(build_dispatch(genes_at(campaign.seed, i).value(), campaign.built, campaign.profiles));
    const std::vector<DispatchResult> results = runner(scripts);
    for (std::size_t i = 0; i < scripts.size(); ++i) {
      DispatchTrace right;
      try {
        right = reference::run(expected, scripts[i]);
      } catch (const reference::ReferenceLimit&) {
        ++part.programs;
        ++part.unsupported;
        continue;
      }
      count(part, right, scripts[i]);
      const auto* broken = std::get_if<Breakdown>(&results[i]);
      if (broken != nullptr && broken->kind == Breakdown::Kind::unsupported) {
        ++part.unsupported;
        continue;
      }
      const auto wrong = judged(scripts[i], right, results[i]);
      if (!wrong) {
        ++part.passed;
        continue;
      }
      ++part.divergent;
      part.findings.push_back({wrong->signature, *first + i, 1, wrong->message, scripts[i]});
      if (campaign.first_only) shared.stop();
    }
    shared.add(part);
  }
}

}  // namespace

std::optional<dispatcher::TraceDifference> difference(const dispatcher::DispatchRunner& runner,
                                                      const reference::Judge& expected, const DispatchScript& script) {
  DispatchTrace right;
  try {
    right = reference::run(expected, script);
  } catch (const reference::ReferenceLimit&) {
    return std::nullopt;
  }
  return judged(script, right, runner({&script, 1}).front());
}

DispatchCampaignReport run_campaign(const DispatchCampaign& campaign) {
  Shared shared(campaign);
  const auto start = std::chrono::steady_clock::now();
  const auto since = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  std::atomic<unsigned> working{campaign.jobs};
  std::vector<std::exception_ptr> failures(campaign.jobs);
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < campaign.jobs; ++i)
      workers.emplace_back([&, i] {
        try {
          work(campaign, shared);
        } catch (...) {
          failures[i] = std::current_exception();
          shared.stop();
        }
        --working;
      });
    Progress progress(campaign.label, campaign.programs, campaign.seconds);
    while (working > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      progress.show(shared.done(), shared.found());
      if (campaign.seconds > 0 && since() > campaign.seconds) shared.stop();
    }
    progress.end();
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  DispatchCampaignReport report = shared.sum();
  report.seconds = since();
  return report;
}

}  // namespace plumbline::fuzz
