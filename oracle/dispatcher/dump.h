// The dump of an implementation's dispatcher: its key layout, its registrations and its dispatch tables.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/dispatcher/table.h"

namespace plumbline::dispatcher {

/// A dump that cannot be read.
struct DumpError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A key as the implementation has it.
struct DumpedKey {
  int index = 0;                      ///< the index of its entry in the table
  std::uint64_t word = 0;             ///< the key set that contains only this key
  bool parses = true;                 ///< its name can be parsed
  std::string autograd;               ///< the Autograd key of its backend, according to the implementation
  bool backend = false;               ///< a backend's key
  std::set<std::string> backends_of;  ///< for an Autograd key: its backends' keys
  std::set<std::string> aliases;      ///< the alias keys that serve it
};

/// An entry of a table, by names.
struct DumpedEntry {
  std::string kernel;  ///< where it was registered; empty if there is none
  std::string how;     ///< "kernel", "math kernel", …; "missing"
  bool fallthrough = false;

  friend bool operator==(const DumpedEntry&, const DumpedEntry&) = default;
};

/// The constants of an implementation.
struct DumpedKeys {
  std::map<std::string, DumpedKey> keys;
  int entries = 0;
  std::map<std::string, std::uint64_t> sets;     ///< "after_autograd", "default_included", …
  std::map<std::string, DumpedEntry> fallbacks;  ///< by key
};

/// One operator.
struct DumpedOperator {
  struct Kernel {
    std::string key;  ///< "CPU", "Autograd[alias]"
    std::string kernel;
    bool active = true;  ///< the newest for its key; older ones follow it
    bool fallthrough = false;
  };
  std::string name;  ///< "aten::add.Tensor"
  std::vector<Kernel> registrations;
  std::map<std::string, DumpedEntry> table;  ///< by key; only keys that have a kernel
};

/// Runs `plumbline-libtorch-VERSION --dispatcher` (`command`) and gives its constants, then each operator. Returns the
/// number of operators. Throws DumpError if the command cannot be run, fails, or prints something that is not a dump.
std::size_t read_dump(const std::string& command, const std::function<void(const DumpedKeys&)>& constants,
                      const std::function<void(const DumpedOperator&)>& one);

/// The same from given lines (`next` gives one, or false at the end).
std::size_t read_dump_lines(const std::function<bool(std::string&)>& next,
                            const std::function<void(const DumpedKeys&)>& constants,
                            const std::function<void(const DumpedOperator&)>& one);

}  // namespace plumbline::dispatcher
