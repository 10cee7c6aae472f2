# Tensors of two devices in one program: `device`, which is an accelerator, and the CPU.
import pytest
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.cpu()

    @staticmethod
    def backward(ctx, g):
        return g


# c10/core/TensorImpl.cpp: each backend has its own keys
def test_a_tensor_has_the_keys_of_its_device(device):  # DEV-01 KEY-09
    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.tensor([1.0, 2.0], device="cpu")
    assert x.is_cpu is False
    assert y.is_cpu is True
    z = y.to(device)
    assert z.is_cpu is False
    w = z.cpu()
    assert w.is_cpu is True
    assert w.tolist() == [1.0, 2.0]


# the keys of a view, of x.data and of a result are those of the tensor's device
def test_what_is_made_from_a_tensor_is_on_its_device(device):  # DEV-01 DEV-02
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.ones([2], device="cpu")
    view = x.t()
    data = x.data
    like = torch.zeros_like(x)
    made = torch.zeros_like(x, device="cpu")
    total = x.sum()
    sum_on_cpu = y.sum()
    assert view.is_cpu is False
    assert data.is_cpu is False
    assert like.is_cpu is False
    assert made.is_cpu is True
    assert total.is_cpu is False
    assert sum_on_cpu.is_cpu is True


# aten/src/ATen/TensorIterator.cpp, compute_types: common_device
def test_a_number_of_the_cpu_may_be_an_operand(device):  # DEV-02 DEV-04
    number = torch.tensor(2.0, device="cpu")
    x = torch.tensor([1.0, 3.0], device=device)
    y = number.mul(x)
    assert y.is_cpu is False
    assert y.tolist() == [2.0, 6.0]
    x.add_(number)
    assert x.tolist() == [3.0, 5.0]
    z = x.gt(number)
    assert z.tolist() == [True, True]


# TensorIterator.cpp, compute_types: a tensor with one dimension is no number
def test_a_tensor_with_one_element_is_no_number(device):  # DEV-04
    x = torch.tensor([1.0, 3.0], device=device)
    one = torch.tensor([2.0], device="cpu")
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        x.mul(one)


# TensorIterator.cpp, compute_types: 'Expected all tensors to be on the same device'; before the version is counted
def test_tensors_of_two_devices_do_not_meet(device):  # DEV-03
    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.tensor([3.0, 4.0], device="cpu")
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        x.add(y)
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        y.add_(x)
    assert y.tolist() == [3.0, 4.0]
    assert y._version == 0


# TensorIterator.cpp, compute_types: an output is no CPU scalar
def test_a_number_of_the_cpu_is_not_written(device):  # DEV-03 DEV-04
    number = torch.tensor(2.0, device="cpu")
    x = torch.tensor(3.0, device=device)
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        number.add_(x)
    assert number.tolist() == 2.0


# aten/src/ATen/core/op_registration/adaption.h, check_and_update_common_device: no number here
def test_products_and_indices_are_on_one_device(device):  # DEV-03
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device="cpu")
    index = torch.tensor(1, device="cpu")
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        x.mm(y)
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        torch.cat([x, y])
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        x.index_select(0, index)


# aten/src/ATen/native/TensorCompare.cpp, where_self_out: 'allow CPU scalars on non-cpu device'
def test_where_takes_several_numbers_of_the_cpu(device):  # DEV-04
    mask = torch.tensor([True, False], device=device)
    one = torch.tensor(1.0, device="cpu")
    two = torch.tensor(2.0, device="cpu")
    x = torch.where(mask, one, two)
    assert x.is_cpu is False
    assert x.tolist() == [1.0, 2.0]
    three = torch.tensor([3.0], device="cpu")
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        torch.where(mask, three, two)


# TensorIterator.cpp: 'Trying to pass too many CPU scalars to non-CPU kernel!'
def test_arithmetic_takes_one_number_of_the_cpu(device):  # DEV-03
    out = torch.zeros([2], device=device)
    one = torch.tensor(1.0, device="cpu")
    two = torch.tensor(2.0, device="cpu")
    with pytest.raises(RuntimeError, match="Trying to pass too many CPU scalars"):
        torch.add(one, two, out=out)
    with pytest.raises(RuntimeError, match="Trying to pass too many CPU scalars"):
        torch.mul(one, 3, out=out)
    assert out.tolist() == [0.0, 0.0]


# aten/src/ATen/native/native_functions.yaml, copy_: 'device_check: NoCheck'
def test_copy_goes_between_devices(device):  # DEV-05 VER-01
    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.tensor([3.0, 4.0], device="cpu")
    x.copy_(y)
    assert x.tolist() == [3.0, 4.0]
    assert x.is_cpu is False
    assert x._version == 1
    y.zero_()
    y.copy_(x)
    assert y.tolist() == [3.0, 4.0]
    assert y.is_cpu is True


# native_functions.yaml, select_scatter: 'device_check: NoCheck'; the kernel is a copy_
def test_a_scatter_takes_its_source_from_any_device(device):  # DEV-05
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device="cpu")
    y = torch.tensor([5.0, 6.0], device=device)
    z = torch.ops.aten.select_scatter.default(x, y, 0, 1)
    assert z.is_cpu is True
    assert z.tolist() == [[1.0, 2.0], [5.0, 6.0]]


