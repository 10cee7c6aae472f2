// Operators that a file registers outside its tests, by decorator, and by torch.library's functions.
#include <gtest/gtest.h>

#include "language/lower.h"
#include "language/parse.h"
#include "language/print.h"
#include "language/read_tests.h"
#include "language/tests/program_malformed.h"
#include "language/tests/program_show.h"

namespace plumbline::program {
namespace {

const std::string kTorch = "import torch\n\n";
const std::string kLibrary = "lib = torch.library.Library(\"mine\", \"DEF\")\nlib.define(\"f(Tensor x) -> Tensor\")\n";
const std::string kDouble = "def double(x):\n    y = torch.mul(x, 2)\n    return y\n";
const std::string kRegister = "lib.impl(\"f\", double, \"CPU\")\n";
const std::string kTest = "def test_a(device):\n";
const std::string kCall = "    x = torch.ones([2], device=device)\n    y = torch.ops.mine.f(x)\n";

Script script_with(const std::string& text) { return lower(parse(text, "a.py")).at(0).script; }

/// The script of a test that makes this library of "mine" and defines the operator itself.
std::string in_the_test(const std::string& lib = "lib", const std::string& kind = "DEF") {
  return show(script_with(kTorch + kDouble + kTest + "    " + lib + " = torch.library.Library(\"mine\", \"" + kind +
                          "\")\n    " + lib + ".define(\"f(Tensor x) -> Tensor\")\n    " + lib +
                          ".impl(\"f\", double, \"CPU\")\n" + kCall));
}

/// The script of a test with these lines.
Script script_of_test(const std::string& lines) { return script_with(kTorch + kDouble + kTest + lines); }

std::string library_line(const std::string& lib, const std::string& space, const std::string& kind = "FRAGMENT") {
  return "    " + lib + " = torch.library.Library(\"" + space + "\", \"" + kind + "\")\n";
}

TEST(Libraries, one_of_the_file_means_what_one_of_the_test_means) {
  EXPECT_EQ(show(script_with(kTorch + kLibrary + kDouble + kRegister + kTest + kCall)), in_the_test());
}

TEST(Libraries, a_decorator_registers_the_function_below_it) {
  const std::string decorator = "@torch.library.impl(lib, \"f\", \"CPU\")\n";
  EXPECT_EQ(show(script_with(kTorch + kLibrary + decorator + kDouble + kTest + kCall)), in_the_test());
}

TEST(Libraries, a_decorator_registers_a_function_of_the_test) {
  const Script script =
      script_with(kTorch + kTest +
                  "    lib = torch.library.Library(\"mine\", \"FRAGMENT\")\n"
                  "    lib.define(\"f(Tensor x) -> Tensor\")\n\n"
                  "    @torch.library.impl(lib, \"f\", \"CPU\")\n"
                  "    def twice(x):\n        y = torch.zeros([2], device=device)\n        return y\n" +
                  kCall);
  EXPECT_EQ(all_of_kind<AddKernel>(script).at(0).key, "CPU");
}

TEST(Libraries, the_functions_of_torch_library_need_no_library) {
  const std::string define = "torch.library.define(\"mine::f\", \"(Tensor x) -> Tensor\")\n";
  const std::string impl = "torch.library.impl(\"mine::f\", \"cpu\", double)\n";
  const std::string own = in_the_test("mine", "FRAGMENT");
  EXPECT_EQ(show(script_with(kTorch + define + kDouble + impl + kTest + kCall)), own);
  EXPECT_EQ(
      show(script_with(kTorch + define + "@torch.library.impl(\"mine::f\", \"cpu\")\n" + kDouble + kTest + kCall)),
      own);
  EXPECT_EQ(show(script_with(kTorch + kDouble + kTest + "    " + define + "    " + impl + kCall)), own);
}

TEST(Libraries, the_one_that_is_not_given_has_a_name_that_no_variable_has) {
  const Script script = script_of_test(
      "    mine = torch.ones([2], device=device)\n    torch.library.define(\"mine::f\", \"(Tensor x) -> Tensor\")\n");
  EXPECT_EQ(all_of_kind<MakeLibrary>(script).at(0).library, "mine_2");
}

TEST(Libraries, the_one_that_is_not_given_is_not_the_programs_own_one) {
  const Script script = script_of_test(library_line("own", "mine") +
                                       "    torch.library.define(\"mine::f\", \"(Tensor x) -> Tensor\", lib=own)\n"
                                       "    torch.library.impl(\"mine::f\", \"CPU\", double)\n");
  EXPECT_EQ(all_of_kind<DefineOperator>(script).at(0).library, "own");
  EXPECT_EQ(all_of_kind<AddKernel>(script).at(0).library, "mine");
}

TEST(Libraries, each_kind_is_made) {
  for (std::size_t kind = 0; kind < kLibraryKindNames.size(); ++kind) {
    const Script script = script_of_test(library_line("own", "mine", std::string(kLibraryKindNames[kind])));
    EXPECT_EQ(all_of_kind<MakeLibrary>(script).at(0),
              (MakeLibrary{"own", "mine", static_cast<MakeLibrary::Kind>(kind)}));
  }
}

TEST(Libraries, two_of_the_kind_DEF_are_made) {
  EXPECT_EQ(
      all_of_kind<MakeLibrary>(script_of_test(library_line("a", "mine", "DEF") + library_line("b", "mine", "DEF")))
          .size(),
      2U);
}

TEST(Libraries, one_of_the_test_is_destroyed_where_it_says) {
  const Script script =
      script_of_test(library_line("own", "mine") + "    own._destroy()\n" + library_line("other", "mine"));
  EXPECT_EQ(std::get<DropLibrary>(script.statements.at(1).kind), DropLibrary{"own"});
}

TEST(Libraries, one_of_the_file_is_destroyed_outside_the_tests) {
  const Script script = script_with(kTorch + kLibrary + "lib._destroy()\n" + kTest + kCall);
  EXPECT_EQ(std::get<DropLibrary>(script.statements.at(2).kind), DropLibrary{"lib"});
}

TEST(Libraries, what_a_file_registers_has_its_lines) {
  const Script script = script_with(kTorch + kLibrary + kDouble + kRegister + kTest + kCall);
  EXPECT_EQ(script.statements.at(0).line, 3);
  EXPECT_EQ(script.statements.at(1).line, 4);
  EXPECT_EQ(script.statements.at(2).line, 8);
}

TEST(Libraries, a_test_may_use_the_name_of_one_that_it_does_without) {
  const Script script = script_with(kTorch + kLibrary + kTest + library_line("lib", "yours"));
  EXPECT_EQ(all_of_kind<MakeLibrary>(script), (std::vector{MakeLibrary{"lib", "yours", MakeLibrary::Kind::FRAGMENT}}));
}

TEST(Libraries, default_is_the_explicit_composite_key) {
  const std::string impl = "torch.library.impl(\"mine::f\", \"default\", double)\n";
  EXPECT_EQ(all_of_kind<AddKernel>(script_with(kTorch + kLibrary + kDouble + impl + kTest + kCall)).at(0).key,
            "CompositeExplicitAutograd");
}

TEST(Libraries, a_list_of_keys_registers_one_kernel_for_each) {
  const Script script = script_with(
      kTorch + kLibrary + kDouble +
      "torch.library.impl(\"mine::f\", [\"cpu\", \"Autograd\", \"CPU\"], double, lib=lib)\n" + kTest + kCall);
  const std::vector<AddKernel> added = all_of_kind<AddKernel>(script);
  ASSERT_EQ(added.size(), 2U);
  EXPECT_EQ(added[0].key + " " + added[1].key, "CPU Autograd");
  EXPECT_EQ(added[0].kernel, added[1].kernel);
  EXPECT_EQ(script.kernels.size(), 1U);
}

TEST(Libraries, decorators_run_from_the_lowest_up) {
  const Script script = script_with(kTorch + kLibrary +
                                    "@torch.library.impl(\"mine::f\", \"Autograd\")\n"
                                    "@torch.library.impl(lib, \"f\", \"CPU\")\n" +
                                    kDouble + kTest + kCall);
  const std::vector<AddKernel> added = all_of_kind<AddKernel>(script);
  ASSERT_EQ(added.size(), 2U);
  EXPECT_EQ(added[0].key + " " + added[1].key, "CPU Autograd");
}

TEST(Libraries, a_test_that_uses_no_operator_has_none) {
  const std::string other = "def test_b(device):\n    x = torch.ones([2], device=device)\n    double(x)\n";
  const auto tests = lower(parse(
      kTorch + kLibrary + "@torch.library.impl(lib, \"f\", \"CPU\")\n" + kDouble + kTest + kCall + other, "a.py"));
  EXPECT_EQ(tests.at(0).script.operators.size(), 1U);
  EXPECT_TRUE(tests.at(1).script.operators.empty());
  EXPECT_TRUE(all_of_kind<MakeLibrary>(tests.at(1).script).empty());
}

TEST(Libraries, a_test_has_the_operators_that_its_functions_use) {
  const std::string calls = "def call(x):\n    y = torch.ops.mine.f(x)\n    return y\n";
  const std::string test = kTest + "    x = torch.ones([2], device=device)\n    y = call(x)\n";
  EXPECT_EQ(script_with(kTorch + kLibrary + kDouble + kRegister + calls + test).operators.size(), 1U);
}

TEST(Libraries, a_test_has_the_operators_that_its_kernels_use) {
  const std::string other =
      "torch.library.define(\"other::g\", \"(Tensor x) -> Tensor\")\n"
      "@torch.library.impl(\"other::g\", \"CPU\")\n"
      "def g(x):\n    y = torch.ops.mine.f(x)\n    return y\n";
  const std::string test = kTest + "    x = torch.ones([2], device=device)\n    y = torch.ops.other.g(x)\n";
  EXPECT_EQ(script_with(kTorch + kLibrary + kDouble + kRegister + other + test).operators.size(), 2U);
}

TEST(Libraries, a_test_adds_kernels_to_an_operator_of_the_file) {
  const std::string own =
      "    own = torch.library.Library(\"mine\", \"FRAGMENT\")\n    own.impl(\"f\", double, \"Autograd\")\n";
  const Script script = script_with(kTorch + kLibrary + kDouble + kRegister + kTest + own + kCall);
  EXPECT_EQ(all_of_kind<AddKernel>(script).size(), 2U);
}

TEST(Libraries, programs_with_registrations_are_printed_as_they_are) {
  const std::string text =
      "# A header.\n\nimport torch\n\n# Above.\nlib = torch.library.Library(\"mine\", \"DEF\")\n"
      "lib.define(\"f(Tensor x) -> Tensor\")  # beside\n\n\n"
      "@torch.library.impl(lib, \"f\", \"CPU\")\n" +
      kDouble + "\n\nlib.impl(\"f\", double, \"Autograd\")\nlib._destroy()\n\n\n" + kTest +
      "    @torch.library.impl(\"mine::f\", \"CPU\")\n    def k(x):\n        return x\n" + kCall + "\n\n" + kRegister;
  EXPECT_EQ(print(parse(text, "a.py")), text);
}

/// The errors of the tests that cannot be read.
std::string unread(const std::string& text) {
  std::string all;
  for (const Unread& one : read_tests(text, "a.py").unread) all += one.name + ": " + one.error.problem + "\n";
  return all;
}

TEST(Libraries, a_registration_below_a_test_that_cannot_be_read_is_read) {
  const std::string loop = "def test_loop(device):\n    for i in range(2):\n        pass\n";
  EXPECT_EQ(unread(kTorch + kDouble + loop + kLibrary + kRegister + kTest + kCall), "test_loop: found a `for` loop\n");
}

TEST(Libraries, a_kernel_that_cannot_be_read_costs_every_test) {
  const std::string kernel = "@torch.library.impl(lib, \"f\", \"CPU\")\ndef k(x):\n    return x * 2\n";
  EXPECT_EQ(unread(kTorch + kLibrary + kernel + kTest + kCall), "test_a: found the operator '*'\n");
}

TEST(Libraries, another_decorator_of_torch_library_costs_every_test) {
  const std::string kernel = "@torch.library.register_kernel(\"mine::f\", \"cpu\")\n";
  EXPECT_EQ(unread(kTorch + kLibrary + kernel + kDouble + kTest + kCall), "test_a: found '@'\n");
}

/// The lines of a file below `import torch` and above a test, and the error without "a.py:".
struct RefusedFile {
  std::string lines, error;
};
std::ostream& operator<<(std::ostream& os, const RefusedFile& r) { return os << r.error; }

class LibraryRefused : public testing::TestWithParam<RefusedFile> {};

TEST_P(LibraryRefused, says_why) {
  const RefusedFile& file = GetParam();
  const bool whole = file.lines.find("def test_") != std::string::npos;
  EXPECT_EQ(error_of(kTorch + file.lines + (whole ? "" : kTest + kCall)), "a.py:" + file.error);
}

INSTANTIATE_TEST_SUITE_P(
    Libraries, LibraryRefused,
    testing::Values(
        RefusedFile{"lib.define(\"f(Tensor x) -> Tensor\")\n",
                    "3:1: the name 'lib' is not defined here. Assign to it first."},
        RefusedFile{kLibrary + "lib = torch.library.Library(\"yours\", \"DEF\")\n",
                    "5:1: there are two libraries called lib. Rename one: Python ends the first, with its operators."},
        RefusedFile{kTest + library_line("own", "mine") + library_line("own", "mine"),
                    "5:5: there are two libraries called own. Rename one: Python ends the first, with its operators."},
        RefusedFile{
            kTest + library_line("own", "mine") + "    own._destroy()\n" + library_line("own", "mine"),
            "6:5: there are two libraries called own. Rename one: each library of a test has a name of its own."},
        RefusedFile{
            kLibrary + kTest + library_line("lib", "mine"),
            "6:5: there are two libraries called lib. Rename one: each library of a test has a name of its own."},
        RefusedFile{kTest + library_line("own", "mine") + "    own = torch.ones([2])\n",
                    "5:5: 'own' is the name of a library. Use another name: Python ends a library whose name is "
                    "assigned again."},
        RefusedFile{kTest + library_line("own", "mine") + "    def own(x):\n        return x\n",
                    "5:5: 'own' is the name of a library. Use another name: Python ends a library whose name is "
                    "assigned again."},
        RefusedFile{"def make():\n" + library_line("own", "mine") + kTest + "    make()\n",
                    "4:25: a library is made in a function. Make it in the test: Python ends it when the function "
                    "returns."},
        RefusedFile{kLibrary + "lib._destroy()\nlib.define(\"g(Tensor x) -> Tensor\")\n",
                    "6:5: the library lib has ended. Make another one, with another name."},
        RefusedFile{kLibrary + kTest + "    lib._destroy()\n",
                    "6:9: a test ends a library of the file. It would be gone for the tests after it: make a library "
                    "in the test, as in `own = torch.library.Library(\"mine\", \"FRAGMENT\")`."},
        RefusedFile{kLibrary + "lib.define(\"f(Tensor x, Tensor y) -> Tensor\")\n",
                    "5:5: mine::f is defined with another schema above. Give this operator another name."},
        RefusedFile{kLibrary + kRegister + kDouble,
                    "5:15: the function 'double' is defined below this line. Python reads a file from top to bottom: "
                    "move the function up."},
        RefusedFile{kLibrary + kTest + "    lib.define(\"g(Tensor x) -> Tensor\")\n",
                    "6:9: a test registers something in a library of the file. It would stay there for the tests after "
                    "it: make a library in the test, as in `own = torch.library.Library(\"mine\", \"FRAGMENT\")`."},
        RefusedFile{
            kLibrary + kTest + "    torch.library.define(\"mine::g\", \"(Tensor x) -> Tensor\", lib=lib)\n",
            "6:65: a test registers something in a library of the file. It would stay there for the tests after it: "
            "make a library in the test, as in `own = torch.library.Library(\"mine\", \"FRAGMENT\")`."},
        RefusedFile{"torch.library.define(\"f\", \"(Tensor x) -> Tensor\")\n",
                    "3:22: torch.library.define is given \"f\" for an operator. Write its namespace and its name, as "
                    "in \"mine::f\"."},
        RefusedFile{"torch.library.define(\"aten::f\", \"(Tensor x) -> Tensor\")\n",
                    "3:22: the namespace is \"aten\". A program defines operators in a namespace of its own."},
        RefusedFile{
            "torch.library.define(\"mine::f\", \"f(Tensor x) -> Tensor\")\n",
            "3:15: torch.library.define is given a schema that programs do not have. An argument is one of Tensor, "
            "Tensor?, Tensor[], int, float, bool, without a default, and a return is Tensor; Tensor may be Tensor(a) "
            "or "
            "Tensor(a!), as in `torch.library.define(\"mine::f\", \"(Tensor(a!) x) -> Tensor(a!)\")`."},
        RefusedFile{"torch.library.define(\"mine::f\")\n",
                    "3:15: torch.library.define does not take these arguments. Write "
                    "`torch.library.define(\"mine::f\", \"(Tensor(a!) x) -> Tensor(a!)\")`."},
        RefusedFile{"torch.library.define(\"mine::f\", \"(Tensor x) -> Tensor\", tags=())\n",
                    "3:62: torch.library.define is given tags=. Its only keyword in programs is lib=."},
        RefusedFile{"torch.library.define(\"mine::f\", \"(Tensor x) -> Tensor\", lib=3)\n",
                    "3:61: 3 is not a library. Make one: `lib = torch.library.Library(\"mine\", \"FRAGMENT\")`."},
        RefusedFile{
            kLibrary + "torch.library.define(\"yours::f\", \"(Tensor x) -> Tensor\", lib=lib)\n",
            "5:62: lib is a library of \"mine\". The operator's namespace is \"yours\": write a library of it."},
        RefusedFile{"f = torch.library.define(\"mine::f\", \"(Tensor x) -> Tensor\")\n",
                    "3:19: what torch.library.define returns is assigned to a name. Write the call alone."},
        RefusedFile{
            kLibrary + kDouble + "torch.library.impl(\"mine::f\", \"cuda\", double)\n",
            "8:31: a kernel is registered for the key \"cuda\". Write a key's name, as in \"CPU\" or \"Autograd\"; "
            "\"cpu\" and \"default\" stand for CPU and CompositeExplicitAutograd."},
        RefusedFile{
            kLibrary + kDouble + "torch.library.impl(\"mine::f\", [], double)\n",
            "8:31: a kernel is registered for no key. Write `torch.library.impl(\"mine::f\", \"CPU\", kernel)`."},
        RefusedFile{kLibrary + kDouble + "torch.library.impl(\"mine::f\", \"cpu\", func=double)\n",
                    "8:43: torch.library.impl is given func=. Its only keyword in programs is lib=."},
        RefusedFile{kLibrary + kDouble + "torch.library.impl(\"mine::f\", \"cpu\")\n",
                    "8:15: this call of torch.library.impl has no kernel, so it returns a decorator. Write it above a "
                    "`def`, with '@', or write `torch.library.impl(\"mine::f\", \"CPU\", kernel)`."},
        RefusedFile{kLibrary + kDouble + "torch.library.impl(lib, \"f\", \"CPU\")\n",
                    "8:15: this call of torch.library.impl has no kernel, so it returns a decorator. Write it above a "
                    "`def`, with '@', or write `lib.impl(\"f\", kernel, \"CPU\")`."},
        RefusedFile{kLibrary + kDouble + "torch.library.impl(lib, \"f\", \"CPU\", double)\n",
                    "8:15: torch.library.impl does not take these arguments. Write `torch.library.impl(\"mine::f\", "
                    "\"CPU\", kernel)`, or `@torch.library.impl(lib, \"f\", \"CPU\")` above the kernel."},
        RefusedFile{kLibrary + "torch.library.register_autograd(\"mine::f\", double)\n",
                    "5:15: torch.library.register_autograd is not something that programs can call. Of torch.library, "
                    "programs have Library, define, impl and fallthrough_kernel."},
        RefusedFile{kLibrary + "@torch.library.impl(lib, \"g.out\", \"CPU\")\n" + kDouble,
                    "5:16: 'g.out' is not the name of an operator. Write a name such as \"f\"."},
        RefusedFile{
            "other = torch.library.Library(\"_\", \"IMPL\")\n",
            "3:23: a library of fallbacks is made outside the tests. Its fallbacks would serve every test: make "
            "it in the test."},
        RefusedFile{kLibrary + "@torch.library.impl(\"mine::f\", \"CPU\", double)\n" + kDouble,
                    "5:39: a decorator is given a kernel. The kernel is the function below: leave it out."},
        RefusedFile{kLibrary +
                        "@torch.library.impl(lib, \"f\", \"Autograd\")\n@torch.library.impl(\"mine::f\", \"CPU\")\n" +
                        kDouble,
                    "6:16: this decorator returns nothing, so the one above it gets no function. Write "
                    "`@torch.library.impl(\"mine::f\", …)` above the other decorators."},
        RefusedFile{kLibrary + "@torch.library.impl(\"mine::f\", \"CPU\")\n" + kDouble + kTest +
                        "    x = torch.ones([2], device=device)\n    double(x)\n",
                    "11:5: 'double' is None here: the decorator above its `def` returns nothing. Write the decorator "
                    "as a call below it: `torch.library.impl(\"mine::f\", \"CPU\", double)`."},
        RefusedFile{kLibrary + "@torch.library.impl(\"mine::f\", \"CPU\")\n" + kTest + kCall,
                    "6:1: the test test_a has a decorator. A test is not a kernel: give the kernel another name."},
        RefusedFile{
            kLibrary + "@torch.library.impl(lib, \"f\", \"CPU\")\nclass F(torch.autograd.Function):\n    pass\n",
            "6:1: found 'class', expected `def` below a decorator."},
        RefusedFile{kLibrary + "@torch.library.impl\n" + kDouble,
                    "5:1: found '@'. Programs have no operator '@', and no decorators but @staticmethod in a class and "
                    "@torch.library.impl(…) above a kernel: write torch.mm(x, y)."},
        RefusedFile{kLibrary + "@torch.library.impl()\n" + kDouble,
                    "5:16: torch.library.impl does not take these arguments. Write `torch.library.impl(\"mine::f\", "
                    "\"CPU\", kernel)`, or `@torch.library.impl(lib, \"f\", \"CPU\")` above the kernel."},
        RefusedFile{kLibrary + kDouble +
                        "def k(x):\n    @torch.library.impl(\"mine::f\", \"CPU\")\n    def z(x):\n        return x\n"
                        "    return x\n\n\nlib.impl(\"f\", k, \"CPU\")\n",
                    "9:20: torch.library.impl is called in a kernel, a method, a hook or the body of a transform. "
                    "Define operators in the test itself, or outside the tests."},
        RefusedFile{"class F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n    " +
                        library_line("own", "mine") +
                        "        return x\n\n    @staticmethod\n    def backward(ctx, g):\n        return g\n\n\n" +
                        kTest + "    x = torch.ones([2], device=device)\n    y = F.apply(x)\n",
                    "6:29: torch.library.Library is called in a kernel, a method, a hook or the body of a transform. "
                    "Define operators in the test itself, or outside the tests."}));

}  // namespace
}  // namespace plumbline::program
