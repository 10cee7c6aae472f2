"""Runs files under Python, each in a process of its own that has PyTorch already: its import takes longer than a file."""
import os
import runpy
import sys
import traceback

import torch  # noqa: F401


def exit_of(file):
    """(the exit code, or minus the signal; what was written to standard error) of the file."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.dup2(write, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        code = 0
        try:
            runpy.run_path(str(file), run_name="__main__")
        except BaseException:  # what Python does with it
            traceback.print_exc()
            code = 1
        sys.stderr.flush()
        os._exit(code)
    os.close(write)
    with os.fdopen(read, errors="replace") as errors:
        text = errors.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text
