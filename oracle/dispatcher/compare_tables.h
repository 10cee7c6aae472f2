// Comparing an implementation's dispatch tables with the tables that the rules compute from its registrations.
#pragma once

#include <array>
#include <bitset>
#include <string>
#include <vector>

#include "oracle/dispatcher/dump.h"

namespace plumbline::dispatcher {

/// Where the rules and the implementation differ.
struct Difference {
  std::string what;  ///< "aten::add.Tensor AutogradHIP", or a constant: "after_autograd", "Sparse[alias] of …"
  std::string rules;
  std::string found;
};

struct TableReport {
  std::string series;
  std::size_t operators = 0;
  int keys = 0;                             ///< the size of a table
  std::size_t entries = 0;                  ///< compared entries: keys × operators
  std::size_t kernels = 0;                  ///< entries that have a kernel
  std::size_t constants = 0;                ///< compared constants
  std::array<std::size_t, 10> by_source{};  ///< entries by EntrySource, according to the rules
  std::array<std::size_t, 10> falls{};      ///< fallthrough entries
  Decisions decisions;                      ///< which rules mattered
  std::vector<Difference> constants_differ;
  std::vector<Difference> entries_differ;

  bool agrees() const { return constants_differ.empty() && entries_differ.empty() && entries > 0; }
};

/// Compares one dump, part by part.
class TableComparison {
 public:
  /// `judge` decides the rules; its `decisions` go to the report.
  TableComparison(const Judge<Concrete>& judge, const KeyLayout& layout);
  TableComparison(const TableComparison&) = delete;
  TableComparison& operator=(const TableComparison&) = delete;

  /// Compares the layout, alias keys, named sets and fallbacks. Call it before the first operator.
  void constants(const DumpedKeys& keys);
  /// Compares every entry of an operator's table.
  void one(const DumpedOperator& dumped);
  const TableReport& report() const { return report_; }

 private:
  void constant(const std::string& what, const std::string& rules, const std::string& found);

  Judge<Concrete> judge_;
  const KeyLayout& layout_;
  TableReport report_;
  std::vector<std::string> names_;         ///< of the table's keys
  std::vector<DumpedEntry> fallbacks_;     ///< by entry of the table
  reference::Fallbacks fallback_kernels_;  ///< the same in the reference's form
};

/// An operator's registrations in the reference's form: kernels are numbered as in `dumped`, the oldest first for each
/// key. Throws DumpError for a key that the version does not have.
reference::Registrations registrations_of(const KeyLayout& layout, const DumpedOperator& dumped);

/// The entry that the rules compute, by names; `fallbacks`: by entry of the table.
DumpedEntry named(const reference::Entry& entry, const DumpedOperator& dumped, const DumpedEntry& fallback);

/// "CPU, AutogradCPU": the keys of a set, from the lowest priority; a backend alone as "CPUBit".
std::string keys_text(const KeyLayout& layout, std::uint64_t word);

}  // namespace plumbline::dispatcher
