// Places: the sites of rules that obligations and programs meet, each with its text, and the mutants of them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/rule.h"

namespace plumbline::mutants {

/// A site of a rule. `function`, `text` and `nth` name it whatever is edited elsewhere in its file.
struct Place {
  sites::Site site;
  std::string function;                          ///< the rule's function: "is_recorded"
  std::string text;                              ///< its line of the file, without indentation
  int nth = 1;                                   ///< among the sites of this function that have the same line and token
  std::string rule;                              ///< of a judge's call: "INF-03"
  std::vector<std::string> rules;                ///< of the judge's call that it stands in; else those of its function
  std::string misreading_of;                     ///< the rule in whose judge's misread argument it stands
  std::vector<Profile> variant_of;               ///< the profile in whose `In{…}` it stands
  std::vector<std::size_t> obligations;          ///< those that meet it, by index
  std::vector<std::size_t> programs;             ///< the same
  std::array<std::vector<std::size_t>, 2> seen;  ///< of a select: the first program that saw it false, true
  std::map<std::size_t, std::vector<std::uint32_t>> conditions;  ///< of a select, by obligation

  /// "spec/rules/inf.h:212:47 && -> ||"
  std::string name() const;
  /// Without the numbers of lines, for a stable choice and for entries of survivors.json.
  std::string key() const;
};

/// Whether mutants are made of a site: all of spec/rules/, and the judge's calls of reference/.
bool counts(const sites::Site& site);

/// Collects what recorders saw; each place once, in the order of files, lines and columns.
class Inventory {
 public:
  /// `source`: the folder of the project, from which the lines are read.
  explicit Inventory(std::string source) : source_(std::move(source)) {}
  void add_obligation(std::size_t index, const sites::Recorder& recorder);
  void add_program(std::size_t index, const sites::Recorder& recorder);
  std::vector<Place> places() const;

 private:
  void add(const sites::Recorder& recorder, const std::function<void(Place&, const sites::Met&)>& how);

  std::string source_;
  std::map<sites::Site, Place> places_;
};

/// A place in a file's text, as a number that grows.
using At = std::uint64_t;
constexpr At at(std::uint32_t line, std::uint32_t column) { return (At{line} << 32U) | column; }

/// An argument of a judge's call, found in the text.
struct Argument {
  std::string rule;  ///< "INF-03"
  At begin = 0, end = 0;
  enum class Is : std::uint8_t { rule, right, misread, variant } is{};
  std::optional<Profile> profile;  ///< of a variant
};
/// Those of all calls in a file's text, outer ones first.
std::vector<Argument> judge_arguments(const std::vector<std::string>& lines);

/// The calls of a judge that stand in spec/rules/ (file, line, column of the parenthesis, rule), found in the text: so
/// that one that nothing meets is seen.
struct WrittenCall {
  std::string file;
  std::uint32_t line = 0, column = 0;
  std::string rule;
  std::string text;  ///< its line without indentation
};
std::vector<WrittenCall> written_calls(const std::string& source);

}  // namespace plumbline::mutants
