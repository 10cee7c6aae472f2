// Malformed programs: each is refused with its place, what was found, and what to do.
#include "language/tests/program_malformed.h"

#include <gtest/gtest.h>

#include "language/print.h"
#include "language/tests/program_generators.h"
#include "language/trailer.h"

namespace plumbline::program {
namespace {

class Body : public testing::TestWithParam<Malformed> {};

TEST_P(Body, is_refused) { EXPECT_EQ(error_of(GetParam()), "a.py:" + GetParam().error); }

INSTANTIATE_TEST_SUITE_P(
    Text, Body,
    testing::Values(
        Malformed{"x.view(", "6:11: '(' is never closed. Write the missing ')'."},
        Malformed{"x.view([6)", "6:14: ')' does not match '[' on line 6. Close that bracket with ']' first."},
        Malformed{"x.view(6))", "6:14: ')' has no opening bracket. Remove it, or write the opening bracket before it."},
        Malformed{"y = \"abc", "6:9: a string does not end on its line. Write the missing \"."},
        Malformed{"y = \"\\d\"",
                  "6:10: unknown escape '\\d' in a string. For a regular expression write r\"…\"; for a "
                  "backslash write '\\\\'."},
        Malformed{"y = f\"a\"", "6:9: a string has the prefix 'f'. Write \"…\" or r\"…\"."},
        Malformed{"\"\"\"Doc.\"\"\"",
                  "6:5: found a string in triple quotes. Write a comment after '#', or a string on one line."},
        Malformed{
            "x.add_(0x10)",
            "6:12: '0x…' is not a number that programs can contain. Write a decimal number such as 12, 1.5 or 1e-3."},
        Malformed{"x.add_(9223372036854775808)",
                  "6:12: 9223372036854775808 is beyond the range of int64. Write a number up to 9223372036854775807."},
        Malformed{"x.add_(1e999)",
                  "6:12: 1e999 is beyond the range of a float. Write a float64 number, or float(\"inf\")."},
        Malformed{"x.add_(1); x.add_(2)",
                  "6:14: found ';'. Write one statement per line: put the next one on its own line."},
        Malformed{"y = x \\\n.t()",
                  "6:11: a line is continued with '\\'. Put the statement on one line, or break it inside brackets."},
        Malformed{"y = \u00e9",
                  "6:9: found '\u00e9', which programs cannot contain. Remove it; names consist of the letters a to z, "
                  "digits and '_'."},
        Malformed{"\tx.t()", "6:5: there is a tab in the indentation. Indent with four spaces."},
        Malformed{"  x.t()",
                  "6:7: this line is indented more than the one above it. Indent it like the statement above it."},
        Malformed{
            "with torch.no_grad():\n    x.t()\n  x.t()",
            "8:7: this indentation matches no enclosing block. Indent with 8 spaces, like the statement above it."}));

INSTANTIATE_TEST_SUITE_P(
    Statements, Body,
    testing::Values(
        Malformed{"for i in y:\n    x.t()",
                  "6:5: found a `for` loop. Programs have no control flow: write the statements out."},
        Malformed{"if True:\n    x.t()", "6:5: found `if`. Programs have no control flow: write the statements out."},
        Malformed{"try:\n    x.t()", "6:5: found `try`. To expect an error write `with pytest.raises(RuntimeError):`."},
        Malformed{"class F:\n    pass",
                  "6:5: found a class inside a function. Put `class` in the first column, above this function."},
        Malformed{
            "print(x)",
            "6:5: found `print`. To look at a value write `assert` on an observation, as in `assert x._version == 1`."},
        Malformed{"del x", "6:5: found `del`. A name lives to the end of its function; leave `del` out."},
        Malformed{"import torch", "6:5: found an import inside a function. Put the imports at the top of the file."},
        Malformed{
            "y = x + 1",
            "6:11: found the operator '+'. Programs have no arithmetic: call an op, as in `z = torch.add(x, y)`."},
        Malformed{"x += 1", "6:7: found '+='. Programs have no arithmetic: write x.add_(y)."},
        Malformed{
            "y = -x",
            "6:9: found '-' before something that is not a number. Programs have no arithmetic: write x.mul(-1)."},
        Malformed{"y = x[0]",
                  "6:10: found an index. Programs have no indexing: write x.select(0, 1), or "
                  "torch.ops.aten.slice.Tensor(x, 0, 1, 2)."},
        Malformed{"y = x.view(6).add(1)",
                  "6:9: found a call inside another expression. Write one call per statement: give the inner result a "
                  "name first, as in `y = x.view([6])`."},
        Malformed{"y = torch.add(x, x.t())",
                  "6:22: found a call inside another expression. Write one call per statement: give the inner result a "
                  "name first, as in `y = x.view([6])`."},
        Malformed{"assert x.view(6)._version == 0",
                  "6:12: found a call inside another expression. Write one call per statement: give the inner result a "
                  "name first, as in `y = x.view([6])`."},
        Malformed{
            "assert x.is_inference()",
            "6:5: an assert without a comparison. Write what is expected, as in `assert x.is_inference() is True`."},
        Malformed{"assert x._version != 1",
                  "6:23: found the comparison '!='. An assert compares with `==`, `is` or `is not`."},
        Malformed{
            "assert x._version == 1 and True",
            "6:28: found `and`. Write one comparison per assert, with `==`, `is` or `is not`: make it two asserts."},
        Malformed{"assert x._version == 1, \"why\"",
                  "6:27: found a message after an assert. Write it as a comment after '#'."},
        Malformed{"y = z = x.t()", "6:11: found a second '='. Assign in two statements."},
        Malformed{"y =", "6:8: found the end of the line, expected a value or a call after '='."},
        Malformed{"x",
                  "6:5: this statement does nothing. Write a call, an assignment, an `assert` or an observation such "
                  "as `x._version`."},
        Malformed{"with torch.no_grad()\n    x.t()",
                  "6:25: found the end of the line, expected ':' at the end of the line that begins with `with`."},
        Malformed{"with torch.no_grad() as g:\n    x.t()", "6:26: found `as`. Leave out `as` and the name after it."},
        Malformed{"with torch.no_grad():\nx.t()",
                  "7:5: found 'x', expected the indented block of `with`. Indent it with four spaces; an empty block "
                  "is `pass`."},
        Malformed{"y = [i for i in x]",
                  "6:12: found `for` in a list. Programs have no control flow: write the elements out."},
        Malformed{
            "y = {}",
            "6:9: found a dictionary or a set. Values are numbers, strings, True, False, None, lists and tuples."},
        Malformed{"x.view(*y)", "6:12: found a starred argument. Write each argument out."},
        Malformed{"x.view(size=[6], size=[6])", "6:22: the argument size= is given twice. Give it once."},
        Malformed{"x.sum(dim=0, True)",
                  "6:18: a positional argument follows a keyword argument. Put the arguments with `name=` last."},
        Malformed{"x.view(6 6)", "6:14: found '6', expected ')' or ',' after an argument."},
        Malformed{"y: int = 3", "6:6: found an annotation. Leave out type annotations."}));

INSTANTIATE_TEST_SUITE_P(
    Names, Body,
    testing::Values(
        Malformed{"xx.t()", "6:5: the name 'xx' is not defined here. Did you mean x?"},
        Malformed{"qqq.t()", "6:5: the name 'qqq' is not defined here. Assign to it first."},
        Malformed{"y = body(x)",
                  "6:9: there is no function 'body' in this file. Call an op as torch.NAME(…), x.NAME(…) or "
                  "torch.ops.aten.NAME(…)."},
        Malformed{"y = x.veiw(6)", "6:11: there is no op 'veiw' in the op table. Did you mean view?"},
        Malformed{"y = torch.view(x, [6])",
                  "6:15: Python has no torch.view. Write x.view(…) or torch.ops.aten.view(…)."},
        Malformed{"y = x.alias()", "6:11: Python has no x.alias. Write torch.ops.aten.alias(…)."},
        Malformed{"y = torch.ops.aten.add.Number(x, 1)",
                  "6:28: the op add has no overload 'Number' in the op table. It has Tensor, out, Scalar, "
                  "Scalar_out."},
        Malformed{
            "y = torch.nn.relu(x)",
            "6:9: torch.nn.relu is not something that programs can call. Call an op as torch.NAME(…), x.NAME(…) or "
            "torch.ops.aten.NAME(…)."},
        Malformed{"y = torch.func.functionalize(x)",
                  "6:9: torch.func comes in a later part of Plumbline. Leave it out of the program until then."},
        Malformed{"torch = x.t()", "6:5: the name 'torch' is taken. Assign to another name."}));

INSTANTIATE_TEST_SUITE_P(
    Arguments, Body,
    testing::Values(
        Malformed{"y = x.transpose(0)",
                  "6:11: the argument 'dim1' of transpose.int is missing. The schema is transpose.int(Tensor(a) self, "
                  "int dim0, int dim1) -> Tensor(a)."},
        Malformed{
            "y = x.t(1)",
            "6:13: t takes no positional arguments, but 1 is given. The schema is t(Tensor(a) self) -> Tensor(a)."},
        Malformed{"y = x.select(0, idx=1)",
                  "6:25: select.int has no argument 'idx'. The schema is select.int(Tensor(a) self, int dim, SymInt "
                  "index) -> Tensor(a)."},
        Malformed{"y = x.select(0.5, 1)",
                  "6:18: the argument 'dim' of select.int is an int, not a float. The schema is select.int(Tensor(a) "
                  "self, int dim, SymInt index) -> Tensor(a)."},
        Malformed{"y = x.mm(2)",
                  "6:14: the argument 'mat2' of mm is a tensor, not an int. The schema is mm(Tensor self, Tensor mat2) "
                  "-> Tensor."},
        Malformed{"y = x.squeeze(0.5)",
                  "6:11: no overload of squeeze takes (a float). The schemas are squeeze(Tensor(a) self) -> Tensor(a) "
                  "and squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)."},
        Malformed{"y = torch.zeros([2], device=\"cuda\")",
                  "6:33: found \"cuda\" as an argument. Programs run on the device that the test is given, and on the "
                  "CPU: write device=device or device=\"cpu\"."},
        Malformed{
            "y = torch.zeros([2], dtype=torch.complex32)",
            "6:32: torch.complex32 is not a known name. The dtypes are torch.float32, torch.float64, torch.int64, "
            "torch.int32, torch.bool, torch.uint8, torch.int8, torch.int16, torch.float16, torch.bfloat16, "
            "torch.complex64, torch.complex128."},
        Malformed{"y = torch.zeros([2, 0.5])",
                  "6:25: found 0.5 in a list, expected an int. Ops take lists of ints and lists of tensor names."},
        Malformed{"y = torch.tensor([[1, 2], [3]])",
                  "6:22: the rows of the list differ in length or depth. Give each row as many elements as the first."},
        Malformed{"y = torch.tensor([None])",
                  "6:23: found None in torch.tensor, expected a number. Write numbers, or True and False."},
        Malformed{"y = torch.tensor([256], dtype=torch.uint8)",
                  "6:15: 256 is beyond the range of uint8. Write a smaller number, or another dtype."},
        Malformed{"y = torch.tensor([-256], dtype=torch.uint8)",
                  "6:15: -256 is beyond the range of uint8. Write a smaller number, or another dtype."},
        Malformed{"y = torch.tensor([-1.5], dtype=torch.uint8)",
                  "6:15: -1.5 is beyond the range of uint8. Write a smaller number, or another dtype."},
        Malformed{"y = torch.tensor([128], dtype=torch.int8)",
                  "6:15: 128 is beyond the range of int8. Write a smaller number, or another dtype."},
        Malformed{"y = torch.tensor([2147483648], dtype=torch.int32)",
                  "6:15: 2147483648 is beyond the range of int32. Write a smaller number, or another dtype."},
        Malformed{"y = torch._to_copy(x)", "6:15: Python has no torch._to_copy. Write torch.ops.aten._to_copy(…)."},
        Malformed{"y = torch.cat([x, 1])",
                  "6:23: found 1, expected the name of a tensor. Give the tensor a name first."},
        Malformed{"y = torch.cat([1, x])", "6:23: 'x' is not a literal. Write the value itself."},
        Malformed{"y = torch.cat(x)",
                  "6:19: the argument 'tensors' of cat is a list of tensors, not a tensor. The schema is "
                  "cat(Tensor[] tensors, int dim=0) -> Tensor."},
        Malformed{"y = torch.relu(x, out=x)",
                  "6:27: torch.relu takes no `out=` in the op table. Write the result to a name, as in `z = …`."},
        Malformed{"y = x.add(x, out=x)", "6:22: x.add takes no `out=`. Write torch.add(…, out=z)."},
        Malformed{"y = torch.where(x, 1, x)",
                  "6:24: the argument 'input' of where.self is a tensor, not an int. The schema is where.self(Tensor "
                  "condition, Tensor self, Tensor other) -> Tensor."},
        Malformed{"y = x.max(0)",
                  "6:5: max.dim returns 2 tensors, but 1 name is assigned. Write one name for each tensor, as in `v, i "
                  "= x.max(0)`."},
        Malformed{"a, b, c = x.max(0)",
                  "6:5: max.dim returns 2 tensors, but 3 names are assigned. Write one name for each tensor, as in `v, "
                  "i = x.max(0)`."},
        Malformed{
            "y = x.to(torch.float64, False, False, None)",
            "6:11: no overload of to takes (a dtype, a bool, a bool, None). The schemas are to.dtype(Tensor(a) self, "
            "ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> "
            "Tensor(a) and to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
            "device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? "
            "memory_format=None) -> Tensor(a)."},
        Malformed{
            "y = torch.split(x, split_size=1)",
            "6:15: no overload of split takes (a tensor, split_size=an int). The schemas are split.Tensor(Tensor(a "
            "-> *) self, SymInt split_size, int dim=0) -> Tensor(a)[] and split_with_sizes(Tensor(a -> *) self, "
            "SymInt[] split_sizes, int dim=0) -> Tensor(a)[]."},
        Malformed{"y = x.flatten()\nz = y.t()\nassert z._base is y",
                  "8:23: whether 'y' is a new tensor depends on the sizes. Compare with a tensor that does not come "
                  "from reshape, contiguous, flatten or to."},
        Malformed{"y = x.split(1)",
                  "6:5: split.Tensor returns a list of tensors, but one name is assigned. Write one name for each "
                  "tensor, as in `a, b = x.split(1)`; for a single one `a, = x.split(2)`."},
        Malformed{"y, z = x.view(6)", "6:5: view returns one tensor. Assign it to one name, without a comma."},
        Malformed{
            "torch.no_grad()",
            "6:11: torch.no_grad is used outside `with`. Write `with torch.no_grad(…):` and the statements below it."},
        Malformed{"with torch.no_grad:\n    x.t()",
                  "6:16: torch.no_grad is not called. Write `with torch.no_grad():`."},
        Malformed{"with torch.set_grad_enabled():\n    x.t()",
                  "6:16: torch.set_grad_enabled does not take these arguments. Write "
                  "torch.set_grad_enabled(True) or torch.set_grad_enabled(False)."},
        Malformed{"with pytest.raises(KeyError):\n    x.t()",
                  "6:24: pytest.raises takes one exception that programs can expect. Write "
                  "pytest.raises(RuntimeError) or one of RuntimeError, IndexError, ValueError, TypeError, "
                  "NotImplementedError, AttributeError, Exception."},
        Malformed{"with pytest.raises(RuntimeError):\n    y = x.view(7)\ny.t()",
                  "8:5: the name 'y' is not defined here: the statement that assigns it is the one expected to raise. "
                  "Assign it outside `pytest.raises`, or put the statement that raises last."},
        Malformed{"return x",
                  "6:5: a test returns a value. Remove the `return`; write an `assert` for what the test shows."}));

INSTANTIATE_TEST_SUITE_P(
    Asserts, Body,
    testing::Values(
        Malformed{"assert x._version is 1",
                  "6:26: x._version is compared with `is`. Compare numbers, lists and names with ==."},
        Malformed{
            "assert x._version == 1.0",
            "6:26: found 1.0 on the right of the comparison, expected an int. Write what the observation should be."},
        Malformed{"assert x.is_inference() is None",
                  "6:32: found None on the right of the comparison, expected True or False. Write what the observation "
                  "should be."},
        Malformed{"assert x.is_inference is True",
                  "6:14: `is_inference` is a method and is not called. Write x.is_inference()."},
        Malformed{
            "assert x.stride() == [3, 1]",
            "6:26: a list is compared with a tuple, and these are never equal. Write (2, 3), or list(…) on the left."},
        Malformed{"assert list(x.shape) == (2, 3)",
                  "6:29: a list is compared with a tuple, and these are never equal. Write [2, 3]."},
        Malformed{
            "assert x.tolist() == [[1], 2]",
            "6:26: found [[1], 2] on the right of the comparison, expected a list whose rows have the same length. "
            "Write what the observation should be."},
        Malformed{"assert x._base == x",
                  "6:23: `_base` is compared with ==, which compares elements. Compare it with `is` or `is not`."},
        Malformed{"assert torch._C._dispatch_keys(x).has(torch._C.DispatchKey.AutogradCPUs) is True",
                  "6:64: a key set has no key 'AutogradCPUs'. Did you mean AutogradCPU or AutogradHPU or AutogradIPU?"},
        Malformed{"with pytest.raises(RuntimeError):\n    assert x._version == 1",
                  "7:9: the last statement in pytest.raises is an assert. Write the observation alone if it is "
                  "what raises, as in `x._version`; an assert after it never runs."}));

struct File {
  std::string text;
  std::string error;
};
std::ostream& operator<<(std::ostream& os, const File& f) { return os << f.text; }

class WholeFile : public testing::TestWithParam<File> {};

TEST_P(WholeFile, is_refused) { EXPECT_EQ(error_of(GetParam().text), GetParam().error); }

INSTANTIATE_TEST_SUITE_P(
    Files, WholeFile,
    testing::Values(
        File{"", "a.py: there is no test in this file. Define one: `def test_…(device):`."},
        File{"import numpy\n",
             "a.py:1:8: found an import of numpy. A program imports `pytest`, `threading` and "
             "`torch`, each as `import NAME`."},
        File{"pytestmark = 1\n",
             "a.py:1:1: found a `pytestmark` that programs cannot contain. Write `pytestmark = "
             "pytest.mark.filterwarnings(\"error::pytest.PytestUnhandledThreadExceptionWarning\")` once, below the "
             "imports."},
        File{"from torch.func import functionalize\n",
             "a.py:1:6: torch.func comes in a later part of Plumbline. Leave it out of the program until then."},
        File{"import torch as t\n", "a.py:1:14: found `as`. Leave out `as` and the name after it."},
        File{"x = torch.ones(2)\n",
             "a.py:1:1: found 'x' outside a function. A file contains imports, classes, functions and what "
             "torch.library "
             "registers: put other statements into `def test_…(device):`."},
        File{"def test_a(device)\n    pass\n",
             "a.py:1:19: found the end of the line, expected ':' at the end of the line that begins with `def`."},
        File{"def test_a(device):\n",
             "a.py:2:1: found the end of the file, expected the indented block of `def`. Indent it with four spaces; "
             "an empty block is `pass`."},
        File{"def test_a(device): pass\n",
             "a.py:1:21: found 'pass' after the colon. Put the indented block on its own lines."},
        File{"def test_a(x=1):\n    pass\n",
             "a.py:1:13: a parameter has a default or an annotation. Write only the parameter's name."},
        File{"def test_a(x):\n    pass\n",
             "a.py:1:1: the test test_a has parameters other than `device`. A test takes `device` or nothing."},
        File{"def test_a() -> None:\n    pass\n", "a.py:1:14: found an annotation. Leave out type annotations."},
        File{"@mark\ndef test_a():\n    pass\n",
             "a.py:1:1: found '@'. Programs have no operator '@', and no decorators but @staticmethod in a class and "
             "@torch.library.impl(…) above a kernel: write torch.mm(x, y)."},
        File{"def test_a():\n    x = torch.ones(2)\n",
             "a.py:2:9: torch is used but not imported. Write `import torch` at the top of the file."},
        File{"def f():\n    pass\n\ndef f():\n    pass\n",
             "a.py:4:1: there are two functions called f. Rename one: Python would keep only the second."},
        File{"def f():\n    f()\n\ndef test_a():\n    f()\n",
             "a.py:2:5: f calls itself. Programs have no recursion: write the statements out."},
        File{"def f(a):\n    return a\n\ndef test_a():\n    x = f()\n",
             "a.py:5:9: the argument 'a' of f is missing. It is defined as f(a)."},
        File{"def f():\n    pass\n\ndef test_a():\n    x = f()\n",
             "a.py:5:9: f returns nothing to assign. End it with `return`, or call it without `=`."},
        File{"def f(a):\n    return a, a\n\ndef test_a():\n    x = f(1)\n",
             "a.py:5:5: the function returns 2 values, but 1 name is assigned. Write one name for each value to the "
             "left of '=', with commas between them."},
        File{"def f():\n    return\n    pass\n\ndef test_a():\n    f()\n",
             "a.py:3:5: statements after a `return` never run. Put `return` last."},
        File{std::string("def test_a():\n    # ok\n    x = \"\xC3(\"\n"),
             "a.py:3:10: the byte 0xc3 is not UTF-8. Save the file in UTF-8."},
        File{"  import torch\n",
             "a.py:1:3: this line is indented, but no block is open. Start it in the first column."}));

/// A program with a few changed characters is read or refused. If it is read, it can be printed and read again.
TEST(Malformed, changed_programs_are_read_or_refused) {
  EXPECT_TRUE(rc::check("no text but a program or a ProgramError", [] {
    std::string text = print(*any_program());
    const auto pieces =
        std::vector<std::string>{"(",  ")", "[", ",",    ":",   "=", "\"", "'",    "#",  "\n",      "\n    ", " ",
                                 "\\", ".", "-", "def ", "is ", "1", "\r", "\xC3", "\t", "with a:", "None"};
    for (int i = 0, n = *rc::gen::inRange(1, 4); i < n; ++i) {
      const auto at = *rc::gen::resize(100, rc::gen::inRange<std::size_t>(0, text.size() + 1));
      const std::string piece = pieces[*rc::gen::resize(100, rc::gen::inRange<std::size_t>(0, pieces.size()))];
      text.replace(at, *rc::gen::inRange<std::size_t>(0, 3), piece);
    }
    RC_LOG() << text;
    try {
      const Program program = parse(text, "a.py");
      RC_ASSERT(print(parse(print(program), "a.py")) == print(program));
    } catch (const ProgramError& error) {
      RC_ASSERT(error.place.line >= 1 && error.place.column >= 1);
    }
  }));
}

TEST(Malformed, a_test_below_the_line_for_python_is_refused) {
  const std::string line(kTrailerLine);
  EXPECT_EQ(
      error_of(line + "\nimport os\n\n\ndef test_a(device):\n    pass\n"),
      "a.py:5:1: found a test below the line after which only Python reads. Move it above the line `" + line + "`.");
}

TEST(Malformed, nesting_has_a_limit) {
  EXPECT_EQ(error_of("def test_a():\n    x = " + std::string(100'000, '[')),
            "a.py:2:73: brackets are nested too deeply. Use fewer levels of lists.");
  std::string chain = "def test_a():\n    x = y";
  for (int i = 0; i < 100'000; ++i) chain += ".a";
  EXPECT_NE(error_of(chain + "\n").find("this expression is too long"), std::string::npos);
}

TEST(Malformed, functions_that_grow_without_end_are_refused) {
  std::string text = "def f0(x):\n    x.t()\n";
  for (int i = 1; i < 40; ++i)
    text += "def f" + std::to_string(i) + "(x):\n    f" + std::to_string(i - 1) + "(x)\n    f" + std::to_string(i - 1) +
            "(x)\n";
  EXPECT_NE(error_of("import torch\n" + text + "def test_a():\n    x = torch.ones(2)\n    f39(x)\n")
                .find("more than 100000 statements"),
            std::string::npos);
}

std::string error_of_file(const std::string& path) {
  try {
    parse_file(path);
    return "";
  } catch (const ProgramError& error) {
    return error.what();
  }
}

TEST(Malformed, files) {
  EXPECT_EQ(error_of_file("no/such.py"),
            "no/such.py: there is no such file. Check the path and the permission to read it.");
  EXPECT_EQ(error_of_file("oracle/tests"),
            "oracle/tests: this is a folder, not a file. Give the path of a program: a Python file.");
  EXPECT_EQ(error_of_file("language/tests/data/latin1.py"),
            "language/tests/data/latin1.py:1:6: the byte 0xe9 is not UTF-8. Save the file in UTF-8.");
}

}  // namespace
}  // namespace plumbline::program
