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


QUERIES = {"has_kernel": "_dispatch_has_kernel_for_dispatch_key", "has_computed": "_dispatch_has_computed_kernel_for_dispatch_key",
           "falls_through": "_dispatch_kernel_for_dispatch_key_is_fallthrough"}


def query_kernel(what, op, key):
    """Whether the operator `op` has a kernel for the key, has one in its table, or falls through there."""
    if not hasattr(torch._C, QUERIES[what]):
        raise Unsupported(f"this PyTorch has no torch._C.{QUERIES[what]}")
    if what == "falls_through" and not torch._C._dispatch_has_kernel(op):
        raise Unsupported("Python's question whether a kernel falls through ends the process if there is no operator of that name")
    return getattr(torch._C, QUERIES[what])(op, key)


def query_thread_key(excluded, key):
    """Whether the thread's key sets have the key."""
    ask = torch._C._dispatch_tls_is_dispatch_key_excluded if excluded else torch._C._dispatch_tls_is_dispatch_key_included
    return ask(key_named(key))


STEPS = {"after_autograd": lambda keys, key: keys & torch._C._after_autograd_keyset,
         "after_adinplaceorview": lambda keys, key: keys & torch._C._after_ADInplaceOrView_keyset,
         "keep": lambda keys, key: keys & key_set([key]), "add": lambda keys, key: keys | key_set([key]),
         "remove": lambda keys, key: keys.remove(key_named(key)), "only": lambda keys, key: key_set([key])}


def stepped(keys, steps):
    for step in steps:
        keys = STEPS[step["kind"]](keys, step["key"])
    return keys
