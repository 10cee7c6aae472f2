"""How a file without Plumbline captures a region, and the names of its variables."""
import keyword
import re
import typing

TAKEN = {"torch", "run", "look", "region", "program", "sys", "math", "error", "captured", "eager", "observed", "differences", "same", "noted"}


class Unwritten(Exception):
    """A script, or a way of capturing, has no form in plain Python; the text says why."""


class Plainly(typing.NamedTuple):
    """`label`: its name in sentences. `call`: an expression that runs the function `region` on the tuple `inputs` as one graph."""

    label: str
    call: str
    imports: str = ""
    above: str = ""  # functions that the expression uses

    @property
    def text(self):
        return f"{self.above}def captured(region, *inputs):\n    return {self.call}\n"


def variables(names, taken):
    """A Python variable for each slot: its name, where that is one. `taken`: names that a file has beside those of every file."""
    given = {}
    for slot, name in enumerate(names):
        usable = name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_") and not re.fullmatch(r"region_\d+|s\d+", name)
        name = name if usable and name not in TAKEN and name not in taken and name not in given.values() else f"t{slot}"
        while name in given.values():
            name += "_"
        given[slot] = name
    return given


def named(text, names):
    """A region's text, or other text of the slots `s0`, `s1`, …, with their variables."""
    return re.sub(r"\bs(\d+)\b", lambda found: names[int(found[1])], text)
