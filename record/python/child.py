"""The recorded process: installs the recorder, and runs the script as Python would, or its tests as pytest would."""
import ast
import contextlib
import json
import os
import pathlib
import runpy
import sys
import traceback
import warnings

MISTAKES = (NameError, AttributeError, ImportError, SyntaxError)


def has_tests(script):
    """Whether the script only defines tests: pytest runs it then."""
    try:
        tree = ast.parse(pathlib.Path(script).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return False
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return bool(tests) and not any(isinstance(node, ast.If) and "__main__" in ast.unparse(node.test) for node in tree.body)


def is_ours(file):
    """Whether a traceback is easier to read without the frames of this file."""
    return file.startswith(str(pathlib.Path(__file__).parent)) or file.startswith("<frozen")


def test_name(text):
    name = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in text).strip("_")
    return name if name.startswith("test_") else f"test_{name or 'recorded'}"


def leave_names_to_the_script(known, script):
    """The script's folder takes the place of this one, and a module of the script may have the name of one of these."""
    for name in set(sys.modules) - known:
        if is_ours(getattr(sys.modules[name], "__file__", None) or ""):
            del sys.modules[name]
    sys.path[0] = str(pathlib.Path(script).resolve().parent)


def plugin(record):
    """For pytest: each test is a program. A test may have the fixture `device`, also without fuzz/corpus/conftest.py."""
    import pytest

    class Plugin:
        @pytest.fixture
        def device(self):
            return "cpu"

        def pytest_pyfunc_call(self, pyfuncitem):
            arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
            with record(test_name(pyfuncitem.name)):
                pyfuncitem.obj(**arguments)
            return True

    return Plugin()


def main():
    written, statements, only, script, *arguments = sys.argv[1:]
    ops = set(json.load(sys.stdin))  # the script gets no input
    sys.argv = [script, *arguments]
    warnings.simplefilter("ignore")
    known = set(sys.modules)
    import torch
    import attributes
    import calls
    import functions
    import modes
    import threads
    from journal import Writer
    from recorder import Full, Recorder
    leave_names_to_the_script(known, script)
    file = open(written, "w", encoding="utf-8")
    journal = Writer(file, int(statements))
    journal.write("torch", torch.__version__)
    script = str(pathlib.Path(script).resolve())
    is_test_file = has_tests(script)
    recorder = Recorder(journal, ops, script)
    kept = calls.install(recorder)
    attributes.install(recorder)
    functions.install(recorder)
    modes.install(recorder)
    threads.install(recorder, lambda: attributes.Attributes(recorder))

    os.register_at_fork(before=lambda: recorder.recording() and recorder.note("a child process is not part of a program", same=True),
                        after_in_child=recorder.stop)

    @contextlib.contextmanager
    def record(name):
        recorder.begin(name)
        try:
            with attributes.Attributes(recorder), recorder.on():
                yield
                recorder.finish()
        except MISTAKES:
            if is_test_file:  # a test that is not even Python's says nothing
                journal.write("drop")
            raise

    def end(text, line=0):
        journal.write("end", text, line)

    try:
        if is_test_file:
            import pytest
            named = [f"{script}::{test}" for test in only.split(",") if test] or [script]
            code = pytest.main([*named, "-q", "--tb=line", "-p", "no:cacheprovider", "-p", "no:warnings"], plugins=[plugin(record)])
            end("it ended" if code == 0 else f"pytest ended with exit code {int(code)}")
        else:
            with record(test_name(pathlib.Path(script).stem)):
                variables = runpy.run_path(script, run_name="__main__")
                recorder.slots.learn_names(variables)
            end("it ended")
    except Full:
        end(f"it was stopped after {statements} statements", recorder.line())
    except SystemExit as left:
        recorder.finish()
        end("it ended" if left.code in (None, 0) else f"it ended with exit code {left.code}")
    except BaseException as error:  # whatever the script raises
        shown = traceback.TracebackException.from_exception(error)
        shown.stack = traceback.StackSummary.from_list([frame for frame in shown.stack if not is_ours(frame.filename)])
        print("".join(shown.format()), file=sys.stderr)
        lines = [frame.lineno for frame in shown.stack if frame.filename == script]
        end(f"it raised {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:300], lines[-1] if lines else getattr(error, "lineno", 0) or 0)
    del kept


if __name__ == "__main__":
    sys.exit(main())
