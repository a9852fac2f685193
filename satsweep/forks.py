"""Forked children: locks and state of the parent's threads are made anew.

Another thread may have had a lock, or been in the middle of a call, when the process was copied. In the child nothing
would release the lock.
"""

import gc
import os
import sys
from collections.abc import Callable
from functools import cached_property
from threading import RLock


def after_fork(begin_anew: Callable[[], None]) -> None:
    """Call a function in every child process that is forked."""
    if hasattr(os, "register_at_fork"):  # not on Windows
        os.register_at_fork(after_in_child=begin_anew)


def _renew_properties() -> None:
    """Renew the locks of cached properties, which are held while a value is computed."""
    for found in gc.get_objects():
        if type(found) is cached_property:
            found.lock = RLock()  # type: ignore[attr-defined]


if sys.version_info < (3, 12):  # later ones have no lock
    after_fork(_renew_properties)
