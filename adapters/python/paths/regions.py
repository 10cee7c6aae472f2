"""Regions: the runs of statements that are captured as one graph, as Python functions."""
import itertools
import linecache
import random
import zlib

import torch
from paths.spelling import Known, Text, Unspelled

NUMBERS = itertools.count(1)  # each region's function has a file name of its own
LONGEST = 60  # statements in one region, so that one graph stays readable and its capture quick


class Region:
    """The statements from `first` up to `last`, without `last`: `text` is a function of the slots `inputs` that returns the slots
    `outputs`. `written`: its lines and classes."""

    def __init__(self, first, last, written):
        self.first, self.last = first, last
        self.written = written
        self.inputs, self.outputs, self.text = written.inputs, written.outputs, written.function("region")

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


class Cutter:
    """Cuts a script into regions. A unit of a region is a call, of the script's own operators too (paths/contracts.py), a guard
    with all that is in it, or a call of a custom function. `how`: "whole": as many units as there are up to an observation;
    "each": one; "random": some, always the same in one script. `known`: of the script. `guards`: those that may be entered in a region. `custom_functions`: whether these may be called
    there. `leaves`: whether a tensor that requires grad may be made there."""

    def __init__(self, script, known, how, guards, custom_functions, leaves):
        self.known, self.how = known, how
        self.guards, self.custom_functions, self.leaves = guards, custom_functions, leaves
        self.random = random.Random(zlib.crc32(repr(script["statements"]).encode())) if how == "random" else None

    def text(self):
        return Text(self.known, self.guards)

    def region_at(self, body, at, alone):
        """The region that begins with statement `at`, with one unit if `alone`; None: it is run as it is."""
        if body.statements[at]["do"] not in ("call", "invoke", "enter", "enter_forward"):
            return None  # a tensor made before a region is one of its inputs
        text, last, calls = self.text(), at, False
        while last < len(body.statements) and last - at < LONGEST:
            end = self.end_of_unit(body, last)
            if end is None:
                break
            calls |= any(statement["do"] in ("call", "invoke", "enter_forward") for statement in body.statements[last:end])
            last = end
            if alone or self.how == "each" or (self.random and self.random.random() < 0.3):
                break
        if not calls:
            return None
        text.write(body, at, last)
        return Region(at, last, text)

    def end_of_unit(self, body, at):
        """The statement after the unit that begins here; None: it cannot stand in a region."""
        statement = body.statements[at]
        if statement["do"] == "exit":  # of a guard around the region
            return None
        end = body.ends[at] + 1 if statement["do"] in ("enter", "enter_forward") else at + 1
        if not self.leaves and any(one.get("requires_grad") for one in body.statements[at:end]):
            return None
        if not self.custom_functions and any(one["do"] == "enter_forward" for one in body.statements[at:end]):
            return None
        try:
            self.text().write(body, at, end)
        except Unspelled:
            return None
        return end
