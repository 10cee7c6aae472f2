// Theorems about lenses: with them the laws of single views give the write-back through any chain of views, of any rank
// and length.
//
// Indices have uninterpreted sorts and elements are numbers. Maps and contents are uninterpreted functions: only the
// premises are known of them.
#include <utility>

#include "spec/proofs/lens.h"

namespace plumbline::proofs {

namespace {

using S = Symbolic;

// An index of a base, of a view of it, and of a view of that view.
constexpr Sort kBase = Sort::Storage;
constexpr Sort kView = Sort::Tensor;
constexpr Sort kInner = Sort::Counter;

/// A tensor's values, by index.
using ElementsOf = std::function<Term(Term)>;

ElementsOf contents(const std::string& name) {
  return [=](Term index) { return apply(name, Sort::Integer, {index}); };
}

Term all(std::initializer_list<Term> facts) {
  Term every = truth(true);
  for (const Term fact : facts) every = both(every, fact);
  return every;
}

/// A lens of which only its laws are known.
struct Lens {
  std::string name;         ///< the set of the view's indices
  std::string source_name;  ///< the set of the source's indices
  Sort source;
  Sort view;

  Term in_source(Term i) const { return apply("in-" + source_name, Sort::Truth, {i}); }
  Term in_view(Term v) const { return apply("in-" + name, Sort::Truth, {v}); }
  Term forward(Term v) const { return apply("forward-" + name, source, {v}); }
  Term hit(Term i) const { return apply("hit-" + name, Sort::Truth, {i}); }
  Term back(Term i) const { return apply("back-" + name, view, {i}); }

  ElementsOf get(const ElementsOf& b) const {
    return [=, *this](Term v) { return b(forward(v)); };
  }
  ElementsOf put(const ElementsOf& b, const ElementsOf& w) const {
    return [=, *this](Term i) { return choose(hit(i), w(back(i)), b(i)); };
  }

  /// Bounds and PutGet.
  Term put_get() const {
    const Term v = bound_variable("v-" + name, view);
    return for_all({v}, implies(in_view(v), all({in_source(forward(v)), hit(forward(v)), same(back(forward(v)), v)})));
  }
  Term get_put() const {
    const Term i = bound_variable("i-" + name, source);
    return for_all({i}, implies(both(in_source(i), hit(i)), both(in_view(back(i)), same(forward(back(i)), i))));
  }
};

/// A view of a base, and a view of that view.
const Lens kFirst{"first", "base", kBase, kView};
const Lens kSecond{"second", "first", kView, kInner};

/// A view of a view as one view of the base.
struct Composed {
  static Term forward(Term v) { return kFirst.forward(kSecond.forward(v)); }
  static Term hit(Term i) { return both(kFirst.hit(i), kSecond.hit(kFirst.back(i))); }
  static Term back(Term i) { return kSecond.back(kFirst.back(i)); }

  /// The laws of both links.
  static std::vector<Term> laws() { return {kFirst.put_get(), kFirst.get_put(), kSecond.put_get(), kSecond.get_put()}; }
};

Term some(const char* name, Sort sort) { return variable(name, sort); }

/// Memory after a strided write: the place of each element of the view has its new value, and only places of its
/// elements have changed. `place` is different for different elements of the base.
struct StridedWrite {
  std::function<Term(Term)> forward;
  std::function<Term(Term)> in_view;
  Sort view;

  static Term place(Term i) { return apply("place", Sort::Integer, {i}); }
  static Term before(Term a) { return apply("before", Sort::Integer, {a}); }
  static Term after(Term a) { return apply("after", Sort::Integer, {a}); }
  static ElementsOf base() {
    return [](Term i) { return before(place(i)); };
  }

