// How functionalization undoes views, by the rules FUN: the view that it writes back through has the view's elements.
#include "spec/proofs/lens.h"
#include "spec/rules/fun_undo.h"

namespace plumbline::proofs {

namespace {

using S = Symbolic;

/// For one element of the source: both views have it or neither does, and at the same index.
Bool<O> same_at(const IndexMap<O>& view, const IndexMap<O>& undone, const Dims<O>& i) {
  return view.hit(i) == undone.hit(i) && implies(view.hit(i), equal(view.back(i), undone.back(i)));
}

Question undone_select(const Judge<S>& judge) {
  const Dims<O> i = any_index("i", 2);
  const Num<O> at = any("at");
  const Num<O> undone = undone_index(opaque(judge), at);
  return all_of({{{Num<O>(0) <= at}, same_at(select_map(2, 1, at), select_map(2, 1, undone), i), {{"at", at}}}});
}

Question undone_slice(const Judge<S>& judge) {
  const Dims<O> i = any_index("i", 2);
  const Num<O> from = any("from");
  const Num<O> length = any("length");
  const Num<O> undone = undone_start(opaque(judge), from);
  const auto range = [&](const Num<O>& begin) { return range_map(2, 1, begin, begin + length, Num<O>(2)); };
  return all_of({{{Num<O>(0) <= from, Num<O>(1) <= length}, same_at(range(from), range(undone), i), {{"from", from}}}});
}

/// The first piece of split begins at 0, the others at their start; a piece of unbind is one index.
Question undone_pieces(const Judge<S>& judge) {
  const Judge<O> by = opaque(judge);
  const Dims<O> i = any_index("i", 1);
  const Num<O> number = any("number");
  const Num<O> undone = undone_piece(by, number);
  const Num<O> size = 3;
  const Num<O> start = select(undone == Num<O>(0), Num<O>(0), undone_start(by, number * size));
  const auto range = [&](const Num<O>& begin) { return range_map(1, 0, begin, begin + size, Num<O>(1)); };
  return all_of({{{Num<O>(0) <= number},
                  same_at(range(number * size), range(start), i) &&
                      same_at(select_map(1, 0, number), select_map(1, 0, undone_index(by, undone)), i),
                  {{"number", number}}}});
}

Question undone_diagonals(const Judge<S>& judge) {
  const Dims<O> i = any_index("i", 2);
  const Num<O> offset = any("by");
  const Num<O> undone = undone_diagonal(opaque(judge), offset);
  return all_of({{{}, same_at(diagonal_map(2, 0, 1, offset), diagonal_map(2, 0, 1, undone), i), {{"offset", offset}}}});
}

Question undone_transpose(const Judge<S>& judge) {
  const Dims<O> i = any_index("i", 3);
  const Num<O> by = undone_transpose(opaque(judge), Num<O>(0), Num<O>(2));  // the transpose exchanges 0 and 2
  Dims<O> turned{select(by == Num<O>(2), i[2], i[0]), i[1], select(by == Num<O>(2), i[0], i[2])};
  return all_of({{{}, equal(turned, permute_map<O>({2, 1, 0}).back(i)), {{"i0", i[0]}}}});
}
Question undone_permute(const Judge<S>& judge) {
  const std::vector<int> dims{1, 2, 0};
  const std::vector<int> inverse{2, 0, 1};
  const Judge<O> by = opaque(judge);
  const Dims<O> i = any_index("i", 3);
  Dims<O> turned(3);  // dimension k of the inverse is dimension undone(k) of the written view
  for (int k = 0; k < 3; ++k) {
    const Num<O> undone = undone_permute(by, Num<O>(inverse[k]), Num<O>(dims[k]));
    for (int d = 0; d < 3; ++d) turned[d] = select(undone == Num<O>(d), i[k], turned[d]);
  }
  return all_of({{{}, equal(turned, permute_map<O>(dims).back(i)), {{"i0", i[0]}}}});
}

/// The base's value, and the written value, at a place.
Num<O> element(const char* of, const Num<O>& place) { return Num<O>::of({apply(of, Sort::Integer, {place.v.t})}); }

Question undone_unfold(const Judge<S>& judge) {
  const Num<O> n = any("n");
  const Num<O> i = any("i");
  const IndexMap<O> windows = unfold_map(1, 0, n, Num<O>(2), Num<O>(3));
  const Num<O> left = select(unfold_keeps(opaque(judge), windows.hit({i})), element("b", i), Num<O>(0));
  return all_of({{{Num<O>(2) <= n, Num<O>(0) <= i, i < n},
                  windows.hit({i}) || left == element("b", i),
                  {{"n", n}, {"i", i}, {"b(i)", element("b", i)}}}});
}

/// A view of the written view, in the source's sizes or in others: the place for the source's index i.
Question undone_sizes(const Judge<S>& judge) {
  const Dims<O> sizes = any_index("n", 2);
  const Judge<O> by = opaque(judge);
  const Dims<O> undone{undone_size(by, sizes[0], sizes[1]), undone_size(by, sizes[1], sizes[0])};
  const Dims<O> i = any_index("i", 2);
  return all_of({{{inside(i, sizes)},
                  row_major_place(undone, i) == row_major_place(sizes, i),
                  {{"n0", sizes[0]}, {"n1", sizes[1]}}}});
}

/// x.expand(3, n)[1]: link by link, the select is undone in the expanded tensor, and the first copy is written back.
Question undone_chain(const Judge<S>& judge) {
  const Num<O> v = any("v");
  const IndexMap<O> expanded = expand_map<O>({any("n")}, {Num<O>(3), any("n")});
  const Bool<O> written = select_map<O>(2, 0, Num<O>(1)).hit(expanded.back({v}));
  const Num<O> by_links = select(written, element("w", v), element("b", v));
  const Num<O> left = select(writes_places(opaque(judge), Bool<O>(false)), element("w", v), by_links);
  return all_of({{{}, left == element("w", v), {{"v", v}}}});
}

Question undone_strided(const Judge<S>& judge) {
  const Dims<O> v = any_index("v", 2);
  const Dims<O> sizes = any_index("size", 2);
  const Dims<O> strides = any_index("stride", 2);
  const Num<O> offset = any("offset");
  const Num<O> own = any("own");
  const Num<O> undone = strided_offset(opaque(judge), offset, own);
  return all_of({{{},
                  equal(strided_map(sizes, strides, offset).forward(v), strided_map(sizes, strides, undone).forward(v)),
                  {{"offset", offset}, {"own", own}}}});
}

Obligation undone(const std::string& op, const std::string& sentence, Question (*build)(const Judge<S>&)) {
  return {"lens.undone." + op, sentence, build};
}

}  // namespace

std::vector<Obligation> lens_undoing() {
  std::vector<Obligation> all{
      undone("select", "The inverse of select has the elements of the select.", undone_select),
      undone("slice", "The inverse of slice has the elements of the slice.", undone_slice),
      undone("pieces", "The inverse of a piece of split or unbind has the elements of that piece.", undone_pieces),
      undone("diagonal", "The inverse of diagonal has the elements of the diagonal.", undone_diagonals),
      undone("transpose", "The inverse of transpose puts each element of the source back in its place.",
             undone_transpose),
      undone("permute", "The inverse of permute, if that is not its own inverse, puts each element back in its place.",
             undone_permute),
      undone("unfold", "The inverse of unfold keeps an element that is in no window.", undone_unfold),
      undone("view", "A view of a view back to the source's sizes has each element in its place.", undone_sizes),
      undone("expand-select", "After a write through x.expand(3, n)[1], x has the written values.", undone_chain),
      undone("as-strided", "The inverse of as_strided writes the places of the storage that as_strided sees.",
             undone_strided)};
  for (Obligation& one : all) {
    std::string_view why;
    if (one.name == "lens.undone.unfold") why = "FUN-11: what is in no window becomes 0";
    if (one.name == "lens.undone.expand-select") why = "FUN-14: each view of the chain has its own inverse";
    if (!why.empty()) one.except = {{Profile::torch_2_13, why}, {Profile::torch_1_13, why}};
  }
  return all;
}

}  // namespace plumbline::proofs
