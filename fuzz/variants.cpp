// `plumbline variants`: for each rule that a profile breaks, the shortest program that shows it.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "adapters/reference/reference.h"
#include "fuzz/commands.h"
#include "fuzz/hits.h"
#include "fuzz/judge_adapter.h"
#include "fuzz/report.h"
#include "fuzz/shrink.h"
#include "language/curated.h"
#include "language/parse.h"
#include "language/print.h"
#include "spec/rules/catalogue.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline::fuzz {

namespace {

constexpr std::size_t kVariantShrinkRuns = 4000;
/// This many ways of showing a difference are shrunk; the shortest wins.
constexpr std::size_t kWays = 12;
/// This many programs of each kind are tried first.
constexpr std::uint64_t kFew = 3000;

/// Why the search makes no program that shows the rule; empty: it makes some.
std::string_view beyond_search(const Rule& rule) {
  if (rule.family == Family::DEV)
    return "only programs of two devices show it, and the search for variants makes programs of one";
  if (rule.family == Family::MUL) return "a generated program contains the statements that it needs only by chance";
  return out_of_reach(rule);
}

struct VariantsOptions {
  std::string profile = "torch-2.13";
  std::string on, json, out;
  bool quiet = false;        ///< print only rules without a program that is confirmed, and the last line
  bool no_progress = false;  ///< show none
  CampaignOptions campaign;
};

struct ShownVariant {
  const Rule* rule = nullptr;
  const Variant* variant = nullptr;
  std::optional<Reproducer> program{};  ///< none: no program was found that shows it
  std::string checked{};                ///< what the implementation did with it; empty: not asked
  bool confirmed = true;                ///< false: it did not fail there
  bool with_all = false;                ///< it also fails at its line under the whole profile, so in the release
};

/// Where the program fails under the whole profile; 0 if it does not, or the reference cannot say.
int line_under(Profile profile, const std::string& program) {
  reference::Judge whole;
  whole.profile = profile;
  JudgeAdapter adapter(whole);
  const program::Test test = program::lower(program::parse(program, "variant")).at(0);
  const RunResult got = adapter.run(test.script);
  if (std::holds_alternative<Breakdown>(got)) return 0;
  const Comparison comparison = check_expectations(test, got, adapter.describe());
  return comparison.differences.empty() ? 0 : comparison.differences.front().line;
}

/// The shortest program whose run under `sound` changes with this rule's variant alone; `unsafe`: among programs with
/// statements that can break any invariant.
ShownVariant show(const Rule& rule, Profile profile, CampaignOptions options, bool unsafe) {
  ShownVariant shown{&rule, rule.variant(profile)};
  reference::Judge sound;
  reference::Judge varied;
  varied.profile = profile;
  varied.only_variant = &rule;
  Recipe recipe(sound, unsafe);
  recipe.functionalize = rule.family == Family::FUN;
  recipe.transforms = rule.family == Family::TRF;
  recipe.profiles = {profile};
  recipe.million = false;
  const bool same_keys = layout_of(profile).series == layout_of(sound.profile).series;
  // If the keys differ, so do the fallbacks.
  recipe.dispatching = !same_keys                   ? Dispatching::never
                       : rule.family == Family::DSP ? Dispatching::only
                                                    : Dispatching::sometimes;
  const Subject subject{[varied] { return std::make_unique<JudgeAdapter>(varied); }, recipe, sound};
  options.max_failures = kWays;
  if (!options.label.empty()) options.label = rule.id();
  const Report report = run_campaign(subject, options);
  JudgeAdapter adapter(varied);
  const Failing failing = [&](const Script& script) { return signature_on(adapter, sound, script); };
  const std::vector<std::string> header{
      fmt::format("{}: {}", rule.id(), rule.text().sentence),
      fmt::format("{}: {}", name_of(profile), shown.variant->sentence),
      fmt::format("Source: {}", shown.variant->source),
      fmt::format("Breaks: {}",
                  shown.variant->breaks.empty() ? "no invariant; only an observation differs" : shown.variant->breaks)};
  std::tuple<bool, bool, std::size_t, std::size_t> best;
  for (const Finding& finding : report.findings) {
    const Shrunk small = shrink(genes_at(options.seed, finding.index), subject.generated, finding.signature, failing,
                                kVariantShrinkRuns);
    Reproducer program = reproduce(small.script, sound, adapter, {stem_of(rule.id()), {rule.id()}, header});
    // A different error shows less than a changed value or a missing error.
    const bool other_error =
        finding.signature.find("/error: ") != std::string::npos && !finding.signature.ends_with("-> none");
    if (!program.verified) continue;
    // Several variants together can hide what one of them alone shows; the release then does not show it.
    const bool hidden = line_under(profile, program.text) != program.line;
    const std::tuple rank(hidden, other_error, program.statements, program.text.size());
    if (shown.program && rank >= best) continue;
    best = rank;
    shown.with_all = !hidden;
    shown.program = std::move(program);
  }
  return shown;
}

/// A curated test as a file of its own, and where it fails under the variant; nothing if it does not fail.
std::optional<Reproducer> curated_program(const program::Test& test, JudgeAdapter& varied) {
  Reproducer made;
  made.text = program::print(program::raise(test));
  const program::Test again = program::lower(program::parse(made.text, "curated")).at(0);
  const RunResult got = varied.run(again.script);
  made.statements = again.script.statements.size();
  if (const auto* broken = std::get_if<Breakdown>(&got)) {  // the variant cannot be executed: the release crashes there
    made.message = broken->message;
    return made;
  }
  const Comparison comparison = check_expectations(again, got, varied.describe());
  if (comparison.verdict != Verdict::divergent || comparison.differences.empty()) return std::nullopt;
  made.line = comparison.differences.front().line;
  made.message = comparison.message;
  return made;
}

/// The first curated program that names the rule and fails with its variant alone.
ShownVariant show_curated(const Rule& rule, Profile profile) {
  static const std::vector<CuratedTest> corpus =
      load_curated_folders({PLUMBLINE_CORPUS, PLUMBLINE_CORPUS "/dispatcher", PLUMBLINE_CORPUS "/functionalize",
                            PLUMBLINE_CORPUS "/transforms"});
  ShownVariant shown{&rule, rule.variant(profile)};
  reference::Judge judge;
  judge.profile = profile;
  judge.only_variant = &rule;
  JudgeAdapter varied(judge);
  for (const CuratedTest& curated : corpus) {
    if (shown.program || std::ranges::find(curated.test.rules, rule.id()) == curated.test.rules.end()) continue;
    try {
      shown.program = curated_program(curated.test, varied);
      shown.with_all = shown.program && line_under(profile, shown.program->text) == shown.program->line;
    } catch (const std::invalid_argument&) {
      continue;  // it cannot be printed as Python again
    }
  }
  return shown;
}

/// Looks for a program that the whole profile shows, too: among a few safe programs, a few unsafe ones, the curated
/// ones, all safe ones, and all unsafe ones. Without such a program, the first one that the variant alone shows.
ShownVariant search(const Rule& rule, Profile profile, const CampaignOptions& options) {
  if (!beyond_search(rule).empty()) return show_curated(rule, profile);
  CampaignOptions few = options;
  few.programs = std::min(few.programs, kFew);
  // Bodies, and programs about the dispatcher, never have unsafe statements.
  const bool unsafe = rule.family != Family::FUN && rule.family != Family::DSP && rule.family != Family::TRF;
  const bool more = options.programs > kFew;
  ShownVariant first{&rule, rule.variant(profile)};
  const auto settles = [&](ShownVariant shown) {
    if (shown.program && (!first.program || shown.with_all)) first = std::move(shown);
    return first.program && first.with_all;
  };
  if (settles(show(rule, profile, few, false))) return first;
  if (unsafe && settles(show(rule, profile, few, true))) return first;
  if (settles(show_curated(rule, profile)) || !more) return first;
  if (settles(show(rule, profile, options, false)) || !unsafe) return first;
  settles(show(rule, profile, options, true));
  return first;
}

/// Runs the program on an implementation: it must fail at the line at which the variant does.
void check_on(ShownVariant& shown, Adapter& adapter) {
  if (!shown.program) return;
  const program::Test test = program::lower(program::parse(shown.program->text, shown.rule->id())).at(0);
  const Comparison comparison = check_expectations(test, adapter.run(test.script), adapter.describe());
  const int line = comparison.differences.empty() ? 0 : comparison.differences.front().line;
  const int wanted = shown.program->line;  // 0: unknown, because the reference does not execute it
  shown.confirmed = comparison.verdict == Verdict::divergent && (wanted == 0 || line == wanted);
  shown.checked =
      comparison.verdict == Verdict::divergent
          ? comparison.message
          : fmt::format("{}: expected it to fail at line {}", name_of(comparison.verdict), shown.program->line);
}

std::string to_text(const ShownVariant& s, const std::string& profile, const std::string& on) {
  std::string text = fmt::format("\n{}  {}\n  {}: {}\n  source: {}\n  breaks: {}\n", s.rule->id(),
                                 s.rule->text().sentence, profile, s.variant->sentence, s.variant->source,
                                 s.variant->breaks.empty() ? "no invariant" : s.variant->breaks);
  if (!s.program && !beyond_search(*s.rule).empty())
    return text + fmt::format("  no program here: {}\n", beyond_search(*s.rule));
  if (!s.program) return text + "  NO PROGRAM FOUND: raise --programs\n";
  if (!s.checked.empty()) text += fmt::format("  {}: {}{}\n", on, s.confirmed ? "" : "NOT CONFIRMED: ", s.checked);
  return text + "\n" + s.program->text;
}

nlohmann::ordered_json to_json(const ShownVariant& s) {
  nlohmann::ordered_json json{{"rule", s.rule->id()},           {"sentence", s.rule->text().sentence},
                              {"variant", s.variant->sentence}, {"source", s.variant->source},
                              {"breaks", s.variant->breaks},    {"found", s.program.has_value()}};
  if (s.program)
    json.update({{"program", s.program->text},
                 {"line", s.program->line},
                 {"statements", s.program->statements},
                 {"message", s.program->message}});
  if (!s.checked.empty()) json.update({{"confirmed", s.confirmed}, {"checked", s.checked}});
  return json;
}

void write_program(const std::string& folder, const std::string& file, const std::string& program) {
  write_reproducer(fmt::format("{}/{}", folder, file),
                   fmt::format("# {}\n{}", fmt::join(how_to_run(file, ""), "\n# "), program));
}

int run_variants(const VariantsOptions& options) {
  const Profile profile = look_up([&] { return profile_or_throw(options.profile); });
  const std::unique_ptr<Adapter> adapter =
      options.on.empty() ? nullptr : look_up([&] { return make_adapter(options.on, {}); });
  std::FILE* const out = options.json == "-" ? stderr : stdout;
  nlohmann::ordered_json json{{"command", "variants"},
                              {"profile", options.profile},
                              {"implementation", options.on},
                              {"variants", nlohmann::ordered_json::array()}};
  std::size_t rules = 0, others = 0, found = 0, confirmed = 0;
  for (const Rule* rule : kAskedRules) {
    if (rule->variant(profile) == nullptr || interrupted) continue;
    ShownVariant shown = search(*rule, profile, options.campaign);
    if (adapter != nullptr) check_on(shown, *adapter);
    ++rules;
    const bool elsewhere = !shown.program && !beyond_search(*rule).empty();
    rules -= elsewhere ? 1 : 0;
    others += elsewhere ? 1 : 0;
    found += shown.program ? 1 : 0;
    confirmed += shown.program && shown.confirmed ? 1 : 0;
    if (!options.quiet || !(elsewhere || (shown.program && shown.confirmed)))
      fmt::print(out, "{}", to_text(shown, options.profile, options.on));
    json["variants"].push_back(to_json(shown));
    if (!options.out.empty() && shown.program)
      write_program(options.out, fmt::format("test_{}.py", stem_of(rule->id())), shown.program->text);
  }
  if (!options.json.empty()) write_json(json, options.json);
  const std::string on =
      adapter == nullptr ? "" : fmt::format(", {} of them fail on {} at the expected line", confirmed, options.on);
  const std::string elsewhere = others == 0 ? "" : fmt::format(" ({} more have no program in Python)", others);
  fmt::print(out, "\n{} rules differ between {} and sound{}; programs show {} of them{}\n", rules, options.profile,
             elsewhere, found, on);
  return found == rules && confirmed == rules ? 0 : 1;
}

}  // namespace

void add_variants(CommandLine& line) {
  const auto options = std::make_shared<VariantsOptions>();
  options->campaign.programs = 20000;
  Command& command =
      line.command("variants", "list the rules that a profile breaks, each with the shortest program that shows it");
  command.option("--profile PROFILE", options->profile, "the profile to compare with `sound`");
  command.option("--on IMPLEMENTATION", options->on,
                 "check that each program fails on this implementation, at the same line; see plumbline list "
                 "implementations");
  command.option("--programs N", options->campaign.programs, "the most programs for each rule").positive();
  command.seed(options->campaign.seed);
  command.jobs(options->campaign.jobs);
  command.out(options->out, "the programs");
  command.json(options->json);
  command.quiet(options->quiet);
  command.flag("--no-progress", options->no_progress, "for plumbline check, which shows its own").hidden();
  command.footer(
      "examples:\n  plumbline variants --profile torch-2.13 --on libtorch-2.13.0\n  plumbline variants --profile "
      "rfc-0011 --json variants.json");
  command.runs([options] {
    options->campaign.label = options->quiet || options->no_progress ? "" : "variants";
    return run_variants(*options);
  });
}

}  // namespace plumbline::fuzz
