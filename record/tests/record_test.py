#!/usr/bin/env python3
"""Records scripts, and runs the programs. usage: record_test.py BIN, the folder of the executables."""
import pathlib
import re
import tempfile
import textwrap
import unittest

from recorded import PASSED, Recorded, plumbline


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

    def test_a_long_loop_uses_few_variables(self):
        recorded = Recorded("""
            import torch
            x = torch.ones(4)
            for i in range(400):
                x = (x + 1) * 0.5
            """)
        self.assertIn("2 of 2 passed", recorded.ran)
        self.assertEqual(len(recorded.body()), 801)
        self.assertLess(len(set(re.findall(r"^    (\w+) = ", recorded.text, re.M))), 262)

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

    def test_modes_that_the_script_prints_are_asserted(self):
        self.says("""
            with torch.inference_mode():
                print(torch.is_inference_mode_enabled(), torch.is_grad_enabled())
            """,
                  "with torch.inference_mode():", "assert torch.is_inference_mode_enabled() is True", "assert torch.is_grad_enabled() is False")

    def test_an_error_that_the_program_need_not_have_is_left_out(self):
        recorded = self.says("""
            x = torch.ones(2, requires_grad=True)
            y = torch.logaddexp(x, x)
            try:
                y.view(7)
            except RuntimeError:
                pass
            z = x.add(1)
            """,
                             "x = torch.ones([2], device=device, requires_grad=True)", "x1 = torch.tensor([1.6931471824645996, 1.6931471824645996], device=device, requires_grad=True)",
                             "y = x1.clone()", "z = x.add(1)", code=5)
        self.assertIn("# line 6: what raised an error here is left out: the program may not raise it", recorded.text)

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

    def test_an_operator_in_a_functionalized_body_leaves_its_values(self):
        self.says("""
            lib = torch.library.Library("mine", "FRAGMENT")
            lib.define("double(Tensor x) -> Tensor")
            lib.impl("double", lambda x: torch.mul(x, 2), "CPU")
            def body(x):
                y = torch.ops.mine.double(x)
                y.add_(1)
                return y
            x = torch.ones(2)
            y = torch.func.functionalize(body)(x)
            print(y)
            """,
                  "x = torch.ones([2], device=device)", "def body(x1):", "y = torch.tensor([2.0, 2.0], device=device)", "y.add_(1)", "return y",
                  'x3 = torch.func.functionalize(body, remove="mutations")(x)', "assert x3.tolist() == [3.0, 3.0]", code=5)

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

    def test_an_error_of_an_op_that_no_program_has_is_named(self):
        recorded = self.says("""
            x = torch.ones(2)
            try:
                torch.linalg.inv(x)
            except RuntimeError:
                pass
            """, "x = torch.ones([2], device=device)", code=5)
        self.assertIn("is not part of a program, and neither is the error that it raised", recorded.text)

    def test_what_runs_under_a_mode_of_torch_dispatch_runs_as_without_the_recorder(self):
        recorded = Recorded("""
            import torch
            from torch.utils._python_dispatch import TorchDispatchMode
            class Doubled(TorchDispatchMode):
                def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                    return func(*args, **(kwargs or {})) * 2
            x = torch.tensor([1.0])
            with Doubled():
                y = x.add(1)
            assert y.item() == 4
            z = y.add(1)
            """)
        self.assertEqual(recorded.code, 5, recorded.said)
        self.assertIn("# line 8: what runs under Doubled, a TorchDispatchMode, is not recorded", recorded.text)
        self.assertIn("z = y.add(1)", recorded.text)
        self.assertIn(PASSED, recorded.ran)

    def test_with_a_tensor_subclass_with_torch_dispatch_the_recording_ends(self):
        recorded = Recorded("""
            import torch
            class Wrapped(torch.Tensor):
                @classmethod
                def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
                    return torch.ones(1)
            x = torch.zeros(1)
            w = torch.Tensor._make_wrapper_subclass(Wrapped, x.shape)
            assert w.add(x).item() == 1
            """)
        self.assertEqual(recorded.code, 5, recorded.said)
        self.assertIn("here the recording ends: Wrapped is a tensor subclass with __torch_dispatch__", recorded.text)
        self.assertEqual(recorded.body(), ["x = torch.zeros([1], device=device)"])

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

    def test_a_test_with_a_library_of_its_own_is_recorded(self):
        ran = self.run_of("""
            def test_library(device):
                library = torch.library.Library("plumbline_mixed", "DEF")
                library.define("twice(Tensor x) -> Tensor")
                library.impl("twice", lambda x: x * 2, "CPU")
                x = torch.ones([2], device=device)
                assert torch.ops.plumbline_mixed.twice(x).tolist() == [2.0, 2.0]
            """)
        self.assertIn("1 of 1 passed", ran.stdout, ran.stderr)

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

    def test_a_test_whose_name_begins_another_is_not_taken_for_it(self):
        ran = self.run_of("""
            def test_a(device):
                x = torch.zeroes([2], device=device)


            def test_a_b(device):
                for i in range(2):
                    x = torch.ones([2], device=device)
            """)
        self.assertIn("1 of 2 passed, 1 unsupported", ran.stdout, ran.stderr)

    def test_a_test_without_tensors_stays_unsupported(self):
        self.assertEqual(self.run_of("def test_wrong(device):\n    x = [i for i in range(3)]\n").returncode, 2)

    def test_a_missing_script_is_refused(self):
        done = plumbline("record", "/nowhere.py")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no file '/nowhere.py'", done.stderr)


if __name__ == "__main__":
    unittest.main()
