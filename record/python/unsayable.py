"""What a program cannot say."""


class Unsayable(Exception):
    """Its text says what a program has no words for."""
