"""Compares by_schema.yaml with the operators of the installed PyTorch, and arguments.jsonl with both.

Run by CTest, or as pytest spec/tests/by_schema_test.py with the Python of PyTorch 2.13.
"""

import json
import pathlib
import re

import pytest
import torch

ROOT = pathlib.Path(__file__).parent.parent.parent
TEXT = (ROOT / "spec/ops/by_schema.yaml").read_text()
ENTRIES = {entry.split("(")[0]: entry for entry in re.findall(r"^- func: (.*(?:\n  .*)*)", TEXT, re.MULTILINE)}
CHOICES = [json.loads(line) for line in (ROOT / "fuzz/by_schema/arguments.jsonl").read_text().splitlines()]


def operator(name):
    own, _, overload = name.partition(".")
    return getattr(getattr(torch.ops.aten, own), overload or "default")


def test_the_table_was_read():
    assert len(ENTRIES) == TEXT.count("\n- func: ") >= 1500


def test_each_schema_is_that_of_pytorch():
    wrong = [name for name, entry in ENTRIES.items() if f"aten::{entry.splitlines()[0]}" != str(operator(name)._schema)]
    assert wrong == []


def test_what_is_composite_is_so_in_pytorch():
    def composite(name):
        return torch._C._dispatch_has_kernel_for_dispatch_key(f"aten::{name}", "CompositeImplicitAutograd")

    assert [name for name, entry in ENTRIES.items() if ("composite: True" in entry) != composite(name)] == []


def test_no_op_draws_random_numbers():
    assert [name for name in ENTRIES if any("nondeterministic" in str(tag) for tag in operator(name).tags)] == []


def test_nine_ops_in_ten_have_arguments():
    assert len({choice["op"] for choice in CHOICES}) >= 0.9 * len(ENTRIES)


def plain(argument, tensors, default=None):
    """An argument as Python has it."""
    if isinstance(argument, list):
        return [plain(one, tensors) for one in argument]
    if isinstance(argument, dict):
        if "complex" in argument:
            return number(argument["complex"])
        return default if "default" in argument else tensors[argument["tensor"]] if "tensor" in argument else getattr(torch, argument["dtype"])
    return argument


def number(value):
    """An element: a complex one has two parts."""
    return complex(*map(float, value)) if isinstance(value, list) else float(value)


@pytest.mark.parametrize("choice", CHOICES[::40], ids=lambda choice: choice["op"])
def test_pytorch_takes_the_arguments(choice):
    tensors = [torch.tensor([number(value) for value in one["values"]], dtype=torch.complex128 if "complex" in one["dtype"] else torch.float64).to(getattr(torch, one["dtype"])).reshape(one["sizes"]) for one in choice["tensors"]]
    op = operator(choice["op"])
    given = [(argument, plain(one, tensors, argument.default_value)) for argument, one in zip(op._schema.arguments, choice["arguments"], strict=True)]
    op(*[value for argument, value in given if not argument.kwarg_only], **{argument.name: value for argument, value in given if argument.kwarg_only})
