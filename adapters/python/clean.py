"""Checks that nothing a script set is left in the thread or in the process: `leaks()`."""
import torch

_C, _autograd = torch._C, torch._C._autograd


def expected(sentence, holder, name, fresh, *arguments):
    """A check that `holder.name(*arguments)` still gives `fresh`; None if this PyTorch has no such function."""
    ask = getattr(holder, name, None)
    return None if ask is None else (sentence, lambda: ask(*arguments), fresh)


# In this order a person would look for a cause: modes first. `fresh` is what a process gives that has run nothing.
CHECKS = [check for check in (
    expected("inference mode is on", torch, "is_inference_mode_enabled", False),
    expected("grad mode is off", torch, "is_grad_enabled", True),
    expected("forward-mode gradients are off", _C, "_is_fwd_grad_enabled", True),
    expected("a TorchDispatchMode is on the stack", _C, "_len_torch_dispatch_stack", 0),
    expected("a TorchFunctionMode is on the stack", _C, "_len_torch_function_stack", 0),
    expected("__torch_function__ is off", _C, "_is_torch_function_enabled", True),
    expected("a functorch layer is open", getattr(_C, "_functorch", None), "peek_interpreter_stack", None),
    expected("autocast is on", _C, "_is_any_autocast_enabled", False),
    expected("autocast's cache is off", torch, "is_autocast_cache_enabled", True),
    expected("a default device is set", torch, "get_default_device", torch.device("cpu")),
    expected("the default dtype is not float32", torch, "get_default_dtype", torch.float32),
    expected("deterministic algorithms are on", torch, "are_deterministic_algorithms_enabled", False),
    expected("deterministic algorithms only warn", torch, "is_deterministic_algorithms_warn_only_enabled", False),
    expected("deterministic mode does not fill uninitialized memory", _C, "_get_deterministic_fill_uninitialized_memory", True),
    expected("anomaly mode is on", torch, "is_anomaly_enabled", False),
    expected("backward's threads are off", _C, "_is_multithreading_enabled", True),
    expected("view replay is on", _C, "_is_view_replay_enabled", False),
    expected("functionalize reapplies views", _C, "_functionalization_reapply_views_tls", False),
    expected("saved-tensor hooks are off", _autograd, "_saved_tensors_hooks_is_enabled", True),
    expected("a saved-tensor hook is on the stack", _autograd, "_top_saved_tensors_default_hooks", None, True),
    expected("torch.jit.trace is on", _C, "_get_tracing_state", None),
    expected("the meta key is in the thread's key sets", _C, "_meta_in_tls_dispatch_include", False),
) if check is not None]


def key_sets():
    """The thread's included and excluded keys; None where this PyTorch cannot show them."""
    names = ("_dispatch_tls_local_include_set", "_dispatch_tls_local_exclude_set")
    return [getattr(_C, name)() for name in names] if all(hasattr(_C, name) for name in names) else None


FRESH = key_sets()  # which keys a fresh thread has depends on the release
FRESH_BITS = FRESH and [keys.raw_repr() for keys in FRESH]


def names_of(keys):
    return [name for name in str(keys)[len("DispatchKeySet("):-1].split(", ") if name]


def of_key_sets():
    """What the thread's key sets have or lack."""
    now = key_sets()
    if now is None or [keys.raw_repr() for keys in now] == FRESH_BITS:
        return []
    found = []
    for verb, keys, fresh in zip(("include", "exclude"), now, FRESH):
        has, had = names_of(keys), names_of(fresh)
        found += [f"the thread {verb}s the key {name}" for name in has if name not in had]
        found += [f"the thread does not {verb} the key {name}" for name in had if name not in has]
    return found or ["the thread's key sets have a backend that no name shows"]


def leaks():
    """Plain sentences: what is not as in a fresh process. Import this module before anything runs."""
    found = [sentence for sentence, ask, fresh in CHECKS if ask() != fresh]
    if torch.autograd.forward_ad._current_level >= 0:
        found.append("a level of forward-mode gradients is open")
    return found + of_key_sets()
