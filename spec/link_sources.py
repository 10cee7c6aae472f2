"""Links each source that a rule cites: writes spec/sources.json, which sources_test compares with the rules.

Texts have a permanent address, PyTorch's files a tag and a line. The lines are looked up in an installed PyTorch 2.13, which has
headers, Python and tables, and else in the sources of 1.13.1 (Debian: apt-get source pytorch). Without those a line stays as it was.

    python3 spec/link_sources.py --installed .venv/lib/python3.11/site-packages --sources ~/pytorch-1.13.1
    python3 spec/link_sources.py --installed .venv/lib/python3.11/site-packages

A file that neither has is linked by its tag alone; what could not be found is printed.
"""
import argparse
import functools
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NEW, OLD = "v2.13.0", "v1.13.1"
BLOB = "https://github.com/pytorch/pytorch/blob/"
DOCS = "https://docs.pytorch.org/docs/2.13/"
TEXTS = {
    "rfc-0011-final": "https://github.com/pytorch/rfcs/blob/02f6eeb830777a7d74f191522be685d781285aab/RFC-0011-InferenceMode.md",
    "rfc-0011-draft-1": "https://github.com/pytorch/rfcs/pull/17",
    "rfc-0011-draft-2": "https://github.com/pytorch/rfcs/pull/17",
    "inference-mode-docs": BLOB + NEW + "/docs/cpp/source/notes/inference_mode.rst",
    "PR 63048": "https://github.com/pytorch/pytorch/pull/63048",
    "'Out= semantics'": "https://github.com/pytorch/pytorch/wiki/Developer-FAQ#how-does-out-work-in-pytorch",
    "'Broadcasting semantics'": DOCS + "notes/broadcasting.html",
    "'Backward Hooks execution'": DOCS + "notes/autograd.html",
    "'In-place correctness checks'": DOCS + "notes/autograd.html",
    "'Meta device'": DOCS + "meta.html",
    "aten/src/ATen/native/README.md, 'annotations'": BLOB + NEW + "/aten/src/ATen/native/README.md#annotations",
    "'Tensor Attributes'": DOCS + "tensor_attributes.html",
    "torch.autograd,": DOCS + "autograd.html",
}
# Where the installed package has a file of the repository.
INSTALLED = [
    (r"aten/src/ATen/native/((?:native_functions|tags)\.yaml)", r"torchgen/packaged/ATen/native/\1"),
    (r"aten/src/(ATen/.*\.h)", r"torch/include/\1"),
    (r"((?:c10|torch/csrc)/.*\.h)", r"torch/include/\1"),
    (r"tools/(autograd/.*)", r"torchgen/packaged/\1"),
    (r"((?:torch|torchgen)/.*\.py)", r"\1"),
]
FILE = re.compile(r"(?<![\w/])((?:[\w]+/)*\w+\.(?:cpp|h|py|yaml))\b")
RULE = re.compile(r"\b[A-Z]{2,4}-\d{2,3}\b")


def cited(plumbline):
    """(rule, profile or "", source) for each rule and each variant."""
    done = subprocess.run([plumbline, "list", "rules", "--json", "-"], cwd=ROOT, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"link_sources.py: {plumbline} list rules ended with exit code {done.returncode}; build it first")
    for rule in json.loads(done.stdout):
        source_before = rule["source"]
        yield rule["id"], "", rule["source"]
        for variant in rule["variants"]:
            source = source_before if variant["source"] == "the same files of 1.13" else variant["source"]
            yield rule["id"], variant["profile"], source
            source_before = source


def full_names(sources):
    """Maps base names to the full paths that sources give: a plain `variable.h` means the path of another source."""
    names = {"native_functions.yaml": "aten/src/ATen/native/native_functions.yaml", "Blas.cpp": "aten/src/ATen/native/Blas.cpp"}
    for _, _, source in sources:
        for name in FILE.findall(source):
            if "/" in name:
                names.setdefault(name.rsplit("/", 1)[1], name)
    return names


class Trees:
    """Finds PyTorch's files on this machine."""

    def __init__(self, installed, sources):
        self.installed, self.sources = installed, sources

    @functools.cache
    def lines(self, name, old):
        for tag, path in self.places(name)[:: -1 if old else 1]:
            if path.is_file():
                return tag, path.read_text(encoding="utf-8", errors="replace").splitlines()
        return None, []

    def places(self, name):
        new = next((re.sub(a, b, name) for a, b in INSTALLED if re.fullmatch(a, name)), None)
        return [(NEW, self.installed / new if new else pathlib.Path("/nowhere")), (OLD, self.sources / name)]


