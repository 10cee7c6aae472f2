// The page of a rule as Markdown: docs/rules/INF-06.md.
#pragma once

#include <string>
#include <string_view>

#include "prove/rules_code.h"
#include "prove/rules_table.h"

namespace plumbline::prove {

/// Everything that is known of the rule of a row: sentence, source, code, misreading, variants, proofs, programs,
/// verdicts and waivers. Deterministic, like `rules_markdown`.
std::string rule_page(const RulesTable& table, const RulesRow& row, const Facts& facts, const Measured& measured,
                      const PageSources& sources);

/// How such a page begins; `misreading`: what it calls the misreading.
std::string rule_head(const Rule& rule, const PageSources& sources, std::string_view misreading);

/// The heading "Code", and where the rule and its text are; empty if that is not known.
std::string defined_in(const PageSources& sources, const std::string& id);

/// A link from such a page to a file of the repository.
std::string file_link(const std::string& file);

}  // namespace plumbline::prove