# aten/src/ATen/native/TensorShape.cpp, view_as: only the sizes are read
def test_view_as_reads_sizes_of_any_device(device):  # DEV-01 KEY-07
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], device=device)
    y = torch.zeros([2, 2], device="cpu")
    z = x.view_as(y)
    assert z._base is x
    assert z.is_cpu is False


# aten/src/ATen/native/TensorConversions.cpp, to_will_alias
def test_to_the_same_device_is_the_tensor_itself(device):  # DEV-06
    x = torch.tensor([1.0, 2.0], device=device)
    y = x.to(device)
    y.add_(1.0)
    assert x.tolist() == [2.0, 3.0]
    z = x.cpu()
    z.add_(1.0)
    assert x.tolist() == [2.0, 3.0]
    assert z._version == 1


# torch/csrc/autograd/variable.cpp, set_data; c10/core/TensorImpl.h, has_compatible_shallow_copy_type
def test_data_may_come_from_another_device(device):  # DEV-07
    x = torch.tensor([1.0, 2.0], device="cpu")
    y = torch.tensor([3.0, 4.0, 5.0], device=device)
    x.data = y
    assert x.is_cpu is False
    assert x.tolist() == [3.0, 4.0, 5.0]
    z = x.add(y)
    assert z.tolist() == [6.0, 8.0, 10.0]


# aten/src/ATen/native/Resize.h, checkSetStorage
def test_set_takes_no_memory_of_another_device(device):  # DEV-08
    x = torch.tensor([1.0, 2.0], device="cpu")
    y = torch.tensor([3.0, 4.0], device=device)
    with pytest.raises(RuntimeError, match="Attempted to set the storage of a tensor on device"):
        x.set_(y)
    assert x.tolist() == [1.0, 2.0]


# torch/csrc/autograd/engine.cpp, validate_outputs: 'grad = grad.to(metadata.device());'
def test_the_gradient_of_a_number_of_the_cpu_moves_to_it(device):  # DEV-01 VER-17
    number = torch.tensor(2.0, device="cpu", requires_grad=True)
    x = torch.tensor([1.0, 3.0], device=device, requires_grad=True)
    y = x.mul(number)
    z = y.sum()
    z.backward()
    assert number.grad.tolist() == 4.0
    g = number.grad
    assert g.is_cpu is True
    h = x.grad
    assert h.is_cpu is False
    assert x.grad.tolist() == [2.0, 2.0]


# the same where backward starts
def test_a_gradient_without_dimensions_may_be_given_from_the_cpu(device):  # DEV-09
    x = torch.tensor([1.0, 3.0], device=device, requires_grad=True)
    z = x.sum()
    g = torch.tensor(2.0, device="cpu")
    z.backward(g)
    assert x.grad.tolist() == [2.0, 2.0]


# engine.cpp, validate_outputs: 'invalid gradient at index … - expected device'
def test_a_gradient_of_another_device_is_refused(device):  # DEV-10
    x = torch.tensor([1.0, 3.0], device=device, requires_grad=True)
    y = x.mul(2.0)
    g = torch.tensor([1.0, 1.0], device="cpu")
    with pytest.raises(RuntimeError, match="expected device"):
        y.backward(g)
    assert x.grad is None


# tools/autograd/derivatives.yaml, select_scatter: the gradient of src is a view of that of the result
def test_the_gradient_of_a_scattered_source_stays_where_it_is(device):  # DEV-10
    x = torch.zeros([2, 2], device=device)
    y = torch.tensor([5.0, 6.0], device="cpu", requires_grad=True)
    z = torch.ops.aten.select_scatter.default(x, y, 0, 1)
    w = z.sum()
    with pytest.raises(RuntimeError, match="expected device"):
        w.backward()
    assert y.grad is None


# torch/csrc/autograd/functions/tensor.cpp, CopyBackwards; derivatives.yaml, _to_copy
def test_the_gradient_of_a_copy_comes_back(device):  # DEV-05 AUT-25
    x = torch.tensor([1.0, 2.0], device="cpu", requires_grad=True)
    y = x.to(device)
    z = torch.zeros([2], device=device)
    z.copy_(x)
    w = y.mul(z)
    v = w.sum()
    v.backward()
    assert x.grad.tolist() == [2.0, 4.0]
    g = x.grad
    assert g.is_cpu is True


# engine.cpp, validate_outputs: also what a custom backward returns
def test_a_custom_backward_returns_gradients_on_the_device(device):  # DEV-10
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    y = Scale.apply(x)
    assert y.is_cpu is True
    z = y.sum()
    with pytest.raises(RuntimeError, match="expected device"):
        z.backward()


# torch/csrc/autograd/python_variable.cpp, THPVariable_set_grad
def test_grad_is_on_the_device_of_its_tensor(device):  # DEV-11
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    g = torch.tensor([1.0, 1.0], device="cpu")
    with pytest.raises(RuntimeError):
        x.grad = g
    assert x.grad is None


# the rules of inference tensors do not depend on the device
def test_a_copy_to_a_device_in_inference_mode_is_an_inference_tensor(device):  # INF-01 DEV-01
    x = torch.tensor([1.0, 2.0], device="cpu")
    with torch.inference_mode():
        y = x.to(device)
        assert y.is_inference() is True
    z = y.cpu()
    assert z.is_inference() is False
    assert y.is_cpu is False
