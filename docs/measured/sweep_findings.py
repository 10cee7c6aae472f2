#!/usr/bin/env python3
"""Writes docs/FINDINGS.md: what a sweep of PyTorch found, by cause, newest first.

usage: sweep_findings.py [--check | REPORT]

Causes are kept by hand in sweep_causes.json; each has a program in docs/findings/sweep. The findings are in sweep_2.13.json. REPORT is what
`plumbline sweep --on libtorch-2.13.0 --json REPORT` wrote: its findings of public operators replace those of sweep_2.13.json. --check writes
nothing. Exit code: 0; 1 if --check finds the page out of date; 2 for a cause in another form, or one that covers no finding.
"""
import collections
import fnmatch
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
CAUSES, REDUCED, PAGE = HERE / "sweep_causes.json", HERE / "sweep_2.13.json", HERE.parent / "FINDINGS.md"
PROGRAMS = HERE.parent / "findings/sweep"
SEVERITIES = re.findall(r'"([^"]+)"', re.search(r"kSeverities\{(.*?)\};", (HERE.parents[1] / "sweep/laws.h").read_text(encoding="utf-8"), re.S)[1])
LETTERS = 90  # of a detail
NAMES = 8  # operators that are named

KEYS = {"id", "title", "severity", "date", "laws", "operators", "best", "tracker", "text", "prints"}
HEAD = """# What the sweep finds in PyTorch {version}

`plumbline sweep --on libtorch-2.13.0` calls every operator of PyTorch and judges it by laws that its schema states ([SWEEP.md](SWEEP.md)). This page
lists the causes of what it found in public operators, newest first. Each has a program for plain Python that fails; *prints* is what it printed, with
{version} on the CPU. *Tracker* is the report of the same behaviour, or *new* with the words that were searched for.

`docs/measured/sweep_findings.py` writes this page from `docs/measured/sweep_causes.json`, which is kept by hand; the tests `sweep_findings` and
`sweep_programs` fail if the page is out of date, or if a program no longer fails. A finding is one operator that breaks one law in one way.
"""


class Malformed(Exception):
    """A cause in another form; says which, and what is wrong."""


def reduced(report):
    """The findings of public operators: {law: {what: {operator: detail}}}."""
    found = collections.defaultdict(lambda: collections.defaultdict(dict))
    for one in report["findings"]:
        if not one["private"]:
            found[one["law"]][one["what"]][one["operator"]] = one["detail"][:LETTERS]
    return {"version": report["version"], "private": sum(one["private"] for one in report["findings"]),
            "laws": {law["id"]: law["sentence"] for law in report["laws"]},
            "unjudged": [law["id"] for law in report["laws"] if law["cases"] + law["refused"] == 0], "findings": found}


def checked(cause):
    missing = KEYS - set(cause)
    if missing or set(cause) - KEYS - {"detail"}:
        raise Malformed(f"{cause.get('id')}: lacks {sorted(missing)}, or has unknown keys {sorted(set(cause) - KEYS - {'detail'})}")
    if cause["severity"] not in SEVERITIES or list(cause["tracker"]) not in (["known"], ["new"]):
        raise Malformed(f"{cause['id']}: its severity is one of {SEVERITIES}, and its tracker is known or new")
    if not (PROGRAMS / f"{cause['id']}.py").exists():
        raise Malformed(f"{cause['id']}: {PROGRAMS / cause['id']}.py is missing")
    return cause


def covers(cause, law, operator, what, detail):
    return (law in cause["laws"] and any(fnmatch.fnmatchcase(operator, glob) for glob in cause["operators"])
            and re.search(cause.get("detail", ""), f"{what}: {detail}"))


