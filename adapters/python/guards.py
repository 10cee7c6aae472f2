"""Guards as context managers."""
import contextlib

import torch
from keys import key_named
from unsupported import Unsupported


GUARDS = {
    "inference_mode": lambda statement: torch.inference_mode(statement["value"]),
    "set_grad_enabled": lambda statement: torch.set_grad_enabled(statement["value"]),
    "no_grad": lambda statement: torch.no_grad(),
    "enable_grad": lambda statement: torch.enable_grad(),
    "below_autograd": lambda statement: torch._C._AutoDispatchBelowAutograd(),
    "below_ad_inplace_or_view": lambda statement: torch._C._AutoDispatchBelowADInplaceOrView(),
    "exclude_key": lambda statement: torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(key_named(statement["key"]))),
    "include_key": lambda statement: torch._C._IncludeDispatchKeyGuard(key_named(statement["key"])),
}


GRAD_MODE = ("no_grad", "enable_grad", "set_grad_enabled")  # those that set grad mode alone


def enter(statement):
    """Enters the guard that a statement names, and returns it."""
    if statement["guard"] not in GUARDS:
        raise Unsupported(f"Python has no guard {statement['guard']}")
    try:
        guard = GUARDS[statement["guard"]](statement)
        guard.__enter__()
    except AttributeError as error:  # private names that an older PyTorch lacks
        raise Unsupported(f"this PyTorch has no guard {statement['guard']} in Python: {error}") from None
    return guard


def found_key_sets():
    """A context that ends with the thread's key sets as it found them. Until 2.12, a guard of one key leaves the key's backend
    in them when it ends (TLS-06), and another script would see it."""
    if not hasattr(torch._C, "_ForceDispatchKeyGuard"):
        return contextlib.nullcontext()
    return torch._C._ForceDispatchKeyGuard(torch._C._dispatch_tls_local_include_set(), torch._C._dispatch_tls_local_exclude_set())
