#!/usr/bin/env python3
"""Ctrl-C while pip waits for an index: `plumbline env add` ends with 130 and leaves nothing. The argument is the folder of executables."""
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading

LIMIT_S = 120


def main():
    with socket.create_server(("127.0.0.1", 0)) as silent, tempfile.TemporaryDirectory() as folder:
        asked = threading.Event()
        held = []

        def accept():  # an index that takes a connection and never answers
            held.append(silent.accept())
            asked.set()

        threading.Thread(target=accept, daemon=True).start()
        index = f"http://127.0.0.1:{silent.getsockname()[1]}/simple"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
        environment |= {"PLUMBLINE_ENVS": folder, "PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": index, "no_proxy": "127.0.0.1"}
        command = [pathlib.Path(sys.argv[1]) / "plumbline-env", "env", "add", "numpy", "--python", sys.executable]
        run = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            assert asked.wait(LIMIT_S), "pip never asked the index"
            left = sorted(os.listdir(folder))
            assert left == [".lock", "numpy.1"], left
            run.send_signal(signal.SIGINT)
            printed = run.communicate(timeout=LIMIT_S)[0]
        finally:
            run.kill()
            run.wait()
        assert run.returncode == 130, (run.returncode, printed)
        assert "interrupted; numpy is as it was before" in printed, printed
        assert os.listdir(folder) == [".lock"], os.listdir(folder)
    print("an interrupted installation leaves nothing")


if __name__ == "__main__":
    main()
