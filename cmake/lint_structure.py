"""Checks what no compiler checks: who includes whom, the length of files, their first sentence, and no notes left to do.

Prints `file:line: what is wrong; what to do`, and exits with 1 if there was anything to print.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST = 400

# The libraries that a folder may include, beside C++'s own; a test may also include the test libraries.
COMMON = {"fmt", "nlohmann", "CLI", "yaml-cpp"}
TESTING = {"gtest", "rapidcheck", "rapidcheck.h"}
TORCH = {"torch", "ATen", "c10", "caffe2"}
SYSTEM = re.compile(r"(sys/\w+|[a-z]+)\.h")  # the operating system's: unistd.h, sys/wait.h

# folder: (folders of the project that it may include, libraries that it may include). The longest match counts.
MAY_INCLUDE = {
    "spec": ({"spec"}, set()),
    "spec/opgen": ({"spec"}, COMMON),
    "spec/proofs": ({"spec"}, {"z3++.h"}),
    "spec/tests": ({"spec"}, COMMON | TESTING),
    "reference": ({"spec", "reference"}, COMMON),
    "reference/tests": ({"spec", "reference"}, COMMON | TESTING),
    "oracle": ({"spec", "reference", "oracle"}, COMMON),
    "oracle/tables": ({"spec", "reference", "oracle"}, COMMON),
    "oracle/tests": ({"spec", "reference", "oracle"}, COMMON | TESTING),
    "oracle/libtorch": ({"spec", "oracle"}, COMMON | TORCH),
    "oracle/walk": ({"spec", "oracle"}, set()),
    "oracle/optimized": ({"spec", "oracle", "optimized"}, COMMON),
    "optimized": ({"spec", "optimized"}, {"hwy"}),
    "optimized/tests": ({"spec", "optimized"}, TESTING),
    "fuzz": ({"spec", "reference", "oracle", "fuzz"}, COMMON | TESTING),
    "bench": ({"spec", "optimized", "bench"}, COMMON | {"benchmark", "valgrind"}),
    "bench/libtorch": ({"spec", "optimized", "bench"}, TORCH | {"benchmark"}),
    "bench/driver": ({"spec", "oracle", "bench"}, COMMON),
    "bench/tests": ({"spec", "oracle", "optimized", "bench"}, COMMON | TESTING | {"benchmark"}),
}
# What a folder may not include of those.
BUT_NOT = {"optimized": ("spec/rules/", "spec/rule.h")}
NO_SYSTEM = {"spec", "reference"}

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
LEFT_TO_DO = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
KINDS = {".h": "//", ".cpp": "//", ".py": "#", ".sh": "#", ".cmake": "#", "CMakeLists.txt": "#"}


def sources():
    """The source files of the project: those in its folders, and the scripts beside them."""
    tops = [p for p in ROOT.iterdir() if p.is_dir() and not p.name.startswith(".") and p.name != "build"]
    files = [p for top in tops for p in top.rglob("*") if p.is_file() and (p.suffix in KINDS or p.name in KINDS)]
    files = [p for p in files if p.parent.name != "data"]  # what tests read, malformed on purpose
    return sorted(files) + [p for p in (ROOT / "CMakeLists.txt", ROOT / "check", ROOT / "test", ROOT / ".ci/run") if p.is_file()]


def wrong_include(name, bracket, target):
    """Why `name` may not include `target`, or None."""
    folder = max((f for f in MAY_INCLUDE if name.startswith(f + "/")), key=len, default=None)
    if folder is None:
        return f"no rule says what {name.split('/')[0]} may include; add it to MAY_INCLUDE in cmake/lint_structure.py"
    projects, libraries = MAY_INCLUDE[folder]
    first = target.split("/")[0]
    if bracket == '"':
        if target.startswith(BUT_NOT.get(folder.split("/")[0], ())):
            return f"{folder} may not include {target}: that it agrees with it is what is to be shown"
        if "/" not in target:
            return f'"{target}" is not a path from the top; write "{name.rsplit("/", 1)[0]}/{target}"'
        return None if first in projects else f"{folder} may not include {first}, only {', '.join(sorted(projects))}"
    if first in libraries or ("/" not in target and "." not in target):
        return None
    if SYSTEM.fullmatch(target) and folder.split("/")[0] not in NO_SYSTEM:
        return None
    return f"{folder} may not include the library <{target}>"


def first_sentence_missing(lines, path):
    """Why the file does not begin with a comment that is a sentence, or None."""
    if path.parent.name == "corpus":  # programs: their subset has no room for a preamble
        return None
    rest = [line for line in lines[:12] if not line.startswith(("#!", "# shellcheck "))]
    mark = KINDS.get(path.suffix) or "#"
    if path.suffix == ".py" and rest and rest[0].startswith('"""'):
        text = rest[0].strip('"')
    else:
        comment = []
        for line in rest:
            if not line.startswith(mark):
                break
            comment.append(line.removeprefix(mark).strip())
        text = " ".join(comment)
    return None if re.search(r"\w.*\.( |$)", text) else "does not begin with a comment that says its subject in one sentence"


def check(path):
    name = path.relative_to(ROOT).as_posix()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        yield f"{name}:1: cannot be read as UTF-8: {error}"
        return
    if len(lines) > LONGEST:
        yield f"{name}:{LONGEST + 1}: {len(lines)} lines, the most is {LONGEST}; split it by subject"
    reason = first_sentence_missing(lines, path)
    if reason:
        yield f"{name}:1: {reason}"
    for number, line in enumerate(lines, 1):
        if LEFT_TO_DO.search(line):
            yield f"{name}:{number}: something is left to do; do it, or open an issue and remove the note"
        include = INCLUDE.match(line) if path.suffix in (".h", ".cpp") else None
        reason = include and wrong_include(name, *include.groups())
        if reason:
            yield f"{name}:{number}: {reason}"


def main():
    files = sources()
    problems = [problem for path in files for problem in check(path)]
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{len(files)} files, {len(problems)} problems")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
