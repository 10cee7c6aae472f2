#!/usr/bin/env python3
"""Holds the PyTorch of this Python against the rules: runs programs as Python users write them.

`plumbline run FILE --on python` starts it with the Python of the build, and `--on NAME` with `--path NAME` for the other
ways in which PyTorch runs a program (`plumbline list implementations`). For another PyTorch, device or backend:

  plumbline run FILE --on 'process:/path/to/venv/bin/python adapters/python/adapter.py'
  plumbline run FILE --on 'process:python3 adapters/python/adapter.py --import my_backend --device privateuseone'
  plumbline run FILE --on 'process:python3 adapters/python/adapter.py --import my_compiler --path compile --backend mine'
"""
import argparse
import importlib
import json
import sys
import warnings

from paths import PLACES, path_named


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--path", choices=PLACES, default="eager", help="how PyTorch runs a program (default: eager)")
    parser.add_argument("--device", default="cpu", help="the device of every tensor (default: cpu)")
    parser.add_argument("--import", dest="module", metavar="MODULE", help="a module to import first, which registers a backend")
    parser.add_argument("--profile", help="the profile to be held against (default: that of the nearest PyTorch release)")
    graphs = parser.add_argument_group("for the paths that capture graphs")
    graphs.add_argument("--backend", help="the backend of --path compile, as torch.compile names it")
    graphs.add_argument("--regions", choices=("whole", "each", "random"), default="whole",
                        help="what is captured as one graph: every statement up to the next observation, each by itself, or some")
    graphs.add_argument("--inference-inside", action="store_true",
                        help="let inference mode begin and end inside graphs (default: graphs are split where it does)")
    graphs.add_argument("--dynamic", action="store_true", help="compile with dynamic shapes")
    graphs.add_argument("--warm-up", action="store_true",
                        help="run each region first on other values, aliases, strides or modes, so that its guards must notice")
    graphs.add_argument("--optimize", action="store_true", help="let Inductor optimize its C++ kernels, as users have them: -O3, not -O0")
    graphs.add_argument("--show-regions", action="store_true", help="print the text of each region on standard error")
    graphs.add_argument("--fault", help="the fault of --path compile-toy, by its name in paths/toy.py")
    given = parser.parse_args()
    if given.path == "compile" and not given.backend:
        parser.error("--path compile needs --backend NAME")
    return given


def main():
    given = options()
    warnings.simplefilter("ignore")  # programs may do what PyTorch warns of
    answers = sys.stdout
    sys.stdout = sys.stderr  # what a backend prints must not end up among the answers
    import torch
    if given.module:
        importlib.import_module(given.module)
    import clean
    import description
    from unsupported import Unsupported
    path = path_named(given.path, given)
    path.start()
    if path.shows:
        from paths import show
    for line in sys.stdin:
        request = json.loads(line)
        if request["cmd"] == "stop":
            return
        if request["cmd"] == "start":
            answer = description.of(torch, path, given.profile)
        elif request["cmd"] == "run":
            try:
                answer = {"id": request["id"], "trace": path.walk(request["script"]).trace()}
            except Unsupported as why:
                answer = {"id": request["id"], "unsupported": str(why)}
            if left := clean.leaks():
                answer = {"id": request["id"], "leak": "; ".join(left)}
            answer.update({"counts": counts} if (counts := path.counts()) else {})
            if path.device.is_broken():
                answer["restart"] = True
        elif request["cmd"] == "show" and path.shows:
            answer = {"id": request["id"], **show.answer(path, request), "restart": bool(clean.leaks())}
        else:
            answer = {"id": request["id"], "unsupported": f"the Python adapter has no {request['cmd']}"}
        answers.write(json.dumps(answer, separators=(",", ":")) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
