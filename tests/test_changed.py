"""``scripts/test --changed``: the tests of what has changed, and those that name what a table lacks."""

import runpy
from typing import Any

import pytest

from tests import ROOT
from tests.conftest import tables


@pytest.fixture(scope="module")
def changed() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "scripts" / "changed.py"))


def test_a_table_has_the_tests_of_its_folder_and_a_module_those_that_import_it(changed: dict[str, Any]) -> None:
    table, module = ({*changed["tests_of"](f"satsweep/{file}")} for file in ("agents/__init__.py", "games/deal.py"))
    assert table == {"tests/agents", "tests/arena/test_plans.py", "satsweep/agents/__init__.py"}
    assert {"tests/games", "tests/agents/test_agents.py", "satsweep/games/deal.py"} <= module


def test_every_completeness_test_is_run(changed: dict[str, Any]) -> None:
    assert {*changed["of_tables"]()} == {f"{file}::{name}" for file, name in tables()}
