// Validating body after body.
#include "functionalization/validate/run.h"

#include <algorithm>
#include <utility>

#include "functionalization/validate/generate.h"
#include "functionalization/validate/text.h"
#include "reference/raise.h"

namespace plumbline::validate {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

bool ends(const Options& options, const Report& report, std::uint64_t number) {
  if (options.programs > 0 && number >= options.programs) return true;
  if (options.seconds > 0 && report.seconds >= options.seconds) return true;
  return !options.to_the_end && report.findings.size() >= options.most_findings;
}

}  // namespace

void judge_body(Validator& validator, const Options& options, const passes::Body& body, std::uint64_t number,
                Report& report) {
  reference::Judge judge;
  judge.flipped = options.flipped;
  passes::Passes form = passes::Passes::a;
  const auto found = [&](std::string difference, passes::Program made = {}) {
    ++report.differ;
    if (report.findings.size() >= options.most_findings) return;
    passes::number_names(made);
    report.findings.push_back({number, form, std::move(difference), text_of(body) + "-- becomes\n" + text_of(made)});
  };
  try {
    passes::Program program;
    const passes::Passes first = options.form.value_or(passes::kPasses.front());
    for (const passes::Passes upto : passes::kPasses) {
      form = upto;
      program = passes::last_pass(judge, body, std::move(program), form);
      if (form < first) continue;
      if (form == first) {
        ++report.programs;
        report.steps += body.steps.size();
      }
      ++report.forms;
      if (const auto broken = passes::broken_promise(program, form)) return found(*broken, std::move(program));
      const Validated result = validator.validate_after_run(body, program);
      report.asked += result.asked;
      report.equal += result.equal;
      if (result.difference) return found(*result.difference, std::move(program));
      if (options.form) break;
    }
  } catch (const passes::NotFunctional& why) {
    ++report.without_form;
    ++report.reasons[why.rule->id()];
  } catch (const reference::ReferenceLimit& limit) {
    ++report.without_form;
    ++report.reasons[limit.what()];
  } catch (const reference::Raise& raised) {
    found("the pass raises: " + raised.failure.message);
  } catch (const std::logic_error& wrong) {  // also std::out_of_range
    found(std::string("the pass fails: ") + wrong.what());
  }
}

void add(Report& all, Report one) {
  all.programs += one.programs;
  all.forms += one.forms;
  all.steps += one.steps;
  all.asked += one.asked;
  all.equal += one.equal;
  all.without_form += one.without_form;
  all.seconds = std::max(all.seconds, one.seconds);
  all.interrupted = all.interrupted || one.interrupted;
  for (const auto& [why, count] : one.reasons) all.reasons[why] += count;
  for (Finding& finding : one.findings) all.findings.push_back(std::move(finding));
}

Report run_random(const Options& options, const Stop& stop) {
  const auto begin = Clock::now();
  Report report;
  const reference::Judge sound;
  Validator validator(sound);
  Generator generator(validator);
  for (std::uint64_t number = options.first, done = 0; !ends(options, report, number);
       number += options.every, ++done) {
    const std::uint64_t seed = options.seed * 0x1000003ULL + number * 0x9e3779b1ULL;
    judge_body(validator, options, generator.next(seed, options.steps), number, report);
    if (done % 256 != 0) continue;
    report.seconds = since(begin);
    if (stop(report)) {
      report.interrupted = true;
      break;
    }
  }
  report.seconds = since(begin);
  return report;
}

}  // namespace plumbline::validate
