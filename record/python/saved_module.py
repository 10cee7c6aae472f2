"""Loads a saved module, outside inference mode and inside it, and runs it in each mode: what `plumbline record --module FILE` records.

The module is a TorchScript archive, a torch.export archive, or a pickled nn.Module. The asserts say that each mode gives the same values.
"""
import contextlib
import logging
import math
import os
import pathlib
import sys

import torch
import torch.export

FILE, *INPUTS = sys.argv[1:]
sys.path += [str(pathlib.Path(FILE).resolve().parent), os.getcwd()]  # where a pickled module's class may be


def load():
    """By whatever of PyTorch's loaders the file is for."""
    logging.disable()  # a loader logs what it finds in another's file
    for loader in (torch.jit.load, lambda file: torch.export.load(file).module(), lambda file: torch.load(file, weights_only=False)):
        with contextlib.suppress(Exception):
            return loader(FILE)
    raise ValueError(f"none of torch.jit.load, torch.export.load and torch.load can read {FILE}")


def inputs():
    """Eighths, which sums of few products keep exactly."""
    sizes = [[int(size) for size in given.split(",")] for given in INPUTS]
    return [torch.arange(0, math.prod(one)).div(8).reshape(one) for one in sizes]


MODES = {"normal": contextlib.nullcontext, "no_grad": torch.no_grad, "inference_mode": torch.inference_mode}


def in_each_mode(loads_in):
    """Compares the results. A new module each time: TorchScript keeps what it learned in one mode for the next."""
    given, results = inputs(), []
    for name, mode in MODES.items():
        with loads_in():
            module = load()
        try:
            with mode():
                results.append(module(*given))
        except RuntimeError as error:  # a module that was loaded inside inference mode may refuse to run outside
            print(f"{name}: {error}")
    for other in results[1:]:
        same = results[0] == other
        print(same)


def test_loaded_outside(device):
    in_each_mode(contextlib.nullcontext)


def test_loaded_inside(device):
    in_each_mode(torch.inference_mode)
