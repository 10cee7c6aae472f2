// Libraries, the operators that they define, and the operators' tables.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

#include "reference/dispatcher/operators.h"

namespace plumbline::reference {

/// What is registered. Raises the specified errors (reference/raise.h).
class Registry {
 public:
  /// `fallbacks`: those that are there before any library.
  Registry(const KeyLayout& layout, Fallbacks fallbacks) : layout_(&layout), fallbacks_(std::move(fallbacks)) {}

  void make(const MakeLibrary& library);
  /// Defines `op`, a name without its namespace; `schema`: a number that the caller chooses; `twice`: the message if it
  /// is defined already.
  void define(const Judge& judge, const std::string& library, const std::string& op, int schema,
              const std::string& twice);
  /// Adds a kernel for a key by name.
  void add(const Judge& judge, const std::string& library, const std::string& op, const std::string& key,
           KernelId kernel);
  /// Throws ReferenceLimit for an alias key.
  void add_fallback(const Judge& judge, const std::string& library, const std::string& key, KernelId kernel);
  /// Removes the library with everything that it registered.
  void drop(const Judge& judge, const std::string& library);

  /// The key of this name, a runtime key or an alias key.
  RegistrationKey key_of(const Judge& judge, const std::string& name) const;
  /// The operator that is defined; null if there is none.
  const Operator* defined(const std::string& name) const;
  /// The answer to a question about an operator's kernels.
  bool answer(const Judge& judge, const QueryKernel& query) const;
  /// Whether the operator's table is not what the registrations make; only where no rule updates it fully.
  bool is_stale(const Judge& judge, const Operator& op) const;
  bool holds(const std::string& library) const { return libraries_.contains(library); }

 private:
  OpenLibrary& library(const std::string& name) { return libraries_.at(name); }
  /// The operator; the first definition or kernel creates it.
  Operator& made(const Judge& judge, const std::string& name);
  void drop_unused(const std::string& name);

  const KeyLayout* layout_;
  Fallbacks fallbacks_;
  std::int64_t serial_ = 0;  ///< the number of the last registration
  std::map<std::string, Operator> operators_;
  std::map<std::string, OpenLibrary> libraries_;
};

}  // namespace plumbline::reference
