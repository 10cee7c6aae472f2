// Single rules, executed at compile time: the RFC's sentences as assertions.
#include <gtest/gtest.h>

#include "spec/rules/aut_backward.h"
#include "spec/rules/aut_grad.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/dsp.h"
#include "spec/rules/fun.h"
#include "spec/rules/geo_copy.h"
#include "spec/rules/geo_value.h"
#include "spec/vocabulary/concrete.h"

namespace plumbline::rules_test {
namespace {

using J = Judge<Concrete>;
using B = Bool<Concrete>;

constexpr Tls<Concrete> normal() { return default_tls(J{}); }
constexpr Tls<Concrete> inference() { return enter_inference_mode<Concrete>(J{}, normal(), true); }
constexpr Meta<Concrete> tensor(bool is_inference) {
  Meta<Concrete> meta;
  meta.keys = tensor_keys<Concrete>(J{}, is_inference);
  return meta;
}

// KEY and TLS
static_assert(tensor(false).keys.has_any(Functionality::ADInplaceOrView).v, "a normal tensor carries ADInplaceOrView");
static_assert(!tensor(true).keys.has_any(autograd_keys<Concrete>()).v, "an inference tensor carries no Autograd key");
static_assert(normal().included.has_any(Functionality::ADInplaceOrView).v);
static_assert(!inference().included.has_any(Functionality::ADInplaceOrView).v);
static_assert(inference().excluded.has_any(Functionality::Autograd).v);
static_assert(!inference().grad_mode.v);
static_assert((enter_inference_mode<Concrete>(J{}, inference(), false) == normal()).v,
              "InferenceMode(false) is normal mode");
static_assert((leave_guard<Concrete>(J{}, normal(), inference(), true) == normal()).v,
              "a guard also restores after an error");

constexpr auto next(const Meta<Concrete>& meta, const Tls<Concrete>& tls, OpKind kind) {
  return static_cast<Functionality>(
      next_kernel(J{}, effective_keys(J{}, meta.keys, tls.included, tls.excluded), kind).v);
}
static_assert(next(tensor(false), normal(), OpKind::Inplace) == Functionality::Autograd);
static_assert(next(tensor(false), inference(), OpKind::Inplace) == Functionality::ADInplaceOrView,
              "in inference mode a normal tensor's version is bumped");
static_assert(next(tensor(true), inference(), OpKind::Inplace) == Functionality::Dense,
              "an inference tensor goes straight to the backend");
static_assert(next(tensor(true), normal(), OpKind::Inplace) == Functionality::ADInplaceOrView,
              "outside inference mode the check is reached");
static_assert(next(tensor(false), inference(), OpKind::Functional) == Functionality::Dense);

constexpr J kIdeal{.profile = Profile::ideal};
static_assert((carried_keys<Concrete>(J{}, tensor(false).keys, false) == tensor(false).keys).v);
static_assert((carried_keys<Concrete>(kIdeal, tensor(false).keys, true) == tensor(false).keys).v);
static_assert(!carried_keys<Concrete>(kIdeal, tensor(false).keys, false).has_any(autograd_keys<Concrete>()).v);
static_assert(carried_keys<Concrete>(kIdeal, tensor(false).keys, false).has_any(Backend::CPU).v, "the backend stays");

// INF
static_assert(check_inplace_inference<Concrete>(J{}, true, false, false, normal()).v ==
              static_cast<std::uint64_t>(ErrorClass::inference_inplace));
static_assert(check_inplace_inference<Concrete>(J{}, true, false, false, inference()).v == 0);
static_assert(check_set_requires_grad<Concrete>(J{}, true, true, inference()).v == 0,
              "the documentation allows it inside inference mode");
static_assert(check_set_requires_grad<Concrete>(J{.profile = Profile::rfc_0011}, true, true, inference()).v != 0,
              "the final RFC forbids it everywhere");
static_assert(checks_before_write(J{}).v);
static_assert(!checks_before_write(J{.profile = Profile::torch_2_13}).v);

// VIEW
constexpr Choice<Concrete, CreationMeta> kDefault = CreationMeta::DEFAULT;
static_assert(creation_meta(J{}, kDefault, false, inference()).v ==
              static_cast<std::uint64_t>(CreationMeta::INFERENCE_MODE));
static_assert(creation_meta(J{.profile = Profile::rfc_0011}, kDefault, false, inference()).v ==
              static_cast<std::uint64_t>(CreationMeta::NO_GRAD_MODE));
static_assert(creation_meta(J{}, kDefault, true, normal()).v ==
              static_cast<std::uint64_t>(CreationMeta::MULTI_OUTPUT_NODE));
static_assert(view_tracked<Concrete>(J{}, false, inference()).v && !view_tracked<Concrete>(J{}, true, normal()).v);

// The assertions above are checked at compile time.
TEST(Rules, a_redispatch_has_fewer_keys) {
  const auto keys = effective_keys(J{}, tensor(false).keys, normal().included, normal().excluded);
  const auto below = keys_below(J{}, keys, Functionality::Autograd);
  EXPECT_NE(keys.v, below.v);
  EXPECT_EQ(below.v & ~keys.v, 0U);
}

}  // namespace
}  // namespace plumbline::rules_test
