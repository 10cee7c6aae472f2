#!/usr/bin/env python3
"""Tests of table.py and torch_rows.py: ratios, targets, missing rows, files that are no reports, and equal names."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import table  # noqa: E402


def report(name, **times):
    rows = [{"name": row, "median_s": seconds, "bytes": 0, "flops": 0} for row, seconds in times.items()]
    return {"implementation": name, "device": "a GPU", "rows": rows}


class Table(unittest.TestCase):
    def test_a_ratio_is_their_time_divided_by_ours(self):
        line, = table.joined(report("ours", x=2.0), report("PyTorch", x=6.0))
        self.assertEqual(line["ratio"], 3.0)
        self.assertNotIn("met", line)

    def test_a_target_is_met_or_not(self):
        for theirs, met in ((2.0, True), (1.9, False)):
            line, = table.joined(report("ours", **{"add, 1 element": 1.0}), report("PyTorch", **{"add, 1 element": theirs}))
            self.assertEqual(line["met"], met)

    def test_a_graph_is_compared_with_the_row_that_its_target_names(self):
        line, = table.joined(report("ours", **{"chain of 20, 1 element, graph": 1.0}),
                             report("PyTorch", **{"chain of 20, 1 element, eager": 11.0, "chain of 20, 1 element, graph": 2.0}))
        self.assertEqual((line["ratio"], line["met"]), (11.0, True))

    def test_bandwidth_is_a_share_of_our_copy(self):
        ours = report("ours", **{"copy, 2^24 elements": 1.0, "add, 2^24 elements": 2.0})
        ours["rows"][0]["bytes"], ours["rows"][1]["bytes"] = 100, 180
        line = table.joined(ours, report("PyTorch"))[1]
        self.assertEqual((line["share_of_copy"], line["met"]), (0.9, False))

    def test_a_row_that_pytorch_lacks_has_no_ratio_and_is_not_judged(self):
        line, = table.joined(report("ours", **{"add, 1 element": 1.0}), report("PyTorch"))
        self.assertNotIn("ratio", line)
        self.assertNotIn("met", line)

    def test_the_exit_code_says_whether_targets_are_met(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, name) for name in ("ours.json", "torch.json")]
            for theirs, code in ((3.0, 0), (1.0, 1)):
                files[0].write_text(json.dumps(report("ours", **{"add, 1 element": 1.0})))
                files[1].write_text(json.dumps(report("PyTorch", **{"add, 1 element": theirs})))
                ran = subprocess.run([sys.executable, HERE / "table.py", *files], capture_output=True, text=True)
                self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)

    def test_a_file_that_is_no_report_is_an_error_that_names_it(self):
        with tempfile.TemporaryDirectory() as folder:
            for text in ("", "[]", '{"rows": [{"name": "x"}]}'):
                file = pathlib.Path(folder, "bad.json")
                file.write_text(text)
                ran = subprocess.run([sys.executable, HERE / "table.py", file], capture_output=True, text=True)
                self.assertEqual(ran.returncode, 2)
                self.assertIn("bad.json is not a report", ran.stderr)


class Names(unittest.TestCase):
    """Every row of ours runs on the host, and PyTorch has a row of each name."""

    def test_both_sides_have_the_same_rows(self):
        if len(sys.argv) < 2 or not pathlib.Path(OURS).exists():
            self.skipTest("plumbline-bench-gpu is not built")
        ours = subprocess.run([OURS, "--device", "cuda-host", "--small", "--repetitions", "1", "--least", "0.0001"],
                              capture_output=True, text=True)
        self.assertEqual(ours.returncode, 0, ours.stderr)
        theirs = subprocess.run([sys.executable, HERE / "torch_rows.py", "--device", "cpu", "--small", "--repetitions", "1",
                                 "--least", "0.0001"], capture_output=True, text=True)
        if "has no PyTorch" in theirs.stderr:
            self.skipTest("this Python has no PyTorch")
        self.assertEqual(theirs.returncode, 0, theirs.stderr)
        names = [[row["name"] for row in json.loads(one.stdout)["rows"]] for one in (ours, theirs)]
        self.assertEqual(*names)
        self.assertLessEqual(set(table.TARGETS), set(names[0]))


OURS = ""
if __name__ == "__main__":
    OURS = sys.argv[1] if len(sys.argv) > 1 else ""
    unittest.main(argv=[sys.argv[0]])
