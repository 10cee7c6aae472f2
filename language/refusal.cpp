// Refusals: Python that programs cannot contain, and what to write instead.
#include "language/refusal.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace plumbline::program {
namespace {

struct Entry {
  std::string_view what;
  std::string_view problem;
  std::string_view advice;
};

constexpr std::string_view kWriteOut = "Programs have no control flow: write the statements out";
constexpr std::string_view kNoArithmetic = "Programs have no arithmetic: call an op, as in `z = torch.add(x, y)`";
constexpr std::string_view kOperators = " + - * / % ** // << >> & | ^ /= %= @= &= |= ^= **= //= >>= <<= ";
constexpr std::string_view kLaterPart = "Leave it out of the program until then";

constexpr std::array kStatements{
    Entry{"for", "found a `for` loop", kWriteOut},
    Entry{"while", "found a `while` loop", kWriteOut},
    Entry{"if", "found `if`", kWriteOut},
    Entry{"elif", "found `elif`", kWriteOut},
    Entry{"else", "found `else`", kWriteOut},
    Entry{"match", "found `match`", kWriteOut},
    Entry{"try", "found `try`", "To expect an error write `with pytest.raises(RuntimeError):`"},
    Entry{"except", "found `except`", "To expect an error write `with pytest.raises(RuntimeError):`"},
    Entry{"finally", "found `finally`", "To expect an error write `with pytest.raises(RuntimeError):`"},
    Entry{"del", "found `del`", "A name lives to the end of its function; leave `del` out"},
    Entry{"global", "found `global`", "Pass tensors to a function as arguments"},
    Entry{"nonlocal", "found `nonlocal`", "Pass tensors to a function as arguments"},
    Entry{"lambda", "found `lambda`", "Define a function with `def`"},
    Entry{"yield", "found `yield`", "Return a tensor with `return`"},
    Entry{"async", "found `async`", "Define a function with plain `def`"},
    Entry{"await", "found `await`", "Call the function without `await`"},
    Entry{"break", "found `break`", kWriteOut},
    Entry{"continue", "found `continue`", kWriteOut},
    Entry{"print", "found `print`",
          "To look at a value write `assert` on an observation, as in `assert x._version == 1`"},
};

constexpr std::array kRefusedSymbols{
    Entry{"[", "found an index",
          "Programs have no indexing: write x.select(0, 1), or torch.ops.aten.slice.Tensor(x, 0, 1, 2)"},
    Entry{"{", "found a dictionary or a set", "Values are numbers, strings, True, False, None, lists and tuples"},
    Entry{"!=", "found the comparison '!='", "An assert compares with `==`, `is` or `is not`"},
    Entry{"<", "found the comparison '<'", "An assert compares with `==`, `is` or `is not`"},
    Entry{">", "found the comparison '>'", "An assert compares with `==`, `is` or `is not`"},
    Entry{"<=", "found the comparison '<='", "An assert compares with `==`, `is` or `is not`"},
    Entry{">=", "found the comparison '>='", "An assert compares with `==`, `is` or `is not`"},
    Entry{"+=", "found '+='", "Programs have no arithmetic: write x.add_(y)"},
    Entry{"-=", "found '-='", "Programs have no arithmetic: write x.sub_(y)"},
    Entry{"*=", "found '*='", "Programs have no arithmetic: write x.mul_(y)"},
    Entry{":=", "found ':='", "Assign in a statement of its own, as in `y = x.view([6])`"},
    Entry{"->", "found an annotation", "Leave out type annotations"},
    Entry{"...", "found '...'", "Programs have no indexing; an empty body is `pass`"},
    Entry{"@", "found '@'",
          "Programs have no operator '@', and no decorators but @staticmethod in a class and @torch.library.impl(…) "
          "above a "
          "kernel: write torch.mm(x, y)"},
};

constexpr std::array kLater{
    Entry{"torch.func", "torch.func comes in a later part of Plumbline", kLaterPart},
    Entry{"functionalize", "torch.func comes in a later part of Plumbline", kLaterPart},
    Entry{"torch.compile", "torch.compile comes in a later part of Plumbline", kLaterPart},
    Entry{"torch.autograd", "of torch.autograd, programs can use grad, backward, and Function as the base of a class",
          "Write y.backward() for gradients, or a class with torch.autograd.Function as its base"},
};

constexpr std::array<std::string_view, 35> kKeywords{
    "False",  "None",     "True", "and",    "as",   "assert", "async",  "await",   "break", "class",  "continue", "def",
    "del",    "elif",     "else", "except", "for",  "from",   "global", "finally", "if",    "import", "in",       "is",
    "lambda", "nonlocal", "not",  "or",     "pass", "raise",  "return", "try",     "while", "with",   "yield"};

template <class Table>
std::optional<Refusal> look_up(const Table& table, std::string_view what) {
  for (const Entry& entry : table)
    if (entry.what == what) return Refusal{std::string(entry.problem), std::string(entry.advice)};
  return std::nullopt;
}

template <class Table>
std::vector<Refused> all_of(const Table& table) {
  std::vector<Refused> all;
  for (const Entry& entry : table) all.push_back({entry.what, entry.advice});
  return all;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<Refusal> refuse_statement(std::string_view word) { return look_up(kStatements, word); }

std::optional<Refusal> refuse_symbol(std::string_view symbol) {
  if (auto refusal = look_up(kRefusedSymbols, symbol)) return refusal;
  if (kOperators.find(fmt::format(" {} ", symbol)) == std::string_view::npos) return std::nullopt;
  return Refusal{fmt::format("found the operator '{}'", symbol), std::string(kNoArithmetic)};
}

Refusal refuse_idle() {
  return {"this statement does nothing",
          "Write a call, an assignment, an `assert` or an observation such as `x._version`"};
}

std::vector<Refused> refused_statements() { return all_of(kStatements); }

std::vector<Refused> refused_symbols() {
  std::vector<Refused> all = all_of(kRefusedSymbols);
  all.push_back({kOperators.substr(1, kOperators.size() - 2), kNoArithmetic});
  return all;
}

std::optional<Refusal> comes_later(std::string_view dotted_name) {
  for (const Entry& entry : kLater)
    if (dotted_name == entry.what || dotted_name.starts_with(std::string(entry.what) + "."))
      return Refusal{std::string(entry.problem), std::string(entry.advice)};
  return std::nullopt;
}

bool is_python_keyword(std::string_view word) {
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

bool is_python_name(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
  };
  return !name.empty() && std::ranges::all_of(name, allowed) && !(name[0] >= '0' && name[0] <= '9') &&
         !is_python_keyword(name);
}

std::vector<std::string> nearest(std::string_view wrong, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(wrong, name);
    if (distance <= std::max<std::size_t>(1, wrong.size() / 2)) near.emplace_back(distance, name);
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::vector<std::string> found;
  for (std::size_t i = 0; i < near.size() && i < 3; ++i) found.push_back(near[i].second);
  return found;
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& names, const std::string& otherwise) {
  const std::vector<std::string> near = nearest(wrong, names);
  return near.empty() ? otherwise : fmt::format("Did you mean {}?", fmt::join(near, " or "));
}

}  // namespace plumbline::program
