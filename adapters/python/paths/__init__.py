"""The ways in which PyTorch runs a script, by name: `--path NAME` of the adapter."""
import importlib

PLACES = {  # the module and the class of each
    "eager": ("paths.eager", "Eager"),
    "meta": ("paths.devices", "Meta"),
    "fake": ("paths.devices", "Fake"),
    "lazy": ("paths.devices", "Lazy"),
    "torch_xla": ("paths.devices", "TorchXla"),
    "torchax": ("paths.jax", "Torchax"),
}


def path_named(name):
    """The path of this name. Importing it may fail: its message says what is missing."""
    module, path = PLACES[name]
    return getattr(importlib.import_module(module), path)()
