"""Statements of a script as Python text: what a region's function is made of."""
from blocks import Body
from calls import make_text, slots_bound, slots_read, target, text_of
from operators import Operators
from paths.contracts import operators_for_graphs


class Unspelled(Exception):
    """A statement has no place in a region."""


class Known:
    """What the text of a script's statements depends on, beside them. `callable`: the script's operators that a graph may call,
    with their returns. The needs are those of operators_for_graphs."""

    def __init__(self, script, device, needs_fake=False, needs_functional=False):
        self.functions, self.operators, self.device = script.get("functions", []), script.get("operators", []), device
        self.callable = operators_for_graphs(script, needs_fake, needs_functional)


def assigned(slots, value, is_tuple):
    """`s1 = value`, or what a list of tensors is unpacked to: `s1, s2 = value`, `s1, = value`. TorchScript has no `[s1] = value`."""
    targets = ", ".join(f"s{slot}" for slot in slots) + "," * (is_tuple and len(slots) == 1)
    return f"{targets} = {value}" if slots else value


def call(statement, text):
    op = target(statement["op"])
    called = op.text(statement["arguments"], text.known.device, statement.get("requires_grad", False))
    return assigned(statement["results"], called, not op.returns_tensor)


def invoke(statement, text):
    """A call of one of the script's own operators."""
    if statement["operator"] not in text.known.callable or "redispatch" in statement or statement.get("passes_arguments"):
        raise Unspelled
    op = text.known.operators[statement["operator"]]
    called = f"torch.ops.{op['namespace']}.{Operators.name(op)}({', '.join(text_of(given) for given in statement['inputs'])})"
    return assigned(statement["results"], called, len(text.known.callable[statement["operator"]]) != 1)


def marked(statement, text):
    return f"ctx.{statement['do']}({', '.join(f's{slot}' for slot in statement['tensors'])})"


ANYWHERE = {
    "call": call, "invoke": invoke,
    "make": lambda statement, text: f"s{statement['result']} = {make_text(statement, text.known.device)}",
    "get_data": lambda statement, text: f"s{statement['result']} = s{statement['tensor']}.data",
}
IN_A_FUNCTION = {  # of a custom function's two bodies
    **ANYWHERE,
    "save_for_backward": marked, "mark_dirty": marked, "mark_non_differentiable": marked,
    "load_saved": lambda statement, text: assigned(statement["results"], "ctx.saved_tensors", True),
}
GUARDS = {  # those that can be written
    "no_grad": "torch.no_grad()",
    "enable_grad": "torch.enable_grad()",
    "set_grad_enabled": "torch.set_grad_enabled({value})",
    "inference_mode": "torch.inference_mode({value})",
}


class Text:
    """Statements as the lines of a function, the slots that they use and that they assign, and the classes that they need.
    `known`: of the script. `guards`: those that may be entered. Raises Unspelled."""

    def __init__(self, known, guards, spelled=ANYWHERE, depth=1):
        self.known, self.guards, self.spelled, self.depth = known, guards, spelled, depth
        self.lines, self.classes, self.inputs, self.outputs = [], {}, [], []
        self.kept = []  # variables of results that the script drops: a graph may leave out what no one uses

    def line(self, text):
        self.lines.append("    " * self.depth + text + "\n")

    def uses(self, slots):
        self.inputs += [slot for slot in dict.fromkeys(slots) if slot not in self.outputs + self.inputs]

    def binds(self, slots):
        self.outputs += [slot for slot in dict.fromkeys(slots) if slot not in self.outputs]

    def write(self, body, first, last):
        """The statements from `first` up to `last`, without `last`: whole blocks."""
        at = first
        while at < last:
            statement, do = body.statements[at], body.statements[at]["do"]
            if do == "enter" and statement["guard"] in self.guards:
                self.line(f"with {GUARDS[statement['guard']].format(**statement)}:")
                self.depth += 1
                if body.ends[at] == at + 1:
                    self.line("pass")
            elif do == "exit":
                self.depth -= 1
            elif do == "enter_forward":
                self.apply(body, at)
                at = body.ends[at]
            elif do in self.spelled:
                self.uses(slots_read(statement))
                dropped = not statement.get("results", True) and self.returns(statement)
                self.kept += [f"kept{at}"] if dropped else []
                self.line((f"kept{at} = " if dropped else "") + self.spelled[do](statement, self))
                self.binds(slots_bound(statement))
            else:
                raise Unspelled
            at += 1

    def returns(self, statement):
        """Whether a call gives more than what it writes."""
        if statement["do"] == "invoke":
            return bool(self.known.callable.get(statement["operator"]))
        return not target(statement["op"]).writes

    def apply(self, body, at):
        """`F.apply(inputs)`, and its class, which stands outside of the function."""
        statement, leave = body.statements[at], body.statements[body.ends[at]]
        name, inputs = self.known.functions[statement["function"]]["name"], statement["inputs"]
        self.uses(inputs)
        self.classes[name] = self.class_text(body, at)
        called = f"{name}.apply({', '.join(f's{slot}' for slot in inputs)})"
        self.line(assigned(leave["results"], called, len(leave["returned"]) != 1))
        self.binds(leave["results"])

    def class_text(self, body, at):
        statement, leave = body.statements[at], body.statements[body.ends[at]]
        function = self.known.functions[statement["function"]]
        backward = Body(function["statements"], False)
        forward_text = self.method("forward", statement["inputs"], body, at + 1, body.ends[at], leave["returned"])
        backward_text = self.method("backward", function["gradients"], backward, 0, len(backward.statements), function["returned"])
        return f"class {function['name']}(torch.autograd.Function):\n{forward_text}\n{backward_text}\n"

    def method(self, name, parameters, body, first, last, returned):
        inner = Text(self.known, self.guards, IN_A_FUNCTION, 2)
        inner.outputs = list(parameters)
        inner.write(body, first, last)
        inner.uses([slot for slot in returned if slot is not None])
        if inner.inputs or len(set(parameters)) < len(parameters) or inner.classes:  # it would need variables of its caller
            raise Unspelled
        gives = ", ".join("None" if slot is None else f"s{slot}" for slot in returned)
        return (f"    @staticmethod\n    def {name}(ctx, {', '.join(f's{slot}' for slot in parameters)}):\n"
                f"{''.join(inner.lines)}        return {gives}\n")

    def function(self, name):
        """The classes, and a function of the slots used that returns the slots assigned, and after them what was dropped."""
        parameters = ", ".join(f"s{slot}" for slot in self.inputs)
        returned = "".join(f"{variable}, " for variable in [f"s{slot}" for slot in self.outputs] + self.kept).rstrip()
        return f"{''.join(self.classes.values())}def {name}({parameters}):\n{''.join(self.lines)}    return ({returned})\n"
