// The tensor that a body has in place of the caller's, as autograd sees it.
#pragma once

#include "optimized/autograd/node.h"

namespace plumbline::optimized {

/// Begins the history of `own` with a node whose gradient goes to `to`; nothing: it ends there. `leaf`: the body must
/// not write it while it records.
void begin_history(const Tensor& own, bool leaf, Edge to);
/// Makes `own`, which has the elements of `outer`, lead to where `outer` leads. A view's base is known already; a
/// history that is out of date stays as it is, and is made again or refused when it is asked for. Raises as
/// gradient_edge.
void lead_to(const Tensor& own, const Tensor& outer);
/// Gives `outer` the history that writes gave `own` since; nothing if there was none, or if it follows a base's.
void give_history_back(const Tensor& own, const Tensor& outer);

}  // namespace plumbline::optimized
