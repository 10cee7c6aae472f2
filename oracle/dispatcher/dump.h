// What an implementation says of its dispatcher: the layout of its keys, what is registered, the tables that it
// computed.
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
  int index = 0;                      ///< of its entry in the table
  std::uint64_t word = 0;             ///< of the key set that has it alone
  bool parses = true;                 ///< its name can be parsed
  std::string autograd;               ///< what it takes for the Autograd key of its backend
  bool backend = false;               ///< a backend's key
  std::set<std::string> backends_of;  ///< of an Autograd key: its backends' keys
  std::set<std::string> aliases;      ///< the alias keys that serve it
};

/// A line of a table, by names.
struct DumpedEntry {
  std::string kernel;  ///< where it was registered; empty for none
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
    bool active = true;  ///< the newest for its key; the others follow it from new to old
    bool fallthrough = false;
  };
  std::string name;  ///< "aten::add.Tensor"
  std::vector<Kernel> registrations;
  std::map<std::string, DumpedEntry> table;  ///< by key; without those that have no kernel
};

/// Runs `plumbline-libtorch-VERSION --dispatcher` (`command`) and gives its constants, then each operator. Returns how
/// many operators there were. Throws DumpError where the command cannot be run, fails, or says what is no dump.
std::size_t read_dump(const std::string& command, const std::function<void(const DumpedKeys&)>& constants,
                      const std::function<void(const DumpedOperator&)>& one);

/// The same from lines that are there (`next` gives one, or false at the end).
std::size_t read_dump_lines(const std::function<bool(std::string&)>& next,
                            const std::function<void(const DumpedKeys&)>& constants,
                            const std::function<void(const DumpedOperator&)>& one);

}  // namespace plumbline::dispatcher
