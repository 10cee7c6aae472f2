// The log, errors that a program raises itself, and questions about kernels and key sets.
#include <gtest/gtest.h>

#include "language/print.h"
#include "language/tests/program_malformed.h"
#include "language/tests/program_show.h"

namespace plumbline::program {
namespace {

const std::string kLogTest =
    "import pytest\nimport torch\n\n\ndef test_a(device):\n    log = []\n    x = torch.ones([2], device=device)\n";

program::Test test_of_log(const std::string& lines) { return lower(parse(kLogTest + lines, "a.py")).at(0); }

/// The statements after those of `kLogTest`.
std::string written_after(const std::string& lines) {
  std::string text;
  const program::Test test = test_of_log(lines);
  for (std::size_t i = 1; i < test.script.statements.size(); ++i) text += show(test.script.statements[i]) + "\n";
  return text;
}

TEST(Log, entries_are_added_compared_and_removed) {
  const std::string lines = "    log.append(\"a\")\n    assert log == [\"a\"]\n    log\n    log.clear()\n";
  EXPECT_EQ(written_after(lines), "log \"a\"\nread log\nread log\nclear log\n");
  EXPECT_EQ(show(test_of_log(lines).expectations), "2: [a]\n");
}

TEST(Log, functions_of_the_test_see_it) {
  EXPECT_EQ(written_after("    def f():\n        log.append(\"f\")\n    f()\n"), "log \"f\"\n");
  const program::Test test =
      test_of_log("    def hook(grad):\n        log.append(\"hook\")\n    x.register_hook(hook)\n");
  EXPECT_EQ(show(test.script.functions.at(0).statements.at(0)), "log \"hook\"");
}

TEST(Log, functions_of_the_file_get_it_as_an_argument) {
  const std::string text =
      "import torch\n\n\ndef f(to):\n    to.append(\"f\")\n\n\ndef test_a(device):\n    log = []\n    f(log)\n";
  EXPECT_EQ(show(lower(parse(text, "a.py")).at(0).script), "log \"f\"\n");
}

TEST(Log, a_list_that_is_not_appended_to_is_a_literal) {
  EXPECT_EQ(written_after("    sizes = []\n    log.append(\"a\")\n    y = torch.ones(sizes, device=device)\n"),
            written_after("    log.append(\"a\")\n    y = torch.ones([], device=device)\n"));
}

TEST(Log, methods_of_a_class_get_it_as_an_argument) {
  const std::string text = R"PY(import torch


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, log):
        ctx.log = log
        log.append("forward")
        y = x.mul(2)
        return y

    @staticmethod
    def backward(ctx, g):
        ctx.log.append("backward")
        return g, None


def test_a(device):
    log = []
    x = torch.ones([2], device=device)
    z = F.apply(x, log)
    assert log == ["forward"]
)PY";
  const program::Test test = lower(parse(text, "a.py")).at(0);
  EXPECT_EQ(show(test.script.functions.at(0).statements.at(0)), "log \"backward\"");
  EXPECT_EQ(print(raise(test)), text);
}

TEST(Log, a_name_that_a_slot_has_is_not_the_logs) {
  program::Test test;
  test.name = "test_a";
  test.script.names = {"log"};
  test.script.statements = {{MakeTensor{Slot{0}, Dtype::float32, {1}, {1.0}, false}, 0}, {ReadLog{}, 0}};
  EXPECT_EQ(print(raise(test)),
            "import torch\n\n\ndef test_a(device):\n    log_2 = []\n    log = torch.tensor([1.0], device=device)\n"
            "    log_2\n");
}

TEST(Raised, a_test_raises_an_error_where_it_expects_one) {
  EXPECT_EQ(written_after("    with pytest.raises(RuntimeError, match=\"no\"):\n        raise RuntimeError(\"no\")\n"),
            "try\nraise \"no\"\nend try\n");
}

/// A test that applies a function with these bodies.
Script script_of_methods(const std::string& forward, const std::string& backward) {
  return lower(
             parse("import torch\n\n\nclass F(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n"
                   "        " +
                       forward + "\n\n    @staticmethod\n    def backward(ctx, g):\n        " + backward +
                       "\n\n\ndef test_a(device):\n    x = torch.ones([2], device=device)\n    y = F.apply(x)\n",
                   "a.py"))
      .at(0)
      .script;
}

