"""A script's own operators in a walk: their calls and their kernels. adapters/walk/kernels.h does the same for C++."""
import torch
from calls import results, value
from keys import check_key_sets, query_kernel, stepped
from operators import Operators
from unsupported import Unsupported

DEEPEST_KERNELS = 40  # as kDeepestKernels in spec/vocabulary/statement.h
CALLED_OPERATOR = -1  # as kCalledOperator there


class Kernels:
    """The part of a walk that only scripts with operators need. `running` is the innermost kernel, or None."""

    def __init__(self, walk, script, device):
        self.walk, self.deep, self.running = walk, 0, None
        self.operators = Operators(script, self.run, device)

    def register(self, statement):
        self.REGISTRATIONS[statement["do"]](self.operators, statement)

    REGISTRATIONS = {"make_library": Operators.make, "define_operator": Operators.define, "add_kernel": Operators.add,
                     "add_fallback": Operators.add_fallback, "drop_library": Operators.drop}

    def answer(self, statement):
        return query_kernel(statement["what"], statement["operator"], statement["key"])

    def invoke(self, statement):
        passes = statement.get("passes_arguments")
        called = statement["operator"] == CALLED_OPERATOR
        op = self.innermost().op if called else self.operators.called(statement["operator"])
        if passes:
            inputs = self.innermost().arguments
        else:
            inputs = [value(written, self.walk.slots, self.numbers()) for written in statement["inputs"]]
        if "redispatch" in statement:
            check_key_sets()
            keys = stepped(self.running.keys if self.running else None, statement["redispatch"])
            answer = (op if called else op.default).redispatch(keys, *inputs)
        else:
            answer = op(*inputs)
        if passes:
            self.innermost().passed = results(answer)
        elif statement["results"]:
            self.walk.unpack(statement["results"], results(answer))

    def numbers(self):
        """What the innermost kernel was given, by parameter: what is no number there is not asked for."""
        if self.running is None:
            return {}
        return dict(zip(self.running.parameters, self.running.arguments))

    def innermost(self):
        if self.running is None:
            raise Unsupported("what only a kernel has is used outside one")
        return self.running

    def run(self, kernel, body, running):
        """A kernel's names end with it."""
        walk, found, outer = self.walk, self.walk.slots, self.running
        walk.slots, self.running = dict(found), running
        self.deep += 1
        try:
            if self.deep > DEEPEST_KERNELS:
                raise Unsupported("kernels call each other without end")
            if not kernel.get("any_arguments"):
                running.parameters = kernel["parameters"]
                walk.unpack(kernel["parameters"], [given if isinstance(given, torch.Tensor) else None for given in running.arguments])
            walk.go(body, 0, len(body.statements))
            return running.passed if kernel.get("returns_passed") else walk.tensors(kernel["returned"])
        except Unsupported as why:
            walk.unsupported = why
            raise RuntimeError(str(why)) from None
        finally:
            self.deep -= 1
            walk.slots, self.running = found, outer
