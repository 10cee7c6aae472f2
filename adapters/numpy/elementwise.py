"""Element-wise ops: ufuncs, whose dtype is stated where PyTorch's promotion differs from NumPy's."""
import numpy as np
from dtypes import DTYPES, floating, promoted
from refusal import lacks

BOOL = DTYPES["bool"]


def apply(ufunc, operands, dtype, out=...):
    """`ufunc` in `dtype`. `out=...` makes an array also of a result without dimensions, which is a scalar otherwise."""
    return ufunc(*operands, out=out, dtype=dtype, casting="same_kind")


def binary(ufunc):
    def run(x, y, out=...):
        return apply(ufunc, (x, y), promoted(x, y), out)

    return run


def scaled(ufunc):
    """x + alpha * y, or with -."""
    def run(x, y, alpha, out=...):
        dtype = promoted(x, y)
        if alpha is not True and alpha != 1:
            y = apply(np.multiply, (y, alpha), dtype)
        return apply(ufunc, (x, y), dtype, out)

    return run


def divide(x, y, out=...):
    return apply(np.true_divide, (x, y), floating(promoted(x, y)), out)


def negative(x, out=...):
    return apply(np.negative, (x,), x.dtype, out)


def unary_float(ufunc):
    def run(x, out=...):
        return apply(ufunc, (x,), floating(x.dtype), out)

    return run


def comparison(ufunc):
    def run(x, y, out=...):
        dtype = promoted(x, y)  # in which both are compared; a ufunc's `dtype` would be the result's
        return ufunc(x, y, out=out, signature=(dtype, dtype, BOOL), casting="same_kind")

    return run


def relu(x, out=...):
    return apply(np.maximum, (x, x.dtype.type(0)), x.dtype, out)


def in_place(op):
    """`op` that writes its first argument."""
    def run(x, *rest):
        return op(x, *rest, out=x)

    return run


def where(condition, x, y):
    """np.where promotes as NumPy does, so both branches get PyTorch's dtype first."""
    dtype = promoted(x, y)
    return np.where(condition, np.asarray(x).astype(dtype, copy=False), np.asarray(y).astype(dtype, copy=False))


def masked_fill(x, mask, value):
    return np.where(mask, x.dtype.type(value), x)


def masked_fill_(x, mask, value):
    x[np.broadcast_to(mask, x.shape)] = value
    return x


def fill_(x, value):
    x[...] = value
    return x


def copy_(x, source, non_blocking):
    np.copyto(x, source, casting="unsafe")  # copy_ converts every dtype
    return x


add, subtract, multiply = scaled(np.add), scaled(np.subtract), binary(np.multiply)
exp, tanh, sqrt = unary_float(np.exp), unary_float(np.tanh), unary_float(np.sqrt)
greater, greater_equal, equal = comparison(np.greater), comparison(np.greater_equal), comparison(np.equal)

OPS = {
    "add.Tensor": add, "add_.Tensor": in_place(add), "add.out": add,
    "sub.Tensor": subtract, "sub_.Tensor": in_place(subtract), "sub.out": subtract,
    "mul.Tensor": multiply, "mul_.Tensor": in_place(multiply), "mul.out": multiply,
    "div.Tensor": divide, "div_.Tensor": in_place(divide), "div.out": divide,
    "neg": negative, "neg_": in_place(negative), "neg.out": negative,
    "exp": exp, "exp_": in_place(exp), "exp.out": exp,
    "tanh": tanh, "tanh_": in_place(tanh), "tanh.out": tanh,
    "sqrt": sqrt, "sqrt_": in_place(sqrt), "sqrt.out": sqrt,
    "relu": relu, "relu_": in_place(relu),
    "gt.Tensor": greater, "gt.Scalar": greater, "gt.Tensor_out": greater, "gt.Scalar_out": greater,
    "ge.Tensor": greater_equal, "ge.Scalar": greater_equal, "ge.Tensor_out": greater_equal, "ge.Scalar_out": greater_equal,
    "eq.Tensor": equal, "eq.Scalar": equal, "eq.Tensor_out": equal, "eq.Scalar_out": equal,
    "where.self": where, "masked_fill.Scalar": masked_fill, "masked_fill_.Scalar": masked_fill_,
    "fill_.Scalar": fill_, "zero_": lambda x: fill_(x, 0), "copy_": copy_,
    "threshold_backward": lacks("derivatives"), "tanh_backward": lacks("derivatives"),
}
