"""Exact scorecards: the number of layouts of a tiny board that an agent wins.

``python -m tests.agents.scorecards`` plays them all and writes ``scorecards.txt`` afresh. Each
random draw of an agent is replaced by the first of the choices, so every number is an integer that can be recomputed.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from satsweep.agents import AGENTS, agent_named
from satsweep.board import Cell
from satsweep.games.game import play
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout

FILE = Path(__file__).parent / "scorecards.txt"
CORNER = Cell(0, 0)
BOARDS = [(2, 5, 2), (2, 7, 4), (3, 3, 2), (3, 4, 4), (3, 5, 3), (4, 4, 3), (4, 4, 4), (4, 5, 3)]


class FirstOfEquals(Random):
    """Random generator without chance: it draws the first of the choices."""

    def randrange(self, *args: Any, **kwargs: Any) -> int:
        return 0

    def sample(self, population: Sequence[Any], k: int, **kwargs: Any) -> list[Any]:
        return list(population[:k])


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
    """Return every layout."""
    blank = Layout(("." * cols,) * rows)
    return (blank.with_mines(mined) for mined in combinations(range(rows * cols), mines))


def wins(agent: str, layout: Layout, first: FirstClick = FirstClick.ANY, rng: Random | None = None) -> bool:
    """Return whether the agent wins a layout from the corner."""
    return play(layout, agent_named(agent), Rules(first=first, start=CORNER), rng or FirstOfEquals()).won


def score(rows: int, cols: int, mines: int, agent: str) -> Score:
    """Play every layout, and return the agent's score."""
    return Score(rows, cols, mines, agent, sum(wins(agent, layout) for layout in layouts(rows, cols, mines)))


def read() -> list[Score]:
    """Return the committed table."""
    scores = []
    for line in FILE.read_text().splitlines():
        if not line.startswith("//"):
            board, agent, won, *_ = line.split()
            rows, cols, mines = map(int, board.replace("/", "x").split("x"))
            scores.append(Score(rows, cols, mines, agent, int(won)))
    return scores


def main() -> None:
    lines = ["// board/mines, agent, games won of all layouts with a safe corner: python -m tests.agents.scorecards"]
    for board in BOARDS:
        for agent in AGENTS:
            card = score(*board, agent)
            lines.append(f"{card.rows}x{card.cols}/{card.mines} {agent:<10} {card.won:>5} of {card.layouts}")
            print(lines[-1], flush=True)
    FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
