#!/usr/bin/env python3
"""Shows what a change of a rule makes fall: builds what is needed, proves, runs the curated programs, and fuzzes.

usage: plumbline try RULE [--seconds S] [--seed N] [--jobs N] [--json [FILE]] [-v]

Change the rule in spec/rules/ first. The reference and the proofs are built from it; the optimized runtime has no code of the
rules, so it still does what the rule said before, and is what fuzzing compares with. Without a change nothing falls.

  RULE           the rule, such as VIEW-08 (plumbline list rules). Rules of FUN are also fuzzed in functionalized bodies, and
                 rules of DSP, KEY and TLS with programs about the dispatcher
  --seconds S    for how many seconds to generate programs (default: 10)
  --seed N       the seed; the same seed generates the same things (default: 1)
  -j,--jobs N    how many workers run at once; the result does not depend on it (1 to 1024; default: all cores)
  --json [FILE]  write the report as JSON to this file; with - or without FILE, to stdout instead of the text
  -v,--verbose   print everything, with a line for each case (default: what fits one screen)
  -h,--help      print this help

examples:
  plumbline try VIEW-08
  plumbline try FUN-12 --seconds 30 --seed 7

exit codes: 0 nothing fell, 1 something fell, 2 wrong usage, 3 the build or a tool failed
"""
import json
import os
import pathlib
import shlex
import re
import subprocess
import sys
import tempfile
import time

BIN = pathlib.Path(os.path.abspath(__file__)).parent
BUILD = BIN.parent
FELL, USAGE, HARNESS = 1, 2, 3
TOOLS = ["plumbline-run", "plumbline-prove", "plumbline-fuzz", "plumbline-optimized"]
SHOWN = 6  # of the things of one kind that fell
RULE = re.compile(r"[A-Za-z]+-[0-9]+")
COMPLETED = "RULE RULE\n--seconds S\n--seed N\n-j N\n--jobs N\n--json FILE\n-v\n--verbose\n-h\n--help"


class Failure(Exception):
    """A tool did not do its work; the text says what to do."""


