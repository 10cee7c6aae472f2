// What becomes of a campaign's findings: each is shrunk, and written as a reproducer; and one program by its number.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fuzz/fuzz_options.h"
#include "fuzz/report.h"

namespace plumbline::fuzz {

/// The option that chooses the kind of the programs, as it is written after `--on NAME`; empty: none.
std::string_view kind_option(const FuzzOptions& options);

/// How many of the runs of `--shrink-runs` a run with this signature costs: 1, or as many as would have fitted into the
/// time of one that kills the process or hangs.
std::size_t cost_of(const std::string& signature);

/// A finding with its reproducer, shrunk as far as the options allow. `adapter`: made if it is needed.
Case make_case(const Finding& finding, const Subject& subject, const FuzzOptions& options,
               std::unique_ptr<Adapter>& adapter);

/// Shrinks each breach that the monitors saw, and writes it.
std::vector<Shown> show_all(const Report& report, const Subject& subject, const FuzzOptions& options);

/// Shows the program of `--replay`, and what the implementation called `name` does with it; with `--out`, also shrinks
/// it if it differs.
void replay(Tally& tally, const std::string& name, const FuzzOptions& options, const Subject& subject);

}  // namespace plumbline::fuzz
