// Terms as SMT-LIB 2 files, which any solver reads.
#pragma once

#include <span>
#include <string>

#include "spec/proofs/term.h"

namespace plumbline::proofs {

/// A whole file: sorts, functions, one definition for each shared term, the assertions, `(check-sat)`. `comment` and
/// the expected `status` ("sat" or "unsat") are at the top.
std::string smtlib(std::span<const Term> assertions, std::string_view comment, std::string_view status);

}  // namespace plumbline::proofs
