"""What the adapter shows of a script: a file that fails under plain Python where the script differs, and the graphs at the place."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from conversing import SNAPSHOT, call, converse, registered
from paths.plain import variables
from paths.show import Ran


def tensor(result, sizes, values, dtype="float32", **more):
    return {"do": "make", "result": result, "dtype": dtype, "sizes": sizes, "values": values, **more}


def slot(number):
    return {"slot": number}


ADD_ONE = call("add_.Tensor", [slot(0), 1, 1])
TAKE_DATA = {"do": "get_data", "result": 1, "tensor": 0}
DIFFER = {  # programs of docs/findings, what their files print, and a part of their text
    "a write to a float64 scalar is lost": (
        [tensor(0, [], [3.0], "float64"), ADD_ONE, SNAPSHOT], "x: the values: eager PyTorch: 4.0; ", "x.add_(1)"),
    "a fill of an expanded tensor is added up": (
        [tensor(0, [1], [0.0]), call("expand", [slot(0), [2], False], 1), call("fill_.Scalar", [slot(1), 7]), SNAPSHOT],
        "x: the values: eager PyTorch: [7.0]; ", "y.fill_(7)"),
    "a view of a detached tensor has another base": (
        [tensor(0, [2], [1.0, 2.0]), call("detach", [slot(0)], 1), call("unsqueeze", [slot(1), 0], 2), SNAPSHOT],
        "z: which tensor is its _base: eager PyTorch: ['y']; ", "y.unsqueeze(0)"),
    "a float multiplies integers in place": (
        [tensor(0, [2], [1, 2], "int64"), call("mul_.Scalar", [slot(0), 0.5]), SNAPSHOT],
        "eager PyTorch: RuntimeError: result type Float can't be cast to the desired output type Long; ", "x.mul_(0.5)"),
    "a tensor written through a view is a view": (
        [tensor(3, [1], [0.0]), call("zeros", [[4, 2], None, None, None, None], 0), call("t", [slot(0)], 1), call("fill_.Scalar", [slot(1), 5]), SNAPSHOT],
        "x: _is_view(): eager PyTorch: False; ", "y.fill_(5)"),
    "a view made under no_grad has a grad_fn": (
        [tensor(0, [2], [2.0, 3.0], requires_grad=True), {"do": "enter", "guard": "no_grad", "value": True},
         call("unsqueeze", [slot(0), 0], 1), {"do": "exit"}, SNAPSHOT],
        "y: is_leaf: eager PyTorch: True; ", "with torch.no_grad():"),
    "a write through unfold puts 0 in the gaps": (
        [tensor(0, [4], [1.0, 1.0, 1.0, 1.0]), call("unfold", [slot(0), 0, 1, 2], 1), call("add_.Tensor", [slot(1), 10, 1]), SNAPSHOT],
        "x: the values: eager PyTorch: [11.0, 1.0, 11.0, 1.0]; ", "x.unfold(0, 1, 2)"),
    "a write that overlaps its operand is not refused": (
        [tensor(0, [3], [1.0, 2.0, 3.0]), call("narrow", [slot(0), 0, 0, 2], 1), call("narrow", [slot(0), 0, 1, 2], 2), {"do": "try"},
         call("add_.Tensor", [slot(1), slot(2), 1]), {"do": "end_try"}, SNAPSHOT], "no error", "look.raised(error)"),
    "an in-place view op does not raise the version": (
        [tensor(0, [1, 2], [1.0, 2.0]), SNAPSHOT, call("t", [slot(0)], 1), call("t_", [slot(1)]), SNAPSHOT],
        "x: whether _version has changed: eager PyTorch: True; ", "y.t_()"),
}
DETACH_A_LEAF = [tensor(0, [], [1.0], requires_grad=True), call("detach_", [slot(0)]), SNAPSHOT]
DETACH_A_VIEW = [tensor(0, [1], [1.0]), call("view", [slot(0), [1, 1]], 1), call("detach_", [slot(1)]), SNAPSHOT]
FLOAT_INTO_INTEGERS = DIFFER["a float multiplies integers in place"][0]
OTHER_PATHS = {  # a program that differs on each, what its file prints, and a part of its graph
    "make_fx": (DETACH_A_LEAF, "x: requires_grad: eager PyTorch: False; make_fx: True", "return ()"),
    "export": (FLOAT_INTO_INTEGERS, "can't be cast to the desired output type Long; torch.export: no error", "torch.ops.aten.mul"),
    "jit-trace": (DETACH_A_VIEW, "torch.jit.trace: no error", "prim::TupleConstruct()"),
    "functorch-regions": (FLOAT_INTO_INTEGERS, "torch.func.functionalize: no error", "torch.ops.aten.mul"),
}
AGREE = {  # programs with a statement of each kind that runs between regions
    "a backward": [tensor(0, [2], [1.0, 2.0], requires_grad=True), call("mul.Tensor", [slot(0), 3], 1), call("sum", [slot(1), None], 2),
                   {"do": "backward", "tensor": 2}, {"do": "get_grad", "result": 3, "tensor": 0}, SNAPSHOT],
    "data": [tensor(0, [2], [1.0, 2.0]), TAKE_DATA, call("add_.Tensor", [slot(1), 1, 1]), SNAPSHOT],
}


OPERATOR = registered("CPU", "Meta")
DEFINED = {"operators": [{"namespace": "mine", "schema": "f(Tensor(a!) x, int n) -> Tensor"}],
           "kernels": [{"name": "k", "parameters": [4, 5], "returned": [6],
                        "statements": [call("mul_.Tensor", [slot(4), {"number_of": 5}]), call("mul.Tensor", [slot(4), 2], 6)]}]}


def script(statements):
    return {"names": ["x", "y", "z", "w", "given", "n", "made"], "statements": statements,
            **(DEFINED if OPERATOR[0] in statements else {})}


def shown(path, *programs, options=()):
    """The answers to `show` of these programs, each at its last statement."""
    asked = [{"cmd": "show", "id": i, "script": script(one), "statement": len(one) - 1, "found": "Found.\nRule: VER-03"} for i, one in enumerate(programs)]
    (_, *rest), code, errors = converse(asked, "--path", path, *options)
    if code:
        raise AssertionError(errors)
    return rest


def run(text):
    """A file's exit code and output, in a folder of its own and without this one's modules."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([sys.executable, "-I", file.name], capture_output=True, text=True, check=False, cwd=tempfile.gettempdir())
        return done.returncode, done.stdout


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        programs = [program for program, _, _ in DIFFER.values()] + list(AGREE.values())
        answers = shown("compile-aot_eager", *programs)
        cls.differ, cls.agree = answers[:len(DIFFER)], answers[len(DIFFER):]

    def test_a_program_that_differs_has_a_file_that_fails(self):
        for (name, (_, says, has)), answer in zip(DIFFER.items(), self.differ):
            with self.subTest(name):
                self.assertTrue(answer["fails"], answer)
                self.assertIn(says, answer["output"])
                self.assertIn(has, answer["file"])

    def test_the_file_fails_again_in_a_process_that_has_nothing_of_this_folder(self):
        answer = self.differ[0]
        self.assertEqual(run(answer["file"]), (1, answer["output"]))
        self.assertIn("\nFound.\nRule: VER-03\n", answer["file"])
        self.assertEqual([line for line in answer["file"].splitlines() if "import" in line], ["import sys", "import torch"])

    def test_a_program_that_agrees_has_a_file_that_passes(self):
        for answer in self.agree:
            self.assertEqual((answer.get("fails"), answer.get("output")), (False, "No difference.\n"), answer)
        self.assertEqual(run(self.agree[0]["file"])[0], 0)

    def test_operators_of_the_program_stand_above_it(self):
        invoked = {"do": "invoke", "operator": 0, "inputs": [slot(0), 3], "results": [1]}
        agrees, differs = shown("compile-aot_eager", [*OPERATOR, tensor(0, [2], [1.0, 2.0]), invoked, SNAPSHOT],
                                [*OPERATOR, tensor(0, [2], [1, 2], "int64"), invoked, call("mul_.Scalar", [slot(0), 0.5]), SNAPSHOT])
        self.assertEqual((agrees["fails"], agrees["output"]), (False, "No difference.\n"), agrees)
        self.assertTrue(differs["fails"], differs)
        self.assertIn("lib.define('f(Tensor(a!) x, int n) -> Tensor')\n", differs["file"])
        self.assertIn("def kernel_0(given, n):\n    given.mul_(n)\n    made = given.mul(2)\n    return made\n", differs["file"])
        self.assertIn("y = torch.ops.mine.f(x, 3)\n", differs["file"])

    def test_a_file_that_does_not_run_is_not_shown(self):
        for text, fails in (("raise ValueError", False), ("import sys; print('They differ.'); sys.exit(1)", True),
                            ("print('They differ.')", False), ("print('They differ.'); raise ValueError", True)):
            with self.subTest(text):
                self.assertEqual(Ran(text).fails, fails)
        self.assertFalse(Ran("raise ValueError").works)

    def test_a_file_that_is_killed_fails(self):
        ran = Ran("import os, signal; print('before', flush=True); os.kill(os.getpid(), signal.SIGSEGV)")
        self.assertEqual((ran.works, ran.fails, ran.output), (True, True, "killed by SIGSEGV\nbefore\n"))

    def test_what_cannot_be_written_has_no_file(self):
        thread = [tensor(0, [2], [1, 2]), {"do": "start_thread"}, ADD_ONE, {"do": "join_thread"}]
        no_region, threads = shown("compile-eager", [tensor(0, [2], [1, 2]), SNAPSHOT], thread)
        self.assertEqual((no_region["file"], no_region["why"]), (None, "no statement of the program runs in a graph"))
        self.assertEqual((threads["file"], threads["why"]), (None, "the statement start_thread is not written as plain Python"))
        (planted,) = shown("compile-toy", [tensor(0, [2], [1, 2]), ADD_ONE, SNAPSHOT], options=["--fault", "DropsAMutation"])
        self.assertIn("is not written as plain Python", planted["why"])

    def test_names_that_a_file_needs_are_not_those_of_tensors(self):
        self.assertEqual(variables(["x", "torch", "a b", "x", "s7"], {"F"}), {0: "x", 1: "t1", 2: "t2", 3: "t3", 4: "t4"})


