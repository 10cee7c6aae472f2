"""A script as one Python file without Plumbline, which compares eager PyTorch with captured regions where a caller can see it."""
import platform
import re
import textwrap

import torch
from blocks import Body
from operators import Operators
from paths.comparison import COMPARISON, ROUNDED, SAME, VERSION_CHANGES, facts_text
from paths.plain import Unwritten, named, variables
from paths.spelling import ANYWHERE, Text, Unspelled
from paths.statements import BETWEEN, GUARDS_BETWEEN
from unsupported import Unsupported

OBSERVATIONS = ("snapshot", "read", "read_thread")
REGISTRATIONS = ("make_library", "define_operator", "add_kernel")
WIDE = 110  # columns of the docstring


class Written:
    """The text of a script's program, of its regions and of the classes that they use. `split`: the first statements of the
    regions that run one statement at a time, as in GraphWalk. Raises Unwritten."""

    def __init__(self, script, path, split):
        self.body, self.split = Body(script["statements"], True), split
        self.cutter = path.cutter(script)
        self.known, self.kernels = self.cutter.known, script.get("kernels", [])
        self.lines, self.above, self.classes, self.regions = [], [], {}, 0
        self.depth, self.alone_until = 1, -1
        if len(self.known.callable) < len(self.known.operators):
            raise Unwritten("the program defines operators that a graph may not call")
        self.write(0, len(self.body.statements), False)
        if not self.lines[-1].strip().startswith("look("):
            self.line("look(locals())")

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def write(self, at, last, in_try):
        while at < last:
            region = self.region_at(at, in_try)
            if region is not None:
                self.call_of(region)
                at = region.last
            else:
                at = self.statement(at, in_try)

    def region_at(self, at, in_try):
        """As GraphWalk.captured."""
        alone = in_try or at < self.alone_until
        region = self.cutter.region_at(self.body, at, alone)
        if region is not None and at in self.split and not alone:
            self.alone_until, alone = region.last, True
            region = self.cutter.region_at(self.body, at, True)
        return None if region is None or (alone and region.last - region.first > 1) else region

    def call_of(self, region):
        """`y = run(region_1, x)`, and the function above."""
        written, self.regions = region.written, self.regions + 1
        name = f"region_{self.regions}"
        returned = [f"s{slot}" for slot in written.outputs]
        body = self.with_classes("".join(written.lines), written.classes)
        self.above.append(f"def {name}({', '.join(f's{slot}' for slot in written.inputs)}):\n{body}    return {', '.join(returned + written.kept) or '()'}\n")
        targets = ", ".join(returned + ["_"] * len(written.kept))
        self.line(f"{targets} = " * bool(targets) + f"run({', '.join([name] + [f's{slot}' for slot in written.inputs])})")

    def with_classes(self, text, classes):
        """The text with the names that its classes have in the file: two classes of a script may have one name."""
        for name, described in classes.items():
            own = name
            while self.classes.get(own, described) != described:
                own += "_"
            if own not in self.classes:
                self.classes[own] = described
                self.above.append(re.sub(rf"\b{name}\b", own, described))
            text = re.sub(rf"\b{name}\b", own, text)
        return text

    def statement(self, at, in_try):
        """Writes what runs between regions, and returns the place after it."""
        statement, end = self.body.statements[at], self.body.ends.get(at)
        do = statement["do"]
        if do in OBSERVATIONS:
            self.look()
        elif do == "enter" and statement["guard"] in GUARDS_BETWEEN:
            self.block(f"with {GUARDS_BETWEEN[statement['guard']].format(**statement)}:", at, end, in_try)
            return end + 1
        elif do == "try":
            self.block("try:", at, end, True)
            self.line("except Exception as error:")
            self.line("    look.raised(error)")
            return end + 1
        elif do == "enter_forward":
            self.plain(at, end + 1)
            return end + 1
        elif do == "register_hook":
            self.hook(statement)
        elif do in REGISTRATIONS:
            self.register(statement)
        elif do in BETWEEN:
            self.line(BETWEEN[do](statement))
        elif do in ANYWHERE:
            self.plain(at, at + 1)
        else:
            raise Unwritten(f"the statement {do} is not written as plain Python")
        return at + 1

    def look(self):
        if not self.lines or self.lines[-1] != "    " * self.depth + "look(locals())":
            self.line("look(locals())")

    def block(self, head, at, end, in_try):
        self.line(head)
        self.depth += 1
        if end == at + 1:
            self.line("pass")
        self.write(at + 1, end, in_try)
        self.depth -= 1

    def plain(self, at, last):
        """Statements that a region could have, outside of one."""
        text = Text(self.known, (), ANYWHERE, self.depth)
        try:
            text.write(self.body, at, last)
        except Unspelled:
            raise Unwritten("a custom function uses variables around it") from None
        lines = re.sub(r"\bkept\d+ = ", "", "".join(text.lines))
        self.lines += self.with_classes(lines, text.classes).splitlines()

    def function(self, name, parameters, statements, returned, depth):
        """The lines of a hook or of a kernel."""
        text = Text(self.known, GUARDS_BETWEEN, ANYWHERE, depth + 1)
        try:
            text.write(Body(statements, False), 0, len(statements))
        except Unspelled:
            raise Unwritten(f"{name} does more than calls and guards") from None
        indent = "    " * depth
        gives = f"{indent}    return {returned}"
        return [f"{indent}def {name}({', '.join(f's{slot}' for slot in parameters)}):", *self.with_classes("".join(text.lines), text.classes).splitlines(), gives]

    def register(self, statement):
        """What defines an operator stands above the program, which runs twice."""
        library, do = statement["library"], statement["do"]
        if do == "make_library":
            self.above.append(f"{library} = torch.library.Library({statement['namespace']!r}, {statement['kind']!r})\n")
        elif do == "define_operator":
            self.above.append(f"{library}.define({self.known.operators[statement['operator']]['schema']!r})\n")
        else:
            kernel, number = self.kernels[statement["kernel"]], statement["kernel"]
            returned = ", ".join(f"s{slot}" for slot in kernel["returned"]) or "None"
            lines = self.function(f"kernel_{number}", kernel["parameters"], kernel["statements"], returned, 0)
            name = Operators.name(self.known.operators[statement["operator"]])
            self.above.append("\n".join([*lines, f"\n\n{library}.impl({name!r}, kernel_{number}, {statement['key']!r})\n"]))

    def hook(self, statement):
        number = statement["function"]
        function = self.known.functions[number]
        returned = function["returned"][0]
        self.lines += self.function(f"hook_{number}", function["gradients"][:1], function["statements"],
                                    "None" if returned is None else f"s{returned}", self.depth)
        registers = "register_post_accumulate_grad_hook" if statement.get("after") else "register_hook"
        self.line(f"handle_{number} = s{statement['tensor']}.{registers}(hook_{number})")


