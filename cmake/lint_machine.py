"""The machine is the one place: `reference/` and the machine of the proofs ask no rule of the invariants except through `spec/machine/`.

A rule of the invariants is a function of the headers below that takes a judge; of AUT, those that check something. EXCEPT lists what is
still asked directly, each with the reason; an entry that nothing needs is a problem, so the list can only shrink.
"""
import re

HEADERS = {"spec/rules/inf.h": r"\w+", "spec/rules/ver.h": r"\w+", "spec/rules/view.h": r"\w+", "spec/rules/tls.h": r"\w+",
           "spec/rules/key.h": r"\w+", "spec/rules/aut.h": r"check_\w+|is_leaf|requires_grad", "spec/rules/aut_backward.h": r"check_\w+",
           "spec/rules/aut_create_graph.h": r"check_\w+", "spec/rules/aut_fallback.h": r"check_\w+", "spec/rules/aut_grad.h": r"check_\w+",
           "spec/rules/aut_hooks.h": r"check_\w+", "spec/rules/aut_inputs.h": r"check_\w+"}
SCOPE = re.compile(r"reference/(?!.*\btests/).*\.(h|cpp)|spec/proofs/machine\w*\.h")
EXCEPT = {
    "default_tls": "the first state of a thread, before any statement",
    "version_number": "the proofs' versions do not wrap around",
    "gradient_counted": "the gradients inside the engine are values of the reference alone",
    "scatter_gives_view": "which ops a backend's kernel calls inside: the kernel's contract",
    "stack_gives_view": "which ops a backend's kernel calls inside: the kernel's contract",
    "unsafe_pieces_tracked": "which ops a backend's kernel calls inside: the kernel's contract",
    "check_expandable": "about the sizes of a gradient, which is no tensor yet",
    "check_gradient_count": "about how many gradients a custom backward returned",
    "check_real_part": "about the parts of a gradient, which is no tensor yet",
}
ASKING = re.compile(r"(?<![\w.>])(?P<where>(?:\w+::)*)(?P<name>\w+)(?:<[^<>()]*>)?\(\s*[\w.]*judge\w*\b")


def rules_of_invariants(texts):
    """The names of the functions, from the headers' texts by path."""
    names = set()
    for header, wanted in HEADERS.items():
        asked = re.findall(r"\b(\w+)\(const Judge<D>& judge\b", texts[header])
        names |= {name for name in asked if re.fullmatch(wanted, name)}
    return names


def asked_outside(texts):
    """Problems, as the lints print them."""
    names = rules_of_invariants(texts)
    needed = set()
    for path, text in texts.items():
        if not SCOPE.fullmatch(path):
            continue
        for match in ASKING.finditer(text):
            name = match["name"]
            if name not in names or match["where"].endswith(("machine::", "reference::")):
                continue
            needed.add(name)
            if name not in EXCEPT:
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path}:{line}: {name} is a rule of the invariants, which only spec/machine/ asks; call the machine instead"
    for name in sorted(EXCEPT.keys() - needed):
        yield f"cmake/lint_machine.py:1: nothing asks {name} directly any more; remove it from EXCEPT"
