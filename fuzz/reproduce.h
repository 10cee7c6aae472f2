// Reproducers: a failing script as a pytest file that asserts what the reference expects where the two differ.
#pragma once

#include <string>
#include <vector>

#include "adapters/adapter.h"
#include "fuzz/builder.h"
#include "language/lower.h"
#include "oracle/compare.h"

namespace plumbline::fuzz {

/// One script on both sides.
struct Held {
  Trace expected;
  RunResult got;
  Comparison comparison;
};

struct Reproducer {
  std::string text;            ///< the file
  std::size_t statements = 0;  ///< of the test's script, readings included
  int line = 0;                ///< at which pytest says that it fails; 0: not at a line (a crash)
  std::string message;         ///< what was expected there, and what came
  bool verified = false;       ///< the file, read back, fails on the implementation and passes on the reference
  std::string note;            ///< why it is not verified
};

struct Label {
  std::string name;                 ///< of the test, without `test_`
  std::vector<std::string> rules;   ///< for the comment after its `def`
  std::vector<std::string> header;  ///< comment lines at the top
};

/// Writes the reproducer of a script on which `adapter` differs from the reference under `expected`, and runs what it
/// wrote on both. Only the diverging reading is asserted; if that alone does not fail, earlier readings of history,
/// which change the run, are added as bare observations.
Reproducer reproduce(const Script& script, const reference::Judge& expected, Adapter& adapter, const Label& label);

/// Reads `reproducer.text` back as `file`, and checks what it asserts on both sides. Fills in everything except the
/// text. Throws what parsing throws.
void verify(Reproducer& reproducer, const std::string& file, const reference::Judge& expected, Adapter& adapter);

/// Lines for the top of a reproducer's file: how to run it on any PyTorch, and who fails it ("libtorch 2.13.0",
/// "optimized 0.1.0"; empty: this is not said).
std::vector<std::string> how_to_run(const std::string& file, const std::string& who);

/// Writes a reproducer, a program as text, so that `python FILE` and `pytest FILE` run it in any folder. Throws
/// std::runtime_error if the file cannot be written.
void write_reproducer(const std::string& path, const std::string& program);

/// A file's name for a signature: its letters and digits in lower case, the rest as `_`.
std::string stem_of(const std::string& signature);

}  // namespace plumbline::fuzz
