// The dispatch keys that generated programs name.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "spec/vocabulary/profile.h"

namespace plumbline::fuzz {

/// For which kernels are registered, mostly the everyday ones in front. Meta is not among them: Python refuses a kernel
/// for it beside one for CompositeImplicitAutograd.
inline constexpr std::size_t kEverydayKeys = 6;
inline constexpr std::array<std::string_view, 34> kRegisteredKeys{"CPU",
                                                                  "Autograd",
                                                                  "CompositeImplicitAutograd",
                                                                  "ADInplaceOrView",
                                                                  "AutogradCPU",
                                                                  "CompositeExplicitAutograd",
                                                                  "CompositeExplicitAutogradNonFunctional",
                                                                  "AutogradOther",
                                                                  "SparseCPU",
                                                                  "CUDA",
                                                                  "HIP",
                                                                  "AutogradHIP",
                                                                  "XLA",
                                                                  "QuantizedCPU",
                                                                  "CompositeImplicitAutogradNestedTensor",
                                                                  "NestedTensorCPU",
                                                                  "AutogradNestedTensor",
                                                                  "BackendSelect",
                                                                  "AutocastCPU",
                                                                  "PrivateUse1",
                                                                  "AutogradPrivateUse1",
                                                                  "Lazy",
                                                                  "MTIA",
                                                                  "AutogradMTIA",
                                                                  "FuncTorchBatchedDecomposition",
                                                                  "FuncTorchBatched",
                                                                  "SparseCsrCPU",
                                                                  "AutogradCUDA",
                                                                  "AutogradXLA",
                                                                  "Functionalize",
                                                                  "SparseCUDA",
                                                                  "VE",
                                                                  "AutogradVE",
                                                                  "QuantizedHIP"};

/// For guards and key sets: runtime keys alone.
inline constexpr std::array<std::string_view, 20> kSetKeys{"CPU",
                                                           "AutogradCPU",
                                                           "ADInplaceOrView",
                                                           "CUDA",
                                                           "AutogradCUDA",
                                                           "SparseCPU",
                                                           "AutogradOther",
                                                           "Meta",
                                                           "AutogradMeta",
                                                           "XLA",
                                                           "BackendSelect",
                                                           "AutocastCPU",
                                                           "PrivateUse1",
                                                           "HIP",
                                                           "QuantizedCPU",
                                                           "AutogradHIP",
                                                           "NestedTensorCPU",
                                                           "AutogradNestedTensor",
                                                           "FuncTorchBatched",
                                                           "MTIA"};

/// For fallbacks. For some of them PyTorch has one itself, and a second one is an error.
inline constexpr std::array<std::string_view, 12> kFallbackKeys{
    "CPU",          "CPU",       "CPU", "CPU", "PrivateUse1",     "CUDA",
    "QuantizedCPU", "SparseCPU", "XLA", "HIP", "ADInplaceOrView", "AutogradCPU"};

/// Keys of backends whose Autograd key is AutogradOther or AutogradNestedTensor.
inline constexpr std::array<std::string_view, 6> kBackendsOfOther{"SparseCPU",  "QuantizedCPU",  "NestedTensorCPU",
                                                                  "SparseCUDA", "QuantizedCUDA", "SparseCsrCPU"};

/// The key if the versions of all profiles have it, else "CPU".
std::string key_for_all(std::string_view key, std::span<const Profile> profiles);

}  // namespace plumbline::fuzz
