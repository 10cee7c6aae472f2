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
    """The campaign's seed, and the first program of each known cause."""
    (campaign,) = report["campaigns"]
    first = {}
    for known in campaign["known"]:
        first[known["waiver"]] = min(known["index"], first.get(known["waiver"], known["index"]))
    return campaign["seed"], first


def renumbered(line, implementation, seed, index):
    """The line of a page. `index`: of the program that shows its cause; None: the campaign did not meet it, so programs of
    other seeds stay."""
    begins = f"`plumbline fuzz --on {implementation} "
    if index is None:
        return re.sub(re.escape(begins) + rf"--replay {seed}:\d+`", f"{begins}--seed {seed}`{EARLIER}", line)
    command = re.escape(begins) + rf"(?:--replay \d+:\d+`|--seed \d+`(?:{re.escape(EARLIER)})?)"
    return re.sub(command, f"{begins}--replay {seed}:{index}`", line)


def main(arguments):
    if not arguments or any("=" not in argument for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    for argument in arguments:
        implementation, _, name = argument.partition("=")
        try:
            seed, first = first_programs(json.loads(pathlib.Path(name).read_text()))
        except (OSError, ValueError, KeyError) as problem:
            print(f"found_by.py: {name} is no report of one campaign: {problem}", file=sys.stderr)
            return 2
        for page in sorted(FOLDER.glob("*.md")):
            text = page.read_text()
            changed = "".join(renumbered(line, implementation, seed, first.get(page.stem)) if line.startswith("- **Found by:**") else line
                              for line in text.splitlines(True))
            if changed != text:
                page.write_text(changed)
                print(f"{page.name}: {first.get(page.stem, 'not met')} on {implementation}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
