#!/usr/bin/env python3
"""A fake adapter that answers every program with an empty trace, and misbehaves as its first argument says.

A program's own words steer it: slots named `crash`, `hang`, … make the program that names them do so. As
`fake.py on OP HOW` it behaves as HOW says on programs that call OP (`any`: on all), and cannot run the others; a further
argument only marks the process.
"""
import json
import os
import random
import signal
import sys
import time

FIELDS = ("dtype sizes strides offset values storage keys is_inference version requires_grad is_leaf grad_fn is_view "
          "base creation_meta grad").split()
DESCRIPTION = {
    "protocol": 3, "name": "fake", "version": "1", "profile": "torch-2.13", "fields": {f: "exact" for f in FIELDS},
    "thread": {f: "ignore" for f in ("inference_mode", "grad_mode", "included", "excluded")}, "errors": "kind",
    "ulps": 0}


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def misbehave(how, request):
    if how == "crash":
        sys.stderr.write("about to crash\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGSEGV)
    elif how == "abort":
        os.kill(os.getpid(), signal.SIGABRT)
    elif how == "exit":
        sys.stderr.write("x" * 10000 + "the last words\n")
        sys.exit(7)
    elif how == "exit_quietly":
        sys.exit(0)
    elif how == "hang":
        time.sleep(600)
    elif how == "trickle":
        while True:
            say(" ")
    elif how == "hang_once":  # the file in the argument records that it hung
        if not os.path.exists(sys.argv[2]):
            open(sys.argv[2], "w").close()
            time.sleep(600)
    elif how == "crash_once":
        if not os.path.exists(sys.argv[2]):
            open(sys.argv[2], "w").close()
            misbehave("crash", request)
    elif how == "garbage":
        say("Traceback (most recent call last):\n")
    elif how == "half_line":
        say('{"id":%d,"tra' % request["id"])
        sys.exit(0)
    elif how == "crash_half_line":
        say('{"id":%d,"tra' % request["id"])
        os.kill(os.getpid(), signal.SIGABRT)
    elif how == "wrong_id":
        say('{"id":%d,"unsupported":"no"}\n' % (request["id"] + 1))
    elif how == "bad_trace":
        say('{"id":%d,"trace":{"completed":true,"outcomes":[{"statement":99}]}}\n' % request["id"])
    elif how == "gigabytes":
        block = "x" * (1 << 20)
        while True:
            say(block)
    elif how == "stderr_flood":
        for _ in range(200):
            sys.stderr.write("y" * (1 << 16))
    elif how == "stderr_forever":
        while True:
            sys.stderr.write("y" * (1 << 16))
    elif how == "close_output":
        os.close(1)
        time.sleep(600)
    elif how == "unsupported":
        say('{"id":%d,"unsupported":"not today"}\n' % request["id"])
        return True
    elif how == "leak":
        say('{"id":%d,"leak":"grad mode is off"}\n' % request["id"])
        sys.stdin.readline()  # it is ended
        return True
    elif how == "count":
        say('{"id":%d,"trace":{"completed":true,"outcomes":[]},"counts":{"graphs":2}}\n' % request["id"])
        return True
    elif how == "leave_child":  # a grandchild that would outlive the adapter
        if os.fork() == 0:
            time.sleep(600)
    elif how in ("die_at_random", "die_at_random_or_cannot"):
        if random.random() < 0.2:
            os.kill(os.getpid(), random.choice([signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM]))
        return how == "die_at_random_or_cannot" and misbehave("unsupported", request)
    elif how == "wrong_order":  # answers the next request first
        second = json.loads(sys.stdin.readline())
        for each in (second, request):
            say('{"id":%d,"unsupported":"no"}\n' % each["id"])
        return True
    elif how == "memory":
        hoard = []
        while True:
            hoard.append(b"x" * (16 << 20))
    elif how == "memory_of_a_child":
        if os.fork() == 0:
            misbehave("memory", request)
        time.sleep(600)
    elif how == "deep":
        say("[" * 10_000_000 + "]" * 10_000_000 + "\n")
    elif how == "wide":
        say('{"id":%d,"trace":{"completed":true,"outcomes":[%s[]]}}\n' % (request["id"], "[]," * 20_000_000))
    elif how == "long_message":
        say('{"id":%d,"unsupported":"%s"}\n' % (request["id"], "x" * 5_000_000))
    return False


def how_to_answer(request):
    """What the request's program, or the arguments, say."""
    if len(sys.argv) > 3 and sys.argv[1] == "on":
        called = [s.get("op", "") for s in request["script"]["statements"]]
        return sys.argv[3] if sys.argv[2] == "any" or sys.argv[2] in called else "unsupported"
    names = request["script"]["names"]
    return names[0] if names else sys.argv[1] if len(sys.argv) > 1 else ""


STARTS = {
    "shows": lambda: json.dumps(DESCRIPTION | {"shows": True}),
    "bad_start": lambda: "hello",
    "huge_start": lambda: "x" * (70 << 20),
    "deep_start": lambda: "[" * 10_000_000,
    "huge_name": lambda: json.dumps(DESCRIPTION | {"name": "x" * (1 << 20)}),
    "odd_name": lambda: json.dumps(DESCRIPTION | {"name": "\x1b[2Jfake\n"}),
    "odd_profile": lambda: json.dumps(DESCRIPTION | {"profile": "torch-99"}),
    "huge_ulps": lambda: json.dumps(DESCRIPTION | {"ulps": 1 << 62}),
    "odd_fields": lambda: json.dumps(DESCRIPTION | {"fields": {str(i): "exact" for i in range(1_000_000)}}),
}


def main():
    mode = sys.argv[1] if len(sys.argv) > 1 else ""
    lives = None  # how many requests the damaged process still answers
    for line in sys.stdin:
        request = json.loads(line)
        if request["cmd"] == "stop":
            if mode == "deaf":
                time.sleep(600)
            return
        if request["cmd"] == "start":
            if mode in STARTS:
                say(STARTS[mode]() + "\n")
            elif mode == "die_at_start":
                sys.exit("cannot find my library")
            elif mode == "start_once":
                if os.path.exists(sys.argv[2]):
                    sys.exit("no second start")
                open(sys.argv[2], "w").close()
                say(json.dumps(DESCRIPTION) + "\n")
            else:
                say(json.dumps(DESCRIPTION) + "\n")
            continue
        if misbehave(how_to_answer(request), request):
            continue
        if request["cmd"] == "show":  # it is asked for a restart, so a later request must not come
            number = request["id"] + (how_to_answer(request) == "other_id")
            say(json.dumps({"id": number, "file": request["found"], "fails": request["statement"] == 1, "output": "x\n",
                            "sections": [{"title": "a graph", "text": "g"}], "restart": True}) + "\n")
            lives = 0
            continue
        if lives == 0:
            misbehave("abort", request)
        lives = lives and lives - 1
        outcomes = [{"statement": i} for i in range(len(request["script"]["statements"]))]
        answer = {"id": request["id"], "trace": {"completed": True, "outcomes": outcomes}}
        how = how_to_answer(request)
        if how.startswith("break"):  # can answer this, and nothing after it
            lives = 0
            answer["restart"] = how == "break_and_say_so"
        if how == "damage":
            lives = 2
        say(json.dumps(answer) + "\n")


main()
