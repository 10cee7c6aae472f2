"""Running a captured region once before the run that counts, on other tensors: guards must notice what is different."""
import contextlib
import zlib

import torch


def twins(tensors, shares=True, row_major=False):
    """Other tensors with these elements and sizes, which share memory where these do, unless `shares` is False."""
    storages, made = {}, []
    with torch.no_grad():
        for tensor in tensors:
            if not shares:
                made.append(tensor.detach().clone(memory_format=torch.contiguous_format if row_major else torch.preserve_format))
            else:
                own = tensor.untyped_storage()
                if own._cdata not in storages:
                    storages[own._cdata] = own.clone()
                twin = torch.empty(0, dtype=tensor.dtype)
                made.append(twin.set_(storages[own._cdata], tensor.storage_offset(), tensor.shape, tensor.stride()))
            if made[-1].requires_grad != tensor.requires_grad:
                made[-1].requires_grad_(tensor.requires_grad)
    return made


def with_other_values(tensors):
    changed, done = twins(tensors), set()
    with torch.no_grad():
        for tensor in changed:
            storage = tensor.untyped_storage()
            if storage._cdata not in done and tensor.dtype != torch.bool:
                torch.empty(0, dtype=tensor.dtype).set_(storage).add_(3)
            done.add(storage._cdata)
    return changed, contextlib.nullcontext()


def without_sharing(tensors):
    return twins(tensors, shares=False), contextlib.nullcontext()


def row_major(tensors):
    return twins(tensors, shares=False, row_major=True), contextlib.nullcontext()


def in_another_mode(tensors):
    mode = torch.no_grad() if torch.is_grad_enabled() and not torch.is_inference_mode_enabled() else torch.enable_grad()
    return twins(tensors), mode


KINDS = (with_other_values, without_sharing, row_major, in_another_mode)


def warm_up(captured, text, inputs):
    """One run that is not compared; the region's text says of which kind, so that it is always the same."""
    with contextlib.suppress(Exception):  # the run that counts raises, or not, by itself
        tensors, mode = KINDS[zlib.crc32(text.encode()) % len(KINDS)](inputs)
        with mode:
            captured(*tensors)
