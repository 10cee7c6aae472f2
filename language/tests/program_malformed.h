// Malformed programs and their errors, for tests of refusals.
#pragma once

#include <ostream>
#include <string>

#include "language/lower.h"
#include "language/parse.h"

namespace plumbline::program {

/// The error of a program, as one line; empty if there is none.
inline std::string error_of(const std::string& text) {
  try {
    lower(parse(text, "a.py"));
    return "";
  } catch (const ProgramError& error) {
    return error.what();
  }
}

struct Malformed {
  std::string body;   ///< of `def test_a(device):`, whose first line is line 5, indented by four
  std::string error;  ///< after "a.py:"
};
inline std::ostream& operator<<(std::ostream& os, const Malformed& m) { return os << m.body; }

/// The error of a program with this body.
inline std::string error_of(const Malformed& malformed) {
  std::string indented = "    ";
  for (const char c : malformed.body) indented += c == '\n' ? "\n    " : std::string(1, c);
  return error_of("import pytest\nimport torch\n\ndef test_a(device):\n    x = torch.ones(2, 3)\n" + indented + "\n");
}

}  // namespace plumbline::program
