"""Checks what no compiler checks: who includes whom, file length, first sentences, unused using-declarations, words, and tests that nobody builds.

lint_includes.py reads who may include whom from the table of rooms in docs/ARCHITECTURE.md; lint_machine.py knows which rules only
spec/machine/ asks; lint_words.py knows the words. Prints
`file:line: what is wrong; what to do`, and exits with 1 if there was anything to print. With --table it also prints, for each row of
that table, the number of includes from other folders, the lines of code and their share.
"""
import pathlib
import re
import sys

import lint_includes
import lint_machine
import lint_words

ROOT = pathlib.Path(__file__).resolve().parent.parent
LONGEST = 400

# What is above the backends works with any device.
ABOVE_BACKENDS = ("optimized/autograd/", "optimized/functionalize/")
NAMES_A_DEVICE = re.compile(r"cuda|Backend::(?!CPU\b)\w+", re.IGNORECASE)

LEFT_TO_DO = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
USING = re.compile(r"^\s*using (?:namespace )?(?:::)?\w+(?:::\w+)*::(\w+);|^\s*namespace (\w+) = ")
KINDS = {".h": "//", ".cpp": "//", ".cuh": "//", ".cu": "//", ".py": "#", ".sh": "#", ".cmake": "#", "CMakeLists.txt": "#"}


def sources():
    """The source files of the project: those in its folders, and the scripts beside them."""
    tops = [p for p in ROOT.iterdir() if p.is_dir() and not p.name.startswith(".") and p.name != "build"]
    files = [p for top in tops for p in top.rglob("*") if p.is_file() and (p.suffix in KINDS or p.name in KINDS)]
    files = [p for p in files if p.parent.name != "data"]  # input of tests, malformed on purpose
    return sorted(files) + [p for p in (ROOT / "CMakeLists.txt", ROOT / "check", ROOT / "test", ROOT / "plumbline", ROOT / ".ci/run") if p.is_file()]


def first_sentence_missing(lines, path):
    """Why the file does not begin with a comment that is a sentence, or None."""
    if path.parent.name == "corpus":  # curated programs begin with their imports
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
    return None if re.search(r"\w.*\.( |$)", text) else "the file does not begin with a comment that says its subject in one sentence; add one"


def unused_names(text):
    """(line, name) of the using-declarations and namespace aliases that the rest of the file does not use. clang-tidy sees them in
    main files alone, but most sources are compiled as parts of a group."""
    for number, line in enumerate(text.splitlines(), 1):
        match = USING.match(line)
        name = match and (match[1] or match[2])
        if name and "using namespace" not in line and len(re.findall(rf"\b{name}\b", text)) < 2:
            yield number, name


def devices_named(name, lines):
    """Problems of a file above the backends that names one of them."""
    if name.startswith(ABOVE_BACKENDS):
        for number, line in enumerate(lines, 1):
            if NAMES_A_DEVICE.search(line):
                yield f"{name}:{number}: names a device, but this folder is above the backends; ask the tensor for its device"


def check(path):
    name = path.relative_to(ROOT).as_posix()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        yield f"{name}:1: cannot be read as UTF-8: {error}"
        return
    if len(lines) > LONGEST:
        yield f"{name}:{LONGEST + 1}: {len(lines)} lines, the limit is {LONGEST}; split the file by subject"
    if path.suffix == ".cpp":
        for number, unused in unused_names("\n".join(lines)):
            yield f"{name}:{number}: nothing in this file uses '{unused}'; remove the declaration"
    reason = first_sentence_missing(lines, path)
    if reason:
        yield f"{name}:1: {reason}"
    yield from devices_named(name, lines)
    for number, line in enumerate(lines, 1):
        if LEFT_TO_DO.search(line):
            yield f"{name}:{number}: a note of work left to do; do the work, or open an issue and remove the note"


def tests_not_built(files):
    """Tests that no CMake file names: `compare_test`, or `compare` in a list that gets its ending there."""
    named = "\n".join(p.read_text(encoding="utf-8") for p in files if p.suffix == ".cmake" or p.name == "CMakeLists.txt")
    for path in files:
        stem = path.stem
        if path.suffix in (".cpp", ".py") and stem.endswith("_test"):
            names = "|".join(map(re.escape, (stem, stem.removesuffix("_test"))))
            if not re.search(rf"\b{re.escape(stem)}\.(cpp|py)\b|(?<![\w/.-])({names})(?![\w./-])", named):
                yield f"{path.relative_to(ROOT)}:1: no CMake file names this test, so it never runs; add it to one"


def print_table(files):
    counts = lint_includes.count_includes(ROOT, files)
    whole = sum(lines for _, _, lines in counts)
    print(f"{'folder':<32} {'includes':>8} {'lines':>7}  share")
    for folder, includes, lines in counts:
        print(f"{folder + '/':<32} {includes:>8} {lines:>7} {lines / whole:>6.1%}")


def main():
    files = sources()
    if "--table" in sys.argv[1:]:
        print_table(files)
    problems = [problem for path in files for problem in check(path)]
    problems += [*lint_includes.check_includes(ROOT, files), *lint_words.check_words(ROOT)]
    texts = {p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8", errors="replace") for p in files if p.suffix in lint_includes.SUFFIXES}
    problems += [f"{file}:{line}: {rule} is defined in {header}, which this file does not include; include it"
                 for file, line, rule, header in lint_includes.rules_out_of_reach(texts)]
    problems += lint_machine.asked_outside(texts)
    problems += tests_not_built(files)
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{len(files)} files, {len(problems)} problems")
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
