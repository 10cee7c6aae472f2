// All obligations, group by group.
#include "spec/proofs/obligation.h"

namespace plumbline::proofs {

std::vector<Obligation> all_obligations() {
  std::vector<Obligation> all;
  for (const auto& group :
       {key_set_obligations, bit_obligations, guard_obligations, dispatch_obligations, heap_obligations,
        backward_obligations, backward_claims, reached_obligations, single_rule_obligations, refinement_obligations,
        lemma_obligations, lens_obligations, functional_obligations, equivalence_obligations}) {
    std::vector<Obligation> some = group();
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  return all;
}

}  // namespace plumbline::proofs
