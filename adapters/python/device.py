"""The device of the tensors: waiting for it, and whether it still works."""
import torch


class Device:
    def __init__(self, name):
        """Fails if the device is missing, with PyTorch's own message."""
        self.name = name
        torch.zeros(1, device=name)
        module = getattr(torch, torch.device(name).type, None)
        self.wait = getattr(module, "synchronize", lambda: None)  # raises what an asynchronous kernel could not

    def is_broken(self):
        """After a failed assert in a kernel, CUDA can do nothing more in this process."""
        try:
            torch.zeros(1, device=self.name)
            self.wait()
        except Exception:  # whatever PyTorch raises
            return True
        return False
