// Raising, the inside: how the readings of a script are written.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracle/program/lower.h"

namespace plumbline::program {

/// Writes the readings of a test as asserts, or as bare observations where nothing is expected of them.
class AssertWriter {
 public:
  /// Throws std::invalid_argument where two expectations are of one statement.
  AssertWriter(const Test& test, const std::vector<std::string>& names);

  /// The line for the Read or ReadThread at `statement`; nothing where the assert of the next statement covers it.
  /// Throws std::invalid_argument for an expectation that no assert states.
  std::optional<decltype(Line::node)> line(std::size_t statement) const;

 private:
  const Expectation* expectation(std::size_t statement) const;
  const Read* read(std::size_t statement) const;
  const std::string& name(Slot slot) const;
  bool is_second_of_pair(std::size_t statement) const;
  Assert assertion(std::size_t statement, const Expectation& e) const;
  Assert of_values(std::size_t statement, const Expectation& e) const;
  Expression right(Field field, const Expectation& e) const;

  const Test& test_;
  const std::vector<std::string>& names_;
  std::map<std::size_t, const Expectation*> expectations_;
};

/// `[[1.0, 2.0], [3.0, 4.0]]` from row-major items.
Expression nested_list(const Expressions& items, const std::vector<std::int64_t>& sizes);

}  // namespace plumbline::program
