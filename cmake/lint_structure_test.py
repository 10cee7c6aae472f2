"""Tests of the structure lint: each row of the table refuses a planted wrong include, and unused using-declarations and rules out of reach are found.

    python3 cmake/lint_structure_test.py
"""
import pathlib
import tempfile
import unittest

import lint_includes as lint
import lint_machine
import lint_structure

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = (ROOT / "docs/ARCHITECTURE.md").read_text(encoding="utf-8")
ROWS = lint.read_table(TABLE)
HEAD = "| folder | holds | may include |\n|---|---|---|\n"
SAMPLES = {"fmt": "fmt/format.h", "nlohmann": "nlohmann/json.hpp", "CLI11": "CLI/CLI.hpp", "yaml-cpp": "yaml-cpp/yaml.h",
           "Z3": "z3++.h", "GoogleTest": "gtest/gtest.h", "RapidCheck": "rapidcheck.h", "LibTorch": "ATen/ATen.h",
           "Google Benchmark": "benchmark/benchmark.h", "Valgrind": "valgrind/callgrind.h", "Highway": "hwy/highway.h",
           "BLAS": "cblas.h", "CUDA": "cuda_runtime.h", "the system": "sys/wait.h"}


class Rows(unittest.TestCase):
    """The project's own table."""

    def targets(self):
        return [('"', f"{folder}/x.h") for folder in ROWS] + [("<", header) for header in SAMPLES.values()]

    def test_each_row_refuses_whatever_it_does_not_name(self):
        planted = 0
        for folder, items in ROWS.items():
            named = {item.path or item.library for item in items if not item.forbids} | {folder}
            for bracket, target in self.targets():
                library = next((name for name, sample in SAMPLES.items() if sample == target), None)
                if (library or target.rpartition("/")[0]) in named:
                    continue
                planted += 1
                self.assertIsNotNone(lint.wrong_include(ROWS, f"{folder}/planted.cpp", bracket, target), (folder, target))
        self.assertGreater(planted, 1000)

    def test_each_row_allows_what_it_names(self):
        for folder, items in ROWS.items():
            for item in items:
                if item.forbids or item.library == "std":
                    continue
                target = f"{item.path}/x.h" if item.path else SAMPLES[item.library]
                for name in item.files or {"a.cpp"}:
                    self.assertIsNone(lint.wrong_include(ROWS, f"{folder}/{name}", '"' if item.path else "<", target), (folder, target))

    def test_an_item_for_one_file_is_refused_in_other_files(self):
        self.assertIsNone(lint.wrong_include(ROWS, "spec/proofs/z3_solver.cpp", "<", "z3++.h"))
        self.assertIsNotNone(lint.wrong_include(ROWS, "spec/proofs/term.cpp", "<", "z3++.h"))
        self.assertIsNotNone(lint.wrong_include(ROWS, "optimized/cpu/fill.cpp", '"', "optimized/autograd/meta.h"))

    def test_the_optimized_runtime_may_include_the_vocabulary_but_no_rule(self):
        for folder in (f for f in ROWS if f.startswith("optimized/") and not f.endswith("/tests")):
            for target in ("spec/rules/rule.h", "spec/rules/inf.h", "reference/state.h", "oracle/compare.h"):
                self.assertIsNotNone(lint.wrong_include(ROWS, f"{folder}/a.cpp", '"', target), (folder, target))

    def test_cpp_and_short_paths(self):
        self.assertIsNone(lint.wrong_include(ROWS, "spec/rules/a.h", "<", "vector"))
        self.assertIsNotNone(lint.wrong_include(ROWS, "spec/rules/a.h", "<", "unistd.h"))
        self.assertIn("not a path from the top", lint.wrong_include(ROWS, "spec/rules/a.h", '"', "inf.h"))
        self.assertIn("no row", lint.wrong_include(ROWS, "nowhere/a.h", "<", "vector"))


