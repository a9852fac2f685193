"""The declaration of results, and the lists that follow it or must match it."""

from random import Random

from satsweep.agents import agent_named
from satsweep.arena.block_play import chain_counts_of
from satsweep.arena.export import columns
from satsweep.arena.measures import MEASURES
from satsweep.arena.result import CHAIN_COUNTS, COLUMNS, COUNTS, KEYS, Result, Role, counts_of, fields_with
from satsweep.board import Cell
from satsweep.games.deal import random_layout
from satsweep.games.game import play
from satsweep.games.rules import Rules
from satsweep.kernels.games import player


def test_every_field_is_declared() -> None:
    assert tuple(COLUMNS) == Result._fields
    assert Result._fields[:3] == KEYS
    for name, column in COLUMNS.items():
        missing = column.role in (Role.CHAIN_COUNT, Role.EVALUATIONS, Role.STATED) or name == "layout"
        assert column.optional == (missing or name == "message")
        assert column.kind is {Role.OUTCOME: str, Role.STATED: str, Role.FAILURE: str, Role.TIME: float}.get(
            column.role, int
        )


def test_the_row_of_the_kernels_is_that_of_results() -> None:
    """Kernels measure no chains, and take their time for a whole block."""
    assert fields_with(Role.OUTCOME, Role.COUNT) == player.MEASURES == player.RESULT.names


def test_counts_are_taken_from_records_without_exception() -> None:
    """A count that is taken nowhere would be 0 in every game."""
    rules = Rules(start=Cell(0, 0))
    record = play(random_layout(6, 6, 5, Random(3)), agent_named("gem"), rules, Random(3))
    assert set(counts_of(record)) == set(fields_with(Role.COUNT))
    assert set(chain_counts_of(record)) == set(CHAIN_COUNTS)
    assert set(COUNTS) - set(counts_of(record)) - set(chain_counts_of(record)) == {"evaluations"}


def test_measures_that_plans_ask_for_are_the_counts_that_may_be_missing() -> None:
    asked = {name: measure.asked_by for name, measure in MEASURES.items() if measure.asked_by}
    assert asked == {**dict.fromkeys(CHAIN_COUNTS, "chains"), "evaluations": "evaluations"}


def test_exports_have_every_field_but_layouts() -> None:
    exported = columns(seconds=True)
    assert [name for name in exported if name in Result._fields] == [
        name for name in Result._fields if name != "layout"
    ]
    assert [name for name in exported if name not in columns()] == [*fields_with(Role.TIME), "played_by"]
