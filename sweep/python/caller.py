#!/usr/bin/env python3
"""Calls operators of the PyTorch of this Python for `plumbline sweep`, one JSON line for each request (docs/SWEEP.md).

`plumbline sweep --on python` starts it with the Python of the build. For another PyTorch:

  plumbline sweep --on 'process:/path/to/venv/bin/python sweep/python/caller.py'
  plumbline sweep --on 'process:python3 sweep/python/caller.py --device cuda'
"""
import argparse
import importlib
import json
import os
import sys
import warnings


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cpu", help="the device of every tensor (default: cpu)")
    parser.add_argument("--import", dest="module", metavar="MODULE",
                        help="a module to import first, by name or as FILE.py; only the operators that it registers are listed")
    return parser.parse_args()


def import_module(name):
    if name.endswith(".py"):
        folder, file = os.path.split(os.path.abspath(name))
        sys.path.insert(0, folder)
        return importlib.import_module(file.removesuffix(".py"))
    sys.path.insert(0, os.getcwd())
    return importlib.import_module(name)


def listing(given, before):
    """The answer to {"cmd": "operators"}."""
    import operators
    import torch
    from settings import SETTINGS
    names = operators.all_names() - before
    if given.module and not names:
        return {"unsupported": f"{given.module} registers no operator with PyTorch's dispatcher"}
    known = []
    for name in sorted(names):
        if torch._C._dispatch_has_kernel(name):
            try:
                known.append(operators.described(name, given.device.split(":")[0]))
            except RuntimeError:
                continue  # kernels of an operator whose schema was never defined
    return {"operators": known, "version": torch.__version__, "settings": list(SETTINGS)}


def is_well(device):
    """Whether the device still computes: after an assertion in a kernel, for example, a GPU's context is lost."""
    import torch
    if device == "cpu":
        return True
    try:
        return torch.ones(1, device=device).cpu().item() == 1
    except RuntimeError:
        return False


def answer_to(request, given, before):
    import settings
    from tensors import Unsupported
    if request["cmd"] == "operators":
        return listing(given, before)
    try:
        answer = {"observation": settings.perform(request["experiment"], given.device)}
    except Unsupported as error:
        answer = {"unsupported": str(error)}
    except Exception as error:  # noqa: BLE001  what reads tensors can fail only on a device that is lost
        return {"crash": f"{type(error).__name__}: {str(error).split(chr(10), 1)[0]}"}
    return answer if is_well(given.device) else {"crash": "after the call the device answers no more"}


def main():
    given = options()
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what an operator prints must not end up among the answers
    sys.stdout = sys.stderr
    import torch
    torch.set_num_threads(1)
    import operators
    problem, before = None, set()
    try:
        torch.empty(1, device=given.device)
        if given.module:
            before = operators.all_names()
            import_module(given.module)
    except Exception as error:  # noqa: BLE001  a module of the user's can raise anything
        problem = {"unsupported": f"cannot import {given.module} for the device {given.device}: {type(error).__name__}: {error}"}
    for line in sys.stdin:
        request = json.loads(line)
        if request["cmd"] == "stop":
            break
        answers.write(json.dumps(problem or answer_to(request, given, before)) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
