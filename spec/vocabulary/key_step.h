// What a kernel does to the key set that it is given, before it redispatches.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace plumbline {

/// One step of a key set expression in a kernel that receives its key set `ks`.
struct KeyStep {
  enum class Kind : std::uint8_t {
    after_autograd,         ///< `ks & torch._C._after_autograd_keyset`
    after_adinplaceorview,  ///< `ks & torch._C._after_ADInplaceOrView_keyset`
    keep,                   ///< `ks & torch._C.DispatchKeySet(torch._C.DispatchKey.KEY)`
    add,                    ///< `ks | torch._C.DispatchKeySet(torch._C.DispatchKey.KEY)`
    remove,                 ///< `ks.remove(torch._C.DispatchKey.KEY)`: removes only the functionality
    only  ///< `torch._C.DispatchKeySet(torch._C.DispatchKey.KEY)`, without `ks`; always the first step
  };
  Kind kind{};
  std::string key;  ///< a runtime key, for the last four; for `only` also "Undefined", which gives the empty set

  friend bool operator==(const KeyStep&, const KeyStep&) = default;
};

/// Whether steps of the kind name a key.
constexpr bool takes_key(KeyStep::Kind kind) { return kind >= KeyStep::Kind::keep; }

/// In the order of the kinds.
inline constexpr std::array<std::string_view, 6> kKeyStepNames{
    "after_autograd", "after_adinplaceorview", "keep", "add", "remove", "only"};

}  // namespace plumbline
