"""The operators that a script defines."""
import torch
from blocks import Body
from keys import check_key_sets
from unsupported import Unsupported, check_replaces


class Running:
    """A kernel that is running: its key set, the operator that was called if it is a fallback, its arguments, and what its last
    call with these arguments returned."""

    def __init__(self, keys, op, arguments):
        self.keys, self.op, self.arguments, self.passed = keys, op, arguments, []
        self.parameters = []  # the slots of the arguments, if the kernel has parameters


class Operators:
    """The script's own operators: its statements register them, and `destroy` ends what is left."""

    def __init__(self, script, run, device):
        self.described, self.kernels, self.run = script.get("operators", []), script.get("kernels", []), run
        self.device, self.libraries = device, {}
        self.bodies = [Body(kernel["statements"], False) for kernel in self.kernels]

    def library(self, statement):
        if statement["library"] not in self.libraries:
            raise Unsupported(f"a library that could not be made is used: {statement['library']}")
        return self.libraries[statement["library"]]

    def make(self, statement):
        self.libraries[statement["library"]] = torch.library.Library(statement["namespace"], statement["kind"])

    def define(self, statement):
        self.library(statement).define(self.described[statement["operator"]]["schema"])

    def add(self, statement):
        if self.device != "cpu" and "CPU" in statement["key"]:
            raise Unsupported(f"a kernel for CPU tensors; the script's tensors are on {self.device}")
        name, number = self.name(self.described[statement["operator"]]), statement["kernel"]
        function = torch.library.fallthrough_kernel if number is None else self.kernel(number)
        try:
            self.library(statement).impl(name, function, statement["key"], **self.keywords(number))
        except RuntimeError as error:
            check_replaces(error)
            raise

    def add_fallback(self, statement):
        check_key_sets()
        number = statement["kernel"]
        function = torch.library.fallthrough_kernel if number is None else self.kernel(number, True)
        self.library(statement).fallback(function, statement["key"], **self.keywords(number))

    def keywords(self, number):
        if number is None or not self.kernels[number].get("with_keyset"):
            return {}
        check_key_sets()
        return {"with_keyset": True}

    def drop(self, statement):
        self.library(statement)._destroy()
        del self.libraries[statement["library"]]

    def kernel(self, number, of_fallback=False):
        """The function for a kernel; a fallback is also given the operator."""
        with_keyset = self.kernels[number].get("with_keyset")

        def function(*inputs):
            keys, inputs = (inputs[0], inputs[1:]) if with_keyset else (None, inputs)
            op, inputs = (inputs[0], inputs[1:]) if of_fallback else (None, inputs)
            returned = self.run(self.kernels[number], self.bodies[number], Running(keys, op, inputs))
            return None if not returned else returned[0] if len(returned) == 1 else tuple(returned)

        return function

    @staticmethod
    def name(op):
        return op["schema"].split("(", 1)[0]

    def called(self, number):
        op = self.described[number]
        return getattr(getattr(torch.ops, op["namespace"]), self.name(op))

    def destroy(self):
        """Python keeps a looked-up operator; another script may define one of this name. What lists all operators, as torch.compile's
        decompositions do, looks up each name that its namespace keeps."""
        for op in self.described:
            namespace = getattr(torch.ops, op["namespace"])
            namespace.__dict__.pop(self.name(op), None)
            if hasattr(namespace, "_dir"):
                namespace._dir[:] = [name for name in namespace._dir if name != self.name(op)]
        while self.libraries:
            self.libraries.popitem()[1]._destroy()
