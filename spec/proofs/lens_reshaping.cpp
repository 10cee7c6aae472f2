// Lenses of the views that renumber elements: view and as_strided.
#include "spec/proofs/lens.h"
#include "spec/rules/geo_ops.h"

namespace plumbline::proofs {

namespace {

using S = Symbolic;

Dims<O> at_least_one(const Dims<O>& sizes, Facts& premises) {
  for (const Num<O>& size : sizes) premises.push_back(Num<O>(1) <= size);
  return sizes;
}

/// The lemmas that a chain of row_major_place over `sizes` needs.
Facts of_places(const Dims<O>& sizes, const Dims<O>& index) {
  Facts facts;
  Num<O> place = index[0];
  Num<O> below = sizes[0];
  for (std::size_t d = 1; d < sizes.size(); ++d) {
    facts.push_back(place_within(place, below, index[d], sizes[d]));
    facts.push_back(division_of_sum(place, index[d], sizes[d]));
    place = place * sizes[d] + index[d];
    below = below * sizes[d];
  }
  return facts;
}
/// The lemmas that a chain of row_major_index over `sizes` needs, where the last dimension has this stride.
Facts of_index(const Dims<O>& sizes, Num<O> place, Num<O> stride) {
  Facts facts;
  for (std::size_t d = sizes.size(); d-- > 1;) {
    facts.push_back(sum_distributes((place / sizes[d]) * sizes[d], place % sizes[d], stride));
    stride = sizes[d] * stride;
    Num<O> below = sizes[0];
    for (std::size_t k = 1; k < d; ++k) below = below * sizes[k];
    facts.push_back(quotient_below(place, below, sizes[d]));
    place = place / sizes[d];
  }
  return facts;
}

/// A run of memory, as long as its view has elements, seen by `rank` sizes.
std::vector<LensCase> fold_cases(const Judge<O>&) {
  std::vector<LensCase> cases;
  for (int rank = 1; rank <= 3; ++rank) {
    LensCase one{.tag = "r" + std::to_string(rank)};
    const Dims<O> sizes = at_least_one(any_index(one.tag + ".size", rank), one.premises);
    one.source = {{product<O>(sizes)}, {any(one.tag + ".stride")}, any(one.tag + ".offset")};
    Dims<O> strides = contiguous_strides<O>(sizes);
    for (Num<O>& stride : strides) stride = stride * one.source.strides[0];
    one.view = {{sizes, strides, one.source.offset}};
    one.map = folded_map(sizes);
    one.lemmas = [=](const Dims<O>& v, const Dims<O>& i) {
      Facts facts = of_places(sizes, v);
      for (const Bool<O>& fact : of_index(sizes, i[0], Num<O>(1))) facts.push_back(fact);
      return facts;
    };
    cases.push_back(one);
  }
  return cases;
}

/// A source whose dimensions are one run of memory, seen as one dimension.
std::vector<LensCase> flat_cases(const Judge<O>&) {
  std::vector<LensCase> cases;
  for (int rank = 1; rank <= 3; ++rank) {
    LensCase one{.tag = "r" + std::to_string(rank)};
    const Dims<O> sizes = at_least_one(any_index(one.tag + ".n", rank), one.premises);
    const Num<O> stride = any(one.tag + ".stride");
    Dims<O> strides = contiguous_strides<O>(sizes);
    for (Num<O>& each : strides) each = each * stride;
    one.source = {sizes, strides, any(one.tag + ".offset")};
    one.view = {{{product<O>(sizes)}, {stride}, one.source.offset}};
    one.map = flat_map(sizes);
    one.lemmas = [=](const Dims<O>& v, const Dims<O>& i) {
      Facts facts = of_places(sizes, i);
      for (const Bool<O>& fact : of_index(sizes, v[0], stride)) facts.push_back(fact);
      return facts;
    };
    cases.push_back(one);
  }
  return cases;
}

/// Two dimensions become one, if the rule allows it.
std::vector<LensCase> merge_cases(const Judge<O>& judge) {
  LensCase one{.tag = "x"};
  one.source = any_source("x", 2);
  const Dims<O> sizes = at_least_one(one.source.sizes, one.premises);
  const Num<O> inner = one.source.strides[1];
  one.premises.push_back(view_keeps_memory(judge, one.source.strides[0] == sizes[1] * inner));
  one.view = {{{sizes[0] * sizes[1]}, {inner}, one.source.offset}};
  one.map = flat_map(sizes);
  one.shown = {{"n0", sizes[0]}, {"n1", sizes[1]}, {"stride0", one.source.strides[0]}, {"stride1", inner}};
  one.lemmas = [=](const Dims<O>& v, const Dims<O>& i) {
    Facts facts = of_places(sizes, i);
    for (const Bool<O>& fact : of_index(sizes, v[0], inner)) facts.push_back(fact);
    return facts;
  };
  return {one};
}

/// If two dimensions are not one run, no single stride reaches their elements in order.
Question no_merge(const Judge<S>& judge) {
  const Geometry<O> source = any_source("x", 2);
  const Num<O> stride = any("stride");
  const Num<O> n1 = source.sizes[1];
  Facts premises{Num<O>(2) <= source.sizes[0], Num<O>(1) <= n1,
                 !view_keeps_memory(opaque(judge), source.strides[0] == n1 * source.strides[1])};
  const Geometry<O> view{{source.sizes[0] * n1}, {stride}, source.offset};
  const auto stands = [&](const Num<O>& row, const Num<O>& column) {
    return place_of(view, {row * n1 + column}) == place_of(source, {row, column});
  };
  return all_of({{premises,
                  !(stands(Num<O>(1), Num<O>(0)) && implies(n1 > Num<O>(1), stands(Num<O>(0), Num<O>(1))) &&
                    implies(n1 == Num<O>(1), source.strides[1] == stride)),
                  {{"n0", source.sizes[0]}, {"n1", n1}}}});
}

/// With the size for -1 the number of elements stays the same.
Question inferred(const Judge<S>& judge) {
  const Num<O> elements = any("elements");
  const Num<O> rest = any("rest");
  const Num<O> size = inferred_size(opaque(judge), elements, rest);
  return all_of({{{Num<O>(1) <= rest, Num<O>(0) <= elements, elements % rest == Num<O>(0)},
                  size * rest == elements,
                  {{"elements", elements}, {"rest", rest}, {"size", size}}}});
}

/// view(dtype) from elements of `from` bytes to elements of `to` bytes keeps each byte in its place.
LensClaim retyped(const Judge<O>& judge, std::int64_t from, std::int64_t to) {
  const std::string tag = "from" + std::to_string(from) + "to" + std::to_string(to);
  Geometry<O> source = any_source(tag, 2);
  source.strides[1] = 1;  // checked by the op, like the premises below
  const std::int64_t ratio = std::max(from, to) / std::min(from, to);
  LensClaim asked{{not_negative(source.sizes)}, Bool<O>(false), {{"from", from}, {"to", to}, {"n1", source.sizes[1]}}};
  if (to > from)
    for (const Num<O>& divided : {source.sizes[1], source.strides[0], source.offset})
      asked.premises.push_back(divided % Num<O>(ratio) == Num<O>(0));
  const Geometry<O> view = retyped_view(judge, source, from, to);
  const Dims<O> v = any_index(tag + ".v", 2);
  asked.premises.push_back(inside(v, view.sizes));
  // the source's element in which the view's element begins, and the offset in bytes
  const Num<O> bytes = v[1] * Num<O>(to);
  const Dims<O> i{v[0], bytes / Num<O>(from)};
  asked.premises.push_back(product_associates(Num<O>(ratio), to < from ? source.strides[0] : view.strides[0], v[0]));
  asked.claim = place_of(view, v) * Num<O>(to) == place_of(source, i) * Num<O>(from) + bytes % Num<O>(from) &&
                inside(i, source.sizes) && view.sizes[1] * Num<O>(to) == source.sizes[1] * Num<O>(from);
  return asked;
}
Question retyped_keeps_bytes(const Judge<S>& judge) {
  std::vector<LensClaim> claims;
  for (const auto& [from, to] : {std::pair(8, 4), std::pair(8, 1), std::pair(4, 2), std::pair(4, 8), std::pair(1, 8)})
    claims.push_back(retyped(opaque(judge), from, to));
  return all_of(claims);
}

/// as_strided of a storage of `available` elements; the source of the lens is the storage.
struct Strided {
  Geometry<O> self;
  Dims<O> sizes;
  Dims<O> strides;
  Num<O> offset;
  Num<O> available;
  Viewed<O> view;

