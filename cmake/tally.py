"""Counts the cases in the JUnit XML of CTest, GoogleTest and pytest, and prints `PASSED FAILED SKIPPED`.

usage: tally.py ctest CTEST_XML GTEST_FOLDER | tally.py pytest PYTEST_XML

A line `SUITE.CASE: WHY` follows for each case that GoogleTest skipped.

A CTest test that is a GoogleTest executable counts as its cases. If it failed without a failed case (it crashed, or
leaked memory), it counts as one more failure. An expected failure of pytest counts as a pass, because xfail is strict.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def outcome(case):
    """"failed", "skipped" or "passed", of a <testcase>."""
    if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
        return "failed"
    skipped = case.find("skipped")
    if skipped is not None and skipped.get("type") != "pytest.xfail":
        return "skipped"
    return "skipped" if case.get("status") in ("notrun", "disabled") else "passed"


def cases_in(path):
    """The <testcase>s of a file. Bytes that XML does not allow are replaced: GoogleTest copies them from the output of a test."""
    text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    return ElementTree.fromstring(FORBIDDEN.sub("?", text).encode()).iter("testcase")


def outcomes(path):
    return [outcome(case) for case in cases_in(path)]


def skipped_cases(folder):
    """`SUITE.CASE: WHY` for each that GoogleTest skipped."""
    for path in sorted(pathlib.Path(folder).glob("*.xml")):
        for case in cases_in(path):
            if outcome(case) == "skipped" and case.find("skipped") is not None:
                why = case.find("skipped").get("message", "").splitlines()
                yield f'{case.get("classname")}.{case.get("name")}: {why[-1] if why else "no reason given"}'


def ctest_outcomes(path, folder):
    for test in cases_in(path):
        whole, detail = outcome(test), pathlib.Path(folder) / (test.get("name") + ".xml")
        cases = outcomes(detail) if detail.is_file() else []
        yield from cases or [whole]
        if cases and whole == "failed" and "failed" not in cases:
            yield "failed"


def main():
    kind, path = sys.argv[1], sys.argv[2]
    found = list(ctest_outcomes(path, sys.argv[3])) if kind == "ctest" else outcomes(path)
    print(found.count("passed"), found.count("failed"), found.count("skipped"))
    if kind == "ctest":
        print(*skipped_cases(sys.argv[3]), sep="\n", end="")


if __name__ == "__main__":
    main()
