#!/usr/bin/env python3
"""Records scripts, and runs the programs. usage: record_test.py BIN, the folder of the executables."""
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

BIN = pathlib.Path(sys.argv.pop(1)).resolve()
PASSED = "2 of 2 passed"


class Recorded:
    """What `plumbline record` wrote of a script, and what running the program showed."""

    def __init__(self, text, *options, name="script.py", arguments=(), on="reference,optimized"):
        with tempfile.TemporaryDirectory() as folder:
            script, program = pathlib.Path(folder) / name, pathlib.Path(folder) / "test_out.py"
            script.write_text(textwrap.dedent(text), encoding="utf-8")
            after = ["--", *arguments] if arguments else []
            done = plumbline("record", script, "--out", program, *options, *after)
            self.code, self.said = done.returncode, done.stdout + done.stderr
            self.text = program.read_text(encoding="utf-8") if program.exists() else ""
            self.ran = plumbline("run", program, "--on", on).stdout if self.text else ""

    def body(self):
        """The lines of the test, without comments."""
        lines = self.text.split("(device):\n")[-1].splitlines()
        return [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]


def plumbline(*arguments):
    return subprocess.run([str(BIN / "plumbline"), *map(str, arguments)], capture_output=True, text=True, check=False)


class Recorder(unittest.TestCase):
    def says(self, text, *lines, code=0, **more):
        """The program has exactly these lines, and each implementation agrees."""
        recorded = Recorded("import torch\n" + textwrap.dedent(text), **more)
        self.assertEqual(recorded.body(), list(lines), recorded.said)
        self.assertEqual(recorded.code, code, recorded.said)
        self.assertIn(PASSED, recorded.ran)
        return recorded

    def test_loops_functions_and_operators_leave_their_calls(self):
        self.says("""
            def double(a):
                return a * 2
            x = torch.tensor([1.0, 2.0])
            for i in range(2):
                x = double(x) - i
            """,
                  "x = torch.tensor([1.0, 2.0], device=device)", "x1 = x.mul(2)", "x2 = x1.sub(0)", "x3 = x2.mul(2)", "x4 = x3.sub(1)")

    def test_indexing_is_select_slice_and_fill(self):
        self.says("""
            x = torch.zeros(2, 3)
            x[0, 1:] = 5
            """,
                  "x = torch.zeros([2, 3], device=device)", "x1 = x.select(0, 0)", "x2 = torch.ops.aten.slice.Tensor(x1, 0, 1, 9223372036854775807)",
                  "x2.fill_(5.0)")

    def test_modes_are_followed_however_they_are_entered(self):
        self.says("""
            @torch.no_grad()
            def f(a):
                return a.add(1)
            x = torch.ones(1)
            y = f(x)
            torch.set_grad_enabled(False)
            z = x.neg()
            torch.set_grad_enabled(True)
            with torch.inference_mode():
                with torch.enable_grad():
                    v = x.t()
                w = x.t()
            """,
                  "x = torch.ones([1], device=device)", "with torch.no_grad():", "y = x.add(1)", "z = x.neg()", "with torch.inference_mode():",
                  "with torch.enable_grad():", "v = x.t()", "w = x.t()")

    def test_gradients_and_what_the_script_prints_of_them(self):
        self.says("""
            x = torch.ones(2, requires_grad=True)
            (x * 3).sum().backward()
            print(x.grad)
            x.grad = None
            """,
                  "x = torch.ones([2], device=device, requires_grad=True)", "x1 = x.mul(3)", "x2 = x1.sum()", "x2.backward()", "x3 = x.grad",
                  "assert x3.tolist() == [3.0, 3.0]", "x.grad = None")

    def test_asserts_of_the_script_become_asserts(self):
        self.says("""
            x = torch.ones(2)
            y = x[0]
            x.add_(1)
            assert y._version == 1 and y._base is x and not x.is_inference()
            """,
                  "x = torch.ones([2], device=device)", "y = x.select(0, 0)", "x.add_(1)", "assert y._version == 1", "assert y._base is x",
                  "assert x.is_inference() is False")

    def test_an_error_that_the_script_catches_is_expected(self):
        self.says("""
            with torch.inference_mode():
                x = torch.ones(2)
            try:
                x.add_(1)
            except RuntimeError:
                pass
            y = x.add(1)
            """,
                  "with torch.inference_mode():", "x = torch.ones([2], device=device)", "with pytest.raises(RuntimeError):", "x.add_(1)", "y = x.add(1)")

    def test_a_module_and_its_optimizer(self):
        recorded = Recorded("""
            import torch
            layer = torch.nn.Linear(2, 1)
            optimizer = torch.optim.SGD(layer.parameters(), lr=0.5)
            layer(torch.ones(3, 2)).sum().backward()
            optimizer.step()
            """, on="optimized,python")
        self.assertIn("layer_weight.add_(x", recorded.text)
        self.assertIn("layer_bias.addmm(", recorded.text)
        self.assertIn(PASSED, recorded.ran)
        self.assertIn("# line 3: the op uniform_ is not part of a program: what it wrote is written by copy_", recorded.text)

    def test_custom_functions_with_their_backwards(self):
        recorded = Recorded("""
            import torch
            class Square(torch.autograd.Function):
                @staticmethod
                def forward(x, n):
                    return x * x * n
                @staticmethod
                def setup_context(ctx, inputs, output):
                    ctx.n = inputs[1]
                    ctx.save_for_backward(inputs[0])
                @staticmethod
                def backward(ctx, g):
                    x, = ctx.saved_tensors
                    return 2 * ctx.n * x * g, None
            x = torch.ones(2, requires_grad=True)
            Square.apply(x, 3).sum().backward()
            assert x.grad.tolist() == [6.0, 6.0]
            """)
        self.assertIn("ctx.save_for_backward(x)", recorded.text)
        self.assertRegex(recorded.text, r"x\d+, = ctx.saved_tensors\n +x\d+ = x\d+.mul\(6\)")
        self.assertIn(".tolist() == [6.0, 6.0]", recorded.text)
        self.assertIn(PASSED, recorded.ran)

    def test_an_error_leaves_a_custom_functions_forward(self):
        self.says("""
            class Bad(torch.autograd.Function):
                @staticmethod
                def forward(ctx, x):
                    return x.view(7)
            x = torch.ones(2)
            try:
                Bad.apply(x)
            except RuntimeError:
                pass
            """,
                  "x = torch.ones([2], device=device)", "with pytest.raises(RuntimeError):", "x1 = Bad.apply(x)")

    def test_functionalized_bodies(self):
        self.says("""
            def body(a):
                b = a[0]
                b.add_(1)
                return b
            x = torch.zeros(2)
            y = torch.func.functionalize(body, remove="mutations_and_views")(x)
            print(x, y)
            """,
                  "x = torch.zeros([2], device=device)", "def body(a):", "b = a.select(0, 0)", "b.add_(1)", "return b",
                  'y = torch.func.functionalize(body, remove="mutations_and_views")(x)', "assert x.tolist() == [1.0, 0.0]", "assert y.tolist() == 1.0")

    def test_threads_run_alone(self):
        self.says("""
            import threading
            x = torch.ones(1)
            def work():
                with torch.no_grad():
                    x.add_(1)
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            x.mul_(2)
            """,
                  "x = torch.ones([1], device=device)", "def train():", "with torch.no_grad():", "x.add_(1)", "t = threading.Thread(target=train)",
                  "t.start()", "t.join()", "x.mul_(2)")

    def test_tests_are_recorded_as_pytest_runs_them(self):
        recorded = Recorded("""
            import pytest
            import torch
            @pytest.mark.parametrize("n", [1, 2])
            def test_size(n):
                torch.ones(n)
            """, name="test_sizes.py")
        self.assertEqual(re.findall(r"def (\w+)|ones\((\[\d\])", recorded.text), [("test_size_1", ""), ("", "[1]"), ("test_size_2", ""), ("", "[2]")])
        self.assertEqual(recorded.code, 0, recorded.said)

    def test_a_script_has_its_own_modules(self):
        """Also one whose name is that of a part of the recorder."""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "functions.py").write_text("SIZE = 4\n", encoding="utf-8")
            script = pathlib.Path(folder) / "script.py"
            script.write_text("import functions\nimport torch\ntorch.ones(functions.SIZE)\n", encoding="utf-8")
            self.assertIn("torch.ones([4]", plumbline("record", script).stdout)

    def test_a_script_gets_its_arguments(self):
        self.says("""
            import sys
            x = torch.ones(int(sys.argv[1]))
            """, "x = torch.ones([3], device=device)", arguments=("3",))

    def test_an_op_that_no_program_has_becomes_values(self):
        recorded = self.says("x = torch.logspace(0, 1, 2)", "x = torch.tensor([1.0, 10.0], device=device)", code=5)
        self.assertIn("# line 2: the op logspace is not part of a program: its result is written as values", recorded.text)

    def test_a_view_that_no_program_has_becomes_as_strided(self):
        self.says("""
            x = torch.zeros(2, 2)
            y = torch.ops.aten._reshape_alias(x, [4], [1])
            """,
                  "x = torch.zeros([2, 2], device=device)", "y = x.as_strided([4], [1], 0)", code=5)

    def test_a_large_tensor_is_filled_with_random_numbers(self):
        recorded = Recorded("import torch\nx = torch.randn(50, 50)\ny = x + 1\nprint(y.sum())\n")
        self.assertIn("torch.rand([50, 50]", recorded.text)
        self.assertNotIn("assert", recorded.text)
        self.assertIn(PASSED, recorded.ran)


