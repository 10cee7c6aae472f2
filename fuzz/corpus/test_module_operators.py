# Custom operators that a file registers outside its tests, by decorator, and by torch.library's functions.
import torch

lib = torch.library.Library("of_library", "DEF")
lib.define("add_one_(Tensor(a!) x) -> Tensor(a!)")
lib.define("double(Tensor x) -> Tensor")
torch.library.define("of_name::triple", "(Tensor x) -> Tensor")


@torch.library.impl(lib, "add_one_", "CPU")
def add_one(x):
    x.add_(1)
    return x


def double(x):
    y = torch.mul(x, 2)
    return y


def double_unseen(x):
    with torch._C._AutoDispatchBelowAutograd():
        y = torch.mul(x, 2)
    return y


lib.impl("double", double, "CPU")


@torch.library.impl("of_name::triple", "default")
def triple(x):
    y = torch.mul(x, 3)
    return y


def test_a_decorated_kernel_that_writes_its_argument_counts_the_write(device):  # VER-01
    x = torch.zeros([2], device=device)
    y = torch.ops.of_library.add_one_(x)
    assert x._version == 1
    assert y.tolist() == [1.0, 1.0]


def test_what_a_kernel_of_the_file_calls_is_recorded(device):  # AUT-64 AUT-66
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.of_library.double.default(x)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_a_kernel_for_every_device_wins_over_an_implicit_one(device):  # DSP-05
    torch.library.impl("of_name::triple", "CompositeImplicitAutograd", double)
    x = torch.ones([2], device=device)
    y = torch.ops.of_name.triple(x)
    assert y.tolist() == [3.0, 3.0]


def test_a_kernel_for_the_device_wins_over_one_for_every_device(device):  # DSP-01
    torch.library.impl("of_name::triple", "cpu", double)
    x = torch.ones([2], device=device)
    y = torch.ops.of_name.triple(x)
    assert y.tolist() == [2.0, 2.0]


def test_autograd_falls_through_for_an_operator_of_the_file(device):  # DSP-30
    torch.library.define("of_test::double", "(Tensor x) -> Tensor")
    torch.library.impl("of_test::double", "cpu", double_unseen)
    torch.library.impl("of_test::double", "Autograd", torch.library.fallthrough_kernel)
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.of_test.double(x)
    assert y.requires_grad is False


def test_a_decorated_kernel_in_a_test_runs_instead_of_the_fallback(device):  # DSP-12
    own = torch.library.Library("of_test", "FRAGMENT")
    own.define("ones(Tensor x) -> Tensor")

    @torch.library.impl(own, "ones", "CompositeImplicitAutograd")
    def ones(x):
        y = torch.ones([2], device=device)
        return y

    x = torch.zeros([2], requires_grad=True, device=device)
    y = torch.ops.of_test.ones(x)
    assert y.requires_grad is False
    assert y.tolist() == [1.0, 1.0]
