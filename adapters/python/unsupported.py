"""What a script asks for and this adapter, or this PyTorch, does not have."""


class Unsupported(Exception):
    """The script cannot be run here; the text says why."""
