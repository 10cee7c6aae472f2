"""Running a script: its slots, blocks and errors. adapters/walk/walk.h does the same for C++."""
import torch
from blocks import Body, next_pause
from calls import held, make, make_meta, names_cpu, results, target
from guards import enter, found_key_sets
from kernels import Kernels
from keys import query_thread_key
from readings import failure, read, read_thread, snapshot
from turns import Turns
from unsupported import Unsupported


class Raised(RuntimeError):
    """An error that the script raises itself."""


class Recorded(Exception):
    """An error that is already in the trace, on its way to the `try` around a body."""


class Walk:
    """One run of one script, with fresh slots."""

    def __init__(self, script, device):
        if names_cpu(script) and device.name == "cpu":
            raise Unsupported("the program names the CPU beside its device, which is the CPU here")
        self.device, self.wait = device.name, device.wait
        self.functions = script.get("functions", [])
        self.whole = Body(script["statements"], True)
        self.backwards = [Body(function["statements"], False) for function in self.functions]
        self.slots, self.outcomes, self.contexts, self.unsupported, self.hooks = {}, [], [], None, {}
        self.turns = None  # of the thread whose own statements run
        self.kernels = Kernels(self, script, self.device)
        self.log = []

    def trace(self):
        completed = True
        try:
            with found_key_sets():
                self.go(self.whole, 0, len(self.whole.statements))
        except Recorded:
            completed = False
        finally:
            self.kernels.operators.destroy()
        if self.unsupported is not None:
            raise self.unsupported
        return {"completed": completed, "outcomes": self.outcomes}

    def go(self, body, first, last):
        """Runs the statements from `first` up to `last`, without `last`. If an error ends the body, raises Recorded, or the
        error itself if the body is not observed."""
        blocks = []  # guards, and the first statement of each open `try`
        at = first
        try:
            while at < last:
                statement, outcome = body.statements[at], {"statement": at}
                try:
                    following = self.step(statement, body, blocks, at, outcome)
                    self.wait()
                    if body.observed:
                        self.outcomes.append(outcome)
                    at = following
                except Unsupported:
                    raise
                except Exception as error:  # whatever PyTorch raises
                    if body.observed and not isinstance(error, Recorded):
                        outcome["error"] = failure(error)
                        if isinstance(error, Raised):
                            outcome["error"] = {"class": "raised", "message": str(error), "exception": "RuntimeError"}
                        self.outcomes.append(outcome)
                    self.leave(blocks)
                    if not blocks:
                        if body.observed:
                            raise Recorded from None
                        raise
                    at = body.ends[blocks[-1]]
        finally:
            while blocks:
                self.leave(blocks)
                if blocks:
                    blocks.pop()

    @staticmethod
    def leave(blocks):
        """Leaves the guards inside the innermost `try`."""
        while blocks and not isinstance(blocks[-1], int):
            blocks.pop().__exit__(None, None, None)

    def step(self, statement, body, blocks, at, outcome):
        """Runs one statement, and returns the next one's place."""
        do = statement["do"]
        if do == "call":
            self.call(statement)
        elif do == "snapshot":
            outcome.update(snapshot(self.slots))
        elif do == "read":
            outcome["reading"] = read(statement["field"], held(self.slots, statement["tensor"]), self.slots)
        elif do == "enter":
            blocks.append(enter(statement))
        elif do == "enter_saved_tensors_hooks":
            hooks = torch.autograd.graph.saved_tensors_hooks(self.hook(statement["pack"]), self.hook(statement["unpack"]))
            hooks.__enter__()
            blocks.append(hooks)
        elif do == "exit":
            blocks.pop().__exit__(None, None, None)
        elif do == "try":
            blocks.append(at)
        elif do == "end_try":
            blocks.pop()
        elif do in self.BLOCKS:
            return self.BLOCKS[do](self, statement, body, at, outcome)
        elif do in self.SIMPLE:
            self.SIMPLE[do](self, statement, outcome)
        else:
            raise Unsupported(f"the statement {do}")
        return at + 1

    def tensors(self, slots):
        return [held(self.slots, slot) for slot in slots]

    def optional(self, slot):
        return None if slot is None else held(self.slots, slot)

    def bind(self, slot, tensor):
        if tensor is None:
            self.slots.pop(slot, None)
        else:
            self.slots[slot] = tensor

    def unpack(self, targets, tensors):
        """`a, b = …`."""
        if len(tensors) > len(targets):
            raise ValueError(f"too many values to unpack (expected {len(targets)})")
        if len(tensors) < len(targets):
            raise ValueError(f"not enough values to unpack (expected {len(targets)}, got {len(tensors)})")
        for slot, tensor in zip(targets, tensors):
            self.bind(slot, tensor)

    def call(self, statement):
        op = target(statement["op"])
        answer = op.call(statement["arguments"], self.slots, self.kernels.numbers(), self.device, statement.get("requires_grad", False))
        if statement["results"]:
            self.unpack(statement["results"], results(answer))

    # --- statements without a block

    def make(self, statement, outcome):
        self.bind(statement["result"], make(statement, self.device))

    def make_meta(self, statement, outcome):
        self.bind(statement["result"], make_meta(statement))

    def set_requires_grad(self, statement, outcome):
        tensor = held(self.slots, statement["tensor"])
        if statement.get("method"):
            tensor.requires_grad_(statement["value"])
        else:
            tensor.requires_grad = statement["value"]

    def get_data(self, statement, outcome):
        self.bind(statement["result"], held(self.slots, statement["tensor"]).data)

    def set_data(self, statement, outcome):
        held(self.slots, statement["tensor"]).data = held(self.slots, statement["data"])

    def roots(self, statement):
        """The tensors from which backward starts, and their gradients."""
        roots = [statement, *statement.get("more", [])]
        return [held(self.slots, root["tensor"]) for root in roots], [self.optional(root.get("gradient")) for root in roots]

    def backward(self, statement, outcome):
        tensors, gradients = self.roots(statement)
        torch.autograd.backward(tensors, gradients, retain_graph=statement.get("retain_graph", False),
                                create_graph=statement.get("create_graph", False),
                                inputs=self.tensors(statement["inputs"]) if "inputs" in statement else None)

    def get_gradients(self, statement, outcome):
        tensors, gradients = self.roots(statement)
        gradients = torch.autograd.grad(
            tensors, self.tensors(statement["inputs"]), gradients,
            retain_graph=statement.get("retain_graph", False), create_graph=statement.get("create_graph", False),
            allow_unused=statement.get("allow_unused", False))
        if statement["results"]:
            self.unpack(statement["results"], list(gradients))

    def get_grad(self, statement, outcome):
        self.bind(statement["result"], held(self.slots, statement["tensor"]).grad)

    def set_grad(self, statement, outcome):
        held(self.slots, statement["tensor"]).grad = self.optional(statement.get("grad"))

    def retain_grad(self, statement, outcome):
        held(self.slots, statement["tensor"]).retain_grad()

    def hook(self, number):
        def hook(given):
            return self.run_backward(number, [given])

        hook.__name__ = self.functions[number]["name"]  # an error about what it returns names it
        return hook

    def register_hook(self, statement, outcome):
        number = statement["function"]
        tensor = held(self.slots, statement["tensor"])
        if statement.get("after") and not hasattr(tensor, "register_post_accumulate_grad_hook"):
            raise Unsupported("register_post_accumulate_grad_hook, which PyTorch has since 2.1")
        registers = tensor.register_post_accumulate_grad_hook if statement.get("after") else tensor.register_hook
        self.hooks[number] = registers(self.hook(number))

    def remove_hook(self, statement, outcome):
        if statement["function"] in self.hooks:
            self.hooks[statement["function"]].remove()

    def manual_seed(self, statement, outcome):
        torch.manual_seed(statement["seed"])

    def read_thread(self, statement, outcome):
        outcome["reading"] = read_thread(statement["field"])

    def context(self):
        if not self.contexts:
            raise Unsupported("`ctx` is used outside a custom function's body")
        return self.contexts[-1]

    def mark(self, statement, outcome):
        getattr(self.context(), statement["do"])(*self.tensors(statement["tensors"]))

    def invoke(self, statement, outcome):
        self.kernels.invoke(statement)

    def register(self, statement, outcome):
        self.kernels.register(statement)

    def query_kernel(self, statement, outcome):
        outcome["reading"] = self.kernels.answer(statement)

    def query_thread_key(self, statement, outcome):
        outcome["reading"] = query_thread_key(statement.get("excluded", False), statement["key"])

    def raise_error(self, statement, outcome):
        raise Raised(statement["message"])

    def append_to_log(self, statement, outcome):
        self.log.append(repr(self.kernels.innermost().keys) if statement.get("keys") else statement["text"])

    def read_log(self, statement, outcome):
        outcome["reading"] = {"names": list(self.log)}

    def clear_log(self, statement, outcome):
        self.log.clear()

    def load_saved(self, statement, outcome):
        self.unpack(statement["results"], list(self.context().saved_tensors))

    SIMPLE = {"make": make, "make_meta": make_meta, "set_requires_grad": set_requires_grad, "get_data": get_data, "set_data": set_data, "backward": backward,
              "get_gradients": get_gradients, "get_grad": get_grad, "set_grad": set_grad, "retain_grad": retain_grad,
              "register_hook": register_hook, "remove_hook": remove_hook, "manual_seed": manual_seed,
              "read_thread": read_thread, "load_saved": load_saved, "invoke": invoke, "save_for_backward": mark, "mark_dirty": mark,
              "mark_non_differentiable": mark, "query_kernel": query_kernel, "query_thread_key": query_thread_key,
              "raise": raise_error, "append_to_log": append_to_log, "read_log": read_log, "clear_log": clear_log,
              **dict.fromkeys(Kernels.REGISTRATIONS, register)}

    # --- blocks that run as a whole

    def passed(self, body, outcome):
        """The outcome of a block's first statement, when its body begins."""
        if body.observed:
            self.outcomes.append(dict(outcome))

    def thread(self, statement, body, at, outcome):
        """An error that nothing inside the thread catches ends only the thread."""
        end, first, outer = body.ends[at], at + 1, self.turns
        self.passed(body, outcome)

        def run(turns):
            self.turns = turns
            self.go(body, at + 1, end)

        thread = Turns(run)
        try:
            while True:
                self.turns = outer
                if isinstance(thread.trouble, Unsupported):
                    raise thread.trouble
                pause = next_pause(body, first, end) if thread.waits_at is None else thread.waits_at
                if pause is None:
                    break
                first = body.ends[pause] + 1
                self.passed(body, {"statement": pause})
                self.go(body, pause + 1, first - 1)
                if thread.waits_at is None:
                    self.passed(body, {"statement": first - 1})
                else:
                    self.turns = thread
                    thread.go_on()
        finally:
            thread.end()
            self.turns = outer
        outcome["statement"] = end
        return end + 1

    def pause(self, statement, body, at, outcome):
        if self.turns is None:
            raise Unsupported("a thread waits that no other thread started")
        self.turns.pause(at)
        outcome["statement"] = body.ends[at]
        return body.ends[at] + 1

    def forward(self, statement, body, at, outcome):
        """`F.apply(inputs)`, whose forward runs the statements up to leave_forward."""
        end = body.ends[at]
        leave, number = body.statements[end], statement["function"]
        inputs = self.tensors(statement["inputs"])
        self.passed(body, outcome)
        outcome["statement"] = end

        def forward(context, *_):
            self.contexts.append(context)
            try:
                self.go(body, at + 1, end)
                returned = self.tensors(leave["returned"])
            finally:
                self.contexts.pop()
            return returned[0] if len(returned) == 1 else tuple(returned)

        def backward(context, *gradients):
            self.contexts.append(context)
            try:
                return self.run_backward(number, gradients)
            finally:
                self.contexts.pop()

        name = self.functions[number]["name"]
        function = type(name, (torch.autograd.Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)})
        self.unpack(leave["results"], results(function.apply(*inputs)))
        return end + 1

    def run_backward(self, number, gradients):
        function, found = self.functions[number], self.slots
        self.slots = dict(found)
        try:
            self.unpack(function["gradients"], list(gradients))
            self.go(self.backwards[number], 0, len(function["statements"]))
            returned = [self.optional(slot) for slot in function["returned"]]
        except Unsupported as why:
            self.unsupported = why
            raise RuntimeError(str(why)) from None
        finally:
            self.slots = found
        return returned[0] if len(returned) == 1 else tuple(returned)

    def functionalize(self, statement, body, at, outcome):
        """`torch.func.functionalize(body)(inputs)`, whose body is the statements up to leave_functionalize."""
        return self.transform(lambda run, leave: torch.func.functionalize(run, remove=statement["remove"]), statement, body, at, outcome)

    def vmap(self, statement, body, at, outcome):
        """`torch.vmap(body)(inputs)`, whose body is the statements up to leave_vmap."""
        return self.transform(lambda run, leave: torch.vmap(run, tuple(statement["in_dims"]), tuple(leave["out_dims"]), statement["randomness"]),
                              statement, body, at, outcome)

    def func_grad(self, statement, body, at, outcome):
        """`torch.func.grad(body)(inputs)`, whose body is the statements up to leave_grad and returns one tensor."""
        argnums = statement["argnums"] if len(statement["argnums"]) > 1 else statement["argnums"][0]
        made = torch.func.grad_and_value if statement["value"] else torch.func.grad
        return self.transform(lambda run, leave: made(lambda *x: run(*x)[0], argnums if isinstance(argnums, int) else tuple(argnums)),
                              statement, body, at, outcome)

    def transform(self, made, statement, body, at, outcome):
        """What `made` returns, for a function that runs the statements up to the matching end, called with the inputs."""
        end = body.ends[at]
        leave, inputs, found = body.statements[end], self.tensors(statement["inputs"]), self.slots

        def run(*parameters):
            self.passed(body, {"statement": at})
            outcome["statement"] = end
            self.slots = dict(found)
            self.unpack(statement["parameters"], list(parameters))
            self.go(body, at + 1, end)
            return tuple(self.tensors(leave["returned"]))

        try:
            returned = made(run, leave)(*inputs)
        finally:
            self.slots = found
        self.unpack(leave["results"], results(returned))
        return end + 1

    BLOCKS = {"start_thread": thread, "pause_thread": pause, "enter_forward": forward, "enter_functionalize": functionalize,
              "enter_vmap": vmap, "enter_grad": func_grad}
