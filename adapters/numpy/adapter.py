"""NumPy as a Plumbline adapter: the conversation of docs/PROTOCOL.md on standard input and output."""
import json
import sys
import numpy as np
from readings import FIELDS, SHOWN, THREAD
from refusal import Unsupported
from walk import Walk

DESCRIPTION = {
    "protocol": 3, "name": "numpy", "version": np.__version__, "profile": "sound", "errors": "kind", "ulps": 4,
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
