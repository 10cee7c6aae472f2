"""Programs about the dispatcher, through torch.library. adapters/walk/dispatch_walk.h does the same for C++."""
import torch
from guards import enter, found_key_sets
from keys import check_key_sets, key_named, key_set, query_kernel, query_thread_key, stepped
from readings import key_names
from unsupported import Unsupported, check_replaces

DEEPEST_CALL = 40  # as kDeepestCall in spec/vocabulary/dispatch_script.h
GUARDS = {"exclude": ("exclude_key", None), "include": ("include_key", None), "below_autograd": ("below_autograd", None),
          "below_adinplaceorview": ("below_ad_inplace_or_view", None), "inference_mode": ("inference_mode", True),
          "inference_mode_off": ("inference_mode", False)}
SCHEMAS = {"tensor": "(Tensor x) -> ()", "two": "(Tensor x, Tensor y) -> ()", "optional": "(Tensor x, Tensor? y) -> ()",
           "list": "(Tensor[] xs) -> ()", "number": "(int n) -> ()", "malformed": "(Tensr x) -> ()"}

# Parts of PyTorch's messages, and the class of error that each means.
MEANINGS = (("has kernels registered to both CompositeImplicitAutograd", "ambiguous"), ("fallthrough_kernel was executed", "fallthrough"),
            ("Canonical state", "inconsistent"), ("Could not run '", "missing_kernel"),
            ("attempted to run this operator with Meta tensors", "missing_kernel"),
            ("There were no tensor arguments to this function", "missing_kernel"), ("no kernel for ", "missing_kernel"),
            ("with the same name and overload name multiple times", "defined_twice"),
            ("Only a single TORCH_LIBRARY can be used", "defined_twice"), ("could not parse dispatch key", "unknown_key"),
            ("multiple backend fallbacks", "fallback_twice"),
            ("Cannot define an operator inside of a TORCH_LIBRARY_IMPL", "wrong_library"),
            ("Fallback can only be registered", "wrong_library"),
            ("Fallback functions which apply to only a single namespace", "wrong_library"),
            ("Alias keys do not have runtime kernel registrations", "alias_query"), ("unknown type specifier", "schema"),
            ("Could not find schema for", "unknown_op"), ("does not exist", "unknown_op"), ("has no attribute", "unknown_op"))


class Stop(RuntimeError):
    """An error that the script itself causes: its class and its message."""

    def __init__(self, error, message):
        super().__init__(message)
        self.error = error


def class_of(error):
    if isinstance(error, Stop):
        return error.error
    return next((meaning for part, meaning in MEANINGS if part in str(error)), "unclassified")


def entered(guard):
    kind, value = GUARDS[guard["kind"]]
    if guard["key"]:
        key_named(guard["key"])
    return enter({"guard": kind, "value": value, "key": guard["key"]})


def operator(name):
    """The operator `namespace::name`."""
    space, _, op = name.partition("::")
    return getattr(getattr(torch.ops, space), op)


