// A program about the dispatcher into which tests insert statements.
#pragma once

#include <sstream>
#include <string>

namespace plumbline::dispatcher {

/// A test whose body makes a log, a tensor, a kernel with a key set and a library, followed by these lines.
inline std::string program_with(const std::string& body) {
  std::string text =
      "import pytest\nimport torch\n\n\n"
      "def test_it(device):  # DSP-34 DSP-35\n    log = []\n    cpu = torch.zeros([1])\n\n"
      "    def k1(ks, *args):\n        log.append(\"k1\")\n        log.append(repr(ks))\n\n"
      "    lib = torch.library.Library(\"probe\", \"DEF\")\n    lib.define(\"f(Tensor x) -> ()\")\n";
  std::istringstream lines(body);
  for (std::string line; std::getline(lines, line);) text += "    " + line + "\n";
  return text;
}

}  // namespace plumbline::dispatcher
