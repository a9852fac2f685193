"""Python in child processes: it imports nothing from the current directory.

Python puts the directory first on the path of ``python -c`` and ``python -m`` unless it is started with ``-P``. A
folder of games may be of unknown origin, and a user may have a ``random.py`` beside them.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

PYTHON = (sys.executable, "-P")
"""First words of every command that starts Python."""
SAFE_PATH = "PYTHONSAFEPATH"
"""Variable with the effect of ``-P``, for libraries with their own commands."""


@contextmanager
def safe_path() -> Iterator[None]:
    """Have every Python that starts within do so as if by ``-P``."""
    before = safe_path_given()
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        restore_safe_path(before)


def safe_path_given() -> str:
    """The user's own value of the variable."""
    return os.environ.get(SAFE_PATH, "")


def restore_safe_path(value: str) -> None:
    """Set the variable as the user has it: scripts may import files beside them."""
    if value:
        os.environ[SAFE_PATH] = value
    else:
        os.environ.pop(SAFE_PATH, None)
