"""Who may include whom: reads the table of rooms in docs/ARCHITECTURE.md, and checks each include against its row.

The first cell of a row names folders. The last cell lists what their files may include besides the folder itself and the C++
standard library: folders (`spec` means its files, not its subfolders), libraries (LIBRARIES), and `not FILE` for a forbidden file of
such a folder. `in FILE.cpp` after an item allows it only for that file.
"""
import pathlib
import re

SUFFIXES = (".h", ".cpp", ".cuh", ".cu")  # of the files that include

LIBRARIES = {
    "fmt": r"fmt/.*",
    "nlohmann": r"nlohmann/.*",
    "CLI11": r"CLI/.*",
    "yaml-cpp": r"yaml-cpp/.*",
    "Z3": r"z3\+\+\.h",
    "GoogleTest": r"gtest/.*",
    "RapidCheck": r"rapidcheck(\.h|/.*)",
    "LibTorch": r"(torch|ATen|c10)/.*",
    "Google Benchmark": r"benchmark/.*",
    "Valgrind": r"valgrind/.*",
    "Highway": r"hwy/.*",
    "BLAS": r"cblas\.h",
    "CUDA": r"cuda_runtime\.h",
    "the system": r"((sys/)?(?!cblas|rapidcheck)[a-z]+)\.h",
}
ITEM = re.compile(r"(?P<no>not )?(?:`(?P<path>[^`]+)`|(?P<library>[A-Za-z][\w ./-]*?))(?P<only>(?: in| and) `[^`]+`(?: and `[^`]+`)*)?")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


class TableError(Exception):
    """The table cannot be read. The message names the row, what is wrong and what to do."""


class Item:
    """One thing that a row allows, or forbids."""

    def __init__(self, text):
        match = ITEM.fullmatch(text)
        if not match or not (match["path"] or match["library"] in LIBRARIES | {"std": ""}):
            raise TableError(f"'{text}' is neither a folder in backticks nor a library; the libraries are std, {', '.join(LIBRARIES)}")
        self.text, self.forbids, self.path, self.library = text, bool(match["no"]), match["path"], match["library"]
        self.files = set(re.findall(r"`([^`]+)`", match["only"] or ""))

    def fits(self, bracket, target):
        if self.path:
            return bracket == '"' and self.path in (target, target.rpartition("/")[0])
        return bracket == "<" and self.library != "std" and re.fullmatch(LIBRARIES[self.library], target) is not None

    def allows(self, name, bracket, target):
        return not self.forbids and self.fits(bracket, target) and (not self.files or name.rpartition("/")[2] in self.files)


def read_table(text):
    """{folder: items} of the table `| folder | holds | may include |`."""
    rows = {}
    lines = iter(text.splitlines())
    if not any(re.fullmatch(r"\|\s*folder\s*\|\s*holds\s*\|\s*may include\s*\|", line) for line in lines):
        raise TableError("there is no table | folder | holds | may include |; write it")
    next(lines, None)
    for line in lines:
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        folders = [folder.rstrip("/") for folder in re.findall(r"`([^`]+)`", cells[0])]
        if len(cells) != 3 or not folders:
            raise TableError(f"'{line}' is not a row; write three cells, the first with folders in backticks")
        items = [Item(item.strip()) for item in cells[2].split(",")]
        for folder in folders:
            if folder in rows:
                raise TableError(f"`{folder}/` has two rows; merge them")
            rows[folder] = items
    return rows


def wrong_include(rows, name, bracket, target):
    """Why the file `name` may not include `target`, or None."""
    folder = name.rpartition("/")[0]
    if folder not in rows:
        return f"no row of docs/ARCHITECTURE.md says what {folder}/ may include; add one"
    if bracket == "<" and "/" not in target and "." not in target:
        return None
    if bracket == '"' and "/" not in target:
        return f'"{target}" is not a path from the top; write "{folder}/{target}"'
    items = rows[folder]
    forbidden = next((item for item in items if item.forbids and item.fits(bracket, target)), None)
    if forbidden:
        return f"{folder}/ may not include {target}: docs/ARCHITECTURE.md says {forbidden.text}"
    if bracket == '"' and target.rpartition("/")[0] == folder or any(item.allows(name, bracket, target) for item in items):
        return None
    return f"{name} may not include {target}; docs/ARCHITECTURE.md allows {folder}/ {', '.join(item.text for item in items)}"


