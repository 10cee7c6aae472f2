#!/usr/bin/env python3
"""Records scripts that define operators, and runs the programs. usage: custom_ops_test.py BIN, the folder of the executables."""
import unittest

from recorded import PASSED, Recorded


class CustomOps(unittest.TestCase):
    def test_a_custom_op_leaves_what_its_kernel_does(self):
        recorded = Recorded("""
            import torch
            @torch.library.custom_op("mine::bump", mutates_args={"x"})
            def bump(x: torch.Tensor, by: float) -> None:
                x.add_(by)
            x = torch.zeros(2)
            v = x[:1]
            bump(v, 2.0)
            y = x + 1
            """)
        self.assertEqual(recorded.body(), [
            "x = torch.zeros([2], device=device)", "v = torch.ops.aten.slice.Tensor(x, 0, 0, 1)",
            "with torch._C._AutoDispatchBelowAutograd():", "v.add_(2.0)", "y = x.add(1)"])
        self.assertIn("# line 8: the op mine::bump is not part of a program: what its kernels do is written in its place", recorded.text)
        self.assertIn(PASSED, recorded.ran)

    def test_a_custom_op_with_a_backward_is_a_custom_function(self):
        recorded = Recorded("""
            import torch
            @torch.library.custom_op("mine::square", mutates_args=())
            def square(x: torch.Tensor) -> torch.Tensor:
                return torch.from_numpy(x.numpy() ** 2)
            def setup_context(ctx, inputs, output):
                ctx.save_for_backward(*inputs)
            def backward(ctx, g):
                x, = ctx.saved_tensors
                return g * 2 * x
            square.register_autograd(backward, setup_context=setup_context)
            x = torch.tensor([1.0, 3.0], requires_grad=True)
            y = square(x * 1)
            y.sum().backward()
            assert x.grad.tolist() == [2.0, 6.0]
            """)
        self.assertIn("ctx.save_for_backward(", recorded.text)
        self.assertIn("== [2.0, 6.0]", recorded.text)
        self.assertIn(PASSED, recorded.ran)

    def test_a_backward_that_returns_too_few_gradients_is_not_expected_to_raise(self):
        recorded = Recorded("""
            import torch
            @torch.library.custom_op("mine::kept", mutates_args=())
            def kept(x: torch.Tensor) -> torch.Tensor:
                return x.clone()
            kept.register_autograd(lambda ctx, g: ())
            x = torch.tensor([1.0, 3.0], requires_grad=True)
            y = kept(x)
            y.sum().backward()
            """)
        self.assertIn("a backward returns too few gradients", recorded.text)
        self.assertNotIn("pytest.raises", recorded.text)
        self.assertIn(PASSED, recorded.ran)

    def test_an_op_without_a_kernel_for_autograd_is_not_followed_where_a_history_is_kept(self):
        recorded = Recorded("""
            import torch
            lib = torch.library.Library("mine", "FRAGMENT")
            lib.define("double(Tensor x) -> Tensor")
            lib.impl("double", lambda x: x * 2, "CPU")
            x = torch.ones(2)
            y = torch.ops.mine.double(x)
            x.requires_grad = True
            z = torch.ops.mine.double(x)
            """)
        self.assertIn("y = x.mul(2)", recorded.body())
        self.assertIn("# line 9: the op mine::double is not part of a program: its result is written as values", recorded.text)


if __name__ == "__main__":
    unittest.main()
