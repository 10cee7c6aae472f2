"""Ops that make memory: factories, copies, copies of views, arrays in which a part is replaced, and resizing."""
import numpy as np
from dtypes import dtype_of, number_dtype, FLOAT
from refusal import lacks
from views import VIEWS, along


def factory(make):
    def run(size, dtype, layout, device, pin_memory, memory_format=None):
        return make(size, dtype_of(dtype) or FLOAT)

    return run


def full(size, value, dtype, layout, device, pin_memory):
    return np.full(size, value, dtype_of(dtype) or number_dtype(value))


def arange(start, end, dtype, layout, device, pin_memory):
    chosen = dtype_of(dtype) or max(number_dtype(start), number_dtype(end), key=lambda d: d == FLOAT)
    return np.arange(start, end, dtype=chosen)


def like(make):
    def run(x, dtype, layout, device, pin_memory, memory_format):
        return make(x, dtype=dtype_of(dtype))

    return run


def full_like(x, value, dtype, layout, device, pin_memory, memory_format):
    return np.full_like(x, value, dtype=dtype_of(dtype))


def new_full(x, size, value, dtype, layout, device, pin_memory):
    return np.full(size, value, dtype_of(dtype) or x.dtype)


def to_dtype(x, dtype, non_blocking, copy, memory_format):
    return x.astype(dtype_of(dtype), copy=copy)


def to_copy(x, dtype, layout, device, pin_memory, non_blocking, memory_format):
    return x.astype(dtype_of(dtype) or x.dtype)


def copy_of(name):
    """The copy of a view: both are one line in NumPy."""
    take = VIEWS[name]

    def run(*arguments):
        views = take(*arguments)
        return [one.copy() for one in views] if isinstance(views, (list, tuple)) else views.copy()

    return run


def scatter(name):
    """A copy in which the part under a view is replaced."""
    take = VIEWS[name]

    def run(x, source, *arguments):
        result = np.copy(x)  # in the layout of x
        take(result, *arguments)[...] = source
        return result

    return run


def index_fill(x, dim, index, value):
    return index_fill_(np.copy(x), dim, index, value)


def index_fill_(x, dim, index, value):
    x[along(x, dim, index)] = value
    return x


OPS = {
    "zeros": factory(np.zeros), "ones": factory(np.ones), "empty.memory_format": factory(np.empty), "full": full,
    "arange": lambda end, *options: arange(0, end, *options), "arange.start": arange, "rand": lacks("generator with the numbers of PyTorch's"),
    "empty_like": like(np.empty_like), "zeros_like": like(np.zeros_like), "ones_like": like(np.ones_like),
    "full_like": full_like, "new_full": new_full,
    "clone": lambda x, memory_format: np.copy(x, order="K"), "to.dtype": to_dtype, "_to_copy": to_copy,
    "alias_copy": copy_of("alias"), "as_strided_copy": copy_of("as_strided"), "detach_copy": copy_of("detach"),
    "diagonal_copy": copy_of("diagonal"), "expand_copy": copy_of("expand"), "permute_copy": copy_of("permute"),
    "select_copy.int": copy_of("select.int"), "slice_copy.Tensor": copy_of("slice.Tensor"), "split_copy.Tensor": copy_of("split.Tensor"),
    "split_with_sizes_copy": copy_of("split_with_sizes"), "squeeze_copy": copy_of("squeeze"), "squeeze_copy.dim": copy_of("squeeze.dim"),
    "t_copy": copy_of("t"), "transpose_copy.int": copy_of("transpose.int"), "unbind_copy.int": copy_of("unbind.int"),
    "unfold_copy": copy_of("unfold"), "unsqueeze_copy": copy_of("unsqueeze"), "view_copy": copy_of("view"),
    "view_copy.dtype": copy_of("view.dtype"),
    "as_strided_scatter": scatter("as_strided"), "diagonal_scatter": scatter("diagonal"), "select_scatter": scatter("select.int"),
    "slice_scatter": scatter("slice.Tensor"),
    "index_fill.int_Scalar": index_fill, "index_fill_.int_Scalar": index_fill_,
}