def docstring(title, found):
    versions = f"PyTorch {torch.__version__}, Python {platform.python_version()}, {platform.machine()}."
    lines = [title, "", *found.splitlines(), versions,
             "`python FILE` prints each difference that a caller can see, and exits with 1 if there is one."]
    wrapped = [line for one in lines for line in (textwrap.wrap(one, WIDE, break_on_hyphens=False) or [""])]
    return '"""' + "\n".join(wrapped).replace("\\", "\\\\").replace('"""', "'''") + '\n"""\n'


def file_text(script, path, split, found):
    """The whole file. `found`: lines for its top. Raises Unwritten."""
    capture = path.plainly()
    label = capture.label
    try:
        written = Written(script, path, split)
    except Unsupported as why:
        raise Unwritten(str(why)) from None
    if written.regions == 0:
        raise Unwritten("no statement of the program runs in a graph")
    names = variables(script["names"], written.classes)
    parts = [*written.above, "def program(run, look):\n" + "\n".join(written.lines) + "\n"]
    parts = [named(part, names).replace(", device='cpu'", "") for part in parts]
    changes = path.relaxed.get("version", ("exact",))[0] == "changed"
    comparison = COMPARISON.substitute(label=repr(label), facts=facts_text(path.relaxed), versions=VERSION_CHANGES if changes else "",
                                   same=ROUNDED if path.rounds else SAME)
    imports = "import math\n" * path.rounds + "import sys\n\nimport torch\n" + capture.imports
    return "\n".join([docstring(f"{label} compared with eager PyTorch.", found), imports]) + "\n\n" + "\n\n".join([*parts, capture.text, comparison])
