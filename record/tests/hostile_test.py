#!/usr/bin/env python3
"""Scripts that crash, hang, exit or write where they should not: nothing is lost. usage: hostile_test.py BIN."""
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from recorded import BIN, PASSED, Recorded


class HostileScripts(unittest.TestCase):
    def ends(self, text, code, *parts, options=("--seconds", "5", "--statements", "50"), statements=1):
        """The exit code, and parts of what is said; the program has what the script did until its end."""
        recorded = Recorded(text, *options)
        self.assertEqual(recorded.code, code, recorded.said)
        for part in parts:
            self.assertIn(part, recorded.said)
        self.assertEqual(len(recorded.body()), statements, recorded.text)
        if statements:
            self.assertIn(PASSED, recorded.ran)

    def test_an_endless_loop_of_calls_is_stopped(self):
        self.ends("import torch\nx = torch.ones(1)\nwhile True:\n    try:\n        x.add_(1)\n    except Exception:\n        pass\n",
                  5, "it was stopped after 50 statements", statements=50)

    def test_an_endless_loop_is_stopped(self):
        self.ends("import torch\nx = torch.ones(1)\nwhile True:\n    pass\n", 5, "it was stopped after 5 s")

    def test_an_interrupt_leaves_the_program_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            script, program = pathlib.Path(folder) / "spin.py", pathlib.Path(folder) / "test_spin.py"
            script.write_text("import torch\nx = torch.ones(1)\nwhile True:\n    pass\n", encoding="utf-8")
            started = subprocess.Popen([str(BIN / "plumbline"), "record", str(script), "--out", str(program)], stderr=subprocess.PIPE, text=True)
            time.sleep(12)
            started.send_signal(signal.SIGINT)
            _, said = started.communicate(timeout=60)
            self.assertEqual(started.returncode, 130, said)
            self.assertIn("it was interrupted", said)
            self.assertIn("torch.ones([1]", program.read_text(encoding="utf-8"))

    def test_a_crash_loses_nothing(self):
        self.ends("import ctypes, torch\nwith torch.no_grad():\n    x = torch.ones(1)\n    ctypes.string_at(0)\n", 5, "Python died of SIGSEGV", statements=2)

    def test_a_crash_inside_an_op_names_it(self):
        self.ends("""
            import ctypes, torch
            torch.library.define("plumbline_test::crash", "(Tensor x) -> Tensor")
            torch.library.impl("plumbline_test::crash", "CPU", lambda x: ctypes.string_at(0))
            x = torch.ones(1)
            torch.ops.plumbline_test.crash(x)
            """, 5, "Python died of SIGSEGV in plumbline_test.crash.default (line 6)")

    def test_an_error_ends_the_program_where_it_ended_the_script(self):
        self.ends("import torch\ntorch.ones(2).view(5)\n", 5, "it raised RuntimeError: shape '[5]' is invalid for input of size 2 (line 2)", statements=3)

    def test_a_script_that_reads_gets_nothing(self):
        self.ends("import torch\ntorch.ones(1)\ninput()\n", 5, "it raised EOFError", "(line 3)")

    def test_a_child_process_is_not_recorded(self):
        self.ends("import os, torch\nx = torch.ones(1)\nif os.fork() == 0:\n    x.add_(1)\n    os._exit(0)\nos.wait()\n", 5, "1 thing that it did is not said")

    def test_a_thread_that_waits_is_left_out(self):
        self.ends("""
            import threading, torch
            x, event = torch.ones(1), threading.Event()
            def work():
                event.wait(20)
                x.add_(1)
            thread = threading.Thread(target=work)
            thread.start()
            event.set()
            thread.join()
            """, 5, "1 thing that it did is not said", options=("--seconds", "30"), statements=6)

    def test_a_script_that_writes_into_every_file_loses_only_what_follows(self):
        self.ends("""
            import os, torch
            x = torch.ones(1)
            for file in range(3, 20):
                try:
                    os.write(file, b"garbage")
                except OSError:
                    pass
            x.add_(1)
            """, 5, "it wrote into the recorder's journal")

    def test_an_exit_code_is_said(self):
        self.ends("import torch\ntorch.ones(1)\nraise SystemExit(3)\n", 5, "it ended with exit code 3")

    def test_a_syntax_error_is_shown(self):
        self.ends("import torch\nx = = 3\n", 4, "it raised SyntaxError: invalid syntax", statements=0)

    def test_a_script_without_tensors_has_no_program(self):
        self.ends("print('hello')\n", 4, "it did nothing with tensors that can be recorded, so there is no program", statements=0)

    def test_a_python_without_pytorch_is_named(self):
        self.ends("import torch\n", 3, "a Python that imports PyTorch?", options=("--python", "/usr/bin/false"), statements=0)


if __name__ == "__main__":
    unittest.main()
