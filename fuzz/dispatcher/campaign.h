// Many generated dispatch scripts on an implementation and on the reference, compared kernel by kernel.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/dispatcher/generate.h"
#include "oracle/dispatcher/compare.h"
#include "oracle/dispatcher/runner.h"

namespace plumbline::fuzz {

struct DispatchCampaign {
  std::function<dispatcher::DispatchRunner()> make_runner;  ///< one for each worker
  reference::Judge built;                                   ///< the programs are built under this one
  std::vector<Profile> profiles{Profile::sound};            ///< with keys that the layouts of all these have
  reference::Judge expected;                                ///< and compared with this one's traces
  std::uint64_t programs = 10000;
  double seconds = 0;  ///< 0: no limit
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  std::string label;        ///< of the progress; empty: none
  bool first_only = false;  ///< end with the first difference
};

/// The first program that shows one kind of difference.
struct DispatchFinding {
  std::string signature;
  std::uint64_t index = 0;  ///< the program's
  std::size_t times = 0;    ///< programs that show it
  std::string message;
  DispatchScript script;  ///< as generated
};

struct DispatchCampaignReport {
  std::uint64_t programs = 0;
  std::uint64_t statements = 0;
  std::uint64_t calls = 0;    ///< and redispatches
  std::uint64_t kernels = 0;  ///< probes that ran
  std::array<std::uint64_t, 15> errors{};
  std::uint64_t passed = 0, unsupported = 0, divergent = 0;
  Decisions decisions;
  std::vector<DispatchFinding> findings;  ///< by the programs' numbers
  double seconds = 0;
  bool interrupted = false;
};

/// Runs the campaign. The result does not depend on the number of jobs.
DispatchCampaignReport run_campaign(const DispatchCampaign& campaign);

/// The first difference of one program, or how the implementation broke down: its signature and message; nothing if it
/// passed.
std::optional<dispatcher::TraceDifference> difference(const dispatcher::DispatchRunner& runner,
                                                      const reference::Judge& expected, const DispatchScript& script);

}  // namespace plumbline::fuzz
