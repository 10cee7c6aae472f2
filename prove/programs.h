// Refutations as programs: the shortest program that breaks a claim about the heap, as a tested pytest file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "prove/script_of.h"
#include "spec/proofs/obligation.h"

namespace plumbline::prove {

/// A program that shows a refutation or a difference.
struct ShownProgram {
  std::string text;        ///< the pytest file; empty if none was found
  bool confirmed = false;  ///< the printed file passes on the reference under the profile
  std::string note;        ///< what it shows, or why there is none
};

/// The shortest program that breaks the claim of a refuted obligation about the heap, under `judge`. For a premise of
/// the refinement: a program that inference mode and no_grad run differently without the premise, as two tests. The
/// asserts state what happens. Nothing for other obligations.
std::optional<ShownProgram> program_of(const proofs::Obligation& obligation, const reference::Judge& judge);

/// The shortest program that `sound` and the profile run differently, with the difference; its asserts are the
/// profile's.
ShownProgram difference_program(Profile profile);

/// The acts as a pytest file whose asserts state what the reference does under `judge`. The file is read back and run.
/// `name`: the test's; `header`: comment lines; `fields`: the readings of each tensor at the end.
ShownProgram as_program(std::span<const proofs::Act> acts, const reference::Judge& judge, const std::string& name,
                        const std::vector<std::string>& header, const std::vector<Field>& fields);

}  // namespace plumbline::prove
