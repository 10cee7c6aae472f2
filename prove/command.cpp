// Proves the obligations and writes the results as text and JSON.
#include "prove/command.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "oracle/verdict.h"
#include "prove/fallen.h"
#include "prove/flips.h"
#include "prove/one_screen.h"
#include "prove/programs.h"
#include "prove/second_solver.h"
#include "spec/rules/catalogue.h"
#include "support/files.h"
#include "support/interrupt.h"
#include "support/progress.h"
#include "support/terminal.h"
#include "support/workers.h"

namespace plumbline::prove {

namespace {

using proofs::Obligation;
using proofs::Proof;
using proofs::Verdict;

struct Result {
  Proof proof;
  std::optional<ShownProgram> program;
  bool curated = false;  ///< the program is a curated one that no longer holds
  std::string text;      ///< its line and its details

  /// Whether the search for a program that should show it failed, or the program does not show it.
  bool unconfirmed() const;
};

/// Neighbouring obligations share premises, so one thread asks them together.
constexpr std::size_t kNeighbours = 24;

constexpr std::string_view kFailed = "the search for a program FAILED: ";

bool Result::unconfirmed() const {
  return program && (program->note.starts_with(kFailed) || (!program->text.empty() && !program->confirmed));
}

std::string_view word(Verdict verdict) {
  return verdict == Verdict::proved ? "proved" : verdict == Verdict::refuted ? "refuted" : "unknown";
}

/// The reason of an expected refutation.
std::string reason_of(const Proof& proof, Profile profile) {
  for (const proofs::Exception& exception : proof.obligation->except)
    if (exception.profile == profile) return std::string(exception.reason);
  return std::string(proof.obligation->because);
}

std::string indented(const std::string& text) {
  std::string result = "    ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] != '\n') result += "    ";
  }
  return result;
}

std::string line_of(const Proof& proof) {
  return fmt::format("{:<8}{} {:<58}{:>9.1f} ms {:>10}  {}\n", word(proof.verdict),
                     proof.vacuous                       ? "VACUOUS "
                     : proof.as_expected()               ? "        "
                     : proof.verdict == Verdict::unknown ? "GAVE UP "
                                                         : "FAILED  ",
                     proof.obligation->name, proof.milliseconds, proof.resources,
                     fmt::join(rule_ids(proof.rules), " "));
}

std::string details_of(const Result& result, const ProveCommand& command, Profile profile) {
  const Proof& proof = result.proof;
  if (proof.verdict == Verdict::proved && proof.as_expected()) return {};
  std::string text = fmt::format("  claim     {}\n  expected  {}\n", proof.obligation->sentence, word(proof.expected));
  if (proof.vacuous) text += "  no values satisfy its premises, so it says nothing\n";
  if (!proof.why.empty()) text += fmt::format("  because   {}\n", proof.why);
  const std::string reason = reason_of(proof, profile);
  if (proof.verdict == Verdict::refuted && proof.as_expected() && !reason.empty())
    text += fmt::format("  because   {}\n", reason);
  if (command.verbose || !proof.as_expected())
    for (const auto& [name, value] : proof.counterexample) text += fmt::format("  with      {} = {}\n", name, value);
  if (!result.program) return text;
  const std::string& note = result.program->note;
  if (result.program->text.empty()) return text + fmt::format("  program   {}\n", note);
  if (result.curated) return text + fmt::format("  program   {}\n\n{}\n", note, indented(result.program->text));
  text +=
      fmt::format("  program   {}\n\n{}\n",
                  result.program->confirmed ? "it passes on the reference under this profile, so this happens there:" +
                                                  (note.empty() ? "" : "\n            " + note)
                                            : "NOT CONFIRMED: " + note,
                  indented(result.program->text));
  return text;
}

nlohmann::json json_of(const Result& result, Profile profile) {
  const Proof& proof = result.proof;
  nlohmann::json json{{"name", proof.obligation->name},     {"claim", proof.obligation->sentence},
                      {"verdict", word(proof.verdict)},     {"expected", word(proof.expected)},
                      {"as_expected", proof.as_expected()}, {"vacuous", proof.vacuous},
                      {"rules", rule_ids(proof.rules)},     {"resources", proof.resources}};
  if (!proof.why.empty()) json["why"] = proof.why;
  if (proof.verdict == Verdict::refuted) {
    json["because"] = reason_of(proof, profile);
    for (const auto& [name, value] : proof.counterexample) json["counterexample"][name] = value;
  }
  if (result.program) {
    json["program"] = {
        {"text", result.program->text}, {"confirmed", result.program->confirmed}, {"note", result.program->note}};
  }
  return json;
}

/// The program that shows a refutation. If the search fails, the note says why, and the run goes on.
std::optional<ShownProgram> searched(const Obligation& obligation, const reference::Judge& judge) {
  try {
    return program_of(obligation, judge);
  } catch (const std::exception& error) {
    return ShownProgram{{}, false, fmt::format("{}{}", kFailed, error.what())};
  }
}

/// If an obligation fails unexpectedly and the search found no program: a curated program that fails too. `fallen`: the
/// failing programs of the corpus, once they are needed.
void add_fallen(Result& result, const reference::Judge& judge, const std::string& corpus,
                std::optional<std::vector<FallenProgram>>& fallen) {
  const bool shown = result.program && !result.program->text.empty();
  if (result.proof.as_expected() || shown || corpus.empty() || judge.profile != Profile::sound) return;
  if (!fallen) fallen = fallen_programs(judge, corpus);
  const FallenProgram* one = closest(*fallen, rule_ids(result.proof.rules));
  if (one == nullptr) return;
  result.program = ShownProgram{one->source, true, fmt::format("{} fails: {}", one->name, one->failure)};
  result.curated = true;
}

/// Counts of a run.
struct Tally {
  std::size_t total = 0, expected = 0, proved = 0, refuted = 0, unknown = 0, unconfirmed = 0;
  double milliseconds = 0;
};
Tally tally(const std::vector<Result>& results) {
  Tally t;
  for (const Result& result : results) {
    ++t.total;
    t.expected += result.proof.as_expected() ? 1U : 0U;
    t.proved += result.proof.verdict == Verdict::proved ? 1U : 0U;
    t.refuted += result.proof.verdict == Verdict::refuted ? 1U : 0U;
    t.unknown += result.proof.verdict == Verdict::unknown ? 1U : 0U;
    t.unconfirmed += result.unconfirmed() ? 1U : 0U;
    t.milliseconds += result.proof.milliseconds;
  }
  return t;
}

/// Writes to stdout for "-", to a file, or nowhere for "".
void write_json(const nlohmann::json& json, const std::string& path) {
  if (path.empty()) return;
  if (path == "-") return fmt::print("{}\n", json.dump(1));
  write_file(path, json.dump(1) + "\n");
}

void write_smt2(const std::vector<Obligation>& obligations, const proofs::ProveOptions& options,
                const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (const Obligation& obligation : obligations) {
    const std::filesystem::path path = std::filesystem::path(folder) / (obligation.name + ".smt2");
    const std::string question = proofs::smtlib_of(obligation, options);
    const std::string best = cvc5_options(question);
    write_file(path.string(), (best.empty() ? "" : "; cvc5 is quickest with " + best + "\n") + question);
  }
}

std::vector<Obligation> chosen(const std::string& only) {
  std::vector<Obligation> all = proofs::all_obligations();
  std::erase_if(all, [&](const Obligation& o) { return o.name.find(only) == std::string::npos; });
  if (all.empty())
    throw std::runtime_error(
        fmt::format("no obligation's name contains '{}'. `plumbline prove` lists the names", only));
  return all;
}

/// The obligations that `sound` keeps and a profile breaks; if there are none, a program that the profile runs
/// differently.
std::string profile_text(const std::vector<Result>& results, Profile profile) {
  std::string text;
  for (const Result& result : results)
    for (const proofs::Exception& exception : result.proof.obligation->except)
      if (exception.profile == profile)
        text += fmt::format("  {:<56}{}\n", result.proof.obligation->name, exception.reason);
  if (!text.empty()) return fmt::format("\nWhat sound keeps but {} breaks:\n{}", name_of(profile), text);
  const ShownProgram shown = difference_program(profile);
  text = fmt::format("\n{} breaks nothing that sound keeps.\n", name_of(profile));
  if (shown.text.empty()) return text + shown.note + "\n";
  return text +
         fmt::format("The shortest program that they run differently: {}\n\n{}\n", shown.note, indented(shown.text));
}

std::string interrupted_text(std::size_t left, std::size_t all) {
  return fmt::format("interrupted: {} of {} obligations were not proved\n", left, all);
}

/// The obligations that make the command fail.
std::string unexpected_text(const std::vector<Result>& results) {
  std::string text;
  for (const Result& result : results)
    if (!result.proof.as_expected() || result.proof.verdict == Verdict::unknown || result.unconfirmed())
      text += result.text;
  return text;
}

/// Everything, if that fits one screen; otherwise counts, and the unexpected obligations by name.
std::string short_text(const std::vector<Result>& results, const std::string& rest, const std::string& closing,
                       Profile profile, const ProveCommand& command) {
  const Screen screen = screen_of_stdout();
  std::string whole;
  std::vector<Asked> asked;
  for (const Result& result : results) {
    whole += result.text;
    asked.push_back({&result.proof, result.text, reason_of(result.proof, profile), !result.unconfirmed()});
  }
  whole += rest;
  return screen.lines_of(whole) <= command.lines ? whole : one_screen(asked, closing, {screen, command.lines, profile});
}

/// Asks another solver the same questions as files, and checks its verdicts.
int ask_second(const ProveCommand& command, const std::vector<Obligation>& obligations,
               const proofs::ProveOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const SecondSolver solver(command.solver);
  const bool text = command.json != "-";
  nlohmann::json json{{"profile", command.profile}, {"solver", solver.version()}};
  std::vector<std::optional<proofs::Answer>> answers(obligations.size());
  cli::catch_interrupt();
  {
    cli::Progress progress(command.quiet ? "" : "asking " + solver.version(), obligations.size());
    cli::share_work(obligations.size(), {.jobs = command.jobs}, [&](std::size_t i) {
      if (cli::interrupted()) return;
      const proofs::Answer answer = solver.ask(proofs::smtlib_of(obligations[i], options));
      if (!cli::interrupted()) answers[i] = answer;  // Ctrl-C ends the solver's process too
      progress.step();
    });
  }
  std::size_t asked = 0, expected = 0, unknown = 0;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i]) continue;
    const proofs::Answer& answer = *answers[i];
    using Kind = proofs::Answer::Kind;
    const Verdict verdict = answer.kind == Kind::unsatisfiable ? Verdict::proved
                            : answer.kind == Kind::satisfiable ? Verdict::refuted
                                                               : Verdict::unknown;
    const Verdict wanted = obligations[i].expected_of(options.profile);
    ++asked;
    expected += verdict == wanted ? 1U : 0U;
    unknown += verdict == Verdict::unknown ? 1U : 0U;
    const std::string_view mark = verdict == wanted ? "" : verdict == Verdict::unknown ? "GAVE UP" : "DIFFERS";
    if (text && (!command.quiet || verdict != wanted))
      fmt::print("{:<8}{:<8} {:<58}{:>9.1f} ms{}{}\n", word(verdict), mark, obligations[i].name, answer.milliseconds,
                 answer.why.empty() ? "" : "  ", answer.why);
    json["obligations"].push_back(
        {{"name", obligations[i].name}, {"verdict", word(verdict)}, {"expected", word(wanted)}, {"why", answer.why}});
  }
  const std::size_t left = obligations.size() - asked;
  if (text && left > 0) fmt::print("{}", interrupted_text(left, obligations.size()));
  if (text)
    fmt::print("{} of {} obligations as expected: {} unknown; {}, profile {}, {:.1f} s with {} jobs\n", expected,
               obligations.size(), unknown, solver.version(), command.profile, seconds, command.jobs);
  write_json(json, command.json);
  if (left > 0) return kExitInterrupted;
  return unknown > 0 ? kExitHarness : expected == asked ? 0 : 1;
}

}  // namespace

