// Building a program from genes: each statement is executed on the reference while it is chosen, so operands are
// live, guards nest and every error is caught.
#pragma once

#include "fuzz/coverage.h"
#include "fuzz/gene.h"
#include "reference/machine.h"

namespace plumbline::fuzz {

/// The program that `genes` stand for, as it runs under `judge`. It is well-formed: every slot that is read was
/// assigned, guards nest, a statement that raises under `judge` stands at the end of a Try, and the last statement
/// is a Snapshot. What it exercised is added to `coverage`, where one is given.
Script build(const Genes& genes, const reference::Judge& judge, Coverage* coverage = nullptr);

/// "a", "b", …, "z", "a1", …
std::string slot_name(std::size_t slot);

}  // namespace plumbline::fuzz
