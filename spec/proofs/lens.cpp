// Asks the laws of a view, and lists all of them.
#include "spec/proofs/lens.h"

#include <array>
#include <string_view>

namespace plumbline::proofs {

namespace {

using S = Symbolic;

struct LawText {
  std::string_view name;
  std::string_view sentence;  ///< follows "In a view by OP"
};
constexpr std::array<LawText, 5> kLaws{{
    {"sizes", "no size is negative"},
    {"address", "each element is at the place of its element of the source, for all sizes and strides"},
    {"bounds", "each element is an element of the source"},
    {"put-get", "a written value is read back (PutGet): no two elements are one element of the source"},
    {"get-put",
     "writing back the values that were read changes nothing (GetPut): the view has every element that it should have"},
}};
const LawText& text_of(Law law) { return kLaws[static_cast<std::size_t>(law)]; }

/// The value that `name` has in the first case that fails.
Num<O> failing(const std::vector<LensClaim>& claims, const std::string& name) {
  Num<O> value;
  for (std::size_t k = claims.size(); k-- > 0;)
    for (const auto& [other, candidate] : claims[k].shown)
      if (other == name) value = select(claims[k].claim, value, candidate);
  return value;
}

}  // namespace

Judge<O> opaque(const Judge<S>& judge) { return {judge.profile, judge.flipped, judge.decisions, judge.only_variant}; }

Num<O> any(const std::string& name) { return any_number<O>(name); }

Dims<O> any_index(const std::string& name, int rank) {
  Dims<O> index;
  for (int d = 0; d < rank; ++d) index.push_back(any(name + std::to_string(d)));
  return index;
}

Geometry<O> any_source(const std::string& tag, int rank) {
  return {any_index(tag + ".n", rank), any_index(tag + ".s", rank), any(tag + ".offset")};
}

Bool<O> inside(const Dims<O>& index, const Dims<O>& sizes) {
  if (index.size() != sizes.size()) return false;
  Bool<O> in = true;
  for (std::size_t d = 0; d < sizes.size(); ++d) in = in && Num<O>(0) <= index[d] && index[d] < sizes[d];
  return in;
}

Bool<O> equal(const Dims<O>& a, const Dims<O>& b) {
  if (a.size() != b.size()) return false;
  Bool<O> same = true;
  for (std::size_t d = 0; d < a.size(); ++d) same = same && a[d] == b[d];
  return same;
}

Bool<O> not_negative(const Dims<O>& sizes) {
  Bool<O> natural = true;
  for (const Num<O>& size : sizes) natural = natural && Num<O>(0) <= size;
  return natural;
}

Num<O> place_of(const Geometry<O>& geometry, const Dims<O>& index) {
  Num<O> place = geometry.offset;
  for (std::size_t d = 0; d < index.size(); ++d) place = place + index[d] * geometry.strides[d];
  return place;
}

Question all_of(const std::vector<LensClaim>& claims) {
  Bool<O> every = true;
  Question question;
  std::vector<Term> terms;
  for (const LensClaim& one : claims) {
    every = every && one.claim;
    for (const Bool<O>& premise : one.premises)
      if (!(is_literal(premise.v.t) && premise.v.t == truth(true))) question.premises.push_back(premise.v.t);
  }
  question.claim = every.v.t;
  terms = question.premises;
  terms.push_back(question.claim);
  const std::vector<Term> lemmas = instances(terms);
  question.premises.insert(question.premises.end(), lemmas.begin(), lemmas.end());
  for (const auto& [name, value] : claims.front().shown) question.show(name, failing(claims, name).v.t);
  return question;
}

LensClaim law_of(const LensCase& one, Law law) {
  const Geometry<O>& view = one.view.geometry;
  LensClaim asked{one.premises, Bool<O>(false), {{"view.rank", one.map.rank}, {"dim", one.dim}}};
  asked.shown.insert(asked.shown.end(), one.shown.begin(), one.shown.end());
  asked.premises.push_back(not_negative(one.source.sizes));
  asked.premises.push_back(one.view.error == Error<O>(ErrorClass::none));
  if (law == Law::sizes) {
    asked.claim = not_negative(view.sizes);
    return asked;
  }
  if (view.rank() != one.map.rank) return asked;  // the rank is wrong, so the claim is false
  const Dims<O> v = any_index(one.tag + ".v", one.map.rank);
  const Dims<O> i = any_index(one.tag + ".i", one.source.rank());
  if (one.lemmas)
    for (const Bool<O>& lemma : one.lemmas(v, i)) asked.premises.push_back(lemma);
  if (law == Law::address && one.address_lemmas)
    for (const Bool<O>& lemma : one.address_lemmas(v)) asked.premises.push_back(lemma);
  if (law == Law::get_put) {
    asked.premises.push_back(inside(i, one.source.sizes) && one.map.hit(i));
    const Dims<O> back = one.map.back(i);
    asked.claim = inside(back, view.sizes) && equal(one.map.forward(back), i);
    return asked;
  }
  asked.premises.push_back(inside(v, view.sizes));
  const Dims<O> forward = one.map.forward(v);
  if (law == Law::address) asked.claim = place_of(view, v) == place_of(one.source, forward);
  if (law == Law::bounds) asked.claim = inside(forward, one.source.sizes);
  if (law == Law::put_get) asked.claim = one.map.hit(forward) && equal(one.map.back(forward), v);
  return asked;
}

Obligation lens_obligation(Law law, const std::string& op, const std::string& view, const Cases& cases) {
  const LawText& text = text_of(law);
  return {"lens." + std::string(text.name) + "." + op, "In a view by " + view + " " + std::string(text.sentence) + ".",
          [law, cases](const Judge<S>& judge) {
            std::vector<LensClaim> claims;
            for (const LensCase& one : cases(opaque(judge))) claims.push_back(law_of(one, law));
            return all_of(claims);
          }};
}

void add_laws(std::vector<Obligation>& all, const std::string& op, const std::string& view, const Cases& cases) {
  for (const Law law : {Law::address, Law::bounds, Law::put_get, Law::get_put})
    all.push_back(lens_obligation(law, op, view, cases));
}

std::vector<Obligation> lens_obligations() {
  std::vector<Obligation> all;
  for (const auto& part :
       {cutting_lenses, turning_lenses, reshaping_lenses, lens_theorems, lens_undoing, lens_limits}) {
    std::vector<Obligation> some = part();
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  return all;
}

}  // namespace plumbline::proofs
