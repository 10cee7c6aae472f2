// Raising: a script that is written as a program lowers to the same script again.
#include <gtest/gtest.h>

#include "language/lower.h"
#include "language/parse.h"
#include "language/print.h"
#include "language/tests/program_generators.h"
#include "language/tests/program_show.h"
#include "spec/ops/op_ids.h"

namespace plumbline::program {
namespace {

std::string show_errors(const std::vector<ExpectedError>& errors) {
  std::string text;
  for (const ExpectedError& e : errors) text += fmt::format("{}..{} {} {:?}\n", e.first, e.last, e.exception, e.match);
  return text;
}

TEST(Raise, lower_of_parse_of_print_of_raise_is_the_identity) {
  EXPECT_TRUE(rc::check("lower(parse(print(raise(t)))) == t", [] {
    const program::Test test = *any_test();
    RC_LOG() << show(test.script);
    const std::string text = print(raise(test));
    RC_LOG() << text;
    const std::vector<program::Test> again = lower(parse(text, "a.py"));
    RC_ASSERT(again.size() == 1U);
    RC_ASSERT(again[0].name == test.name);
    RC_ASSERT(show(again[0].script) == show(test.script));
    RC_ASSERT(again[0].script.names == test.script.names);
    RC_ASSERT(show(again[0].expectations) == show(test.expectations));
    RC_ASSERT(show_errors(again[0].errors) == show_errors(test.errors));
  }));
}

program::Test with(std::vector<StatementKind> kinds, std::vector<std::string> names) {
  Test test;
  test.name = "test_a";
  test.rules = {"INF-03"};
  test.sentences = {"F-12", "D-03"};
  for (StatementKind& kind : kinds) test.script.statements.push_back({std::move(kind), 0});
  test.script.names = std::move(names);
  return test;
}

MakeTensor pair(Slot slot) { return {slot, Dtype::float32, {2}, {1.0, 2.0}, false}; }

TEST(Raise, uses_the_shortest_spelling_and_only_the_needed_imports) {
  const Slot x{0}, y{1};
  const program::Test test =
      with({pair(x), Snapshot{}, Call{OpId::add__Tensor, {x, std::int64_t{1}, std::int64_t{1}}, {y}, false}},
           {"x", "not a name"});
  EXPECT_EQ(print(raise(test)),
            "import torch\n\n\ndef test_a(device):  # INF-03 F-12 D-03\n    x = torch.tensor([1.0, 2.0], "
            "device=device)\n    x1 = x.add_(1)\n");
}

TEST(Raise, ops_without_a_python_name_are_called_by_overload) {
  const Slot x{0}, y{1};
  EXPECT_NE(print(raise(with({pair(x), Call{OpId::alias, {x}, {y}, false}}, {"x", "y"})))
                .find("y = torch.ops.aten.alias.default(x)"),
            std::string::npos);
}

TEST(Raise, gradients_of_chosen_tensors_are_written_in_python) {
  const Slot x{0}, y{1};
  const std::string text = print(raise(
      with({pair(x), Backward{x, x, true, {x}}, GetGradients{x, {x}, {y}, x, true, true}, GetGradients{x, {x, y}, {}}},
           {"x", "y"})));
  EXPECT_NE(text.find("x.backward(x, retain_graph=True, inputs=[x])\n"
                      "    y, = torch.autograd.grad(x, [x], x, retain_graph=True, allow_unused=True)\n"
                      "    torch.autograd.grad(x, [x, y])\n"),
            std::string::npos)
      << text;
}

TEST(Raise, a_backward_from_several_tensors_is_written_in_python) {
  const Slot x{0}, y{1};
  const std::string text =
      print(raise(with({pair(x), Backward{x, std::nullopt, true, {x}, {{x, x}, {x}}},
                        Backward{x, std::nullopt, false, {}, {{x}}}, GetGradients{x, {x}, {y}, x, false, true, {{x}}}},
                       {"x", "y"})));
  EXPECT_NE(text.find("torch.autograd.backward([x, x, x], [None, x, None], retain_graph=True, inputs=[x])\n"
                      "    torch.autograd.backward([x, x])\n"
                      "    y, = torch.autograd.grad([x, x], [x], [x, None], allow_unused=True)\n"),
            std::string::npos)
      << text;
}

TEST(Raise, unsafe_statements_are_written_in_python) {
  const Slot x{0}, y{1};
  EXPECT_EQ(print(raise(with({pair(x), Enter{GuardKind::below_autograd}, Enter{GuardKind::below_ad_inplace_or_view},
                              Enter{GuardKind::exclude_key, true, "ADInplaceOrView"},
                              Enter{GuardKind::include_key, true, "AutogradCPU"}, GetData{y, x}, SetData{x, y}, Exit{},
                              Exit{}, Exit{}, Exit{}, Backward{x}, GetGrad{y, x}},
                             {"x", "y"}))),
            R"PY(import torch


def test_a(device):  # INF-03 F-12 D-03
    x = torch.tensor([1.0, 2.0], device=device)
    with torch._C._AutoDispatchBelowAutograd():
        with torch._C._AutoDispatchBelowADInplaceOrView():
            with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView)):
                with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.AutogradCPU):
                    y = x.data
                    x.data = y
    x.backward()
    y = x.grad
)PY");
}

