// Lowering: the script for each form of a program.
#include <gtest/gtest.h>

#include "language/lower.h"
#include "language/parse.h"
#include "language/tests/program_show.h"

namespace plumbline::program {
namespace {

program::Test lowered(const std::string& functions, const std::string& body) {
  const std::vector<program::Test> tests = lower(parse(
      "import pytest\nimport torch\n\n" + functions + "\n\ndef test_a(device):  # INF-07 F-12 VIEW-04 D-103\n" + body,
      "a.py"));
  EXPECT_EQ(tests.size(), 1U);
  return tests.at(0);
}

std::string indented(const std::string& lines) {
  std::string out = "    ";
  for (const char c : lines) out += c == '\n' ? "\n    " : std::string(1, c);
  return out + "\n";
}

program::Test lowered(const std::string& body) { return lowered("", indented(body)); }

struct Form {
  std::string call;
  std::string becomes;
};
std::ostream& operator<<(std::ostream& os, const Form& form) { return os << form.call; }

class LowerCall : public testing::TestWithParam<Form> {};

/// After `x = torch.ones([2, 3])` and `y = torch.ones([2, 3])`, which are %0 and %1.
TEST_P(LowerCall, becomes) {
  const program::Test test = lowered("x = torch.ones([2, 3])\ny = torch.ones([2, 3])\n" + GetParam().call);
  EXPECT_EQ(show(test.script.statements.at(2)), GetParam().becomes);
}

INSTANTIATE_TEST_SUITE_P(
    Views, LowerCall,
    testing::Values(Form{"z = x.view(6)", "%2 = view(%0, [6])"}, Form{"z = x.view(2, 3)", "%2 = view(%0, [2, 3])"},
                    Form{"z = x.view([2, 3])", "%2 = view(%0, [2, 3])"},
                    Form{"z = x.view((2, 3))", "%2 = view(%0, [2, 3])"},
                    Form{"z = x.view(size=[6])", "%2 = view(%0, [6])"}, Form{"z = x.view([])", "%2 = view(%0, [])"},
                    Form{"z = x.select(0, 1)", "%2 = select.int(%0, 0, 1)"},
                    Form{"z = x.select(dim=0, index=-1)", "%2 = select.int(%0, 0, -1)"},
                    Form{"z = torch.select(x, 0, 1)", "%2 = select.int(%0, 0, 1)"},
                    Form{"z = torch.select(input=x, dim=0, index=1)", "%2 = select.int(%0, 0, 1)"},
                    Form{"z = x.permute(1, 0)", "%2 = permute(%0, [1, 0])"},
                    Form{"z = torch.permute(x, (1, 0))", "%2 = permute(%0, [1, 0])"},
                    Form{"z = x.expand(2, 3)", "%2 = expand(%0, [2, 3], False)"},
                    Form{"z = x.expand(-1, 3, implicit=True)", "%2 = expand(%0, [-1, 3], True)"},
                    Form{"z = x.squeeze()", "%2 = squeeze(%0)"}, Form{"z = x.squeeze(0)", "%2 = squeeze.dim(%0, 0)"},
                    Form{"z = x.diagonal()", "%2 = diagonal(%0, 0, 0, 1)"},
                    Form{"z = x.diagonal(dim1=1, dim2=0)", "%2 = diagonal(%0, 0, 1, 0)"},
                    Form{"z = x.as_strided([2], [1])", "%2 = as_strided(%0, [2], [1], None)"},
                    Form{"z = torch.ops.aten.slice.Tensor(x, 0, 1)", "%2 = slice.Tensor(%0, 0, 1, None, 1)"},
                    Form{"z = torch.ops.aten.alias(x)", "%2 = alias(%0)"}, Form{"z = x.conj()", "%2 = conj(%0)"},
                    Form{"z = torch.conj(x)", "%2 = conj(%0)"}, Form{"z = x.resolve_neg()", "%2 = resolve_neg(%0)"},
                    Form{"z = x.imag", "%2 = imag(%0)"}, Form{"z = torch.view_as_real(x)", "%2 = view_as_real(%0)"},
                    Form{"z = torch.ops.aten.alias.default(x)", "%2 = alias(%0)"},
                    Form{"a, b = x.split(1)", "%2, %3 = split.Tensor(%0, 1, 0)"},
                    Form{"a, = x.split(2, 0)", "%2 = split.Tensor(%0, 2, 0)"},
                    Form{"a, b, c = x.unbind(1)", "%2, %3, %4 = unbind.int(%0, 1)"},
                    Form{"x.unbind()", "unbind.int(%0, 0)"}));

INSTANTIATE_TEST_SUITE_P(
    Ops, LowerCall,
    testing::Values(Form{"z = x.add(1)", "%2 = add.Tensor(%0, 1, 1)"},
                    Form{"z = x.add(y, alpha=2)", "%2 = add.Tensor(%0, %1, 2)"},
                    Form{"z = torch.add(x, 1.5)", "%2 = add.Tensor(%0, 1.5, 1)"},
                    Form{"z = torch.mul(2, x)", "%2 = mul.Tensor(2, %0)"},
                    Form{"z = torch.ops.aten.add.Tensor(self=x, other=y)", "%2 = add.Tensor(%0, %1, 1)"},
                    Form{"x.add_(y)", "add_.Tensor(%0, %1, 1)"}, Form{"y = x.add_(1)", "%1 = add_.Tensor(%0, 1, 1)"},
                    Form{"x.copy_(1)", "copy_(%0, 1, False)"}, Form{"x.fill_(1)", "fill_.Scalar(%0, 1)"},
                    Form{"z = x.sum()", "%2 = sum(%0, None)"},
                    Form{"z = x.sum(dtype=torch.double)", "%2 = sum(%0, float64)"},
                    Form{"z = x.sum(0)", "%2 = sum.dim_IntList(%0, [0], False, None)"},
                    Form{"z = x.sum([0])", "%2 = sum.dim_IntList(%0, [0], False, None)"},
                    Form{"z = x.sum(None, True)", "%2 = sum.dim_IntList(%0, None, True, None)"},
                    Form{"z = x.sum([], keepdim=True)", "%2 = sum.dim_IntList(%0, [], True, None)"},
                    Form{"z = x.clone()", "%2 = clone(%0, None)"}));

INSTANTIATE_TEST_SUITE_P(
    Factories, LowerCall,
    testing::Values(Form{"z = torch.zeros(2, 3)", "%2 = zeros([2, 3], None, None, None, None)"},
                    Form{"z = torch.zeros([2, 3], dtype=torch.float64, device=device, requires_grad=True)",
                         "%2 = zeros([2, 3], float64, None, None, None) requires_grad"},
                    Form{"z = torch.zeros(2, layout=torch.strided, pin_memory=False)",
                         "%2 = zeros([2], None, None, None, False)"},
                    Form{"z = torch.empty((2,))", "%2 = empty.memory_format([2], None, None, None, None, None)"},
                    Form{"z = torch.arange(6)", "%2 = arange(6, None, None, None, None)"},
                    Form{"z = torch.arange(1, 6.5)", "%2 = arange.start(1, 6.5, None, None, None, None)"},
                    Form{"z = torch.full([2], 3.0)", "%2 = full([2], 3.0, None, None, None, None)"},
                    Form{"z = torch.tensor([[1, 2], [3, 4]])", "%2 = tensor(int64, [2, 2], [1.0, 2.0, 3.0, 4.0])"},
                    Form{"z = torch.tensor([1, 2.5])", "%2 = tensor(float32, [2], [1.0, 2.5])"},
                    Form{"z = torch.tensor(3.0, dtype=torch.float64, device=device, requires_grad=True)",
                         "%2 = tensor(float64, [], [3.0]) requires_grad"},
                    Form{"z = torch.tensor([[], []])", "%2 = tensor(float32, [2, 0], [])"},
                    Form{"z = torch.tensor([1.7], dtype=torch.int64)", "%2 = tensor(int64, [1], [1.0])"},
                    Form{"x.requires_grad = True", "%0.requires_grad = true"},
                    Form{"x.requires_grad_()", "%0.requires_grad_(true)"},
                    Form{"z = x.requires_grad_(False)", "%0.requires_grad_(false)"},
                    Form{"x.requires_grad_(requires_grad=False)", "%0.requires_grad_(false)"}));

INSTANTIATE_TEST_SUITE_P(
    Dtypes, LowerCall,
    testing::Values(Form{"z = torch.tensor([True, False])", "%2 = tensor(bool, [2], [1.0, 0.0])"},
                    Form{"z = torch.tensor([True, 2])", "%2 = tensor(int64, [2], [1.0, 2.0])"},
                    Form{"z = torch.tensor([True, 2.5])", "%2 = tensor(float32, [2], [1.0, 2.5])"},
                    Form{"z = torch.tensor([1, 2], dtype=torch.int)", "%2 = tensor(int32, [2], [1.0, 2.0])"},
                    Form{"z = torch.tensor([1.7], dtype=torch.int32)", "%2 = tensor(int32, [1], [1.0])"},
                    Form{"z = torch.tensor([0, 2, float(\"nan\")], dtype=torch.bool)",
                         "%2 = tensor(bool, [3], [0.0, 1.0, 1.0])"},
                    Form{"z = x.view(torch.int32)", "%2 = view.dtype(%0, int32)"},
                    Form{"z = x.to(torch.float64)", "%2 = to.dtype(%0, float64, False, False, None)"},
                    Form{"z = x.to(dtype=torch.bool, copy=True)", "%2 = to.dtype(%0, bool, False, True, None)"},
                    Form{"z = torch.ops.aten.to.dtype(x, torch.long, False, False, None)",
                         "%2 = to.dtype(%0, int64, False, False, None)"}));

INSTANTIATE_TEST_SUITE_P(
    Lists, LowerCall,
    testing::Values(Form{"z = torch.cat([x, y], 0)", "%2 = cat([%0, %1], 0)"},
                    Form{"z = torch.cat((x, y), dim=1)", "%2 = cat([%0, %1], 1)"},
                    Form{"z = torch.cat(tensors=[x])", "%2 = cat([%0], 0)"},
                    Form{"z = torch.cat([])", "%2 = cat([], 0)"},
                    Form{"z = torch.stack((x, y))", "%2 = stack([%0, %1], 0)"},
                    Form{"a, b = x.split([1, 1])", "%2, %3 = split_with_sizes(%0, [1, 1], 0)"},
                    Form{"a, b = x.split(split_size=[1, 2], dim=1)", "%2, %3 = split_with_sizes(%0, [1, 2], 1)"},
                    Form{"a, = torch.split(x, [3], 1)", "%2 = split_with_sizes(%0, [3], 1)"},
                    Form{"a, = torch.split(tensor=x, split_size_or_sections=2)", "%2 = split.Tensor(%0, 2, 0)"},
                    Form{"a, = x.split_with_sizes([2])", "%2 = split_with_sizes(%0, [2], 0)"},
                    Form{"a, b = x.chunk(2)", "%2, %3 = chunk(%0, 2, 0)"}));

INSTANTIATE_TEST_SUITE_P(Out, LowerCall,
                         testing::Values(Form{"torch.add(x, y, out=x)", "add.out(%0, %1, 1, %0)"},
                                         Form{"z = torch.add(x, 2, alpha=3, out=y)", "%2 = add.out(%0, 2, 3, %1)"},
                                         Form{"torch.sum(x, [0], out=y)", "sum.IntList_out(%0, [0], False, None, %1)"},
                                         Form{"torch.sum(x, 0, True, out=y)",
                                              "sum.IntList_out(%0, [0], True, None, %1)"},
                                         Form{"torch.cat([x, y], out=x)", "cat.out([%0, %1], 0, %0)"},
                                         Form{"torch.mm(x, y, out=y)", "mm.out(%0, %1, %1)"},
                                         Form{"torch.ops.aten.neg(x, out=y)", "neg.out(%0, %1)"},
                                         Form{"torch.ops.aten.neg.out(x, out=y)", "neg.out(%0, %1)"}));

INSTANTIATE_TEST_SUITE_P(
    Overloads, LowerCall,
    testing::Values(Form{"z = x.gt(0)", "%2 = gt.Scalar(%0, 0)"}, Form{"z = x.gt(y)", "%2 = gt.Tensor(%0, %1)"},
                    Form{"z = torch.eq(x, 1.5)", "%2 = eq.Scalar(%0, 1.5)"},
                    Form{"z = torch.where(x, y, x)", "%2 = where.self(%0, %1, %0)"},
                    Form{"z = torch.where(x, input=y, other=x)", "%2 = where.self(%0, %1, %0)"},
                    Form{"z = y.where(x, x)", "%2 = where.self(%0, %1, %0)"},
                    Form{"z = y.where(condition=x, other=x)", "%2 = where.self(%0, %1, %0)"},
                    Form{"z = torch.max(x)", "%2 = max(%0)"}, Form{"z, i = x.max(0)", "%2, %3 = max.dim(%0, 0, False)"},
                    Form{"z, i = torch.max(input=x, dim=0, keepdim=True)", "%2, %3 = max.dim(%0, 0, True)"},
                    Form{"a, b = x.aminmax()", "%2, %3 = aminmax(%0, None, False)"},
                    Form{"z = x.softmax(0)", "%2 = softmax.int(%0, 0, None)"},
                    Form{"z = torch._softmax(x, 0, False)", "%2 = _softmax(%0, 0, False)"},
                    Form{"z = x.flatten()", "%2 = flatten.using_ints(%0, 0, -1)"},
                    Form{"z = x.reshape(3, 2)", "%2 = reshape(%0, [3, 2])"},
                    Form{"z = torch.reshape(x, (3, 2))", "%2 = reshape(%0, [3, 2])"},
                    Form{"z = x.div(2)", "%2 = div.Tensor(%0, 2)"}, Form{"x.resize_(2)", "resize_(%0, [2], None)"},
                    Form{"z = torch.rand([2])", "%2 = rand([2], None, None, None, None)"},
                    Form{"z = torch.zeros_like(x)", "%2 = zeros_like(%0, None, None, None, None, None)"},
                    Form{"z = x.new_full([2], 1)", "%2 = new_full(%0, [2], 1, None, None, None, None)"},
                    Form{"z = torch.ops.aten._to_copy(x, dtype=torch.double)",
                         "%2 = _to_copy(%0, float64, None, None, None, False, None)"}));

INSTANTIATE_TEST_SUITE_P(Gradients, LowerCall,
                         testing::Values(Form{"y.backward(x)", "%1.backward %0"},
                                         Form{"y.backward(gradient=x)", "%1.backward %0"},
                                         Form{"y.backward(None, True)", "%1.backward retain"},
                                         Form{"y.backward(x, retain_graph=True)", "%1.backward %0 retain"},
                                         Form{"y.backward(gradient=None, retain_graph=None)", "%1.backward"},
                                         Form{"y.backward(inputs=x)", "%1.backward for %0"},
                                         Form{"y.backward(x, True, False, [x, y])", "%1.backward %0 retain for %0, %1"},
                                         Form{"torch.autograd.backward((y,), [x])", "%1.backward %0"},
                                         Form{"torch.autograd.backward(y, inputs=(x,))", "%1.backward for %0"},
                                         Form{"torch.autograd.grad(y, x)", " = grad %1 for %0"},
                                         Form{"g, h = torch.autograd.grad([y], [x, y], [x], True, only_inputs=True)",
                                              "%2, %3 = grad %1 for %0, %1 %0 retain"},
                                         Form{"g, = torch.autograd.grad(inputs=x, outputs=y, allow_unused=True)",
                                              "%2 = grad %1 for %0 unused"},
                                         Form{"x.grad = None", "%0.grad = None"}, Form{"x.grad = y", "%0.grad = %1"},
                                         Form{"x.retain_grad()", "%0.retain_grad"},
                                         Form{"torch.manual_seed(3)", "seed 3"},
                                         Form{"torch.manual_seed(seed=-1)", "seed -1"}, Form{"x.grad", "read %0 15"}));

INSTANTIATE_TEST_SUITE_P(BesideOps, LowerCall,
                         testing::Values(Form{"z = x.data", "%2 = %0.data"}, Form{"x = x.data", "%0 = %0.data"},
                                         Form{"z = x.grad", "%2 = %0.grad"}, Form{"x.data = y", "%0.data = %1"},
                                         Form{"y.backward()", "%1.backward"},
                                         Form{"z = x.set_(y)", "%2 = set_.source_Tensor(%0, %1)"},
                                         Form{"x.set_(source=y)", "set_.source_Tensor(%0, %1)"}));

INSTANTIATE_TEST_SUITE_P(
    UnsafeGuards, LowerCall,
    testing::Values(
        Form{"with torch._C._AutoDispatchBelowAutograd():\n    pass", "enter 4 true"},
        Form{"with torch._C._AutoDispatchBelowADInplaceOrView():\n    pass", "enter 5 true"},
        Form{"with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView)):\n"
             "    pass",
             "enter 6 true ADInplaceOrView"},
        Form{"with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU)):\n"
             "    pass",
             "enter 6 true AutogradCPU"},
        Form{"with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.ADInplaceOrView):\n    pass",
             "enter 7 true ADInplaceOrView"},
        Form{"with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.AutogradCPU):\n    pass",
             "enter 7 true AutogradCPU"}));

struct Observed {
  std::string assertion;
  std::string reads;  ///< one line each
  std::string expectations;
};
std::ostream& operator<<(std::ostream& os, const Observed& o) { return os << o.assertion; }

class LowerAssert : public testing::TestWithParam<Observed> {};

TEST_P(LowerAssert, becomes) {
  const program::Test test = lowered("x = torch.ones([2, 3])\ny = x.add_(1)\nz = x.view(6)\n" + GetParam().assertion);
  std::string reads;
  for (std::size_t i = 3; i < test.script.statements.size(); ++i) reads += show(test.script.statements[i]) + "\n";
  EXPECT_EQ(reads, GetParam().reads);
  EXPECT_EQ(show(test.expectations), GetParam().expectations);
}

INSTANTIATE_TEST_SUITE_P(
    Fields, LowerAssert,
    testing::Values(
        Observed{"assert x.dtype is torch.float32", "read %0 0\n", "3: float32\n"},
        Observed{"assert x.dtype == torch.double", "read %0 0\n", "3: float64\n"},
        Observed{"assert list(x.shape) == [2, 3]", "read %0 1\n", "3: [2, 3]\n"},
        Observed{"assert list(x.size()) == [2, 3]", "read %0 1\n", "3: [2, 3]\n"},
        Observed{"assert x.shape == (2, 3)", "read %0 1\n", "3: [2, 3]\n"},
        Observed{"assert x.size() == torch.Size([2, 3])", "read %0 1\n", "3: [2, 3]\n"},
        Observed{"assert x.stride() == (3, 1)", "read %0 2\n", "3: [3, 1]\n"},
        Observed{"assert x.storage_offset() == 0", "read %0 3\n", "3: 0\n"},
        Observed{"assert x.tolist() == [[1, 2], [3, 4]]", "read %0 1\nread %0 4\n",
                 "3: [2, 2]\n4: values [1, 2, 3, 4]\n"},
        Observed{"assert x.tolist() == [1, 2.5]", "read %0 1\nread %0 4\n", "3: [2]\n4: values [1.0, 2.5]\n"},
        Observed{"assert x.tolist() == [True, False]", "read %0 1\nread %0 4\n", "3: [2]\n4: values [1, 0]\n"},
        Observed{"assert x.grad is None", "read %0 15\n", "3: None\n"},
        Observed{"assert x.grad is not None", "read %0 15\n", "3: not None\n"},
        Observed{"assert x.grad.tolist() == [[1, 2], [3, 4]]", "read %0 1\nread %0 15\n",
                 "3: [2, 2]\n4: values [1, 2, 3, 4]\n"},
        Observed{"assert x.tolist() == 3.0", "read %0 1\nread %0 4\n", "3: []\n4: values [3.0]\n"},
        Observed{"assert x.tolist() == [[], []]", "read %0 1\nread %0 4\n", "3: begins with [2, 0]\n4: values []\n"},
        Observed{"assert x.is_inference() is True", "read %0 7\n", "3: True\n"},
        Observed{"assert x._version == 1", "read %0 8\n", "3: 1\n"},
        Observed{"assert x.requires_grad is not True", "read %0 9\n", "3: False\n"},
        Observed{"assert x.is_leaf == False", "read %0 10\n", "3: False\n"},
        Observed{"assert x.grad_fn is None", "read %0 11\n", "3: False\n"},
        Observed{"assert x.grad_fn is not None", "read %0 11\n", "3: True\n"},
        Observed{"assert z._is_view() is True", "read %2 12\n", "3: True\n"},
        Observed{"assert z._base is None", "read %2 13\n", "3: -1\n"},
        Observed{"assert z._base is not None", "read %2 13\n", "3: not -1\n"},
        Observed{"assert z._base is x", "read %2 13\n", "3: 0\n"},
        Observed{"assert z._base is y", "read %2 13\n", "3: 0\n"},  // y and x are the same tensor object
        Observed{"assert z._base is not z", "read %2 13\n", "3: not 2\n"},
        Observed{"assert torch._C._autograd._get_creation_meta(z) == torch._C._autograd.CreationMeta.INFERENCE_MODE",
                 "read %2 14\n", "3: INFERENCE_MODE\n"},
        Observed{"assert torch._C._is_alias_of(x, z) is True", "read %0 5\nread %2 5\n", "4: as 3\n"},
        Observed{"assert torch._C._is_alias_of(x, z) is False", "read %0 5\nread %2 5\n", "4: not as 3\n"},
        Observed{"assert torch._C._dispatch_keys(x).has(torch._C.DispatchKey.AutogradCPU) is True", "read %0 6\n",
                 "3: contains AutogradCPU\n"},
        Observed{"assert torch._C._dispatch_keys(x).has(torch._C.DispatchKey.CPU) is not True", "read %0 6\n",
                 "3: not contains CPU\n"}));

INSTANTIATE_TEST_SUITE_P(
    Others, LowerAssert,
    testing::Values(
        Observed{"assert torch.is_inference_mode_enabled() is True", "read thread 0\n", "3: True\n"},
        Observed{"assert torch.is_grad_enabled() is False", "read thread 1\n", "3: False\n"},
        Observed{"assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is False",
                 "read thread 2\n", "3: not contains ADInplaceOrView\n"},
        Observed{"assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutocastCPU) is True",
                 "read thread 3\n", "3: contains AutocastCPU\n"},
        Observed{"x._version", "read %0 8\n", ""}, Observed{"x.tolist()", "read %0 4\n", ""},
        Observed{"x.untyped_storage()", "read %0 5\n", ""},
        Observed{"v = x._version\nassert v == 1", "read %0 8\n", "3: 1\n"},
        Observed{"v = x._version\nassert x._version == v", "read %0 8\nread %0 8\n", "4: as 3\n"},
        Observed{"v = x.tolist()\nassert z.tolist() == v", "read %0 1\nread %0 4\nread %2 1\nread %2 4\n",
                 "5: as 3\n6: as 4\n"},
        Observed{"n = 1\nassert x._version == n", "read %0 8\n", "3: 1\n"}));

TEST(Lower, guards_and_expected_errors_are_lowered) {
  const program::Test test = lowered(
      "x = torch.ones(2)\n"
      "with torch.inference_mode(), torch.inference_mode(False), torch.inference_mode(mode=False):\n"
      "    with torch.no_grad():\n"
      "        with torch.enable_grad():\n"
      "            with torch.set_grad_enabled(False):\n"
      "                pass\n"
      "with pytest.raises(IndexError, match=r\"a\\.b\"):\n"
      "    x.select(1, 0)");
  EXPECT_EQ(show(test.script),
            "%0 = ones([2], None, None, None, None)\nenter 0 true\nenter 0 false\nenter 0 false\nenter 1 false\nenter "
            "2 true\nenter 3 false\n"
            "exit\nexit\nexit\nexit\nexit\nexit\ntry\nselect.int(%0, 1, 0)\nend try\n");
  ASSERT_EQ(test.errors.size(), 1U);
  EXPECT_EQ(test.errors[0].first, 13U);
  EXPECT_EQ(test.errors[0].last, 15U);
  EXPECT_EQ(test.errors[0].exception, "IndexError");
  EXPECT_EQ(test.errors[0].match, "a\\.b");
}

TEST(Lower, a_test_has_its_name_line_rules_and_sentences) {
  const program::Test test = lowered("", "    pass\n");
  EXPECT_EQ(test.name, "test_a");
  EXPECT_EQ(test.line, 6);
  EXPECT_EQ(test.rules, (std::vector<std::string>{"INF-07", "VIEW-04"}));
  EXPECT_EQ(test.sentences, (std::vector<std::string>{"F-12", "D-103"}));
}

TEST(Lower, a_function_is_inlined_into_its_caller) {
  const program::Test test = lowered(
      "def body(a, n):\n    b = a.view([n])\n    b.add_(n)\n    return b\n",
      "    x = torch.ones(6)\n    y = body(x, n=6)\n    z = body(y, 6)\n    z.t()\n    assert y._version == 2\n");
  EXPECT_EQ(show(test.script),
            "%0 = ones([6], None, None, None, None)\n%1 = view(%0, [6])\nadd_.Tensor(%1, 6, 1)\n%2 = view(%1, "
            "[6])\nadd_.Tensor(%2, 6, 1)\nt(%2)\nread %1 8\n");
  EXPECT_EQ(test.script.names, (std::vector<std::string>{"x", "body_b", "body_b_2"}));
  EXPECT_EQ(test.script.statements[1].line, 5);
}

TEST(Lower, a_returned_call_fills_the_callers_names) {
  const program::Test test = lowered(
      "def cut(a):\n    with torch.no_grad():\n        return a.split(1)\n\ndef two(a):\n    b = a.t()\n    return a, "
      "b\n",
      "    x = torch.ones(2, 2)\n    p, q = cut(x)\n    r, s = two(q)\n    r.add_(s)\n    cut(x)\n");
  EXPECT_EQ(show(test.script),
            "%0 = ones([2, 2], None, None, None, None)\nenter 1 false\n%1, %2 = split.Tensor(%0, 1, 0)\nexit\n%3 = "
            "t(%2)\nadd_.Tensor(%2, %3, 1)\nenter 1 false\nsplit.Tensor(%0, 1, 0)\nexit\n");
}

TEST(Lower, a_name_assigned_again_keeps_its_slot_unless_another_name_stands_for_it) {
  EXPECT_EQ(show(lowered("x = torch.ones(2)\nx = x.add(1)\nx.add_(1)").script),
            "%0 = ones([2], None, None, None, None)\n%0 = add.Tensor(%0, 1, 1)\nadd_.Tensor(%0, 1, 1)\n");
  EXPECT_EQ(show(lowered("x = torch.ones(2)\ny = x\nx = x.add(1)\ny.add_(x)").script),
            "%0 = ones([2], None, None, None, None)\n%1 = add.Tensor(%0, 1, 1)\nadd_.Tensor(%0, %1, 1)\n");
  EXPECT_EQ(show(lowered("def f(a):\n    a = a.add(1)\n    return a\n",
                         "    x = torch.ones(2)\n    y = f(x)\n    x.add_(y)\n")
                     .script),
            "%0 = ones([2], None, None, None, None)\n%1 = add.Tensor(%0, 1, 1)\nadd_.Tensor(%0, %1, 1)\n");
}

TEST(Lower, base_is_the_lowest_slot_of_the_tensor_object) {
  const program::Test test = lowered(
      "x = torch.ones(2)\ny = x.add_(1)\nx = torch.ones(2)\nz = y.view(2)\nassert z._base is y\nassert z._base is not "
      "x");
  EXPECT_EQ(show(test.expectations), "4: 1\n5: not 0\n");
}

TEST(Lower, a_gradient_is_one_object_from_the_first_backward_on) {
  const program::Test after = lowered(
      "x = torch.ones(1)\nx.requires_grad = True\nx.backward()\ng = x.grad\nh = x.grad\nv = h.view(1)\nassert v._base "
      "is h");
  EXPECT_EQ(show(after.expectations), "6: 1\n");
  const program::Test before = lowered(
      "x = torch.ones(1)\nx.requires_grad = True\ng = x.grad\nx.backward()\nh = x.grad\nv = h.view(1)\nassert v._base "
      "is h");
  EXPECT_EQ(show(before.expectations), "6: 2\n");
  const program::Test data = lowered("x = torch.ones(1)\nd = x.data\nv = d.view(1)\nassert v._base is d");
  EXPECT_EQ(show(data.expectations), "3: 1\n");
}

TEST(Lower, data_and_grad_are_returned_from_functions) {
  EXPECT_EQ(
      show(lowered("def f(a):\n    return a.data\n", "    x = torch.ones(2)\n    y = f(x)\n    y.zero_()\n").script),
      "%0 = ones([2], None, None, None, None)\n%1 = %0.data\nzero_(%1)\n");
}

TEST(Lower, the_names_of_a_raising_statement_are_not_defined_after_the_block) {
  const program::Test test = lowered(
      "x = torch.ones(2)\nwith pytest.raises(RuntimeError):\n    y = x.view(2)\n    z = y.view(3)\ny.add_(1)\nz = "
      "x.view(2)");
  EXPECT_EQ(show(test.script),
            "%0 = ones([2], None, None, None, None)\ntry\n%1 = view(%0, [2])\n%2 = view(%1, [3])\nend "
            "try\nadd_.Tensor(%1, 1, 1)\n%2 = view(%0, [2])\n");
  const program::Test rebound = lowered(
      "x = torch.ones(2)\ny = x.view(2)\nwith pytest.raises(RuntimeError):\n    y = x.add_(x)\nz = y.view(2)\nassert "
      "z._base is not y");
  EXPECT_EQ(show(rebound.expectations), "6: not 1\n");
}

TEST(Lower, the_parameter_device_may_be_passed_on) {
  const program::Test test =
      lowered("def make(where):\n    return torch.zeros([2], device=where)\n", "    x = make(device)\n    x.zero_()\n");
  EXPECT_EQ(show(test.script), "%0 = zeros([2], None, None, None, None)\nzero_(%0)\n");
}

}  // namespace
}  // namespace plumbline::program
