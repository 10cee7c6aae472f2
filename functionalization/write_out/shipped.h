// Bodies as a release of PyTorch functionalizes them (reference/functorch).
#pragma once

#include <optional>

#include "functionalization/validate/run.h"
#include "language/lower.h"

namespace plumbline::functionalize {

namespace passes = reference::functionalize;

/// A program that calls `torch.func.functionalize(body)`. Nothing if the body has a step that only a composite op
/// makes.
std::optional<program::Test> test_of(const passes::Body& body);

/// What the reference under `profile`, a release's, does otherwise than without functionalization. The finding's
/// program is the test, and its kind the kind of its first difference.
std::optional<validate::Finding> wrong_as_shipped(Profile profile, const passes::Body& body);

}  // namespace plumbline::functionalize
