"""What the NumPy adapter says when NumPy cannot run a script."""


class Unsupported(Exception):
    """NumPy has no equivalent of a part of the script. The text has no numbers of the script, so that reasons can be counted."""


def lacks(what):
    """In place of an op that NumPy does not have."""
    def run(*_):
        raise Unsupported(f"NumPy has no {what}")

    run.is_lacking = True
    return run


def had(ops):
    """The names of the ops that NumPy has."""
    return sorted(name for name, op in ops.items() if not hasattr(op, "is_lacking"))
