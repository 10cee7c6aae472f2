// Splitting off, and writing, the end of a file that only Python reads.
#include "language/trailer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "language/ast.h"

namespace plumbline::program {
namespace {

// pytest runs in a process of its own, so that a crash has a message too. It reads no conftest.py, so the result is
// the same in every folder.
constexpr std::string_view kRunsAlone = R"py(import subprocess
import sys

import pytest
import torch


@pytest.fixture
def device(request):
    return request.config.getoption("--device", default="cpu")


if __name__ == "__main__":
    command = [sys.executable, "-m", "pytest", "-q", "--noconftest", "-p", "no:cacheprovider", __file__]
    code = subprocess.run(command, check=False).returncode
    results = {0: "every test passed", 1: "a test failed"}
    ended = f"the run crashed (signal {-code})" if code < 0 else f"pytest did not run the tests (exit code {code})"
    print(f"{__file__}: {results.get(code, ended)} on PyTorch {torch.__version__}")
    sys.exit(0 if code == 0 else 1)
)py";

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  const std::size_t last = line.find_last_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view() : line.substr(first, last - first + 1);
}

}  // namespace

Parts split_trailer(std::string_view text, const std::string& file) {
  Parts parts{text, std::nullopt};
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++number;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t next = std::min(end + 1, text.size());
    if (parts.trailer && line.starts_with("def test"))
      throw ProgramError(file, {number, 1}, "found a test below the line after which only Python reads",
                         fmt::format("Move it above the line `{}`", kTrailerLine));
    if (!parts.trailer && trimmed(line) == kTrailerLine)
      parts = {text.substr(0, begin), std::string(text.substr(next))};
    begin = next;
  }
  return parts;
}

std::string with_trailer(const std::string& program) {
  std::string runs(kRunsAlone);
  constexpr std::string_view kOnCpu = "default=\"cpu\"";
  // A program that names the CPU needs another device beside it.
  constexpr std::array<std::string_view, 3> kNames{"device=\"cpu\"", ".cpu()", ".to(\"cpu\")"};
  if (std::ranges::any_of(kNames, [&](std::string_view name) { return program.find(name) != std::string::npos; }))
    runs.replace(runs.find(kOnCpu), kOnCpu.size(), "default=\"cuda\"");
  return fmt::format("{}\n\n{}\n{}", program, kTrailerLine, runs);
}

}  // namespace plumbline::program
