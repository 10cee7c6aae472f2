"""Asks a caller of the sweep (docs/SWEEP.md) whether an operator takes some arguments."""
import json
import subprocess
import threading

SECONDS = 10


class Caller:
    """The process, started again after a crash."""

    def __init__(self, command):
        self.command, self.process = command, None

    def ask(self, request):
        """Its answer, or None if it died or took too long."""
        if self.process is None:
            self.process = subprocess.Popen([self.command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        timer = threading.Timer(SECONDS, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            for line in self.process.stdout:
                if line.startswith("{"):
                    return json.loads(line)
        except BrokenPipeError:
            pass
        finally:
            timer.cancel()
        self.stop()
        return None

    def stop(self):
        """The next question starts a new process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.process = None

    def observe(self, experiment):
        """(what is seen of the call if the operator takes the arguments, or None; why it does not take them)."""
        answer = self.ask({"cmd": "call", "experiment": experiment})
        if answer is None:
            return None, "it crashed"
        seen = answer.get("observation")
        if seen is None or seen["error"]:
            return None, answer.get("unsupported") or seen["error"]
        return seen, ""