def assigned(causes, findings):
    """({cause: findings}, the rest): each finding goes to the first cause that covers it."""
    by_cause, rest = collections.defaultdict(list), []
    for law, kinds in findings.items():
        for what, operators in kinds.items():
            for operator, detail in operators.items():
                first = next((one["id"] for one in causes if covers(one, law, operator, what, detail)), None)
                (by_cause[first] if first else rest).append((law, what, operator))
    for cause in causes:
        if not by_cause[cause["id"]]:
            raise Malformed(f"{cause['id']}: it covers no finding")
        if cause["best"] not in {operator for _, _, operator in by_cause[cause["id"]]}:
            raise Malformed(f"{cause['id']}: its best operator {cause['best']} is none of those that it covers")
    return by_cause, rest


def named(operators):
    names = [f"`{one.removeprefix('aten::')}`" for one in sorted(set(operators))]
    return f"{len(names)}: {', '.join(names[:NAMES])}" + (f" and {len(names) - NAMES} more" if len(names) > NAMES else "")


def law_text(law, sentences):
    return f"{law}: {sentences[law]}" if law in sentences else law


def section(cause, found, laws):
    kind, value = next(iter(cause["tracker"].items()))
    lines = [f"### {cause['title']}", "", f"{cause['text']}", "", f"- **Severity:** {cause['severity']}"]
    lines += [f"- **Law:** {law_text(law, laws)}" for law in cause["laws"]]
    lines += [f"- **Operators:** {named(operator for _, _, operator in found)}", f"- **Tracker:** {kind}" + (f": {value}" if kind == "known" else f"; searched for “{value}”")]
    program = (PROGRAMS / f"{cause['id']}.py").read_text(encoding="utf-8").partition("\nimport torch\n")[2].strip()
    lines += [f"- **Prints:** `{cause['prints']}`", "", f"[{cause['id']}.py](findings/sweep/{cause['id']}.py):", "", "```python", "import torch", "", program, "```", ""]
    return lines


def table(causes, by_cause):
    lines = ["| found | severity | operators | tracker | cause |", "|---|---|---|---|---|"]
    for cause in causes:
        count = len({operator for _, _, operator in by_cause[cause["id"]]})
        lines.append(f"| {cause['date']} | {cause['severity']} | {count} | {next(iter(cause['tracker']))} | {cause['title']} |")
    return lines


def unexplained(rest, laws):
    lines = ["## Not yet explained", "", f"{len(rest)} findings of public operators, by law:", ""]
    groups = collections.defaultdict(list)
    for law, what, operator in rest:
        groups[law, what].append(operator)
    for (law, what), operators in sorted(groups.items()):
        lines.append(f"- {law}, {what}: {named(operators)}")
    return lines


def page(report, causes):
    order = sorted(causes, key=lambda one: SEVERITIES.index(one["severity"]))
    order.sort(key=lambda one: one["date"], reverse=True)
    by_cause, rest = assigned(causes, report["findings"])
    total = len(rest) + sum(map(len, by_cause.values()))
    lines = [HEAD.format(version=report["version"]),
             f"Of {total} findings of public operators, {total - len(rest)} have one of {len(causes)} causes. {report['private']} more are of private operators.", "",
             *table(order, by_cause), ""]
    for date in sorted({one["date"] for one in order}, reverse=True):
        lines += [f"## {date}", ""]
        for cause in order:
            if cause["date"] == date:
                lines += section(cause, by_cause[cause["id"]], report["laws"])
    return "\n".join([*lines, *unexplained(rest, report["laws"])]) + "\n"


def main(arguments):
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-") and arguments != ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    if arguments and arguments != ["--check"]:
        report = reduced(json.loads(pathlib.Path(arguments[0]).read_text(encoding="utf-8")))
        REDUCED.write_text(json.dumps(report, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    try:
        causes = [checked(one) for one in json.loads(CAUSES.read_text(encoding="utf-8"))]
        text = page(json.loads(REDUCED.read_text(encoding="utf-8")), causes)
    except Malformed as problem:
        print(f"sweep_findings.py: {problem}", file=sys.stderr)
        return 2
    if arguments == ["--check"]:
        if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
            return 0
        print(f"{PAGE}: out of date; run python3 docs/measured/sweep_findings.py", file=sys.stderr)
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
