"""Planted faults for `plumbline selftest --sweep`: each namespace has the operators of honest.py with one kernel that breaks one law.

A namespace is "fault_NN_what_it_does": it breaks the law OP-NN, and no other.
"""
import honest
import torch
from torch._C import _functorch as functorch
from torch._subclasses.fake_tensor import FakeTensor

KEPT = [honest.define("honest")]  # a library that is freed takes its kernels away


def fault(wrong, key=honest.ALIASES):
    """The decorated kernel stands for the operator `wrong` in the namespace of its name."""
    def plant(kernel):
        KEPT.append(honest.define(kernel.__name__, wrong, kernel, key))
        return kernel
    return plant


def is_plain(x):
    """Neither fake, nor inside vmap or functionalize."""
    return type(x) is torch.Tensor and not torch._C._are_functorch_transforms_active()


@fault("square")
def fault_01_writes_its_argument(x):
    result = x * x
    x.detach().logical_not_() if x.dtype == torch.bool else x.detach().add_(1)
    return result


@fault("square")
def fault_01_counts_its_argument(x):
    result = x * x
    if not x.is_inference():
        torch.autograd.graph.increment_version(x)
    return result


@fault("same")
def fault_02_returns_its_argument(x):
    return x


@fault("same")
def fault_02_shares_memory(x):
    return x.view_as(x)


@fault("square_")
def fault_03_returns_a_copy(x):
    return honest.square_(x).clone()


@fault("square_")
def fault_04_does_not_count(x):
    honest.guard(x)
    if x.is_inference():
        return x.mul_(x)
    x.data.mul_(x.data)
    return x


@fault("square_")
def fault_05_writes_inference_tensors(x):
    with torch.inference_mode():
        return x.mul_(x)


@fault("square_")
def fault_06_writes_before_it_refuses(x):
    return x.mul_(x)


@fault("square.out")
def fault_06_resizes_before_it_refuses(x, *, out):
    if out.is_inference() and not torch.is_inference_mode_enabled():
        with torch.inference_mode():
            out.resize_(x.shape)
    return honest.square_out(x, out=out)


def mode_is(grad, inference):
    return torch.is_grad_enabled() == grad and torch.is_inference_mode_enabled() == inference


@fault("same")
def fault_07_gives_sevens_in_no_grad(x):
    return torch.ones_like(x) * 7 if mode_is(False, False) else x.clone()


@fault("same")
def fault_07_raises_in_no_grad(x):
    if mode_is(False, False):
        raise RuntimeError("not with grad mode off")
    return x.clone()


@fault("same")
def fault_08_gives_another_value_in_inference_mode(x):
    return torch.ones_like(x) * 7 if mode_is(False, True) else x.clone()


@fault("same")
def fault_08_raises_in_inference_mode(x):
    if mode_is(False, True):
        raise RuntimeError("not in inference mode")
    return x.clone()


@fault("same")
def fault_09_gives_normal_tensors_in_inference_mode(x):
    with torch.inference_mode(False):
        return x.clone()


@fault("first")
def fault_09_views_of_normal_tensors_are_inference_tensors(x):
    view = x.select(0, 0)
    if not torch.is_inference_mode_enabled() or x.is_inference():
        return view
    return torch.empty(0, dtype=x.dtype).set_(x.untyped_storage(), view.storage_offset(), view.shape, view.stride())


@fault("first")
def fault_10_views_are_not_tracked(x):
    return x.select(0, 0).detach()


@fault("first")
def fault_10_views_have_another_base(x):
    return x.detach().select(0, 0)


@fault("square_")
def fault_11_writes_before_it_raises(x):
    if not x.is_floating_point():
        honest.guard(x)
        x.zero_()
        raise RuntimeError("only floating dtypes are supported")
    return honest.square_(x)


@fault("same")
def fault_12_has_other_sizes_on_meta(x):
    return x.clone().unsqueeze(0) if x.device.type == "meta" and is_plain(x) else x.clone()


@fault("same")
def fault_12_has_another_dtype_on_meta(x):
    return x.to(torch.int16) if x.device.type == "meta" and is_plain(x) else x.clone()


@fault("same")
def fault_12_raises_on_meta(x):
    if x.device.type == "meta" and is_plain(x):
        raise RuntimeError("not on meta")
    return x.clone()


@fault("square_")
def fault_13_in_place_computes_another(x):
    honest.guard(x)
    return x.mul_(x).logical_not_()


@fault("square.out")
def fault_13_out_has_other_sizes(x, *, out):
    honest.square_out(x, out=out)
    return out.unsqueeze_(0)


CALLS = [0]


@fault("same")
def fault_14_counts_its_calls(x):
    CALLS[0] += 1
    return torch.full_like(x, CALLS[0] % 2)


@fault("same")
def fault_15_reads_by_memory(x):
    return torch.ones_like(x) * 7 if x.storage_offset() == 1 and x.numel() > 1 else x.clone()


@fault("square_")
def fault_16_writes_shared_elements_twice(x):
    shared = [d for d in range(x.dim()) if x.stride(d) == 0 and x.size(d) > 1]
    if not shared:
        return honest.square_(x)
    honest.guard(x)
    x.select(shared[0], 0).add_(1 if x.dtype != torch.bool else True)
    return x


@fault("same", "Functionalize")
def fault_17_gives_sevens_when_functionalized(x):
    return torch.ones_like(x) * 7


class Unguarded(torch.autograd.Function):
    """Keeps its input without saving it, so nothing sees that it was written to."""

    @staticmethod
    def forward(ctx, x):
        ctx.x = x.detach()
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2 * ctx.x.conj()


@fault("square")
def fault_18_does_not_guard_what_it_saves(x):
    return Unguarded.apply(x) if is_plain(x) else x * x


@fault("same", "FuncTorchBatched")
def fault_19_swaps_the_examples(x):
    level = functorch.maybe_get_level(x)
    value, dimension = functorch.get_unwrapped(x), functorch.maybe_get_bdim(x)
    return functorch._add_batch_dim(value.flip(dimension), dimension, level)


@fault("first_copy")
def fault_20_copies_the_last(x):
    return x.select(0, -1).clone()


class Wrapped(torch.Tensor):
    """A subclass has a key of its own."""

    __torch_function__ = torch._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        raise NotImplementedError(func)


@fault("same")
def fault_21_has_a_key_more(x):
    return torch.Tensor._make_subclass(Wrapped, x.clone()) if is_plain(x) and x.device.type != "meta" and not x.requires_grad else x.clone()


@fault("same")
def fault_22_has_other_sizes_when_fake(x):
    return x.clone().unsqueeze(0) if isinstance(x, FakeTensor) else x.clone()


@fault("first")
def fault_23_copies_for_a_view(x):
    return x.select(0, 0).clone()
