#!/usr/bin/env python3
"""Writes into the pages of docs/findings by which program of a campaign each cause was found.

A change of the generator gives every program another content, so the numbers on the pages are those of the last campaigns:

  plumbline fuzz --on compile-aot_eager --programs 20000 --seed 1 --shrink-runs 0 --max-failures 100000 --json aot.json
  python3 docs/measured/found_by.py compile-aot_eager=aot.json

A cause that a campaign did not meet keeps its command, and the page says that the campaign was an earlier one. Exit code: 0; 2 for a report that
cannot be read.
"""
import json
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).parent.parent / "findings"
EARLIER = ", in an earlier campaign"


def first_programs(report):
    """The first program of each known cause, as SEED:INDEX."""
    (campaign,) = report["campaigns"]
    first = {}
    for known in campaign["known"]:
        first[known["waiver"]] = min(known["index"], first.get(known["waiver"], known["index"]))
    return {cause: f"{campaign['seed']}:{index}" for cause, index in first.items()}


def renumbered(line, implementation, number):
    """The line of a page. `number`: of the program that shows its cause; None: the campaign did not meet it."""
    command = re.escape(f"`plumbline fuzz --on {implementation} ") + r"(?:--replay \d+:\d+|--seed \d+)`(?:" + re.escape(EARLIER) + ")?"
    if number:
        return re.sub(command, f"`plumbline fuzz --on {implementation} --replay {number}`", line)
    return re.sub(command, f"`plumbline fuzz --on {implementation} --seed 1`{EARLIER}", line)


def main(arguments):
    if not arguments or any("=" not in argument for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    for argument in arguments:
        implementation, _, name = argument.partition("=")
        try:
            first = first_programs(json.loads(pathlib.Path(name).read_text()))
        except (OSError, ValueError, KeyError) as problem:
            print(f"found_by.py: {name} is no report of one campaign: {problem}", file=sys.stderr)
            return 2
        for page in sorted(FOLDER.glob("*.md")):
            text = page.read_text()
            changed = "".join(renumbered(line, implementation, first.get(page.stem)) if line.startswith("- **Found by:**") else line
                              for line in text.splitlines(True))
            if changed != text:
                page.write_text(changed)
                print(f"{page.name}: {first.get(page.stem, 'not met')} on {implementation}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
