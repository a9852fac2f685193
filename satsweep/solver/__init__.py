"""Forced cells and probabilities: from the numbers of a board to its analysis.

All of it can be found with python-sat alone. Other libraries only add to that, and where one is missing, as in a
browser, another way gives the same answer: numpy hands arrays to the compiled kernels, GMP multiplies long integers,
and CP-SAT is one more engine (``is_installed``).
"""

from functools import cache
from importlib.util import find_spec

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


@cache
def is_installed(name: str) -> bool:
    """Return whether a library can be imported; it is not imported yet.

    >>> is_installed("pysat"), is_installed("a library of no one")
    (True, False)
    """
    return find_spec(name) is not None
