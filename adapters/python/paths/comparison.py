"""The part of a standalone file that compares two runs: plain text, since the file imports nothing of Plumbline."""
import string

FACTS = {  # by the field of docs/PROTOCOL.md that shows it: what a person calls it, and how Python reads it of the tensor `x`
    "values": ("the values", "x.tolist()"),
    "dtype": ("the dtype", "x.dtype"),
    "sizes": ("the size", "tuple(x.shape)"),
    "strides": ("the stride", "x.stride()"),
    "offset": ("the storage offset", "x.storage_offset()"),
    "requires_grad": ("requires_grad", "x.requires_grad"),
    "grad_fn": ("whether there is a grad_fn", "x.grad_fn is not None"),
    "is_leaf": ("is_leaf", "x.is_leaf"),
    "is_inference": ("is_inference()", "x.is_inference()"),
    "is_view": ("_is_view()", "x._is_view()"),
    "version": ("_version", "x._version"),
    "creation_meta": ("the creation_meta", "torch._C._autograd._get_creation_meta(x).name if x._is_view() else None"),
    "keys": ("the dispatch keys", "str(torch._C._dispatch_keys(x))"),
    "grad": ("the values of .grad", "None if x.grad is None else x.grad.tolist()"),
}
OF_TWO = {  # of the tensors `x` and `y`
    "storage": ("which tensors share its memory", "x.untyped_storage()._cdata == y.untyped_storage()._cdata"),
    "base": ("which tensor is its _base", "x._base is y"),
}

SAME = """\
def same(one, other):
    return repr(one) == repr(other)  # of NaN too
"""
ROUNDED = """\
def same(one, other):
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return repr(one) == repr(other) or math.isclose(one, other, rel_tol=1e-6)  # compiled kernels may round otherwise
    return one == other
"""
VERSION_CHANGES = """\
            if name in versions and versions[name][0] is x:
                seen[f"line {line}: {name}: whether _version has changed"] = noted(lambda x: x._version, x) != versions[name][1]
            versions[name] = x, noted(lambda x: x._version, x)
"""
COMPARISON = string.Template("""\
NAME = $label
FACTS = $facts

def noted(read, *tensors):
    try:
        return read(*tensors)
    except Exception as error:
        return f"reading it raises {type(error).__name__}"


$same

def observed(run):
    \"\"\"What a caller of `program` sees where it looks, and which lines raise an error.\"\"\"
    seen, errors, versions = {}, {}, {}

    def look(variables):
        line = sys._getframe(1).f_lineno
        seen[f"line {line}: grad mode, inference mode"] = torch.is_grad_enabled(), torch.is_inference_mode_enabled()
        tensors = {name: x for name, x in variables.items() if isinstance(x, torch.Tensor) and not name.startswith("_")}
        for name, x in tensors.items():
            for fact, read in FACTS.items():
                seen[f"line {line}: {name}: {fact}"] = noted(read, x)
            for fact, read in FACTS_OF_TWO.items():
                seen[f"line {line}: {name}: {fact}"] = [other for other, y in tensors.items() if y is not x and noted(read, x, y)]
$versions
    def raised(error, line=None):
        error = getattr(error, "inner_exception", error)  # of a backend
        errors[line or sys._getframe(1).f_lineno] = f"{type(error).__name__}: {error}".split("\\n")[0]

    look.raised = raised
    try:
        program(run, look)
    except Exception as error:
        raised(error, error.__traceback__.tb_next.tb_lineno)
    return seen, errors


def differences(one, two):
    (seen, errors), (seen_too, errors_too) = one, two
    found = [(f"line {line}", errors.get(line, "no error"), errors_too.get(line, "no error"))
             for line in sorted({*errors, *errors_too}) if (line in errors) != (line in errors_too)]
    return found + [(what, seen[what], seen_too[what]) for what in seen if what in seen_too and not same(seen[what], seen_too[what])]


if __name__ == "__main__":
    found = differences(observed(lambda region, *inputs: region(*inputs)), observed(captured))
    for what, eager, other in found:
        print(f"{what}: eager PyTorch: {eager}; {NAME}: {other}")
    print("They differ." if found else "No difference.")
    sys.exit(1 if found else 0)
""")


def facts_text(relaxed):
    """The facts that a path keeps, as the text of two tables. `relaxed`: how it compares the others."""
    def table(facts, parameters):
        kept = [(name, read) for field, (name, read) in facts.items() if field not in relaxed]
        return "{\n" + "".join(f'    "{name}": lambda {parameters}: {read},\n' for name, read in kept) + "}\n"

    return f"{table(FACTS, 'x')}FACTS_OF_TWO = {table(OF_TWO, 'x, y')}"
