// Translates terms to Z3. No other file includes Z3's header.
#include <z3++.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <unordered_map>

#include "spec/proofs/solver.h"

namespace plumbline::proofs {

namespace {

/// A context, with the terms translated so far.
class Translator {
 public:
  z3::context& context() { return context_; }

  z3::expr of(Term term) {
    visit_from_below(
        term, [&](Term t) { return done_.contains(t.index); }, [&](Term t) { done_.emplace(t.index, translate(t)); });
    return done_.at(term.index);
  }

 private:
  z3::sort sort(Sort sort) {
    switch (sort) {
      case Sort::Truth:
        return context_.bool_sort();
      case Sort::Word:
        return context_.bv_sort(64);
      case Sort::Integer:
        return context_.int_sort();
      case Sort::Tensor:
        return context_.uninterpreted_sort("Tensor");
      case Sort::Storage:
        return context_.uninterpreted_sort("Storage");
      case Sort::Counter:
        return context_.uninterpreted_sort("Counter");
    }
    throw std::logic_error("a sort that is not translated to Z3");
  }

  z3::expr literal(const Node& n) {
    if (n.sort == Sort::Truth) return context_.bool_val(n.payload != 0);
    if (n.sort == Sort::Word) return context_.bv_val(n.payload, 64);
    return context_.int_val(static_cast<std::int64_t>(n.payload));
  }

  z3::expr translate(Term t) {
    const Node n = node(t);
    z3::expr_vector a(context_);
    for (const Term argument : n.arguments) a.push_back(done_.at(argument.index));
    const int last = static_cast<int>(a.size()) - 1;
    switch (n.op) {
      case Operator::literal:
        return literal(n);
      case Operator::variable:
        return context_.constant(((n.bound ? "each " : "") + std::string(name_of(t))).c_str(), sort(n.sort));
      case Operator::apply: {
        z3::sort_vector domain(context_);
        for (const Term argument : n.arguments) domain.push_back(sort(sort_of(argument)));
        // A function without arguments differs from a variable of the same name.
        return context_.function((std::string(name_of(t)) + (a.empty() ? "()" : "")).c_str(), domain, sort(n.sort))(a);
      }
      case Operator::negate:
        return !a[0];
      case Operator::both:
        return a[0] && a[1];
      case Operator::either:
        return a[0] || a[1];
      case Operator::same:
        return a[0] == a[1];
      case Operator::choose:
        return z3::ite(a[0], a[1], a[2]);
      case Operator::bit_and:
        return a[0] & a[1];
      case Operator::bit_or:
        return a[0] | a[1];
      case Operator::bit_not:
        return ~a[0];
      case Operator::add:
        return a[0] + a[1];
      case Operator::subtract:
        return a[0] - a[1];
      case Operator::multiply:
        return a[0] * a[1];
      case Operator::divide:
        return a[0] / a[1];
      case Operator::remainder:
        return z3::mod(a[0], a[1]);
      case Operator::less:
        return a[0] < a[1];
      case Operator::for_all: {
        z3::expr_vector variables(context_);
        for (int i = 0; i < last; ++i) variables.push_back(a[i]);
        return z3::forall(variables, a[last]);
      }
    }
    throw std::logic_error("an operation that is not translated to Z3");
  }

  z3::context context_;
  std::unordered_map<std::uint32_t, z3::expr> done_;
};

/// A context with a solver that holds the premises. Questions with other premises get a new one: in a context that has
/// been asked many questions Z3 takes longer, and how far the resource limit reaches depends on them.
class Session {
 public:
  explicit Session(std::span<const Term> premises)
      : solver_(translator_.context()), premises_(premises.begin(), premises.end()) {
    solver_.set("ctrl_c", false);  // Ctrl-C is for the command, which ends after this question
    for (const Term premise : premises) solver_.add(translator_.of(premise));
  }
  bool is_about(std::span<const Term> premises) const { return std::ranges::equal(premises, premises_); }
  Translator& translator() { return translator_; }
  z3::solver& solver() { return solver_; }

 private:
  Translator translator_;  // its context outlives the solver
  z3::solver solver_;
  std::vector<Term> premises_;
};
thread_local std::optional<Session> the_session;

/// As SMT-LIB prints it, but words in hexadecimal and integers with their sign in front.
std::string printed(const z3::expr& value) {
  std::int64_t number = 0;
  if (value.is_int() && value.is_numeral_i64(number)) return std::to_string(number);
  return value.to_string();
}

std::uint64_t resources_used(const z3::solver& solver) {
  const z3::stats statistics = solver.statistics();
  for (unsigned i = 0; i < statistics.size(); ++i)
    if (statistics.key(i) == "rlimit count") return statistics.uint_value(i);
  return 0;
}

/// Processor time, which does not depend on what else runs.
double milliseconds_of_this_thread() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// Asks in a new context, or in this thread's last one if it has the same premises.
Answer ask(bool in_new, std::span<const Term> premises, std::span<const Term> goals, std::span<const Term> watched,
           std::uint64_t resource_limit) {
  const double begin = milliseconds_of_this_thread();
  Answer answer;
  try {
    if (in_new) the_session.emplace(premises);
    Translator& translator = the_session->translator();
    z3::solver& solver = the_session->solver();
    solver.set("rlimit", static_cast<unsigned>(resource_limit));
    solver.push();
    for (const Term goal : goals) solver.add(translator.of(goal));
    const std::uint64_t before = resources_used(solver);
    const z3::check_result result = solver.check();
    const std::uint64_t after = resources_used(solver);
    answer.resources = after > before ? after - before : after;
    if (result == z3::unsat) answer.kind = Answer::Kind::unsatisfiable;
    if (result == z3::unknown) answer.why = solver.reason_unknown();
    if (result == z3::sat) {
      answer.kind = Answer::Kind::satisfiable;
      const z3::model model = solver.get_model();
      for (const Term term : watched) answer.values[term] = printed(model.eval(translator.of(term), true));
    }
    solver.pop();
  } catch (const z3::exception& error) {
    answer.why = error.msg();
    the_session.reset();
  }
  answer.milliseconds = milliseconds_of_this_thread() - begin;
  return answer;
}

}  // namespace

// Within one context too, how far the limit reaches depends on what was asked before, and so on how threads share the
// questions. What a context gives up is therefore asked again in a new one.
Answer solve(std::span<const Term> premises, std::span<const Term> goals, std::span<const Term> watched,
             std::uint64_t resource_limit) {
  const bool in_new = !the_session || !the_session->is_about(premises);
  const Answer first = ask(in_new, premises, goals, watched, resource_limit);
  if (first.kind != Answer::Kind::unknown || in_new) return first;
  Answer again = ask(true, premises, goals, watched, resource_limit);
  again.resources += first.resources;
  again.milliseconds += first.milliseconds;
  return again;
}

std::string solver_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned build = 0;
  unsigned revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return "Z3 " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace plumbline::proofs
