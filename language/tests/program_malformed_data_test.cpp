// Malformed uses of `.data`, `.grad`, `backward`, `set_` and the unsafe guards: each is refused with what to do.
#include <gtest/gtest.h>

#include "language/tests/program_malformed.h"

namespace plumbline::program {
namespace {

class DataBody : public testing::TestWithParam<Malformed> {};

TEST_P(DataBody, is_refused) { EXPECT_EQ(error_of(GetParam()), "a.py:" + GetParam().error); }

INSTANTIATE_TEST_SUITE_P(
    BesideOps, DataBody,
    testing::Values(
        Malformed{"x.backward(x, gradient=x)",
                  "6:7: backward does not take these arguments. Write y.backward(), y.backward(g), y.backward(g, "
                  "retain_graph=True, create_graph=True), y.backward(inputs=[x]) or torch.autograd.backward([y, z], "
                  "[g, None])."},
        Malformed{"x.backward(tensors=x)",
                  "6:7: backward does not take these arguments. Write y.backward(), y.backward(g), y.backward(g, "
                  "retain_graph=True, create_graph=True), y.backward(inputs=[x]) or torch.autograd.backward([y, z], "
                  "[g, None])."},
        Malformed{"x.backward(inputs=[])", "6:23: inputs= is empty. Name a tensor, or leave it out."},
        Malformed{"torch.autograd.backward([])", "6:29: backward starts from no tensor. Name the tensors."},
        Malformed{"torch.autograd.backward([x, x], x)",
                  "6:37: 2 tensors, but 1 gradients. Write a gradient for each tensor, or None."},
        Malformed{"g, = torch.autograd.grad(x, x, [x, None])",
                  "6:36: 1 tensors, but 2 gradients. Write a gradient for each tensor, or None."},
        Malformed{"torch.autograd.backward()",
                  "6:20: backward has no tensor to start from. Write y.backward(), y.backward(g), y.backward(g, "
                  "retain_graph=True, create_graph=True), y.backward(inputs=[x]) or torch.autograd.backward([y, z], "
                  "[g, None])."},
        Malformed{"g, = torch.autograd.grad(x)",
                  "6:25: torch.autograd.grad does not take these arguments. Write `g, = torch.autograd.grad(y, [x])`; "
                  "it also takes a gradient, retain_graph=True, create_graph=True and allow_unused=True."},
        Malformed{"g, = torch.autograd.grad(x, [])",
                  "6:33: grad() has no inputs. Write `g, = torch.autograd.grad(y, [x])`; it also takes a gradient, "
                  "retain_graph=True, create_graph=True and allow_unused=True."},
        Malformed{"g = torch.autograd.grad(x, x)",
                  "6:5: torch.autograd.grad returns a tuple. Unpack it: `g, = torch.autograd.grad(y, [x])`."},
        Malformed{"g, h = torch.autograd.grad(x, x)",
                  "6:5: torch.autograd.grad returns 1 gradients, but 2 names are assigned. Write a name for each "
                  "input."},
        Malformed{"g, = torch.autograd.grad(x, x, materialize_grads=True)",
                  "6:54: materialize_grads=True makes zeros of missing gradients. Write allow_unused=True."},
        Malformed{"g, = torch.autograd.grad(x, x, is_grads_batched=True)",
                  "6:53: is_grads_batched=True: programs have no vmap. Call torch.autograd.grad for each gradient."},
        Malformed{"torch.autograd.functional.vjp(x, x)",
                  "6:5: of torch.autograd, programs can use grad, backward, and Function as the base of a class. Write "
                  "y.backward() for gradients, or a class with torch.autograd.Function as its base."},
        Malformed{"x.backward(retain_graph=1)",
                  "6:29: retain_graph is given 1, expected True or False. Write True or False."},
        Malformed{"x.backward(1)", "6:16: found 1, expected the name of a tensor. Give the tensor a name first."},
        Malformed{"x.retain_grad(x)", "6:7: retain_grad takes no arguments. Write x.retain_grad()."},
        Malformed{"y = x.retain_grad()", "6:5: retain_grad returns nothing to assign. Call it without `=`."},
        Malformed{"torch.manual_seed(x)", "6:23: 'x' is not a literal. Write the value itself."},
        Malformed{"torch.manual_seed(1.5)",
                  "6:23: torch.manual_seed is given 1.5, expected an int. Write torch.manual_seed(0)."},
        Malformed{"g = torch.manual_seed(0)", "6:5: torch.manual_seed returns no tensor. Call it without `=`."},
        Malformed{"y = x.backward()", "6:5: backward returns nothing to assign. Call it without `=`, and read x.grad."},
        Malformed{"x.data.add_(1)",
                  "6:5: `x.data` is used inside another expression. Give it a name first, as in `y = x.data`."},
        Malformed{"x.data.requires_grad",
                  "6:5: `x.data` is used inside another expression. Give it a name first, as in `y = x.data`."},
        Malformed{"x.add_(x.grad)",
                  "6:12: `x.grad` is used inside another expression. Give it a name first, as in `y = x.grad`."},
        Malformed{"x.data = x.grad",
                  "6:14: `x.grad` is used inside another expression. Give it a name first, as in `y = x.grad`."},
        Malformed{"x.grad.add(1)",
                  "6:5: `x.grad` is used inside another expression. Give it a name first, as in `y = x.grad`."},
        Malformed{"assert x.grad == None", "6:22: `.grad` is compared with ==. Compare it with `is` or `is not`."},
        Malformed{"assert x.grad is x",
                  "6:22: found x on the right of the comparison, expected None; a gradient's values are compared as "
                  "in `x.grad.tolist() == […]`. Write what the observation should be."},
        Malformed{"x.grad.tolist()",
                  "6:5: `x.grad.tolist()` is used outside an assert. Write `assert x.grad.tolist() == […]`, or "
                  "`g = x.grad`."},
        Malformed{"assert x.data.tolist() == [1]",
                  "6:12: `x.data` is used inside another expression. Give it a name first, as in `y = x.data`."},
        Malformed{"torch.ops.aten.set_.source_Tensor(x, x)",
                  "6:25: torch.ops.aten.set_.source_Tensor does not compare dtypes, as x.set_ does. Write x.set_(…)."},
        Malformed{"x.set_()",
                  "6:7: the argument 'source' of set_.source_Tensor is missing. The schema is "
                  "set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)."},
        Malformed{"x.data", "6:5: `x.data` is not assigned to a name. Write `y = x.data`."},
        Malformed{"y, z = x.data", "6:5: `x.data` is one tensor. Assign it to one name, without a comma."},
        Malformed{"y = xx.data", "6:9: the name 'xx' is not defined here. Did you mean x?"},
        Malformed{"x.data = 1", "6:14: found 1, expected the name of a tensor. Give the tensor a name first."},
        Malformed{"x.grad = 1", "6:14: found 1, expected the name of a tensor. Give the tensor a name first."},
        Malformed{"x.names = x",
                  "6:5: 'names' cannot be assigned to. The attributes that can be set are x.requires_grad, x.grad "
                  "and x.data."},
        Malformed{"with torch._C._AutoDispatchBelowAutograd(True):\n    x.t()",
                  "6:19: torch._C._AutoDispatchBelowAutograd does not take these arguments. Write "
                  "torch._C._AutoDispatchBelowAutograd()."},
        Malformed{"torch._C._AutoDispatchBelowAutograd()",
                  "6:5: torch._C._AutoDispatchBelowAutograd is used outside `with`. Write `with "
                  "torch._C._AutoDispatchBelowAutograd(…):` and the statements below it."},
        Malformed{"with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKey.AutogradCPU):\n    x.t()",
                  "6:44: this is not the set of one key. Write torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)."},
        Malformed{"with torch._C._ExcludeDispatchKeyGuard():\n    x.t()",
                  "6:19: torch._C._ExcludeDispatchKeyGuard does not take these arguments. Write "
                  "torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU))."},
        Malformed{"with torch._C._IncludeDispatchKeyGuard(\"CPU\"):\n    x.t()",
                  "6:44: this is not a dispatch key. Write torch._C.DispatchKey.KEY, as in torch._C.DispatchKey.CPU."},
        Malformed{"with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.CPUU):\n    x.t()",
                  "6:65: torch._C.DispatchKey has no runtime key CPUU. Did you mean CPU or HPU or IPU?"},
        Malformed{"with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.Undefined):\n    x.t()",
                  "6:65: the key Undefined has no bit in a key set. Write another key; for the empty set, redispatch "
                  "with torch._C.DispatchKeySet(torch._C.DispatchKey.Undefined) alone."},
        Malformed{"with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU)):\n"
                  "    x.t()",
                  "6:44: found a call inside another expression. Write one call per statement: give the inner result a "
                  "name first, as in `y = x.view([6])`."},
        Malformed{"with torch._C._AutoNonVariableTypeMode():\n    x.t()",
                  "6:10: AutoNonVariableTypeMode is C++ only: Python has no such guard. Write `with "
                  "torch._C._AutoDispatchBelowAutograd():`, which excludes the same keys."},
        Malformed{"with at_AutoNonVariableTypeMode():\n    x.t()",
                  "6:10: AutoNonVariableTypeMode is C++ only: Python has no such guard. Write `with "
                  "torch._C._AutoDispatchBelowAutograd():`, which excludes the same keys."}));

}  // namespace
}  // namespace plumbline::program
