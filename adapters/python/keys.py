"""Key sets that kernels are given, and redispatch with."""
import inspect

import torch
from unsupported import Unsupported


def check_key_sets():
    """Kernels get their key set, and fallbacks come from Python, only in newer releases."""
    library = torch.library.Library
    if not hasattr(library, "fallback") or "with_keyset" not in inspect.signature(library.impl).parameters:
        raise Unsupported(f"torch.library of PyTorch {torch.__version__} passes kernels no key set")


def key_named(name):
    try:
        return getattr(torch._C.DispatchKey, name)
    except AttributeError:
        raise Unsupported(f"torch._C.DispatchKey of this PyTorch has no {name}") from None


def key_set(names):
    keys = torch._C.DispatchKeySet(torch._C.DispatchKey.Undefined)
    for name in names:
        keys = keys | torch._C.DispatchKeySet(key_named(name))
    return keys


STEPS = {"after_autograd": lambda keys, key: keys & torch._C._after_autograd_keyset,
         "after_adinplaceorview": lambda keys, key: keys & torch._C._after_ADInplaceOrView_keyset,
         "keep": lambda keys, key: keys & key_set([key]), "add": lambda keys, key: keys | key_set([key]),
         "remove": lambda keys, key: keys.remove(key_named(key))}


def stepped(keys, steps):
    for step in steps:
        keys = STEPS[step["kind"]](keys, step["key"])
    return keys
