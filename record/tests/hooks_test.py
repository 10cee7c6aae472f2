#!/usr/bin/env python3
"""Records scripts that register hooks, and runs the programs. usage: hooks_test.py BIN, the folder of the executables."""
import unittest

from recorded import PASSED, Recorded


class Hooks(unittest.TestCase):
    def test_hooks_of_saved_tensors_are_not_said(self):
        recorded = Recorded("""
            import torch
            x = torch.ones(3, requires_grad=True)
            with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 2, lambda t: t):
                y = (x * x).sum()
            y.backward()
            assert x.grad.tolist() == [4.0, 4.0, 4.0]
            """)
        self.assertIn("# line 4: torch.autograd.graph.saved_tensors_hooks is not part of a program", recorded.text)
        self.assertNotIn("assert", recorded.text)

    def test_hooks_of_nodes_are_not_said(self):
        recorded = Recorded("""
            import torch
            x = torch.ones(3, requires_grad=True)
            y = x * 2
            y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * 2, *inputs[1:]))
            y.sum().backward()
            assert x.grad.tolist() == [4.0, 4.0, 4.0]
            """)
        self.assertIn("# line 5: a hook of a node (grad_fn) is not part of a program", recorded.text)
        self.assertNotIn("assert", recorded.text)

    def test_hooks_with_what_they_do(self):
        recorded = Recorded("""
            import torch
            x = torch.ones(2, requires_grad=True)
            scale = torch.tensor([2.0, 3.0])
            seen = []
            handle = x.register_hook(lambda grad: grad * scale)
            x.register_hook(seen.append)
            (x * 3).sum().backward()
            assert x.grad.tolist() == [6.0, 9.0]
            handle.remove()
            x.grad = None
            (x * 3).sum().backward()
            assert x.grad.tolist() == [3.0, 3.0]
            """, on="optimized,python")
        self.assertRegex(recorded.text, r"def hook\(grad\):\n +x\d+ = grad.mul\(scale\)\n +return x\d+\n")
        self.assertIn("h.remove()", recorded.text)
        self.assertIn(".tolist() == [6.0, 9.0]", recorded.text)
        self.assertIn(PASSED, recorded.ran)

    def test_hooks_after_accumulation_with_what_they_do(self):
        recorded = Recorded("""
            import torch
            w = torch.tensor([1.0, 2.0], requires_grad=True)

            def step(p):
                with torch.no_grad():
                    p -= p.grad
                p.grad = None

            w.register_post_accumulate_grad_hook(step)
            (w * 3).sum().backward()
            assert w.tolist() == [-2.0, -1.0]
            assert w.grad is None
            """, on="optimized,python")
        self.assertIn(".register_post_accumulate_grad_hook(step)", recorded.text)
        self.assertRegex(recorded.text, r"def step\(\w+\):\n(.*\n)*? +\w+\.grad = None\n")
        self.assertIn(".tolist() == [-2.0, -1.0]", recorded.text)
        self.assertIn(PASSED, recorded.ran)


if __name__ == "__main__":
    unittest.main()
