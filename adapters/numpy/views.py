"""Views: the same memory with other sizes, strides and offset, and the in-place ones that NumPy has."""
import numpy as np
from dtypes import dtype_of
from readings import owner
from refusal import Unsupported, lacks


def along(x, dim, index):
    """The index of a whole array but for `index` in dimension `dim`; the `...` keeps a result without dimensions an array."""
    dim = np.lib.array_utils.normalize_axis_index(dim, x.ndim)
    return (slice(None),) * dim + (index, Ellipsis)


def view(x, size):
    return x.reshape(size, copy=False)


def select(x, dim, index):
    return x[along(x, dim, index)]


def slice_(x, dim, start, end, step):
    return x[along(x, dim, slice(start, end, step))]


def narrow(x, dim, start, length):
    start += x.shape[dim] if start < 0 else 0  # x[-1:0] would be empty
    return slice_(x, dim, start, start + length, 1)


def transpose(x, dim0, dim1):
    return x.swapaxes(dim0, dim1)


def t(x):
    return x.T


def permute(x, dims):
    return x.transpose(dims)


def movedim(x, source, destination):
    return np.moveaxis(x, source, destination)


def expand(x, size, implicit=False):
    old = (None,) * (len(size) - x.ndim) + x.shape
    return np.broadcast_to(x, [have if want == -1 and have is not None else want for want, have in zip(size, old, strict=True)])


def squeeze(x):
    return np.squeeze(x)


def squeeze_dim(x, dim):
    return np.squeeze(x, axis=dim)


def unsqueeze(x, dim):
    return np.expand_dims(x, dim)


def diagonal(x, by, dim1, dim2):
    return np.diagonal(x, by, dim1, dim2)


def unfold(x, dim, size, step):
    windows = np.lib.stride_tricks.sliding_window_view(x, size, axis=dim, writeable=x.flags.writeable)
    return slice_(windows, np.lib.array_utils.normalize_axis_index(dim, x.ndim), None, None, step)


def as_strided(x, size, stride, storage_offset):
    """np.ndarray over the owner's memory. np.lib.stride_tricks.as_strided has no offset, and does not check the memory's bounds."""
    at = storage_offset
    if at is None:
        at = (x.ctypes.data - owner(x).ctypes.data) // x.itemsize
    memory = owner(x).ravel(order="K")
    result = np.ndarray(size, x.dtype, buffer=memory, offset=at * x.itemsize, strides=[by * x.itemsize for by in stride])
    result.flags.writeable = x.flags.writeable
    return result


def split(x, size, dim):
    if size < 1:
        raise Unsupported("NumPy has no split into pieces of no elements")
    return np.split(x, range(size, x.shape[dim], size), axis=dim)


def split_with_sizes(x, sizes, dim):
    return np.split(x, np.cumsum(sizes, dtype=np.intp)[:-1], axis=dim)


def chunk(x, chunks, dim):
    return np.array_split(x, chunks, axis=dim)


def unbind(x, dim):
    """np.unstack would return scalars, which are copies, of an array of one dimension."""
    return [select(x, dim, i) for i in range(x.shape[dim])]


def flatten(x, start, end):
    start, end = (np.lib.array_utils.normalize_axis_index(dim, max(x.ndim, 1)) for dim in (start, end))
    return x.reshape(x.shape[:start] + (-1,) + x.shape[end + 1:])


def view_dtype(x, dtype):
    return x.view(dtype_of(dtype))


def squeeze_(x):
    x.shape = np.squeeze(x).shape
    return x


def squeeze_dim_(x, dim):
    x.shape = np.squeeze(x, axis=dim).shape
    return x


def unsqueeze_(x, dim):
    x.shape = np.expand_dims(x, dim).shape
    return x


VIEWS = {
    "view": view, "select.int": select, "slice.Tensor": slice_, "narrow": narrow, "transpose.int": transpose, "t": t, "permute": permute,
    "expand": expand, "squeeze": squeeze, "squeeze.dim": squeeze_dim, "unsqueeze": unsqueeze, "diagonal": diagonal, "unfold": unfold,
    "as_strided": as_strided, "split.Tensor": split, "split_with_sizes": split_with_sizes, "unbind.int": unbind,
    "alias": lambda x: x.view(), "detach": lambda x: x.view(), "view.dtype": view_dtype,
}

OPS = {
    **VIEWS,
    "reshape": lambda x, size: x.reshape(size), "flatten.using_ints": flatten, "chunk": chunk, "movedim.int": movedim,
    "contiguous": lambda x, memory_format: np.asarray(x, order="C"),
    "view_as": lambda x, other: view(x, other.shape), "expand_as": lambda x, other: expand(x, other.shape),
    "squeeze_": squeeze_, "squeeze_.dim": squeeze_dim_, "unsqueeze_": unsqueeze_, "detach_": lambda x: x,
    "transpose_": lacks("transpose in place"), "t_": lacks("transpose in place"),
    "as_strided_": lacks("strides that change in place"), "set_.source_Tensor": lacks("array that takes the memory of another"),
    "_unsafe_view": lacks("unsafe views"), "unsafe_split.Tensor": lacks("unsafe views"),
}
