"""What the tests of the recorder share: recording a script, and running its program."""
import pathlib
import subprocess
import sys
import tempfile
import textwrap

BIN = pathlib.Path(sys.argv.pop(1)).resolve()
PASSED = "2 of 2 passed"


class Recorded:
    """What `plumbline record` wrote of a script, and what running the program showed."""

    def __init__(self, text, *options, name="script.py", arguments=(), on="reference,optimized"):
        with tempfile.TemporaryDirectory() as folder:
            script, program = pathlib.Path(folder) / name, pathlib.Path(folder) / "test_out.py"
            script.write_text(textwrap.dedent(text), encoding="utf-8")
            after = ["--", *arguments] if arguments else []
            done = plumbline("record", script, "--out", program, *options, *after)
            self.code, self.said = done.returncode, done.stdout + done.stderr
            self.text = program.read_text(encoding="utf-8") if program.exists() else ""
            self.ran = plumbline("run", program, "--on", on).stdout if self.text else ""

    def body(self):
        """The lines of the test, without comments."""
        lines = self.text.split("(device):\n")[-1].splitlines()
        return [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]


def plumbline(*arguments):
    return subprocess.run([str(BIN / "plumbline"), *map(str, arguments)], capture_output=True, text=True, check=False)
