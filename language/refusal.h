// Refusals: Python that programs cannot contain, and what to write instead.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::program {

struct Refusal {
  std::string problem;
  std::string advice;
};

/// For a word that begins a statement that programs cannot contain: "for", "class", …
std::optional<Refusal> refuse_statement(std::string_view word);

/// For an operator or bracket that programs cannot contain: "+", "[", "+=", …
std::optional<Refusal> refuse_symbol(std::string_view symbol);

/// For a dotted name that a later version may support: "torch.library.Library", …
std::optional<Refusal> comes_later(std::string_view dotted_name);

/// For a value that stands alone on a line.
Refusal refuse_idle();

/// Something that programs cannot contain, as written, and what to write instead.
struct Refused {
  std::string_view what;
  std::string_view advice;
};
/// The words that begin such statements, and the operators and brackets, in the order of the tables.
std::vector<Refused> refused_statements();
std::vector<Refused> refused_symbols();

bool is_python_keyword(std::string_view word);
/// Whether Python takes the text as a name; only ASCII.
bool is_python_name(std::string_view name);

/// At most three of `names` that are spelled like `wrong`, the nearest first.
std::vector<std::string> nearest(std::string_view wrong, const std::vector<std::string>& names);

/// "Did you mean a or b or c?", or `otherwise` if no name is near.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& names, const std::string& otherwise);

}  // namespace plumbline::program
