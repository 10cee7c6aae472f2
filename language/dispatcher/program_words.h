// The words of programs about the dispatcher, for printing and reading: tensors, schemas, guards, readings.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "language/guards.h"
#include "spec/vocabulary/dispatch_script.h"

namespace plumbline::dispatcher {

/// By ProbeTensor.
inline constexpr std::array<std::string_view, 5> kTensorNames{"cpu", "requires_grad", "inference", "meta", "None"};
/// How each tensor is made; `inference` is made in inference mode.
inline constexpr std::array<std::string_view, 4> kTensorsMade{"torch.zeros([1])",
                                                              "torch.zeros([1], requires_grad=True)",
                                                              "torch.zeros([1])", "torch.zeros([1], device=\"meta\")"};

/// By MakeLibrary::Kind.
inline constexpr std::array<std::string_view, 3> kLibraryKinds{"DEF", "IMPL", "FRAGMENT"};

/// By QueryOp::What.
inline constexpr std::array<std::string_view, 3> kReadings{"torch._C._dispatch_has_kernel_for_dispatch_key",
                                                           "torch._C._dispatch_has_computed_kernel_for_dispatch_key",
                                                           "torch._C._dispatch_kernel_for_dispatch_key_is_fallthrough"};
/// By QueryTls::What.
inline constexpr std::array<std::string_view, 2> kTlsReadings{"torch._C._dispatch_tls_is_dispatch_key_included",
                                                              "torch._C._dispatch_tls_is_dispatch_key_excluded"};

inline constexpr std::string_view kLibrary = "torch.library.Library";
inline constexpr std::string_view kFallthrough = "torch.library.fallthrough_kernel";
inline constexpr std::string_view kKey = program::kKeyPrefix;
inline constexpr std::string_view kKeySet = program::kKeySet;

/// By KeyGuard::Kind, without the arguments.
inline constexpr std::array<std::string_view, 6> kGuards{"torch._C._ExcludeDispatchKeyGuard",
                                                         "torch._C._IncludeDispatchKeyGuard",
                                                         "torch._C._AutoDispatchBelowAutograd",
                                                         "torch._C._AutoDispatchBelowADInplaceOrView",
                                                         "torch.inference_mode",
                                                         "torch.inference_mode"};

template <class Names, class Kind>
std::string_view word(const Names& names, Kind kind) {
  return names.at(static_cast<std::size_t>(kind));
}

/// "torch.ops.probe.f" for "probe::f".
std::string call_name(const std::string& op);

/// If an operator with this schema does not take these tensors: what it takes, as in "one tensor".
std::optional<std::string_view> misfit(ProbeSchema schema, const std::vector<ProbeTensor>& tensors);

/// Keeps track of which operators are defined while the statements of a script run.
class Definitions {
 public:
  void run(const DispatchStatement& statement);
  /// Nothing for an operator that is not defined.
  std::optional<ProbeSchema> schema(const std::string& op) const;

 private:
  struct Opened {
    std::string space;
    MakeLibrary::Kind kind{};
    std::map<std::string, ProbeSchema> ops;
  };
  bool defines(const std::string& space) const;
  std::map<std::string, Opened> libraries_;  ///< the libraries that are not destroyed, by variable
};

}  // namespace plumbline::dispatcher
