"""What runs between the regions of a script, as lines of plain Python in which slot 3 is `s3`."""
from paths.spelling import GUARDS, assigned

EXCLUDED = "torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.{key}))"
GUARDS_BETWEEN = {  # those that can be written; the others of docs/PROTOCOL.md have no form in Python
    **GUARDS,
    "below_autograd": "torch._C._AutoDispatchBelowAutograd()",
    "below_ad_inplace_or_view": "torch._C._AutoDispatchBelowADInplaceOrView()",
    "exclude_key": EXCLUDED,
    "include_key": "torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.{key})",
}


def optional(slot):
    return "None" if slot is None else f"s{slot}"


def listed(slots):
    return f"[{', '.join(optional(slot) for slot in slots)}]"


def keywords(statement, *names):
    """`retain_graph=True`, … of those that a backward has."""
    given = [f"{name}=True" for name in names if statement.get(name)]
    return given + ([f"inputs={listed(statement['inputs'])}"] if statement["do"] == "backward" and "inputs" in statement else [])


def roots(statement):
    """The tensors from which a backward starts, and their gradients."""
    all_roots = [statement, *statement.get("more", [])]
    return listed([root["tensor"] for root in all_roots]), listed([root.get("gradient") for root in all_roots])


def backward(statement):
    more = keywords(statement, "retain_graph", "create_graph")
    if "more" in statement:
        return f"torch.autograd.backward({', '.join([*roots(statement), *more])})"
    given = [] if statement.get("gradient") is None else [optional(statement["gradient"])]
    return f"s{statement['tensor']}.backward({', '.join(given + more)})"


def get_gradients(statement):
    tensors, gradients = roots(statement)
    given = [tensors, listed(statement["inputs"]), gradients, *keywords(statement, "retain_graph", "create_graph", "allow_unused")]
    return assigned(statement["results"], f"torch.autograd.grad({', '.join(given)})", True)


def set_requires_grad(statement):
    tensor, value = f"s{statement['tensor']}", statement["value"]
    return f"{tensor}.requires_grad_({value})" if statement.get("method") else f"{tensor}.requires_grad = {value}"


BETWEEN = {
    "set_requires_grad": set_requires_grad, "backward": backward, "get_gradients": get_gradients,
    "set_data": lambda statement: f"s{statement['tensor']}.data = s{statement['data']}",
    "get_grad": lambda statement: f"s{statement['result']} = s{statement['tensor']}.grad",
    "set_grad": lambda statement: f"s{statement['tensor']}.grad = {optional(statement.get('grad'))}",
    "retain_grad": lambda statement: f"s{statement['tensor']}.retain_grad()",
    "remove_hook": lambda statement: f"handle_{statement['function']}.remove()",
    "manual_seed": lambda statement: f"torch.manual_seed({statement['seed']})",
}
