// Gradients of complex numbers.
#include "reference/complex_gradients.h"

#include <algorithm>
#include <limits>

#include "reference/raise.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference {

namespace {

using Elements = std::vector<Element>;

Elements conjugated(Elements given) {
  for (Element& element : given) {
    element.imag = -element.imag;
    element = with_free_parts(element);
  }
  return given;
}

Elements with_parts(const Elements& given, bool imaginary) {
  Elements whole;
  for (const Element& element : given)
    whole.push_back(with_free_parts(imaginary ? joined(Element{}, element) : joined(element, Element{})));
  return whole;
}

Elements paired(const Elements& given) {
  Elements whole;
  for (std::size_t i = 0; i + 1 < given.size(); i += 2) whole.push_back(joined(given[i], given[i + 1]));
  return whole;
}

}  // namespace

Element with_free_parts(Element element) {
  if (element.error == 0 && (element.real == 0 || element.imag == 0))
    element.error = std::numeric_limits<double>::denorm_min();
  return element;
}

Elements interleaved(const Elements& elements, bool conjugate) {
  Elements parts;
  for (const Element& element : elements) {
    parts.insert(parts.end(), {part(element, false), part(element, true)});
    if (conjugate) parts.back().real = -parts.back().real;
  }
  return parts;
}

std::optional<Gradient> gradient_of_parts(const Node& node, const Gradient& given) {
  if (!given) return std::nullopt;
  switch (node.op) {
    case OpId::conj:
    case OpId::conj_physical:
    case OpId::conj_physical_:
      return is_complex(node.inputs.front().dtype) ? conjugated(*given) : *given;
    case OpId::real:
      return with_parts(*given, false);
    case OpId::imag:
      return with_parts(*given, true);
    case OpId::view_as_real:
      return paired(*given);
    case OpId::view_as_complex:
      return interleaved(*given);
    default:
      return std::nullopt;
  }
}

bool takes_real_part(const Node& node, std::size_t input) {
  return node.kind == Node::Kind::op && node.outputs.size() == 1 && is_complex(node.outputs.front().dtype) &&
         !is_complex(node.inputs[input].dtype) && node.op != OpId::view_as_complex;
}

void check_start(const Tensor& root, const Tensor* given) {
  const bool complex = is_complex(root.dtype);
  if (given == nullptr ? complex : complex != is_complex(given->dtype))
    throw ReferenceLimit(
        "a backward from a complex tensor that is not given a complex gradient, or from a real one that is");
}

void refuse_complex_formula(const Node& node) {
  const auto is = [](const auto& one) { return is_complex(one.dtype); };
  if (std::ranges::any_of(node.inputs, is) || std::ranges::any_of(node.outputs, is))
    throw ReferenceLimit("create_graph=True through complex numbers");
}

}  // namespace plumbline::reference