TEST(Raised, a_backward_that_ends_with_an_error_needs_no_return) {
  const Script script = script_of_methods("return x", "raise RuntimeError(\"no\")");
  EXPECT_EQ(script.functions.at(0).returned, (std::vector<std::optional<Slot>>{std::nullopt}));
}

TEST(Raised, a_forward_that_ends_with_an_error_needs_no_return) {
  const Script script = script_of_methods("raise RuntimeError(\"no\")", "return g");
  EXPECT_EQ(show(script.statements.at(2)), "raise \"no\"");
  EXPECT_EQ(show(script.statements.at(3)), "leave forward %0 -> %1");
}

TEST(Raised, a_hook_ends_with_an_error) {
  const program::Test test =
      test_of_log("    def hook(grad):\n        raise RuntimeError(\"no\")\n    x.register_hook(hook)\n");
  EXPECT_EQ(show(test.script.functions.at(0).statements.at(0)), "raise \"no\"");
}

TEST(Questions, are_readings) {
  const std::string has = "torch._C._dispatch_has_kernel_for_dispatch_key(\"mine::f\", \"CPU\")";
  const std::string computed = "torch._C._dispatch_has_computed_kernel_for_dispatch_key(\"mine::f\", \"no key\")";
  const std::string falls = "torch._C._dispatch_kernel_for_dispatch_key_is_fallthrough(\"mine::f\", \"CPU\")";
  const std::string included = "torch._C._dispatch_tls_is_dispatch_key_included(torch._C.DispatchKey.CUDA)";
  const std::string excluded = "torch._C._dispatch_tls_is_dispatch_key_excluded(torch._C.DispatchKey.ADInplaceOrView)";
  const std::string lines = "    assert " + has + " is True\n    assert " + computed + "\n    assert not " + falls +
                            "\n    " + has + "\n    q = " + included + "\n    assert q is False\n    assert not " +
                            excluded + "\n";
  EXPECT_EQ(written_after(lines),
            "query has_kernel \"mine::f\" \"CPU\"\nquery has_computed \"mine::f\" \"no key\"\n"
            "query falls_through \"mine::f\" \"CPU\"\nquery has_kernel \"mine::f\" \"CPU\"\n"
            "query included CUDA\nquery excluded ADInplaceOrView\n");
  EXPECT_EQ(show(test_of_log(lines).expectations), "1: True\n2: True\n3: False\n5: False\n6: False\n");
}

TEST(Questions, name_the_namespace_that_a_test_uses) {
  const std::string text =
      "import torch\n\nlib = torch.library.Library(\"mine\", \"DEF\")\n\n\ndef test_a(device):\n"
      "    torch._C._dispatch_has_kernel_for_dispatch_key(\"mine::f\", \"CPU\")\n";
  EXPECT_EQ(all_of_kind<MakeLibrary>(lower(parse(text, "a.py")).at(0).script).size(), 1U);
}

/// The lines of a test below `x = …`, and the error without "a.py:".
class LogRefused : public testing::TestWithParam<Malformed> {};

TEST_P(LogRefused, says_why) { EXPECT_EQ(error_of(kLogTest + GetParam().body), "a.py:" + GetParam().error); }

const std::string kNoEntry =
    "the log gets something other than a text. Write `log.append(\"text\")`, or in a kernel that is registered "
    "with_keyset=True `log.append(repr(ks))`, where ks is its first parameter.";
const std::string kRaiseForm = "Write `raise RuntimeError(\"…\")`.";

