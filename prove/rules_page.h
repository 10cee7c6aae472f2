// The page of a rule as Markdown: docs/rules/INF-06.md.
#pragma once

#include <string>

#include "prove/rules_code.h"
#include "prove/rules_table.h"

namespace plumbline::prove {

/// Everything that is known of the rule of a row: sentence, source, code, misreading, variants, proofs, programs,
/// verdicts and waivers. Deterministic, like `rules_markdown`.
std::string rule_page(const RulesTable& table, const RulesRow& row, const Facts& facts, const Measured& measured,
                      const PageSources& sources);

}  // namespace plumbline::prove
