// Whether a call, or a new tensor, has what it needs.
#pragma once

#include "spec/vocabulary/statement.h"

namespace plumbline {

/// Whether a call has as many arguments as its op, of types that fit, and as many results.
bool call_fits(const Call& call);

/// Whether a new tensor has as many values as elements, each one of its dtype, and not too many.
bool elements_fit(const MakeTensor& made);

}  // namespace plumbline
