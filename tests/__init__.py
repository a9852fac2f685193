"""The test suite, in the folders of the package.

``brute_force`` and ``placements`` check the answers.
"""

from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
DATA = TESTS / "data"
EXAMPLES = ROOT / "examples"
