"""Reading tensors and the thread through Python, one function for each field of docs/PROTOCOL.md."""
import math
import re

import torch

THREAD_FIELDS = ("inference_mode", "grad_mode", "included", "excluded")
UNSUPPORTED = {"unsupported": True}
DTYPES = {name: getattr(torch, name)
          for name in ("float32", "float64", "int64", "int32", "bool", "uint8", "int8", "int16", "float16", "bfloat16", "complex64", "complex128")}
DTYPE_NAMES = {dtype: name for name, dtype in DTYPES.items()}
FLOATING = {torch.float32, torch.float64, torch.float16, torch.bfloat16}
OF_FAKE_TENSORS = re.compile(r"""with fake tensors: .*: got (\w+)\((["'])(.*)\2\)$""", re.MULTILINE)


def failure(error):
    """An exception as the protocol has it. Plumbline finds its class by PyTorch's wording. Of an error that a backend of
    torch.compile raised, that is the error itself, and not the one around it; so too where Dynamo's words quote that of an op."""
    error = getattr(error, "inner_exception", None) or error
    quoted = OF_FAKE_TENSORS.search(str(error))
    if quoted:
        return {"message": quoted[3].split(r"\n", 1)[0], "exception": quoted[1]}
    return {"message": str(error).split("\n", 1)[0], "exception": type(error).__name__}


def number(value):
    if math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def flat(nested, dimensions):
    for _ in range(dimensions - 1):
        nested = [one for row in nested for one in row]
    return nested if dimensions else [nested]


def copied(tensor):
    """The tensor on the CPU. A path whose tensors are copied in another way replaces it (`copy_by`)."""
    return tensor.detach().cpu()


def copy_by(function):
    global copied
    copied = function


def values(tensor):
    """The elements, read from memory; no op is called on the CPU."""
    if tensor.dtype not in DTYPE_NAMES or tensor.device.type == "meta":
        return UNSUPPORTED
    # tolist() makes a list for each row, also where the rows are many and empty
    elements = flat((tensor if tensor.device.type == "cpu" else copied(tensor)).tolist(), tensor.dim()) if 0 not in tensor.shape else []
    if tensor.dtype.is_complex:  # two numbers for each element
        return {"floats": [number(part) for value in elements for part in (value.real, value.imag)]}
    if tensor.dtype in FLOATING:
        return {"floats": [number(value) for value in elements]}
    return {"integers": [int(value) for value in elements]}


_names = {}


def key_names(keys):
    """The names of a DispatchKeySet, by rising bit."""
    bits = keys.raw_repr()
    if bits not in _names:
        _names[bits] = {"names": [name for name in str(keys)[len("DispatchKeySet("):-1].split(", ") if name]}
    return _names[bits]


def storage(tensor, slots):
    mine = tensor.untyped_storage()._cdata
    return next((slot for slot in sorted(slots) if slots[slot].untyped_storage()._cdata == mine), -2)


def base(tensor, slots):
    if not tensor._is_view():
        return -1
    of = tensor._base
    return next((slot for slot in sorted(slots) if slots[slot] is of), -2)


def creation_meta(tensor):
    return torch._C._autograd._get_creation_meta(tensor).name if tensor._is_view() else None


def grad(tensor):
    return None if tensor.grad is None else values(tensor.grad)


READERS = {
    "dtype": lambda tensor, slots: DTYPE_NAMES.get(tensor.dtype, UNSUPPORTED),
    "sizes": lambda tensor, slots: tuple(tensor.shape),
    "strides": lambda tensor, slots: tensor.stride(),
    "offset": lambda tensor, slots: tensor.storage_offset(),
    "values": lambda tensor, slots: UNSUPPORTED if tensor.is_meta else values(tensor),
    "storage": storage,
    "keys": lambda tensor, slots: key_names(torch._C._dispatch_keys(tensor)),
    "is_inference": lambda tensor, slots: tensor.is_inference(),
    "version": lambda tensor, slots: tensor._version,
    "requires_grad": lambda tensor, slots: tensor.requires_grad,
    "is_leaf": lambda tensor, slots: tensor.is_leaf,
    "grad_fn": lambda tensor, slots: tensor.grad_fn is not None,
    "is_view": lambda tensor, slots: tensor._is_view(),
    "base": base,
    "creation_meta": lambda tensor, slots: creation_meta(tensor),
    "grad": lambda tensor, slots: grad(tensor),
}
FIELDS = tuple(READERS)  # in the order in which a snapshot lists them

THREAD_READERS = {
    "inference_mode": torch.is_inference_mode_enabled,
    "grad_mode": torch.is_grad_enabled,
    "included": lambda: key_names(torch._C._dispatch_tls_local_include_set()),
    "excluded": lambda: key_names(torch._C._dispatch_tls_local_exclude_set()),
}


def hide(*fields):
    """Fields that a path cannot show: they are not read at all, because reading them would fail or disturb the run."""
    for field in fields:
        if field in THREAD_READERS:
            THREAD_READERS[field] = lambda: UNSUPPORTED
        else:
            READERS[field] = lambda tensor, slots: UNSUPPORTED


def hide_what_is_missing(device):
    """Hides the fields that this PyTorch cannot show, and returns their names: older ones lack some private functions."""
    missing = set()
    tensor = torch.zeros([2], device=device)
    slots = {0: tensor, 1: tensor.view([2, 1])}
    for field, reader in READERS.items():
        try:
            reader(slots[1], slots)
        except AttributeError:
            hide(field)
            missing.add(field)
    for field, reader in THREAD_READERS.items():
        try:
            reader()
        except AttributeError:
            hide(field)
            missing.add(field)
    return missing


def read(field, tensor, slots):
    return READERS[field](tensor, slots)


def read_thread(field):
    return THREAD_READERS[field]()


def snapshot(slots):
    """The thread and every slot's tensor. A reading that raises is an error in its place."""
    tensors = []
    for slot in sorted(slots):
        tensor, fields = slots[slot], []
        for reader in READERS.values():
            try:
                fields.append(reader(tensor, slots))
            except Exception as error:  # whatever PyTorch raises
                fields.append({"error": failure(error)})
        tensors.append({"tensor": slot, "fields": fields})
    return {"thread": [reader() for reader in THREAD_READERS.values()], "tensors": tensors}
