"""Cheaper captures: what PyTorch does at each one for its own statistics is left out. None of it decides what a graph does."""
import ctypes
import gc
import pathlib
import traceback

import torch

OBJECTS = 50000, 10, 20  # that Python's collector lets pile up (its default: 700, 10, 10): a capture makes thousands


def leave_out():
    """Changes this process's PyTorch, once. Names are private, so a release may lack some."""
    import torch._decomp.decompositions_for_rng as random_numbers
    import torch._dynamo.guards
    torch._dynamo.config.run_gc_after_compile = False
    gc.set_threshold(*OBJECTS)
    gc.freeze()  # PyTorch's own modules, half a million objects, are looked at no more
    # Dynamo measures how fast its guards are, and empties the processor's cache for that: half of the time.
    torch._dynamo.guards.profile_guard_manager = lambda *measured: 0.0
    torch._dynamo.utils.record_compilation_metrics = lambda *metrics, **more: None
    # The stack above a graph break is read for its message only: 4 ms.
    if hasattr(torch._dynamo.exc, "_extract_stack_with_positions"):
        torch._dynamo.exc._extract_stack_with_positions = traceback.StackSummary
    # To trace, FX changes torch.nn.Module and back, for which Python visits each class made of it: each graph is one. As a region
    # has no module, nothing calls what is changed; without this, a process of 2,000 programs took half as long again for each.
    torch.fx._symbolic_trace._Patcher.patch_method = leaving_modules(torch.fx._symbolic_trace._Patcher.patch_method)
    # AOTAutograd makes 12 empty tensors under its fake mode for functionalize_rng_ops, which is off: a tenth of the time.
    if not torch._functorch.config.functionalize_rng_ops and hasattr(random_numbers.PhiloxState, "reset"):
        random_numbers.PhiloxState.reset = share_no_state


def leaving_modules(patch_method):
    def patch(patcher, of, *rest, **more):
        if of is not torch.nn.Module:
            patch_method(patcher, of, *rest, **more)

    return patch


NOTHING = torch.empty(0)


def share_no_state(state):
    """As PhiloxState.reset, with the same two empty tensors for all."""
    state.seed = state.base_offset = NOTHING
    state.relative_offset, state.offset_advanced_at_least_once = 0, False


def compile_cheaply(level):
    """Inductor's C++ compiler runs in this process's own time, as other workers use the other cores. `level`: instead of O3."""
    import torch._inductor.config
    import torch._inductor.cpp_builder as builder
    torch._inductor.config.compile_threads = 1
    # Kernels find PyTorch's functions in this process: to link them with its libraries takes a quarter of their time.
    # Line tables and warnings are for people who read kernels: a fifth of the compiler's time.
    for option in "link_libtorch", "enable_line_tables":
        if hasattr(torch._inductor.config.aot_inductor, option):
            setattr(torch._inductor.config.aot_inductor, option, False)
    builder._get_warning_all_cflag = lambda *asked, **more: ["w"]
    for library in "c10", "torch_cpu", "torch_python":
        ctypes.CDLL(pathlib.Path(torch.__file__).parent / f"lib/lib{library}.so", ctypes.RTLD_GLOBAL)
    torch._inductor.config.fallback_random = True  # by default Inductor draws other random numbers than PyTorch, as is documented
    flags = builder._get_optimization_cflags
    if level:
        builder._get_optimization_cflags = lambda *asked, **more: with_level(level, *flags(*asked, **more))


def with_level(level, compiling, linking):
    return [level if flag in ("O1", "O2", "O3") else flag for flag in compiling], linking
