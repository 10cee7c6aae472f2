// Lenses of the views that turn, drop and add dimensions: transpose, permute, squeeze, unsqueeze, expand, alias.
#include <numeric>

#include "spec/proofs/lens.h"

namespace plumbline::proofs {

namespace {

using S = Symbolic;

std::vector<LensCase> transpose_cases(const Judge<O>& judge) {
  std::vector<LensCase> cases;
  for (int rank = 2; rank <= 4; ++rank)
    for (int dim0 = 0; dim0 < rank; ++dim0)
      for (int dim1 = dim0; dim1 < rank; ++dim1) {
        const std::string tag = "r" + std::to_string(rank) + "d" + std::to_string(dim0) + std::to_string(dim1);
        std::vector<int> order(static_cast<std::size_t>(rank));
        std::iota(order.begin(), order.end(), 0);
        std::swap(order[dim0], order[dim1]);
        const Geometry<O> source = any_source(tag, rank);
        cases.push_back({.tag = tag,
                         .dim = dim0,
                         .source = source,
                         .view = {transpose_view(judge, source, dim0, dim1)},
                         .map = permute_map<O>(order),
                         .shown = {{"dim1", dim1}}});
      }
  return cases;
}

/// All orders of up to three dimensions, and those of four that are rotations.
std::vector<LensCase> permute_cases(const Judge<O>& judge) {
  std::vector<LensCase> cases;
  for (int rank = 0; rank <= 4; ++rank) {
    std::vector<int> order(static_cast<std::size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    int number = 0;
    do {
      if (rank == 4 && (order[1] != (order[0] + 1) % 4 || order[2] != (order[1] + 1) % 4)) continue;
      const std::string tag = "r" + std::to_string(rank) + "p" + std::to_string(number++);
      const Geometry<O> source = any_source(tag, rank);
      cases.push_back({.tag = tag,
                       .dim = number,
                       .source = source,
                       .view = {permute_view(judge, source, order)},
                       .map = permute_map<O>(order)});
    } while (std::next_permutation(order.begin(), order.end()));
  }
  return cases;
}

/// Which dimensions have size 1 decides the rank: one case for each set of them.
std::vector<LensCase> squeeze_cases(const Judge<O>& judge) {
  std::vector<LensCase> cases;
  for (int rank = 0; rank <= 3; ++rank)
    for (unsigned set = 0; set < (1U << static_cast<unsigned>(rank)); ++set) {
      const std::string tag = "r" + std::to_string(rank) + "m" + std::to_string(set);
      const Geometry<O> source = any_source(tag, rank);
      Geometry<O> view = source;
      std::vector<bool> dropped(static_cast<std::size_t>(rank));
      Facts premises;
      for (int dim = rank - 1; dim >= 0; --dim) {
        dropped[dim] = ((set >> static_cast<unsigned>(dim)) & 1U) != 0;
        premises.push_back(squeezes(judge, source.sizes[dim]) == Bool<O>(bool(dropped[dim])));
        if (dropped[dim]) view = drop_dim(view, dim);
      }
      cases.push_back({.tag = tag,
                       .dim = static_cast<int>(set),
                       .source = source,
                       .view = {view},
                       .map = squeeze_map<O>(dropped),
                       .premises = premises});
    }
  return cases;
}

/// For an index of 0 the stride does not matter.
Facts stays(const Dims<O>& index, const Dims<O>& strides) {
  Facts facts;
  for (std::size_t d = 0; d < index.size(); ++d) facts.push_back(product_of_zero(index[d], strides[d]));
  return facts;
}

std::vector<LensCase> unsqueeze_cases(const Judge<O>& judge) {
  std::vector<LensCase> cases;
  for (int rank = 0; rank <= 3; ++rank)
    for (int dim = 0; dim <= rank; ++dim) {
      const std::string tag = "r" + std::to_string(rank) + "d" + std::to_string(dim);
      const Geometry<O> source = any_source(tag, rank);
      const Geometry<O> view = unsqueeze_view(judge, source, dim);
      cases.push_back({.tag = tag,
                       .dim = dim,
                       .source = source,
                       .view = {view},
                       .map = unsqueeze_map<O>(rank, dim),
                       .address_lemmas = [=](const Dims<O>& v) { return stays(v, view.strides); }});
    }
  return cases;
}

/// `stretches`: a size may differ from the source's; otherwise every element occurs once.
std::vector<LensCase> expand_cases(const Judge<O>& judge, bool stretches) {
  std::vector<LensCase> cases;
  for (int rank = 0; rank <= 2; ++rank)
    for (int added = 0; added <= 2; ++added) {
      const std::string tag = "r" + std::to_string(rank) + "a" + std::to_string(added);
      const Geometry<O> source = any_source(tag, rank);
      const Dims<O> sizes = any_index(tag + ".size", rank + added);
      LensCase one{.tag = tag,
                   .dim = added,
                   .source = source,
                   .view = expand_view(judge, source, sizes),
                   .map = expand_map(source.sizes, sizes)};
      one.address_lemmas = [view = one.view.geometry](const Dims<O>& v) { return stays(v, view.strides); };
      for (int k = 0; !stretches && k < rank + added; ++k)
        one.premises.push_back(sizes[k] == (k < added ? Num<O>(1) : source.sizes[k - added]));
      cases.push_back(one);
    }
  return cases;
}

std::vector<LensCase> alias_cases(const Judge<O>&) {
  std::vector<LensCase> cases;
  for (int rank = 0; rank <= 4; ++rank) {
    const std::string tag = "r" + std::to_string(rank);
    const Geometry<O> source = any_source(tag, rank);
    cases.push_back({.tag = tag, .source = source, .view = {source}, .map = whole_map<O>(rank)});
  }
  return cases;
}

/// The source's sizes, -1 for them, and natural numbers in place of a size of 1 are not errors.
Question expand_accepts(const Judge<S>& judge) {
  std::vector<LensClaim> claims;
  for (const LensCase& one : expand_cases(opaque(judge), true)) {
    const int added = one.map.rank - one.source.rank();
    LensClaim asked{{not_negative(one.source.sizes)},
                    one.view.error == Error<O>(ErrorClass::none),
                    {{"view.rank", one.map.rank}, {"added", added}}};
    const Dims<O> sizes = any_index(one.tag + ".size", one.map.rank);
    for (int k = 0; k < one.map.rank; ++k) {
      const Num<O> old = k < added ? Num<O>(1) : one.source.sizes[k - added];
      asked.premises.push_back(sizes[k] == old || (Bool<O>(k >= added) && sizes[k] == Num<O>(-1)) ||
                               (old == Num<O>(1) && Num<O>(0) <= sizes[k]));
    }
    claims.push_back(asked);
  }
  return all_of(claims);
}

/// A new dimension in a row-major source keeps it row-major.
Question unsqueeze_keeps_order(const Judge<S>& judge) {
  std::vector<LensClaim> claims;
  for (int rank = 1; rank <= 4; ++rank)
    for (int dim = 0; dim <= rank; ++dim) {
      const std::string tag = "r" + std::to_string(rank) + "d" + std::to_string(dim);
      Geometry<O> source = any_source(tag, rank);
      Facts premises;
      for (const Num<O>& size : source.sizes) premises.push_back(Num<O>(1) <= size);
      source.strides = contiguous_strides<O>(source.sizes);
      const Geometry<O> view = unsqueeze_view(opaque(judge), source, dim);
      claims.push_back(
          {premises, equal(view.strides, contiguous_strides<O>(view.sizes)), {{"rank", rank}, {"dim", dim}}});
    }
  return all_of(claims);
}

/// A dimension as written, for every rank that programs have.
Question dimensions_wrap(const Judge<S>& judge) {
  bool right = true;
  for (int rank = 0; rank <= 8; ++rank) {
    const int places = rank == 0 ? 1 : rank;
    for (int dim = -places - 2; dim <= places + 1; ++dim) {
      const WrappedDim<S> wrapped = wrap_dim(judge, dim, rank);
      const bool names_one = -places <= dim && dim < places;
      right = right && wrapped.valid == names_one;
      if (names_one) right = right && wrapped.dim >= 0 && wrapped.dim < places && (wrapped.dim - dim) % places == 0;
    }
  }
  return claim(Bool<S>(right));
}

}  // namespace

std::vector<Obligation> turning_lenses() {
  std::vector<Obligation> all;
  all.push_back({"lens.dimension.wrapped",
                 "A dimension as written names a dimension of the tensor, counted from either end, or is an error (by "
                 "enumeration up to rank 8, because a rank is not a symbolic value).",
                 dimensions_wrap});
  add_laws(all, "transpose", "transpose and t", transpose_cases);
  add_laws(all, "permute", "permute and movedim", permute_cases);
  add_laws(all, "squeeze", "squeeze", squeeze_cases);
  add_laws(all, "unsqueeze", "unsqueeze", unsqueeze_cases);
  all.push_back({"lens.strides.unsqueeze", "unsqueeze of a row-major tensor is row-major.", unsqueeze_keeps_order});
  const Cases stretched = [](const Judge<O>& judge) { return expand_cases(judge, true); };
  const Cases kept = [](const Judge<O>& judge) { return expand_cases(judge, false); };
  for (const Law law : {Law::address, Law::bounds, Law::get_put})
    all.push_back(lens_obligation(law, "expand", "expand", stretched));
  all.push_back(lens_obligation(Law::put_get, "expand-of-nothing", "expand that stretches no dimension", kept));
  all.push_back(
      {"lens.error.expand",
       "expand to the source's sizes, with natural numbers in place of 1 and new dimensions in front, is not an error.",
       expand_accepts});
  Obligation sizes = lens_obligation(Law::sizes, "expand", "expand", stretched);
  sizes.except = {{Profile::torch_2_13, "GEO-27: a negative size is accepted if another size is 0"},
                  {Profile::torch_1_13, "GEO-27: a negative size is accepted if another size is 0"}};
  all.push_back(std::move(sizes));
  add_laws(all, "alias", "alias, detach and t of a vector", alias_cases);
  return all;
}

}  // namespace plumbline::proofs