  Strided(const Judge<O>& judge, const std::string& tag, int rank, bool omitted)
      : self(any_source(tag + ".self", 2)),
        sizes(any_index(tag + ".size", rank)),
        strides(any_index(tag + ".stride", rank)),
        offset(omitted ? self.offset : any(tag + ".offset")),
        available(any(tag + ".available")),
        view(as_strided_view(judge, self, sizes, strides, omitted ? std::nullopt : std::optional(offset), available)) {}
};

std::vector<LensCase> strided_cases(const Judge<O>& judge, bool nested) {
  std::vector<LensCase> cases;
  for (int rank = 0; rank <= 3; ++rank)
    for (const bool omitted : {false, true}) {
      if (omitted && rank > 1) continue;  // one rank is enough: the default offset does not depend on it
      const std::string tag = "r" + std::to_string(rank) + (omitted ? "o" : "");
      const Strided s(judge, tag, rank, omitted);
      LensCase one{.tag = tag, .dim = omitted ? 1 : 0};
      one.source = {{s.available}, {Num<O>(1)}, Num<O>(0)};
      one.view = s.view;
      one.map = strided_map(s.sizes, s.strides, s.offset);
      Num<O> reach = 1;
      for (int k = rank - 1; nested && k >= 0; --k) {
        one.premises.push_back(s.strides[k] >= reach);
        reach = reach + (s.sizes[k] - 1) * s.strides[k];
      }
      one.lemmas = [s](const Dims<O>& v, const Dims<O>&) {
        Facts facts;
        Num<O> some = 0;  // the reach of the dimensions after this one
        for (std::size_t k = v.size(); k-- > 0;) {
          facts.push_back(product_grows(v[k], s.sizes[k] - 1, s.strides[k]));
          facts.push_back(product_grows(Num<O>(0), v[k], s.strides[k]));
          facts.push_back(product_grows(Num<O>(0), s.sizes[k] - 1, s.strides[k]));
          facts.push_back(division_of_sum(v[k], some, s.strides[k]));
          some = some + v[k] * s.strides[k];
        }
        // if no size is 0, their product is not 0, which the rule tests
        Num<O> product = 1;
        for (const Num<O>& size : s.sizes) {
          facts.push_back(product_grows(Num<O>(1), product, size));
          product = product * size;
        }
        return facts;
      };
      cases.push_back(one);
    }
  return cases;
}

/// A view within the storage is not an error.
Question strided_accepts(const Judge<S>& judge) {
  std::vector<LensClaim> claims;
  for (int rank = 0; rank <= 3; ++rank) {
    const std::string tag = "r" + std::to_string(rank);
    const Strided s(opaque(judge), tag, rank, false);
    Facts premises{not_negative(s.sizes), not_negative(s.strides), Num<O>(0) <= s.offset};
    Num<O> last = s.offset;
    for (int k = 0; k < rank; ++k) last = last + (s.sizes[k] - 1) * s.strides[k];
    premises.push_back(last < s.available);
    claims.push_back({premises, s.view.error == Error<O>(ErrorClass::none), {{"rank", rank}, {"last", last}}});
  }
  return all_of(claims);
}

}  // namespace

std::vector<Obligation> reshaping_lenses() {
  std::vector<Obligation> all;
  add_laws(all, "view-fold", "view of one dimension by several sizes", fold_cases);
  add_laws(all, "view-flat", "view of one run of memory as one dimension", flat_cases);
  add_laws(all, "view-merge",
           "view that merges two dimensions (a step of reference/reshape.cpp, which composes such steps; "
           "reference/tests checks the whole computation against all strides by enumeration)",
           merge_cases);
  all.push_back({"lens.error.view-merge",
                 "If view refuses to merge two dimensions, no stride of a single dimension reaches their elements.",
                 no_merge});
  all.push_back({"lens.sizes.inferred",
                 "With the size that view computes for -1, the view has as many elements as its source.", inferred});
  all.push_back(
      {"lens.bytes.view-dtype",
       "view(dtype) with elements of another size keeps each byte in its place, and has all bytes of its source.",
       retyped_keeps_bytes});
  const Cases strided = [](const Judge<O>& judge) { return strided_cases(judge, false); };
  const Cases nested = [](const Judge<O>& judge) { return strided_cases(judge, true); };
  for (const Law law : {Law::address, Law::bounds})
    all.push_back(lens_obligation(law, "as-strided", "as_strided (its source: the storage)", strided));
  for (const Law law : {Law::put_get, Law::get_put})
    all.push_back(lens_obligation(
        law, "as-strided",
        "as_strided with nested strides, each larger than the reach of those after it (its source: the storage)",
        nested));
  Obligation sizes = lens_obligation(Law::sizes, "as-strided", "as_strided", strided);
  sizes.except = {{Profile::torch_2_13, "GEO-27: a negative size is accepted if another size is 0"},
                  {Profile::torch_1_13, "GEO-27: a negative size is accepted if another size is 0"}};
  all.push_back(std::move(sizes));
  all.push_back(
      {"lens.error.as-strided", "as_strided refuses no view that stays within the storage.", strided_accepts});
  return all;
}

}  // namespace plumbline::proofs
