"""Talking to the Python adapter, for its tests."""
import json
import pathlib
import subprocess
import sys

ADAPTER = pathlib.Path(__file__).with_name("adapter.py")
SNAPSHOT = {"do": "snapshot"}


def call(op, arguments, *results):
    return {"do": "call", "op": op, "arguments": arguments, "results": list(results)}


def registered(*keys):
    """Statements that define the script's operator 0 in the library `lib`, and register its kernel 0 for each of `keys`."""
    return [{"do": "make_library", "library": "lib", "namespace": "mine", "kind": "FRAGMENT"},
            {"do": "define_operator", "library": "lib", "operator": 0},
            *({"do": "add_kernel", "library": "lib", "operator": 0, "key": key, "kernel": 0} for key in keys)]


def converse(requests, *options, environment=None):
    """The adapter's answers, its exit code, and what it wrote to stderr."""
    text = "".join(json.dumps(request) + "\n" for request in [{"cmd": "start", "protocol": 3}, *requests])
    done = subprocess.run([sys.executable, str(ADAPTER), *options], input=text, capture_output=True, text=True, check=False, env=environment)
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode, done.stderr


def runs(*scripts):
    return [{"cmd": "run", "id": i, "script": {"names": ["x", "y", "z"], "statements": list(statements)}} for i, statements in enumerate(scripts)]
