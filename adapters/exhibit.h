// What an implementation shows of a program on which it differs: a file that fails without Plumbline, and its graphs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline {

class Adapter;

/// A text of an implementation's own, with its title: "the graph that Dynamo captured".
struct Section {
  std::string title;
  std::string text;
};

struct Exhibit {
  std::string file;               ///< the text of a Python file that needs no Plumbline; empty: there is none
  bool fails = false;             ///< the file was run, and exited with 1 since what it compares differs, or was killed
  std::string output;             ///< what it printed then
  std::string why;                ///< why there is no file
  std::vector<Section> sections;  ///< at the statement that was asked for
};

/// An implementation that may show something. Beside Adapter, so that only those that do have it.
class Exhibitor {
 public:
  virtual ~Exhibitor() = default;
  /// Shows a script that differs at `statement`, an index in it. `found`: lines for the top of the file. Nothing: this
  /// implementation shows nothing. If it breaks down or breaks the protocol, there is no file and no section, and `why`
  /// says what happened.
  virtual std::optional<Exhibit> show(const Script& script, std::size_t statement, const std::string& found) = 0;
};

/// Asks `adapter`, if it is an Exhibitor.
std::optional<Exhibit> show(Adapter& adapter, const Script& script, std::size_t statement, const std::string& found);

}  // namespace plumbline
