#!/usr/bin/env python3
"""Runs a Python script, and writes the program that it performed with PyTorch.

`plumbline record` starts it: it runs the script in a process of its own, follows that process by its journal, and prints one JSON object with
the recorded tests, what a program cannot say, and how the script ended. Its input is the list of the ops that programs have, as JSON.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import journal

KEPT_OUTPUT = 4096
KEPT_LINES = 20
POLL_S = 0.02
START_S = 60


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--statements", type=int, default=10000, help="the most statements of one program")
    parser.add_argument("--seconds", type=float, default=120, help="the most time that the script may take")
    parser.add_argument("--until", type=pathlib.Path, help="stop when this file is there")
    parser.add_argument("--only", action="append", default=[], help="a test of the script; others are not recorded")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    return parser.parse_args()


def follow(process, given, written):
    """Waits for the process, and kills its group if it takes too long or is to stop. Returns why it was killed, or None. The script's time
    begins when the recorder has imported PyTorch, and writes its first entry."""
    process.stdin.write(sys.stdin.buffer.read())
    process.stdin.close()
    begun, end, late, why = False, time.monotonic() + START_S, f"PyTorch was not imported within {START_S} s", None
    while process.poll() is None and why is None:
        time.sleep(POLL_S)
        if not begun and os.path.getsize(written) > 0:
            begun, end, late = True, time.monotonic() + given.seconds, f"it was stopped after {given.seconds:g} s"
        if given.until is not None and given.until.exists():
            why = "it was interrupted"
        elif time.monotonic() > end:
            why = late
    if why is not None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return why


def how_it_ended(process, killed, end, about):
    """In words, with a line of the script (0: unknown)."""
    where = f" in {about[0]}" if about else ""
    line = about[1] if about else 0
    if killed is not None:
        return f"{killed}{where}", line
    if end is not None:
        return end[0], end[1]
    if process.returncode < 0:
        return f"Python died of {signal.Signals(-process.returncode).name}{where}", line
    return f"Python ended with exit code {process.returncode}{where}", line


def last_lines(output):
    """The end of what the script printed, as far as it is text."""
    output.seek(max(0, output.seek(0, os.SEEK_END) - KEPT_OUTPUT))
    lines = output.read().rstrip().splitlines()[-KEPT_LINES:]
    return "\n".join("".join(c if c.isprintable() else "?" for c in line[-200:]) for line in lines)


def main():
    given = options()
    child = pathlib.Path(__file__).with_name("child.py")
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output, tempfile.NamedTemporaryFile("r", encoding="utf-8", suffix=".journal") as written:
        command = [sys.executable, str(child), written.name, str(given.statements), ",".join(given.only), given.script, *given.arguments]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        killed = follow(process, given, written.name)
        tests, torch, end, about = journal.assemble(written)
        kept = last_lines(output)
    ended, line = how_it_ended(process, killed, end, about)
    json.dump({"tests": tests, "ended": ended, "line": line, "torch": torch, "output": kept}, sys.stdout)


if __name__ == "__main__":
    main()