def marks(piece):
    """The texts to find in a file: quotations, then names, without what Python and C++ write differently."""
    quoted = re.findall(r"(?<=[\s(:])'(.+?)'(?=[\s,;:.)]|$)", piece)
    prose = re.sub(r"'.*'", "", FILE.sub("", piece))
    first = re.match(r"\W*((?:\w+::)*~?\w{3,})", prose)  # the first word after the file is a name, whatever it looks like
    names = [first[1]] if first else []
    names += [name for name in re.findall(r"(?:\w+::)*~?\w{4,}", prose) if re.search(r"[_A-Z]|::", name[1:])]
    return quoted, names


def line_of(lines, piece):
    quoted, names = marks(piece)
    for mark in quoted:
        for part in [mark, *mark.split("…")]:
            found = [i for i, line in enumerate(lines, 1) if len(part.strip()) > 3 and part.strip() in line]
            if found:
                return found[0]
    for qualified in names:
        found = [i for i, line in enumerate(lines, 1) if "::" in qualified and re.search(rf"\b{re.escape(qualified)}\s*\(", line)]
        if found:
            return found[0]
        name = qualified.split("::")[-1].removeprefix("~")
        word = re.compile(rf"\b{re.escape(name)}\b")
        defined = re.compile(
            rf"(^\S.*\b{re.escape(name)}\s*[({{<]|^\s*(struct|class|def|enum|auto|inline|static)\b.*\b{re.escape(name)}\b|"
            rf"^- func: {re.escape(name)}\b|^- name: {re.escape(name)}\b)"
        )
        found = [i for i, line in enumerate(lines, 1) if defined.search(line) and not line.rstrip().endswith(";")]
        found = found or [i for i, line in enumerate(lines, 1) if word.search(line)]
        if found:
            return found[0]
    return None


def links_of(source, old, names, trees, before, missing):
    """`before`: the previous links, which stay if no tree has the file."""
    links = []
    for piece in re.split(r";\s+", source):
        links += [address for text, address in TEXTS.items() if text in piece]
        links += [f"https://github.com/pytorch/pytorch/issues/{n}" for n in re.findall(r"pytorch#(\d+)", piece)]
        for function in re.findall(r"(?<![\w/])torch\.(?!autograd,)((?:Tensor\.)?\w+)(?=\W|$)(?!\.py)", FILE.sub("", piece)):
            page = {"dtype": "tensor_attributes.html"}.get(function, f"generated/torch.{function}.html")
            links.append(DOCS + page)
        for name in FILE.findall(piece):
            path = names.get(name, name)
            stays = [link for link in before if f"{OLD}/{path}#L" in link] if not trees.sources.is_dir() else []
            if stays:
                links += stays
                continue
            tag, lines = trees.lines(path, old)
            line = line_of(lines, piece)
            if line is None and tag == NEW:  # 1.13's may still have what 2.13 renamed
                tag, lines = trees.lines(path, not old)
                line = line_of(lines, piece)
            if line is None:
                missing.append(f"{path}: {piece}")
                links.append(f"{BLOB}{OLD if old else NEW}/{path}")
            else:
                links.append(f"{BLOB}{tag}/{path}#L{line}")
        links += RULE.findall(piece)
    return list(dict.fromkeys(links))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--installed", type=pathlib.Path, required=True, help="site-packages with PyTorch 2.13")
    parser.add_argument("--plumbline", default=ROOT / "build/release/bin/plumbline", help="the command, built with the rules' new texts")
    parser.add_argument("--sources", type=pathlib.Path, help="PyTorch 1.13.1's repository")
    options = parser.parse_args()
    for folder in (options.installed / "torchgen", options.sources and options.sources / "aten"):
        if folder and not folder.is_dir():
            parser.error(f"{folder} is not a folder; see --help for where to get it")
    all_cited, missing = list(cited(options.plumbline)), []
    names, trees = full_names(all_cited), Trees(options.installed, options.sources or pathlib.Path("/nowhere"))
    target = ROOT / "spec/sources.json"
    had = json.loads(target.read_text(encoding="utf-8"))["sources"] if target.is_file() else []
    before = {(entry["rule"], entry.get("profile", "")): entry["links"] for entry in had}
    place = {of: at for at, of in enumerate(before)}
    all_cited.sort(key=lambda one: place.get(one[:2], len(place)))  # what is new comes last
    entries = []
    for rule, profile, source in all_cited:
        links = links_of(source, profile == "torch-1.13", names, trees, before.get((rule, profile), []), missing)
        entry = {"rule": rule, "profile": profile, "links": links}
        entries.append(json.dumps({k: v for k, v in entry.items() if v}, ensure_ascii=False))
    out = '{\n  "sources": [\n    ' + ",\n    ".join(entries) + "\n  ]\n}\n"
    target.write_text(out, encoding="utf-8")
    print(*missing, sep="\n")
    print(f"{len(entries)} sources; {len(missing)} files without a line")


if __name__ == "__main__":
    main()
