// Refutations as programs: the shortest one that breaks a claim about the heap, as a pytest file that was run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracle/prove/script_of.h"
#include "spec/proofs/obligation.h"

namespace plumbline::prove {

/// A program that shows something.
struct ShownProgram {
  std::string text;        ///< the pytest file; empty: none was found
  bool confirmed = false;  ///< read back, it passes on the reference under the profile
  std::string note;        ///< what it shows, or why there is none
};

/// The shortest program that breaks what a refuted obligation about the heap claims, under `judge`; of a premise of the
/// refinement, one that inference mode and no_grad part without it, as two tests. The asserts say what happens there.
/// Nothing for obligations that are about something else.
std::optional<ShownProgram> program_of(const proofs::Obligation& obligation, const reference::Judge& judge);

/// The shortest program that `sound` and the profile tell apart, with what differs; its asserts are the profile's.
ShownProgram difference_program(Profile profile);

/// The acts as a pytest file whose asserts are what the reference does under `judge`, read back and run.
/// `name`: of the test; `header`: comment lines; `fields`: what is read of each tensor at the end.
ShownProgram as_program(std::span<const proofs::Act> acts, const reference::Judge& judge, const std::string& name,
                        const std::vector<std::string>& header, const std::vector<Field>& fields);

}  // namespace plumbline::prove
