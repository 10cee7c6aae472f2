// Obligations about changes to rules that change no result: spec/proofs/survivors.json depends on them.
#include "spec/proofs/obligation.h"
#include "spec/rules/view.h"

namespace plumbline::proofs {

namespace {

using S = Symbolic;
using N = Num<S>;
using B = Bool<S>;

/// `state` makes the claim for any a and b.
Obligation equal(std::string name, std::string sentence, const std::function<B(const N& a, const N& b)>& state) {
  return {"equal." + std::move(name), std::move(sentence),
          [state](const Judge<S>&) { return claim(state(any_number("a"), any_number("b"))); }};
}

/// Whether creation metadata is one of the known values.
B is_creation(const Choice<S, CreationMeta>& creation) {
  B one = false;
  for (std::size_t i = 0; i < kCreationMetaNames.size(); ++i)
    one = one || creation == Choice<S, CreationMeta>(static_cast<CreationMeta>(i));
  return one;
}

B default_alone_is_no_error(const N&, const N&) {
  const auto creation = Choice<S, CreationMeta>::of({variable("creation", Sort::Word)});
  const B silent = creation_error<S>(creation, true) == Error<S>(ErrorClass::none);
  return !is_creation(creation) || !silent || creation == Choice<S, CreationMeta>(CreationMeta::DEFAULT);
}

}  // namespace

std::vector<Obligation> equivalence_obligations() {
  return {
      equal("at-the-bound",
            "If two numbers are equal, it does not matter which one is taken as the lesser or the greater.",
            [](const N& a, const N& b) {
              return select(a < b, a, b) == select(a <= b, a, b) && select(a < b, b, a) == select(a <= b, b, a) &&
                     select(a > b, b, a) == select(a >= b, b, a);
            }),
      equal("at-least-one",
            "Raising a number to at least 1 gives the same, whether the test is below 1, at most 1, or below 2.",
            [](const N& a, const N&) {
              const N least = select(a < N(1), N(1), a);
              return least == select(a <= N(1), N(1), a) && least == select(a < N(2), N(1), a);
            }),
      equal("nothing-has-no-side", "A diagonal of offset 0 is the same in both directions.",
            [](const N& a, const N& b) {
              const N away = select(a < N(0), N(0) - a, a);
              return away == select(a <= N(0), N(0) - a, a) && (!(a == N(0)) || (b - away == b && away == N(0)));
            }),
      equal("negative-beside-none", "If no size is 0, a size below 1 is a size below 0.",
            [](const N& a, const N&) {
              const B others = any_truth("others");
              const B some = !(others || a == N(0));
              return ((a < N(0) && some) == (a <= N(0) && some)) && ((a < N(0) && some) == (a < N(1) && some));
            }),
      equal("higher-of-two-kinds", "For two dtypes of one kind it does not matter which is taken as the higher.",
            [](const N& a, const N& b) {
              const N wide = any_number("wide");
              const N x = any_number("x");
              const N y = any_number("y");
              return select(a == b, wide, select(a < b, y, x)) == select(a == b, wide, select(a <= b, y, x));
            }),
      equal("default-alone-is-no-error",
            "A stale view whose creation metadata is not DEFAULT raises an error before its history is regenerated.",
            default_alone_is_no_error),
  };
}

}  // namespace plumbline::proofs
