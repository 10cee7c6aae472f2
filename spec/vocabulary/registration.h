// What a program registers with torch.library and asks of it: libraries, operators, kernels, fallbacks.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline {

/// An argument or a return in an operator's schema: `Tensor`, `Tensor(a)` (it may share memory with the other `a`) or
/// `Tensor(a!)` (it is written). Arguments may also be of the other kinds.
struct SchemaValue {
  enum class Kind : std::uint8_t { tensor, optional, list, integer, real, truth };
  std::string name;        ///< an argument's; a return has none
  std::string alias = {};  ///< of a tensor, "a"; empty: no annotation
  bool written = false;
  Kind kind = Kind::tensor;

  friend bool operator==(const SchemaValue&, const SchemaValue&) = default;
};

/// In the order of the kinds: how a schema writes them.
inline constexpr std::array<std::string_view, 6> kSchemaKindTexts{"Tensor", "Tensor?", "Tensor[]",
                                                                  "int",    "float",   "bool"};
/// Whether values of the kind are numbers, True or False.
constexpr bool is_number(SchemaValue::Kind kind) { return kind >= SchemaValue::Kind::integer; }

/// The schema of an operator that the program defines with `torch.library`.
struct CustomOperator {
  std::string name;  ///< "mine::add_one_"
  std::vector<SchemaValue> arguments;
  std::vector<SchemaValue> returns;
};

/// `lib = torch.library.Library(SPACE, KIND)`. What is registered in a library lasts until it is dropped, or the run
/// ends.
struct MakeLibrary {
  enum class Kind : std::uint8_t { DEF, IMPL, FRAGMENT };
  std::string library;  ///< the variable; each library of a script has its own
  std::string space;    ///< "mine", or "_" for fallbacks
  Kind kind{};
  friend bool operator==(const MakeLibrary&, const MakeLibrary&) = default;
};
/// In the order of the kinds.
inline constexpr std::array<std::string_view, 3> kLibraryKindNames{"DEF", "IMPL", "FRAGMENT"};
/// `lib.define("add_one_(Tensor(a!) x) -> Tensor(a!)")`: from here on the operator can be called.
struct DefineOperator {
  std::string library;
  std::int32_t op;  ///< index into `Script::operators`; its namespace is the library's
};
/// `lib.impl("add_one_", kernel, KEY)`: the operator's newest kernel for the key, whether it is defined or not.
struct AddKernel {
  std::string library;
  std::int32_t op;                          ///< as in DefineOperator
  std::string key;                          ///< a runtime key or an alias key; an unknown one is an error
  std::optional<std::int32_t> kernel = {};  ///< index into `Script::kernels`; without one it falls through
};
/// `lib.fallback(kernel, KEY)`: what runs for the key where an operator has no kernel. Only a library of "_" has any.
struct AddFallback {
  std::string library;
  std::string key;                          ///< as in AddKernel
  std::optional<std::int32_t> kernel = {};  ///< as in AddKernel, of one with `any_arguments`
};
/// `lib._destroy()`: removes everything that the library registered.
struct DropLibrary {
  std::string library;
  friend bool operator==(const DropLibrary&, const DropLibrary&) = default;
};

/// A question about an operator's kernels; the answer, or an error, is the outcome.
struct QueryKernel {
  enum class What : std::uint8_t {
    has_kernel,    ///< `torch._C._dispatch_has_kernel_for_dispatch_key(OP, KEY)`: one is registered for the key itself
    has_computed,  ///< `torch._C._dispatch_has_computed_kernel_for_dispatch_key(OP, KEY)`: the table's entry
    falls_through  ///< `torch._C._dispatch_kernel_for_dispatch_key_is_fallthrough(OP, KEY)`
  };
  std::string op;   ///< "mine::f", which need not be defined
  std::string key;  ///< as in AddKernel
  What what{};
};
/// In the order of the enumerators.
inline constexpr std::array<std::string_view, 3> kQueryNames{"has_kernel", "has_computed", "falls_through"};
/// A question about the thread's key sets: `torch._C._dispatch_tls_is_dispatch_key_included(torch._C.DispatchKey.KEY)`,
/// or `…_excluded`.
struct QueryThreadKey {
  std::string key;  ///< a runtime key
  bool excluded = false;
};

}  // namespace plumbline
