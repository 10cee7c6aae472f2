"""Reductions, products of matrices, joining, and indices."""
import numpy as np
from dtypes import DTYPES, dtype_of, is_float, promoted
from elementwise import apply
from refusal import lacks


def sum_dtype(x, dtype):
    return dtype_of(dtype) or (x.dtype if is_float(x.dtype) else DTYPES["int64"])


def sum_(x, dim, keepdim, dtype, out=None):
    if out is not None:
        return np.sum(x, axis=axes(dim), dtype=sum_dtype(x, dtype), keepdims=keepdim, out=out)
    return np.asarray(np.sum(x, axis=axes(dim), dtype=sum_dtype(x, dtype), keepdims=keepdim))


def axes(dim):
    return tuple(dim) if isinstance(dim, list) else dim


def mean(x, dim, keepdim, dtype):
    return np.asarray(np.mean(x, axis=axes(dim), dtype=dtype_of(dtype), keepdims=keepdim))


def max_dim(x, dim, keepdim):
    return np.asarray(np.max(x, axis=dim, keepdims=keepdim)), np.asarray(np.argmax(x, axis=dim, keepdims=keepdim))


def argmax(x, dim, keepdim):
    return np.asarray(np.argmax(x, axis=dim, keepdims=keepdim))


def aminmax(x, dim, keepdim):
    return np.asarray(np.min(x, axis=dim, keepdims=keepdim)), np.asarray(np.max(x, axis=dim, keepdims=keepdim))


def cat(tensors, dim, out=None):
    if out is not None:
        return np.concatenate(tensors, axis=dim, out=out)
    return np.concatenate(tensors, axis=dim, dtype=promoted(*tensors), casting="same_kind")


def stack(tensors, dim):
    return np.stack(tensors, axis=dim, dtype=promoted(*tensors), casting="same_kind")


def matmul(x, y, out=None):
    return np.asarray(np.matmul(x, y, out=out)) if out is None else np.matmul(x, y, out=out)


def dot(x, y):
    return np.asarray(np.dot(x, y))


def addmm(x, a, b, beta, alpha):
    """beta * x + alpha * (a @ b): unlike PyTorch's op, a factor of 0 keeps the nan of its term."""
    product = matmul(a, b)
    dtype = promoted(x, product)
    return apply(np.add, (apply(np.multiply, (x, beta), dtype), apply(np.multiply, (product, alpha), dtype)), dtype)


def index_select(x, dim, index):
    return np.asarray(np.take(x, index, axis=dim))


def gather(x, dim, index, sparse_grad):
    return np.take_along_axis(x, index, axis=dim)


OPS = {
    "sum": lambda x, dtype: sum_(x, None, False, dtype), "sum.dim_IntList": sum_, "sum.IntList_out": sum_,
    "mean": lambda x, dtype: mean(x, None, False, dtype), "mean.dim": mean,
    "max": lambda x: np.asarray(np.max(x)), "max.dim": max_dim, "argmax": argmax, "aminmax": aminmax,
    "_softmax": lacks("softmax"), "softmax.int": lacks("softmax"),
    "cat": cat, "cat.out": cat, "stack": stack,
    "mm": matmul, "mm.out": matmul, "bmm": matmul, "bmm.out": matmul, "mv": matmul, "matmul": matmul, "dot": dot, "addmm": addmm,
    "index_select": index_select, "gather": gather,
}
