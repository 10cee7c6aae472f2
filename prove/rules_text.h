// The table of rules as Markdown: docs/RULES.md.
#pragma once

#include <string>

#include "prove/rules_table.h"

namespace plumbline::prove {

/// Deterministic: the same table and the same measurements give the same bytes.
std::string rules_markdown(const RulesTable& table, const Measured& measured);

}  // namespace plumbline::prove
