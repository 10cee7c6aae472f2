// The layouts of dispatch keys, by version.
#include "spec/vocabulary/key_layout.h"

#include <algorithm>
#include <map>

#include "spec/vocabulary/concrete.h"
#include "spec/vocabulary/table_place.h"

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

/// Keys whose names c10::parseDispatchKey does not know; `plumbline dispatch-tables` compares.
constexpr std::array<std::string_view, 42> kUnparsed213{"QuantizedHIP",
                                                        "QuantizedXLA",
                                                        "QuantizedMPS",
                                                        "QuantizedIPU",
                                                        "QuantizedHPU",
                                                        "QuantizedVE",
                                                        "QuantizedLazy",
                                                        "QuantizedMTIA",
                                                        "QuantizedMAIA",
                                                        "QuantizedPrivateUse2",
                                                        "QuantizedPrivateUse3",
                                                        "QuantizedMeta",
                                                        "SparseXLA",
                                                        "SparseIPU",
                                                        "SparseHPU",
                                                        "SparseLazy",
                                                        "SparseMTIA",
                                                        "SparseMAIA",
                                                        "SparsePrivateUse2",
                                                        "SparsePrivateUse3",
                                                        "SparseCsrXLA",
                                                        "SparseCsrIPU",
                                                        "SparseCsrHPU",
                                                        "SparseCsrLazy",
                                                        "SparseCsrMTIA",
                                                        "SparseCsrMAIA",
                                                        "SparseCsrPrivateUse2",
                                                        "SparseCsrPrivateUse3",
                                                        "NestedTensorHIP",
                                                        "NestedTensorXLA",
                                                        "NestedTensorMPS",
                                                        "NestedTensorIPU",
                                                        "NestedTensorVE",
                                                        "NestedTensorLazy",
                                                        "NestedTensorMTIA",
                                                        "NestedTensorMAIA",
                                                        "NestedTensorPrivateUse2",
                                                        "NestedTensorPrivateUse3",
                                                        "AutogradHIP",
                                                        "AutogradVE",
                                                        "AutogradMTIA",
                                                        "AutogradMAIA"};
constexpr std::array<std::string_view, 34> kUnparsed113{"QuantizedHIP",
                                                        "QuantizedXLA",
                                                        "QuantizedMPS",
                                                        "QuantizedIPU",
                                                        "QuantizedHPU",
                                                        "QuantizedVE",
                                                        "QuantizedLazy",
                                                        "QuantizedMeta",
                                                        "QuantizedPrivateUse1",
                                                        "QuantizedPrivateUse2",
                                                        "QuantizedPrivateUse3",
                                                        "SparseXLA",
                                                        "SparseMPS",
                                                        "SparseIPU",
                                                        "SparseHPU",
                                                        "SparseLazy",
                                                        "SparseMeta",
                                                        "SparsePrivateUse1",
                                                        "SparsePrivateUse2",
                                                        "SparsePrivateUse3",
                                                        "NestedTensorHIP",
                                                        "NestedTensorXLA",
                                                        "NestedTensorMPS",
                                                        "NestedTensorIPU",
                                                        "NestedTensorXPU",
                                                        "NestedTensorHPU",
                                                        "NestedTensorVE",
                                                        "NestedTensorLazy",
                                                        "NestedTensorMeta",
                                                        "NestedTensorPrivateUse1",
                                                        "NestedTensorPrivateUse2",
                                                        "NestedTensorPrivateUse3",
                                                        "AutogradHIP",
                                                        "AutogradVE"};

constexpr KeyLayout kLayout213{"2.13", kBackends213, kFunctionalities213};
constexpr KeyLayout kLayout113{"1.13", kBackends113, kFunctionalities113};

const FunctionalityRow& row_of(const KeyLayout& layout, int functionality) {
  return layout.functionalities[static_cast<std::size_t>(functionality) - 1];
}
int backends_of(const KeyLayout& layout) { return static_cast<int>(layout.backends.size()); }
int width_of(const KeyLayout& layout, const FunctionalityRow& row) { return row.per_backend ? backends_of(layout) : 1; }

/// A Dense key has only its backend's name.
std::string prefix_of(const FunctionalityRow& row) { return row.name == "Dense" ? "" : std::string(row.name); }

/// The keys of a layout, by entry of the table and by name.
struct Keys {
  explicit Keys(const KeyLayout& layout) : entries(layout.functionalities.size() + 1) {
    for (std::size_t f = 0; f < layout.functionalities.size(); ++f)
      for (int b = 0; b < width_of(layout, layout.functionalities[f]); ++b)
        by_entry.push_back({static_cast<std::uint8_t>(f + 1), static_cast<std::uint8_t>(b)});
    for (const RuntimeKey key : by_entry) {
      const Num<Concrete> entry = table_index<Concrete>(layout, {key.functionality, key.backend});
      entries[key.functionality][key.backend] = static_cast<int>(entry.v);
      by_name.emplace(name_of(layout, key), key);
    }
  }
  std::vector<RuntimeKey> by_entry{kUndefined};
  std::vector<std::array<int, kBackends>> entries;  ///< by functionality and backend
  std::map<std::string, RuntimeKey, std::less<>> by_name;
};

/// Made once for each layout, because every call of the dispatcher needs it.
const Keys& keys_of(const KeyLayout& layout) {
  static const Keys newest(kLayout213);
  static const Keys early(kLayout113);
  return layout.series == kLayout113.series ? early : newest;
}

}  // namespace

const KeyLayout& layout_of(Profile profile) { return profile == Profile::torch_1_13 ? kLayout113 : kLayout213; }

