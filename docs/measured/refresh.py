#!/usr/bin/env python3
"""Measures again what docs/RULES.md and docs/rules/ are based on, and writes them.

usage: refresh.py [--build DIR] [PART…]    PART: proofs, flips, fuzz, mutants, verdicts (default: all; seven minutes on
two cores). Needs a build with both LibTorch and Z3 (./test makes it).
"""
import argparse
import collections
import datetime
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAMS, SEED = 14000, 1  # of plumbline hits, as in generator_test
LIBTORCH = ["libtorch-2.13.0", "libtorch-1.13.1"]


def run(arguments):
    """Runs `plumbline ARGUMENTS`; if it fails, the script ends."""
    print("plumbline", shlex.join(arguments), flush=True)
    done = subprocess.run([COMMAND, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(f"refresh.py: plumbline {shlex.join(arguments)} ended with exit code {done.returncode}; fix that first")


def report(*arguments):
    """What the command writes to its --json file."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "report.json"
        run([*arguments, "--json", str(path)])
        return json.loads(path.read_text(encoding="utf-8"))


def how(commands, **more):
    plumbline = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return {"commands": "; ".join(commands), "date": datetime.date.today().isoformat(), "version": plumbline, **more}


def lines(value, levels, indent=""):
    """JSON with a line for each member of the outermost objects."""
    if levels == 0 or not isinstance(value, dict) or not value:
        return json.dumps(value, ensure_ascii=False)
    members = (f"{indent} {json.dumps(key)}: {lines(one, levels - 1, indent + ' ')}" for key, one in value.items())
    return "{\n" + ",\n".join(members) + f"\n{indent}}}"


def write(name, value, levels):
    (HERE / name).write_text(lines(value, levels) + "\n", encoding="utf-8")


def proofs():
    names = [p["name"] for p in json.loads(
        subprocess.run([COMMAND, "list", "profiles", "--json"], capture_output=True, text=True, check=True).stdout)]
    reports = {name: report("prove", "--no-programs", "--profile", name) for name in names}
    obligations = {}
    for profile, found in reports.items():
        for one in found["obligations"]:
            entry = obligations.setdefault(one["name"], {"verdict": one["verdict"]})
            if one["verdict"] != entry["verdict"]:
                entry.setdefault("except", {})[profile] = one["verdict"]
            if one["vacuous"]:
                entry.setdefault("vacuous", []).append(profile)
    commands = ["plumbline prove --no-programs --profile P --json FILE, for each profile P"]
    solver = reports[names[0]]["solver"]
    write("proofs.json", {"how": how(commands, solver=solver), "obligations": obligations}, 2)


def flips():
    arguments = ["prove", "--flip", "all"]
    found = report(*arguments)
    how_made = how([f"plumbline {shlex.join(arguments)} --json FILE"], solver=found["solver"])
    write("flips.json", {"how": how_made, "rules": found["rules"]}, 2)


def hits_of(found):
    """By rule, how many programs tell it, and why none can."""
    return {one["rule"]: {"hit": one["hit"], **({"out_of_reach": one["out_of_reach"]} if one["out_of_reach"] else {})}
            for one in found["rules"]}


def fuzz():
    value, commands = {}, []
    for name, options in (("tensors", []), ("dispatcher", ["--dispatcher"]), ("transforms", ["--transforms"])):
        arguments = ["hits", *options, "--programs", str(PROGRAMS), "--seed", str(SEED)]
        commands.append(f"plumbline {shlex.join(arguments)} --json FILE")
        value[name] = {"programs": PROGRAMS, "seed": SEED, "rules": hits_of(report(*arguments))}
    arguments = ["validate", "--rules", "--programs", str(PROGRAMS), "--seed", str(SEED)]
    commands.append(f"plumbline {shlex.join(arguments)} --json FILE")
    value["functionalize"] = {"programs": PROGRAMS, "seed": SEED, "rules": hits_of(report(*arguments))}
    write("fuzz.json", {"how": how(commands, programs=PROGRAMS, seed=SEED), **value}, 3)


def mutants():
    run(["prove", "--mutants", "--jobs", "2", "--by-rule", str(HERE / "mutants.json")])


def verdicts():
    rules = [r["id"] for r in json.loads(
        subprocess.run([COMMAND, "list", "rules", "--json"], capture_output=True, text=True, check=True).stdout)
             if not r["id"].startswith("OP-")]  # the sweep holds operators to the laws; no program shows them
    on = ",".join(LIBTORCH)
    folders = ["fuzz/corpus/functionalize", "fuzz/corpus/dispatcher", "fuzz/corpus/transforms"]  # not the workload, whose programs show no rules
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "fuzz/corpus").glob("test_*.py"))
    results = report("run", *files, *folders, "--on", on)["results"]
    counts = {name: {rule: collections.Counter() for rule in rules} for name in LIBTORCH}
    for one in results:
        for rule in one["rules"]:
            counts[one["on"]][rule][one["verdict"]] += 1
    write("verdicts.json", {"how": how([f"plumbline run fuzz/corpus/test_*.py {' '.join(folders)} --on {on} --json FILE"]), "implementations": counts}, 3)


PARTS = {"proofs": proofs, "flips": flips, "fuzz": fuzz, "mutants": mutants, "verdicts": verdicts}
parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path, help="default: build/release")
parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure: {', '.join(PARTS)} (default: all)")
given = parser.parse_args()
if unknown := set(given.parts) - set(PARTS):
    parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
COMMAND = str(given.build / "bin/plumbline")
for part in given.parts or PARTS:
    PARTS[part]()
run(["prove", "--table", "--write"])
