#!/usr/bin/env python3
"""Each program of docs/findings/sweep fails under this PyTorch: with an error, or by a signal.

usage: programs_test.py [PROGRAM …]

PyTorch is imported once. Each program runs in a process of its own, which shares that import.
"""
import os
import pathlib
import runpy
import sys
import unittest

import torch  # noqa: F401  the programs import it

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs/findings/sweep"
PROGRAMS = [pathlib.Path(one) for one in sys.argv[1:]] or sorted(FOLDER.glob("*.py"))
SHOWN = "PLUMBLINE_SHOW_PROGRAMS" in os.environ  # what they print


def ended(program):
    """The exit code of the program; a negative one is a signal."""
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        if not SHOWN:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
        code = 0
        try:
            runpy.run_path(str(program))
        except Exception as error:  # noqa: BLE001  whatever it raises
            print(type(error).__name__, str(error).split("\n", 1)[0])
            code = 1
        sys.stdout.flush()
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


class Programs(unittest.TestCase):
    def test_each_fails(self):
        self.assertGreater(len(PROGRAMS), 0)
        for program in PROGRAMS:
            with self.subTest(program=program.name):
                self.assertNotEqual(ended(program), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
