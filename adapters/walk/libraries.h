// The libraries that a script has made, by name.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "adapters/walk/unsupported.h"

namespace plumbline::walk {

template <class Library>
class Libraries {
 public:
  Libraries() = default;
  Libraries(const Libraries&) = delete;
  Libraries& operator=(const Libraries&) = delete;
  /// The last one ends first.
  ~Libraries() {
    while (!all_.empty()) all_.pop_back();
  }

  void add(std::string name, std::unique_ptr<Library> library) {
    all_.emplace_back(std::move(name), std::move(library));
  }
  /// Throws Unsupported if there is none of this name.
  Library& at(const std::string& name) { return *found(name)->second; }
  void drop(const std::string& name) { all_.erase(found(name)); }

 private:
  using All = std::vector<std::pair<std::string, std::unique_ptr<Library>>>;

  typename All::iterator found(const std::string& name) {
    for (auto at = all_.begin(); at != all_.end(); ++at)
      if (at->first == name) return at;
    throw Unsupported{"a library that could not be made is used: " + name};
  }

  All all_;
};

}  // namespace plumbline::walk
