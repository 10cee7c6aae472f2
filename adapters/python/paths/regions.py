"""Regions: the runs of statements that are captured as one graph, and their text as Python functions."""
import itertools
import linecache

import torch
from calls import make_text, target

NUMBERS = itertools.count(1)  # each region's function has a file name of its own
LONGEST = 60  # statements in one region, so that one graph stays readable and its capture quick


def spelled_call(statement, device):
    op = target(statement["op"])
    called = op.text(statement["arguments"], device, statement.get("requires_grad", False))
    results = ", ".join(f"s{slot}" for slot in statement["results"])
    return f"{results if op.returns_tensor else f'[{results}]'} = {called}" if results else called


SPELLED = {
    "call": spelled_call,
    "make": lambda statement, device: f"s{statement['result']} = {make_text(statement, device)}",
    "get_data": lambda statement, device: f"s{statement['result']} = s{statement['tensor']}.data",
}


def slots_read(statement):
    """The slots that a statement of a region uses."""
    if statement["do"] == "get_data":
        return [statement["tensor"]]
    used = []
    for argument in statement.get("arguments", []):
        if isinstance(argument, dict):
            used += [argument["slot"]] if "slot" in argument else argument.get("slots", [])
    return used


def slots_bound(statement):
    return statement["results"] if statement["do"] == "call" else [statement["result"]]


class Region:
    """The statements from `first` up to `last`, without `last`, as a function of the tensors that they use."""

    def __init__(self, statements, first, last, device):
        self.first, self.last = first, last
        self.inputs, self.outputs = [], []
        lines = []
        for statement in statements[first:last]:
            self.inputs += [slot for slot in slots_read(statement) if slot not in self.outputs]
            self.outputs += slots_bound(statement)
            lines.append(SPELLED[statement["do"]](statement, device))
        self.inputs, self.outputs = list(dict.fromkeys(self.inputs)), list(dict.fromkeys(self.outputs))
        parameters = ", ".join(f"s{slot}" for slot in self.inputs)
        returned = "".join(f"s{slot}, " for slot in self.outputs).rstrip()
        body = "".join(f"    {line}\n" for line in lines)
        self.text = f"def region({parameters}):\n{body}    return ({returned})\n"

    def function(self):
        """A new function, whose source a compiler can look up."""
        name = f"<region {next(NUMBERS)}>"
        linecache.cache[name] = (len(self.text), None, self.text.splitlines(True), name)
        made = {"torch": torch, "__name__": "region"}
        exec(compile(self.text, name, "exec"), made)
        return made["region"]


def forget_functions():
    """The sources of functions that no one calls again."""
    for name in [name for name in linecache.cache if name.startswith("<region ")]:
        del linecache.cache[name]


def region_at(body, at, alone, device):
    """The region that begins with statement `at`, which is only that statement if `alone`; None: it is run as it is."""
    statements, last = body.statements, at
    if statements[at]["do"] != "call":  # a tensor made before a region is one of its inputs
        return None
    while last < len(statements) and last - at < LONGEST and statements[last]["do"] in SPELLED:
        last += 1
        if alone:
            break
    return Region(statements, at, last, device)