class DispatchWalk:
    """One run of one script about the dispatcher."""

    def __init__(self, script):
        check_key_sets()
        self.kernels, self.statements = script["kernels"], script["statements"]
        self.libraries, self.guards, self.log, self.depth, self.unsupported = {}, [], [], 0, None
        with torch.inference_mode():
            inference = torch.zeros([1])
        self.tensors = {"cpu": torch.zeros([1]), "requires_grad": torch.zeros([1], requires_grad=True), "inference": inference,
                        "meta": torch.zeros([1], device="meta"), "none": None}

    def outcomes(self):
        with found_key_sets():
            try:
                return [self.step(statement) for statement in self.statements]
            finally:
                while self.guards:
                    self.leave({})
                for name in list(self.libraries):
                    self.libraries.pop(name)._destroy()

    def step(self, statement):
        """Runs one statement. An error is its outcome."""
        self.log, self.depth = [], 0
        outcome = {"error": "none", "log": self.log}
        try:
            reading = self.STATEMENTS[statement["do"]](self, statement)
            if reading is not None:
                outcome["reading"] = reading
        except Unsupported:
            raise
        except Exception as error:  # whatever PyTorch raises
            message = str(error).split("\n", 1)[0]
            check_replaces(error)
            outcome.update(error=class_of(error), message=message)
        if self.unsupported is not None:  # PyTorch may have made another error of it
            raise self.unsupported
        return outcome

    # --- kernels

    def function(self, number, fallback):
        """The kernel of this number as PyTorch calls it: with its key set, if it asks for one, and a fallback with the operator."""
        if number is None:
            return torch.library.fallthrough_kernel
        kernel = self.kernels[number]

        def function(*arguments):
            keys = arguments[0] if kernel["with_keyset"] else None
            rest = arguments[1:] if kernel["with_keyset"] else arguments
            try:
                self.run(kernel, keys, rest[0] if fallback else None, rest[1:] if fallback else rest)
            except Unsupported as why:
                self.unsupported = why
                raise

        return function

    def run(self, kernel, keys, op, arguments):
        if self.depth >= DEEPEST_CALL:
            raise Stop("recursion", "maximum recursion depth exceeded")
        self.depth += 1
        try:
            self.log.append({"kernel": kernel["name"], "keys": []})
            if keys is not None:
                self.log[-1]["keys"] = key_names(keys)["names"] or ["Undefined"]
            if kernel["act"] != "nothing":
                self.act(kernel, keys, op, arguments)
            if kernel["raises"]:
                raise Stop("kernel_raised", f"{kernel['name']} raised")
        finally:
            self.depth -= 1

    def act(self, kernel, keys, op, arguments):
        guard = entered(kernel["guard"]) if "guard" in kernel else None
        try:
            if kernel["act"] == "call":
                operator(kernel["op"])(*arguments)
                return
            keys = stepped(keys, kernel["steps"])
            (operator(kernel["op"]).default if kernel["op"] else op).redispatch(keys, *arguments)
        finally:
            if guard is not None:
                guard.__exit__(None, None, None)

    # --- statements

    def library(self, statement):
        if statement["library"] not in self.libraries:
            raise Stop("wrong_library", f"there is no library {statement['library']}")
        return self.libraries[statement["library"]]

    def make(self, statement):
        made = torch.library.Library(statement["space"], statement["kind"])
        before = self.libraries.pop(statement["library"], None)
        self.libraries[statement["library"]] = made
        if before is not None:
            before._destroy()

    def define(self, statement):
        self.library(statement).define(statement["op"] + SCHEMAS[statement["schema"]])

    def impl(self, statement):
        function = self.function(statement["kernel"], False)
        self.library(statement).impl(statement["op"], function, statement["key"], with_keyset=self.takes_keys(statement))

    def fallback(self, statement):
        function = self.function(statement["kernel"], True)
        self.library(statement).fallback(function, statement["key"], with_keyset=self.takes_keys(statement))

    def takes_keys(self, statement):
        return statement["kernel"] is not None and self.kernels[statement["kernel"]]["with_keyset"]

    def drop(self, statement):
        self.library(statement)._destroy()
        del self.libraries[statement["library"]]

    def enter(self, statement):
        self.guards.append(None)  # a guard that cannot be entered is still left
        self.guards[-1] = entered(statement["guard"])

    def leave(self, statement):
        guard = self.guards.pop()
        if guard is not None:
            guard.__exit__(None, None, None)

    def arguments(self, op, given):
        """The arguments of a call, by the operator's schema."""
        rest, all_given = [self.tensors[name] for name in given], []
        for argument in op.default._schema.arguments:
            kind = str(argument.type)
            if kind == "List[Tensor]":
                all_given.append(rest)
                rest = []
            else:
                all_given.append(1 if kind == "int" else rest.pop(0))
        return all_given

    def call(self, statement):
        op = operator(statement["op"])
        op(*self.arguments(op, statement["tensors"]))

    def redispatch(self, statement):
        op = operator(statement["op"])
        op.default.redispatch(key_set(statement["keys"]), *self.arguments(op, statement["tensors"]))

    def query(self, statement):
        return query_kernel(statement["what"], statement["op"], statement["key"])

    def tls(self, statement):
        return query_thread_key(statement["what"] == "excluded", statement["key"])

    STATEMENTS = {"library": make, "define": define, "impl": impl, "fallback": fallback, "drop": drop, "enter": enter, "leave": leave,
                  "call": call, "redispatch": redispatch, "query": query, "tls": tls}
