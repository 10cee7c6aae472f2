"""Refuses the worst idioms of docs/STYLE.md in strings, comments and documentation, and says the better word.

lint_structure.py runs it. A quotation that has to keep such words has an entry in lint_words_quotations.json: `file`, `text` (the quoted
words, with the idiom in them) and `source` (whom it quotes). An entry that allows nothing is an error.
"""
import json
import pathlib
import re

QUOTATIONS = "cmake/lint_words_quotations.json"
# What follows "behind" where it means time or order: "behind the call", "behind its last statement", "behind it".
ORDERED = ("action|argument|backward|block|body|call|colon|comma|core|def|end|error|first|function|in-place|last|limit|line|log|name|"
           "observation|op|other|program|redispatch|result|run|seed|snapshot|starred|statement|step|value|write|`def`")

# (pattern, what to write instead); a space in a pattern stands for any white space, a new line of the same comment included.
IDIOMS = [
    (r"(that|which|who) (is|are) none", "write \"unknown …\", \"invalid …\" or \"no such …\""),
    (rf"behind (((the|a|an|its|each|every|any|one|this|that|all|some) )?({ORDERED})(s|es)?|it|them|that|those|(?:every|each|some|all|any)(?= of))",
     "write \"after\""),
    (r"behind (the|a|its|their) (memory|list|storage's end)", "write \"past the end of\""),
    (r"mend(s|ed|ing)?", "write \"fix\""),
    (r"(is|are|was|were|be|been) told(?! (apart|from|to))", "write \"is printed\", \"is reported\" or \"is shown\""),
    (r"tell(s|ing)? of", "write \"report\", \"describe\" or \"show\""),
    (r"(as told|as ever`)", "write \"already shown above\" or \"as usual\""),
    (r"in all (its|their) clothes", "leave it out"),
    (r"who reads [0-9`]+", "write \"a count of …\""),
    (r"nobody's", "write \"no one's\", or say what it lies outside of"),
    (r"of one's own", "write \"your own …\" or \"user-defined …\""),
    (r"(at most|after|by|for|only|stop) so (many|long|much)", "write the number, or N"),
    (r"(has|have|had) not(?=[.,:;)]| (a|an|its|any) )", "write \"does not have\", \"has no\" or \"lacks\""),
    (r"anew", "write \"again\""),
    (r"all else (that|which|is|was)", "write \"every other …\" or \"everything else\""),
    (r"(the two|they|both|sides|its rule|and rule) part", "write \"differ\""),
    (r"what ships", "write \"a released PyTorch\" or \"a release\""),
    (r"but by chance", "write \"only by chance\""),
    (r"and its like|and the like of it", "write \"and similar …\""),
    (r"what is functional already", "write \"a functional tensor\""),
    (r"(thereof|therein|whereof|wherein|hitherto|hereby|whereupon)", "write a usual word"),
]
PATTERNS = [(re.compile(rf"\b(?:{pattern})(?!\w)".replace(" ", r"\s+")), better) for pattern, better in IDIOMS]

CODE = "\0"  # stands for code, so that no idiom reaches from one comment over code into the next
PARTS = {
    ".cpp": re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>R"(?P<d>\w*)\(.*?\)(?P=d)"|"(?:\\.|[^"\\\n])*")|\'(?:\\.|[^\'\\\n])\'', re.DOTALL),
    ".py": re.compile(r'(?P<comment>#[^\n]*)|(?P<text>"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'),
}
PARTS[".h"] = PARTS[".cuh"] = PARTS[".cu"] = PARTS[".cpp"]
WHOLE = {".md", ".json", ".yaml", ".txt", ".cmake", ".sh", ""}
HASHED = {".yaml", ".txt", ".cmake", ".sh", ""}  # a comment goes on after the `#` of its next line
ESCAPES = re.compile(r"\\[nt\"]")
# Generated from what is checked, the idioms themselves, and what others wrote.
LEFT_OUT = {"docs/RULES.md", "docs/COVERAGE.md", "docs/STYLE.md", "docs/measured/fuzz.json", "docs/measured/mutants.json", "docs/measured/proofs.json",
            "docs/measured/verdicts.json", "cmake/lint_words.py", "cmake/lint_words_test.py", QUOTATIONS, "LICENSE"}


def blank(text):
    return " " * len(text) if "\n" not in text else re.sub(r"\S", " ", text)


def code(text):
    return re.sub(r"\S+", lambda word: CODE * len(word.group()), text)


def prose(text, suffix):
    """The comments and strings of a file, as long as the file: code is replaced, and so is what marks a comment or a string."""
    if suffix not in PARTS:
        if suffix in HASHED:
            text = re.sub(r"(?m)^\s*#+", lambda mark: blank(mark.group()), text)
        return ESCAPES.sub("  ", text)
    pieces, end = [], 0
    for part in PARTS[suffix].finditer(text):
        pieces.append(code(text[end:part.start()]))
        end = part.end()
        if part["comment"]:
            pieces.append(re.sub(r"(?m)^(\s*//+<?|\s*#+|/\*+)", lambda mark: blank(mark.group()), part.group()))
        elif part["text"]:
            pieces.append(ESCAPES.sub("  ", part.group()).replace('"', " "))
        else:
            pieces.append(CODE * len(part.group()))
    return "".join(pieces) + code(text[end:])


def files_of(root):
    """The files whose words are checked: those in the project's folders, and those beside them."""
    tops = [p for p in root.iterdir() if p.is_dir() and not p.name.startswith(".") and p.name != "build"]
    files = [p for top in tops for p in top.rglob("*") if p.is_file() and (p.suffix in PARTS or p.suffix in WHOLE - {""})]
    files += [p for p in root.iterdir() if p.is_file() and (p.suffix in WHOLE - {""} or p.name in ("check", "test"))]
    return sorted(p for p in files if p.relative_to(root).as_posix() not in LEFT_OUT and p.parent.name != "data")


def read_quotations(root):
    path = root / QUOTATIONS
    return json.loads(path.read_text(encoding="utf-8"))["quotations"] if path.is_file() else []


def allowing(quotations, name, text, place):
    """The number of the quotation in which the place lies, or None."""
    for number, one in enumerate(quotations):
        if one["file"] != name:
            continue
        for found in re.finditer(re.escape(one["text"]), text):
            if found.start() <= place < found.end():
                return number
    return None


def check_text(name, text, quotations=(), used=None):
    """`file:line: …` for each idiom in a file."""
    words = prose(text, pathlib.PurePath(name).suffix).lower()
    for pattern, better in PATTERNS:
        for found in pattern.finditer(words):
            number = allowing(quotations, name, text, found.start())
            if number is None:
                line = text.count("\n", 0, found.start()) + 1
                yield f"{name}:{line}: \"{' '.join(found.group().split())}\" is not plain English: {better} (docs/STYLE.md)"
            elif used is not None:
                used.add(number)


def check_words(root):
    """Each idiom in the project, and each quotation that allows nothing."""
    quotations = read_quotations(root)
    used = set()
    for path in files_of(root):
        yield from check_text(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8", errors="replace"), quotations, used)
    for number, one in enumerate(quotations):
        if not one.get("source"):
            yield f"{QUOTATIONS}:1: entry {number + 1} names no source; say whom it quotes"
        if number not in used:
            yield f"{QUOTATIONS}:1: entry {number + 1} (\"{one['text']}\") allows nothing; remove it"


if __name__ == "__main__":
    raise SystemExit("run cmake/lint_structure.py")