INSTANTIATE_TEST_SUITE_P(
    Log, LogRefused,
    testing::Values(
        Malformed{"    other = []\n    log.append(\"a\")\n    other.append(\"b\")\n",
                  "10:5: the list other is a second log. A test has one log: write `log.clear()` to empty it."},
        Malformed{"    log.append(\"a\")\n    log = []\n",
                  "9:5: 'log' is the name of the log. Use another name; to empty the log, write `log.clear()`."},
        Malformed{
            "    log.append(\"a\")\n    y = torch.ones(log)\n",
            "9:20: 'log' is not a value. An argument is a number, True, False, None, a list of ints or tensors, a "
            "dtype, `device` or the name of a tensor."},
        Malformed{"    log.append(x)\n", "8:9: " + kNoEntry},
        Malformed{"    log.append(repr(x))\n", "8:9: " + kNoEntry}, Malformed{"    log.append()\n", "8:9: " + kNoEntry},
        Malformed{"    y = log.append(\"a\")\n", "8:5: log.append returns nothing to assign. Call it without `=`."},
        Malformed{"    log.clear(1)\n", "8:9: log.clear takes no arguments. Write `log.clear()`."},
        Malformed{"    assert log is []\n",
                  "8:19: log is compared with `is`. Compare numbers, lists and names with ==."},
        Malformed{
            "    assert log == [1]\n",
            "8:20: found 1 on the right of the comparison, expected a text. Write what the observation should be."},
        Malformed{
            "    assert log == \"a\"\n",
            "8:19: found \"a\" on the right of the comparison, expected a list of texts. Write what the observation "
            "should be."},
        Malformed{"    def f():\n        own = []\n        own.append(\"a\")\n    f()\n",
                  "10:9: 'own' is not a log. Make the log in the test itself: `log = []`."},
        Malformed{
            "    lag.append(\"a\")\n",
            "8:5: there is no log 'lag' here. Make it in the test, `log = []`. A function sees it if it is defined "
            "in the test, below that line, or gets it as an argument."},
        Malformed{"    raise ValueError(\"a\")\n",
                  "8:11: found `raise ValueError(\"a\")`. Programs raise only RuntimeError, with a text: write `raise "
                  "RuntimeError(\"…\")`."},
        Malformed{"    raise\n", "8:5: found `raise` without an error. " + kRaiseForm},
        Malformed{"    raise RuntimeError(\"a\") from x\n", "8:29: found `from` after an error. " + kRaiseForm},
        Malformed{"    raise RuntimeError(\"a\")\n    x.t()\n",
                  "9:5: statements after a `raise` never run. Put `raise` last."},
        Malformed{"    def pack(y):\n        raise RuntimeError(\"a\")\n"
                  "    with torch.autograd.graph.saved_tensors_hooks(pack, pack):\n        x.t()\n",
                  "10:51: the hook pack returns nothing. Return a tensor: programs pack tensors as tensors."},
        Malformed{"    assert torch._C._dispatch_has_kernel_for_dispatch_key(\"f\", \"CPU\")\n",
                  "8:59: this is not the name of an operator. Write its namespace and its name, as in \"mine::f\"."},
        Malformed{"    assert torch._C._dispatch_has_kernel_for_dispatch_key(\"aten::t\", \"CPU\")\n",
                  "8:59: aten::t is an operator of PyTorch. Ask about operators of the program's own namespaces."},
        Malformed{"    assert torch._C._dispatch_has_kernel_for_dispatch_key(\"mine::f\")\n",
                  "8:21: torch._C._dispatch_has_kernel_for_dispatch_key takes an operator and a key. Write "
                  "torch._C._dispatch_has_kernel_for_dispatch_key(\"mine::f\", \"CPU\")."},
        Malformed{"    assert torch._C._dispatch_tls_is_dispatch_key_included(\"CPU\")\n",
                  "8:60: this is not a dispatch key. Write torch._C.DispatchKey.KEY, as in torch._C.DispatchKey.CPU."},
        Malformed{"    assert not x.is_inference()\n",
                  "8:12: found `not`. Write the comparison, as in `assert x.is_inference() is False`."}));

TEST(Log, a_kernel_of_the_file_does_not_see_it) {
  EXPECT_EQ(error_of("import torch\n\n\ndef k(x):\n    log.append(\"k\")\n    return x\n\n\ndef test_a(device):\n"
                     "    log = []\n    lib = torch.library.Library(\"mine\", \"DEF\")\n"
                     "    lib.define(\"f(Tensor x) -> Tensor\")\n    lib.impl(\"f\", k, \"CPU\")\n"),
            "a.py:5:5: there is no log 'log' here. Define the kernel in the test, below `log = []`: a function of the "
            "file does not see the test's names.");
}

}  // namespace
}  // namespace plumbline::program
