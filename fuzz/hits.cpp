// Measuring hits, and `plumbline hits`.
#include "fuzz/hits.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "adapters/protocol/protocol.h"
#include "adapters/reference/reference.h"
#include "fuzz/builder.h"
#include "fuzz/campaign.h"
#include "fuzz/commands.h"
#include "fuzz/judge_adapter.h"
#include "fuzz/progress.h"
#include "fuzz/report.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/aut_create_graph.h"
#include "spec/rules/aut_grad.h"
#include "spec/rules/aut_hooks.h"
#include "spec/rules/aut_inputs.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/dev.h"
#include "spec/rules/dsp.h"
#include "spec/rules/geo_copy.h"
#include "spec/rules/geo_value.h"
#include "spec/rules/trf.h"
#include "spec/rules/ver.h"

namespace plumbline::fuzz {

namespace {

struct OutOfReach {
  const Rule* rule;
  std::string_view why;
};
constexpr std::string_view kSteps = "a generated program contains the statements that it needs only by chance";
constexpr std::string_view kArguments = "the generator prefers arguments that fit, and gives these only by chance";
constexpr std::string_view kForeign =
    "it distinguishes a kernel from the fallback of Functionalize or functorch, which no rule describes: the reference "
    "does not know what that fallback does";
constexpr std::string_view kLeftToTensors = "tensor programs show it";
constexpr std::string_view kOfBits =
    "only ops by schema make conjugates and negative views, and programs for hits have none; those of `plumbline fuzz "
    "--on libtorch-VERSION` do";
constexpr std::array kOutOfReach{
    OutOfReach{&TLS_13,
               "only C++ has the deprecated guard, so no generated program enters it; see `plumbline table migration`"},
    OutOfReach{&VER_19, "no program writes a tensor 2^32 times"},
    OutOfReach{&TRF_16, "it says what is free, and its misreading changes nothing that is compared"},
    OutOfReach{&TRF_28, "it says what is free, and its misreading changes nothing that is compared"},
    OutOfReach{&VIEW_19, kSteps},
    OutOfReach{&AUT_32, kSteps},
    OutOfReach{&AUT_41, kSteps},
    OutOfReach{&AUT_53, kSteps},
    OutOfReach{&AUT_55, kSteps},
    OutOfReach{&AUT_56, kSteps},
    OutOfReach{&AUT_57, kSteps},
    OutOfReach{&AUT_67, kSteps},
    OutOfReach{&AUT_68, kSteps},
    OutOfReach{&AUT_74, kSteps},
    OutOfReach{&AUT_84, kSteps},
    OutOfReach{&AUT_87, kSteps},
    OutOfReach{&AUT_89, kSteps},
    OutOfReach{&AUT_93, kSteps},
    OutOfReach{&AUT_97, kSteps},
    OutOfReach{&AUT_98, kSteps},
    OutOfReach{&AUT_100, kSteps},
    OutOfReach{&TYPE_33, kArguments},
    OutOfReach{&TYPE_46, "generated values are so small that every dtype holds them"},
    OutOfReach{&VAL_51, kSteps},
    OutOfReach{&RAND_52, "generated programs are too short to call rand twice after a seed"},
    OutOfReach{&GEO_81, kArguments},
    OutOfReach{&DEV_09, kSteps},
    OutOfReach{&DSP_07, kForeign},
    OutOfReach{&DSP_11, kForeign},
    OutOfReach{&DSP_39, "no generated program has PythonDispatcher in a key set"},
};

/// Whether a misreading changes what is observed. A misreading that leads the reference to its limits shows nothing.
bool shows(const Script& script, const Trace& right, const reference::Judge& misread, const Description& description) {
  try {
    const RunResult wrong = reference::run(misread, script);
    return compare(script, right, wrong, description).verdict == Verdict::divergent;
  } catch (const reference::ReferenceLimit&) {
    return false;
  }
}

/// They come after the others.
std::uint64_t programs_of_two_devices(const HitOptions& options) {
  return options.dispatcher || options.transforms ? 0 : options.programs / 8;
}

struct HitsCommand {
  HitOptions hits;
  std::string profile = "sound";
  std::string json;
};

/// Counts program `index`, which made these decisions; `shows`: whether a rule's misreading changes what is observed.
template <class Shows>
void count_hits(std::vector<Hits>& all, const Decisions& decisions, std::uint64_t index, Shows shows) {
  for (Hits& h : all) {
    h.consulted += decisions.consulted.test(h.rule->index()) ? 1 : 0;
    if (!decisions.mattered.test(h.rule->index())) continue;
    ++h.mattered;
    if (!shows(*h.rule)) continue;
    ++h.hit;
    if (!h.first) h.first = index;
  }
}

int run_hits(const HitsCommand& command) {
  HitOptions options = command.hits;
  options.profile = look_up([&] { return profile_or_throw(command.profile); });
  std::FILE* const out = command.json == "-" ? stderr : stdout;
  const std::vector<Hits> all = measure_hits(options);
  nlohmann::ordered_json json{{"command", options.dispatcher   ? "hits --dispatcher"
                                          : options.transforms ? "hits --transforms"
                                                               : "hits"},
                              {"profile", command.profile},
                              {"seed", options.seed},
                              {"programs", options.programs},
                              {"programs_of_two_devices", programs_of_two_devices(options)},
                              {"rules", nlohmann::ordered_json::array()}};
  fmt::print(out, "{:<9}{:>10}{:>10}{:>10}{:>10}\n", "rule", "consulted", "mattered", "hit", "first");
  std::size_t hit = 0, excused = 0;
  for (const Hits& h : all) {
    const bool others = options.dispatcher && h.rule->family != Family::DSP;
    const std::string_view why = h.hit > 0 ? "" : others ? kLeftToTensors : out_of_reach(*h.rule);
    hit += h.hit > 0 ? 1 : 0;
    excused += why.empty() ? 0 : 1;
    fmt::print(out, "{:<9}{:>10}{:>10}{:>10}{:>10}{}{}\n", h.rule->id(), h.consulted, h.mattered, h.hit,
               h.first ? std::to_string(*h.first) : "-", why.empty() ? "" : "  ",
               h.hit == 0 && why.empty() ? "  NEVER HIT" : why);
    json["rules"].push_back({{"rule", h.rule->id()},
                             {"consulted", h.consulted},
                             {"mattered", h.mattered},
                             {"hit", h.hit},
                             {"out_of_reach", why}});
    if (h.first) json["rules"].back()["first"] = *h.first;
  }
  if (!command.json.empty()) write_json(json, command.json);
  fmt::print(out, "{} of {} rules hit in {} programs of seed {}; {} more cannot be hit by generated programs\n", hit,
             all.size(), options.programs + programs_of_two_devices(options), options.seed, excused);
  return hit + excused == all.size() ? 0 : 1;
}

}  // namespace

std::string_view out_of_reach(const Rule& rule) {
  if (rule.family == Family::BIT) return kOfBits;
  for (const OutOfReach& one : kOutOfReach)
    if (one.rule == &rule) return one.why;
  return "";
}

std::vector<Hits> measure_hits(const HitOptions& options) {
  std::vector<Hits> all;
  const auto subject = options.dispatcher ? Coverage::Subject::dispatcher : Coverage::Subject::tensors;
  const std::vector<const Rule*> of_subject = rules_shown(subject);
  for (const Rule* rule : options.transforms ? kTransformRules : std::span<const Rule* const>(of_subject))
    all.push_back({rule, 0, 0, 0, std::nullopt});
  const reference::Judge judge{.profile = options.profile};
  const Description description = JudgeAdapter(judge).describe();
  const std::uint64_t all_programs = options.programs + programs_of_two_devices(options);
  Progress progress("hits", all_programs, 0);
  for (std::uint64_t index = 0; index < all_programs && !interrupted; ++index) {
    Recipe recipe(judge, !options.dispatcher && !options.transforms && index % 2 == 1);
    recipe.transforms = options.transforms;
    if (options.dispatcher) recipe.dispatching = Dispatching::only;
    recipe.two_devices = index >= options.programs;
    recipe.million = false;  // each is run once for every rule that mattered
    const Script script = build(genes_at(options.seed, index).value(), recipe);
    Decisions decisions;
    reference::Judge recording = judge;
    recording.decisions = &decisions;
    const Trace right = reference::run(recording, script);
    count_hits(all, decisions, index, [&](const Rule& rule) {
      reference::Judge misread = judge;
      misread.flipped = &rule;
      return shows(script, right, misread, description);
    });
    progress.show(index + 1, 0);
  }
  return all;
}

void add_hits(CommandLine& line) {
  const auto options = std::make_shared<HitsCommand>();
  Command& command = line.command(
      "hits", "count, for each rule, the generated programs in which its misreading changes an observation");
  command
      .option("--programs N", options->hits.programs, "the number of programs; every second one has unsafe statements")
      .positive();
  command.seed(options->hits.seed);
  command.option("--profile PROFILE", options->profile, "the profile of the reference");
  command.json(options->json);
  command.flag("--dispatcher", options->hits.dispatcher,
               "use programs about the dispatcher, and the rules DSP, KEY and TLS");
  command.flag("--transforms", options->hits.transforms, "use programs with mapped bodies, and the rules TRF");
  command.check([options] {
    return std::string(options->hits.dispatcher && options->hits.transforms
                           ? "--dispatcher and --transforms are about different programs; remove one of them"
                           : "");
  });
  command.footer(
      "examples:\n  plumbline hits\n  plumbline hits --programs 20000 --seed 2 --profile torch-2.13\n  plumbline hits "
      "--dispatcher --programs 20000");
  command.runs([options] { return run_hits(*options); });
}

}  // namespace plumbline::fuzz
