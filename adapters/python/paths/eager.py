"""Eager PyTorch: each statement runs as it is written. Every other path says how it departs from this."""
import contextlib

from device import Device
from walk import Walk


class Eager:
    """`relaxed`: each field of a tensor or of the thread that this path need not keep, with the reason and its source.
    `errors`: how errors are compared (docs/PROTOCOL.md); None: as for eager PyTorch on a CPU."""

    name = "python"
    relaxed = {}
    errors = None

    def __init__(self):
        self.device = None

    def start(self, device):
        """Prepares everything, once, before the first script. `device`: the name that the user gave."""
        self.device = Device(device)

    def around(self):
        """A context in which this path's tensors can be made."""
        return contextlib.nullcontext()

    def versions(self):
        """Packages beside PyTorch that decide what this path does, with their versions."""
        return {}

    def walk(self, script):
        """A run of one script: an object whose `trace()` is the answer."""
        return Walk(script, self.device)
