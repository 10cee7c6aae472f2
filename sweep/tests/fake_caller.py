#!/usr/bin/env python3
"""A caller for tests: it answers as the operator's name says."""
import json
import os
import signal
import sys
import time

OPERATOR = {"name": "fake::f", "overload": "", "schema": "fake::f() -> ()", "arguments": [], "results": [], "kernels": ["CPU"], "tags": []}
EMPTY = {"error": "", "error_type": "", "before": [], "after": [], "results": []}

for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "operators":
        if sys.argv[1] == "dies_at_once":
            sys.exit(1)
        operators = [{}] if sys.argv[1] == "bad_list" else [OPERATOR]
        print(json.dumps({"operators": operators, "version": "3"}), flush=True)
        continue
    op = request["experiment"]["op"]
    if op == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif op == "exit":
        sys.exit(7)
    elif op == "hang":
        time.sleep(600)
    elif op == "garbage":
        print(json.dumps({"odd": 1}), flush=True)
        continue
    elif op == "cannot":
        print(json.dumps({"unsupported": "not today"}), flush=True)
        continue
    elif op == "prints":
        print("some text of its own", flush=True)
    print(json.dumps({"observation": EMPTY}), flush=True)
