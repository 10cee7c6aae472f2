// The layouts of dispatch keys, by version.
#include "spec/key_layout.h"

#include <algorithm>

namespace plumbline {

namespace {

using enum KeyGroup;

constexpr std::array kBackends213{
    BackendRow{"CPU"},         BackendRow{"CUDA"},        BackendRow{"HIP"},         BackendRow{"XLA", true},
    BackendRow{"MPS"},         BackendRow{"IPU"},         BackendRow{"XPU"},         BackendRow{"HPU"},
    BackendRow{"VE"},          BackendRow{"Lazy", true},  BackendRow{"MTIA"},        BackendRow{"MAIA"},
    BackendRow{"PrivateUse1"}, BackendRow{"PrivateUse2"}, BackendRow{"PrivateUse3"}, BackendRow{"Meta"}};
constexpr std::array kBackends113{BackendRow{"CPU"},         BackendRow{"CUDA"},       BackendRow{"HIP"},
                                  BackendRow{"XLA", true},   BackendRow{"MPS"},        BackendRow{"IPU"},
                                  BackendRow{"XPU"},         BackendRow{"HPU"},        BackendRow{"VE"},
                                  BackendRow{"Lazy", true},  BackendRow{"Meta"},       BackendRow{"PrivateUse1"},
                                  BackendRow{"PrivateUse2"}, BackendRow{"PrivateUse3"}};

constexpr std::array kFunctionalities213{FunctionalityRow{"Dense", backend, true},
                                         FunctionalityRow{"FPGA", backend},
                                         FunctionalityRow{"Vulkan", backend},
                                         FunctionalityRow{"Metal", backend},
                                         FunctionalityRow{"Quantized", backend, true},
                                         FunctionalityRow{"CustomRNGKeyId", backend},
                                         FunctionalityRow{"MkldnnCPU", backend},
                                         FunctionalityRow{"Sparse", sparse, true},
                                         FunctionalityRow{"SparseCsr", backend, true},
                                         FunctionalityRow{"NestedTensor", nested, true},
                                         FunctionalityRow{"BackendSelect"},
                                         FunctionalityRow{"Fake"},
                                         FunctionalityRow{"Python"},
                                         FunctionalityRow{"FuncTorchDynamicLayerBackMode"},
                                         FunctionalityRow{"Functionalize", functionalize},
                                         FunctionalityRow{"Conjugate"},
                                         FunctionalityRow{"Negative"},
                                         FunctionalityRow{"ZeroTensor"},
                                         FunctionalityRow{"ADInplaceOrView"},
                                         FunctionalityRow{"AutogradOther", autograd_other},
                                         FunctionalityRow{"Autograd", autograd, true},
                                         FunctionalityRow{"AutogradNestedTensor", autograd_nested},
                                         FunctionalityRow{"Tracer"},
                                         FunctionalityRow{"AutocastCPU"},
                                         FunctionalityRow{"AutocastMTIA"},
                                         FunctionalityRow{"AutocastMAIA"},
                                         FunctionalityRow{"AutocastXPU"},
                                         FunctionalityRow{"AutocastIPU"},
                                         FunctionalityRow{"AutocastHPU"},
                                         FunctionalityRow{"AutocastXLA"},
                                         FunctionalityRow{"AutocastMPS"},
                                         FunctionalityRow{"AutocastCUDA"},
                                         FunctionalityRow{"AutocastPrivateUse1"},
                                         FunctionalityRow{"FuncTorchBatched", batched},
                                         FunctionalityRow{"BatchedNestedTensor"},
                                         FunctionalityRow{"FuncTorchVmapMode"},
                                         FunctionalityRow{"Batched"},
                                         FunctionalityRow{"VmapMode"},
                                         FunctionalityRow{"FuncTorchGradWrapper"},
                                         FunctionalityRow{"DeferredInit"},
                                         FunctionalityRow{"PythonTLSSnapshot"},
                                         FunctionalityRow{"FuncTorchDynamicLayerFrontMode"},
                                         FunctionalityRow{"TESTING_ONLY_GenericWrapper"},
                                         FunctionalityRow{"TESTING_ONLY_GenericMode"},
                                         FunctionalityRow{"PreDispatch"},
                                         FunctionalityRow{"PythonDispatcher"}};

constexpr std::array kFunctionalities113{FunctionalityRow{"Dense", backend, true},
                                         FunctionalityRow{"FPGA", backend},
                                         FunctionalityRow{"ORT", backend},
                                         FunctionalityRow{"Vulkan", backend},
                                         FunctionalityRow{"Metal", backend},
                                         FunctionalityRow{"Quantized", backend, true},
                                         FunctionalityRow{"CustomRNGKeyId", backend},
                                         FunctionalityRow{"MkldnnCPU", backend},
                                         FunctionalityRow{"Sparse", sparse, true},
                                         FunctionalityRow{"SparseCsrCPU", backend},
                                         FunctionalityRow{"SparseCsrCUDA", backend},
                                         FunctionalityRow{"NestedTensor", nested, true},
                                         FunctionalityRow{"BackendSelect"},
                                         FunctionalityRow{"Python"},
                                         FunctionalityRow{"Fake"},
                                         FunctionalityRow{"FuncTorchDynamicLayerBackMode"},
                                         FunctionalityRow{"Functionalize", functionalize},
                                         FunctionalityRow{"Named"},
                                         FunctionalityRow{"Conjugate"},
                                         FunctionalityRow{"Negative"},
                                         FunctionalityRow{"ZeroTensor"},
                                         FunctionalityRow{"ADInplaceOrView"},
                                         FunctionalityRow{"AutogradOther", autograd_other},
                                         FunctionalityRow{"Autograd", autograd, true},
                                         FunctionalityRow{"AutogradNestedTensor", autograd_nested},
                                         FunctionalityRow{"Tracer"},
                                         FunctionalityRow{"AutocastCPU"},
                                         FunctionalityRow{"AutocastXPU"},
                                         FunctionalityRow{"AutocastCUDA"},
                                         FunctionalityRow{"FuncTorchBatched", batched},
                                         FunctionalityRow{"FuncTorchVmapMode"},
                                         FunctionalityRow{"Batched"},
                                         FunctionalityRow{"VmapMode"},
                                         FunctionalityRow{"FuncTorchGradWrapper"},
                                         FunctionalityRow{"DeferredInit"},
                                         FunctionalityRow{"PythonTLSSnapshot"},
                                         FunctionalityRow{"FuncTorchDynamicLayerFrontMode"},
                                         FunctionalityRow{"TESTING_ONLY_GenericWrapper"},
                                         FunctionalityRow{"TESTING_ONLY_GenericMode"},
                                         FunctionalityRow{"PythonDispatcher"}};

constexpr KeyLayout kLayout213{"2.13", kBackends213, kFunctionalities213};
constexpr KeyLayout kLayout113{"1.13", kBackends113, kFunctionalities113};

const FunctionalityRow& row_of(const KeyLayout& layout, int functionality) {
  return layout.functionalities[static_cast<std::size_t>(functionality) - 1];
}
int backends_of(const KeyLayout& layout) { return static_cast<int>(layout.backends.size()); }
int width_of(const KeyLayout& layout, const FunctionalityRow& row) { return row.per_backend ? backends_of(layout) : 1; }

/// Dense keys are called by their backend alone.
std::string prefix_of(const FunctionalityRow& row) { return row.name == "Dense" ? "" : std::string(row.name); }

}  // namespace

const KeyLayout& layout_of(Profile profile) { return profile == Profile::torch_1_13 ? kLayout113 : kLayout213; }

const KeyLayout* layout_named(std::string_view series) {
  if (series == kLayout213.series) return &kLayout213;
  return series == kLayout113.series ? &kLayout113 : nullptr;
}

bool has_alias(const KeyLayout& layout, AliasKey alias) {
  return alias != AliasKey::FuncTorchBatchedDecomposition || layout.series != kLayout113.series;
}

int table_size(const KeyLayout& layout) {
  int size = 1;
  for (const FunctionalityRow& row : layout.functionalities) size += width_of(layout, row);
  return size;
}

int index_of(const KeyLayout& layout, RuntimeKey key) {
  if (key.functionality == 0) return 0;
  int index = 1;
  for (int f = 1; f < key.functionality; ++f) index += width_of(layout, row_of(layout, f));
  return index + key.backend;
}

RuntimeKey key_at(const KeyLayout& layout, int index) {
  if (index == 0) return kUndefined;
  int rest = index - 1;
  int functionality = 1;
  while (rest >= width_of(layout, row_of(layout, functionality)))
    rest -= width_of(layout, row_of(layout, functionality++));
  return {static_cast<std::uint8_t>(functionality), static_cast<std::uint8_t>(rest)};
}

std::uint64_t functionality_bit(const KeyLayout& layout, int functionality) {
  return std::uint64_t{1} << (backends_of(layout) + functionality - 1);
}

std::uint64_t backend_mask(const KeyLayout& layout) { return (std::uint64_t{1} << backends_of(layout)) - 1; }

std::uint64_t word_of(const KeyLayout& layout, RuntimeKey key) {
  if (key.functionality == 0) return 0;
  const std::uint64_t backend = row_of(layout, key.functionality).per_backend ? std::uint64_t{1} << key.backend : 0;
  return functionality_bit(layout, key.functionality) | backend;
}

std::uint64_t full_word(const KeyLayout& layout) {
  const auto bits = layout.backends.size() + layout.functionalities.size();
  return (std::uint64_t{1} << bits) - 1;
}

std::string name_of(const KeyLayout& layout, RuntimeKey key) {
  if (key.functionality == 0) return "Undefined";
  const FunctionalityRow& row = row_of(layout, key.functionality);
  return row.per_backend ? prefix_of(row) + std::string(layout.backends[key.backend].name) : std::string(row.name);
}

std::optional<RuntimeKey> runtime_key_named(const KeyLayout& layout, std::string_view name) {
  for (int i = 0; i < table_size(layout); ++i)
    if (name_of(layout, key_at(layout, i)) == name) return key_at(layout, i);
  return std::nullopt;
}

std::optional<AliasKey> alias_named(std::string_view name) {
  const auto* const found = std::ranges::find(kAliasNames, name);
  if (found == kAliasNames.end()) return std::nullopt;
  return static_cast<AliasKey>(found - kAliasNames.begin());
}

int functionality_named(const KeyLayout& layout, std::string_view name) {
  const auto found = std::ranges::find(layout.functionalities, name, &FunctionalityRow::name);
  return found == layout.functionalities.end() ? 0 : static_cast<int>(found - layout.functionalities.begin()) + 1;
}

KeyGroup group_of(const KeyLayout& layout, RuntimeKey key) {
  return key.functionality == 0 ? KeyGroup::other : row_of(layout, key.functionality).group;
}

}  // namespace plumbline
