#!/usr/bin/env python3
"""A user's operators: each lie is reported under exactly the laws that it breaks, and clean ones are silent.

usage: modules_test.py BIN
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from plain_files import exit_of

FOLDER, HERE = pathlib.Path(sys.argv.pop(1)), pathlib.Path(__file__).parent
LIES = {
    "mutates": {"OP-01"},
    "returns_its_input": {"OP-02"},
    "returns_another.out": {"OP-03"},
    "writes_without_counting": {"OP-04"},
    "notices_inference": {"OP-08"},
    "wrong_meta": {"OP-12", "OP-22"},
    "wrong_autograd": {"OP-18"},
    "copies": {"OP-23"},
}


def sweep(*arguments):
    command = [FOLDER / "plumbline", "sweep", "--on", "python", *arguments, "--jobs", "1", "--json", "-"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


class Modules(unittest.TestCase):
    def test_each_lie_is_reported_under_the_laws_that_it_breaks(self):
        swept = sweep("--import", HERE / "lying_ops.py", "--wanted", "8")
        self.assertEqual(swept.returncode, 1, swept.stderr)
        report = json.loads(swept.stdout)
        self.assertEqual(report["called"], len(LIES))
        broken = {name: set() for name in LIES}
        for finding in report["findings"]:
            broken[finding["operator"].removeprefix("lying_ops::")].add(finding["law"])
        self.assertEqual(broken, LIES)

    def test_the_file_of_each_lie_fails_under_plain_python(self):
        with tempfile.TemporaryDirectory() as out:
            sweep("--import", HERE / "lying_ops.py", "--wanted", "8", "--out", out)
            files = sorted(pathlib.Path(out).glob("*.py"))
            self.assertEqual({file.name[:5] for file in files}, set().union(*LIES.values()))
            for file in files:
                with self.subTest(file=file.name):
                    code, errors = exit_of(file)
                    self.assertEqual(code, 1, errors)
                    self.assertIn("AssertionError", errors)

    def test_clean_operators_are_silent(self):
        swept = sweep("--import", HERE / "clean_ops.py", "--wanted", "8")
        self.assertEqual(swept.returncode, 0, swept.stderr + swept.stdout)
        self.assertEqual(json.loads(swept.stdout)["called"], 3)

    def test_a_module_that_cannot_be_swept_is_named_with_the_reason(self):
        for module, why in (("no_such_module", "No module named 'no_such_module'"), ("json", "registers no operator")):
            swept = sweep("--import", module)
            with self.subTest(module=module):
                self.assertEqual(swept.returncode, 3)
                self.assertIn(why, swept.stderr)

    def test_a_device_that_is_not_there_is_named(self):
        swept = sweep("aten::neg", "--device", "cuda")
        if swept.returncode == 3:  # this machine has no GPU
            self.assertIn("for the device cuda", swept.stderr)
        else:
            self.assertEqual(json.loads(swept.stdout)["called"], 1)

    def test_options_of_python_are_refused_for_another_implementation(self):
        command = [FOLDER / "plumbline", "sweep", "--on", "optimized", "--device", "cuda"]
        swept = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(swept.returncode, 2)
        self.assertIn("--on python", swept.stderr)


if __name__ == "__main__":
    unittest.main()
