"""Fixtures: both ways of counting components."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from satsweep.kernels import api as kernels


@pytest.fixture(params=["listing", "elimination"])
def counting(request: pytest.FixtureRequest) -> Iterator[str]:
    """Once as usual, with most components listed, once with all of them eliminated."""
    before = int(kernels._own.work["most_listed"][0])
    for work in (kernels._workspace(), kernels._own.work):
        work["most_listed"] = before if request.param == "listing" else 0
    yield request.param
    for work in (kernels._workspace(), kernels._own.work):
        work["most_listed"] = before
