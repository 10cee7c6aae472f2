"""Each call of an op, seen by a kernel under the first key that the dispatcher asks, and written as a statement.

An op that the table lacks is written as the ops that it is composed of, or as what it did: a view as `as_strided`, a write as `copy_`,
and a new tensor with its values.
"""
import torch
from recorder import DTYPES, KEY, number, tensors_of
from unsayable import Unsayable


def table_name(op):
    """The name of an op as the table has it: "add.Tensor", "mm"."""
    name, overload = op._schema.name.partition("::")[2], op._schema.overload_name
    return f"{name}.{overload}" if overload else name


def install(recorder):
    """Registers the kernel, and returns what keeps it registered."""
    library = torch.library.Library("_", "IMPL")

    def kernel(keys, op, *args, **kwargs):
        if not recorder.recording():
            with recorder.paused():
                return op(*args, **kwargs)
        return Call(recorder, keys, op, args, kwargs).run()

    library.fallback(kernel, torch._C._dispatch_key_name(KEY), with_keyset=True)
    return library


FORMATS = (torch.contiguous_format, torch.preserve_format, torch.channels_last, torch.channels_last_3d)  # as c10 numbers them


class Call:
    """One call of an op by the script."""

    def __init__(self, recorder, keys, op, args, kwargs):
        self.recorder, self.keys, self.op, self.args, self.kwargs = recorder, keys, op, args, kwargs
        self.name = table_name(op)
        self.in_aten = op._schema.name.startswith("aten::")

    def run(self):
        recorder = self.recorder
        if self.name in ("lift_fresh", "lift") or (self.name.startswith("empty.") and recorder.hidden()):
            # A tensor that Python fills without a call: it becomes a new tensor with its values when it is used.
            return self.original()
        if self.in_aten and self.name in recorder.ops:
            try:
                arguments = [self.value(*one) for one in self.given()]
            except Unsayable as why:
                return self.as_values(f"{why} in a call of {self.name}")
            return self.as_call(arguments)
        if self.name == "fill_.Tensor" and not self.args[1].requires_grad and self.args[1].dtype in DTYPES:
            return self.as_fill()
        if self.op.has_kernel_for_dispatch_key(torch._C.DispatchKey.CompositeImplicitAutograd):
            return self.op.decompose(*self.args, **self.kwargs)
        if not self.in_aten and self.can_be_followed():
            return self.as_its_kernels()
        return self.as_values(f"the op {self.op._schema.name.removeprefix('aten::')}")

    def original(self):
        recorder = self.recorder
        recorder.journal.about(str(self.op), recorder.line())
        with recorder.paused():
            return self.op(*self.args, **self.kwargs)

    def given(self):
        """(argument of the schema, value) for each argument."""
        for at, argument in enumerate(self.op._schema.arguments):
            if argument.kwarg_only or at >= len(self.args):
                yield argument, self.kwargs.get(argument.name, argument.default_value)
            else:
                yield argument, self.args[at]

    def value(self, argument, given):
        """An argument's value as a script has it."""
        if isinstance(given, torch.Tensor):
            return {"slot": self.recorder.slot(given)}
        kind = str(argument.real_type).removeprefix("Optional[").removesuffix("]")
        if kind == "Device" or isinstance(given, torch.device):
            if given is not None and torch.device(given).type != "cpu":
                raise Unsayable(f"the device {given}")
            return None
        if argument.name == "dtype" and given is None and self.makes_tensors() and torch.get_default_dtype() is not torch.float32:
            given = torch.get_default_dtype()
        if argument.name == "memory_format":
            return None if given in (None, argument.default_value) or self.is_the_default(given) else FORMATS.index(given)
        if argument.name in ("pin_memory", "layout"):
            if given in (None, False, torch.strided, argument.default_value):
                return None
            raise Unsayable(f"{argument.name}={given}")
        if isinstance(given, torch.dtype):
            if given not in DTYPES:
                raise Unsayable(f"the dtype {str(given).removeprefix('torch.')}")
            return DTYPES[given]
        if isinstance(given, bool) or given is None:
            return given
        if isinstance(given, int):
            if not -2 ** 63 <= given < 2 ** 63:
                raise Unsayable("an integer of more than 64 bits")
            return int(given)
        if isinstance(given, float):
            return number(given)
        if isinstance(given, (list, tuple)):
            if given and all(isinstance(one, torch.Tensor) for one in given):
                return {"slots": [self.recorder.slot(one) for one in given]}
            if all(isinstance(one, int) and not isinstance(one, bool) for one in given):
                return [int(one) for one in given]
        raise Unsayable(f"{argument.name}={given!r}"[:80])

    def makes_tensors(self):
        return not any("Tensor" in str(argument.type) for argument in self.op._schema.arguments)

    def is_the_default(self, memory_format):
        """Whether a memory format means what None means here."""
        tensors = [one for one in self.args if isinstance(one, torch.Tensor)]
        if memory_format is torch.preserve_format:
            return True
        return memory_format is torch.contiguous_format and all(one.is_contiguous() for one in tensors)

    def as_call(self, arguments):
        recorder = self.recorder
        with recorder.attempting():
            try:
                answer = self.original()
            except Exception:
                recorder.write({"do": "call", "op": self.name, "arguments": arguments, "results": []})
                raise
            recorder.write({"do": "call", "op": self.name, "arguments": arguments, "results": self.bound(answer)})
        return answer

    def as_fill(self):
        """`x[0] = 5` fills with a tensor of one element."""
        with self.recorder.paused():
            value = self.args[1].item()
        self.name = "fill_.Scalar"
        try:
            arguments = [{"slot": self.recorder.slot(self.args[0])}, number(value)]
        except Unsayable as why:
            return self.as_values(f"{why} in a call of {self.name}")
        return self.as_call(arguments)

    def bound(self, answer):
        """The slots of the results; none if each is a tensor that the program knows."""
        slots = self.recorder.slots
        many = tensors_of(answer)
        if all(slots.find(one) is not None for one in many):
            return []
        return [slots.bind(one) for one in many]

    # --- ops that the table lacks

    def can_be_followed(self):
        """Whether the op is the script's own, with kernels in Python for all that the call does."""
        def has_kernel(*keys):
            return any(f"{self.op.namespace}/{self.name}/{key}" in torch.library._impls for key in keys)

        tensors = [one for one in (*self.args, *self.kwargs.values()) if isinstance(one, torch.Tensor)]
        if not has_kernel("CPU", "CompositeExplicitAutograd") or any(torch._is_functional_tensor(one) for one in tensors):
            return False
        recorded = torch.is_grad_enabled() and any(one.requires_grad for one in tensors)
        return not recorded or has_kernel("Autograd", "AutogradCPU")  # else the fallback for autograd sees the call

    def as_its_kernels(self):
        """Runs the op's kernels, whose own calls are written."""
        recorder, schema = self.recorder, self.op._schema
        recorder.note(f"the op {schema.name} is not part of a program: what its kernels do is written in its place", same=not schema.is_mutable)
        recorder.journal.about(str(self.op), recorder.line())
        answer = self.op.redispatch(self.keys.remove(KEY), *self.args, **self.kwargs)
        for tensor in tensors_of(answer):
            try:
                recorder.slot(tensor)  # a kernel may make it without a call, from NumPy's array for example
            except Unsayable as why:
                recorder.note(f"{why} is not part of a program")
        return answer

    def as_values(self, why):
        """Runs the op, and writes what it did."""
        recorder = self.recorder
        try:
            answer = self.original()
        except Exception:
            recorder.note(f"{why} is not part of a program, and neither is the error that it raised", same=True)
            raise
        written = [one for argument, one in self.given() if argument.alias_info is not None and argument.alias_info.is_write]
        try:
            for tensor in written:
                self.write_elements(tensor, why)
            for tensor in tensors_of(answer):
                if recorder.slots.find(tensor) is None and not any(tensor is one for one in written):
                    self.write_result(tensor, why)
        except Unsayable as why_not:
            recorder.note(f"{why} is not part of a program, and neither is what it did: {why_not}")
        return answer

    def write_elements(self, tensor, why):
        recorder = self.recorder
        found = recorder.slots.find(tensor)
        if found is None:
            return
        if self.name.startswith(("resize", "set_")) or tensor.numel() == 0:
            recorder.slots.forget(tensor)
            raise Unsayable("it changed the tensor's memory")
        with recorder.paused():
            values = tensor.detach().clone()
        slot = recorder.make(values)
        recorder.note(f"{why} is not part of a program: what it wrote is written by copy_", same=not tensor.requires_grad)
        recorder.write({"do": "call", "op": "copy_", "arguments": [{"slot": found}, {"slot": slot}, False], "results": []})

    def write_result(self, tensor, why):
        recorder = self.recorder
        of = self.viewed(tensor)
        if of is not None:
            arguments = [{"slot": recorder.slot(of)}, list(tensor.shape), list(tensor.stride()), tensor.storage_offset()]
            recorder.note(f"{why} is not part of a program: its view is written as as_strided", same=True)
            recorder.write({"do": "call", "op": "as_strided", "arguments": arguments, "results": [recorder.slots.bind(tensor)]})
            return
        with recorder.paused():
            plain = tensor.detach()
        slot, gradient = recorder.make(plain, tensor.requires_grad), ""
        if tensor.requires_grad:  # what follows may need a tensor with a history
            gradient, leaf, slot = ", without its history", slot, recorder.slots.nothing()
            recorder.write({"do": "call", "op": "clone", "arguments": [{"slot": leaf}, None], "results": [slot]})
        recorder.slots.bind_to(tensor, slot)
        recorder.note(f"{why} is not part of a program: its result is written as values{gradient}", same=not tensor.requires_grad)

    def viewed(self, tensor):
        """The argument that the result is a view of, if any."""
        for argument, given in self.given():
            if argument.alias_info is not None and not argument.alias_info.is_write and isinstance(given, torch.Tensor):
                if given.untyped_storage()._cdata == tensor.untyped_storage()._cdata:
                    return given
        return None
