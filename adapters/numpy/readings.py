"""What a trace shows of an array. Nothing here writes, or keeps a reference."""
import math
import numpy as np
from dtypes import name_of

FIELDS = ("dtype sizes strides offset values storage keys is_inference version requires_grad is_leaf grad_fn is_view base creation_meta "
          "grad").split()  # in the order in which a snapshot lists them
SHOWN = FIELDS[:6]
THREAD = ("inference_mode", "grad_mode", "included", "excluded")
UNSUPPORTED = {"unsupported": True}


def owner(array):
    """The array that owns the memory: the end of the chain of bases. as_strided puts an object that is no array into the chain."""
    while getattr(array, "base", None) is not None:
        array = array.base
    return array


# An array without elements has no memory, so where it begins and how far apart its elements are mean nothing: "Even for contiguous arrays
# a stride for a given dimension arr.strides[dim] may be arbitrary if arr.shape[dim] == 1 or the array has no elements" [the documentation of
# numpy.ndarray.flags]. Neither is shown. A dimension of size 1 is: NumPy and PyTorch agree on most strides of one.


def offset(array):
    """Where the array begins in its owner's memory, in elements."""
    if array.size == 0:
        return UNSUPPORTED
    return (array.ctypes.data - owner(array).ctypes.data) // array.itemsize


def number(value):
    if math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def values(array):
    elements = array.ravel().tolist()
    if array.dtype.kind == "f":
        return {"floats": [number(element) for element in elements]}
    return {"integers": [int(element) for element in elements]}


def storage(array, slots):
    memory = owner(array)
    return min(slot for slot, other in slots.items() if owner(other) is memory)


def strides(array):
    if array.size == 0:
        return UNSUPPORTED
    return [by // array.itemsize for by in array.strides]


READERS = {"dtype": name_of, "sizes": lambda array: list(array.shape), "strides": strides, "offset": offset, "values": values}


def read(array, field, slots):
    if field == "storage":
        return storage(array, slots)
    return READERS[field](array) if field in READERS else UNSUPPORTED


def snapshot(slots):
    tensors = [{"tensor": slot, "fields": [read(slots[slot], field, slots) for field in FIELDS]} for slot in sorted(slots)]
    return {"thread": [UNSUPPORTED] * len(THREAD), "tensors": tensors}


def is_array(value):
    return isinstance(value, np.ndarray)