def includes_in(text):
    """(line, bracket, target) of each include."""
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, *match.groups()


def includes_of(root, path):
    name = path.relative_to(root).as_posix()
    for number, bracket, target in includes_in(path.read_text(encoding="utf-8", errors="replace")):
        yield name, number, bracket, target


def count_includes(root, files):
    """[(folder, includes, lines)]: for each row of the table, its number of includes from other folders and its lines of code."""
    rows = read_table((root / "docs/ARCHITECTURE.md").read_text(encoding="utf-8"))
    counts = {folder: [0, 0] for folder in rows}
    for path in files:
        folder = path.relative_to(root).as_posix().rpartition("/")[0]
        if path.suffix not in SUFFIXES or folder not in counts:
            continue
        counts[folder][0] += sum(bracket == '"' and target.rpartition("/")[0] != folder for _, _, bracket, target in includes_of(root, path))
        counts[folder][1] += len(path.read_text(encoding="utf-8", errors="replace").splitlines())
    return [(folder, includes, length) for folder, (includes, length) in counts.items()]


def check_includes(root, files):
    """Each wrong include of `files`, each row without a folder, and each item that a row allows and no file includes."""
    try:
        rows = read_table((root / "docs/ARCHITECTURE.md").read_text(encoding="utf-8"))
    except (OSError, TableError) as error:
        yield f"docs/ARCHITECTURE.md:1: {error}"
        return
    used = set()
    for path in files:
        if path.suffix not in SUFFIXES:
            continue
        for name, number, bracket, target in includes_of(root, path):
            reason = wrong_include(rows, name, bracket, target)
            if reason:
                yield f"{name}:{number}: {reason}"
            folder = name.rpartition("/")[0]
            for item in rows.get(folder, []):
                if item.fits(bracket, target):
                    used.update({(folder, item.text), (folder, item.text, name.rpartition("/")[2])})
    for folder, items in rows.items():
        if not (root / folder).is_dir():
            yield f"docs/ARCHITECTURE.md:1: there is no folder {folder}/; remove its row"
            continue
        for item in items:
            if item.forbids or item.library == "std":
                continue
            unused = [file for file in item.files if (folder, item.text, file) not in used]
            if unused or (folder, item.text) not in used:
                yield f"docs/ARCHITECTURE.md:1: {folder}/ may include {item.text}, but does not ({', '.join(unused) or 'no file'}); remove it"


if __name__ == "__main__":
    raise SystemExit("run cmake/lint_structure.py")


RULE = re.compile(r"\b[A-Z]{2,4}_[0-9]{2,3}\b")
NO_CODE = re.compile(r'//.*|"(?:[^"\\\n]|\\.)*"')


def rules_out_of_reach(texts):
    """(file, line, rule, header) of each rule that a file names and whose header it does not include, itself or through others. A
    group of files that is compiled as one hides that. `texts`: of the .h and .cpp files, by path from the top."""
    homes = {name: file for file, text in texts.items() for name in re.findall(r"^inline constexpr Rule (\w+)\{", text, re.M)}
    reached = {}

    def reach(file):
        if file not in reached:
            reached[file] = {file}  # should headers include each other
            found = {target for _, bracket, target in includes_in(texts.get(file, "")) if bracket == '"'}
            reached[file] = {file}.union(*(reach(target) for target in found))
        return reached[file]

    for file, text in texts.items():
        told = set()
        for number, line in enumerate(text.splitlines(), 1):
            for name in RULE.findall(NO_CODE.sub("", line)):
                if name in homes and name not in told and homes[name] not in reach(file):
                    told.add(name)
                    yield file, number, name, homes[name]
