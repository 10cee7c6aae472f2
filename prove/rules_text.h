// The index of the rules as Markdown: docs/RULES.md.
#pragma once

#include <string>
#include <string_view>

#include "prove/rules_laws.h"
#include "prove/rules_table.h"

namespace plumbline::prove {

/// A text, escaped for a cell of a table.
std::string escaped_cell(std::string_view text);

/// What a family is about, in a few words: "inference tensors and mode".
std::string_view subject_of(Family family);

/// A row for each rule, linked to its page. Deterministic: the same table, measurements and laws give the same bytes.
std::string rules_markdown(const RulesTable& table, const Measured& measured, const Laws& laws);

}  // namespace plumbline::prove
