"""What the adapter shows of a script: a file that fails under plain Python where the script differs, and the graphs at the place."""
import subprocess
import sys
import tempfile
import unittest

from conversing import SNAPSHOT, call, converse
from paths.plain import variables


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
AGREE = {  # programs with a statement of each kind that runs between regions
    "a backward": [tensor(0, [2], [1.0, 2.0], requires_grad=True), call("mul.Tensor", [slot(0), 3], 1), call("sum", [slot(1), None], 2),
                   {"do": "backward", "tensor": 2}, {"do": "get_grad", "result": 3, "tensor": 0}, SNAPSHOT],
    "data": [tensor(0, [2], [1.0, 2.0]), TAKE_DATA, call("add_.Tensor", [slot(1), 1, 1]), SNAPSHOT],
}


def script(statements):
    return {"names": ["x", "y", "z", "w"], "statements": statements}


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
    def check(self, answer, says, has):
        self.assertTrue(answer["fails"], answer)
        self.assertIn(says, answer["output"])
        self.assertIn(has, answer["file"])
        self.assertNotIn("plumbline", answer["file"].replace("Plumbline", "").split('"""')[2])

    def test_a_program_that_differs_has_a_file_that_fails(self):
        answers = shown("compile-aot_eager", *(program for program, _, _ in DIFFER.values()))
        for (name, (_, says, has)), answer in zip(DIFFER.items(), answers):
            with self.subTest(name):
                self.check(answer, says, has)

    def test_the_file_fails_again_in_a_process_that_has_nothing_of_this_folder(self):
        (answer,) = shown("compile-aot_eager", DIFFER["a write to a float64 scalar is lost"][0])
        self.assertEqual(run(answer["file"]), (1, answer["output"]))
        self.assertIn("\nFound.\nRule: VER-03\n", answer["file"])

    def test_a_program_that_agrees_has_a_file_that_passes(self):
        for answer in shown("compile-aot_eager", *AGREE.values()):
            self.assertEqual((answer.get("fails"), answer.get("output")), (False, "No difference.\n"), answer)
        self.assertEqual(run(answer["file"])[0], 0)

    def test_what_cannot_be_written_has_no_file(self):
        thread = [tensor(0, [2], [1, 2]), {"do": "start_thread"}, ADD_ONE, {"do": "join_thread"}]
        body = shown("compile-eager", thread, [tensor(0, [2], [1, 2]), SNAPSHOT])
        self.assertEqual([answer["file"] for answer in body], [None, None])
        self.assertEqual([answer["why"] for answer in body], ["the statement start_thread is not written as plain Python",
                                                              "no statement of the program runs in a graph"])
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

    def test_each_way_of_capture_has_its_graph(self):
        program = [tensor(0, [2], [1.0, 2.0]), call("mul.Tensor", [slot(0), 3], 1), SNAPSHOT]
        for path in ("make_fx", "export", "jit-trace", "jit-script", "functorch-regions"):
            with self.subTest(path):
                (answer,) = shown(path, program)
                self.assertEqual((answer["fails"], answer["output"]), (False, "No difference.\n"), answer)
                self.assertIn("mul", answer["sections"][1]["text"])


if __name__ == "__main__":
    unittest.main()
