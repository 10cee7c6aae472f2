// What the pages of rules show of the sources: the code of each rule, the links of its source, and its waivers.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "oracle/waivers.h"

namespace plumbline::prove {

/// A piece of a source file.
struct CodePiece {
  std::string file;  ///< from the root: "spec/rules/inf.h"
  std::string text;  ///< whole lines, each ended
  bool operator==(const CodePiece&) const = default;
};

/// The code of one rule.
struct RuleCode {
  std::string file;  ///< where the rule's sentence stands, from the root
  std::vector<CodePiece>
      pieces;  ///< the functions of spec/rules that ask it; else the statements of reference/ that do
};

/// The links of a rule's source, or of the source of its variant.
using Links = std::vector<std::string>;

struct PageSources {
  std::map<std::string, RuleCode> code;                        ///< by id
  std::map<std::pair<std::string, std::string>, Links> links;  ///< by id and profile, "" for the rule itself
  std::vector<Waiver> waivers;
};

/// Cuts the functions that ask rules out of a file of spec/rules and adds them to `code`, with the file of each
/// definition.
void cut_rules(const std::string& file, const std::string& text, std::map<std::string, RuleCode>& code);

/// Adds the statements of a file of reference/ that name a rule for which `code` has no function.
void cut_statements(const std::string& file, const std::string& text, std::map<std::string, RuleCode>& code);

/// The function of this name that a source file defines, with the comment above it; without text if it defines none.
CodePiece cut_function(const std::string& file, const std::string& text, const std::string& name);

/// The text of a file. Throws std::runtime_error, with the file, if it cannot be read.
std::string whole_file(const std::string& path);

/// Reads spec/rules, reference, spec/sources.json and the waivers of the repository in `root`. Throws
/// std::runtime_error, with the file, if one cannot be read.
PageSources read_page_sources(const std::string& root, const std::string& waivers);

}  // namespace plumbline::prove
