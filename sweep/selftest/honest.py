"""Operators that keep every law, for `plumbline selftest --sweep`. A fault replaces one kernel of them."""
import torch

ALIASES = "CompositeImplicitAutograd"  # such a kernel calls other operators, which bring all else
SCHEMAS = {
    "same": "same(Tensor self) -> Tensor",
    "square": "square(Tensor self) -> Tensor",
    "square_": "square_(Tensor(a!) self) -> Tensor(a!)",
    "square.out": "square.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
    "first": "first(Tensor(a) self) -> Tensor(a)",
    "first_copy": "first_copy(Tensor self) -> Tensor",
}
FAMILIES = (("same",), ("square", "square_", "square.out"), ("first", "first_copy"))


def guard(written):
    """Refuses before anything is written. PyTorch's own operators write first (OP-06)."""
    if written.is_inference() and not torch.is_inference_mode_enabled():
        raise RuntimeError("Inplace update to inference tensor outside InferenceMode is not allowed")


def same(x):
    return x.clone()


def square(x):
    return x * x


def square_(x):
    guard(x)
    return x.mul_(x)


def square_out(x, *, out):
    guard(out)
    if not torch.can_cast(x.dtype, out.dtype):
        raise RuntimeError(f"result type {x.dtype} can't be cast to {out.dtype}")
    return torch.mul(x, x, out=out)


def first(x):
    return x.select(0, 0)


def first_copy(x):
    return x.select(0, 0).clone()


KERNELS = {"same": same, "square": square, "square_": square_, "square.out": square_out, "first": first, "first_copy": first_copy}


def define(space, wrong=None, kernel=None, key=ALIASES):
    """The operators of a family in a namespace. `wrong`: the one that has this kernel, and for this key."""
    family = next((one for one in FAMILIES if wrong in one), tuple(SCHEMAS))
    library = torch.library.Library(space, "FRAGMENT")
    for name in family:
        library.define(SCHEMAS[name])
        library.impl(name, KERNELS[name] if name != wrong or key != ALIASES else kernel, ALIASES)
    if key != ALIASES:
        library.impl(wrong, kernel, key)
    return library