def source_folder():
    cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
    return pathlib.Path(re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", cache, re.MULTILINE).group(1))


def say(text):
    print(text, file=sys.stderr, flush=True)


def build(jobs, tools):
    """Builds the tools. On a terminal ninja shows its own progress; elsewhere a line comes after 10 s, 20 s, 40 s, and so on."""
    command = ["cmake", "--build", str(BUILD), "--parallel", str(jobs), "--target", *tools]
    if sys.stderr.isatty():
        lines, code = [], subprocess.run(command, stdout=sys.stderr).returncode
    else:
        lines, begun, due = [], time.monotonic(), 10
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
            for line in run.stdout:
                lines.append(line.rstrip())
                if time.monotonic() - begun >= due:
                    say(f"building for {due} s: {line[:120].rstrip()}")
                    due *= 2
        code = run.returncode
    if code != 0:
        errors = [line for line in lines if re.search(r"error:|FAILED|undefined reference", line)]
        raise Failure("\n".join(errors[:12] + ["the build failed. Fix the compiler errors and run this again."]))


def tool(folder, name, *arguments):
    """What a command of plumbline writes to its --json file."""
    report = pathlib.Path(folder) / (name + ".json")
    run = subprocess.run([str(BIN / "plumbline"), *arguments, "--json", str(report)], capture_output=True, text=True, cwd=source_folder())
    if not report.exists():
        raise Failure(f"plumbline {' '.join(arguments)} ended with exit code {run.returncode}:\n{(run.stderr or run.stdout)[-800:]}")
    return json.loads(report.read_text(encoding="utf-8"))


def proofs(folder, rule, options):
    report = tool(folder, "prove", "prove", "--no-programs", "--jobs", str(options["jobs"]))
    every = report["obligations"]
    fell = [{"name": o["name"], "what": o["claim"], "asks": rule in o["rules"]} for o in every if not o["as_expected"]]
    return {"title": "proofs", "all": len(every), "unit": "obligations", "fell": sorted(fell, key=lambda f: not f["asks"])}


def programs(folder, rule, options):
    report = tool(folder, "run", "run", "fuzz/corpus", "--on", "reference,optimized", "--jobs", str(options["jobs"]))
    bad = [r for r in report["results"] if r["verdict"] in ("divergent", "harness-error", "unknown")]
    fell = [{"name": f"{r['file']}::{r['test']}", "what": f"{r['verdict']} on {r['on']}", "asks": rule in r["rules"]} for r in bad]
    return {"title": "curated programs", "all": len(report["results"]), "unit": "runs", "fell": sorted(fell, key=lambda f: not f["asks"])}


def fuzzed(folder, title, options, *more):
    report = tool(folder, title.replace(" ", "-"), "fuzz", "--on", "optimized", "--seconds", str(options["seconds"]), "--seed", str(options["seed"]),
                  "--jobs", str(options["jobs"]), *more)
    campaigns = report["campaigns"]
    fell = [{"name": f["signature"], "what": in_programs(f["programs"], f"{options['seed']}:{f['index']}"),
             "asks": True, "replay": shlex.join(["plumbline", "fuzz", "--on", "optimized", *more, "--replay", f"{options['seed']}:{f['index']}"])}
            for c in campaigns for f in c["failures"]]
    return {"title": title, "all": sum(c["programs"] for c in campaigns), "unit": "programs", "fell": fell}


def in_programs(number, first):
    return f"{number} program{'' if number == 1 else 's'}, first {first}"


def stages(rule):
    yield proofs
    yield programs
    yield lambda folder, _, options: fuzzed(folder, "fuzzing", options)
    if rule.startswith("FUN"):
        yield lambda folder, _, options: fuzzed(folder, "fuzzing of bodies", options, "--functionalize")
    if rule.startswith(("DSP", "KEY", "TLS")):
        yield lambda folder, _, options: fuzzed(folder, "fuzzing of the dispatcher", options, "--dispatcher")


def text_of(rule, done, verbose):
    lines = [f"{rule}: what fell"]
    for stage in done:
        fell = stage["fell"]
        lines.append(f"{'fell' if fell else 'kept':<5} {stage['title']:<26} {len(fell)} of {stage['all']} {stage['unit']}, {stage['seconds']:.0f} s")
        for one in fell if verbose else fell[:SHOWN]:
            lines.append(f"        {one['name']}{'' if one['asks'] else ' (does not name the rule)'}: {one['what']}")
        if len(fell) > SHOWN and not verbose:
            lines.append(f"        … and {len(fell) - SHOWN} more; -v prints them")
    total = sum(len(stage["fell"]) for stage in done)
    if total:
        lines.append("The reference and the proofs follow the changed rule. What fell \"on optimized\" is right by the rule as it was before.")
    replays = [one["replay"] for stage in done for one in stage["fell"] if "replay" in one]
    if replays:
        lines.append(f"Next: {replays[0]} shows the program.")
    lines.append(f"{total} fell" if total else "nothing fell")
    return "\n".join(lines)


def parse(arguments):
    options = {"seconds": 10, "seed": 1, "jobs": os.cpu_count() or 1, "json": "", "verbose": False}
    rules = []
    arguments = [part for a in arguments for part in (a.split("=", 1) if a.startswith("--") else [a])]
    while arguments:
        argument = arguments.pop(0)
        if argument in ("-h", "--help"):
            print(__doc__.strip())
            sys.exit(0)
        if argument == "--complete-options":
            print(COMPLETED)
            sys.exit(0)
        if argument in ("-v", "--verbose"):
            options["verbose"] = True
        elif argument == "--json":  # the first rule after it is the rule, not a file
            following = arguments[0] if arguments else "-v"
            is_file = following == "-" or not (following.startswith("-") or (RULE.fullmatch(following) and not rules))
            options["json"] = arguments.pop(0) if is_file else "-"
        elif argument in ("--seconds", "--seed", "--jobs", "-j"):
            value = arguments.pop(0) if arguments else ""
            if not value.isdigit() or (argument != "--seed" and int(value) == 0) or (argument.endswith(("-j", "--jobs")) and int(value) > 1024):
                sys.exit(refused(f"{argument} needs a positive number, not '{value}'"))
            options["jobs" if argument == "-j" else argument[2:]] = int(value)
        elif argument.startswith("-"):
            sys.exit(refused(f"unknown option '{argument}'"))
        else:
            rules.append(argument.upper())
    if len(rules) != 1:
        sys.exit(refused("name one rule, such as VIEW-08"))
    return rules[0], options


def refused(problem):
    say(f"plumbline try: {problem}\n  plumbline try --help shows the options.")
    return USAGE


def main():
    rule, options = parse(sys.argv[2:] if sys.argv[1:2] == ["try"] else sys.argv[1:])
    if rule.startswith("OP-"):
        return refused(f"{rule} is a law of the sweep, which the reference does not run; plumbline selftest --sweep tries the sweep")
    started = time.monotonic()
    try:
        say("building the reference, the proofs and the fuzzer …")
        build(options["jobs"], TOOLS)
        say(f"built in {time.monotonic() - started:.0f} s")
        if subprocess.run([str(BIN / "plumbline"), "list", "rules", rule], capture_output=True).returncode != 0:
            return refused(f"there is no rule '{rule}'; plumbline list rules prints all of them")
        done = []
        with tempfile.TemporaryDirectory() as folder:
            for stage in stages(rule):
                begun = time.monotonic()
                done.append(stage(folder, rule, options))
                done[-1]["seconds"] = time.monotonic() - begun
                say(f"{done[-1]['title']}: {len(done[-1]['fell'])} of {done[-1]['all']} {done[-1]['unit']} fell")
    except Failure as failure:
        say(f"plumbline try: {failure}")
        return HARNESS
    except KeyboardInterrupt:
        say("interrupted")
        return 130
    result = {"rule": rule, "seconds": time.monotonic() - started, "stages": done}
    if options["json"] and options["json"] != "-":
        pathlib.Path(options["json"]).write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=1, ensure_ascii=False) if options["json"] == "-" else text_of(rule, done, options["verbose"]))
    return FELL if any(stage["fell"] for stage in done) else 0


if __name__ == "__main__":
    sys.exit(main())
