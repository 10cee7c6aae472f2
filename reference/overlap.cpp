// Overlapping memory: late errors, and unspecified elements.
#include "reference/overlap.h"

namespace plumbline::reference {

Failure failure_of(ErrorClass error) {
  return {error, std::string(canonical_text(error)->pattern), std::string(canonical_text(error)->exception)};
}

void mark_order(const Tensor& written, std::span<const Tensor> read, std::vector<Element>& elements) {
  const std::vector<bool> depends = order_dependent(written, read);
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i].known = elements[i].known && !depends[i];
}

}  // namespace plumbline::reference
