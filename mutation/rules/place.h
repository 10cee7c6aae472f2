// Places: the sites of rules that obligations and programs reach, with their text, and their mutants.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/rules/rule.h"

namespace plumbline::mutants {

/// A site of a rule. `function`, `text` and `nth` still name it after edits elsewhere in its file.
struct Place {
  sites::Site site;
  std::string function;             ///< the rule's function: "is_recorded"
  std::string text;                 ///< its statement, in one line, however the source breaks it
  int nth = 1;                      ///< among the sites of this function that have the same statement and token
  std::string rule;                 ///< for a judge's call: "INF-03"
  std::vector<std::string> rules;   ///< the rule of the judge's call around it; otherwise the rules of its function
  std::string misreading_of;        ///< the rule whose misread argument contains it
  std::vector<Profile> variant_of;  ///< the profile whose `In{…}` contains it
  std::vector<std::size_t> obligations;          ///< the obligations that reach it, by index
  std::vector<std::size_t> programs;             ///< the programs that reach it, by index
  std::array<std::vector<std::size_t>, 2> seen;  ///< for a select: the first program that saw it false, and true
  std::map<std::size_t, std::vector<std::uint32_t>> conditions;  ///< for a select, by obligation

  /// "spec/rules/inf.h:212:47 && -> ||"
  std::string name() const;
  /// The name without line numbers, for a stable choice and for entries of survivors.json.
  std::string key() const;
};

/// Whether a site has mutants: all sites of spec/rules/ and spec/machine/, those of geometries and metadata, and the
/// judge's calls in reference/.
bool counts(const sites::Site& site);

/// Collects the recorded sites: each place once, ordered by file, line and column.
class Inventory {
 public:
  /// `source`: the project's folder; the lines are read from there.
  explicit Inventory(std::string source) : source_(std::move(source)) {}
  void add_obligation(std::size_t index, const sites::Recorder& recorder);
  void add_program(std::size_t index, const sites::Recorder& recorder);
  std::vector<Place> places() const;

 private:
  void add(const sites::Recorder& recorder, const std::function<void(Place&, const sites::Met&)>& how);

  std::string source_;
  std::map<sites::Site, Place> places_;
};

/// A place in a file's text as a number; later places have greater numbers.
using At = std::uint64_t;
constexpr At at(std::uint32_t line, std::uint32_t column) { return (At{line} << 32U) | column; }
constexpr std::uint32_t line_of(At at) { return static_cast<std::uint32_t>(at >> 32U); }
constexpr std::uint32_t column_of(At at) { return static_cast<std::uint32_t>(at); }

/// An argument of a judge's call, found in the text.
struct Argument {
  std::string rule;  ///< "INF-03"
  At begin = 0, end = 0;
  enum class Is : std::uint8_t { rule, right, misread, variant } is{};
  std::optional<Profile> profile;  ///< the profile of a variant
};
/// The arguments of all calls in a file's text, the outer ones first.
std::vector<Argument> judge_arguments(const std::vector<std::string>& lines);

/// The judge's calls in the text of spec/rules/ (file, line, column of the parenthesis, rule). They show a call that
/// nothing reaches.
struct WrittenCall {
  std::string file;
  std::uint32_t line = 0, column = 0;
  std::string rule;
  std::string text;  ///< its statement, as a place's
};
std::vector<WrittenCall> written_calls(const std::string& source);

}  // namespace plumbline::mutants
