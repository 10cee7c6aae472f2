// The public entries: each call goes through the dispatch table, whoever has registered there.
#include <gtest/gtest.h>

#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized::entries_test {
namespace {

/// A boxed kernel that counts its runs and goes on below its key.
struct Probe {
  int runs = 0;
  KeySet below;

  static void run(void* context, const Operator& op, KeySet keys, Frame& frame) {
    auto& probe = *static_cast<Probe*>(context);
    ++probe.runs;
    op.redispatch(keys & probe.below, frame);
  }
  Kernel kernel() { return {&run, this, nullptr}; }
};

Slot entry(Functionality functionality) {
  return static_cast<Slot>((KeySet(functionality) | KeySet(Backend::CPU)).entry());
}
Tensor some() { return empty_tensor({2, 3}, Dtype::float32); }

TEST(Entries, a_kernel_registered_at_Autograd_sees_the_public_call) {
  Probe probe{0, kAfterAutograd};
  Library library(dispatcher(), Library::Kind::IMPL, "aten");
  library.impl("alias", entry(Functionality::Autograd), probe.kernel());
  const Tensor view = alias(some());
  EXPECT_EQ(probe.runs, 1);
}
TEST(Entries, a_kernel_registered_at_ADInplaceOrView_sees_the_public_call) {
  Probe probe{0, kAfterADInplaceOrView};
  Library library(dispatcher(), Library::Kind::IMPL, "aten");
  library.impl("alias", entry(Functionality::ADInplaceOrView), probe.kernel());
  const Tensor view = alias(some());
  EXPECT_EQ(probe.runs, 1);
}
TEST(Entries, a_kernel_that_was_taken_away_sees_nothing) {
  Probe probe{0, kAfterAutograd};
  {
    Library(dispatcher(), Library::Kind::IMPL, "aten").impl("alias", entry(Functionality::Autograd), probe.kernel());
  }
  const Tensor view = alias(some());
  EXPECT_EQ(probe.runs, 0);
}
TEST(Entries, a_boxed_kernel_gives_the_unboxed_call_its_result) {
  Probe probe{0, kAfterAutograd};
  Library library(dispatcher(), Library::Kind::IMPL, "aten");
  library.impl("split.Tensor", entry(Functionality::Autograd), probe.kernel());
  EXPECT_EQ(split(some(), 1).size(), 2U);
}
TEST(Entries, an_inference_tensor_meets_no_Autograd_kernel) {
  Probe probe{0, kAfterAutograd};
  Library library(dispatcher(), Library::Kind::IMPL, "aten");
  library.impl("alias", entry(Functionality::Autograd), probe.kernel());
  const InferenceMode mode;
  const Tensor view = alias(some());
  EXPECT_EQ(probe.runs, 0);
}
TEST(Entries, a_factory_is_selected_by_BackendSelect) {
  Probe probe{0, KeySet(~std::uint64_t{0})};
  Library library(dispatcher(), Library::Kind::IMPL, "aten");
  library.impl("zeros", entry(Functionality::Dense), probe.kernel());
  probe.below = KeySet();
  EXPECT_THROW(zeros({2}), DispatchFailed);
  EXPECT_EQ(probe.runs, 1);
}
TEST(Entries, a_backend_without_kernels_is_named_in_the_error) {
  const Tensor tensor = some();
  tensor.impl().keys = KeySet(Functionality::Dense) | KeySet(Backend::CUDA);
  EXPECT_THROW(alias(tensor), DispatchFailed);
}
TEST(Entries, an_undefined_tensor_is_an_error) { EXPECT_THROW(alias(Tensor()), Error); }
TEST(Entries, a_stack_is_called_as_the_entry_is) {
  Stack stack{some(), Scalar(std::int64_t{0}), Scalar(std::int64_t{-1})};
  Caller<op::select_int>::call_stack(stack);
  EXPECT_EQ(std::get<Tensor>(stack.at(0)).offset(), 3);
}

}  // namespace
}  // namespace plumbline::optimized::entries_test
