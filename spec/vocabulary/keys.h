// The vocabulary of dispatch keys: backends, functionalities and key sets, in c10's layout.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "spec/vocabulary/domain.h"

namespace plumbline {

/// A backend bit of a key set, in priority order; bit numbers as c10's [c10/core/DispatchKey.h, BackendComponent].
enum class Backend : std::uint8_t {
  CPU,
  CUDA,
  HIP,
  XLA,
  MPS,
  IPU,
  XPU,
  HPU,
  VE,
  Lazy,
  MTIA,
  MAIA,
  PrivateUse1,
  PrivateUse2,
  PrivateUse3,
  Meta
};

/// A functionality of a key set, in priority order (a higher one runs first); numbers as PyTorch 2.13's
/// [c10/core/DispatchKey.h, DispatchKey], from 1: `Undefined` is the empty set.
enum class Functionality : std::uint8_t {
  Dense = 1,
  FPGA,
  Vulkan,
  Metal,
  Quantized,
  CustomRNGKeyId,
  MkldnnCPU,
  Sparse,
  SparseCsr,
  NestedTensor,
  BackendSelect,
  Fake,
  Python,
  FuncTorchDynamicLayerBackMode,
  Functionalize,
  Conjugate,
  Negative,
  ZeroTensor,
  ADInplaceOrView,
  AutogradOther,
  Autograd,
  AutogradNestedTensor,
  Tracer,
  AutocastCPU,
  AutocastMTIA,
  AutocastMAIA,
  AutocastXPU,
  AutocastIPU,
  AutocastHPU,
  AutocastXLA,
  AutocastMPS,
  AutocastCUDA,
  AutocastPrivateUse1,
  FuncTorchBatched,
  BatchedNestedTensor,
  FuncTorchVmapMode,
  Batched,
  VmapMode,
  FuncTorchGradWrapper,
  DeferredInit,
  PythonTLSSnapshot,
  FuncTorchDynamicLayerFrontMode,
  TESTING_ONLY_GenericWrapper,
  TESTING_ONLY_GenericMode,
  PreDispatch,
  PythonDispatcher,
};

inline constexpr int kBackends = 16;
inline constexpr int kFunctionalities = 46;  ///< the last one's number; `Undefined` is not counted

/// The names, as c10 prints them; `Autograd` stands for c10's `AutogradFunctionality`.
inline constexpr std::array<std::string_view, kBackends> kBackendNames{
    "CPU", "CUDA", "HIP",  "XLA",  "MPS",         "IPU",         "XPU",         "HPU",
    "VE",  "Lazy", "MTIA", "MAIA", "PrivateUse1", "PrivateUse2", "PrivateUse3", "Meta"};
inline constexpr std::array<std::string_view, kFunctionalities + 1> kFunctionalityNames{
    "Undefined",
    "Dense",
    "FPGA",
    "Vulkan",
    "Metal",
    "Quantized",
    "CustomRNGKeyId",
    "MkldnnCPU",
    "Sparse",
    "SparseCsr",
    "NestedTensor",
    "BackendSelect",
    "Fake",
    "Python",
    "FuncTorchDynamicLayerBackMode",
    "Functionalize",
    "Conjugate",
    "Negative",
    "ZeroTensor",
    "ADInplaceOrView",
    "AutogradOther",
    "Autograd",
    "AutogradNestedTensor",
    "Tracer",
    "AutocastCPU",
    "AutocastMTIA",
    "AutocastMAIA",
    "AutocastXPU",
    "AutocastIPU",
    "AutocastHPU",
    "AutocastXLA",
    "AutocastMPS",
    "AutocastCUDA",
    "AutocastPrivateUse1",
    "FuncTorchBatched",
    "BatchedNestedTensor",
    "FuncTorchVmapMode",
    "Batched",
    "VmapMode",
    "FuncTorchGradWrapper",
    "DeferredInit",
    "PythonTLSSnapshot",
    "FuncTorchDynamicLayerFrontMode",
    "TESTING_ONLY_GenericWrapper",
    "TESTING_ONLY_GenericMode",
    "PreDispatch",
    "PythonDispatcher"};

/// Whether a functionality is a family of keys, one for each backend [c10, isPerBackendFunctionalityKey].
constexpr bool is_per_backend(Functionality f) {
  using enum Functionality;
  return f == Dense || f == Quantized || f == Sparse || f == SparseCsr || f == NestedTensor || f == Autograd;
}

/// The bit of a key set: backends are bits 0 to 15, functionality f is bit 15 + f [c10/core/DispatchKeySet.h].
constexpr std::uint64_t bit_of(Backend b) { return std::uint64_t{1} << static_cast<int>(b); }
constexpr std::uint64_t bit_of(Functionality f) { return std::uint64_t{1} << (kBackends - 1 + static_cast<int>(f)); }

/// A set of dispatch keys: a set of functionalities and a set of backends, so a lossy cross product.
template <Domain D>
struct KeySet {
  typename D::Word v;

  constexpr KeySet() : v(D::word(0)) {}
  constexpr KeySet(Functionality f, Here here = Here::current())  // NOLINT(google-explicit-constructor): a key is a set
      : KeySet(raw(bit_of(f), here)) {}
  constexpr KeySet(Backend b, Here here = Here::current())  // NOLINT(google-explicit-constructor): likewise
      : KeySet(raw(bit_of(b), here)) {}
  static constexpr KeySet raw(std::uint64_t word, Here here = Here::current()) {
    return of(D::word(mutated(here, Token::key) ? 0 : word));
  }
  static constexpr KeySet of(typename D::Word w) {
    KeySet k;
    k.v = w;
    return k;
  }

  friend constexpr KeySet operator|(Left<KeySet> a, const KeySet& b) {
    return of(mutated(a, Token::unite) ? D::bit_and(a.v, b.v) : D::bit_or(a.v, b.v));
  }
  friend constexpr KeySet operator&(Left<KeySet> a, const KeySet& b) {
    return of(mutated(a, Token::intersect) ? D::bit_or(a.v, b.v) : D::bit_and(a.v, b.v));
  }
  /// Set difference, backends included; for c10's `-`, which keeps backend bits, see KEY's `without`.
  friend constexpr KeySet operator-(Left<KeySet> a, const KeySet& b) {
    return of(mutated(a, Token::difference) ? a.v : D::bit_and(a.v, D::bit_not(b.v)));
  }
  friend constexpr Bool<D> operator==(Left<KeySet> a, Left<KeySet> b) {
    return Bool<D>::turned_if(mutated(a, Token::same), D::same_word(a.v, b.v));
  }
  friend constexpr Bool<D> operator!=(Left<KeySet> a, Left<KeySet> b) {
    return Bool<D>::turned_if(!mutated(a, Token::same), D::same_word(a.v, b.v));
  }

  constexpr Bool<D> empty(Here here = Here::current()) const {
    return Bool<D>::turned_if(mutated(here, Token::empty), D::same_word(v, D::word(0)));
  }
  constexpr Bool<D> has_any(const KeySet& other, Here here = Here::current()) const {
    const KeySet common = *this & other;
    return Bool<D>::turned_if(!mutated(here, Token::has_any), D::same_word(common.v, D::word(0)));
  }
};

template <Domain D>
constexpr KeySet<D> select(const Bool<D>& condition, const KeySet<D>& yes, const std::type_identity_t<KeySet<D>>& no,
                           Here here = Here::current()) {
  return KeySet<D>::of(D::choose_word(decides(condition, here), yes.v, no.v));
}

}  // namespace plumbline
