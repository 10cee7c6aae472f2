// Gradients of complex numbers: ∂L/∂Re + i·∂L/∂Im, as PyTorch defines them.
#pragma once

#include <optional>
#include <vector>

#include "reference/graph.h"

namespace plumbline::reference {

/// The element; the sign of a part that is zero is left open.
Element with_free_parts(Element element);

/// The parts of complex elements, or of their conjugates, one after the other.
std::vector<Element> interleaved(const std::vector<Element>& elements, bool conjugate = false);

/// The derivative of an op that sees the parts of complex numbers (conj, real, imag, view_as_real, view_as_complex,
/// conj_physical), for its one input; nothing for another op [tools/autograd/derivatives.yaml].
std::optional<Gradient> gradient_of_parts(const Node& node, const Gradient& given);

/// Whether an input is real and the node's only output complex, so that PyTorch's formula takes the real part of a
/// complex gradient, as a view [torch/csrc/autograd/FunctionsManual.cpp, handle_r_to_c].
bool takes_real_part(const Node& node, std::size_t input);

/// Throws ReferenceLimit if backward cannot begin: it starts from a complex tensor without a gradient, or with a real
/// one, or from a real tensor with a complex one; PyTorch raises errors then [torch/autograd/__init__.py, _make_grads].
void check_start(const Tensor& root, const Tensor* given);

/// Throws ReferenceLimit if the node has complex inputs or outputs: the reference has no formulas of them.
void refuse_complex_formula(const Node& node);

}  // namespace plumbline::reference
