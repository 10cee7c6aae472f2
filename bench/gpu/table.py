#!/usr/bin/env python3
"""Joins what plumbline-bench-gpu and torch_rows.py measured: a table of ratios, with the targets.

    table.py ours.json torch.json [--json table.json]

Exit codes: 0 every target that could be judged is met, 1 one is not, 2 a file cannot be read.
"""
import argparse
import json
import sys

COPY = "copy, {} elements"


class Target:
    """What a row must reach: a ratio to a row of PyTorch's, or a share of the bandwidth of our copy."""

    def __init__(self, at_least, against=None, share_of=None):
        self.at_least, self.against, self.share_of = at_least, against, share_of

    def text(self):
        if self.share_of:
            return f"≥ {self.at_least:.0%} of copy"
        return f"≥ {self.at_least:g}x" + (f" {self.against}" if self.against else "")


TARGETS = {
    "add, 1 element": Target(2),
    "chain of 20, 1 element, eager": Target(2),
    "chain of 20, 1 element, graph": Target(10, against="chain of 20, 1 element, eager"),
    "chain of 10, 2^26 elements, graph": Target(1, against="chain of 10, 2^26 elements, compiled"),
    "add, 2^24 elements": Target(0.92, share_of=COPY.format("2^24")),
    "add, 2^28 elements": Target(0.92, share_of=COPY.format("2^28")),
    "matmul, float32, 1024": Target(1),
    "matmul, float32, 4096": Target(1),
    "matmul, float32, 8192": Target(1),
}


def time_text(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def bandwidth(row):
    return row["bytes"] / row["median_s"]


def joined(ours, theirs):
    """A list of rows: the times, the ratio, the share of copy, and what the target says."""
    own = {row["name"]: row for row in ours["rows"]}
    other = {row["name"]: row for row in theirs["rows"]}
    table = []
    for name, row in own.items():
        line = {"name": name, "ours_s": row["median_s"]}
        target = TARGETS.get(name)
        rival = other.get(target.against if target and target.against else name)
        if rival:
            line["torch_s"] = rival["median_s"]
            line["ratio"] = rival["median_s"] / row["median_s"]
        copy = own.get(target.share_of) if target and target.share_of else None
        if row.get("bytes"):
            line["bytes_per_s"] = bandwidth(row)
        if copy:
            line["share_of_copy"] = bandwidth(row) / bandwidth(copy)
        if row.get("flops"):
            line["flops_per_s"] = row["flops"] / row["median_s"]
        if target:
            line["target"] = target.text()
            reached = line.get("share_of_copy") if target.share_of else line.get("ratio")
            if reached is not None:
                line["met"] = reached >= target.at_least
        table.append(line)
    return table


def printed(table, ours, theirs):
    head = ["row", "ours", theirs["implementation"], "ratio", "rate", "target", ""]
    lines = [head]
    for line in table:
        rate = ""
        if "flops_per_s" in line:
            rate = f"{line['flops_per_s'] / 1e12:.3g} TFLOP/s"
        elif "bytes_per_s" in line:
            rate = f"{line['bytes_per_s'] / 1e12:.3g} TB/s"
        if "share_of_copy" in line:
            rate += f", {line['share_of_copy']:.0%} of copy"
        met = {True: "met", False: "NOT MET", None: ""}[line.get("met")]
        lines.append([line["name"], time_text(line["ours_s"]), time_text(line["torch_s"]) if "torch_s" in line else "",
                      f"{line['ratio']:.2f}x" if "ratio" in line else "", rate, line.get("target", ""), met])
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    text = [f"On {ours['device']}. Times are medians; a ratio is PyTorch's time divided by ours."]
    text += ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
    for one in (ours, theirs):
        if "most_bytes" in one:
            text.append(f"Most memory in use, {one['implementation']}: {one['most_bytes'] / 2**20:.0f} MiB")
        if "error" in one:
            text.append(f"{one['implementation']} stopped: {one['error']}")
    return "\n".join(text)


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        for row in report["rows"]:
            row["name"], row["median_s"]  # both must be there
        report["implementation"], report["device"]
        return report
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"table.py: {path} is not a report of plumbline-bench-gpu or torch_rows.py: {error!r}", file=sys.stderr)
        raise SystemExit(2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ours")
    parser.add_argument("torch", nargs="?", help="without it, only our times are printed")
    parser.add_argument("--json", help="also write the table to this file")
    options = parser.parse_args()
    ours = load(options.ours)
    theirs = load(options.torch) if options.torch else {"implementation": "PyTorch: none", "device": "", "rows": []}
    table = joined(ours, theirs)
    print(printed(table, ours, theirs))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"device": ours["device"], "torch": theirs["implementation"], "rows": table}, file, indent=2)
    return 1 if any(line.get("met") is False for line in table) else 0


if __name__ == "__main__":
    sys.exit(main())
