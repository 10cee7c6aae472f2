"""Eight operators of a user, each of which lies. The test modules_test.py says under which laws."""
import torch
from torch import Tensor

library = torch.library.Library("lying_ops", "DEF")


def guard(written):
    if written.is_inference() and not torch.is_inference_mode_enabled():
        raise RuntimeError("an inference tensor is written inside inference mode alone")


def operator(schema):
    library.define(schema)
    name = schema[:schema.index("(")]
    return lambda kernel: library.impl(name, kernel, "CompositeImplicitAutograd")


@operator("mutates(Tensor x) -> Tensor")
def mutates(x):
    """It declares that it is functional."""
    result = x * 1
    x.detach().logical_not_()
    return result


@operator("returns_its_input(Tensor x) -> Tensor")
def returns_its_input(x):
    return x


@operator("copies(Tensor(a) x) -> Tensor(a)")
def copies(x):
    """It declares a view."""
    return x.clone()


@operator("writes_without_counting(Tensor(a!) x) -> Tensor(a!)")
def writes_without_counting(x):
    guard(x)
    (x if x.is_inference() else x.data).logical_not_()
    return x


@operator("returns_another.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)")
def returns_another(x, *, out):
    guard(out)
    return torch.logical_not(x, out=out).clone()


@operator("notices_inference(Tensor x) -> Tensor")
def notices_inference(x):
    return torch.zeros_like(x) if torch.is_inference_mode_enabled() else x + 1


@torch.library.custom_op("lying_ops::wrong_meta", mutates_args=())
def wrong_meta(x: Tensor) -> Tensor:
    return x + 1


@wrong_meta.register_fake
def _(x):
    return torch.empty_like(x).unsqueeze(0)


@torch.library.custom_op("lying_ops::wrong_autograd", mutates_args=())
def wrong_autograd(x: Tensor) -> Tensor:
    return x * x


@wrong_autograd.register_fake
def _(x):
    return torch.empty_like(x)


def keep(ctx, inputs, output):
    ctx.x = inputs[0].detach()  # not saved, so its version is not looked at


wrong_autograd.register_autograd(lambda ctx, gradient: gradient * 2 * ctx.x.conj(), setup_context=keep)
