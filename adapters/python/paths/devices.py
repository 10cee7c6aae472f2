"""Eager PyTorch on another device, or under FakeTensorMode: what each of these keeps and does not keep of eager's fields."""
import os

import torch
from device import Device
from paths.eager import Eager, not_kept
from readings import THREAD_READERS, copy_by, hide, key_names
from unsupported import Unsupported
from walk import Walk

NO_FAKE_VALUES = "its tensors have no memory, so there are no values to read (docs.pytorch.org/docs/stable/torch.compiler_fake_tensor.html)"
NO_VALUES = "its tensors have no memory, so there are no values to read (docs.pytorch.org/docs/stable/meta.html)"
OTHER_BACKEND = "keys name the backend of a tensor, which is another one here (c10/core/DispatchKey.h, C10_FORALL_BACKEND_COMPONENTS)"
OWN_WORDS = "kind"  # shapes come from torch/_meta_registrations.py and torch/_refs, or the backend's shape functions, with messages of their own


class Meta(Eager):
    """Device "meta": every kernel computes only sizes, strides and dtypes."""

    name = "meta"
    relaxed = {"values": not_kept(NO_VALUES), "grad": not_kept(NO_VALUES), "keys": not_kept(OTHER_BACKEND)}
    errors = OWN_WORDS

    def start(self):
        self.device = Device("meta")
        hide("values", "grad")

    def walk(self, script):
        return DeviceWalk(script, self.device)


OF_MODES = torch._C.DispatchKeySet(torch._C.DispatchKey.Python) | torch._C.DispatchKeySet(torch._C.DispatchKey.PythonTLSSnapshot)


def hide_keys_of_modes():
    """Entering any TorchDispatchMode includes two keys (c10/core/impl/TorchDispatchModeTLS.cpp, set_mode). The others are compared."""
    THREAD_READERS["included"] = lambda: key_names(torch._C._dispatch_tls_local_include_set() - OF_MODES)


class DeviceWalk(Walk):
    """A walk on another backend: it refuses what only means something on the CPU's."""

    def manual_seed(self, statement, outcome):
        raise Unsupported(f"random numbers on {self.device}: only the CPU's are determined (docs.pytorch.org/docs/stable/notes/randomness.html)")

    def append_to_log(self, statement, outcome):
        if statement.get("keys"):
            raise Unsupported(f"a log of key sets: they name the backend, which is {self.device} here")
        super().append_to_log(statement, outcome)

    def query_kernel(self, statement, outcome):
        if statement["key"].lower().endswith(self.device):
            raise Unsupported(f"a question about {statement['key']}: the backend of {self.device} has a fallback for it in this process")
        super().query_kernel(statement, outcome)

    SIMPLE = {**Walk.SIMPLE, "manual_seed": manual_seed, "append_to_log": append_to_log, "query_kernel": query_kernel}


class FakeWalk(Walk):
    """A walk under a FakeTensorMode of its own, which every thread of the script enters: modes are a thread's."""

    def __init__(self, script, device):
        super().__init__(script, device)
        from torch._subclasses.fake_tensor import FakeTensorMode
        if script.get("operators"):
            raise Unsupported("a program's own operators under FakeTensorMode: they need torch.library.register_fake, which no statement has")
        self.mode = FakeTensorMode()

    def go(self, body, first, last):
        if torch._C._get_dispatch_mode(torch._C._TorchDispatchModeKey.FAKE) is not None:
            return super().go(body, first, last)
        with self.mode:
            return super().go(body, first, last)


class Fake(Eager):
    """`with FakeTensorMode():` around the whole script, as torch.export and the compilers run it."""

    name = "fake"
    relaxed = {"values": not_kept(NO_FAKE_VALUES), "grad": not_kept(NO_FAKE_VALUES),
               "keys": not_kept("a fake tensor is a Python subclass on the meta device, so it has the keys Python and Meta "
                                "(torch/_subclasses/fake_tensor.py, FakeTensor.__new__)")}
    errors = OWN_WORDS

    def start(self):
        super().start()
        hide("values", "grad")
        hide_keys_of_modes()

    def walk(self, script):
        return FakeWalk(script, self.device)


CONTIGUOUS = "strides are always those of a contiguous tensor ({})"
NO_OFFSET = "a tensor's offset is always 0 ({})"
LAZY_IMPL = "torch/csrc/lazy/core/tensor_impl.cpp, LTCTensorImpl::{}"
XLA_IMPL = "pytorch/xla, torch_xla/csrc/tensor_impl.cpp, XLATensorImpl::{}"


def on_the_cpu(tensor):
    """A copy that records nothing: recording would ask for the history of a view, which may raise. `detach` would make one more view,
    which these backends refuse in inference mode."""
    with torch.no_grad():
        return tensor.cpu()


def on_the_cpu_from_lazy(tensor):
    """As on_the_cpu. If that raises, the late error is taken along, so that it is not raised again by the next tensor that is read, or
    by the next statement of the program, which asked for no value."""
    try:
        return on_the_cpu(tensor)
    except (RuntimeError, IndexError):
        take_late_errors()
        raise


class LazyWalk(DeviceWalk):
    """A walk that takes its late errors along: the backend raises an error of a computation a second time, in the next
    computation, which may be another script's (docs/findings/lazy-error-is-raised-again-by-the-next-computation.md)."""

    def trace(self):
        try:
            return super().trace()
        finally:
            self.slots.clear()
            take_late_errors()


def take_late_errors():
    """Computes something harmless until no error comes up."""
    for _ in range(3):
        try:
            (torch.zeros(1, device="lazy") + 1).cpu()
            return
        except RuntimeError as error:
            late = error
    raise late


class Lazy(Eager):
    """Device "lazy", PyTorch's reference lazy backend (TorchScript), which functionalizes each program."""

    name = "lazy"
    relaxed = {"strides": not_kept(CONTIGUOUS.format(LAZY_IMPL.format("setup_size_properties"))),
               "offset": not_kept(NO_OFFSET.format(LAZY_IMPL.format("storage_offset_custom"))), "keys": not_kept(OTHER_BACKEND)}
    errors = OWN_WORDS

    def start(self):
        import torch._lazy.ts_backend
        torch._lazy.ts_backend.init()
        self.device = Device("lazy")
        copy_by(on_the_cpu_from_lazy)

    def walk(self, script):
        return LazyWalk(script, self.device)


class TorchXla(Eager):
    """Device "xla" of torch_xla on its CPU client (PJRT)."""

    name = "torch_xla"
    relaxed = {"strides": not_kept(CONTIGUOUS.format(XLA_IMPL.format("SetupSizeProperties"))),
               "offset": not_kept(NO_OFFSET.format("its tensors have no addressable memory; measured on 2.9.0: x[2:].storage_offset() is 0")),
               "keys": not_kept(OTHER_BACKEND)}
    errors = OWN_WORDS

    def start(self):
        os.environ.setdefault("PJRT_DEVICE", "CPU")
        import torch_xla
        self.package = torch_xla
        self.device = Device("xla")
        copy_by(on_the_cpu)

    def walk(self, script):
        return DeviceWalk(script, self.device)

    def versions(self):
        return {"torch_xla": self.package.__version__}
