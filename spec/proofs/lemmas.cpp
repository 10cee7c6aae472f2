// The lemmas as obligations, and their instances for the terms of a question.
#include "spec/proofs/lemmas.h"

#include <set>
#include <string>

#include "spec/proofs/obligation.h"

namespace plumbline::proofs {

namespace {

using O = Opaque;

Num<O> number(Term term) { return Num<O>::of({term}); }

/// Walks terms and their subterms, and asserts the lemmas for each product and quotient, also for those of the lemmas.
class Instances {
 public:
  void walk(Term root) {
    for (fresh_.push_back(root); !fresh_.empty();) {
      const Term next = fresh_.back();
      fresh_.pop_back();
      walk_terms(next);
    }
  }

  std::vector<Term> instances() && { return std::move(instances_); }

 private:
  void walk_terms(Term root) {
    std::vector<Term> open{root};
    while (!open.empty()) {
      const Term term = open.back();
      open.pop_back();
      if (!seen_.insert(term).second) continue;
      const Node n = node(term);
      open.insert(open.end(), n.arguments.begin(), n.arguments.end());
      if (n.op != Operator::apply || n.arguments.size() != 2 || n.bound) continue;
      const Term a = n.arguments[0];
      const Term b = n.arguments[1];
      const std::string name(name_of(term));
      if (name == "times") {
        of_product(a, b);
        of_product(b, a);
      } else if (name == "quotient" || name == "rest") {
        found(division(number(a), number(b)));
        found(quotient_not_negative(number(a), number(b)));
      }
    }
  }

  void found(const Bool<O>& instance) {
    if (is_literal(instance.v.t)) return;  // terms are simplified while they are built
    instances_.push_back(instance.v.t);
    fresh_.push_back(instance.v.t);
  }

  /// By the form of the first factor.
  void of_product(Term first, Term second) {
    const Num<O> b = number(second);
    const Node n = node(first);
    const std::vector<Term> parts(n.arguments.begin(), n.arguments.end());
    found(product_commutes(number(first), b));
    if (n.op == Operator::add) found(sum_distributes(number(parts[0]), number(parts[1]), b));
    if (n.op == Operator::subtract) found(difference_distributes(number(parts[0]), number(parts[1]), b));
    if (n.op == Operator::choose)
      found(choice_distributes(Bool<O>::of({parts[0]}), number(parts[1]), number(parts[2]), b));
    const bool product = n.op == Operator::multiply || (n.op == Operator::apply && name_of(first) == "times");
    if (product) {
      found(product_associates(number(parts[0]), number(parts[1]), b));
      found(product_associates(number(parts[1]), number(parts[0]), b));
    }
  }

  std::set<Term> seen_;
  std::vector<Term> fresh_;
  std::vector<Term> instances_;
};

using S = Symbolic;

template <class Lemma>
Obligation lemma(std::string name, std::string sentence, const Lemma& state) {
  return {"lemma." + std::move(name), std::move(sentence),
          [state](const Judge<S>&) { return claim(state(any_number("a"), any_number("b"), any_number("c"))); }};
}

}  // namespace

std::vector<Term> instances(std::span<const Term> terms) {
  Instances all;
  for (const Term term : terms) all.walk(term);
  return std::move(all).instances();
}

std::vector<Obligation> lemma_obligations() {
  using N = Num<S>;
  std::vector<Obligation> all;
  const auto add = [&](const char* name, const char* sentence, const auto& state) {
    all.push_back(lemma(name, sentence, state));
  };
  add("product.commutes", "a·b = b·a.", [](N a, N b, N) { return product_commutes(a, b); });
  add("product.associates", "(a·b)·c = a·(b·c).", [](N a, N b, N c) { return product_associates(a, b, c); });
  add("product.of-sum", "(a + b)·c = a·c + b·c.", [](N a, N b, N c) { return sum_distributes(a, b, c); });
  add("product.of-difference", "(a − b)·c = a·c − b·c.", [](N a, N b, N c) { return difference_distributes(a, b, c); });
  add("product.of-choice", "A product of a choice is the choice of the products.",
      [](N a, N b, N c) { return choice_distributes(any_truth("condition"), a, b, c); });
  add("product.of-zero", "0·b = 0.", [](N a, N b, N) { return product_of_zero(a, b); });
  add("product.grows", "If a ≤ b and 0 ≤ c, then a·c ≤ b·c.", [](N a, N b, N c) { return product_grows(a, b, c); });
  add("product.place-within", "If 0 ≤ a < b and 0 ≤ r < c, then 0 ≤ a·c + r < b·c.",
      [](N a, N b, N c) { return place_within(a, b, any_number("r"), c); });
  add("quotient.divides", "If 1 ≤ c, then a = (a / c)·c + a % c and 0 ≤ a % c < c.",
      [](N a, N, N c) { return division(a, c); });
  add("quotient.not-negative", "If 1 ≤ c and 0 ≤ a, then 0 ≤ a / c.",
      [](N a, N, N c) { return quotient_not_negative(a, c); });
  add("quotient.below", "If 1 ≤ c and 0 ≤ a < b·c, then 0 ≤ a / c < b.",
      [](N a, N b, N c) { return quotient_below(a, b, c); });
  add("quotient.unique", "If q·c + r = p·c + s, 0 ≤ r < c and 0 ≤ s < c, then q = p and r = s.",
      [](N q, N r, N c) { return division_unique(q, r, any_number("p"), any_number("s"), c); });
  add("quotient.of-sum", "If 0 ≤ r < c, then (q·c + r) / c = q and (q·c + r) % c = r.",
      [](N q, N r, N c) { return division_of_sum(q, r, c); });
  return all;
}

}  // namespace plumbline::proofs