class Graphs(unittest.TestCase):
    def test_the_graphs_of_the_last_region_before_the_place_are_shown(self):
        program = [tensor(0, [2], [1.0, 2.0], requires_grad=True), call("mul.Tensor", [slot(0), 3], 1), SNAPSHOT, call("exp", [slot(1)], 2), SNAPSHOT]
        (answer,) = shown("compile-aot_eager", program)
        titles = [section["title"] for section in answer["sections"]]
        self.assertEqual(titles, ["the region as Python", "the graph that Dynamo captured", "AOTAutograd: forward graph", "AOTAutograd: backward graph"])
        self.assertIn("z = y.exp()", answer["sections"][0]["text"])
        self.assertIn("aten.exp.default", answer["sections"][2]["text"])

    def test_each_way_of_capture_has_its_file_and_its_graph(self):
        for path, (program, says, has) in OTHER_PATHS.items():
            with self.subTest(path):
                (answer,) = shown(path, program)
                self.assertTrue(answer["fails"], answer)
                self.assertIn(says, answer["output"])
                self.assertIn(has, answer["sections"][1]["text"])


@unittest.skipUnless("PLUMBLINE_BIN" in os.environ, "no plumbline is given in PLUMBLINE_BIN")
class Commands(unittest.TestCase):
    """`plumbline explain --file` and `plumbline shrink --out`, on a program that differs and on one that agrees."""

    def plumbline(self, *words):
        done = subprocess.run([f"{os.environ['PLUMBLINE_BIN']}/plumbline", *words], capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    def written(self, folder, change):
        program = pathlib.Path(folder) / "test_it.py"
        program.write_text(f"import torch\n\n\ndef test_it():\n    x = torch.tensor(3.0, dtype=torch.float64)\n    {change}\n    assert x.tolist() == 4.0\n")
        return str(program)

    def test_explain_writes_a_file_that_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "plain.py"
            said = self.plumbline("explain", self.written(folder, "x.add_(1)"), "--on", "compile-aot_eager", "--file", str(file))
            self.assertIn(f"{file} fails under plain Python: line ", said)
            self.assertIn("the graph that Dynamo captured:", said)
            self.assertEqual(run(file.read_text())[0], 1)
            self.assertIn("values of x: expected [4], got [3].\nRule VER-03: ", file.read_text())

    def test_explain_shows_nothing_where_nothing_differs(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "plain.py"
            said = self.plumbline("explain", self.written(folder, "x = x + 1"), "--on", "compile-aot_eager", "--file", str(file))
            self.assertNotIn("plain Python", said)
            self.assertFalse(file.exists())

    def test_a_file_is_for_one_implementation(self):
        with tempfile.TemporaryDirectory() as folder:
            said = self.plumbline("explain", self.written(folder, "x.add_(1)"), "--on", "python,compile-eager", "--file", "plain.py")
            self.assertIn("--file is for one test and one implementation", said)

    def test_shrink_writes_a_file_beside_the_reproducer(self):
        with tempfile.TemporaryDirectory() as folder:
            said = self.plumbline("shrink", self.written(folder, "x.add_(1)"), "--on", "compile-aot_eager", "--out", folder)
            (file,) = pathlib.Path(folder).glob("*.plain.py")
            self.assertIn(f"{file} fails under plain Python: line ", said)
            self.assertIn(f"Run it: python {file.name}\n", file.read_text())


if __name__ == "__main__":
    unittest.main()
