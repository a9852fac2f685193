"""Interface of agents: two functions of a board, and the values that they return.

``deduce(board)`` returns claims: covered cells that must be safe or must be mines. ``guess(board, rng)`` names a cell
to open when no claim is left to act on. An agent sees a ``Board``, never a layout. Flags on the board are marks that
the agent itself has made in this game: each mine that it claims is flagged before the next call, so claims persist.

An agent may have state. One ``Agent`` plays one game, from its first move to its last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import NamedTuple, Protocol

from satsweep.board import Board, Cell
from satsweep.errors import AgentError
from satsweep.games.rules import Rules

SINGLE_POINT = "single point"
"""Name of the rule of one number at a time; stronger agents have further rules."""


class Inference(NamedTuple):
    """Justification of a claim: the rule, and the open numbers that it was applied to.

    ``clues`` is empty where the rule is not about particular numbers.
    """

    rule: str
    clues: tuple[Cell, ...] = ()

    def __str__(self) -> str:
        places = " ".join(map(str, self.clues))
        return f"{self.rule}: {places}" if places else self.rule


@dataclass(frozen=True, slots=True)
class Deduction:
    """Claims about covered cells without a flag: safe cells and mines.

    ``why`` gives the inference behind each claim, as far as the agent reports it. ``opens`` are the cells to open now,
    in this order; None stands for every safe cell, the usual case. ``evaluations`` counts the tests that it took: each
    is of one rule, on one number, one pair of numbers or one row of a matrix, or of one placement or partial sum while
    placements are counted; None if the agent does not say. ``flags`` are further cells to flag,
    which it does not claim to be mines.

    >>> safe, mines = Deduction(safe=(Cell(0, 1),))
    >>> safe, mines
    ((Cell(row=0, col=1),), ())
    """

    safe: tuple[Cell, ...] = ()
    mines: tuple[Cell, ...] = ()
    why: Mapping[Cell, Inference] = field(default_factory=dict)
    opens: tuple[Cell, ...] | None = None
    evaluations: int | None = None
    flags: tuple[Cell, ...] = ()

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        """Iterate over safe cells and mines, so that a deduction unpacks as a pair."""
        return iter((self.safe, self.mines))

    def __bool__(self) -> bool:
        return bool(self.safe or self.mines)


class Guess(NamedTuple):
    """A cell to open although it may be a mine.

    ``why`` is the reason for choosing it, ``risk`` its probability of being a mine if the agent computed one, and
    ``wins`` the probability to win the game with it that the agent expects, if it does.
    """

    cell: Cell
    why: str = ""
    risk: Fraction | None = None
    wins: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Agent:
    """Player of one game: a function that deduces and a function that guesses.

    A guess of None gives up: the game ends where it stands. Instead of a ``Deduction`` a function may return any pair
    of safe cells and mines, and instead of a ``Guess`` a bare (row, column). Where calls run in another process,
    ``seconds`` returns the processor time that they have taken in this game.

    The other functions are optional. ``begin`` is called before the first move, with the rules and the random numbers
    of the game. ``lie`` returns the error for a claim about a cell that has turned out false, where that is to end the
    game. ``rates`` returns risks of covered cells of a board, which audits compare with the exact ones.
    """

    deduce: Callable[[Board], Deduction | tuple[object, object]]
    guess: Callable[[Board, Random], Guess | tuple[int, int] | None]
    seconds: Callable[[], float] | None = None
    begin: Callable[[Rules, Random], None] | None = None
    lie: Lie | None = None
    rates: Callable[[Board], Mapping[Cell, Fraction]] | None = None


class Lie(Protocol):
    """Function that returns the error for a false claim, None if none was made."""

    def __call__(self, cell: Cell, *, mine: bool) -> AgentError | None:
        """Return the error for the claim that a cell is a mine, or that it is safe."""
        ...


def ordered_deduction(
    board: Board, safe: Mapping[int, Inference], mines: Mapping[int, Inference], evaluations: int | None = None
) -> Deduction:
    """Return a deduction from claims about row-major indices, in row-major order.

    >>> ordered_deduction(Board(("1#",)), {}, {1: Inference("single point", (Cell(0, 0),))}).mines
    (Cell(row=0, col=1),)
    """
    cell = {index: board.cell(index) for index in sorted((*safe, *mines))}
    return Deduction(
        tuple(cell[index] for index in cell if index in safe),
        tuple(cell[index] for index in cell if index in mines),
        {cell[index]: inference for claims in (safe, mines) for index, inference in claims.items()},
        evaluations=evaluations,
    )
