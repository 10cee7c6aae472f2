"""The blocks of a script: guards, `try`, threads, forwards and the bodies of transforms."""
from unsupported import Unsupported

ENDS = {"enter": "exit", "enter_saved_tensors_hooks": "exit", "try": "end_try", "start_thread": "join_thread", "pause_thread": "resume_thread",
        "enter_forward": "leave_forward", "enter_functionalize": "leave_functionalize", "enter_vmap": "leave_vmap",
        "enter_grad": "leave_grad"}


def ends_of_blocks(statements):
    """For each statement that begins a block, the one that ends it."""
    ends, begun = {}, []
    for at, statement in enumerate(statements):
        if statement["do"] in ENDS:
            begun.append(at)
        elif statement["do"] in ENDS.values():
            if not begun or ENDS[statements[begun[-1]]["do"]] != statement["do"]:
                raise Unsupported(f"statement {at} ends a block that is not open")
            ends[begun.pop()] = at
    if begun:
        raise Unsupported(f"the block of statement {begun[-1]} has no end")
    return ends


def next_pause(body, first, last):
    """Where a thread that runs these statements would wait next; None: nowhere."""
    at = first
    while at < last:
        if body.statements[at]["do"] == "pause_thread":
            return at
        at = body.ends[at] + 1 if body.statements[at]["do"] == "start_thread" else at + 1
    return None


class Body:
    """Statements to run in order. Only an observed body has outcomes: a backward has none."""

    def __init__(self, statements, observed):
        self.statements, self.observed, self.ends = statements, observed, ends_of_blocks(statements)
