// A fuzzing campaign: several workers compare numbered programs with the reference, in batches.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "adapters/adapter.h"
#include "fuzz/batches.h"
#include "fuzz/builder.h"
#include "fuzz/coverage.h"
#include "fuzz/gene.h"
#include "fuzz/watch.h"
#include "oracle/compare.h"
#include "oracle/verdict.h"
#include "reference/state.h"

namespace plumbline::fuzz {

/// A stage of an implementation: its name, and what makes an adapter for it.
struct Stage {
  std::string name;
  std::function<std::unique_ptr<Adapter>()> make_adapter;
};

/// What is compared with what.
struct Subject {
  std::function<std::unique_ptr<Adapter>()> make_adapter;  ///< each worker calls it once
  Recipe generated;                                        ///< how programs are built; see recipe_for
  reference::Judge expected;                               ///< and compared with how they run under this one
  std::shared_ptr<const Waivers> waivers = std::make_shared<Waivers>(std::vector<Waiver>());  ///< what is known
  /// Implementations that do a part of what this one does, the smallest part first: a program that differs runs on them
  /// too, and the first on which it differs is where to look for the cause.
  std::vector<Stage> stages = {};
};

struct CampaignOptions {
  std::uint64_t seed = 1;
  std::uint64_t programs = 1000;  ///< at most; with `seconds`, as many as fit
  double seconds = 0;             ///< 0: no limit
  unsigned jobs = 1;
  std::size_t max_failures = 20;  ///< the number of distinct signatures at which the campaign stops
  std::string label;              ///< for the progress on stderr; empty: none is shown
};

/// The first program with a signature.
struct Finding {
  std::uint64_t index = 0;
  Verdict verdict = Verdict::divergent;
  std::string signature;
  std::string message;
  std::optional<Difference> difference;  ///< nothing: the implementation or the harness broke down
  std::uint64_t times = 1;               ///< programs with this signature
  std::string waiver;                    ///< the id of the one that excuses it; empty: none
  std::string stage = {};                ///< the first of the subject's stages that differs too; empty: none does
};

/// Seconds, summed over the workers; all but `wall`.
struct Timing {
  double wall = 0, generation = 0, reference = 0, adapter = 0, comparison = 0;
  double child_cpu = 0;  ///< of the adapter processes: what the implementation itself and its side of the pipe used
};

/// Programs that could not be compared: how many, and the first.
struct Missed {
  std::uint64_t programs = 0;
  std::uint64_t first = 0;
};

struct Report {
  Description description;
  std::uint64_t programs = 0;
  std::uint64_t statements = 0;   ///< of the scripts
  std::uint64_t compared = 0;     ///< statements whose outcomes were compared
  std::uint64_t unspecified = 0;  ///< of these, with a reading or outcome that a rule leaves free
  ReadingCounts readings;         ///< what was compared, by field
  Tally tally;
  std::map<std::string, Missed> unsupported;  ///< by the reason
  Coverage coverage;
  Counts counts;                    ///< what the implementation counted
  std::vector<Finding> findings;    ///< in the order of programs
  std::vector<Finding> known;       ///< divergences that a waiver excuses, by waiver and signature
  std::vector<Sighting> sightings;  ///< of the monitors, in the order of programs
  std::uint64_t waived = 0;         ///< statements under a waiver
  Timing timing;
  bool interrupted = false;
  bool stopped_early = false;  ///< at `max_failures`
};

/// How the program of these genes is built: as the subject says. If that program cannot run under the profile that it
/// is compared with (it uses a variable that was not assigned there, or reads more than fits into an answer), it is
/// built for that profile. So the implementations of one run, whose programs are built under the profile of the first,
/// get the same programs.
Recipe recipe_for(const Genes& genes, const Subject& subject);

/// Runs the campaign. Everything in the report except `timing` depends only on the options, not on `jobs`; `seconds`
/// and an interrupt decide how far it gets. Throws std::runtime_error if no adapter can be made.
Report run_campaign(const Subject& subject, const CampaignOptions& options);

/// A divergence, and the number of programs that ran until it.
struct FirstDivergence {
  std::uint64_t programs = 0;
  Finding finding;
};
/// The first divergence among at most `options.programs` programs, which are those of `options.seed`, of the next seed
/// and so on, `batch` of each: a whole campaign would end at other failures too, such as the reference's limits.
/// Nothing: no program diverges.
std::optional<FirstDivergence> first_divergence(const Subject& subject, CampaignOptions options, std::uint64_t batch);

/// What is said of a finding: its signature, and the stage.
std::string title_of(const Finding& finding);

/// Runs one script on both sides.
Held hold(Adapter& adapter, const reference::Judge& expected, const Script& script);

/// The text that distinguishes failures; empty if there is none.
std::string signature_of(const Comparison& comparison);
/// The waiver that excuses a generated program's divergence, or null. Each of its differences needs one; the first that
/// has none is put in front, so that the program's signature and message are of that one.
const Waiver* excuse_of(const Waivers& waivers, const Script& script, Comparison& comparison,
                        const Description& implementation);
/// The signature of running one script on both sides; "harness: …" if the reference itself cannot run it. With
/// waivers, empty if they excuse all that differs.
std::string signature_on(Adapter& adapter, const reference::Judge& expected, const Script& script,
                         const Waivers* waivers = nullptr);

}  // namespace plumbline::fuzz
