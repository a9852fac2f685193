"""The test suite, in the folders of the package.

``brute_force`` and ``placements`` check the answers.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
DATA = TESTS / "data"
EXAMPLES = ROOT / "examples"
PATIENCE = int(os.environ.get("TEST_PATIENCE", "600"))
"""Seconds after which a test that waits gives up: a hang ends then, and no machine is under such a load."""


def wait_until(condition: Callable[[], object], pause: Callable[[], object] = lambda: time.sleep(0.02)) -> None:
    """Wait for what should happen."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        pause()
