#!/usr/bin/env python3
"""Ctrl-C ends `plumbline prove` after the questions that Z3 or another solver is asked; what is proved is printed. The argument is the folder of executables."""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

LIMIT_S = 120
SLOW_SOLVER = """#!/bin/sh
case "$1" in --version) echo "This is cvc5 version 1.0.3"; exit;; esac
cat >/dev/null
sleep 0.05
echo unsat
"""


def interrupted(command, report):
    """The report and the text of a run that Ctrl-C ends while it works."""
    run = subprocess.Popen([*command, "--json", report], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        time.sleep(1)
        assert run.poll() is None, f"{command} ended before Ctrl-C"
        run.send_signal(signal.SIGINT)
        printed, _ = run.communicate(timeout=LIMIT_S)
    finally:
        run.kill()
        run.wait()
    assert run.returncode == 130, (run.returncode, printed)
    return json.loads(pathlib.Path(report).read_text()), printed


def main():
    prove = pathlib.Path(sys.argv[1]) / "plumbline-prove"
    with tempfile.TemporaryDirectory() as folder:
        solver = pathlib.Path(folder) / "cvc5"
        solver.write_text(SLOW_SOLVER)
        solver.chmod(0o755)
        for extra in ([], ["--solver", str(solver)]):
            for jobs in ("1", "2"):
                report, printed = interrupted([prove, "--no-programs", "--jobs", jobs, *extra], f"{folder}/report.json")
                asked = len(report["obligations"])
                left = int(printed.split("interrupted: ")[1].split(" of ")[0])
                total = int(printed.split("interrupted: ")[1].split(" of ")[1].split()[0])
                assert asked > 0 and left > 0 and asked + left == total, (asked, left, total)
    print("an interrupted run of Z3 and of another solver prints what is proved")


if __name__ == "__main__":
    main()
