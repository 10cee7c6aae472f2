// Operators with their kernels, and the libraries that registered them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reference/dispatcher/table.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::reference {

/// One operator: the number of its schema, if it is defined, its kernels and its table.
class Operator {
 public:
  explicit Operator(const KeyLayout& layout) : table(layout) {}
  std::optional<int> schema;
  DispatchTable table;

  const Registrations& registrations() const { return registrations_; }
  /// `serial`: identifies this registration among others of the same kernel (DSP-14).
  void add(const RegistrationKey& key, KernelId kernel, std::int64_t serial) {
    registrations_[key].push_back(kernel);
    serials_[key].push_back(serial);
  }
  void remove(const RegistrationKey& key, std::int64_t serial) {
    std::vector<std::int64_t>& serials = serials_.at(key);
    const auto at = std::ranges::find(serials, serial);
    std::vector<KernelId>& kernels = registrations_.at(key);
    kernels.erase(kernels.begin() + (at - serials.begin()));
    serials.erase(at);
    if (kernels.empty()) registrations_.erase(key);
  }

 private:
  Registrations registrations_;
  std::map<RegistrationKey, std::vector<std::int64_t>> serials_;  ///< one for each kernel in `registrations_`
};

/// What a library did, in order, so that it can be undone.
struct Registration {
  std::string op;  ///< empty: a fallback
  std::optional<RegistrationKey> key;
  std::int64_t serial = 0;  ///< the registration's number
};
/// A library that has not been destroyed.
struct OpenLibrary {
  MakeLibrary::Kind kind;
  std::string space;
  std::vector<Registration> registered;
  std::vector<std::string> defined;
};

}  // namespace plumbline::reference
