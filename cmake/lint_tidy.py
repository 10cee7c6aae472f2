"""Runs clang-tidy on the compiled sources in parallel, and skips files that passed and have not changed since.

usage: lint_tidy.py CLANG_TIDY BUILD JOBS    BUILD holds compile_commands.json; BUILD/tidy records the files that passed.
"""
import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Options that only GCC has; they do not change what the code means.
GCC_ALONE = re.compile(r" -fno-tree-loop-distribute-patterns\b")
INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def parts_of(file, build):
    """The project's files that a compiled file stands for: itself, or those that CMake put together in it."""
    if build not in file.parents:
        return (file,)
    if file.parent.name != "Unity":
        return ()
    return tuple(pathlib.Path(name.decode()) for name in INCLUDE.findall(file.read_bytes()))


def with_includes(path, build, seen):
    """`path` and the project files (also generated ones) that it includes, directly or indirectly."""
    if path in seen:
        return seen
    seen.add(path)
    for target in INCLUDE.findall(path.read_bytes()):
        for base in (ROOT, build / "generated", path.parent):
            found = base / target.decode()
            if found.is_file():
                with_includes(found, build, seen)
                break
    return seen


def fingerprint(entry, build, settings):
    """Changes when the file, a project file that it includes, its flags, the linter or its settings change."""
    digest = hashlib.sha256(settings + entry["command"].encode())
    for path in sorted(with_includes(pathlib.Path(entry["file"]), build, set())):
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def tidy(linter, database, file):
    """clang-tidy's findings in `file`, as text; empty if there are none."""
    command = [linter, "-p", str(database), "--quiet", "--warnings-as-errors=*", "--extra-arg=-Wno-unknown-warning-option",
               f"--config-file={ROOT / '.clang-tidy'}", "--checks=-bugprone-suspicious-include", file]
    run = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if run.returncode == 0:
        return ""
    return run.stdout + (run.stderr if not run.stdout.strip() else "") or f"{file}: clang-tidy ended with {run.returncode}\n"


def main():
    linter, build, jobs = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), int(sys.argv[3])
    passed = build / "tidy"
    passed.mkdir(exist_ok=True)
    version = subprocess.run([linter, "--version"], capture_output=True, check=True).stdout
    settings = version + (ROOT / ".clang-tidy").read_bytes()
    entries = json.loads((build / "compile_commands.json").read_text())
    # What is compiled for two LibTorch is linted for the first only: clang cannot read PyTorch 1.13's headers as C++20.
    parts = {e["file"]: parts_of(pathlib.Path(e["file"]), build) for e in entries}
    firsts = {parts[e["file"]]: e for e in reversed(entries) if parts[e["file"]] and all(ROOT in part.parents for part in parts[e["file"]])}
    own = {e["file"]: e for e in firsts.values()}
    database = build / "tidy-database"
    database.mkdir(exist_ok=True)
    (database / "compile_commands.json").write_text(GCC_ALONE.sub("", json.dumps(list(own.values()))))
    # The slowest first: those that include PyTorch.
    marks = {file: fingerprint(entry, build, settings) for file, entry in own.items()}
    todo = sorted((f for f in own if not (passed / marks[f]).exists()), key=lambda f: ("libtorch" not in f, -len(parts[f]), f))
    found = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        started = time.monotonic()
        runs = {pool.submit(tidy, linter, database, file): file for file in todo}
        for count, run in enumerate(concurrent.futures.as_completed(runs), 1):
            file, findings = runs[run], run.result()
            print(f"[{count}/{len(todo)}] {time.monotonic() - started:.0f} s {', '.join(str(part.relative_to(ROOT)) for part in parts[file])}", flush=True)
            if findings:
                found[file] = findings
            else:
                (passed / marks[file]).touch()
    for old in passed.iterdir():
        if old.name not in marks.values():
            old.unlink()
    for file in sorted(found):
        print(found[file])
    files = {part for file in own for part in parts[file]}
    print(f"{len(files)} files in {len(own)} compilations; {len(own) - len(todo)} unchanged since they passed, {len(found)} with findings")
    return 1 if found or not own else 0


if __name__ == "__main__":
    sys.exit(main())
