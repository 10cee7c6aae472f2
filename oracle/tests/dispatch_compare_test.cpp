// Comparing traces about the dispatcher: every kernel's key set and every outcome, to the end.
#include <gtest/gtest.h>

#include "oracle/dispatcher/compare.h"

namespace plumbline::dispatcher::dispatch_compare_test {
namespace {

/// Two calls: the first runs three kernels with a key set each, the second reads.
DispatchScript script() {
  DispatchScript s;
  s.statements = {InvokeOp{"probe::f", {ProbeTensor::cpu}}, QueryOp{"probe::f", "CPU", QueryOp::What::has_kernel}};
  return s;
}
DispatchTrace trace() {
  DispatchTrace t(2);
  t[0].log = {{"k1", {"CPU", "AutogradCPU"}}, {"k2", {"CPU", "ADInplaceOrView"}}, {"k3", {"CPU"}}};
  t[1].reading = true;
  return t;
}
std::string signature(const DispatchTrace& found) {
  const auto difference = compare(script(), trace(), found);
  return difference ? difference->signature : "same";
}

TEST(DispatchCompare, equal_traces_do_not_differ) { EXPECT_EQ(signature(trace()), "same"); }

TEST(DispatchCompare, the_key_set_of_each_kernel_is_compared) {
  for (std::size_t kernel = 0; kernel < 3; ++kernel) {
    DispatchTrace other = trace();
    other[0].log[kernel].keys.emplace_back("Negative");
    EXPECT_EQ(signature(other), "call: another key set") << kernel;
    other[0].log[kernel].keys.clear();
    EXPECT_EQ(signature(other), "call: another key set") << kernel;
  }
}

TEST(DispatchCompare, each_kernel_and_their_number_are_compared) {
  for (std::size_t kernel = 0; kernel < 3; ++kernel) {
    DispatchTrace other = trace();
    other[0].log[kernel].kernel = "k9";
    EXPECT_EQ(signature(other), "call: other kernels") << kernel;
  }
  DispatchTrace fewer = trace();
  fewer[0].log.pop_back();
  EXPECT_EQ(signature(fewer), "call: other kernels");
  DispatchTrace more = trace();
  more[0].log.push_back({"k4", {}});
  EXPECT_EQ(signature(more), "call: other kernels");
}

TEST(DispatchCompare, errors_by_class_and_readings_are_compared) {
  DispatchTrace error = trace();
  error[0].error = DispatchError::missing_kernel;
  EXPECT_EQ(signature(error), "call: error missing_kernel, not none");
  DispatchTrace reading = trace();
  reading[1].reading = false;
  EXPECT_EQ(signature(reading), "query: another reading");
  reading[1].reading.reset();
  EXPECT_EQ(signature(reading), "query: another reading");
  DispatchTrace worded = trace();
  worded[0].message = "in other words";
  EXPECT_EQ(signature(worded), "same");
}

TEST(DispatchCompare, a_trace_that_is_too_short_is_reported_with_its_place) {
  DispatchTrace shorter = trace();
  shorter.pop_back();
  const auto difference = compare(script(), trace(), shorter);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->signature, "the trace is too short");
  EXPECT_EQ(difference->statement, 1U);
  EXPECT_TRUE(compare(script(), shorter, trace())) << "the reference's as well";
}

TEST(DispatchCompare, the_message_has_both_sides) {
  DispatchTrace other = trace();
  other[0].log[1].keys = {"CPU"};
  EXPECT_EQ(compare(script(), trace(), other)->message,
            "statement 1 (call): the rules say none, kernels [k1(CPU, AutogradCPU) k2(CPU, ADInplaceOrView) k3(CPU)]; "
            "got none, kernels [k1(CPU, AutogradCPU) k2(CPU) k3(CPU)]");
}

}  // namespace
}  // namespace plumbline::dispatcher::dispatch_compare_test
