"""What the adapter shows of a script that differs: a file that fails under plain Python, and the graphs at the place."""
import contextlib
import pathlib
import signal
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
    """One run of a file's text under plain Python. `works`: it ran to its end, or a signal killed it (`killed`). `fails`: it found a
    difference, or was killed. `output`: what it printed, or how it ended."""

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
        self.killed = self.code is not None and self.code < 0
        self.fails = self.killed or (self.code == FOUND and said == "They differ.")  # an error of the file's own also exits with 1
        self.works = self.fails or (self.code == SAME and said == "No difference.")
        if self.killed:
            self.output = f"killed by {signal.Signals(-self.code).name}\n{self.output}"


def splits_of(script, path):
    """Where the regions of a script raise an error; empty: nowhere, or it cannot be run."""
    graphs = path.walk(script)
    with contextlib.suppress(Unsupported):
        graphs.trace()
    return set(graphs.split)


def run_of_file(script, path, found):
    """A file's text and its run: with regions as they are, else with those that raise run one statement at a time."""
    text = file_text(script, path, (), found)
    ran = Ran(text)
    if ran.fails or not (split := splits_of(script, path)):
        return text, ran
    apart = file_text(script, path, split, found)
    ran_apart = Ran(apart)
    return (apart, ran_apart) if ran_apart.fails else (text, ran)


def sections(script, path, statement):
    """The graphs of the region where the script differs."""
    shown = Shown(variables(script["names"], ()))
    with path.showing(shown), contextlib.suppress(Unsupported):
        path.walk(script).trace()
    return shown.sections_at(statement)


def answer(path, request):
    """The answer to `show` (docs/PROTOCOL.md), without its id. A script that kills a process is not run in this one."""
    script, at = request["script"], request["statement"]
    try:
        text, ran = run_of_file(script, path, request["found"])
    except Unwritten as why:
        return {"file": None, "why": str(why), "sections": sections(script, path, at)}
    graphs = [] if ran.killed else sections(script, path, at)
    if not ran.works:
        last = (ran.errors.strip().splitlines() or [ran.output])[-1]
        return {"file": None, "why": f"the file does not run: exit code {ran.code}: {last}", "sections": graphs}
    return {"file": text, "fails": ran.fails, "output": ran.output, "sections": graphs}
