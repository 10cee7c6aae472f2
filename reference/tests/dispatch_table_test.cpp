// Dispatch tables, entry by entry, by the rules DSP-01 to DSP-17.
#include <gtest/gtest.h>

#include "reference/dispatcher/table.h"

namespace plumbline::reference::dispatch_table_test {
namespace {

const KeyLayout& layout() { return layout_of(Profile::sound); }
RuntimeKey key(const char* name) { return *runtime_key_named(layout(), name); }

/// Kernels 0, 1, … for these keys, in this order.
Registrations kernels(std::initializer_list<const char*> keys) {
  Registrations all;
  KernelId next = 0;
  for (const char* name : keys) all[*registration_key_named(layout(), name)].push_back(next++);
  return all;
}

Entry entry(std::initializer_list<const char*> keys, const char* at, Profile profile = Profile::sound) {
  return entry_of(Judge{profile}, layout(), kernels(keys), {}, key(at));
}

TEST(DispatchTable, dsp_01_a_key_uses_its_own_kernel_first) {
  EXPECT_EQ(entry({"CompositeExplicitAutograd", "CPU"}, "CPU"), (Entry{EntrySource::own, 1}));
}
TEST(DispatchTable, dsp_02_non_functional_does_not_serve_xla) {
  EXPECT_EQ(entry({"CompositeExplicitAutogradNonFunctional"}, "XLA").source, EntrySource::missing);
}
TEST(DispatchTable, dsp_02_non_functional_serves_cuda) {
  EXPECT_EQ(entry({"CompositeExplicitAutogradNonFunctional"}, "CUDA"), (Entry{EntrySource::non_functional, 0}));
}
TEST(DispatchTable, dsp_03_non_functional_comes_before_explicit) {
  EXPECT_EQ(entry({"CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"}, "CUDA").kernel, 1);
}
TEST(DispatchTable, dsp_04_explicit_does_not_serve_nested_tensors) {
  EXPECT_EQ(entry({"CompositeExplicitAutograd"}, "NestedTensorCPU").source, EntrySource::missing);
}
TEST(DispatchTable, dsp_05_explicit_comes_before_implicit) {
  EXPECT_EQ(entry({"CompositeImplicitAutograd", "CompositeExplicitAutograd"}, "CUDA").kernel, 1);
}
TEST(DispatchTable, dsp_06_the_nested_form_comes_before_implicit) {
  EXPECT_EQ(entry({"CompositeImplicitAutograd", "CompositeImplicitAutogradNestedTensor"}, "NestedTensorCPU"),
            (Entry{EntrySource::nested, 1}));
}
TEST(DispatchTable, dsp_07_implicit_does_not_serve_functionalize) {
  EXPECT_EQ(entry({"CompositeImplicitAutograd"}, "Functionalize").source, EntrySource::missing);
}
TEST(DispatchTable, dsp_08_implicit_serves_autograd_where_the_backend_has_no_kernel) {
  EXPECT_EQ(entry({"CompositeImplicitAutograd", "CUDA"}, "AutogradCPU"), (Entry{EntrySource::implicit, 0}));
}
TEST(DispatchTable, dsp_08_implicit_does_not_serve_autograd_where_the_backend_has_a_kernel) {
  EXPECT_EQ(entry({"CompositeImplicitAutograd", "CPU"}, "AutogradCPU").source, EntrySource::missing);
}
TEST(DispatchTable, dsp_08_implicit_does_not_serve_nested_tensors_beside_explicit) {
  EXPECT_EQ(entry({"CompositeImplicitAutograd", "CompositeExplicitAutograd"}, "NestedTensorCPU").source,
            EntrySource::missing);
}
TEST(DispatchTable, dsp_08_the_kernel_of_hip_counts) {
  EXPECT_EQ(entry({"CompositeImplicitAutograd", "HIP"}, "AutogradHIP").source, EntrySource::missing);
}
TEST(DispatchTable, dsp_08_torch_2_13_does_not_look_up_the_kernel_of_hip) {
  EXPECT_EQ(entry({"CompositeImplicitAutograd", "HIP"}, "AutogradHIP", Profile::torch_2_13).source,
            EntrySource::implicit);
}
TEST(DispatchTable, dsp_09_a_composite_and_a_sparse_kernel_make_autograd_other_ambiguous) {
  EXPECT_EQ(entry({"CompositeImplicitAutograd", "SparseCPU"}, "AutogradOther").source, EntrySource::ambiguous);
}
TEST(DispatchTable, dsp_10_autograd_serves_where_implicit_does_not) {
  EXPECT_EQ(entry({"Autograd", "CompositeImplicitAutograd", "CPU"}, "AutogradCPU"), (Entry{EntrySource::autograd, 0}));
}
TEST(DispatchTable, dsp_11_the_decomposition_serves_batches) {
  EXPECT_EQ(entry({"FuncTorchBatchedDecomposition"}, "FuncTorchBatched"), (Entry{EntrySource::batched, 0}));
}
TEST(DispatchTable, dsp_12_a_fallback_comes_last) {
  Fallbacks fallbacks(static_cast<std::size_t>(table_size(layout())), 7);
  EXPECT_EQ(entry_of(Judge{}, layout(), kernels({"Autograd"}), fallbacks, key("CPU")),
            (Entry{EntrySource::fallback, 7}));
}
TEST(DispatchTable, dsp_13_explicit_serves_undefined) {
  EXPECT_EQ(entry({"CompositeExplicitAutograd"}, "Undefined").source, EntrySource::explicit_);
}
TEST(DispatchTable, dsp_14_the_newest_kernel_is_used) { EXPECT_EQ(entry({"CPU", "CPU"}, "CPU").kernel, 1); }

/// AutogradOther's entry, if a composite kernel was registered first and a sparse one after it.
EntrySource late_sparse(Profile profile) {
  const Judge judge{profile};
  DispatchTable table(layout());
  Registrations registrations = kernels({"CompositeImplicitAutograd"});
  table.fill(judge, registrations, {});
  registrations[*registration_key_named(layout(), "SparseCPU")].push_back(1);
  table.update(judge, registrations, {}, *registration_key_named(layout(), "SparseCPU"));
  return table.at(key("AutogradOther")).source;
}
TEST(DispatchTable, dsp_15_the_order_of_registrations_does_not_matter) {
  EXPECT_EQ(late_sparse(Profile::sound), EntrySource::ambiguous);
}
TEST(DispatchTable, dsp_15_torch_2_13_keeps_the_composite_kernel) {
  EXPECT_EQ(late_sparse(Profile::torch_2_13), EntrySource::implicit);
}

TEST(DispatchTable, dsp_32_the_highest_backend_is_used) {
  const std::uint64_t both = word_of(layout(), key("CPU")) | word_of(layout(), key("CUDA"));
  EXPECT_EQ(entry_key(Judge{}, layout(), both), key("CUDA"));
}
TEST(DispatchTable, dsp_33_a_set_without_a_backend_arrives_at_cpu) {
  EXPECT_EQ(entry_key(Judge{}, layout(), functionality_bit(layout(), 1)), key("CPU"));
}
TEST(DispatchTable, an_alias_key_is_named_with_its_mark) {
  EXPECT_EQ(name_of(layout(), *registration_key_named(layout(), "Autograd")), "Autograd[alias]");
}
TEST(DispatchTable, an_alias_key_that_a_version_lacks_is_unknown_there) {
  EXPECT_EQ(registration_key_named(layout_of(Profile::torch_1_13), "FuncTorchBatchedDecomposition"), std::nullopt);
}

}  // namespace
}  // namespace plumbline::reference::dispatch_table_test
