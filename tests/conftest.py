"""How the suite runs: Hypothesis profiles, and what is left out unless asked for.

``pytest`` is the quick suite, ``pytest -m slow`` the exhaustive rest. Where ``CI`` is set examples are always the
same; ``HYPOTHESIS_PROFILE=thorough`` tries twenty times as many.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, settings

PATIENT = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]

settings.register_profile("default", max_examples=60, deadline=None, suppress_health_check=PATIENT)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None)
# For benchmarks/mutants.py: that a test fails is enough to know, the smallest way to make it fail is not wanted.
settings.register_profile("mutants", settings.get_profile("ci"), phases=[Phase.explicit, Phase.generate])
settings.register_profile("thorough", settings.get_profile("default"), max_examples=1200)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if os.environ.get("CI") else "default"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests out, unless markers or single tests are asked for."""
    if config.option.markexpr or any("::" in argument for argument in config.args):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if item not in slow]