TEST(Raise, a_guard_only_of_cpp_is_marked_and_cannot_be_read) {
  const Slot x{0};
  const std::string text = print(raise(
      with({pair(x), Enter{GuardKind::auto_non_variable_type_mode}, Call{OpId::t, {x}, {}, false}, Exit{}}, {"x"})));
  EXPECT_NE(text.find("    with at_AutoNonVariableTypeMode():  # C++ only\n        x.t()\n"), std::string::npos)
      << text;
  EXPECT_THROW(lower(parse(text, "a.py")), ProgramError);
}

TEST(Raise, a_forward_and_its_backward_become_a_class) {
  const Slot x{0}, w{1}, y{2}, z{3}, g{4}, s{5}, h{6};
  program::Test test =
      with({pair(x), pair(w), EnterForward{0, {x, x}}, ContextCall{ContextKind::save_for_backward, {x}},
            Call{OpId::mul_Tensor, {x, std::int64_t{3}}, {y}, false}, MakeTensor{z, Dtype::boolean, {}, {1}, false},
            LeaveForward{{y}, {w}}},
           {"x", "w", "y", "z", "g", "s", "h"});
  test.script.functions.push_back(
      {"Mul", {g}, {{LoadSaved{{s}}}, {Call{OpId::mul_Tensor, {g, s}, {h}, false}}}, {h, std::nullopt}});
  EXPECT_EQ(print(raise(test)), R"PY(import torch


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, x_2, device):
        ctx.save_for_backward(x)
        y = x.mul(3)
        z = torch.tensor(True, device=device)
        return y

    @staticmethod
    def backward(ctx, g):
        s, = ctx.saved_tensors
        h = g.mul(s)
        return h, None, None


def test_a(device):  # INF-03 F-12 D-03
    x = torch.tensor([1.0, 2.0], device=device)
    w = torch.tensor([1.0, 2.0], device=device)
    w = Mul.apply(x, x, device)
)PY");
}