const KeyLayout* layout_named(std::string_view series) {
  if (series == kLayout213.series) return &kLayout213;
  return series == kLayout113.series ? &kLayout113 : nullptr;
}

bool has_alias(const KeyLayout& layout, AliasKey alias) {
  return alias != AliasKey::FuncTorchBatchedDecomposition || layout.series != kLayout113.series;
}

int table_size(const KeyLayout& layout) { return static_cast<int>(keys_of(layout).by_entry.size()); }

int index_of(const KeyLayout& layout, RuntimeKey key) {
  return keys_of(layout).entries[key.functionality][key.backend];
}

RuntimeKey key_at(const KeyLayout& layout, int index) {
  return keys_of(layout).by_entry[static_cast<std::size_t>(index)];
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

std::uint64_t relaid(const KeyLayout& from, const KeyLayout& to, std::uint64_t word) {
  std::uint64_t other = 0;
  for (std::size_t b = 0; b < from.backends.size(); ++b) {
    const auto found = std::ranges::find(to.backends, from.backends[b].name, &BackendRow::name);
    if ((word >> b & 1U) != 0 && found != to.backends.end()) other |= std::uint64_t{1} << (found - to.backends.begin());
  }
  for (std::size_t f = 1; f <= from.functionalities.size(); ++f) {
    const int there = functionality_named(to, from.functionalities[f - 1].name);
    if ((word & functionality_bit(from, static_cast<int>(f))) != 0 && there != 0) other |= functionality_bit(to, there);
  }
  return other;
}

std::string name_of(const KeyLayout& layout, RuntimeKey key) {
  if (key.functionality == 0) return "Undefined";
  const FunctionalityRow& row = row_of(layout, key.functionality);
  return row.per_backend ? prefix_of(row) + std::string(layout.backends[key.backend].name) : std::string(row.name);
}

std::vector<std::string> key_names(const KeyLayout& layout, std::uint64_t word) {
  std::vector<std::string> names;
  for (int i = 1; i < table_size(layout); ++i) {
    const std::uint64_t key = word_of(layout, key_at(layout, i));
    if ((word & key) == key) names.push_back(name_of(layout, key_at(layout, i)));
  }
  return names;
}

std::optional<RuntimeKey> runtime_key_named(const KeyLayout& layout, std::string_view name) {
  const auto& by_name = keys_of(layout).by_name;
  const auto found = by_name.find(name);
  return found == by_name.end() ? std::nullopt : std::optional(found->second);
}

bool is_runtime_key(std::string_view name) { return runtime_key_named(layout_of(Profile::sound), name).has_value(); }

std::optional<AliasKey> alias_named(std::string_view name) {
  const auto* const found = std::ranges::find(kAliasNames, name);
  if (found == kAliasNames.end()) return std::nullopt;
  return static_cast<AliasKey>(found - kAliasNames.begin());
}

int functionality_named(const KeyLayout& layout, std::string_view name) {
  const auto found = std::ranges::find(layout.functionalities, name, &FunctionalityRow::name);
  return found == layout.functionalities.end() ? 0 : static_cast<int>(found - layout.functionalities.begin()) + 1;
}

bool parses(const KeyLayout& layout, RuntimeKey key) {
  const std::string name = name_of(layout, key);
  if (layout.series == kLayout113.series) return std::ranges::find(kUnparsed113, name) == kUnparsed113.end();
  return std::ranges::find(kUnparsed213, name) == kUnparsed213.end();
}

// [aten/src/ATen/core/VariableFallbackKernel.cpp, MetaFallbackKernel.cpp, BackendSelectFallbackKernel.cpp,
// aten/src/ATen/autocast_mode.cpp, functorch/*.cpp, core/PythonFallbackKernel.cpp]; `plumbline dispatch-tables`
// compares it with what LibTorch has.
ShippedFallback shipped_fallback(const KeyLayout& layout, RuntimeKey key) {
  using enum ShippedFallback;
  const bool early = layout.series == kLayout113.series;
  const std::string name = name_of(layout, key);
  const auto among = [&](std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (among({"BackendSelect", "ADInplaceOrView", "AutocastCPU", "AutocastCUDA", "FuncTorchVmapMode", "VmapMode"}))
    return falls_through;
  if (!early && among({"AutocastMTIA", "AutocastMAIA", "AutocastXPU", "AutocastMPS"})) return falls_through;
  if (!early && name == "Meta") return refuses;
  if (among({"AutogradOther", "AutogradCPU", "AutogradCUDA", "AutogradXLA", "AutogradMPS", "AutogradXPU", "AutogradHPU",
             "AutogradLazy"}))
    return early ? falls_through : autograd;
  if (!early && among({"AutogradMTIA", "AutogradMAIA", "AutogradPrivateUse1", "AutogradMeta"})) return autograd;
  if (among({"Python", "FuncTorchDynamicLayerBackMode", "Functionalize", "Conjugate", "Negative", "ZeroTensor",
             "Tracer", "FuncTorchBatched", "Batched", "FuncTorchGradWrapper", "PythonTLSSnapshot",
             "FuncTorchDynamicLayerFrontMode", "PythonDispatcher"}))
    return foreign;
  return among({"BatchedNestedTensor", "PreDispatch", "Named"}) ? foreign : none;
}

KeyGroup group_of(const KeyLayout& layout, RuntimeKey key) {
  return key.functionality == 0 ? KeyGroup::other : row_of(layout, key.functionality).group;
}

}  // namespace plumbline
