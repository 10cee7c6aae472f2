// The solver's process: its command line, its version, its input, and its answer.
#include "prove/second_solver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <regex>
#include <string_view>

#include "support/conversation.h"

namespace plumbline {

namespace {

using proofs::Answer;

constexpr double kVersionSeconds = 20;
constexpr std::uint64_t kCvc5Resources = 20'000'000;  // about a minute
constexpr std::uint64_t kZ3Resources = 200'000'000;

using Version = std::array<int, 3>;
/// The versions of Debian 12.
constexpr Version kOldestCvc5{1, 0, 3};
constexpr Version kOldestZ3{4, 8, 12};

constexpr std::string_view kInstall =
    "install it (Debian: apt-get install cvc5; z3 comes with pip install z3-solver), or give the path to it";

std::string dotted(const Version& v) { return fmt::format("{}.{}.{}", v[0], v[1], v[2]); }

/// A program's output in quotes, for a message.
std::string quoted(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, 160)) shown += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  while (!shown.empty() && shown.back() == ' ') shown.pop_back();
  return fmt::format("'{}'{}", shown, text.size() > 160 ? " …" : "");
}

std::string how_it_ended(const Conversation& said) {
  std::string text = said.end->signal != 0 ? fmt::format("was killed by signal {}", said.end->signal)
                                           : fmt::format("ended with exit code {}", said.end->code);
  if (!said.errors.empty()) text += fmt::format(" and printed {}", quoted(said.errors));
  return text;
}

/// The file without its expected status: a solver that reads the status dies if its answer differs.
std::string without_status(std::string file) {
  for (std::size_t at = 0; (at = file.find("(set-info :status ", at)) != std::string::npos;)
    if (at == 0 || file[at - 1] == '\n') {
      file.erase(at, file.find('\n', at) - at + 1);
    } else {
      ++at;
    }
  return file;
}

/// The answer in a conversation; `name` is the solver's.
Answer read_answer(const Conversation& said, std::string_view name, const SolverLimits& limits) {
  const auto unknown = [](std::string why) { return Answer{.kind = Answer::Kind::unknown, .why = std::move(why)}; };
  if (said.stopped == Conversation::Stopped::time)
    return unknown(fmt::format("{} was killed: it had no answer within {} s", name, limits.seconds));
  if (said.stopped == Conversation::Stopped::output)
    return unknown(fmt::format("{} was killed: it printed more than {} bytes", name, limits.output));
  const bool well = said.end->signal == 0 && said.end->code == 0;
  if (well && said.output == "sat\n") return {.kind = Answer::Kind::satisfiable};
  if (well && said.output == "unsat\n") return {.kind = Answer::Kind::unsatisfiable};
  if (well && said.output == "unknown\n")
    return unknown(fmt::format("{} gave up, or reached its resource limit", name));
  if (!well)
    return unknown(
        fmt::format("{} {}{}", name, how_it_ended(said), said.output.empty() ? "" : ", after " + quoted(said.output)));
  return unknown(said.output.empty() ? fmt::format("{} printed nothing", name)
                                     : fmt::format("{} printed {}, not sat or unsat", name, quoted(said.output)));
}

/// One way to ask: the command-line options, and the share of the time limit.
struct Way {
  std::vector<std::string> options;
  double share = 1;
};

/// The ways in which cvc5 is asked, in turn, until one gives an answer. They are several times faster than cvc5's own
/// choice of logic and strategy: eager bit-blasting for pure bit vectors; a named logic for linear questions without
/// quantifiers. It finds models of quantified assertions only with finite model finding, which is quick if there is a
/// model, and slower at refuting if there is none.
std::vector<Way> ways_of_cvc5(std::string_view question) {
  const auto has = [&](std::string_view word) { return question.find(word) != std::string_view::npos; };
  if (has("(forall ") || has("(exists "))
    return {{{"--finite-model-find"}, 0.04}, {{}, 0.25}, {{"--finite-model-find"}, 1}};
  const bool numbers = has("Int") || has("(* ") || has("(div ") || has("(mod ");
  bool functions = has("(declare-sort ");
  for (std::size_t at = 0; !functions && (at = question.find("(declare-fun ", at)) != std::string_view::npos; ++at) {
    const std::string_view line = question.substr(at, question.find('\n', at) - at);
    functions = line.find(" () ") == std::string_view::npos;  // no constant
  }
  if (!numbers && !functions) return {{{"--force-logic=QF_BV", "--bitblast=eager"}, 0.5}, {{}, 1}};
  if (!has("(* ") && !has("(div ") && !has("(mod ")) return {{{"--force-logic=QF_UFBVLIA"}, 0.5}, {{}, 1}};
  return {{}};
}

}  // namespace

