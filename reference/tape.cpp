// Goes back over a tape.
#include "reference/tape.h"

#include <algorithm>
#include <cmath>

#include "reference/arithmetic.h"

namespace plumbline::reference {

std::int32_t Tape::variable() {
  terms_.emplace_back();
  return static_cast<std::int32_t>(terms_.size()) - 1;
}

std::int32_t Tape::record(std::vector<Term> terms) {
  std::erase_if(terms, [](const Term& term) { return term.of < 0; });
  if (terms.empty()) return -1;
  terms_.push_back(std::move(terms));
  return static_cast<std::int32_t>(terms_.size()) - 1;
}

std::vector<Element> Tape::back(const std::vector<std::pair<std::int32_t, Element>>& seeds, Dtype dtype) const {
  const Arithmetic in(dtype);
  std::vector<Element> gradients(terms_.size());
  std::vector<bool> reached(terms_.size());
  const auto give = [&](std::int32_t to, const Element& gradient) {
    const auto i = static_cast<std::size_t>(to);
    gradients[i] = reached[i] ? in.add(gradients[i], gradient) : gradient;
    reached[i] = true;
    // A kernel that computes in float32 may not overflow where a step back in half does.
    if (is_half(dtype) && std::isinf(gradients[i].real)) gradients[i].known = false;
  };
  for (const auto& [number, gradient] : seeds)
    if (number >= 0) give(number, gradient);
  for (std::size_t i = terms_.size(); i-- > 0;) {  // a number comes after the numbers that it depends on
    if (!reached[i]) continue;
    const Element gradient = gradients[i];
    for (const Term& term : terms_[i]) give(term.of, in.multiply(gradient, term.partial));
  }
  return gradients;
}

}  // namespace plumbline::reference
