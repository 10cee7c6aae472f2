#!/usr/bin/env python3
"""Writes the index in docs/findings/README.md: each page with its severity, and whether the tracker knows it, with counts.

usage: findings.py [--check]

--check writes nothing, and says what is wrong. Exit code: 0; 1 if --check finds the index out of date; 2 for a page that lacks a line, or whose
line has another form.
"""
import collections
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "findings"
INDEX = FOLDER / "README.md"
BEGINS = "## Index\n"
SEVERITIES = ["silent wrong value", "silent wrong gradient", "silent wrong aliasing", "wrong metadata", "refusal missed", "error where eager has none",
              "crash or hang", "no fault"]
STATUSES = ["known", "new", "no fault"]
LINES = {"Severity": SEVERITIES, "Tracker": STATUSES}


class Malformed(Exception):
    """A page in another form; says which line, and what to do."""


def word_of(page, lines, name):
    """What the line `- **NAME:** WORD` of the page begins with."""
    begins = f"- **{name}:** "
    for number, line in enumerate(lines, 1):
        if line.startswith(begins):
            for word in LINES[name]:
                if re.match(re.escape(word) + r"(:| \(|$)", line[len(begins):]):
                    return word
            raise Malformed(f"{page}:{number}: the line '{begins}…' begins with none of: {', '.join(LINES[name])}")
    raise Malformed(f"{page}: has no line '{begins}…'")


def read(path):
    """The page's title, severity and status."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines or not lines[0].startswith("# "):
        raise Malformed(f"{path}:1: must be the title, '# …'")
    return lines[0][2:], word_of(path, lines, "Severity"), word_of(path, lines, "Tracker")


def table(pages):
    """How many pages there are of each severity and status."""
    counts = collections.Counter((severity, status) for _, _, severity, status in pages)
    rows = ["| | " + " | ".join(STATUSES) + " | pages |", "|---|" + "---|" * (len(STATUSES) + 1)]
    for severity in SEVERITIES:
        each = [counts[severity, status] for status in STATUSES]
        rows.append(f"| {severity} | {' | '.join(map(str, each))} | {sum(each)} |")
    each = [sum(counts[severity, status] for severity in SEVERITIES) for status in STATUSES]
    return [*rows, f"| all | {' | '.join(map(str, each))} | {sum(each)} |"]


def index(pages):
    lines = [BEGINS, "\nHow bad each is, and whether the tracker of the project has a report of the same behaviour (*known*) or none was found (*new*):\n\n"]
    lines += [line + "\n" for line in table(pages)]
    for group in sorted({path.stem.split("-")[0] for path, *_ in pages}):
        lines.append(f"\n### {group}\n\n")
        own = [page for page in pages if page[0].stem.split("-")[0] == group]
        for severity in SEVERITIES:
            lines += [f"- {severity}, {status}: [{title}]({path.name})\n" for path, title, one, status in own if one == severity]
    return "".join(lines)


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        pages = [(path, *read(path)) for path in sorted(FOLDER.glob("*.md")) if path != INDEX]
    except Malformed as problem:
        print(f"findings.py: {problem}", file=sys.stderr)
        return 2
    text = INDEX.read_text(encoding="utf-8")
    fresh = text.partition(BEGINS)[0] + index(pages)
    if fresh == text:
        return 0
    if arguments:
        print(f"{INDEX}: the index is out of date; run python3 docs/measured/findings.py", file=sys.stderr)
        return 1
    INDEX.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
