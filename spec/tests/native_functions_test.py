"""Compares the op table with PyTorch's own native_functions.yaml and derivatives.yaml, character by character.

Run by CTest, or as PLUMBLINE_TORCH=<site-packages>/torch pytest spec/tests/native_functions_test.py.
"""

import os
import pathlib
import re

import pytest

TABLE = pathlib.Path(__file__).parent.parent / "ops" / "ops.yaml"


def torchgen(name):
    """A file that PyTorch's wheel installs next to the package `torch`; without it the test fails."""
    torch = os.environ.get("PLUMBLINE_TORCH")
    if not torch:
        raise RuntimeError("PLUMBLINE_TORCH is not set; give it the folder site-packages/torch of PyTorch 2.13")
    return (pathlib.Path(torch).parent / "torchgen" / "packaged" / name).read_text()


def entries(text, first):
    """The entries of a YAML list of flat maps, each as {column: text}; nested maps are kept as their lines."""
    found = []
    for line in text.splitlines():
        if match := re.match(rf"- {first}: (.*)", line):
            found.append({first: match[1]})
            column = first
        elif found and (match := re.match(r"  (\w+):(?: (.*))?", line)):
            column = match[1]
            found[-1][column] = re.sub(r"\s+#.*", "", match[2] or "").strip()
        elif found and line.startswith("    "):
            found[-1][column] += line + "\n"
    return found


def name_of(func):
    return func.split("(")[0]


OURS = {name_of(e["func"]): e for e in entries(TABLE.read_text(), "func")}


@pytest.fixture(scope="module")
def theirs():
    return {name_of(e["func"]): e for e in entries(torchgen("ATen/native/native_functions.yaml"), "func")}


@pytest.fixture(scope="module")
def derivatives():
    return {name_of(e["name"]): e for e in entries(torchgen("autograd/derivatives.yaml"), "name")}


def test_the_table_was_read():
    lines = [line for line in TABLE.read_text().splitlines() if line.startswith("- func:")]
    assert len(OURS) == len(lines) >= 30


@pytest.mark.parametrize("op", OURS)
def test_schema_is_pytorchs(op, theirs):
    assert OURS[op]["func"] == theirs[op]["func"]


@pytest.mark.parametrize("op", OURS)
def test_variants_are_pytorchs(op, theirs):
    assert OURS[op].get("variants") == theirs[op].get("variants")


@pytest.mark.parametrize("op", OURS)
def test_kind_is_what_annotations_and_tags_say(op, theirs):
    arguments, result = theirs[op]["func"].rsplit(" -> ", 1)
    if "inplace_view" in theirs[op].get("tags", ""):
        kind = "InplaceView"
    elif re.search(r"Tensor\(a!\) out\)$", arguments):
        kind = "Out"
    elif "!" in result:
        kind = "Inplace"
    elif "(a)" in result:
        kind = "View"
    else:
        kind = "Functional" if "Tensor" in arguments else "Factory"
    assert OURS[op]["kind"] == kind


@pytest.mark.parametrize("op", OURS)
def test_aliases_is_what_annotations_say(op, theirs):
    result = theirs[op]["func"].rsplit(" -> ", 1)[1]
    if OURS[op]["kind"] == "Out":
        allowed = ("out",)
    elif "!" in result:
        allowed = ("self", "argument")
    elif "(a)" in result or op.startswith(("unsafe_", "_unsafe_")):
        allowed = ("always", "may")
    else:
        allowed = ("never",)
    assert OURS[op]["aliases"] in allowed


@pytest.mark.parametrize("op", OURS)
def test_composite_is_pytorchs(op, theirs):
    # PyTorch's default, without `dispatch`, is CompositeImplicitAutograd, unless another op's kernel is the op's.
    implicit = ("CompositeImplicitAutograd:" in theirs[op].get("dispatch", "")
                or not ("dispatch" in theirs[op] or "structured_delegate" in theirs[op]))
    assert (OURS[op].get("composite", "False") == "True") == implicit


@pytest.mark.parametrize("op", OURS)
def test_devices_are_what_pytorch_does_not_check(op, theirs):
    """An op without PyTorch's check of devices, and without its guard, takes tensors of any; numbers come where there is no check."""
    several = len(re.findall(r"Tensor\S* \w+", theirs[op]["func"].rsplit(" -> ", 1)[0].partition("(")[2])) > 1
    unchecked = theirs[op].get("device_check") == "NoCheck"
    anywhere = unchecked and theirs[op].get("device_guard") == "False" and several
    devices = OURS[op].get("devices")
    assert (devices == "any") == anywhere
    assert devices is None or unchecked


@pytest.mark.parametrize("op", OURS)
def test_saves_are_what_the_derivatives_use(op, derivatives):
    """If a gradient's formula uses an argument, that is saved when the gradient's argument requires grad."""
    name, _, overload = op.partition(".")
    functional = ".".join(filter(None, [name.rstrip("_"), overload]))
    formulas = {} if OURS[op]["kind"] == "Out" else derivatives.get(op) or derivatives.get(functional) or {}
    # What reads only sizes, strides, the dtype and the like saves no tensor; nor does zeros_like, of which PyTorch's
    # load_derivatives.py keeps the dtype and the sizes ("replace zeros_like(self) with self_info").
    no_tensor = r"\b\w+\.(sym_\w+|sizes|strides|layout|scalar_type|options|dim)\(|TensorGeometry\(\w+\)|zeros_like\(\w+\)"
    arguments, result = OURS[op]["func"].rsplit(" -> ", 1)
    tensors = re.findall(r"Tensor(?:\([^)]*\))? (\w+)", arguments)
    results = re.findall(r"Tensor (\w+)", result) or ["result"]
    expected = set()
    for when in tensors:
        formula = re.sub(no_tensor, "", formulas.get(when, ""))
        for saved in tensors + results:
            if re.search(rf"\b{saved}\b", formula):
                copy = "copy of " if OURS[op]["kind"] == "Inplace" and saved == "self" else ""
                expected.add(f"{copy}{saved} when {when}")
    if op.endswith("_backward"):  # PyTorch saves it whichever argument requires grad [gen_variable_type.py, guard_for]
        expected = {f"{item.split(' when ')[0]} when {when}" for item in expected for when in formulas if when in tensors}
    stated = {item for item in OURS[op].get("saves", "").strip("[]").split(", ") if item}
    assert stated == expected
