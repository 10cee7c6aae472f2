"""Operators that may stand in a graph: those whose kernels do what their schema says, and nothing else that shows. A graph runs a
kernel when it is captured too, and may leave out or reorder what the schema does not tell (docs.pytorch.org, torch.library; a
return with an alias annotation: aten/src/ATen/FunctionalizeFallbackKernel.cpp). A kernel below Autograd gets no tensor that
requires grad, as gradients are Autograd's (torch/testing/_internal/optests/autograd_registration.py)."""
import torch
from calls import slots_bound, slots_in, slots_read, target
from guards import GRAD_MODE

KEYS = ("CPU", "Meta", "CompositeExplicitAutograd", "CompositeImplicitAutograd")  # for which such a kernel may be registered


def operators_for_graphs(script, needs_fake, needs_functional):
    """The numbers of the script's operators that a graph may call, each with its returns. Two needs: that it runs on fake tensors,
    and that it writes nothing."""
    if not script.get("operators"):
        return {}
    registered = {}
    for statement in script["statements"]:
        if statement["do"] in ("add_fallback", "drop_library"):  # what is in a graph's way would have to be followed
            return {}
        if statement["do"] == "add_kernel":
            registered.setdefault(statement["operator"], []).append((statement["key"], statement["kernel"]))
    kept, with_gradients = {}, called_with_gradients(script["statements"])
    for number, described in enumerate(script["operators"]):
        schema = torch._C.parse_schema(f"{described['namespace']}::{described['schema']}")
        kernels = registered.get(number, [])
        if not kernels or (needs_fake and all(key == "CPU" for key, kernel in kernels)):
            continue
        if needs_functional and schema.is_mutable:
            continue
        if number in with_gradients and any(key != "CompositeImplicitAutograd" for key, kernel in kernels):
            continue
        if all(key in KEYS and kernel is not None and keeps(script["kernels"][kernel], schema) for key, kernel in kernels):
            kept[number] = schema.returns
    return kept


def keeps(kernel, schema):
    """Whether the kernel writes only what the schema says, returns new tensors, and does nothing else that shows."""
    if kernel.get("any_arguments") or kernel.get("with_keyset") or any(returned.alias_info for returned in schema.returns):
        return False
    parameters = set(kernel["parameters"])
    written = {slot for slot, argument in zip(kernel["parameters"], schema.arguments) if argument.alias_info and argument.alias_info.is_write}
    memory = {slot: {slot} for slot in parameters}  # of which parameters a slot shows the memory
    for statement in kernel["statements"]:
        if statement["do"] in ("enter", "exit"):
            if statement.get("guard", "no_grad") not in GRAD_MODE:
                return False
        elif statement["do"] != "call" or not follow(statement, memory, written):
            return False
    returned = kernel["returned"]
    return len(set(returned)) == len(returned) and not any(memory[slot] for slot in returned)


def follow(statement, memory, written):
    """Whether a call writes only `written`; `memory` learns of its results."""
    op = target(statement["op"])
    shown = set()
    for argument, given in zip(op.arguments, statement["arguments"]):
        of = set().union(*(memory[slot] for slot in slots_in(given)))
        if argument.alias_info:
            shown |= of
            if argument.alias_info.is_write and not of <= written:
                return False
    for slot in statement["results"]:
        memory[slot] = shown
    return True


class Gradients:
    """Which slots of a script may hold a tensor that requires grad; those that share memory become so together."""

    def __init__(self):
        self.slots, self.memory = set(), {}  # `memory`: the slots that may share a slot's memory, one set for all of them

    def shared(self, slot):
        return self.memory.setdefault(slot, {slot})

    def share(self, slots):
        together = set().union(*(self.shared(slot) for slot in slots))
        self.memory.update(dict.fromkeys(together, together))

    def after(self, statement):
        given, bound = slots_read(statement), slots_bound(statement)
        if not (statement["do"] == "call" and gives_new_memory(statement)):
            self.share(given + bound)
        required = statement.get("requires_grad") or (statement["do"] == "set_requires_grad" and statement["value"])
        if required or not self.slots.isdisjoint(given):
            self.slots.update(*(self.shared(slot) for slot in given + bound))


def gives_new_memory(statement):
    """Whether a call writes nothing and gives no view."""
    return not any(argument.alias_info for argument in target(statement["op"]).arguments)


def called_with_gradients(statements):
    """The operators of which a call may be given a tensor that requires grad."""
    gradients, called = Gradients(), set()
    for statement in statements:
        if statement["do"] == "invoke" and not gradients.slots.isdisjoint(slots_read(statement)):
            called.add(statement["operator"])
        gradients.after(statement)
    return called
