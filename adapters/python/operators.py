"""The operators that a script defines."""
import torch
from blocks import Body
from keys import check_key_sets
from unsupported import Unsupported


class Operators:
    """The script's own operators. They exist from `register` on, until `destroy`."""

    def __init__(self, script, run, device):
        self.described, self.run = script.get("operators", []), run
        if device != "cpu" and any("CPU" in kernel["key"] for op in self.described for kernel in op["kernels"]):
            raise Unsupported(f"a kernel for CPU tensors; the script's tensors are on {device}")
        self.bodies = [[None if kernel.get("falls_through") else Body(kernel["statements"], False) for kernel in op["kernels"]]
                       for op in self.described]
        self.libraries = []

    def register(self):
        for number, op in enumerate(self.described):
            library = torch.library.Library(op["namespace"], "FRAGMENT")
            self.libraries.append(library)
            library.define(op["schema"])
            for kernel, body in zip(op["kernels"], self.bodies[number]):
                function = torch.library.fallthrough_kernel if body is None else self.kernel(kernel, body)
                if kernel.get("with_keyset"):
                    check_key_sets()
                    library.impl(self.name(op), function, kernel["key"], with_keyset=True)
                else:
                    library.impl(self.name(op), function, kernel["key"])

    def kernel(self, kernel, body):
        def function(*inputs):
            keys, inputs = (inputs[0], inputs[1:]) if kernel.get("with_keyset") else (None, inputs)
            returned = self.run(kernel, body, inputs, keys)
            return None if not returned else returned[0] if len(returned) == 1 else tuple(returned)

        return function

    @staticmethod
    def name(op):
        return op["schema"].split("(", 1)[0]

    def called(self, number):
        op = self.described[number]
        return getattr(getattr(torch.ops, op["namespace"]), self.name(op))

    def destroy(self):
        """Python keeps a looked-up operator; another script may define one of this name."""
        for op in self.described:
            getattr(torch.ops, op["namespace"]).__dict__.pop(self.name(op), None)
        while self.libraries:
            self.libraries.pop()._destroy()
