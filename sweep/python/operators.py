"""The operators that the dispatcher of this PyTorch knows, as docs/SWEEP.md lists them."""
import re

import torch

PARAMETER = re.compile(r"(?P<type>[\w.]+)(?P<marks>(\([^)]*\)|\[\d*\]|\?)*)( (?P<name>\w+))?(?P<default>=.*)?$", re.DOTALL)
TYPES = {"SymInt": "int", "SymBool": "bool", "number": "Scalar"}
TAGS = ("nondeterministic_seeded", "nondeterministic_bitwise", "data_dependent_output", "dynamic_output_shape")
COMPOSITE = ("CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")
BACKENDS = {"cpu": "CPU", "cuda": "CUDA", "mps": "MPS", "xla": "XLA", "xpu": "XPU", "privateuseone": "PrivateUse1"}


def all_names():
    """Each operator by "aten::add.Tensor"."""
    return set(torch._C._dispatch_get_all_op_names())


def overload_named(full_name):
    """The torch.ops member. Raises AttributeError if there is none."""
    space, name = full_name.split("::")
    name, _, overload = name.partition(".")
    return getattr(getattr(getattr(torch.ops, space), name), overload or "default")


def schema_of(full_name):
    name, _, overload = full_name.partition(".")
    return torch._C._get_schema(name, overload)


def split(text):
    """The parts between the commas that are in no bracket and in no string."""
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0 and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def parameter(text, keyword_only):
    found = PARAMETER.match(text)
    if not found:
        raise ValueError(f"cannot read '{text}' of a schema")
    marks = found["marks"]
    alias = re.search(r"\(([^)]*)\)", marks)
    names = alias[1].split("->")[0].replace("!", "").split("|") if alias else []
    return {"name": found["name"] or "", "type": TYPES.get(found["type"], found["type"]), "optional": "?" in marks, "list": "[" in marks,
            "keyword_only": keyword_only, "default": found["default"] is not None, "aliases": [name.strip() for name in names],
            "written": bool(alias) and "!" in alias[1]}


def parameters(text):
    """Of a schema: its arguments and its results."""
    body = text[text.index("(") + 1:]
    depth = 1
    for end, letter in enumerate(body):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            break
    arguments, keyword_only = [], False
    for part in split(body[:end]):
        if part == "*":
            keyword_only = True
        else:
            arguments.append(parameter(part, keyword_only))
    results = body[end + 1:].split("->", 1)[1].strip()
    if results.startswith("(") and results.endswith(")"):
        results = results[1:-1]
    return arguments, [parameter(part, False) for part in split(results)]


def described(full_name, device):
    """The operator as JSON. Raises ValueError or RuntimeError if its schema cannot be read."""
    name, _, overload = full_name.partition(".")
    schema = str(schema_of(full_name))
    arguments, results = parameters(schema)
    kernels = [key for key in (BACKENDS.get(device, "CPU"), *COMPOSITE) if torch._C._dispatch_has_kernel_for_dispatch_key(full_name, key)]
    try:
        tags = {str(tag).removeprefix("Tag.") for tag in overload_named(full_name).tags}
    except (AttributeError, RuntimeError):
        tags = set()
    return {"name": name, "overload": overload, "schema": schema, "arguments": arguments, "results": results, "kernels": kernels,
            "tags": [tag for tag in TAGS if any(tag in each for each in tags)]}
