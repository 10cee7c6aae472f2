"""Writes arguments.jsonl: for each op of by_schema.yaml, arguments that it takes, for the generator of programs.

    python3 fuzz/by_schema/arguments.py ACCEPTED

ACCEPTED is what `plumbline sweep --on libtorch-2.13.0 --accepted ACCEPTED` wrote. Of each op the shortest choices are
kept, with different dtypes and sizes, and one with complex tensors."""
import argparse
import json
import math
import pathlib
import re

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
KEPT = 2  # choices for one op
MOST_ELEMENTS = 48  # of one tensor: programs write them out


def dtypes():
    """The dtypes that programs have."""
    text = (ROOT / "spec/vocabulary/dtype.h").read_text()
    return set(re.findall(r'"(\w+)"', re.search(r"kDtypeNames\{(.*?)\}", text, re.DOTALL)[1]))


def names():
    return set(re.findall(r"^- func: ([\w.]+)\(", (ROOT / "spec/ops/by_schema.yaml").read_text(), re.MULTILINE))


def elements(tensor):
    """The elements in row-major order of the indices."""
    count = math.prod(tensor["sizes"])
    found = []
    for number in range(count):
        at, left = tensor["offset"], number
        for size, stride in zip(reversed(tensor["sizes"]), reversed(tensor["strides"])):
            at += left % size * stride
            left //= size
        found.append(tensor["values"][at])
    return found


def plain(value, dtype):
    """An element as short as it is: 2, not 2.0; cast to the dtype, as the sweep casts it."""
    if dtype == "bool":
        return int(value != 0)
    if "int" in dtype:
        return int(value)
    if isinstance(value, list):
        return [plain(part, "float64") for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


def fits(argument, known):
    if isinstance(argument, list):
        return all(fits(one, known) for one in argument)
    return not isinstance(argument, dict) or argument.get("dtype", "float32") in known


def choice(experiment, known):
    """One line; nothing if programs have no such arguments."""
    if not all(tensor["dtype"] in known and math.prod(tensor["sizes"]) <= MOST_ELEMENTS for tensor in experiment["tensors"]):
        return None
    if any(0 in tensor["sizes"][:-1] for tensor in experiment["tensors"]) or not fits(experiment["arguments"], known):
        return None
    tensors = [{"dtype": tensor["dtype"], "sizes": tensor["sizes"], "values": [plain(value, tensor["dtype"]) for value in elements(tensor)]} for tensor in experiment["tensors"]]
    return {"op": experiment["op"].removeprefix("aten::"), "tensors": tensors, "arguments": experiment["arguments"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("accepted", help="what `plumbline sweep --accepted` wrote")
    known, wanted, found = dtypes(), names(), {}
    for line in open(parser.parse_args().accepted, encoding="utf-8"):
        experiment = json.loads(line)
        if experiment.get("op", "").removeprefix("aten::") not in wanted:
            continue
        if made := choice(experiment, known):
            found.setdefault(made["op"], {}).setdefault(str([(one["dtype"], len(one["sizes"])) for one in made["tensors"]]), []).append(made)
    lines = []
    for op in sorted(found):
        alike = [min(choices, key=lambda made: (len(json.dumps(made)), json.dumps(made))) for choices in found[op].values()]
        alike.sort(key=lambda made: (len(json.dumps(made)), json.dumps(made)))
        kept = alike[:KEPT]
        kept += [made for made in alike if any(one["dtype"].startswith("complex") for one in made["tensors"]) and made not in kept][:1]
        lines += [json.dumps(made, separators=(",", ":")) for made in kept]
    (HERE / "arguments.jsonl").write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} choices for {len(found)} of {len(wanted)} ops; without any: {', '.join(sorted(wanted - set(found))) or 'none'}")


if __name__ == "__main__":
    main()
