"""The journal: what the recorded process did, as JSON lines in a file, so that nothing is lost if the process dies.

The recorded process writes with Writer; `assemble` makes the recorded tests of it, one after another.
"""
import json


class Writer:
    """Writes entries; each is a list whose first item says what happened."""

    def __init__(self, file, limit):
        self.file, self.left, self.lengths = file, limit, [0]

    def write(self, *entry):
        self.file.write(json.dumps(entry, separators=(",", ":")) + "\n")
        self.file.flush()

    def test(self, name):
        """A new test begins."""
        self.lengths = [0]
        self.write("test", name)

    def full(self):
        """Whether the limit on statements is reached."""
        return self.left <= 0

    def add(self, body, statement, expected=None):
        """Appends a statement to a body: 0 is the test, and others are backwards. `expected`: what an assert compares with."""
        self.left -= 1
        self.lengths[body] += 1
        self.write("add", body, statement, expected)

    def length(self, body):
        return self.lengths[body]

    def attempt(self, body, first, exception, line):
        """The statements of the body from `first` on raised an error: they get a `try`."""
        self.lengths[body] += 2
        self.write("attempt", body, first, exception, line)

    def amend(self, body, more):
        """The last statement of the body has these members too."""
        self.write("amend", body, more)

    def release(self, body, first):
        """Takes a `try` back: the error left the body."""
        self.lengths[body] -= 2
        self.write("release", body, first)

    def cut(self, body, first):
        """Takes the statements of the body from `first` on back."""
        self.lengths[body] = first
        self.write("cut", body, first)

    def new_body(self, name):
        """A body for the backward of one apply."""
        self.lengths.append(0)
        self.write("function", name)
        return len(self.lengths) - 1

    def close_body(self, body, gradients, returned):
        self.write("backward", body, gradients, returned)

    def about(self, text, line):
        """The next thing that is done; if the process dies, this is what it died of."""
        self.write("about", text, line)

    def name(self, slot, name):
        self.write("name", slot, name)

    def note(self, line, text):
        """Something that the program does not say, or says otherwise."""
        self.write("note", line, text)


class Test:
    """One recorded test, while it is assembled."""

    def __init__(self, name):
        self.name, self.bodies, self.functions, self.names, self.notes, self.about = name, [[]], [], {}, [], None

    def take(self, entry):
        what, *rest = entry
        self.about = None
        if what == "add":
            body, statement, expected = rest
            self.bodies[body].append((statement, expected))
        elif what == "attempt":
            body, first, exception, line = rest
            self.bodies[body].insert(first, ({"do": "try", "line": line}, exception))
            self.bodies[body].append(({"do": "end_try", "line": line}, None))
        elif what == "amend":
            body, more = rest
            self.bodies[body][-1][0].update(more)
        elif what == "release":
            body, first = rest
            del self.bodies[body][first]
            del self.bodies[body][-1]
        elif what == "cut":
            body, first = rest
            del self.bodies[body][first:]
        elif what == "function":
            self.bodies.append([])
            self.functions.append({"name": rest[0], "gradients": [], "returned": []})
        elif what == "backward":
            body, gradients, returned = rest
            self.functions[body - 1].update(gradients=gradients, returned=returned)
        elif what == "about":
            self.about = rest
        elif what == "name":
            self.names[rest[0]] = rest[1]
        elif what == "note":
            self.notes.append({"line": rest[0], "text": rest[1]})

    def close_blocks(self):
        """Leaves the blocks that were open when the process died."""
        closing = {"enter": "exit", "try": "end_try", "start_thread": "join_thread"}
        ends = {"exit", "end_try", "join_thread", "leave_forward", "leave_functionalize"}
        open_blocks = []
        for at, (statement, _) in enumerate(self.bodies[0]):
            if statement["do"] in (*closing, "enter_forward", "enter_functionalize"):
                open_blocks.append(at)
            elif statement["do"] in ends:
                open_blocks.pop()
        for at in reversed(open_blocks):
            kind = self.bodies[0][at][0]["do"]
            if kind in closing:
                self.bodies[0].append(({"do": closing[kind]}, None))
            else:  # a body without its end says nothing
                del self.bodies[0][at:]

    def finished(self):
        self.close_blocks()
        statements, expectations, errors, tries = [], [], [], []
        for at, (statement, expected) in enumerate(self.bodies[0]):
            statements.append(statement)
            if statement["do"] == "try":
                tries.append((at, expected))
            elif statement["do"] == "end_try":
                first, exception = tries.pop()
                errors.append({"first": first, "last": at, "exception": exception or "RuntimeError"})
            elif expected is not None:
                expectations.append({"statement": at, "expected": expected["reading"]})
        slots = 1 + max([*(slot for statement in self.every() for slot in assigned(statement)), -1])
        names = [self.names.get(slot, f"x{slot}") for slot in range(slots)]
        script = {"names": names, "statements": statements}
        if self.functions:
            script["functions"] = [{**function, "statements": [one for one, _ in body]}
                                   for function, body in zip(self.functions, self.bodies[1:])]
        return {"name": self.name, "script": script, "expectations": expectations, "errors": errors, "notes": self.notes}

    def every(self):
        for body in self.bodies:
            for statement, _ in body:
                yield statement
        for function in self.functions:
            yield {"results": function["gradients"]}


def assigned(statement):
    """The slots that a statement assigns."""
    one = statement.get("result")
    return [*([] if one is None else [one]), *statement.get("results", []), *statement.get("parameters", [])]


def assemble(lines):
    """The tests that the entries describe, PyTorch's version, how the script ended ([text, line], or None if it died), and what it was
    about then."""
    tests, torch, end = [], "", None
    for line in lines:
        if not line.endswith("\n"):
            break  # half a line: the process died while it wrote
        try:
            entry = json.loads(line)
        except ValueError:
            end = ["it wrote into the recorder's journal", 0]
            break
        if entry[0] == "test":
            tests.append(Test(entry[1]))
        elif entry[0] == "torch":
            torch = entry[1]
        elif entry[0] == "end":
            end = entry[1:]
        elif entry[0] == "drop":
            tests.pop()
        elif tests:
            tests[-1].take(entry)
    about = tests[-1].about if tests else None
    return [test.finished() for test in tests], torch, end, about