  std::vector<Term> facts(const ElementsOf& written) const {
    const Term v = bound_variable("v-written", view);
    const Term a = bound_variable("a", Sort::Integer);
    const Term i = bound_variable("i-place", kBase);
    const Term j = bound_variable("j-place", kBase);
    const Term writer = apply("writer", view, {a});
    return {for_all({v}, implies(in_view(v), same(after(place(forward(v))), written(v)))),
            for_all({a}, either(same(after(a), before(a)), both(in_view(writer), same(place(forward(writer)), a)))),
            for_all({i, j},
                    implies(all({kFirst.in_source(i), kFirst.in_source(j), same(place(i), place(j))}), same(i, j)))};
  }
};

Obligation theorem(std::string name, std::string sentence, std::function<Question()> state) {
  return {"lens." + std::move(name), std::move(sentence),
          [state = std::move(state)](const Judge<S>&) { return state(); }};
}

Question follows(std::vector<Term> premises, Term claimed) { return {std::move(premises), claimed}; }

Question value_put_get() {
  const Term v = some("v", kView);
  const ElementsOf after = kFirst.put(contents("b"), contents("w"));
  return follows({kFirst.put_get(), kFirst.in_view(v)}, same(kFirst.get(after)(v), contents("w")(v)));
}
Question value_get_put() {
  const Term i = some("i", kBase);
  const ElementsOf after = kFirst.put(contents("b"), kFirst.get(contents("b")));
  return follows({kFirst.get_put(), kFirst.in_source(i)}, same(after(i), contents("b")(i)));
}
Question value_put_put() {
  const Term i = some("i", kBase);
  const ElementsOf twice = kFirst.put(kFirst.put(contents("b"), contents("w")), contents("u"));
  return follows({kFirst.in_source(i)}, same(twice(i), kFirst.put(contents("b"), contents("u"))(i)));
}

Question composed_put_get() {
  const Term v = some("v", kInner);
  std::vector<Term> premises = Composed::laws();
  premises.push_back(kSecond.in_view(v));
  const Term i = Composed::forward(v);
  return follows(premises, all({kFirst.in_source(i), Composed::hit(i), same(Composed::back(i), v)}));
}
Question composed_get_put() {
  const Term i = some("i", kBase);
  std::vector<Term> premises = Composed::laws();
  premises.push_back(both(kFirst.in_source(i), Composed::hit(i)));
  return follows(premises, both(kSecond.in_view(Composed::back(i)), same(Composed::forward(Composed::back(i)), i)));
}

/// The base's contents after writing back link by link.
ElementsOf written_back(const ElementsOf& base, const ElementsOf& w) {
  return kFirst.put(base, kSecond.put(kFirst.get(base), w));
}

Question write_back_is_one_put() {
  const Term i = some("i", kBase);
  std::vector<Term> premises = Composed::laws();
  premises.push_back(kFirst.in_source(i));
  const Term once = choose(Composed::hit(i), contents("w")(Composed::back(i)), contents("b")(i));
  return follows(premises, same(written_back(contents("b"), contents("w"))(i), once));
}

Question write_back_is_a_strided_write() {
  const Term i = some("i", kBase);
  const StridedWrite write{[](Term v) { return Composed::forward(v); }, [](Term v) { return kSecond.in_view(v); },
                           kInner};
  std::vector<Term> premises = Composed::laws();
  for (const Term fact : write.facts(contents("w"))) premises.push_back(fact);
  premises.push_back(kFirst.in_source(i));
  return follows(premises, same(StridedWrite::after(StridedWrite::place(i)),
                                written_back(StridedWrite::base(), contents("w"))(i)));
}

Question sibling_reads_memory() {
  const Lens sibling{"sibling", "base", kBase, kInner};
  const StridedWrite write{[](Term v) { return kFirst.forward(v); }, [](Term v) { return kFirst.in_view(v); }, kView};
  const Term u = some("u", kInner);
  std::vector<Term> premises{kFirst.put_get(), kFirst.get_put(), sibling.put_get(), sibling.in_view(u)};
  for (const Term fact : write.facts(contents("w"))) premises.push_back(fact);
  const ElementsOf regenerated = sibling.get(kFirst.put(StridedWrite::base(), contents("w")));
  return follows(premises, same(regenerated(u), StridedWrite::after(StridedWrite::place(sibling.forward(u)))));
}

Question disjoint_writes_commute() {
  const Lens other{"other", "base", kBase, kInner};
  const Term i = some("i", kBase);
  const Term j = bound_variable("j", kBase);
  const ElementsOf w = contents("w");
  const ElementsOf u = contents("u");
  const Term one = kFirst.put(other.put(contents("b"), u), w)(i);
  const Term two = other.put(kFirst.put(contents("b"), w), u)(i);
  return follows(
      {for_all({j}, implies(kFirst.in_source(j), negate(both(kFirst.hit(j), other.hit(j))))), kFirst.in_source(i)},
      same(one, two));
}

/// If two elements of a view are one element of the base, every write-back loses one of two values.
Question no_put_where_elements_meet() {
  const Term v = some("v", kView);
  const Term u = some("u", kView);
  const ElementsOf after = contents("after");  // the result of an arbitrary put
  const ElementsOf w = contents("w");
  return follows(
      {same(kFirst.forward(v), kFirst.forward(u)), same(kFirst.get(after)(v), w(v)), same(kFirst.get(after)(u), w(u))},
      same(w(v), w(u)));
}

/// If no two elements of a view are one element, a strided write is the put, and has PutGet without an inverse.
Question injective_write_has_put_get() {
  const Term v = some("v", kView);
  const Term x = bound_variable("x", kView);
  const Term y = bound_variable("y", kView);
  const ElementsOf after = contents("after");
  const ElementsOf w = contents("w");
  const Term injective = for_all(
      {x, y},
      implies(all({kFirst.in_view(x), kFirst.in_view(y), same(kFirst.forward(x), kFirst.forward(y))}), same(x, y)));
  // one of the view's elements at that place is written last; which one is left open
  const Term last = apply("last", kView, {kFirst.forward(x)});
  const Term written =
      for_all({x}, implies(kFirst.in_view(x), all({kFirst.in_view(last), same(kFirst.forward(last), kFirst.forward(x)),
                                                   same(after(kFirst.forward(x)), w(last))})));
  return follows({injective, written, kFirst.in_view(v)}, same(kFirst.get(after)(v), w(v)));
}

}  // namespace

std::vector<Obligation> lens_theorems() {
  return {
      theorem("value.put-get", "By PutGet of the maps, a value written through a view is read through it.",
              value_put_get),
      theorem("value.get-put",
              "By GetPut of the maps, writing back the values that were read does not change the base.", value_get_put),
      theorem("value.put-put", "Of two writes through a view only the second remains (PutPut). This needs no law.",
              value_put_put),
      theorem("compose.put-get",
              "A view of a view, if both are lenses, is within the bounds of the base and has PutGet.",
              composed_put_get),
      theorem("compose.get-put", "A view of a view, if both are lenses, has GetPut.", composed_get_put),
      theorem("chain.write-back-is-one-put", "Writing back link by link is one write through the composed map.",
              write_back_is_one_put),
      theorem("chain.write-back-is-strided-write",
              "Writing back link by link leaves the same memory as a strided write through the composed map.",
              write_back_is_a_strided_write),
      theorem("sibling.reads-memory",
              "A sibling alias, regenerated from the written base, has the values that are in memory after the strided "
              "write.",
              sibling_reads_memory),
      theorem("disjoint.writes-commute", "Writes through two views that share no element may be reordered.",
              disjoint_writes_commute),
      theorem("overlap.no-put",
              "If two elements of a view are one element of the base, no write can leave two different values in them.",
              no_put_where_elements_meet),
      theorem("overlap.injective-put-get",
              "If no two elements of a view are one element, a strided write has PutGet in any order of writing.",
              injective_write_has_put_get),
  };
}

}  // namespace plumbline::proofs
