"""Fixtures: both ways of counting components."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from satsweep.kernels import api as kernels


@pytest.fixture(params=["listing", "elimination"])
def counting(request: pytest.FixtureRequest) -> Iterator[str]:
    """Once as usual, with most components listed, once with all of them eliminated."""
    work = kernels._workspace()
    before = int(work["most_listed"][0])
    work["most_listed"] = before if request.param == "listing" else 0
    yield request.param
    work["most_listed"] = before