TEST(Raise, a_backward_that_makes_tensors_keeps_the_device) {
  const Slot x{0}, y{1}, g{2}, o{3};
  program::Test test = with({pair(x), EnterForward{0, {x}}, LeaveForward{{x}, {y}}}, {"x", "y", "g", "o"});
  const Call ones{OpId::ones, {std::vector<std::int64_t>{2}, None{}, None{}, None{}, None{}}, {o}, false};
  test.script.functions.push_back({"F", {g}, {{ones}}, {o}});
  const std::string text = print(raise(test));
  EXPECT_NE(text.find("    def forward(ctx, x, device):\n        ctx.device = device\n        return x\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("        o = torch.ones([2], device=ctx.device)\n        return o, None\n"), std::string::npos)
      << text;
}

TEST(Raise, a_thread_becomes_a_function_that_is_started_and_joined) {
  const Slot x{0}, y{1};
  EXPECT_EQ(print(raise(with({pair(x), StartThread{}, Call{OpId::t, {x}, {y}, false}, JoinThread{}}, {"x", "t"}))),
            R"PY(import pytest
import threading
import torch

pytestmark = pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")


def test_a(device):  # INF-03 F-12 D-03
    x = torch.tensor([1.0, 2.0], device=device)
    def train():
        t = x.t()
    t_2 = threading.Thread(target=train)
    t_2.start()
    t_2.join()
)PY");
}

TEST(Raise, a_thread_that_waits_takes_turns_by_events) {
  const Slot x{0}, y{1}, z{2};
  const auto flip = [&](Slot to) { return Call{OpId::t, {x}, {to}, false}; };
  const std::string text = print(raise(
      with({pair(x), StartThread{}, PauseThread{}, flip(y), ResumeThread{}, flip(z), JoinThread{}}, {"x", "y", "z"})));
  EXPECT_NE(text.find(R"PY(    waits = threading.Event()
    goes_on = threading.Event()
    def train():
        waits.set()
        goes_on.wait(10)
        z = x.t()
    t = threading.Thread(target=train)
    t.start()
    waits.wait(10)
    y = x.t()
    goes_on.set()
    t.join()
)PY"),
            std::string::npos)
      << text;
}

/// The operator "mine::f", and a kernel "double" of it.
Script with_operator(Slot in, Slot out) {
  Script script;
  script.operators = {{"mine::f", {{"x"}}, {{""}}}};
  script.kernels = {{"double", {in}, {{Call{OpId::mul_Tensor, {in, std::int64_t{2}}, {out}, false}}}, {out}}};
  return script;
}

TEST(Raise, registrations_are_written_where_they_are) {
  const Slot a{0}, b{1}, x{2}, y{3};
  program::Test test =
      with({MakeLibrary{"lib", "mine", MakeLibrary::Kind::DEF}, DefineOperator{"lib", 0}, pair(x), Try{},
            Invoke{0, {x}, {y}}, AddKernel{"lib", 0, "CPU", 0}, EndTry{}, AddKernel{"lib", 0, "Autograd", 0},
            AddKernel{"lib", 0, "ADInplaceOrView"}, DropLibrary{"lib"}},
           {"a", "b", "x", "y"});
  test.script.operators = with_operator(a, b).operators;
  test.script.kernels = with_operator(a, b).kernels;
  EXPECT_EQ(print(raise(test)), R"PY(import pytest
import torch


def test_a(device):  # INF-03 F-12 D-03
    lib = torch.library.Library("mine", "DEF")
    lib.define("f(Tensor x) -> Tensor")
    x = torch.tensor([1.0, 2.0], device=device)
    def double(a):
        b = a.mul(2)
        return b
    with pytest.raises(RuntimeError):
        y = torch.ops.mine.f(x)
        lib.impl("f", double, "CPU")
    lib.impl("f", double, "Autograd")
    lib.impl("f", torch.library.fallthrough_kernel, "ADInplaceOrView")
    lib._destroy()
)PY");
}

TEST(Raise, libraries_and_kernels_get_names_that_no_slot_has) {
  const Slot lib{0}, a{1}, b{2};
  program::Test test = with({pair(lib), MakeLibrary{"lib", "mine", MakeLibrary::Kind::IMPL}, DefineOperator{"lib", 0},
                             AddKernel{"lib", 0, "CPU", 0}},
                            {"lib", "double", "b"});
  test.script.operators = with_operator(a, b).operators;
  test.script.kernels = with_operator(a, b).kernels;
  const std::string text = print(raise(test));
  EXPECT_NE(text.find("    lib_2 = torch.library.Library(\"mine\", \"IMPL\")\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    lib_2.impl(\"f\", double_2, \"CPU\")\n"), std::string::npos) << text;
}

TEST(Raise, refuses_what_python_cannot_express) {
  const Slot x{0};
  const auto refused = [](const program::Test& test) {
    try {
      raise(test);
      return std::string("accepted");
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(refused(with({Enter{GuardKind::no_grad, false}}, {})),
            "statement 1 has no form in Python: a guard, a Try, a thread or a forward is never left");
  EXPECT_EQ(refused(with({Try{}, Exit{}}, {})),
            "statement 1 has no form in Python: it leaves a guard or a Try that is not the innermost");
  EXPECT_EQ(refused(with({Exit{}}, {})),
            "statement 0 has no form in Python: it leaves a guard or a Try that is not the innermost");
  EXPECT_EQ(refused(with({MakeTensor{x, Dtype::float32, {0, 2}, {}, false}}, {"x"})),
            "statement 0 has no form in Python: no list has a size of 0 before its last dimension");
  EXPECT_EQ(refused(with({MakeTensor{x, Dtype::float32, {2}, {1.0}, false}}, {"x"})),
            "statement 0 has no form in Python: it does not have as many values as its sizes say");
  EXPECT_NE(refused(with({Read{x, Field::version}}, {"x"})).find("the name 'x' is not defined here"),
            std::string::npos);
  EXPECT_EQ(refused(with({pair(x), StartThread{}, Exit{}}, {"x"})),
            "statement 2 has no form in Python: it leaves a guard or a Try that is not the innermost");
  EXPECT_EQ(refused(with({JoinThread{}}, {})),
            "statement 0 has no form in Python: it leaves a thread that is not the innermost");
  EXPECT_EQ(refused(with({pair(x), EnterForward{0, {x}}, LeaveForward{{x}, {x}}}, {"x"})),
            "statement 2 has no form in Python: its function is missing");
  EXPECT_NE(refused(with({StartThread{}, pair(x), JoinThread{}, Read{x, Field::version}}, {"x"}))
                .find("the name 'x' is not defined here"),
            std::string::npos);
  EXPECT_EQ(refused(with({DropLibrary{"lib"}}, {})),
            "statement 0 has no form in Python: no statement makes the library lib");
  EXPECT_EQ(refused(with({MakeLibrary{"lib", "mine"}, DefineOperator{"lib", 0}}, {})),
            "statement 1 has no form in Python: its operator is missing");
  program::Test elsewhere = with({MakeLibrary{"lib", "yours"}, DefineOperator{"lib", 0}}, {});
  elsewhere.script.operators = with_operator(x, x).operators;
  EXPECT_EQ(refused(elsewhere),
            "statement 1 has no form in Python: the operator mine::f is not of the library's namespace");
  program::Test twice = with({pair(x), Read{x, Field::version}}, {"x"});
  twice.expectations.resize(2);
  twice.expectations[0].statement = twice.expectations[1].statement = 1;
  EXPECT_NE(refused(twice).find("two asserts share one reading"), std::string::npos);
  program::Test hidden = with({pair(x), Read{x, Field::base}}, {"x"});
  hidden.expectations.resize(1);
  hidden.expectations[0].statement = 1;
  hidden.expectations[0].expected = std::int64_t{-2};
  EXPECT_NE(refused(hidden).find("the base has no name"), std::string::npos);
}

}  // namespace
}  // namespace plumbline::program
