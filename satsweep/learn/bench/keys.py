"""Keys of tasks: frozen exact values of cells, and the scores of replies by them.

=================  ===============================================================
task               values of cells
=================  ===============================================================
deduce, nothing    the risk of every covered cell that is certain: 0 or 1
guess              the chance to win by best play of every covered cell
risk               the risk of the cell that is asked about
=================  ===============================================================

A key is part of the file, so that no build of the engine changes a score. ``why`` and ``game`` have none: their replies
are checked by what numbers force, which every build decides exactly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from satsweep.board import Board, Cell
from satsweep.games.agent import is_shown_mine
from satsweep.learn.envs.replies import GRAMMARS, Claims
from satsweep.learn.envs.tasks import REFUSED, claims_reward
from satsweep.learn.envs.text import cells_text

KEYED = {"deduce": "deduce", "nothing": "deduce", "guess": "move", "risk": "risk"}
"""The tasks with a key, and the kind of their question."""
_CELL = re.compile(r"\((\d+),(\d+)\)")


def cells_by_value(values: Mapping[Cell, Fraction]) -> dict[str, str]:
    """Cells grouped by their values, the highest first, as a row has them.

    >>> cells_by_value({Cell(0, 0): Fraction(1, 3), Cell(0, 1): Fraction(1), Cell(1, 0): Fraction(1, 3)})
    {'1': '(0,1)', '1/3': '(0,0) (1,0)'}
    """
    return {
        str(value): cells_text([cell for cell in sorted(values) if values[cell] == value])
        for value in sorted(set(values.values()), reverse=True)
    }


def values_of(written: Mapping[str, str], place: Callable[[Cell], Cell]) -> dict[Cell, Fraction]:
    """The values of cells of a row, each cell at its ``place``.

    Raises ValueError for a value that is no fraction, or a list that is none of cells.
    """
    found = dict[Cell, Fraction]()
    for value, text in written.items():
        cells = [Cell(int(row), int(col)) for row, col in _CELL.findall(text)]
        if not cells or cells_text(cells) != text:
            raise ValueError(f"expected cells such as (0,1) (2,3), found {text!r}")
        found.update(dict.fromkeys(map(place, cells), Fraction(value)))
    return found


@dataclass(frozen=True, slots=True)
class Key:
    """The values of a task on its board, by which replies are scored.

    Raises ValueError for values that no task of the name has.
    """

    task: str
    board: Board
    cell: Cell
    values: Mapping[Cell, Fraction]

    def __post_init__(self) -> None:
        cells, covered = self.values.keys(), set(self.board.covered)
        expected = {
            "deduce": bool(cells) and set(self.values.values()) <= {0, 1},
            "nothing": not cells,
            "guess": cells == covered,
            "risk": cells == {self.cell},
        }[self.task]
        if not expected or not cells <= covered or not all(0 <= value <= 1 for value in self.values.values()):
            raise ValueError(f"expected the values of a task {self.task}")

    def judge(self, reply: str) -> tuple[Fraction, bool]:
        """Reward of a reply, 1 at best, and whether it names a covered cell."""
        answer = GRAMMARS[KEYED[self.task]].last(reply)
        if isinstance(answer, Claims):
            safe, mines = (frozenset(self.of_value(value)) for value in (0, 1))
            named = any(is_shown_mine(self.board, cell) is None for cell in answer.safe | answer.mines)
            return claims_reward(self.board, answer, safe, mines), named
        if isinstance(answer, Cell):
            won = self.values.get(answer)
            return (REFUSED, False) if won is None else (1 - max(self.values.values()) + won, True)
        return (REFUSED if answer is None else Fraction(answer == self.values[self.cell])), False

    def of_value(self, value: int) -> list[Cell]:
        return [cell for cell, found in self.values.items() if found == value]
