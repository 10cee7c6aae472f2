"""A small backend that speaks docs/PROTOCOL.md: float32 tensors of one dimension, four ops, and inference mode."""
import json
import struct
import sys

FIELDS = ("dtype sizes strides offset values storage keys is_inference version requires_grad is_leaf grad_fn is_view base "
          "creation_meta grad").split()  # in the order in which a snapshot lists them
SHOWN = ("dtype", "sizes", "values", "is_inference")
DESCRIPTION = {
    "protocol": 3, "name": "mine", "version": "0.1", "profile": "sound", "errors": "class", "ulps": 0,
    "fields": {field: "exact" if field in SHOWN else "ignore" for field in FIELDS},
    "thread": {"inference_mode": "exact", "grad_mode": "ignore", "included": "ignore", "excluded": "ignore"}}


class Unsupported(Exception):
    """This backend cannot run the script."""


def call(op, arguments, slots, inference_mode):
    """Runs one op, and returns its result and the class of its error. One of the two is None."""
    if op in ("zeros", "ones") and len(arguments[0]) == 1 and arguments[1] in (None, "float32"):
        return {"values": [float(op == "ones")] * arguments[0][0], "is_inference": inference_mode}, None
    if op not in ("add.Tensor", "add_.Tensor") or arguments[2] != 1 or not isinstance(arguments[1], int):
        raise Unsupported(f"the op {op}, or its arguments")
    this = slots[arguments[0]["slot"]]
    values = [struct.unpack("f", struct.pack("f", value + arguments[1]))[0] for value in this["values"]]
    if op == "add.Tensor":
        return {"values": values, "is_inference": inference_mode}, None
    if this["is_inference"] and not inference_mode:
        return None, "inference_inplace"
    this["values"] = values
    return this, None


def read(tensor, field):
    return {"dtype": "float32", "sizes": [len(tensor["values"])], "values": {"floats": tensor["values"]},
            "is_inference": tensor["is_inference"]}.get(field, {"unsupported": True})


def run(script):
    slots, modes, blocks, outcomes, skipped = {}, [False], [], [], 0
    for index, statement in enumerate(script["statements"]):
        do, outcome, error = statement["do"], {"statement": index}, None
        if skipped:  # an error skips the rest of its `try`
            skipped += (do == "try") - (do == "end_try")
            if skipped:
                continue
        if do == "call" and not statement.get("requires_grad"):
            result, error = call(statement["op"], statement["arguments"], slots, modes[-1])
            slots.update({slot: result for slot in statement["results"] if not error})
        elif do == "enter" and statement["guard"] == "inference_mode":
            modes.append(statement["value"])
        elif do == "exit":
            modes.pop()
        elif do == "try":
            blocks.append(len(modes))
        elif do == "end_try":
            del modes[blocks.pop():]
        elif do == "read" and statement["field"] in SHOWN:
            outcome["reading"] = read(slots[statement["tensor"]], statement["field"])
        elif do == "snapshot":
            outcome["thread"] = [modes[-1]] + [{"unsupported": True}] * 3
            outcome["tensors"] = [{"tensor": slot, "fields": [read(slots[slot], field) for field in FIELDS]} for slot in sorted(slots)]
        else:
            raise Unsupported(f"the statement {do}, or its arguments")
        outcomes.append(outcome)
        if error:
            outcome["error"] = {"class": error, "message": "my backend refuses this", "exception": "RuntimeError"}
            if not blocks:
                return {"completed": False, "outcomes": outcomes}
            skipped = 1
    return {"completed": True, "outcomes": outcomes}


for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "stop":
        break
    answer = DESCRIPTION
    if request["cmd"] != "start":
        try:
            answer = {"id": request["id"], "trace": run(request["script"])}
        except Unsupported as why:
            answer = {"id": request["id"], "unsupported": str(why)}
    print(json.dumps(answer), flush=True)
