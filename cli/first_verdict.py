#!/usr/bin/env python3
"""The first verdict on a PyTorch: the curated programs run by pytest, which needs nothing that is built.

usage: first_verdict.py [--corpus DIR]     with the Python that imports that PyTorch and pytest

./check prints this table while the tools are built, which then compare every observation of every statement, also on the other
implementations. Exit codes: 0 every difference is known, 1 a difference is new, 3 the programs could not be run.
"""
import argparse
import pathlib
import re
import sys

import pytest

FAMILIES = ("KEY", "TLS", "INF", "VER", "VIEW", "AUT", "SAV", "GEO", "TYPE", "VAL", "RAND", "MUL", "BIT", "FUN", "DEV")
RULE = re.compile(r"\b(" + "|".join(FAMILIES) + r")-\d+\b")
SHOWN = 8  # new differences that are named


class Outcomes:
    """Collects the outcome of each program: held, known (a waiver explains it), new, or skipped."""

    def __init__(self):
        self.of = {}

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed":
            waived = hasattr(report, "wasxfail") or "W-" in str(report.longrepr or "") and report.skipped
            outcome = "known" if waived and report.skipped else {"passed": "held", "failed": "new", "skipped": "skipped"}[report.outcome]
            self.of.setdefault(report.nodeid, outcome)


def families(corpus):
    """{FILE.py::TEST: the families of the rules that the program names}."""
    found = {}
    for path in sorted(corpus.rglob("test_*.py")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if match := re.match(r"def (test_\w+)\(.*#(.*)", line):
                found[f"{path.name}::{match[1]}"] = set(RULE.findall(match[2]))
    return found


def table(outcomes, families_of):
    """One line for each family: a program counts for every family that it names."""
    rows = {family: {"held": 0, "known": 0, "new": 0, "skipped": 0} for family in FAMILIES}
    for name, outcome in outcomes.items():
        for family in families_of.get(name.rpartition("/")[2], ()):
            rows[family][outcome] += 1
    lines = [f"{'family':<8}{'programs':>9}{'held':>7}{'known':>7}{'new':>6}{'skipped':>9}"]
    lines += [f"{family:<8}{sum(row.values()):>9}{row['held']:>7}{row['known']:>7}{row['new']:>6}{row['skipped']:>9}" for family, row in rows.items()]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "fuzz" / "corpus",
                        help="the folder of the programs (default: %(default)s)")
    corpus = parser.parse_args().corpus
    import torch
    seen = Outcomes()
    code = pytest.main([str(corpus), "-p", "no:cacheprovider", "-p", "no:terminal", "--rootdir", str(corpus)], plugins=[seen])
    if not seen.of or code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        print(f"error: pytest could not run {corpus}: {code!r}. Run it by hand: {sys.executable} -m pytest {corpus}", file=sys.stderr)
        return 3
    counts = {outcome: sorted(name for name, was in seen.of.items() if was == outcome) for outcome in ("held", "known", "new", "skipped")}
    print(f"First verdict: PyTorch {torch.__version__} on {len(seen.of)} curated programs, run by pytest. {len(counts['held'])} hold, "
          f"{len(counts['known'])} differ as waivers say, {len(counts['new'])} differ in a new way, {len(counts['skipped'])} cannot run here.")
    print("\n".join(table(seen.of, families(corpus))))
    for name in counts["new"][:SHOWN]:
        print(f"new: {name}")
    if len(counts["new"]) > SHOWN:
        print(f"and {len(counts['new']) - SHOWN} more: {sys.executable} -m pytest {corpus}")
    return 1 if counts["new"] else 0


if __name__ == "__main__":
    sys.exit(main())