class HostileScripts(unittest.TestCase):
    def ends(self, text, code, *parts, options=("--seconds", "5", "--statements", "50"), statements=1):
        """The exit code, and parts of what is said; the program has what the script did until its end."""
        recorded = Recorded(text, *options)
        self.assertEqual(recorded.code, code, recorded.said)
        for part in parts:
            self.assertIn(part, recorded.said)
        self.assertEqual(len(recorded.body()), statements, recorded.text)
        if statements:
            self.assertIn(PASSED, recorded.ran)

    def test_an_endless_loop_of_calls_is_stopped(self):
        self.ends("import torch\nx = torch.ones(1)\nwhile True:\n    try:\n        x.add_(1)\n    except Exception:\n        pass\n",
                  5, "it was stopped after 50 statements", statements=50)

    def test_an_endless_loop_is_stopped(self):
        self.ends("import torch\nx = torch.ones(1)\nwhile True:\n    pass\n", 5, "it was stopped after 5 s")

    def test_a_crash_loses_nothing(self):
        self.ends("import ctypes, torch\nwith torch.no_grad():\n    x = torch.ones(1)\n    ctypes.string_at(0)\n", 5, "Python died of SIGSEGV", statements=2)

    def test_a_crash_inside_an_op_names_it(self):
        self.ends("""
            import ctypes, torch
            torch.library.define("plumbline_test::crash", "(Tensor x) -> Tensor")
            torch.library.impl("plumbline_test::crash", "CPU", lambda x: ctypes.string_at(0))
            x = torch.ones(1)
            torch.ops.plumbline_test.crash(x)
            """, 5, "Python died of SIGSEGV in plumbline_test.crash.default (line 6)")

    def test_an_error_ends_the_program_where_it_ended_the_script(self):
        self.ends("import torch\ntorch.ones(2).view(5)\n", 5, "it raised RuntimeError: shape '[5]' is invalid for input of size 2 (line 2)", statements=3)

    def test_a_script_that_reads_gets_nothing(self):
        self.ends("import torch\ntorch.ones(1)\ninput()\n", 5, "it raised EOFError", "(line 3)")

    def test_a_child_process_is_not_recorded(self):
        self.ends("import os, torch\nx = torch.ones(1)\nif os.fork() == 0:\n    x.add_(1)\n    os._exit(0)\nos.wait()\n", 5, "1 thing that it did is not said")

    def test_a_thread_that_waits_is_left_out(self):
        self.ends("""
            import threading, torch
            x, event = torch.ones(1), threading.Event()
            def work():
                event.wait(20)
                x.add_(1)
            thread = threading.Thread(target=work)
            thread.start()
            event.set()
            thread.join()
            """, 5, "1 thing that it did is not said", options=("--seconds", "30"), statements=6)

    def test_a_script_that_writes_into_every_file_loses_only_what_follows(self):
        self.ends("""
            import os, torch
            x = torch.ones(1)
            for file in range(3, 20):
                try:
                    os.write(file, b"garbage")
                except OSError:
                    pass
            x.add_(1)
            """, 5, "it wrote into the recorder's journal")

    def test_an_exit_code_is_said(self):
        self.ends("import torch\ntorch.ones(1)\nraise SystemExit(3)\n", 5, "it ended with exit code 3")

    def test_a_syntax_error_is_shown(self):
        self.ends("import torch\nx = = 3\n", 4, "it raised SyntaxError: invalid syntax", statements=0)

    def test_a_script_without_tensors_has_no_program(self):
        self.ends("print('hello')\n", 4, "it did nothing with tensors, so there is no program", statements=0)

    def test_a_python_without_pytorch_is_named(self):
        self.ends("import torch\n", 3, "a Python that imports PyTorch?", options=("--python", "/usr/bin/false"), statements=0)


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

    SAID_OTHERWISE = ["a backward from several tensors, with create_graph or with inputs", "grad", "register_hook", "the op all", "the op index",
                      "the op index", "the op index_put_", "the op lt", "the op pow", "the op randn", "the op rsub", "the op uniform_", "the op uniform_"]

    def test_each_is_recorded_and_implementations_agree_on_it(self):
        ran = plumbline("run", *self.FILES, "--on", "reference,optimized", "--quiet")
        self.assertEqual(ran.stdout.splitlines()[-1], "194 of 194 passed, 0 unsupported, 0 unspecified, 0 divergent", ran.stderr)

    def test_these_are_said_otherwise(self):
        text = "".join(plumbline("record", file).stdout for file in self.FILES)
        notes = re.findall(r"# line \d+: (.*?) is not part of a program", text)
        self.assertEqual(sorted(notes), self.SAID_OTHERWISE)


