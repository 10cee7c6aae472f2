"""NumPy as a Plumbline adapter: the conversation of docs/PROTOCOL.md on standard input and output."""
import json
import sys
import warnings
import numpy as np
from readings import FIELDS, SHOWN, THREAD
from refusal import Unsupported, had
from dtypes import DTYPES
from walk import OPS, Walk

# `errors` is "kind": NumPy refuses with its own errors, and where a program expects one, it is compared whether there is one. The walk answers
# `unsupported` where NumPy succeeds although the program expects an error (it cannot see the refusals of inference mode, and has no checks
# of overlap), and where NumPy refuses what the program expects to succeed. With "ignore" no program that expects an error could pass.
DESCRIPTION = {
    "protocol": 3, "name": "numpy", "version": np.__version__, "profile": "sound", "errors": "kind", "ulps": 4,
    "level": "aliasing", "ops": had(OPS) + ["resize_"], "dtypes": list(DTYPES),
    "fields": {field: "exact" if field in SHOWN else "ignore" for field in FIELDS},
    "thread": {field: "ignore" for field in THREAD}}


def answer(request):
    if request["cmd"] == "start":
        return DESCRIPTION
    try:
        return {"id": request["id"], "trace": Walk(request["script"]).trace()}
    except Unsupported as why:
        return {"id": request["id"], "unsupported": str(why)}


def main():
    np.seterr(all="ignore")  # a division by zero is a value, not a message
    warnings.simplefilter("ignore", RuntimeWarning)  # so is the mean of nothing
    for line in sys.stdin:
        try:
            request = json.loads(line)
        except ValueError as error:
            sys.exit(f"the request is not JSON: {error}")
        if request["cmd"] == "stop":
            break
        print(json.dumps(answer(request), allow_nan=False), flush=True)


if __name__ == "__main__":
    main()
