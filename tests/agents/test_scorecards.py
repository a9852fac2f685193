"""Exact scorecards: the number of layouts of a tiny board that an agent wins, and relations between them.

Each random draw of an agent is replaced by the first of the choices, so every number is an integer that can be
recomputed. Boards of many layouts are played again by the slow test only.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from satsweep.agents import AGENTS, agent_named
from satsweep.board import Cell
from satsweep.games.game import play
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout
from tests.conftest import Golden
from tests.optimal import SOLVED

FILE = Path(__file__).parent / "goldens" / "scorecards.txt"
CORNER = Cell(0, 0)
BOARDS = [(2, 5, 2), (2, 7, 4), (3, 3, 2), (3, 4, 4), (3, 5, 3), (4, 4, 3), (4, 4, 4), (4, 5, 3)]


class FirstOfEquals(Random):
    """Random generator without chance: it draws the first of the choices, and moves a mine to a given cell."""

    def __init__(self, place: int = 0) -> None:
        super().__init__()
        self.place = place

    def randrange(self, *args: Any, **kwargs: Any) -> int:
        return 0

    def sample(self, population: Sequence[Any], k: int, **kwargs: Any) -> list[Any]:
        return list(population[self.place : self.place + k])


class Score(NamedTuple):
    """A line of the table: the layouts with a safe corner that an agent wins from it."""

    rows: int
    cols: int
    mines: int
    agent: str
    won: int

    @property
    def layouts(self) -> int:
        return comb(self.rows * self.cols - 1, self.mines)


def layouts(rows: int, cols: int, mines: int) -> Iterator[Layout]:
    blank = Layout(("." * cols,) * rows)
    return (blank.with_mines(mined) for mined in combinations(range(rows * cols), mines))


def wins(agent: str, layout: Layout, first: FirstClick = FirstClick.ANY, rng: Random | None = None) -> bool:
    return play(layout, agent_named(agent), Rules(first=first, start=CORNER), rng or FirstOfEquals()).won


SCORES = [
    Score(int(rows), int(cols), int(mines), agent, int(won))
    for rows, cols, mines, agent, won in re.findall(r"(\d+)x(\d+)/(\d+) (\S+) +(\d+)", FILE.read_text())
]
QUICK = 300
"""Most layouts of a board that every run of the suite plays; the exact agents take five times as long."""


def table(*, quick: bool) -> str:
    """The golden; boards of many layouts stay as they are if ``quick``, unless they are missing."""
    known = {card[:4]: card.won for card in SCORES}
    lines = ["// board/mines, agent, games won of all layouts with a safe corner"]
    for rows, cols, mines in BOARDS:
        for agent in AGENTS:
            card = Score(rows, cols, mines, agent, known.get((rows, cols, mines, agent), -1))
            if not quick or card.won < 0 or card.layouts * (5 if agent in ("sat", "deep") else 1) <= QUICK:
                card = card._replace(won=sum(wins(agent, layout) for layout in layouts(rows, cols, mines)))
            lines.append(f"{rows}x{cols}/{mines} {agent:<10} {card.won:>5} of {card.layouts}")
    return "\n".join(lines) + "\n"


def test_scorecards(golden: Golden) -> None:
    golden("scorecards.txt", table(quick=True))


@pytest.mark.slow
def test_all_scorecards(golden: Golden) -> None:
    golden("scorecards.txt", table(quick=False))


def test_4x4_with_3_mines_from_the_corner() -> None:
    sat = next(card for card in SCORES if card[:4] == (4, 4, 3, "sat"))
    assert sat.layouts == 455 and sat.won >= 395


def test_deep_plays_as_well_as_anybody_can_and_nobody_better() -> None:
    best = {board[:3]: board.first[CORNER][0] for board in SOLVED}
    known = [card for card in SCORES if card[:3] in best]
    assert len({card[:3] for card in known}) >= 6
    for card in known:
        assert card.won <= best[card[:3]] and (card.agent != "deep" or card.won == best[card[:3]]), card


def test_the_stronger_wins_more() -> None:
    """On all boards together; on one the first of equals may be right by luck (2x7/4)."""
    won = {agent: sum(card.won for card in SCORES if card.agent == agent) for agent in AGENTS}
    assert won["deep"] == max(won.values())
    assert won["random"] < won["basic"] < won["subset"] < won["gem"] <= won["gem-full"] <= won["gem-refute"]
    assert won["gem-refute"] < won["sat"] < won["deep"]


def chance_if_safe(agent: str, layout: Layout) -> Fraction:
    """Return the chance to win a layout with a safe corner, over every moved mine."""
    if not layout.is_mine((0, 0)):
        return Fraction(wins(agent, layout, FirstClick.SAFE))
    free = layout.rows * layout.cols - layout.mines
    return Fraction(sum(wins(agent, layout, FirstClick.SAFE, FirstOfEquals(place)) for place in range(free)), free)


@pytest.mark.parametrize("agent", ["basic", "sat", "deep"])
@pytest.mark.parametrize(("rows", "cols", "mines"), [(2, 4, 3), (3, 3, 2)])
def test_a_promise_is_worth_what_it_says(agent: str, rows: int, cols: int, mines: int) -> None:
    """P(win | any) = (1 - mines/cells) P(win | safe).

    Moving mines away leaves all layouts equally likely.
    """
    everything = list(layouts(rows, cols, mines))
    promised = sum((chance_if_safe(agent, layout) for layout in everything), Fraction(0)) / len(everything)
    anything = Fraction(sum(wins(agent, layout) for layout in everything), comb(rows * cols, mines))
    assert anything == (1 - Fraction(mines, rows * cols)) * promised
