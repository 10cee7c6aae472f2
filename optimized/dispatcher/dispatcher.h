// The dispatcher: operators by name, fallbacks of backends, and libraries whose registrations end with them.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "optimized/dispatcher/operator.h"

namespace plumbline::optimized {

/// What a new dispatcher has for operators without a kernel for an entry of the table.
struct ShippedFallbackKernel {
  int entry;
  Kernel kernel;
};

/// One registry of operators. Calls need no lock. Registrations take one, and no call of an operator whose kernels
/// change may run meanwhile [c10/core/dispatch/Dispatcher.h says the same].
class Dispatcher {
 public:
  /// With PyTorch's fallbacks: Autograd's, which goes on below it, Meta's, and those that fall through; `own` replaces
  /// them.
  explicit Dispatcher(std::span<const ShippedFallbackKernel> own = {});

  /// The operator that is defined by this name ("probe::f"); throws DispatchFailed, `unknown_op`.
  const Operator& find(std::string_view name) const;
  /// The operator of this name with registrations, defined or not; throws as `find`.
  const Operator& find_registered(std::string_view name) const;

  /// Whether calls list the kernels that they run in the thread's TraceScope. No call may run meanwhile.
  void trace(bool on);

 private:
  friend class Library;

  struct Named {
    explicit Named(std::string name) : op(std::move(name)) {}
    Operator op;
    int schemas = 0;  ///< 1 where it is defined
  };

  Named& named(const std::string& name);
  void drop_if_unused(const std::string& name);
  void resolve_all();

  std::mutex mutex_;
  std::unordered_map<std::string, std::unique_ptr<Named>> operators_;
  std::set<std::string, std::less<>> defining_;  ///< namespaces that a DEF library has
  Fallbacks fallbacks_{};  ///< those that are shipped, and, for other entries, those that are registered
  std::uint64_t next_ = 1;
  bool traced_ = false;
};

/// Registrations that are removed together, when it is destroyed [torch/library.h, torch::Library].
class Library {
 public:
  enum class Kind : std::uint8_t { DEF, IMPL, FRAGMENT };

  /// Throws DispatchFailed, `defined_twice`, for a second DEF library of a namespace.
  Library(Dispatcher& dispatcher, Kind kind, std::string space);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// Throws DispatchFailed: `wrong_library` in an IMPL library, `defined_twice`.
  void define(const std::string& op);
  void impl(const std::string& op, Slot slot, const Kernel& kernel);
  /// For every operator without a kernel for the entry, only in the namespace "_"; throws DispatchFailed:
  /// `wrong_library`, `fallback_twice`.
  void fallback(int entry, const Kernel& kernel);

 private:
  struct Defined {
    std::string op;
  };
  struct Implemented {
    std::string op;
    Slot slot;
    std::uint64_t registration;
  };
  struct FellBack {
    int entry;
  };

  void undo(const Defined& one);
  void undo(const Implemented& one);
  void undo(const FellBack& one);
  std::string qualified(const std::string& op) const;

  Dispatcher& dispatcher_;
  Kind kind_;
  std::string space_;
  std::vector<std::variant<Defined, Implemented, FellBack>> done_;
};

}  // namespace plumbline::optimized
