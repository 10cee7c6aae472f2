#!/usr/bin/env python3
"""Writes the arguments that are kept for operators of PyTorch which take none of those that the sweep makes up: libtorch.jsonl.

They come from PyTorch's own samples of its operators (torch.testing, op_db), whose calls and backwards are heard, and from by_hand.py.
Arguments of an operator are also tried for its other overloads, such as out=. Only those are kept that the caller of the sweep takes: for
each operator the shortest, and the shortest of other dtypes or ranks. The same PyTorch gives the same file.

  pip install expecttest      # op_db needs it
  plumbline sweep --on libtorch-2.13.0 --without-samples --json sweep.json
  python sweep/samples/record.py sweep.json --caller build/release/bin/plumbline-sweep-libtorch-2.13.0 --to sweep/samples/libtorch.jsonl
"""
import argparse
import itertools
import json

import torch
from by_hand import BY_HAND
from caller import Caller
from hearing import Heard, base_of, hear_all
from saying import Unsayable, experiment, full_name, kind_of, line_of

KEPT = 2  # choices for an operator
TRIED = 60
LONGEST = 6000  # characters of a line
ROUNDED = (1, 9)  # digits after the point: few, and enough where few are refused
OTHER_DTYPES = ("float32", "float64", "complex64", "int64", "bool")  # of out=, if no functional call says it


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweep", metavar="SWEEP.JSON", help="the report of a sweep: the operators that were not called are those that need arguments")
    parser.add_argument("--caller", required=True, help="the caller of the sweep, of the same PyTorch as this Python")
    parser.add_argument("--to", required=True, metavar="FILE", help="the file to write")
    parser.add_argument("--explain", action="store_true", help="print for each operator that takes nothing what it said of the last arguments")
    return parser.parse_args()


def needed(report):
    """The operators that could be called, and took nothing or crashed."""
    return [one["operator"] for one in report["not_judged"] if one["why"].startswith(("it took none", "killed", "no answer"))]


class Chooser:
    """Tries what was heard on the operators."""

    def __init__(self, caller, operators, heard):
        self.caller, self.heard = caller, heard
        self.operators = {full_name(op): op for op in operators}
        self.refusal, self.results = "", {}

    def choices(self, name):
        """At most KEPT experiments that the operator takes, which differ in dtypes or ranks."""
        kept, op = {}, self.operators[name]
        self.refusal = "nothing was heard"
        for values in itertools.islice(self.heard.like(name), TRIED):
            one = self.taken(op, values)
            if one and len(line_of(one)) <= LONGEST:
                kept.setdefault(kind_of(one), one)
            if len(kept) == KEPT:
                break
        return [one for one in kept.values() if self.taken_by_itself(one)]

    def taken_by_itself(self, one):
        """Whether it is taken as the first call of a process: some operators read memory that they never wrote."""
        self.caller.stop()
        seen, self.refusal = self.caller.observe(one)
        return seen is not None

    def taken(self, op, values):
        """The experiment with these values, if the operator takes it."""
        outs = sum(1 for one in op["arguments"] if one["written"] and one["keyword_only"])
        for out in self.tensors_for_out(op, values) if outs else [[]]:
            for digits in ROUNDED:
                try:
                    one = experiment(op, values, out, digits)
                except Unsayable as error:
                    self.refusal = f"not sayable: {error}"
                    return None
                seen, self.refusal = self.caller.observe(one)
                if seen:
                    return one
        return None

    def tensors_for_out(self, op, values):
        """What `out=` may need: empty tensors of the dtypes that a functional operator returns for these arguments, then tensors of
        its sizes too, then empty ones of any dtype."""
        found = []
        for twin in self.operators.values():
            if base_of(twin["name"]) != base_of(op["name"]) or any(one["written"] for one in twin["arguments"]):
                continue
            key = (full_name(twin), id(values))
            if key not in self.results:
                self.results[key] = self.results_of(twin, values)
            if self.results[key] and self.results[key] not in found:
                found.append(self.results[key])
        empty = [[[(dtype, [0]) for dtype, _ in place] for place in one] for one in found]
        return empty + found + [[[(dtype, [0])]] * 9 for dtype in OTHER_DTYPES]

    def results_of(self, twin, values):
        try:
            seen, _ = self.caller.observe(experiment(twin, values, [], 9))
        except Unsayable:
            return None
        if not seen:
            return None
        places = {}
        for result in seen["results"]:
            if result["facts"]:
                places.setdefault(result["place"], []).append((result["facts"]["dtype"], result["facts"]["sizes"]))
        return [places[place] for place in sorted(places)]


def main():
    given = options()
    with open(given.sweep, encoding="utf-8") as file:
        names = needed(json.load(file))
    heard = Heard({base_of(name) for name in names})
    for name, values in BY_HAND:
        heard.add(name, values)
    hear_all(heard)
    caller = Caller(given.caller)
    chooser = Chooser(caller, caller.ask({"cmd": "operators"})["operators"], heard)
    version = torch.__version__.split("+")[0]
    lines = [line_of({"about": f"arguments for operators of PyTorch {version} that take none of those made up; written by sweep/samples/record.py"})]
    called = 0
    for name in sorted(names):
        choices = chooser.choices(name)
        called += bool(choices)
        lines += [line_of(one) for one in choices]
        if given.explain and not choices:
            print(f"{name}: {chooser.refusal}")
    with open(given.to, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    print(f"{called} of {len(names)} operators take what was found")


if __name__ == "__main__":
    main()