class Command(unittest.TestCase):
    def test_run_and_explain_take_a_script(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "taken.py"
            script.write_text("import torch\nfor i in range(2):\n    x = torch.ones(2)\n", encoding="utf-8")
            ran = plumbline("run", script)
            self.assertIn("1 of 1 passed", ran.stdout, ran.stderr)
            explained = plumbline("explain", script)
            self.assertIn("torch.ones([2]", explained.stdout, explained.stderr)

    def test_the_tutorial_shows_what_its_script_becomes(self):
        tutorials = pathlib.Path(__file__).resolve().parents[2] / "docs" / "tutorials"
        done = plumbline("record", tutorials / "train.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(done.stdout.strip(), (tutorials / "record-a-script.md").read_text(encoding="utf-8"))

    def run_of(self, text):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "test_mixed.py"
            program.write_text("import pytest\nimport torch\n" + textwrap.dedent(text), encoding="utf-8")
            return plumbline("run", program, "-v")

    def test_a_test_that_programs_cannot_say_is_recorded_alone(self):
        ran = self.run_of("""
            def test_plain(device):
                x = torch.ones([2], device=device)


            @pytest.mark.parametrize("n", [1, 2])
            def test_loop(n, device):
                for i in range(n):
                    x = torch.ones([n], device=device)
            """)
        self.assertEqual(re.findall(r"^pass .*?(test_\w+) on", ran.stdout, re.M), ["test_plain", "test_loop_1", "test_loop_2"], ran.stderr)
        self.assertIn("test_loop is recorded, because programs cannot say it: found '@'", ran.stderr)

    def test_a_test_that_python_cannot_run_either_is_unsupported(self):
        ran = self.run_of("""
            def test_plain(device):
                x = torch.ones([2], device=device)


            def test_typo(device):
                x = torch.zeroes([2], device=device)
            """)
        self.assertEqual(ran.returncode, 2)
        self.assertIn("Did you mean zeros", ran.stdout + ran.stderr)
        self.assertIn("1 of 2 passed, 1 unsupported", ran.stdout)

    def test_a_test_without_tensors_stays_unsupported(self):
        self.assertEqual(self.run_of("def test_wrong(device):\n    x = [i for i in range(3)]\n").returncode, 2)

    def test_a_missing_script_is_refused(self):
        done = plumbline("record", "/nowhere.py")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no file '/nowhere.py'", done.stderr)


if __name__ == "__main__":
    unittest.main()
