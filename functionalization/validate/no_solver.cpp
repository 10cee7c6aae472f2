// In a build without Z3 every answer is `unknown`.
#include "spec/proofs/solver.h"

namespace plumbline::proofs {

Answer solve(std::span<const Term> /*premises*/, std::span<const Term> /*goals*/, std::span<const Term> /*watched*/,
             std::uint64_t /*resource_limit*/) {
  return {.kind = Answer::Kind::unknown, .why = "this build has no Z3"};
}

}  // namespace plumbline::proofs
