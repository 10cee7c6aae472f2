// The source location of each operation in a rule, so that one at a time can be changed: a mutant. Only a build with
// PLUMBLINE_SITES has this; in every other build it generates no code.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#ifdef PLUMBLINE_SITES
#include <concepts>
#include <cstring>
#include <functional>
#include <source_location>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>
#endif

namespace plumbline {

/// What a mutant changes. One operation can have several mutants (`misread` and `opposite` of a judge).
enum class Token : std::uint8_t {
  both,
  either,
  negate,
  same,
  less,
  at_most,
  greater,
  at_least,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  unite,
  intersect,
  difference,
  has_any,
  empty,
  select,
  truth,
  number,
  choice,
  key,
  misread,
  opposite,
  branch,
  step,
  path
};
inline constexpr std::array<std::string_view, 28> kTokenChanges{
    "&& -> ||",         "|| -> &&",        "! dropped",      "== -> !=",         "< -> <=",
    "<= -> <",          "> -> >=",         ">= -> >",        "+ -> -",           "- -> +",
    "* -> +",           "/ -> *",          "% -> *",         "| -> &",           "& -> |",
    "- -> left side",   "has_any -> not",  "empty -> not",   "select -> turned", "truth -> opposite",
    "number -> + 1",    "choice -> other", "key -> dropped", "judge -> misread", "judge -> opposite",
    "branch -> turned", "step -> dropped", "when -> always"};
constexpr std::string_view change_of(Token token) { return kTokenChanges[static_cast<std::size_t>(token)]; }

#ifndef PLUMBLINE_SITES

/// The left operand of an operator.
template <class T>
using Left = const T&;

/// The place of a call, taken by a default argument.
struct Here {
  static constexpr Here current() { return {}; }
};

/// Whether the active mutant changes this token here.
template <class Place>
constexpr bool mutated(const Place&, Token) {
  return false;
}
template <class Place, class Truth>
constexpr void meet_condition(const Place&, const Truth&) {}

#else

using Here = std::source_location;

/// The left operand of an operator, and the operator's place. The operand is converted at the operator, so the default
/// argument takes that place.
template <class T>
struct Left : T {
  Here here;
  template <std::convertible_to<T> U>
  constexpr Left(const U& value, Here at = Here::current())  // NOLINT(google-explicit-constructor): as it is written
      : T(value), here(at) {}
};

namespace sites {

/// A token at its place.
struct Site {
  std::string file;  ///< "spec/rules/inf.h"
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  Token token{};

  friend auto operator<=>(const Site&, const Site&) = default;
};

/// What a recorder knows of a site.
struct Met {
  std::string_view function;              ///< the compiler's name for it
  std::size_t rule = 0;                   ///< for a judge's call: the rule's index
  std::array<bool, 2> seen{};             ///< for a select on plain values: whether its condition was false, and true
  std::vector<std::uint32_t> conditions;  ///< for a select on terms: the indices of its conditions' terms
};

/// The path relative to the project's folder: "spec/rules/inf.h". The prefix that the compiler's path of this file has
/// before "spec/vocabulary/sites.h" is removed from every path. A unity build includes sources by their full paths, in
/// which the project's last folder with sites counts.
inline std::string_view path_in_project(std::string_view path) {
  constexpr std::string_view self = "spec/vocabulary/sites.h";
  const std::string_view here = std::source_location::current().file_name();
  const std::string_view root = here.substr(0, here.size() - self.size());
  if (path.starts_with(root)) path.remove_prefix(root.size());
  while (path.starts_with("../")) path.remove_prefix(3);
  std::size_t begin = 0;
  for (const std::string_view folder : {"/spec/", "/reference/"})
    if (const std::size_t at = path.rfind(folder); path.starts_with('/') && at != std::string_view::npos)
      begin = std::max(begin, at + 1);
  path.remove_prefix(begin);
  return path;
}

/// Records the sites that were executed while it was the thread's recorder.
class Recorder {
 public:
  Met& meet(const Here& here, Token token) {
    Met& met = met_[{here.file_name(), here.line(), here.column(), token}];
    met.function = here.function_name();
    return met;
  }
  /// Merges another recorder into this one.
  void absorb(const Recorder& other) {
    for (const auto& [key, met] : other.met_) {
      Met& mine = met_[key];
      mine.function = met.function;
      mine.rule = met.rule;
      for (std::size_t side = 0; side < 2; ++side) mine.seen[side] = mine.seen[side] || met.seen[side];
      mine.conditions.insert(mine.conditions.end(), met.conditions.begin(), met.conditions.end());
    }
  }
  /// Calls `tell(Site, Met)` for each site, in no order. A site that several files compiled comes several times.
  template <class Tell>
  void each(Tell tell) const {
    for (const auto& [key, met] : met_)
      tell(Site{std::string(path_in_project(key.file)), key.line, key.column, key.token}, met);
  }

 private:
  struct Key {
    const char* file;
    std::uint32_t line, column;
    Token token;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const {
      return std::hash<const void*>{}(k.file) ^
             (k.line * 0x9E3779B1ULL + k.column * 0x85EBCA77ULL + static_cast<std::size_t>(k.token) * 0xC2B2AE3DULL);
    }
  };
  std::unordered_map<Key, Met, Hash> met_;
};

/// The thread's recorder and its active mutant, or null.
struct State {
  Recorder* recorder = nullptr;
  const Site* mutant = nullptr;
};
inline State& state() {
  thread_local constinit State one;
  return one;
}

inline bool is_active(const Here& here, Token token) {
  const Site* mutant = state().mutant;
  return mutant != nullptr && mutant->token == token && mutant->line == here.line() &&
         mutant->column == here.column() && mutant->file == path_in_project(here.file_name());
}

}  // namespace sites

/// Whether the active mutant changes this token here. Tells the recorder. `rule`: for a judge's call.
constexpr bool mutated(const Here& here, Token token, std::size_t rule = 0) {
  if (std::is_constant_evaluated()) return false;
  if (sites::state().recorder != nullptr) sites::state().recorder->meet(here, token).rule = rule;
  return sites::is_active(here, token);
}
template <class T>
constexpr bool mutated(const Left<T>& left, Token token) {
  return mutated(left.here, token);
}

/// Tells the recorder of a select's condition.
template <class Truth>
constexpr void meet_condition(const Here& here, const Truth& condition) {
  if (std::is_constant_evaluated() || sites::state().recorder == nullptr) return;
  sites::Met& met = sites::state().recorder->meet(here, Token::select);
  if constexpr (std::same_as<Truth, bool>)
    met.seen[condition ? 1 : 0] = true;
  else
    met.conditions.push_back(condition.t.index);
}

#endif

}  // namespace plumbline
