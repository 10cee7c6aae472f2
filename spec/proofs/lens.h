// The laws that make a view a lens on its source, for the geometries of the rules and symbolic indices.
//
// A view's element v is the source's element forward(v). Reading is get(b)[v] = b[forward(v)]; writing back is
// put(b, w)[i] = hit(i) ? w[back(i)] : b[i]. The laws on the maps below give the laws on values (lens.value.*).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spec/proofs/index_maps.h"
#include "spec/proofs/lemmas.h"
#include "spec/proofs/obligation.h"
#include "spec/rules/geo.h"

namespace plumbline::proofs {

/// The domain of geometries: solvers fail on products of symbolic numbers.
using O = Opaque;

enum class Law : std::uint8_t {
  sizes,    ///< no size of the view is negative
  address,  ///< the view's element v has the place of the source's element forward(v), for all strides
  bounds,   ///< forward(v) is in the source
  put_get,  ///< hit(forward(v)) holds, and back(forward(v)) = v: a written value is read back
  get_put   ///< if hit(i), back(i) is in the view and forward(back(i)) = i: writing back read values changes nothing
};

using Facts = std::vector<Bool<O>>;
using Shows = std::vector<std::pair<std::string, Num<O>>>;

/// One view of one source, with a fixed rank and dimension; all other values are symbolic.
struct LensCase {
  std::string tag;  ///< prefix of its variables' names; no two cases of an obligation share it
  int dim = 0;      ///< names the case in a counterexample, with its rank
  Geometry<O> source = {};
  Viewed<O> view = {};
  IndexMap<O> map = {};
  Facts premises = {};  ///< besides these: sizes are not negative, and the op raises no error
  Shows shown = {};
  /// Instances of lemmas for an element of the view and one of the source.
  std::function<Facts(const Dims<O>& v, const Dims<O>& i)> lemmas = {};
  /// More lemmas for Law::address.
  std::function<Facts(const Dims<O>& v)> address_lemmas = {};
};
using Cases = std::function<std::vector<LensCase>(const Judge<O>&)>;

/// A claim with its own premises; a counterexample shows the values of the first claim that fails.
struct LensClaim {
  Facts premises;
  Bool<O> claim;
  Shows shown = {};
};

/// One case each for a single dimension, one before another, one after another, and one between two.
template <class Make>
std::vector<LensCase> for_dims(const Make& make) {
  std::vector<LensCase> cases;
  for (const auto& [rank, dim] : {std::pair(1, 0), std::pair(2, 0), std::pair(2, 1), std::pair(3, 1)})
    cases.push_back(make("r" + std::to_string(rank) + "d" + std::to_string(dim), rank, dim));
  return cases;
}

/// The judge in the other domain.
Judge<O> opaque(const Judge<Symbolic>& judge);

/// A source with symbolic sizes, strides and offset, named TAG.n0, TAG.s0 and TAG.offset.
Geometry<O> any_source(const std::string& tag, int rank);
Num<O> any(const std::string& name);
Dims<O> any_index(const std::string& name, int rank);
Bool<O> inside(const Dims<O>& index, const Dims<O>& sizes);
Bool<O> equal(const Dims<O>& a, const Dims<O>& b);
Bool<O> not_negative(const Dims<O>& sizes);
Num<O> place_of(const Geometry<O>& geometry, const Dims<O>& index);

/// All claims under all their premises, with the lemma instances that their products and quotients need.
Question all_of(const std::vector<LensClaim>& claims);

LensClaim law_of(const LensCase& one, Law law);
/// The obligation "lens.LAW.OP" that `law` holds in all `cases`; `op` is the op's name in the sentence.
Obligation lens_obligation(Law law, const std::string& op, const std::string& view, const Cases& cases);
/// Adds all laws except `sizes`.
void add_laws(std::vector<Obligation>& all, const std::string& op, const std::string& view, const Cases& cases);

// The parts of lens_obligations().
std::vector<Obligation> cutting_lenses();    ///< select, slice, narrow, split, unbind, diagonal, unfold
std::vector<Obligation> turning_lenses();    ///< transpose, permute, squeeze, unsqueeze, expand, alias
std::vector<Obligation> reshaping_lenses();  ///< view, as_strided
std::vector<Obligation> lens_theorems();     ///< about all lenses: values, chains, siblings
std::vector<Obligation> lens_undoing();      ///< how functionalization undoes views
std::vector<Obligation> lens_limits();       ///< where a law fails, and what the rules say there

}  // namespace plumbline::proofs
