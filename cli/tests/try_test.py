"""`plumbline try`: what it starts, what it prints, and its exit codes, with stand-ins for the build and the commands."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "try.py"
PLUMBLINE = """#!/usr/bin/env python3
import json, os, pathlib, sys
here = pathlib.Path(__file__).parent
(here / "calls").open("a").write(" ".join(sys.argv[1:]) + "\\n")
if sys.argv[1] == "list":
    sys.exit(0 if sys.argv[3] in ("VIEW-08", "FUN-12", "KEY-01") else 2)
name = "dispatcher" if "--dispatcher" in sys.argv else sys.argv[1]
reports = json.loads((here / "reports.json").read_text())
if reports.get(name) is None:
    sys.exit("out of memory")
pathlib.Path(sys.argv[sys.argv.index("--json") + 1]).write_text(json.dumps(reports[name]))
"""
CMAKE = """#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls"
test -e "$(dirname "$0")/broken" || exit 0
echo "FAILED: view.o"
echo "spec/rules/view.h:3:1: error: expected ';'"
exit 1
"""
KEPT = {
    "prove": {"obligations": [{"name": "heap.a", "claim": "A claim.", "as_expected": True, "rules": ["VIEW-08"]}]},
    "run": {"results": [{"file": "t.py", "test": "test_a", "on": "reference", "verdict": "pass", "rules": ["VIEW-08"]}]},
    "fuzz": {"campaigns": [{"programs": 7, "failures": []}]},
    "dispatcher": {"campaigns": [{"programs": 5, "failures": []}]},
}
FELL = {
    "prove": {"obligations": [{"name": "heap.b", "claim": "B.", "as_expected": False, "rules": []},
                              {"name": "heap.a", "claim": "A.", "as_expected": False, "rules": ["VIEW-08"]}]},
    "run": {"results": [{"file": "t.py", "test": f"test_{i}", "on": "reference", "verdict": "divergent", "rules": ["VIEW-08"]} for i in range(9)]},
    "fuzz": {"campaigns": [{"programs": 7, "failures": [{"signature": "view/is_view", "programs": 3, "seed": 1, "index": 5}]}]},
    "dispatcher": {"campaigns": [{"programs": 5, "failures": [{"signature": "custom operator/log", "programs": 2, "seed": 1, "index": 4}]}]},
}


class Try(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.bin = pathlib.Path(self.folder.name) / "build" / "bin"
        self.bin.mkdir(parents=True)
        (self.bin.parent / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={self.folder.name}\n")
        for name, text in (("plumbline", PLUMBLINE), ("cmake", CMAKE), ("plumbline-try", SCRIPT.read_text(encoding="utf-8"))):
            (self.bin / name).write_text(text, encoding="utf-8")
            (self.bin / name).chmod(0o755)
        self.reports(KEPT)

    def reports(self, reports):
        (self.bin / "reports.json").write_text(json.dumps(reports))

    def run_try(self, *arguments):
        environment = dict(os.environ, PATH=f"{self.bin}:{os.environ['PATH']}")
        return subprocess.run([sys.executable, str(self.bin / "plumbline-try"), "try", *arguments], capture_output=True, text=True, env=environment)

    def calls(self):
        return (self.bin / "calls").read_text().splitlines()

    def test_without_a_change_nothing_falls(self):
        run = self.run_try("view-08")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("nothing fell", run.stdout)
        self.assertIn("plumbline-prove", self.calls()[0])

    def test_what_fell_is_listed_by_name_and_the_rest_is_counted(self):
        self.reports(FELL)
        run = self.run_try("VIEW-08")
        self.assertEqual(run.returncode, 1)
        self.assertLess(run.stdout.index("heap.a: A."), run.stdout.index("heap.b (does not name the rule): B."))
        self.assertIn("… and 3 more; -v prints them", run.stdout)
        self.assertIn("view/is_view: 3 programs, first 1:5", run.stdout)
        self.assertTrue(run.stdout.endswith("12 fell\n"))

    def test_json_has_everything(self):
        self.reports(FELL)
        result = json.loads(self.run_try("VIEW-08", "--json", "-").stdout)
        self.assertEqual([len(stage["fell"]) for stage in result["stages"]], [2, 9, 1])

    def test_json_without_a_file_goes_to_stdout(self):
        for arguments in (["VIEW-08", "--json"], ["--json", "VIEW-08"], ["--json", "-v", "VIEW-08"]):
            self.assertEqual(json.loads(self.run_try(*arguments).stdout)["rule"], "VIEW-08", arguments)

    def test_a_rule_of_bodies_is_fuzzed_in_bodies_and_one_of_keys_by_the_dispatcher(self):
        self.run_try("FUN-12")
        self.run_try("KEY-01", "--seconds", "3", "--seed=9")
        self.reports(FELL)
        self.assertIn("custom operator/log: 2 programs, first 1:4", self.run_try("KEY-01").stdout)
        self.assertTrue(any("--functionalize" in call for call in self.calls()))
        self.assertTrue(any("--seconds 3 --seed 9" in call and "--dispatcher" in call for call in self.calls()))

    def test_a_build_that_fails_shows_the_compiler_errors(self):
        (self.bin / "broken").touch()
        run = self.run_try("VIEW-08")
        self.assertEqual(run.returncode, 3)
        self.assertIn("view.h:3:1: error: expected ';'", run.stderr)

    def test_a_tool_that_ends_without_a_report_is_named(self):
        self.reports({**KEPT, "run": None})
        run = self.run_try("VIEW-08")
        self.assertEqual(run.returncode, 3)
        self.assertIn("plumbline run fuzz/corpus", run.stderr)
        self.assertIn("out of memory", run.stderr)

    def test_wrong_usage(self):
        for arguments in ([], ["VIEW-08", "VIEW-09"], ["NONE-1"], ["VIEW-08", "--seconds", "0"], ["VIEW-08", "--soon"], ["VIEW-08", "--jobs", "0"]):
            self.assertEqual(self.run_try(*arguments).returncode, 2, arguments)

    def test_a_law_of_the_sweep_is_refused_before_anything_is_built(self):
        run = self.run_try("op-03")
        self.assertEqual(run.returncode, 2)
        self.assertIn("plumbline selftest --sweep", run.stderr)
        self.assertFalse((self.bin / "calls").exists())


if __name__ == "__main__":
    unittest.main()
