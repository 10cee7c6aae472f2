// The rules in PyTorch 1.13, executed at compile time; each test follows the line of v1.13.1 that the rule's variant
// cites.
#include <gtest/gtest.h>

#include "spec/rules/aut_backward.h"
#include "spec/rules/aut_grad.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/dsp.h"
#include "spec/rules/fun.h"
#include "spec/rules/geo_copy.h"
#include "spec/rules/geo_format.h"
#include "spec/rules/geo_value.h"
#include "spec/vocabulary/concrete.h"

namespace plumbline::early_torch_test {
namespace {

using J = Judge<Concrete>;
constexpr J kEarly{.profile = Profile::torch_1_13};
constexpr auto code(ErrorClass error) { return static_cast<std::uint64_t>(error); }

// TLS-06: the difference of two key sets keeps the backends of the first.
constexpr KeySet<Concrete> kKey = KeySet<Concrete>(Functionality::Autograd) | Backend::CPU;
constexpr Tls<Concrete> kInside = enter_exclude<Concrete>(kEarly, default_tls(kEarly), kKey);
constexpr Tls<Concrete> kBehind = leave_guard<Concrete>(kEarly, default_tls(kEarly), kInside, false, false);
static_assert(kBehind.excluded.has_any(Backend::CPU).v && !kBehind.excluded.has_any(Functionality::Autograd).v);
static_assert((leave_guard<Concrete>(kEarly, default_tls(kEarly), kInside, false, true) == default_tls(kEarly)).v,
              "InferenceMode puts the whole sets back");
static_assert((leave_guard<Concrete>(J{}, default_tls(J{}), kInside, false, false) == default_tls(J{})).v);

// TLS-09
static_assert(default_tls(kEarly).excluded.has_any(Functionality::AutocastXPU).v);
static_assert(!default_tls(kEarly).excluded.has_any(Functionality::AutocastMPS).v);

// VIEW-08: only the branches of NO_GRAD_MODE and INFERENCE_MODE have the assertion.
constexpr std::uint64_t written(CreationMeta creation, bool has_grad_fn, const J& judge) {
  Meta<Concrete> view;
  view.tracked = true;
  view.creation = creation;
  view.has_grad_fn = has_grad_fn;
  return check_write_through_view<Concrete>(judge, view, true).v;
}
static_assert(written(CreationMeta::NO_GRAD_MODE, true, kEarly) == code(ErrorClass::internal));
static_assert(written(CreationMeta::INFERENCE_MODE, true, kEarly) == code(ErrorClass::internal));
static_assert(written(CreationMeta::NO_GRAD_MODE, false, kEarly) == code(ErrorClass::view_no_grad));
static_assert(written(CreationMeta::MULTI_OUTPUT_NODE, true, kEarly) == code(ErrorClass::view_multi_output));
static_assert(written(CreationMeta::NO_GRAD_MODE, true, J{}) == code(ErrorClass::view_no_grad));

// GEO-28 and TYPE-33
static_assert(!copy_does_nothing<Concrete>(kEarly, true).v);
static_assert(check_product_dtypes<Concrete>(kEarly, false, true).v == 0);
static_assert(check_product_dtypes<Concrete>(kEarly, false, false).v == code(ErrorClass::dtype_mismatch));
static_assert(check_product_dtypes<Concrete>(J{}, false, true).v == code(ErrorClass::dtype_mismatch));

// GEO-37: is_contiguous of a functional tensor does not use its memory format.
static_assert(contiguous_finds_format<Concrete>(kEarly, false, true, true).v);
static_assert(!contiguous_finds_format<Concrete>(kEarly, false, true, false).v);
static_assert(!contiguous_finds_format<Concrete>(J{}, false, true, true).v);

std::uint64_t narrowed(const J& judge, std::int64_t size, std::int64_t start, std::int64_t length) {
  Geometry<Concrete> g;
  g.sizes.push_back(size);
  g.strides.push_back(1);
  return narrow_view<Concrete>(judge, g, 0, start, length).error.v;
}

// GEO-04: maybe_wrap_dim(start, cur_size) unless start is cur_size; for a size of 0 the range is [-1, 0].
TEST(EarlyTorch, narrow_wraps_its_start_like_a_dimension) {
  EXPECT_EQ(narrowed(kEarly, 3, 4, 0), code(ErrorClass::dim_range));
  EXPECT_EQ(narrowed(J{}, 3, 4, 0), code(ErrorClass::range));
  EXPECT_EQ(narrowed(kEarly, 0, -1, 0), 0U);
  EXPECT_EQ(narrowed(J{}, 0, -1, 0), code(ErrorClass::range));
  EXPECT_EQ(narrowed(kEarly, 0, -1, 1), code(ErrorClass::range));
  for (const J& judge : {kEarly, J{}}) {
    EXPECT_EQ(narrowed(judge, 3, 3, 0), 0U);
    EXPECT_EQ(narrowed(judge, 3, -3, 3), 0U);
    EXPECT_EQ(narrowed(judge, 3, 1, 3), code(ErrorClass::range));
  }
}

// GEO-27: unfold checks only that its size is not too large.
TEST(EarlyTorch, unfold_accepts_a_negative_size_if_another_is_0) {
  Geometry<Concrete> g;
  for (const std::int64_t size : {2, 0}) {
    g.sizes.push_back(size);
    g.strides.push_back(1);
  }
  EXPECT_EQ(unfold_view<Concrete>(kEarly, g, 0, -1, 1).error.v, 0U);
  EXPECT_EQ(unfold_view<Concrete>(J{}, g, 0, -1, 1).error.v, code(ErrorClass::range));
  EXPECT_EQ(unfold_view<Concrete>(kEarly, g, 1, -1, 1).error.v, code(ErrorClass::range));
}

}  // namespace
}  // namespace plumbline::early_torch_test
