#!/usr/bin/env python3
"""Writes the help text of every command below its line in docs/COMMANDS.md, or checks that they are up to date.

usage: commands_help.py BIN [--check]

BIN is the folder of the built executables. What stands above the line stays. ./plumbline prints these texts where nothing is built.
The commands come in the order in which the file mentions them. With --check nothing is written; the exit code is 1 if a text is
not up to date. A command whose executable is not built keeps its text.
"""
import difflib
import pathlib
import re
import subprocess
import sys

FILE = pathlib.Path(__file__).resolve().parent.parent / "docs/COMMANDS.md"
LINE = "<!-- Below this line: the output of each command's --help, written by cli/commands_help.py. -->"
NOT_BUILT = 3


def help_of(folder, command):
    """The help text; None if its executable is not built."""
    run = subprocess.run([str(folder / "plumbline"), *command.split()[1:], "--help"], capture_output=True, text=True)
    if run.returncode == NOT_BUILT:
        return None
    if run.returncode != 0:
        sys.exit(f"{command} --help ended with exit code {run.returncode}: {run.stderr}")
    return run.stdout.strip("\n").splitlines()


def commands(prose, folder):
    """Every command, in the order of the prose; those that it does not mention last."""
    listed = re.findall(r"^  ([a-z-]+) ", "\n".join(help_of(folder, "plumbline")).partition("commands:")[2].partition("examples:")[0], re.MULTILINE)
    listed.remove("plumbline")
    mentioned = [name for name in dict.fromkeys(re.findall(r"^    plumbline ([a-z-]+)", prose, re.MULTILINE)) if name in listed]
    for name in dict.fromkeys(mentioned + listed):
        yield f"plumbline {name}"
        if name == "prove":
            yield "plumbline prove --mutants"


def section(command, lines):
    body = "\n".join("    " + line if line else "" for line in lines)
    return f"## {command}\n\n{body}\n"


def main():
    folder = pathlib.Path(sys.argv[1])
    before = FILE.read_text(encoding="utf-8")
    prose, _, old = before.partition(LINE)
    kept = {found[1]: found[0].rstrip() + "\n" for found in re.finditer(r"^## (.+)\n(?:(?!## ).*\n)*", old, re.MULTILINE)}
    sections = []
    for command in ["plumbline", *commands(prose, folder)]:
        lines = help_of(folder, command)
        if lines is None:
            print(f"{command} is not built: its text is not compared")
        sections.append(kept.get(command, "") if lines is None else section(command, lines))
    after = prose + LINE + "\n\n# Help texts\n\n" + "\n".join(sections)
    if "--check" not in sys.argv:
        FILE.write_text(after, encoding="utf-8")
        return 0
    print(*difflib.unified_diff(before.splitlines(), after.splitlines(), "docs/COMMANDS.md", "the commands' --help", lineterm=""), sep="\n")
    print("up to date" if after == before else f"not up to date; run {sys.argv[0]} {folder}")
    return 0 if after == before else 1


if __name__ == "__main__":
    sys.exit(main())
