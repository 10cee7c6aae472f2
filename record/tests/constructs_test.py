#!/usr/bin/env python3
"""Everyday constructs of Python, and saved modules. usage: constructs_test.py BIN."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from recorded import BIN, plumbline


class SavedModules(unittest.TestCase):
    """models.py saves three, each in another form; loaded outside inference mode and inside, each mode gives the same values."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([sys.executable, str(pathlib.Path(__file__).with_name("models.py")), cls.folder.name], check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def records(self, name, sizes, code=0, compared=4):
        """`compared`: how many results are compared with that of the normal mode, where no error comes first."""
        program = pathlib.Path(self.folder.name) / "test_module.py"
        done = subprocess.run([str(BIN / "plumbline"), "record", "--module", f"{self.folder.name}/{name}", "--out", str(program), "--", sizes],
                              capture_output=True, text=True, check=False, cwd=pathlib.Path(__file__).parent)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(len(re.findall(r"assert \w+.tolist\(\) == \[\[1,", program.read_text(encoding="utf-8"))), compared)
        ran = plumbline("run", program, "--on", "reference,optimized,python", "--quiet").stdout
        self.assertIn(" 0 divergent", ran)
        self.assertIn("of 6 passed, 0 unsupported", ran)

    def test_a_torchscript_archive(self):
        self.records("layers.pt", "2,3", compared=3)

    def test_an_exported_program(self):
        self.records("attention.pt2", "3,4")

    def test_a_pickled_module(self):
        self.records("convolution.pth", "1,1,5,5", code=5, compared=1)

    def test_a_file_that_is_no_module_is_refused(self):
        done = plumbline("record", "--module", __file__)
        self.assertEqual(done.returncode, 4)
        self.assertIn("none of torch.jit.load, torch.export.load and torch.load can read", done.stderr)


class Constructs(unittest.TestCase):
    """What people write every day."""

    FILES = [pathlib.Path(__file__).with_name(name) for name in ("test_expressions.py", "test_functions.py")]

    SAID_OTHERWISE = ["the op all", "the op index",
                      "the op index", "the op index_put_", "the op lt", "the op pow", "the op randn", "the op rsub", "the op uniform_", "the op uniform_"]

    def test_each_is_recorded_and_implementations_agree_on_it(self):
        ran = plumbline("run", *self.FILES, "--on", "reference,optimized", "--quiet")
        self.assertEqual(ran.stdout.splitlines()[-1], "198 of 198 passed, 0 unsupported, 0 unspecified, 0 divergent", ran.stderr)

    def test_these_are_said_otherwise(self):
        text = "".join(plumbline("record", file).stdout for file in self.FILES)
        notes = re.findall(r"# line \d+: (.*?) is not part of a program", text)
        self.assertEqual(sorted(notes), self.SAID_OTHERWISE)


if __name__ == "__main__":
    unittest.main()
