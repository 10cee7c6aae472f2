"""Making the tensors of an experiment, and reading all that can be seen of a tensor (docs/SWEEP.md)."""
import ctypes
import hashlib

import torch

SHOWN_BYTES = 16384  # of more, only a hash
DTYPES = {str(dtype).removeprefix("torch."): dtype for dtype in
          (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8,
           torch.bool, torch.complex64, torch.complex128)}


class Unsupported(Exception):
    """This caller cannot make such a value, or call in such a setting."""


def dtype_named(name):
    if name not in DTYPES:
        raise Unsupported(f"unknown dtype '{name}'")
    return DTYPES[name]


def number(given, is_complex):
    """An element, or a number: a pair is a complex one, and what JSON does not have is a text."""
    if isinstance(given, list):
        if not is_complex:
            raise Unsupported("an element of a real dtype is a pair")
        real, imaginary = map(float, given)
        return complex(real, imaginary)
    return complex(float(given), 0) if is_complex else float(given)


def made(ingredient, device, reverse=False):
    """A new tensor, no view of another, with a storage of its own. `reverse`: with the elements in reverse order."""
    dtype, sizes, strides = dtype_named(ingredient["dtype"]), ingredient["sizes"], ingredient["strides"]
    if device == "meta":
        return torch.empty_strided(sizes, strides, dtype=dtype, device=device)
    values = [number(value, dtype.is_complex) for value in ingredient["values"]]
    wide = torch.complex128 if dtype.is_complex else torch.float64
    storage = torch.tensor(values[::-1] if reverse else values, dtype=wide).to(dtype).to(device)
    with torch.no_grad():
        return torch.empty(0, dtype=dtype, device=device).set_(storage.untyped_storage(), ingredient["offset"], sizes, strides)


def on_the_cpu(tensor):
    """The memory of the storage, as bytes, read without calling what could write."""
    if tensor.device.type != "cpu":
        # Another device's memory is copied as it lies, so strides and offset stay what they are.
        whole = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(tensor.untyped_storage())
        whole = whole.cpu()
        return ctypes.string_at(whole.data_ptr(), whole.numel()) if whole.numel() else b""
    storage = tensor.untyped_storage()
    return ctypes.string_at(storage.data_ptr(), storage.nbytes()) if storage.nbytes() else b""


def flipped(element, is_complex, imaginary, real, integral):
    """The element with the signs of its parts flipped."""
    if integral:
        return (-int.from_bytes(element, "little") % (1 << 8 * len(element))).to_bytes(len(element), "little")
    raw = bytearray(element)
    if imaginary:
        raw[-1] ^= 0x80
    if real:
        raw[len(raw) // 2 - 1 if is_complex else -1] ^= 0x80
    return bytes(raw)


def elements(tensor):
    """The elements in order, as hexadecimal text. Lazy conjugates and negatives are shown as what they stand for."""
    if tensor.layout != torch.strided or tensor.device.type == "meta" or tensor.numel() == 0:
        return ""
    memory, size = on_the_cpu(tensor), tensor.element_size()
    offsets = [tensor.storage_offset()]
    for length, stride in zip(tensor.shape, tensor.stride()):
        offsets = [base + step * stride for base in offsets for step in range(length)]
    if min(offsets) < 0 or (max(offsets) + 1) * size > len(memory):
        return "outside memory"
    is_complex = tensor.is_complex()
    imaginary, real = is_complex and tensor.is_conj() != tensor.is_neg(), tensor.is_neg()
    integral = real and not is_complex and not tensor.is_floating_point()
    parts = [memory[at * size:(at + 1) * size] for at in offsets]
    if imaginary or real:
        parts = [flipped(one, is_complex, imaginary, real, integral) for one in parts]
    raw = b"".join(parts)
    return raw.hex() if len(raw) <= SHOWN_BYTES else "#" + hashlib.sha256(raw).hexdigest()


class Reader:
    """Reads facts, and numbers storages as it meets them."""

    def __init__(self, tensors):
        self.tensors, self.storages, self.kept = tensors, {}, []

    def index(self, tensor):
        """The made tensor that it is, the very same; -1: none of them."""
        return next((i for i, one in enumerate(self.tensors) if one is tensor), -1)

    def storage(self, tensor):
        try:
            storage = tensor.untyped_storage()
        except (NotImplementedError, RuntimeError):
            return -1
        self.kept.append(storage)  # so that its number is of no other storage
        return self.storages.setdefault(storage._cdata, len(self.storages))

    def facts(self, tensor):
        """None for an undefined tensor."""
        if tensor is None:
            return None
        strided, inference = tensor.layout == torch.strided, tensor.is_inference()
        dtype = str(tensor.dtype).removeprefix("torch.")
        base = None if inference else tensor._base
        return {"dtype": dtype if strided else f"{dtype}, {str(tensor.layout).removeprefix('torch.')}", "device": str(tensor.device),
                "sizes": list(tensor.shape), "strides": list(tensor.stride()) if strided else [],
                "offset": tensor.storage_offset() if strided else 0, "bytes": elements(tensor), "storage": self.storage(tensor),
                "version": -1 if inference else tensor._version, "inference": inference, "requires_grad": tensor.requires_grad,
                "grad_fn": not inference and tensor.grad_fn is not None, "is_view": not inference and tensor._is_view(),
                "base": -1 if base is None else self.index(base), "keys": keys_of(tensor)}

    def metadata(self, tensor):
        """Facts of a tensor whose memory cannot be read."""
        return {"dtype": str(tensor.dtype).removeprefix("torch."), "device": str(tensor.device), "sizes": list(tensor.shape),
                "strides": list(tensor.stride()), "offset": tensor.storage_offset(), "bytes": "", "storage": -1, "version": -1,
                "inference": False, "requires_grad": False, "grad_fn": False, "is_view": False, "base": -1, "keys": []}

    def results(self, returned, places, facts=None):
        """`returned`: what an operator returned, of a schema with so many results."""
        facts = facts or self.facts
        values = list(returned) if places != 1 and isinstance(returned, (list, tuple)) else [returned] if places else []
        found = []
        for place, value in enumerate(values):
            for one in value if isinstance(value, (list, tuple)) and any(isinstance(x, torch.Tensor) for x in value) else [value]:
                if isinstance(one, torch.Tensor):
                    found.append({"is": self.index(one), "value": "", "facts": facts(one), "place": place})
                else:
                    found.append({"is": -1, "value": "" if one is None else str(one), "facts": None, "place": place})
        return found


def keys_of(tensor):
    text = str(torch._C._dispatch_keys(tensor))
    return [key for key in text[text.index("(") + 1:-1].split(", ") if key]