class Table(unittest.TestCase):
    """Other tables, each with a small tree of files."""

    def check(self, rows, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {"docs/ARCHITECTURE.md": rows, **files}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return list(lint.check_includes(root, sorted(p for p in root.rglob("*") if p.is_file())))

    def test_files_are_read(self):
        rows = HEAD + "| `a/` | one | `b` |\n| `b/` | two | fmt |\n"
        good = {"a/a.cpp": '#include "b/b.h"\n#include <vector>\n', "b/b.h": "#include <fmt/format.h>\n"}
        self.assertEqual(self.check(rows, good), [])
        wrong = self.check(rows, {**good, "b/b.cpp": '#include "a/a.h"\n'})
        self.assertEqual(len(wrong), 1)
        self.assertIn("b/b.cpp:1: b/b.cpp may not include a/a.h", wrong[0])

    def test_a_row_may_not_allow_what_no_file_includes(self):
        self.assertIn("a/ may include fmt, but does not", self.check(HEAD + "| `a/` | one | fmt |\n", {"a/a.h": ""})[0])
        wrong = self.check(HEAD + "| `a/` | one | fmt in `a.h` and `b.h` |\n", {"a/a.h": "#include <fmt/format.h>\n"})
        self.assertIn("does not (b.h)", wrong[0])
        self.assertIn("no folder a/", self.check(HEAD + "| `a/` | one | std |\n", {})[0])

    def test_a_malformed_table_is_refused(self):
        for rows, part in [("no table", "there is no table"), (HEAD + "| `a/` | one |\n", "is not a row"),
                           (HEAD + "| `a/` | one | boost |\n", "'boost' is neither"),
                           (HEAD + "| `a/` | one | std |\n| `a/` | two | std |\n", "two rows")]:
            with self.assertRaisesRegex(lint.TableError, part):
                lint.read_table(rows)


class Using(unittest.TestCase):
    def test_a_declaration_that_nothing_uses_is_found(self):
        text = "using std::set;\nusing a::b::used;\nnamespace fs = std::filesystem;\nusing namespace std::literals;\nused x;\n"
        self.assertEqual(list(lint_structure.unused_names(text)), [(1, "set")] + [(3, "fs")])


class Devices(unittest.TestCase):
    def problems(self, folder, line):
        return list(lint_structure.devices_named(f"optimized/{folder}/a.cpp", [line]))

    def test_a_device_that_is_named_above_the_backends_is_found(self):
        for line in ("if (x.device() == Backend::CUDA) f();", '#include "optimized/cuda/host.h"'):
            self.assertEqual(len(self.problems("autograd", line)), 1)
            self.assertEqual(len(self.problems("functionalize", line)), 1)
            self.assertEqual(self.problems("cuda", line), [])

    def test_the_device_of_a_tensor_is_none(self):
        self.assertEqual(self.problems("autograd", "DeviceGuard guard(x.device()); Backend device = Backend::CPU;"), [])


class Rules(unittest.TestCase):
    def test_a_rule_whose_header_is_not_included_is_found(self):
        texts = {
            "spec/rules/a.h": "inline constexpr Rule INF_01{Family::INF, 1};\n",
            "spec/rules/b.h": '#include "spec/rules/a.h"\n',
            "good.cpp": '#include "spec/rules/b.h"\nf(INF_01);\n',
            "bad.cpp": '#include <set>\n// INF_01\nf("INF_01", INF_99);\nf(INF_01);\nf(INF_01);\n',
        }
        self.assertEqual(list(lint.rules_out_of_reach(texts)), [("bad.cpp", 4, "INF_01", "spec/rules/a.h")])


class Machine(unittest.TestCase):
    HEADERS = {header: "" for header in lint_machine.HEADERS} | {
        "spec/rules/ver.h": "Num<D> step(const Judge<D>& judge);\n",
        "spec/rules/aut.h": "Error<D> check_leaf(const Judge<D>& judge);\nBool<D> rebases(const Judge<D>& judge);\n"}

    def problems(self, path, line):
        return [p for p in lint_machine.asked_outside(self.HEADERS | {path: line}) if p.startswith(path)]

    def test_a_rule_asked_outside_the_machine_is_found(self):
        for line in ("x = step(judge);", "plumbline::step<Concrete>(judge_, 1);", "check_leaf(run.judge(), a);"):
            self.assertEqual(len(self.problems("reference/a/b.cpp", line)), 1, line)
        self.assertEqual(len(self.problems("spec/proofs/machine_calls.h", "step(judge_)")), 1)

    def test_other_calls_are_allowed(self):
        for line in ("machine::step(judge);", "rebases(judge);", "w.step(judge);", "reference::check_leaf(judge, 1);"):
            self.assertEqual(self.problems("reference/b.cpp", line), [], line)
        self.assertEqual(self.problems("spec/machine/a.h", "step(judge)"), [])
        self.assertEqual(self.problems("reference/tests/b.cpp", "step(judge)"), [])

    def test_an_exception_that_nothing_needs_is_found(self):
        found = [p for p in lint_machine.asked_outside(self.HEADERS) if "remove it" in p]
        self.assertEqual(len(found), len(lint_machine.EXCEPT))


if __name__ == "__main__":
    unittest.main()
