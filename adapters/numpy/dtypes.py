"""The protocol's dtypes in NumPy, and PyTorch's type promotion, which differs from NumPy's."""
import functools
import numpy as np
from refusal import Unsupported

DTYPES = {name: np.dtype(name) for name in ("bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64")}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
FLOAT = DTYPES["float32"]  # PyTorch's default dtype; NumPy's is float64


def dtype_of(name):
    """The dtype named `name`, or None."""
    return None if name is None else DTYPES[name]


def name_of(array):
    if array.dtype not in NAMES:
        raise Unsupported(f"the protocol has no dtype {array.dtype}")
    return array.dtype.name


def is_float(dtype):
    return dtype.kind == "f"


def number_dtype(number):
    """The dtype that PyTorch gives to a Python number."""
    return DTYPES["bool"] if isinstance(number, bool) else DTYPES["int64"] if isinstance(number, int) else FLOAT


def category(dtype):
    """bool, integers and floats: PyTorch lets an operand of a lower priority raise the category, not the dtype."""
    return {"b": 0, "u": 1, "i": 1, "f": 2}[dtype.kind]


def joined(a, b):
    """The dtype of two operands of one rank. Within a category NumPy promotes as PyTorch does."""
    if category(a) == category(b):
        return np.promote_types(a, b)
    return a if category(a) > category(b) else b


def promoted(*operands):
    """The result dtype of PyTorch for arrays and numbers: arrays with dimensions first, then those without, then numbers.

    NumPy (NEP 50) treats arrays without dimensions like the others, promotes int64 with float32 to float64, and an int array with a
    Python float to float64.
    """
    groups = ([], [], [])
    for operand in operands:
        if not isinstance(operand, np.ndarray):
            groups[2].append(number_dtype(operand))
        else:
            groups[0 if operand.ndim else 1].append(operand.dtype)
    result = None
    for group in groups:
        for dtype in [functools.reduce(joined, group)] if group else []:
            if result is None or category(dtype) > category(result):
                result = dtype
    return result


def floating(dtype):
    """The dtype in which PyTorch divides, or takes exp, of `dtype`: NumPy would take float64 for integers, and float16 for bool."""
    return dtype if is_float(dtype) else FLOAT
