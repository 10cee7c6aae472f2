// Printing: the canonical layout, and parsing it back.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "language/parse.h"
#include "language/print.h"
#include "language/tests/program_generators.h"
#include "language/trailer.h"

namespace plumbline::program {
namespace {

constexpr const char* kCanonical = R"PY(# A header.

import pytest
import torch


# Above.
def body(x):
    y = x.view([6])
    return y


def test_a(device):  # INF-07 VIEW-04
    x = torch.zeros([2, 3], dtype=torch.float64, device=device)
    # Alone.
    a, b = x.split(1)
    c, = x.split(2)  # one
    x.requires_grad = True
    with pytest.raises(RuntimeError, match=r"a \(b\)"):
        with torch.inference_mode(False):
            x._version
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView)):
        y = x.data
        x.data = y
    x.backward()
    g = x.grad
    assert list(x.shape) == [2, 3]
    assert x.stride() == (3, 1)
    assert x._base is not None
    assert torch._C._dispatch_keys(x).has(torch._C.DispatchKey.CPU) is True
    pass


# The end.
)PY";

TEST(Print, canonical_text_is_printed_as_it_is) { EXPECT_EQ(print(parse(kCanonical, "a.py")), kCanonical); }

TEST(Print, other_layouts_become_canonical) {
  const Program p = parse(
      "import pytest, torch\ndef f( x ,):\n  with torch.no_grad() , torch.enable_grad( ) :\n\n    y=x . view(\n  "
      "(2,\n3), )#c\n  return(y)\n",
      "a.py");
  EXPECT_EQ(print(p),
            "import pytest\nimport torch\n\n\ndef f(x):\n    with torch.no_grad():\n        with "
            "torch.enable_grad():\n            y = x.view((2, 3))  # c\n    return y\n");
}

TEST(Print, the_lines_that_only_python_reads_are_kept) {
  const std::string program = "# A header.\n\nimport torch\n\n\ndef test_a(device):\n    torch.ones([2])\n";
  const std::string whole = with_trailer(program);
  Program read = parse(whole, "a.py");
  EXPECT_EQ(print(read), whole);
  const std::string edited = program + "\n\n" + std::string(kTrailerLine) + "\nx = [1 for x in 'abc']\n";
  EXPECT_EQ(print(parse(edited, "a.py")), edited);
  read.trailer.reset();
  EXPECT_EQ(read, parse(program, "a.py"));
}

TEST(Print, numbers_keep_their_type_and_value) {
  const auto shown = [](double value) { return print(Expression{value, {}}); };
  EXPECT_EQ(shown(1.0), "1.0");
  EXPECT_EQ(shown(-0.0), "-0.0");
  EXPECT_EQ(shown(0.1), "0.1");
  EXPECT_EQ(shown(1e300), "1e+300");
  EXPECT_EQ(shown(-std::numeric_limits<double>::infinity()), "float(\"-inf\")");
  EXPECT_EQ(print(Expression{std::int64_t{-3}, {}}), "-3");
}

TEST(Print, nan_survives_printing_and_parsing) {
  const Program read = parse("import torch\n\n\ndef test_a(device):\n    torch.arange(float(\"nan\"))\n", "a.py");
  EXPECT_EQ(parse(print(read), "a.py"), read);
}

TEST(Print, parse_of_print_is_the_identity) {
  EXPECT_TRUE(rc::check("parse(print(p)) == p", [] {
    const Program program = *any_program();
    const std::string text = print(program);
    RC_LOG() << text;
    const Program again = parse(text, "a.py");
    RC_ASSERT(print(again) == text);
    RC_ASSERT(again == program);
  }));
}

/// The printed text is Python: Python's own compiler accepts it.
TEST(Print, python_compiles_what_is_printed) {
  if (std::system("python3 --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no python3 here";
  const auto folder =
      std::filesystem::temp_directory_path() / ("plumbline_program_print_test_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  int written = 0;
  EXPECT_TRUE(rc::check("write programs", [&] {
    const Program program = *any_program();
    std::ofstream(folder / ("p" + std::to_string(written++) + ".py")) << print(program);
  }));
  const int status = std::system(("python3 -W ignore -m compileall -q " + folder.string()).c_str());
  std::filesystem::remove_all(folder);
  EXPECT_GE(written, 100);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace plumbline::program
