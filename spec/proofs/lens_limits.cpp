// Views that are not lenses: the refuted laws, their counterexamples, and what the rules say about a write there.
#include "spec/proofs/lens.h"
#include "spec/rules/geo_memory.h"

namespace plumbline::proofs {

namespace {

using S = Symbolic;
using N = Num<S>;

N number(const char* name) { return any_number<S>(name); }

Obligation refuted(std::string name, std::string sentence, std::function<Question(const Judge<S>&)> build,
                   std::string_view because, std::vector<std::pair<std::string, std::string>> counterexample) {
  return {"lens." + std::move(name), std::move(sentence), std::move(build), Verdict::refuted, {}, because,
          std::move(counterexample)};
}

/// "No two elements of the view are at one place", of a view whose sizes and strides are as symbolic as `view` says.
Question injective(const Geometry<S>& view) {
  Question question;
  N place_v = view.offset;
  N place_u = view.offset;
  Bool<S> same = true;
  for (int d = 0; d < view.rank(); ++d) {
    const std::string number_of = std::to_string(d);
    const N v = any_number<S>("v" + number_of);
    const N u = any_number<S>("u" + number_of);
    for (const N& index : {v, u}) question.given(N(0) <= index && index < view.sizes[d]);
    place_v = place_v + v * view.strides[d];
    place_u = place_u + u * view.strides[d];
    same = same && v == u;
    question.show("v" + number_of, v).show("u" + number_of, u);
  }
  question.claim = implies(place_v == place_u, same).v.t;
  return question;
}

Question expand_injective(const Judge<S>& judge) {
  const N n = number("n");
  const Viewed<S> view = expand_view(judge, Geometry<S>{{N(1)}, {N(1)}, N(0)}, {n});
  return injective(view.geometry).given(view.error == Error<S>(ErrorClass::none)).show("n", n);
}

/// PutGet with the inverse that GetPut has: it gives the first copy.
Question expand_put_get(const Judge<S>&) {
  const N n = number("n");
  const N v = number("v");
  const IndexMap<S> map = expand_map<S>({N(1)}, {n});
  const Dims<S> i = map.forward({v});
  return claim(map.hit(i) && map.back(i)[0] == v).given(N(0) <= v && v < n).show("n", n).show("v", v);
}

Question unfold_injective(const Judge<S>& judge) {
  return injective(unfold_view(judge, Geometry<S>{{N(3)}, {N(1)}, N(0)}, 0, N(2), N(1)).geometry);
}

Question strided_injective(const Judge<S>& judge) {
  const Geometry<S> self{{N(5)}, {N(1)}, N(0)};
  return injective(as_strided_view(judge, self, {N(2), N(3)}, {N(2), N(1)}, std::optional(N(0)), N(5)).geometry);
}

/// The base's value at a place.
N element(const N& place) { return N::of({apply("b", Sort::Integer, {place.v.t})}); }

/// GetPut if writing back adds up the view's values of an element, as the derivative of a view op does. The sizes of
/// `view` are literals.
Question summed_get_put(const Geometry<S>& view, std::int64_t elements) {
  const N i = number("i");
  Dims<S> index(view.sizes.size());
  N sum = 0;
  const auto visit = [&](const auto& self, std::size_t d, const N& place) -> void {
    if (d == view.sizes.size()) {
      sum = sum + select(place == i, element(place), N(0));
      return;
    }
    const auto size = static_cast<std::int64_t>(node(view.sizes[d].v.t).payload);
    for (std::int64_t k = 0; k < size; ++k) self(self, d + 1, place + N(k) * view.strides[d]);
  };
  visit(visit, 0, view.offset);
  return claim(sum == element(i)).given(N(0) <= i && i < N(elements)).show("i", i).show("b(i)", element(i));
}

Question expand_by_sum(const Judge<S>& judge) {
  return summed_get_put(expand_view(judge, Geometry<S>{{N(1)}, {N(1)}, N(0)}, {N(2)}).geometry, 1);
}
Question unfold_by_sum(const Judge<S>& judge, int size, int step) {
  return summed_get_put(unfold_view(judge, Geometry<S>{{N(3)}, {N(1)}, N(0)}, 0, N(size), N(step)).geometry, 3);
}

/// Two writes, to x[0:2] and to x[1:3].
Question overlapping_writes_commute(const Judge<S>&) {
  const N cell = number("cell");
  const auto put = [&](std::int64_t from, const char* written, const N& before) {
    const IndexMap<S> map = range_map<S>(1, 0, N(from), N(from + 2), N(1));
    const N value = N::of({apply(written, Sort::Integer, {map.back({cell})[0].v.t})});
    return select(map.hit({cell}), value, before);
  };
  return claim(put(0, "w", put(1, "u", element(cell))) == put(1, "u", put(0, "w", element(cell))))
      .given(N(0) <= cell && cell < N(3))
      .show("cell", cell);
}

/// x.expand(3, n)[1] of a vector x: its links and the composed view.
struct ExpandSelect {
  Geometry<O> source = any_source("x", 1);
  Geometry<O> link;
  Geometry<O> last;

