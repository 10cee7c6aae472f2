// The laws of the sweep in the table of rules: what judges by each, what shows it, and how much of PyTorch breaks it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "prove/rules_code.h"
#include "spec/rules/rule.h"

namespace plumbline::prove {

struct LawRow {
  const Rule* rule = nullptr;
  std::string function;             ///< of the sweep, which judges by the law: "versions"
  CodePiece code;                   ///< its definition
  std::vector<std::string> faults;  ///< the kernels of the self-test that break the law alone: "returns a copy"
  std::size_t broken = 0;           ///< how many public operators of PyTorch break it
  bool unjudged = false;            ///< no call was judged by it: LibTorch lacks the setting
};

struct Laws {
  std::string version;       ///< of the PyTorch that was swept over
  std::vector<LawRow> rows;  ///< in the order of the catalogue
  /// A line each: a law that no function judges by or no fault breaks, and a sweep that was measured with other laws.
  std::vector<std::string> problems;
};

/// The function that judges by each law, by id, according to the comments in a header of the sweep.
std::map<std::string, std::string> judges_in(const std::string& header);

/// The planted faults of each law, by id, according to the names of the kernels of sweep/selftest/faults.py.
std::map<std::string, std::vector<std::string>> faults_in(const std::string& python);

/// Reads sweep/ and docs/measured/sweep_2.13.json of the repository in `root`. Throws std::runtime_error, with the
/// file, if one cannot be read.
Laws read_laws(const std::string& root);

/// The section of family OP in docs/RULES.md.
std::string laws_markdown(const Laws& laws);

/// The page of a law.
std::string law_page(const Laws& laws, const LawRow& row, const PageSources& sources);

}  // namespace plumbline::prove
