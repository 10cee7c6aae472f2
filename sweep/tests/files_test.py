#!/usr/bin/env python3
"""Each file that `plumbline sweep --out` writes fails under plain Python, at the law that it names.

usage: files_test.py BIN IMPLEMENTATION
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

from plain_files import exit_of

FOLDER, IMPLEMENTATION = pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1)
OPERATORS = ["aten::neg_", "aten::kron.out", "aten::instance_norm", "aten::dropout", "aten::view.dtype", "aten::meshgrid",
             "aten::masked_fill_.Scalar", "aten::absolute_", "aten::kron", "aten::argmax"]
LAWS = {"OP-01", "OP-02", "OP-04", "OP-06", "OP-09", "OP-10", "OP-16", "OP-17", "OP-18", "OP-19"}


class Files(unittest.TestCase):
    def test_each_fails_where_the_law_is_broken(self):
        with tempfile.TemporaryDirectory() as out:
            command = [FOLDER / "plumbline", "sweep", *OPERATORS, "--on", IMPLEMENTATION, "--out", out]
            swept = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(swept.returncode, 1, swept.stderr)
            files = sorted(pathlib.Path(out).glob("*.py"))
            self.assertGreater(len(files), 8)
            laws = {file.name[:5] for file in files}
            self.assertTrue(LAWS <= laws, LAWS - laws)
            for file in files:
                with self.subTest(file=file.name):
                    code, errors = exit_of(file)
                    self.assertEqual(code, 1, errors)
                    self.assertRegex(errors, "AssertionError|RuntimeError")

    def test_an_honest_operator_has_no_file(self):
        with tempfile.TemporaryDirectory() as out:
            command = [FOLDER / "plumbline", "sweep", "aten::neg", "--on", IMPLEMENTATION, "--out", out]
            self.assertEqual(subprocess.run(command, capture_output=True, check=False).returncode, 0)
            self.assertEqual(list(pathlib.Path(out).iterdir()), [])


if __name__ == "__main__":
    unittest.main()
