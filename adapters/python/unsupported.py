"""What a script asks for and this adapter, or this PyTorch, does not have."""
import torch


class Unsupported(Exception):
    """The script cannot be run here; the text says why."""


def check_replaces(error):
    """Raises Unsupported if a registration failed because Python, until 2.9, lets no kernel replace another."""
    if "already a kernel registered from python" in str(error):
        raise Unsupported(f"Python's torch.library of PyTorch {torch.__version__} lets no kernel replace another") from None
