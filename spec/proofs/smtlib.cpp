// Prints terms as SMT-LIB 2. A shared term is defined once, before its first use.
#include "spec/proofs/smtlib.h"

#include <array>
#include <cstdio>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>

namespace plumbline::proofs {

namespace {

constexpr std::array<std::string_view, 6> kSortNames{"Bool", "(_ BitVec 64)", "Int", "Tensor", "Storage", "Counter"};
std::string_view sort_name(Sort sort) { return kSortNames[static_cast<std::size_t>(sort)]; }

std::string_view operator_name(Operator op) {
  switch (op) {
    case Operator::negate:
      return "not";
    case Operator::both:
      return "and";
    case Operator::either:
      return "or";
    case Operator::same:
      return "=";
    case Operator::choose:
      return "ite";
    case Operator::bit_and:
      return "bvand";
    case Operator::bit_or:
      return "bvor";
    case Operator::bit_not:
      return "bvnot";
    case Operator::add:
      return "+";
    case Operator::subtract:
      return "-";
    case Operator::multiply:
      return "*";
    case Operator::divide:
      return "div";
    case Operator::remainder:
      return "mod";
    case Operator::less:
      return "<";
    default:
      throw std::logic_error("an operation that has no name in SMT-LIB");
  }
}

std::string literal(const Node& n) {
  if (n.sort == Sort::Truth) return n.payload != 0 ? "true" : "false";
  if (n.sort == Sort::Integer) {
    const std::string text = std::to_string(static_cast<std::int64_t>(n.payload));
    return text.front() == '-' ? "(- " + text.substr(1) + ")" : text;
  }
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "#x%016llx", static_cast<unsigned long long>(n.payload));
  return text.data();
}

/// Prints the definitions that an assertion needs, and the assertion by their names.
class Printer {
 public:
  void assertion(Term term) {
    define(term);
    body_ += "(assert " + reference(term) + ")\n";
  }

  std::string file(std::string_view comment, std::string_view status) const {
    std::string text = "; ";
    for (const char c : comment) text += c == '\n' ? std::string("\n; ") : std::string(1, c);
    text += "\n(set-info :status " + std::string(status) + ")\n(set-logic ALL)\n";
    for (const Sort sort : sorts_) text += "(declare-sort " + std::string(sort_name(sort)) + " 0)\n";
    for (const auto& [name, declaration] : declarations_) text += declaration;
    return text + body_ + "(check-sat)\n";
  }

 private:
  /// A unique name: by kind, and for a variable by its sort, because variables of different sorts are different.
  static std::string symbol(Term term) {
    const Node n = node(term);
    constexpr std::array<std::string_view, 6> kPrefixes{"b.", "w.", "i.", "tensor.", "storage.", "counter."};
    const std::string prefix(n.op == Operator::apply ? "f." : kPrefixes[static_cast<std::size_t>(n.sort)]);
    std::string name = (n.op == Operator::variable && n.bound ? "each." : "") + prefix + std::string(name_of(term));
    return name.find_first_of(" ()`,=") == std::string::npos ? name : "|" + name + "|";
  }

  void declare(Term term) {
    const Node n = node(term);
    note(n.sort);
    if (n.bound && n.op == Operator::variable) return;
    if (n.op != Operator::variable && n.op != Operator::apply) return;
    std::string domain;
    for (const Term argument : n.arguments)
      domain += std::string(domain.empty() ? "" : " ") + std::string(sort_name(sort_of(argument)));
    std::string text = "(declare-fun " + symbol(term) + " (" + domain + ") " + std::string(sort_name(n.sort)) + ")\n";
    const auto [found, fresh] = declarations_.try_emplace(symbol(term), text);
    if (!fresh && found->second != text) throw std::logic_error("one name for two functions: " + symbol(term));
  }
  void note(Sort sort) {
    if (sort >= Sort::Tensor) sorts_.insert(sort);
  }

  /// The text of a term whose arguments are defined.
  std::string reference(Term term) {
    const Node n = node(term);
    if (n.op == Operator::literal) return literal(n);
    if (n.op == Operator::variable) return symbol(term);
    const auto found = names_.find(term.index);
    return found != names_.end() ? found->second : spelled(term);
  }

  std::string spelled(Term term) {
    const Node n = node(term);
    if (n.op == Operator::for_all) {
      std::string variables;
      for (std::size_t i = 0; i + 1 < n.arguments.size(); ++i)
        variables += "(" + symbol(n.arguments[i]) + " " + std::string(sort_name(sort_of(n.arguments[i]))) + ")";
      return "(forall (" + variables + ") " + reference(n.arguments.back()) + ")";
    }
    if (n.op == Operator::apply && n.arguments.empty()) return symbol(term);
    std::string text = "(" + (n.op == Operator::apply ? symbol(term) : std::string(operator_name(n.op)));
    for (const Term argument : n.arguments) text += " " + reference(argument);
    return text + ")";
  }

  /// Terms with a bound variable have no definition of their own: they are written in place.
  void define(Term term) {
    visit_from_below(term, [&](Term t) { return visited_.contains(t.index); }, [&](Term t) { define_alone(t); });
  }
  void define_alone(Term term) {
    visited_.insert(term.index);
    declare(term);
    const Node n = node(term);
    if (n.op == Operator::literal || n.op == Operator::variable || n.bound) return;
    const std::string text = spelled(term);
    std::string name = "t" + std::to_string(names_.size());
    body_ += "(define-fun " + name + " () " + std::string(sort_name(n.sort)) + " " + text + ")\n";
    names_.emplace(term.index, std::move(name));
  }

  std::set<Sort> sorts_;
  std::map<std::string, std::string> declarations_;
  std::unordered_map<std::uint32_t, std::string> names_;
  std::set<std::uint32_t> visited_;
  std::string body_;
};

}  // namespace

std::string smtlib(std::span<const Term> assertions, std::string_view comment, std::string_view status) {
  Printer printer;
  for (const Term assertion : assertions) printer.assertion(assertion);
  return printer.file(comment, status);
}

}  // namespace plumbline::proofs
