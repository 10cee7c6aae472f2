"""Threads that a script starts: in a program each is joined before anything else happens."""
import threading

LONGEST_S = 2


def install(recorder, modes):
    """`modes()` is what sees Python's uses of PyTorch in a new thread."""
    original = threading.Thread.start

    def start(thread):
        if not recorder.recording():
            return original(thread)
        run, permit = thread.run, [True]
        recorder.meet_variables()

        def recorded():
            with modes(), recorder.on(permit):
                recorder.guards[-1].begin()
                try:
                    run()
                except Exception as error:
                    recorder.error_left_the_body(error)
                    raise

        thread.run = recorded
        recorder.write({"do": "start_thread"})
        with recorder.scope():
            with recorder.paused():
                original(thread)
                thread.join(LONGEST_S)
            permit[0] = False
            if thread.is_alive():
                recorder.note(f"what a thread does that has not ended after {LONGEST_S} s is not part of a program")
        recorder.add({"do": "join_thread"})
        return None

    threading.Thread.start = start
