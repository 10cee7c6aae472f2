"""Eager PyTorch: each statement runs as it is written. Every other path says how it departs from this."""
import contextlib

from device import Device
from walk import Walk


def not_kept(reason):
    """What `relaxed` says of a field that is not compared."""
    return "ignore", reason


class Eager:
    """`relaxed`: each field of a tensor or of the thread that this path need not keep: how it is compared (docs/PROTOCOL.md),
    and why, with the source.
    `errors`: how errors are compared (docs/PROTOCOL.md); None: as for eager PyTorch on a CPU."""

    name = "python"
    relaxed = {}
    errors = None
    shows = False  # whether it takes the request `show`
    programs = "plain"  # what campaigns generate for this path (docs/PROTOCOL.md)

    def __init__(self, settings):
        """`settings`: the adapter's options."""
        self.settings, self.device = settings, None

    def start(self):
        """Prepares everything, once, before the first script."""
        self.device = Device(self.settings.device)

    def around(self):
        """A context in which this path's tensors can be made."""
        return contextlib.nullcontext()

    def versions(self):
        """Packages beside PyTorch that decide what this path does, with their versions."""
        return {}

    def counts(self):
        """What this path counted while it ran the last script, for reports."""
        return {}

    def walk(self, script):
        """A run of one script: an object whose `trace()` is the answer."""
        return Walk(script, self.device)