  explicit ExpandSelect(const Judge<O>& judge)
      : link(expand_view(judge, source, {Num<O>(3), source.sizes[0]}).geometry),
        last(select_view(judge, link, 0, Num<O>(1)).geometry) {}
};

std::vector<LensCase> expand_select_cases(const Judge<O>& judge) {
  const ExpandSelect chain(judge);
  return {{.tag = "x", .source = chain.source, .view = {chain.last}, .map = whole_map<O>(1)}};
}

/// Whether a dimension of stride 0 has several elements, as GEO-19 checks.
Bool<O> repeats(const Geometry<O>& geometry) {
  Bool<O> some = false;
  for (int d = 0; d < geometry.rank(); ++d)
    some = some || (geometry.strides[d] == Num<O>(0) && geometry.sizes[d] > Num<O>(1));
  return some;
}
Question check_sees_the_end_alone(const Judge<S>& judge) {
  const ExpandSelect chain(opaque(judge));
  return all_of({{{Num<O>(1) <= chain.source.strides[0], Num<O>(1) <= chain.source.sizes[0]},
                  repeats(chain.link) && !repeats(chain.last),
                  {{"n", chain.source.sizes[0]}}}});
}

Question link_by_link_put_get(const Judge<S>&) {
  const N n = number("n");
  const N v = number("v");
  const IndexMap<S> expanded = expand_map<S>({n}, {N(3), n});
  const IndexMap<S> selected = select_map<S>(2, 0, N(1));
  const Dims<S> i = expanded.forward(selected.forward({v}));
  const Dims<S> copy = expanded.back(i);
  return claim(expanded.hit(i) && selected.hit(copy) && selected.back(copy)[0] == v)
      .given(N(0) <= v && v < n)
      .show("n", n)
      .show("v", v);
}

/// The facts of an arbitrary write.
OverlapFacts<S> any_facts() {
  return {any_truth("repeats"), any_truth("partial"), any_truth("hidden"), any_truth("idempotent")};
}
Bool<S> is_error(const Error<S>& error, ErrorClass what) { return error == Error<S>(what); }

Question stride_zero_is_refused(const Judge<S>& judge) {
  const OverlapFacts<S> facts = any_facts();
  return claim(is_error(check_overlap(judge, facts), ErrorClass::overlap_internal))
      .given(facts.repeats && !facts.idempotent);
}
Question partial_is_refused(const Judge<S>& judge) {
  const OverlapFacts<S> facts = any_facts();
  return claim(is_error(check_overlap(judge, facts), ErrorClass::overlap_partial))
      .given(facts.partial && !facts.repeats && !facts.idempotent);
}
Question idempotent_is_done(const Judge<S>& judge) {
  const OverlapFacts<S> facts = any_facts();
  return claim(is_error(check_overlap(judge, facts), ErrorClass::none) && !order_unspecified(facts))
      .given(facts.idempotent);
}
Question unseen_is_unspecified(const Judge<S>& judge) {
  const OverlapFacts<S> facts = any_facts();
  return claim(is_error(check_overlap(judge, facts), ErrorClass::none) && order_unspecified(facts))
      .given(facts.hidden && !facts.repeats && !facts.partial && !facts.idempotent);
}

constexpr std::string_view kRefusedWrite =
    "GEO-19: all copies are one element, so such a write raises an error before anything is written; GEO-21: fill_ and "
    "zero_, which write one value, do not.";
constexpr std::string_view kUnseenOverlap =
    "GEO-22: the check does not see this overlap, the write is done, and the elements that depend on its order are "
    "unspecified; GEO-21: with fill_ and zero_ no element depends on it.";

}  // namespace

std::vector<Obligation> lens_limits() {
  std::vector<Obligation> all{
      refuted("injective.expand", "No two elements of a view by expand are at one place.", expand_injective,
              kRefusedWrite, {{"n", "2"}, {"v0", "0"}, {"u0", "1"}}),
      refuted("put-get.expand", "In a view by expand a written value is read back (PutGet).", expand_put_get,
              kRefusedWrite, {{"n", "2"}, {"v", "1"}}),
      refuted("injective.unfold", "No two elements of x.unfold(0, 2, 1), for x of size 3, are at one place.",
              unfold_injective, kUnseenOverlap, {{"v0", "0"}, {"v1", "1"}, {"u0", "1"}, {"u1", "0"}}),
      refuted("injective.as-strided", "No two elements of x.as_strided((2, 3), (2, 1)) are at one place.",
              strided_injective, kUnseenOverlap, {{"v0", "0"}, {"v1", "2"}, {"u0", "1"}, {"u1", "0"}}),
      refuted("get-put.expand-by-sum",
              "Writing x.expand(2) back by its derivative, the sum over the copies, changes nothing (GetPut).",
              expand_by_sum,
              "GEO-07: the copies are one element, with the value of one copy and not of their sum. The derivative is "
              "not an inverse.",
              {{"i", "0"}, {"b(i)", "1"}}),
      refuted(
          "get-put.unfold-by-sum.gap",
          "Writing x.unfold(0, 1, 2), for x of size 3, back by its derivative, the sum over windows, changes nothing.",
          [](const Judge<S>& judge) { return unfold_by_sum(judge, 1, 2); },
          "GEO-11: an element between two windows is in no window and stays as it is; the sum over no window is 0.",
          {{"i", "1"}, {"b(i)", "1"}}),
      refuted(
          "get-put.unfold-by-sum.overlap",
          "Writing x.unfold(0, 2, 1), for x of size 3, back by its derivative, the sum over windows, changes nothing.",
          [](const Judge<S>& judge) { return unfold_by_sum(judge, 2, 1); },
          "GEO-11: an element of two windows is one element, and the sum counts it twice.",
          {{"i", "1"}, {"b(i)", "1"}}),
      refuted("overlapping.writes-commute", "Writes to x[0:2] and x[1:3] may be reordered.", overlapping_writes_commute,
              "GEO-20: one op that writes one of them and reads the other raises an error before anything is written; "
              "of two statements the later one decides.",
              {{"cell", "1"}}),
      refuted("put-get.expand-select-by-links",
              "After x.expand(3, n)[1] is written back link by link, the written value is read back (PutGet).",
              link_by_link_put_get,
              "GEO-19 checks only the last view's strides, where nothing overlaps (lens.overlap.last-strides-alone), "
              "so the write is done. expand is not a lens, so the inverse of the chain is that of the composed map, "
              "which is a lens (lens.put-get.expand-select).",
              {{"n", "1"}, {"v", "0"}}),
      {"lens.overlap.last-strides-alone",
       "x.expand(3, n) has a dimension of stride 0 and x.expand(3, n)[1] does not: whether a write is refused depends "
       "on the composed map, not on its links.",
       check_sees_the_end_alone},
      {"lens.overlap.stride-zero", "A write through a dimension of stride 0 is refused, unless it is idempotent.",
       stride_zero_is_refused},
      {"lens.overlap.partial", "A write that partly overlaps what it reads is refused, unless it is idempotent.",
       partial_is_refused},
      {"lens.overlap.idempotent",
       "A write of one value is done even if elements overlap, and every element is specified.", idempotent_is_done},
      {"lens.overlap.unseen",
       "If elements overlap and the check does not see it, the write is done, and the elements that depend on its "
       "order are unspecified.",
       unseen_is_unspecified},
  };
  add_laws(all, "expand-select", "the composed map of x.expand(3, n)[1]", expand_select_cases);
  return all;
}

}  // namespace plumbline::proofs
