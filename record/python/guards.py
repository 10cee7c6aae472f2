"""The modes that a program is in, against the modes that the thread is in: which guards to enter or leave before a statement."""
import torch

in_inference_mode, in_grad_mode = torch.is_inference_mode_enabled, torch.is_grad_enabled  # PyTorch's own


def modes():
    """(inference mode, grad mode, below autograd) of this thread."""
    inference, excluded, keys = in_inference_mode(), torch._C._dispatch_tls_local_exclude_set(), torch._C.DispatchKey
    # Inference mode excludes autograd's keys too, and Python's factories exclude ADInplaceOrView with them.
    return inference, in_grad_mode(), not inference and excluded.has(keys.AutogradOther) and not excluded.has(keys.ADInplaceOrView)


class Guards:
    """The guards that a body of the program has open. It begins in the modes in which the thread is then."""

    def __init__(self, write):
        self.write, self.opened, self.now = write, [], modes()

    def begin(self):
        """The program is in the thread's modes: those of a body that begins now."""
        self.now = modes()

    def follow(self):
        """Leaves and enters guards until the program is in the thread's modes."""
        wanted = modes()
        if wanted == self.now:
            return
        for depth, before in enumerate(self.opened):
            if before == wanted:  # the modes before that guard
                self.leave(depth)
                return
        inference, grad, below = wanted
        if inference != self.now[0]:
            self.enter("inference_mode", inference, (inference, not inference, False))
        if grad != self.now[1]:
            self.enter("enable_grad" if grad else "no_grad", True, (inference, grad, self.now[2]))
        if below and not self.now[2]:
            self.enter("below_autograd", True, wanted)

    def enter(self, guard, value, then):
        self.write({"do": "enter", "guard": guard, "value": value})
        self.opened.append(self.now)
        self.now = then

    def leave(self, depth=0):
        """Leaves guards until `depth` are open."""
        while len(self.opened) > depth:
            self.write({"do": "exit"})
            self.now = self.opened.pop()
