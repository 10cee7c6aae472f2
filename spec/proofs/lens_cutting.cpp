// Lenses of the views that cut: select, slice, narrow, split, unbind, diagonal, unfold.
#include "spec/proofs/lens.h"

namespace plumbline::proofs {

namespace {

/// A size that has a stride of the source, with the shown values that all cutting views have.
struct Cut {
  std::string tag;
  Geometry<O> source;
  Num<O> n;

  Cut(const std::string& name, int rank, int dim) : tag(name), source(any_source(name, rank)), n(source.sizes[dim]) {}
  Num<O> operator[](const char* name) const { return any(tag + "." + name); }
};

std::vector<LensCase> select_cases(const Judge<O>& judge) {
  return for_dims([&](const std::string& tag, int rank, int dim) {
    const Cut cut(tag, rank, dim);
    const Num<O> index = cut["index"];
    const Num<O> at = select(index < Num<O>(0), cut.n + index, index);
    return LensCase{.tag = tag,
                    .dim = dim,
                    .source = cut.source,
                    .view = select_view(judge, cut.source, dim, index),
                    .map = select_map<O>(rank, dim, at),
                    .shown = {{"n", cut.n}, {"index", index}}};
  });
}

std::vector<LensCase> unbind_cases(const Judge<O>& judge) {
  return for_dims([&](const std::string& tag, int rank, int dim) {
    const Cut cut(tag, rank, dim);
    const Num<O> number = cut["number"];
    return LensCase{.tag = tag,
                    .dim = dim,
                    .source = cut.source,
                    .view = {unbind_view(judge, cut.source, dim, number)},
                    .map = select_map<O>(rank, dim, number),
                    .premises = {Num<O>(0) <= number, number < cut.n},
                    .shown = {{"n", cut.n}, {"number", number}}};
  });
}

std::vector<LensCase> slice_cases(const Judge<O>& judge) {
  return for_dims([&](const std::string& tag, int rank, int dim) {
    const Cut cut(tag, rank, dim);
    const Num<O> step = cut["step"];
    const Num<O> from = slice_end(cut["start"], cut.n);
    const Num<O> to = slice_end(cut["end"], cut.n);
    const Viewed<O> view = slice_view(judge, cut.source, dim, cut["start"], cut["end"], step);
    const Num<O> count = view.geometry.sizes[dim];
    const auto lemmas = [=](const Dims<O>& v, const Dims<O>& i) {
      return Facts{division_of_sum(v[dim], Num<O>(0), step), product_grows(v[dim], count - 1, step),
                   product_grows(Num<O>(0), v[dim], step), product_grows(count, (i[dim] - from) / step, step)};
    };
    return LensCase{.tag = tag,
                    .dim = dim,
                    .source = cut.source,
                    .view = view,
                    .map = range_map(rank, dim, from, to, step),
                    .shown = {{"n", cut.n}, {"start", cut["start"]}, {"end", cut["end"]}, {"step", step}},
                    .lemmas = lemmas};
  });
}

std::vector<LensCase> narrow_cases(const Judge<O>& judge) {
  return for_dims([&](const std::string& tag, int rank, int dim) {
    const Cut cut(tag, rank, dim);
    const Num<O> start = cut["start"];
    const Num<O> length = cut["length"];
    const Num<O> from = select(start < Num<O>(0), cut.n + start, start);
    return LensCase{.tag = tag,
                    .dim = dim,
                    .source = cut.source,
                    .view = narrow_view(judge, cut.source, dim, start, length),
                    .map = range_map(rank, dim, from, from + length, Num<O>(1)),
                    .shown = {{"n", cut.n}, {"start", start}, {"length", length}}};
  });
}

std::vector<LensCase> split_cases(const Judge<O>& judge) {
  return for_dims([&](const std::string& tag, int rank, int dim) {
    const Cut cut(tag, rank, dim);
    const Num<O> size = cut["size"];
    const Num<O> number = cut["number"];
    const Num<O> from = number * size;
    return LensCase{.tag = tag,
                    .dim = dim,
                    .source = cut.source,
                    .view = {split_view(judge, cut.source, dim, size, number)},
                    .map = range_map(rank, dim, from, from + size, Num<O>(1)),
                    .premises = {Num<O>(1) <= size, Num<O>(0) <= number, number < split_pieces(judge, cut.n, size),
                                 product_grows(Num<O>(0), number, size)},
                    .shown = {{"n", cut.n}, {"size", size}, {"number", number}}};
  });
}

std::vector<LensCase> diagonal_cases(const Judge<O>& judge) {
  struct Dimensions {
    int rank;
    int dim1;
    int dim2;
  };
  std::vector<LensCase> cases;
  for (const auto& [rank, dim1, dim2] :
       {Dimensions{2, 0, 1}, Dimensions{2, 1, 0}, Dimensions{3, 0, 2}, Dimensions{3, 2, 1}, Dimensions{3, 1, 0}}) {
    const std::string tag = "r" + std::to_string(rank) + "d" + std::to_string(dim1) + std::to_string(dim2);
    const Geometry<O> source = any_source(tag, rank);
    const Num<O> offset = any(tag + ".by");
    cases.push_back(
        {.tag = tag,
         .dim = dim1,
         .source = source,
         .view = {diagonal_view(judge, source, offset, dim1, dim2)},
         .map = diagonal_map(rank, dim1, dim2, offset),
         .shown = {{"dim2", dim2}, {"n1", source.sizes[dim1]}, {"n2", source.sizes[dim2]}, {"offset", offset}}});
  }
  return cases;
}

/// Windows that do not overlap, or a single window, unless `overlapping`.
std::vector<LensCase> unfold_cases(const Judge<O>& judge, bool overlapping) {
  return for_dims([&](const std::string& tag, int rank, int dim) {
    const Cut cut(tag, rank, dim);
    const Num<O> size = cut["size"];
    const Num<O> step = cut["step"];
    const Num<O> last = (cut.n - size) / step;
    const Viewed<O> view = unfold_view(judge, cut.source, dim, size, step);
    const Num<O> windows = view.geometry.sizes[dim];
    const auto lemmas = [=](const Dims<O>& v, const Dims<O>& i) {
      return Facts{division_of_sum(v[dim], v.back(), step),
                   product_grows(v[dim], windows - 1, step),
                   product_grows(v[dim], last, step),
                   product_grows(Num<O>(0), v[dim], step),
                   product_grows(v[dim] + 1, last, step),
                   product_grows(last, i[dim] / step, step),
                   product_grows(Num<O>(0), i[dim] / step, step),
                   product_grows(Num<O>(1), last, step)};
    };
    Facts premises{Num<O>(0) <= size};
    if (!overlapping) premises.push_back(size <= step || cut.n - size < step);
    return LensCase{.tag = tag,
                    .dim = dim,
                    .source = cut.source,
                    .view = view,
                    .map = unfold_map(rank, dim, cut.n, size, step),
                    .premises = premises,
                    .shown = {{"n", cut.n}, {"size", size}, {"step", step}},
                    .lemmas = lemmas};
  });
}

/// Every index is in one piece of split, and in no other.
Question split_covers(const Judge<Symbolic>& judge) {
  const Num<O> n = any("n");
  const Num<O> size = any("size");
  const Num<O> i = any("i");
  const Num<O> other = any("other");
  const Num<O> mine = i / size;
  const Num<O> pieces = split_pieces(opaque(judge), n, size);
  const auto in_piece = [&](const Num<O>& p) { return range_map(1, 0, p * size, p * size + size, Num<O>(1)).hit({i}); };
  return all_of({{{Num<O>(1) <= size, Num<O>(0) <= i, i < n, product_grows((n + size - 1) / size, mine, size),
                   division_unique(mine, i % size, other, i - other * size, size)},
                  Num<O>(0) <= mine && mine < pieces && in_piece(mine) && implies(in_piece(other), other == mine),
                  {{"n", n}, {"size", size}, {"i", i}}}});
}

/// narrow gives the length that it accepts.
Question narrow_is_exact(const Judge<Symbolic>& judge) {
  const Geometry<O> source = any_source("x", 1);
  const Num<O> start = any("start");
  const Num<O> length = any("length");
  const Viewed<O> view = narrow_view(opaque(judge), source, 0, start, length);
  return all_of({{{not_negative(source.sizes), view.error == Error<O>(ErrorClass::none)},
                  view.geometry.sizes[0] == length,
                  {{"n", source.sizes[0]}, {"start", start}, {"length", length}}}});
}

/// The uses of select, slice, narrow and unfold that the documentation allows are not errors.
Question cut_accepts(const Judge<Symbolic>& judge) {
  const Geometry<O> source = any_source("x", 1);
  const Num<O> n = source.sizes[0];
  const Num<O> at = any("at");
  const Num<O> length = any("length");
  const Num<O> step = any("step");
  const Judge<O> by = opaque(judge);
  const auto fine = [](const Viewed<O>& view) { return view.error == Error<O>(ErrorClass::none); };
  const Num<O> from = select(at < Num<O>(0), n + at, at);
  const Bool<O> within = Num<O>(0) <= from && from <= n && Num<O>(0) <= length;
  return all_of({{{Num<O>(0) <= n, Num<O>(1) <= step},
                  implies(Num<O>(0) <= from && from < n, fine(select_view(by, source, 0, at))) &&
                      fine(slice_view(by, source, 0, at, length, step)) &&
                      implies(within && from + length <= n, fine(narrow_view(by, source, 0, at, length))) &&
                      implies(Num<O>(0) <= length && length <= n, fine(unfold_view(by, source, 0, length, step))),
                  {{"n", n}, {"at", at}, {"length", length}, {"step", step}}}});
}

}  // namespace

std::vector<Obligation> cutting_lenses() {
  std::vector<Obligation> all;
  add_laws(all, "select", "select", select_cases);
  add_laws(all, "unbind", "unbind", unbind_cases);
  add_laws(all, "slice", "slice", slice_cases);
  all.push_back(lens_obligation(Law::sizes, "slice", "slice", slice_cases));
  add_laws(all, "narrow", "narrow", narrow_cases);
  all.push_back({"lens.sizes.narrow", "narrow gives exactly the requested length, or an error.", narrow_is_exact});
  add_laws(all, "split", "split (each piece)", split_cases);
  all.push_back({"lens.cover.split", "Every index is in exactly one piece of split.", split_covers});
  add_laws(all, "diagonal", "diagonal", diagonal_cases);
  all.push_back(lens_obligation(Law::sizes, "diagonal", "diagonal", diagonal_cases));
  all.push_back({"lens.error.cut",
                 "select of a valid index, slice with a positive step, narrow within the size and unfold of at most "
                 "the size are not errors.",
                 cut_accepts});
  const Cases apart = [](const Judge<O>& judge) { return unfold_cases(judge, false); };
  const Cases any_windows = [](const Judge<O>& judge) { return unfold_cases(judge, true); };
  for (const Law law : {Law::address, Law::bounds})
    all.push_back(lens_obligation(law, "unfold", "unfold", any_windows));
  for (const Law law : {Law::put_get, Law::get_put})
    all.push_back(lens_obligation(law, "unfold", "unfold whose windows do not overlap", apart));
  all.push_back({"lens.sizes.unfold",
                 "No size of a view by unfold is negative.",
                 [](const Judge<Symbolic>& judge) {
                   const Geometry<O> source = any_source("x", 2);
                   const Viewed<O> view = unfold_view(opaque(judge), source, 0, any("size"), any("step"));
                   return all_of({{{not_negative(source.sizes), view.error == Error<O>(ErrorClass::none)},
                                   not_negative(view.geometry.sizes),
                                   {{"n0", source.sizes[0]}, {"n1", source.sizes[1]}, {"size", any("size")}}}});
                 },
                 Verdict::proved,
                 {{Profile::torch_1_13, "GEO-27: a negative size is accepted if another size is 0"}}});
  return all;
}

}  // namespace plumbline::proofs
