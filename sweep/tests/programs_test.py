#!/usr/bin/env python3
"""Each program of docs/findings/sweep fails under this PyTorch: with an error, or by a signal.

usage: programs_test.py [PROGRAM …]
"""
import pathlib
import sys
import unittest

from plain_files import exit_of

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs/findings/sweep"
PROGRAMS = [pathlib.Path(one) for one in sys.argv[1:]] or sorted(FOLDER.glob("*.py"))


class Programs(unittest.TestCase):
    def test_each_fails(self):
        self.assertGreater(len(PROGRAMS), 0)
        for program in PROGRAMS:
            with self.subTest(program=program.name):
                self.assertNotEqual(exit_of(program)[0], 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
