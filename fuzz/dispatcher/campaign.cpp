// The campaign of dispatch scripts.
#include "fuzz/dispatcher/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "fuzz/batches.h"
#include "fuzz/progress.h"
#include "reference/raise.h"

namespace plumbline::fuzz {

namespace {

std::optional<dispatcher::TraceDifference> judged(const DispatchScript& script, const DispatchTrace& right,
                                                  const DispatchResult& result) {
  if (const auto* broken = std::get_if<Breakdown>(&result))
    return dispatcher::TraceDifference{0, std::string(name_of(broken->kind)), "a trace", broken->message,
                                       broken->message};
  return dispatcher::compare(script, right, std::get<DispatchTrace>(result));
}

/// The first program of each signature stays, and counts.
void note(std::vector<DispatchFinding>& findings, DispatchFinding finding) {
  const auto known = std::ranges::find(findings, finding.signature, &DispatchFinding::signature);
  if (known == findings.end())
    findings.push_back(std::move(finding));
  else
    known->times += finding.times;
}

void fold(DispatchCampaignReport& sum, DispatchCampaignReport part) {
  sum.programs += part.programs;
  sum.statements += part.statements;
  sum.calls += part.calls;
  sum.kernels += part.kernels;
  for (std::size_t i = 0; i < sum.errors.size(); ++i) sum.errors[i] += part.errors[i];
  sum.passed += part.passed;
  sum.unsupported += part.unsupported;
  sum.divergent += part.divergent;
  sum.decisions.consulted |= part.decisions.consulted;
  sum.decisions.mattered |= part.decisions.mattered;
  for (DispatchFinding& finding : part.findings) note(sum.findings, std::move(finding));
}

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

DispatchCampaignReport compared(const DispatchCampaign& campaign, const dispatcher::DispatchRunner& runner,
                                std::uint64_t first, std::uint64_t last) {
  DispatchCampaignReport part;
  reference::Judge expected = campaign.expected;
  expected.decisions = &part.decisions;
  std::vector<DispatchScript> scripts;
  for (std::uint64_t i = first; i < last; ++i)
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
    note(part.findings, {wrong->signature, first + i, 1, wrong->message, scripts[i]});
  }
  return part;
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
  const auto start = std::chrono::steady_clock::now();
  DispatchCampaignReport report;
  Progress progress(campaign.label, campaign.programs, campaign.seconds);
  Batches<DispatchCampaignReport> batches({campaign.programs, campaign.seconds, campaign.jobs}, [&] {
    return [&campaign, runner = campaign.make_runner()](std::uint64_t first, std::uint64_t last) {
      return compared(campaign, runner, first, last);
    };
  });
  batches.each([&](DispatchCampaignReport part) {
    fold(report, std::move(part));
    progress.show(report.programs, report.findings.size());
    return !campaign.first_only || report.findings.empty();
  });
  progress.end();
  report.interrupted = interrupted;
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace plumbline::fuzz