std::vector<std::string> rule_ids(const std::bitset<Rule::kIndices>& rules) {
  std::vector<std::string> ids;
  for (const Rule* rule : kAskedRules)
    if (rules.test(rule->index())) ids.push_back(rule->id());
  return ids;
}

int prove_command(const ProveCommand& command) {
  if (command.flip == "all") return flip_all(command);
  const auto profile = profile_named(command.profile);
  if (!profile)
    throw std::runtime_error(
        fmt::format("unknown profile '{}'. `plumbline list profiles` lists them", command.profile));
  proofs::ProveOptions options;
  options.profile = *profile;
  options.resource_limit = command.resource_limit;
  if (!command.flip.empty()) options.flipped = &asked_rule(command.flip);
  const std::vector<Obligation> obligations = chosen(command.only);
  if (!command.smt2.empty()) write_smt2(obligations, options, command.smt2);
  if (command.solver != "z3") return ask_second(command, obligations, options);

  reference::Judge judge;
  judge.profile = *profile;
  judge.flipped = options.flipped;
  const bool text = command.json != "-";
  nlohmann::json json{{"profile", command.profile}, {"solver", proofs::solver_version()}, {"flip", command.flip}};
  std::vector<Result> results;
  std::optional<std::vector<FallenProgram>> fallen;
  const bool streamed = text && command.verbose;
  std::optional<cli::Progress> progress;
  if (!streamed) progress.emplace(command.quiet ? "" : "proving", obligations.size());
  const auto add = [&](Proof proof) {
    Result result{std::move(proof), std::nullopt, false, ""};
    const bool programs = command.programs && !cli::interrupted();
    if (programs && result.proof.verdict == Verdict::refuted)
      result.program = searched(*result.proof.obligation, judge);
    if (programs) add_fallen(result, judge, command.corpus, fallen);
    result.text = line_of(result.proof) + details_of(result, command, *profile);
    if (streamed) fmt::print("{}", result.text);
    std::fflush(stdout);
    json["obligations"].push_back(json_of(result, *profile));
    results.push_back(std::move(result));
    if (progress) progress->step();
  };
  cli::catch_interrupt();
  std::mutex one_at_a_time;
  std::vector<std::optional<Proof>> proofs(obligations.size());
  cli::share_work(obligations.size(), {command.jobs, kNeighbours}, [&](std::size_t i) {
    if (cli::interrupted()) return;
    Proof proof = proofs::prove(obligations[i], options);
    const std::lock_guard lock(one_at_a_time);
    proofs[i] = std::move(proof);
    while (results.size() < proofs.size() && proofs[results.size()] && !cli::interrupted())
      add(*std::move(proofs[results.size()]));
  });
  for (std::size_t i = results.size(); i < proofs.size(); ++i)  // after Ctrl-C: what other threads have proved
    if (proofs[i]) add(*std::move(proofs[i]));
  progress.reset();
  const Tally t = tally(results);
  std::string rest;  // what follows the obligations
  if (*profile != Profile::sound && command.only.empty() && options.flipped == nullptr && !command.quiet)
    rest = profile_text(results, *profile);
  std::string closing;
  if (results.size() < obligations.size())
    closing = interrupted_text(obligations.size() - results.size(), obligations.size());
  closing += fmt::format(
      "{} of {} obligations as expected: {} proved, {} refuted, {} unknown; {}, profile {}, {:.1f} s of a core\n",
      t.expected, obligations.size(), t.proved, t.refuted, t.unknown, proofs::solver_version(), command.profile,
      t.milliseconds / 1000);
  if (text && command.quiet)
    fmt::print("{}{}", unexpected_text(results), closing);
  else if (text)
    fmt::print("{}", streamed ? rest + closing : short_text(results, rest + closing, closing, *profile, command));
  json["timing"] = {{"milliseconds", t.milliseconds}};
  write_json(json, command.json);
  if (results.size() < obligations.size()) return kExitInterrupted;
  if (t.unknown > 0 || t.unconfirmed > 0) return kExitHarness;
  return t.expected == t.total ? 0 : 1;
}

}  // namespace plumbline::prove
