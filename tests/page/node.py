"""Modules of the page in Node, without a browser."""

import json
import shutil
import subprocess
from typing import Any

import pytest

from tests import ROOT

STATIC = ROOT / "satsweep" / "page" / "static"


def node(code: str) -> Any:
    """What a module prints as JSON, run in Node beside those of the page."""
    found = shutil.which("node") or pytest.skip("needs node")
    done = subprocess.run(
        [found, "--input-type=module", "--eval", code], capture_output=True, text=True, cwd=STATIC, check=True
    )
    return json.loads(done.stdout)
