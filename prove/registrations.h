// `plumbline prove --registrations FILE`: which reachable key sets of an operator find no kernel, with a program each.
#pragma once

#include <iostream>
#include <string>
#include <vector>

#include "language/lower.h"
#include "oracle/dispatcher/dump.h"
#include "spec/proofs/resolution.h"

namespace plumbline::prove {

struct RegistrationsOptions {
  std::string series = "2.13";             ///< whose keys and fallbacks: "2.13" or "1.13"
  std::string profile = {};                ///< whose rules; empty: "torch-" and the series
  std::vector<std::string> backends = {};  ///< backends that have tensors; empty: CPU and those that the file names
  bool json = false;
  std::ostream* errors = &std::cerr;  ///< where errors of the input are printed
};

/// A hole, with the program that shows it.
struct ShownHole {
  proofs::Hole hole;
  program::Test program;
  bool confirmed = false;  ///< the reference's dispatcher raises `error`
  std::string error;       ///< "NotImplementedError"; if not confirmed, why not
};

/// One operator of a file.
struct OperatorHoles {
  std::string name;
  proofs::Resolved question;
  proofs::Holes holes;
  std::vector<ShownHole> shown;
};

/// The operators of a file: lines as `plumbline why --registrations` reads them; a line "[NAME]" begins the operator of
/// that name, and a file without such lines is one operator. Throws DumpError with file, line, what was wrong and what
/// to do.
std::vector<dispatcher::DumpedOperator> operators_from_text(const KeyLayout& layout, const std::string& text,
                                                            const std::string& file);

/// Finds and shows the missing kernels of one operator, given the fallbacks that the version ships.
OperatorHoles holes_of(const dispatcher::DumpedOperator& op, const KeyLayout& layout, Profile profile,
                       const std::vector<std::string>& backends);

/// Prints the report for each operator of a file. Exit code 0: every reachable key set finds a kernel; 1: one does not;
/// 2: the file or an option is wrong; 3: Z3 gave up or the reference does not confirm its result.
int prove_registrations(const std::string& file, const RegistrationsOptions& options, std::ostream& out);

}  // namespace plumbline::prove
