"""What the NumPy adapter says when NumPy cannot run a script."""


class Unsupported(Exception):
    """NumPy has no equivalent of a part of the script. The text has no numbers of the script, so that reasons can be counted."""
