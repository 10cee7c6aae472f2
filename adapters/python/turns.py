"""Two threads that take turns: one runs while the other one waits. adapters/walk/turns.h does the same for C++."""
import threading


class Abandoned(BaseException):
    """Ends the body of a thread whose starter no longer lets it go on."""


class Turns:
    """A thread that runs `run(turns)`. Of it and of the thread that starts it exactly one runs at a time."""

    def __init__(self, run):
        self.waits_at, self.trouble, self.abandoned = None, None, False  # where it waits; the exception that ended it
        self.its_turn, self.starters_turn = threading.Semaphore(0), threading.Semaphore(0)
        self.thread = threading.Thread(target=self.body, args=(run,))
        self.thread.start()
        self.starters_turn.acquire()

    def body(self, run):
        try:
            run(self)
        except BaseException as trouble:  # the starter says which ones matter
            self.trouble = trouble
        self.starters_turn.release()

    def pause(self, at):
        """In the thread: it waits at this statement until its starter lets it go on."""
        self.waits_at = at
        self.starters_turn.release()
        self.its_turn.acquire()
        if self.abandoned:
            raise Abandoned

    def go_on(self):
        """In the starter: the thread goes on, until it waits again or has ended."""
        self.waits_at = None
        self.its_turn.release()
        self.starters_turn.acquire()

    def end(self):
        """In the starter: ends a thread that still waits, and joins it."""
        if self.waits_at is not None:
            self.abandoned = True
            self.go_on()
        self.thread.join()
