"""What the adapter shows of a script that differs: a file that fails under plain Python, and the graphs at the place."""
import contextlib
import pathlib
import subprocess
import sys
import tempfile

from paths.plain import Unwritten, variables
from paths.shown import Shown
from paths.standalone import file_text
from unsupported import Unsupported

LIMIT_S = 100  # for one run of a file: it imports PyTorch, and may compile C++
FOUND, SAME = 1, 0  # exit codes of a file


class Ran:
    """One run of a file's text under plain Python: whether it `works` at all, whether it `fails`, and what it printed."""

    def __init__(self, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "plain.py"
            file.write_text(text)
            try:
                done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=LIMIT_S, check=False)
                self.code, self.output, self.errors = done.returncode, done.stdout, done.stderr
            except subprocess.TimeoutExpired:
                self.code, self.output, self.errors = None, "", f"no end within {LIMIT_S} s"
        said = self.output.rstrip().rpartition("\n")[2]
        self.fails = self.code == FOUND and said == "They differ."  # an error of the file's own also exits with 1
        self.works = self.fails or (self.code == SAME and said == "No difference.")


def splits_of(script, path):
    """The ways of cutting in which the script may differ: as its run cut it, and whole where a region raised."""
    graphs = path.walk(script)
    try:
        graphs.trace()
    except Unsupported as why:
        raise Unwritten(str(why)) from None
    return [set(graphs.split), set()] if graphs.split else [set()]


def plain_file(script, path, found):
    """The file's part of the answer (docs/PROTOCOL.md, show)."""
    try:
        runs = []
        for split in splits_of(script, path):
            text = file_text(script, path, split, found)
            runs.append((text, Ran(text)))
            if runs[-1][1].fails:
                break
    except Unwritten as why:
        return {"file": None, "why": str(why)}
    text, ran = next((one for one in runs if one[1].fails), runs[0])
    if not ran.works:
        return {"file": None, "why": f"the file does not run: exit code {ran.code}: {(ran.errors.strip().splitlines() or [ran.output])[-1]}"}
    return {"file": text, "fails": ran.fails, "output": ran.output}


def sections(script, path, statement):
    """The graphs of the region where the script differs."""
    shown = Shown(variables(script["names"], ()))
    with path.showing(shown), contextlib.suppress(Unsupported):
        path.walk(script).trace()
    return shown.sections_at(statement)


def answer(path, request):
    """The answer to `show` (docs/PROTOCOL.md), without its id."""
    script = request["script"]
    return {**plain_file(script, path, request["found"]), "sections": sections(script, path, request["statement"])}
