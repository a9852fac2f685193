"""What an agent is: two functions of what it sees.

``deduce(board)`` says what must be so, ``guess(board, rng)`` names a cell to open when nothing is left to act on. An
agent sees a ``Board``, never a layout. Flags on the board are marks that the agent itself has made in this game: each
mine that it claims is flagged before it is asked again, so a claim once made is not lost.

An agent may remember what it has seen. One ``Agent`` plays one game, from its first move to its last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import NamedTuple

from satsweep.board import Board, Cell

SINGLE_POINT = "single point"
"""The rule of one number at a time: what every agent but the simplest goes beyond."""


class Inference(NamedTuple):
    """Why a claim holds: the rule, and the open numbers that it was applied to, if it is about some in particular."""

    rule: str
    clues: tuple[Cell, ...] = ()

    def __str__(self) -> str:
        places = " ".join(map(str, self.clues))
        return f"{self.rule}: {places}" if places else self.rule


@dataclass(frozen=True, slots=True)
class Deduction:
    """Claims about covered cells that carry no flag yet: these are safe, these are mines.

    ``why`` gives the inference behind each claim, where the agent tells. ``opens`` are the cells to open now, in this
    order; None stands for every safe cell, which is what most agents want.

    >>> safe, mines = Deduction(safe=(Cell(0, 1),))
    >>> safe, mines
    ((Cell(row=0, col=1),), ())
    """

    safe: tuple[Cell, ...] = ()
    mines: tuple[Cell, ...] = ()
    why: Mapping[Cell, Inference] = field(default_factory=dict)
    opens: tuple[Cell, ...] | None = None

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        """Safe cells, then mines, so that a deduction unpacks as the pair that it is."""
        return iter((self.safe, self.mines))

    def __bool__(self) -> bool:
        return bool(self.safe or self.mines)


class Guess(NamedTuple):
    """A cell to open although it may be a mine, why this one, and its risk if the agent knows it."""

    cell: Cell
    why: str = ""
    risk: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Agent:
    """The two functions. A guess of None gives up: the game ends where it stands.

    Instead of a ``Deduction`` a function may return any pair of safe cells and mines, and instead of a ``Guess`` a
    bare (row, column).
    """

    deduce: Callable[[Board], Deduction | tuple[object, object]]
    guess: Callable[[Board, Random], Guess | tuple[int, int] | None]


def in_order(board: Board, safe: Mapping[int, Inference], mines: Mapping[int, Inference]) -> Deduction:
    """A deduction from claims about row-major indices, in row-major order.

    >>> in_order(Board(("1#",)), {}, {1: Inference("single point", (Cell(0, 0),))}).mines
    (Cell(row=0, col=1),)
    """
    cols = board.cols
    cell = {index: Cell(*divmod(index, cols)) for index in sorted((*safe, *mines))}
    return Deduction(
        tuple(cell[index] for index in cell if index in safe),
        tuple(cell[index] for index in cell if index in mines),
        {cell[index]: inference for claims in (safe, mines) for index, inference in claims.items()},
    )