std::string cvc5_options(std::string_view file) {
  const std::vector<Way> ways = ways_of_cvc5(file);
  // If there is a model, finite model finding finds it; otherwise the other way is quicker.
  const bool refuted = file.find("(set-info :status sat)") != std::string_view::npos;
  const bool looks = ways.front().options == std::vector<std::string>{"--finite-model-find"};
  return fmt::format("{}", fmt::join(looks && !refuted ? ways[1].options : ways.front().options, " "));
}

SecondSolver::SecondSolver(std::string command) : command_(std::move(command)) {
  Conversation said;
  try {
    said = converse({command_, "--version"}, {}, kVersionSeconds, 1U << 16U);
  } catch (const std::runtime_error& error) {
    throw SolverFailure(fmt::format("the solver '{}' cannot be started ({}); {}", command_, error.what(), kInstall));
  }
  if (said.stopped != Conversation::Stopped::no)
    throw SolverFailure(
        fmt::format("the solver '{}' did not answer --version within {} s; {}", command_, kVersionSeconds, kInstall));
  static const std::regex pattern(R"((cvc5|Z3) version ([0-9]{1,6})\.([0-9]{1,6})\.([0-9]{1,6}))");
  std::smatch match;
  if (!std::regex_search(said.output, match, pattern))
    throw SolverFailure(fmt::format("'{}' is neither cvc5 nor z3: to --version it says {}, and {}; {}", command_,
                                    quoted(said.output), how_it_ended(said), kInstall));
  cvc5_ = match[1] == "cvc5";
  Version version;
  for (std::size_t i = 0; i < version.size(); ++i) version[i] = std::stoi(match[i + 2].str());
  version_ = fmt::format("{} {}", cvc5_ ? "cvc5" : "z3", dotted(version));
  const Version& oldest = cvc5_ ? kOldestCvc5 : kOldestZ3;
  if (version < oldest)
    throw SolverFailure(
        fmt::format("'{}' is {}, but {} or later is needed; {}", command_, version_, dotted(oldest), kInstall));
}

Answer SecondSolver::ask(const std::string& file, const SolverLimits& limits) const {
  const auto begin = std::chrono::steady_clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  const std::uint64_t resources = limits.resources != 0 ? limits.resources : cvc5_ ? kCvc5Resources : kZ3Resources;
  const std::string question = without_status(file);
  const auto once = [&](const Way& way) {
    const double left = limits.seconds - spent();
    std::vector<std::string> words{command_};
    if (cvc5_) {
      words.insert(words.end(), {"--lang=smt2", fmt::format("--rlimit={}", resources)});
    } else {
      words.insert(words.end(), {"-smt2", "-in", fmt::format("rlimit={}", resources)});
    }
    words.insert(words.end(), way.options.begin(), way.options.end());
    try {
      return read_answer(
          converse(words, question, std::clamp(way.share * limits.seconds, 0.0, std::max(0.0, left)), limits.output),
          version_, limits);
    } catch (const std::runtime_error& error) {
      return Answer{.kind = Answer::Kind::unknown, .why = fmt::format("{}: {}", version_, error.what())};
    }
  };
  Answer answer;
  for (const Way& way : cvc5_ ? ways_of_cvc5(question) : std::vector<Way>{{}}) {
    if (spent() >= limits.seconds) break;
    answer = once(way);
    if (answer.kind != Answer::Kind::unknown) break;
  }
  answer.milliseconds = 1000 * spent();
  return answer;
}

}  // namespace plumbline
