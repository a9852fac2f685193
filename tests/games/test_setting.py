"""Settings: kinds of boards with rules of play, in words and as values."""

import pytest

from satsweep.board import Cell
from satsweep.clues import clues_named
from satsweep.errors import BoardError
from satsweep.games.rules import FirstClick, Goal, Rules
from satsweep.games.setting import Setting, settings_by_kind
from satsweep.layout import Layout
from satsweep.topology import HEXAGONAL, SQUARE, TORUS

SETTINGS = [
    Setting(9, 9, 10),
    Setting(9, 9, 10, topology=TORUS),
    Setting(4, 6, 5, Rules(FirstClick.ZERO, Cell(1, 2), cascade=False, fatal=False), HEXAGONAL),
    Setting(5, 5, 4, Rules(FirstClick.ANY, goal=Goal.FIND, clues=clues_named("random 1/2"), tells_total=False)),
]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_values_tell_all(setting: Setting) -> None:
    assert Setting.from_values(setting.to_values()) == setting


@pytest.mark.parametrize("rules", [setting.rules for setting in SETTINGS], ids=str)
def test_values_of_rules_tell_all(rules: Rules) -> None:
    assert Rules.from_values(rules.to_values()) == rules


@pytest.mark.parametrize("values", [{"first": "never"}, {"goal": "draw"}, {"start_at": [0, 0]}, {"clues": "honest"}])
def test_values_that_no_rules_have(values: dict[str, object]) -> None:
    with pytest.raises((ValueError, BoardError)):
        Rules.from_values(values)


@pytest.mark.parametrize(
    ("rules", "free"),
    [
        (Rules(FirstClick.ANY), 0),
        (Rules(), 1),
        (Rules(FirstClick.GIVEN), 1),
        (Rules(FirstClick.ZERO), 4),
        (Rules(FirstClick.ZERO, Cell(0, 1)), 6),
        (Rules(FirstClick.ZERO, Cell(1, 1)), 9),
    ],
    ids=str,
)
def test_there_is_room_for_the_promise(rules: Rules, free: int) -> None:
    """A zero start takes its neighbours, the fewest of a cell where the agent chooses it."""
    Setting(5, 5, 25 - free, rules)
    with pytest.raises(BoardError, match="expected room for" if free else "expected a mine total"):
        Setting(5, 5, 26 - free, rules)


def test_a_start_stands_on_the_grid() -> None:
    with pytest.raises(BoardError, match="expected a start on the 3x4 grid, found 3,0"):
        Setting(3, 4, 2, Rules(start=Cell(3, 0)))


def test_a_game_has_its_own_layout() -> None:
    setting = SETTINGS[0]
    layouts = [setting.layout("seed", game)[0] for game in range(3)]
    assert len(set(layouts)) == 3 and {layout.mines for layout in layouts} == {10}
    assert setting.layout("seed", 1)[0] == layouts[1]
    given = Setting(9, 9, 10, Rules(FirstClick.GIVEN)).layout("seed", 0)[0]
    assert given.start is not None and not given.is_mine(given.start)


def test_given_layouts_by_kind() -> None:
    layouts = [Layout((".*", "..")), Layout(("..", ".*")), Layout(("**", "..")), Layout((".*", ".."), topology=TORUS)]
    settings = settings_by_kind(layouts, Rules())
    assert [(setting.mines, setting.topology, len(setting.layouts)) for setting in settings] == [
        (1, SQUARE, 2),
        (2, SQUARE, 1),
        (1, TORUS, 1),
    ]
    assert settings[0].layout("any", 7, first=6)[0] == layouts[1]
