"""The ways in which PyTorch runs a script, by name: `--path NAME` of the adapter."""
import importlib

PLACES = {  # the module and the class of each
    "eager": ("paths.eager", "Eager"),
    "compile": ("paths.compiled", "Compiled"),
    "compile-eager": ("paths.compiled", "CompileEager"),
    "compile-aot_eager": ("paths.compiled", "CompileAotEager"),
    "compile-aot_eager_decomp_partition": ("paths.compiled", "CompilePartition"),
    "compile-inductor": ("paths.compiled", "CompileInductor"),
    "compile-toy": ("paths.toy", "Toy"),
    "functorch-functionalize": ("paths.traced", "FunctorchFunctionalize"),
    "functorch-regions": ("paths.traced", "FunctorchRegions"),
    "make_fx": ("paths.traced", "MakeFx"),
    "export": ("paths.traced", "Export"),
    "jit-trace": ("paths.traced", "JitTrace"),
    "jit-script": ("paths.traced", "JitScript"),
    "meta": ("paths.devices", "Meta"),
    "fake": ("paths.devices", "Fake"),
    "lazy": ("paths.devices", "Lazy"),
    "torch_xla": ("paths.devices", "TorchXla"),
    "torchax": ("paths.jax", "Torchax"),
}


def path_named(name, settings):
    """The path of this name, with the adapter's options. Importing it may fail: its message says what is missing."""
    module, path = PLACES[name]
    return getattr(importlib.import_module(module), path)(settings)
