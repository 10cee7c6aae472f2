"""Writes by_schema.yaml: the ops of PyTorch that programs may call although only their schemas are known.

    .venv/bin/python3 spec/ops/by_schema.py ACCEPTED [--check]

ACCEPTED is what `plumbline sweep --on libtorch-2.13.0 --accepted ACCEPTED` wrote: an op stands here only if arguments
are known that it takes, because a program that calls it needs some."""
import argparse
import collections
import json
import pathlib
import re
import sys

import torch

HERE = pathlib.Path(__file__).parent
TYPES = {"Tensor", "int", "SymInt", "Scalar", "bool", "float", "ScalarType", "Layout", "Device", "MemoryFormat", "str", "Generator"}
LISTS = {"Tensor", "int", "SymInt", "float"}
# What no column and no rule says of them.
PECULIAR = {
    "it leaves elements unspecified": r"(new_)?empty|resize|fbgemm_|grid_sampler|unfold_backward|masked_scatter_backward",
    "it changes more than its argument's elements": r"requires_grad_$|retain_grad|set$|set\.|rename|data$|lift",
    "it may call a view op with several results": r"split\.sizes$",
    "it makes a sparse, quantized or opaque tensor": r"(to_)?sparse|to_mkldnn|mkldnn|quantize_|to_dense|miopen|cudnn",
}
BLAS = (r"linalg_|cholesky|lu_|qr|svd|geqrf|orgqr|ormqr|triangular|inverse|pinverse|(log|slog)?det(\.|$)|matrix_|chain_matmul|lstsq|(b)?addbmm|"
        r"baddbmm|addm[mv]|addr|outer|ger|inner|(v)?dot|matmul|linear|bilinear|tensordot|einsum|conv|slow_conv|thnn|mkl|lstm|gru|rnn|cdist|pdist|cov|"
        r"corrcoef|nuclear|frobenius|fft_|stft|istft|cosine")
HEADER = """# Ops of PyTorch {version} of which only the schema is known; written by spec/ops/by_schema.py.
#
# The reference runs them by their schemas: what is written, what aliases, and every rule about modes, versions and keys.
# What they compute comes from a run of the implementation itself (docs/BY_SCHEMA.md). `composite` is as in ops.yaml;
# the schema's annotations imply the other columns of that table.
# `blas: True` is for ops that call BLAS or LAPACK, whose last digits may depend on where memory lies.
#
# Left out, of {all} overloads of the namespace aten:
{left_out}

"""


def known():
    """The ops of ops.yaml."""
    return set(re.findall(r"^- func: ([\w.]+)\(", (HERE / "ops.yaml").read_text(), re.MULTILINE))


def written_form(type_text):
    """An argument's type without alias set, `?` and `[]`, and whether it is a list."""
    plain = re.sub(r"\([^)]*\)", "", type_text).replace("?", "")
    return re.sub(r"\[\d*\]", "", plain), "[" in plain


def why_not(name, op, accepted):
    """Why an op does not stand in the table; empty: it does."""
    schema = op._schema
    tags = {str(tag) for tag in op.tags}
    arguments, results = types_in(str(schema))
    parts = [(argument, *written_form(text)) for argument, text in zip(schema.arguments, arguments, strict=True)]
    written = [i for i, (argument, *_) in enumerate(parts) if argument.alias_info is not None and argument.alias_info.is_write]
    aliased = [i for i, (argument, *_) in enumerate(parts) if argument.alias_info is not None and not argument.alias_info.is_write]
    returned = [written_form(text) for text in results]
    if name in known():
        return "it stands in ops.yaml"
    if name.startswith("_"):
        return "it is private, and may trust its arguments"
    if f"aten::{name}" not in accepted:
        return "no arguments are known that it takes"
    for reason, pattern in PECULIAR.items():
        if re.match(pattern, name):
            return reason
    if any("nondeterministic" in tag for tag in tags) or any(plain == "Generator" for _, plain, _ in parts):
        return "it draws random numbers"
    if not returned or any(plain != "Tensor" for plain, _ in returned) or len(returned) > 8:
        return "it does not return tensors"
    if any(many for _, many in returned) and len(returned) > 1 or any("?" in text for text in results):
        return "it returns a list beside a tensor, or an optional tensor"
    for _, plain, many in parts:
        if plain not in TYPES or many and plain not in LISTS:
            return f"programs have no {'list of ' if many else ''}{plain}"
    if any(plain == "ScalarType" and isinstance(argument.default_value, int) for argument, plain, _ in parts):
        return "a dtype has a number as its default"
    if any("inplace_view" in tag for tag in tags):
        return "it changes the geometry of its argument"
    if written:
        out = written == [len(parts) - 1] and schema.arguments[-1].kwarg_only
        if parts[written[0]][2] or not out and (written != [0] or not name.split(".")[0].endswith("_")):
            return "it writes several arguments, or one that is neither the first nor a last `out`"
        return "it returns more than it writes" if len(returned) > 1 else ""
    if aliased and (aliased != [0] or parts[0][1:] != ("Tensor", False)):
        return "a result aliases another argument than the first"
    return ""


def parts_of(text):
    """The parts of a list, between commas that stand in no bracket."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip() not in ("", "*", "...")]


def types_in(schema):
    """The types of a schema's arguments and of its results, as it prints them: "SymInt[]?"."""
    arguments, results = schema.partition("(")[2].rsplit(") -> ", 1)
    if results.startswith("("):
        results = results[1:-1]
    return tuple([re.match(r"[A-Za-z.]*(\([^)]*\))?[][?\d]*", part)[0] for part in parts_of(text)] for text in (arguments, results))


def composite(name):
    """Whether the op's kernel is CompositeImplicitAutograd."""
    return torch._C._dispatch_has_kernel_for_dispatch_key(f"aten::{name}", "CompositeImplicitAutograd")


def overloads():
    """All overloads of the namespace aten by name ("add.Tensor"), and how each is called from Python."""
    found = {}
    for schema in torch._C._jit_get_all_schemas():
        space, _, own = schema.name.partition("::")
        packet = getattr(torch.ops.aten, own, None) if space == "aten" else None
        op = getattr(packet, schema.overload_name or "default", None) if packet is not None else None
        if op is not None:
            found[own + (f".{schema.overload_name}" if schema.overload_name else "")] = op
    return dict(sorted(found.items()))


def table(accepted):
    """The text of by_schema.yaml."""
    left_out, entries = collections.Counter(), []
    everything = overloads()
    for name, op in everything.items():
        if why := why_not(name, op, accepted):
            left_out[why] += 1
            continue
        columns = [f"- func: {str(op._schema).removeprefix('aten::')}"]
        columns += ["  composite: True"] if composite(name) else []
        columns += ["  blas: True"] if re.match(BLAS, name) else []
        entries.append("\n".join(columns) + "\n")
    reasons = "\n".join(f"#   {count:4} {why}" for why, count in left_out.most_common())
    return HEADER.format(version=torch.__version__.split("+")[0], all=len(everything), left_out=reasons) + "\n".join(entries)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("accepted", help="what `plumbline sweep --accepted` wrote")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if by_schema.yaml would change")
    options = parser.parse_args()
    accepted = {json.loads(line).get("op") for line in open(options.accepted, encoding="utf-8")}
    text = table(accepted)
    file = HERE / "by_schema.yaml"
    if options.check:
        if file.read_text() != text:
            sys.exit(f"{file} is not what this PyTorch and {options.accepted} give; run the command without --check")
        return
    file.write_text(text)
    print(f"{file}: {text.count('- func')} ops")


if __name__ == "__main__":
    main()
