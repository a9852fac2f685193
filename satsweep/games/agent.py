"""Interface of agents: two functions of a board, and the values that they return.

``deduce(board)`` returns claims: covered cells that must be safe or must be mines. ``guess(board, rng)`` names a cell
to open when no claim is left to act on. An agent sees a ``Board``, never a layout. Flags on the board are marks that
the agent itself has made in this game: each mine that it claims is flagged before the next call, so claims persist.

An agent may have state. One ``Agent`` plays one game, from its first move to its last.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from operator import index
from random import Random
from typing import Any, NamedTuple, Protocol

from satsweep.arguments import short_repr
from satsweep.board import COVERED, FLAG, MINE, Board, Cell
from satsweep.errors import AgentError
from satsweep.games.rules import Rules
from satsweep.techniques import TECHNIQUES, Technique

MAX_EVALUATIONS = 10**9
"""Most evaluations of one deduction: sums over millions of games fit 64 bits."""
LineOf = Callable[[str, Cell], str]
"""Quotation of the line with a cell as safe, mine, flag, open, guess or risk."""
SINGLE_POINT = TECHNIQUES[Technique.SINGLE].stage
"""Name of the rule of one number at a time; stronger agents have further rules."""
_thread_time = getattr(time, "thread_time", time.perf_counter)
"""Processor time of this thread; wall time in a browser, which has no other."""


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
    which it does not claim to be mines. ``refuted`` are false claims about open cells, each with what was claimed: True
    for a mine.

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
    refuted: tuple[tuple[Cell, bool], ...] = ()

    @classmethod
    def of(cls, claims: object, board: Board | None = None, line_of: LineOf | None = None) -> Deduction:
        """Return an agent's claims as a deduction of plain values.

        They are a deduction, or a pair of safe cells and mines. Raises AgentError for anything else, and with a board
        unless all claims are about its cells and none contradicts another; ``line_of`` quotes what was written. Of
        claims about open cells the false ones are ``refuted``, the true ones left out.

        >>> Deduction.of(([(0, 1)], []), Board(("1#",), mines=1)).safe
        (Cell(row=0, col=1),)
        >>> Deduction.of(([], [(0, 0)]), Board(("1#",), mines=1)).refuted
        ((Cell(row=0, col=0), True),)
        """
        given: Any = claims
        try:
            if not isinstance(given, Deduction):
                safe, mines = given
                given = Deduction(safe, mines)
            found = cls(
                _cells(given.safe),
                _cells(given.mines),
                {Cell.of(cell): Inference(_words(rule), _cells(clues)) for cell, (rule, clues) in _pairs(given.why)},
                None if given.opens is None else _cells(given.opens),
                _count(given.evaluations),
                _cells(given.flags),
                tuple(given.refuted),
            )
        except (TypeError, ValueError):
            message = f"expected safe cells and mines, each as (row, column), found {short_repr(claims)}"
            raise AgentError(message) from None
        if board is not None:
            found = found._about_covered(board)
            found._check(board, line_of)
        return found

    def _about_covered(self, board: Board) -> Deduction:
        shown = {cell: mine for cell in (*self.safe, *self.mines) if (mine := is_shown_mine(board, cell)) is not None}
        if not shown:
            return self
        safe, mines = (tuple(cell for cell in cells if cell not in shown) for cells in self)
        opens = self.opens and tuple(cell for cell in self.opens if cell not in shown or cell not in self.safe)
        refuted = [(cell, False) for cell in self.safe if shown.get(cell)]
        refuted += [(cell, True) for cell in self.mines if shown.get(cell) is False]
        return replace(self, safe=safe, mines=mines, opens=opens, refuted=(*self.refuted, *refuted))

    def _check(self, board: Board, line_of: LineOf | None) -> None:
        opens = self.opens or ()
        for kind, cells in (("safe", self.safe), ("mine", self.mines), ("open", opens), ("flag", self.flags)):
            _check_covered(cells, board, kind, line_of)
        if twice := {*self.safe}.intersection(self.mines):
            cell = min(twice)
            lines = f", in the lines {line_of('safe', cell)} and {line_of('mine', cell)}" if line_of else ""
            raise AgentError(f"the agent claims {cell} to be safe and a mine{lines}")
        if strange := {*opens}.difference(self.safe):
            place = _place("open", min(strange), line_of)
            raise AgentError(f"the agent opens {min(strange)}, which it does not claim to be safe{place}")

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        """Iterate over safe cells and mines, so that a deduction unpacks as a pair."""
        return iter((self.safe, self.mines))

    def __bool__(self) -> bool:
        return bool(self.safe or self.mines)


class Guess(NamedTuple):
    """A cell to open although it may be a mine.

    ``why`` is the reason for choosing it, ``risk`` its probability of being a mine if the agent computed one, and
    ``wins`` the probability to win the game with it that the agent expects, if it does. ``drawn`` is True where the
    agent names no cell, and this one was drawn for it.
    """

    cell: Cell
    why: str = ""
    risk: Fraction | None = None
    wins: Fraction | None = None
    drawn: bool = False

    @classmethod
    def of(cls, guess: object, board: Board, line_of: LineOf | None = None) -> Guess | None:
        """Return an agent's guess in plain values; None if it gives up.

        It is a ``Guess`` or a bare cell. Raises AgentError unless it is a covered cell.
        """
        if guess is None:
            return None
        try:
            given = guess if isinstance(guess, Guess) else cls(guess)  # type: ignore[arg-type]
            risk, wins = (None if one is None else Fraction(one) for one in (given.risk, given.wins))
            found = cls(Cell.of(given.cell), _words(given.why), risk, wins, given.drawn is True)
        except (TypeError, ValueError, OverflowError):
            raise AgentError(f"expected a guess as (row, column), found {short_repr(guess)}") from None
        _check_covered([found.cell], board, "guess", line_of)
        return found


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

    def __call__(self, cell: Cell, *, mine: bool) -> AgentError | None: ...


def risks_of(risks: object, board: Board, line_of: LineOf | None = None) -> dict[Cell, Fraction]:
    """Return the risks of covered cells that an agent reports.

    Raises AgentError for anything else.
    """
    given: Any = risks
    try:
        found = {Cell.of(cell): Fraction(risk) for cell, risk in _pairs(given)}
    except (TypeError, ValueError, OverflowError):
        raise AgentError(f"expected risks by cells, each as (row, column), found {short_repr(risks)}") from None
    _check_covered(found, board, "risk", line_of)
    return found


def is_shown_mine(board: Board, cell: Cell) -> bool | None:
    """Return whether an open cell is a mine; None for covered or no cells.

    >>> is_shown_mine(Board(("1*#",)), Cell(0, 0)), is_shown_mine(Board(("1*#",)), Cell(0, 2))
    (False, None)
    """
    row, col = cell
    if not (0 <= row < board.rows and 0 <= col < board.cols) or (symbol := board.cells[row][col]) in (COVERED, FLAG):
        return None
    return symbol == MINE


def _check_covered(cells: Iterable[Cell], board: Board, kind: str, line_of: LineOf | None = None) -> None:
    rows, height, width = board.cells, board.rows, board.cols
    for cell in cells:
        row, col = cell
        if not (0 <= row < height and 0 <= col < width) or rows[row][col] not in (COVERED, FLAG):
            raise AgentError(f"the agent names {cell}, which is no covered cell{_place(kind, cell, line_of)}")


def _place(kind: str, cell: Cell, line_of: LineOf | None) -> str:
    return f", in the line {line_of(kind, cell)}" if line_of else ""


def _cells(cells: Iterable[object]) -> tuple[Cell, ...]:
    """Return cells, each once, in a fixed order."""
    found = dict.fromkeys(map(Cell.of, cells))
    return tuple(sorted(found) if isinstance(cells, Set) else found)


def _pairs(given: Any) -> Iterable[Any]:
    """Items of a mapping, or pairs; to hash a key that is not ours may take for ever."""
    return given.items() if isinstance(given, Mapping) else given


def _words(text: object) -> str:
    return str(text) if isinstance(text, str) else short_repr(text)


def _count(evaluations: Any) -> int | None:
    if evaluations is None:
        return None
    with suppress(TypeError):
        if 0 <= index(evaluations) <= MAX_EVALUATIONS:
            return index(evaluations)
    raise AgentError(f"expected evaluations from 0 to {MAX_EVALUATIONS:,}, found {short_repr(evaluations)}")


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


class Thinking:
    """Processor time and evaluations of an agent so far in a game.

    The time is that of this thread, unless the agent counts its own. ``evaluations`` is None once a deduction does not
    report them.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.evaluations: int | None = 0

    @contextmanager
    def of(self, agent: Agent) -> Iterator[None]:
        begun = _thread_time()
        yield
        counted = agent.seconds if isinstance(agent, Agent) else None
        self.seconds = counted() if counted else self.seconds + _thread_time() - begun

    def add(self, deduction: Deduction) -> None:
        found = deduction.evaluations
        self.evaluations = None if self.evaluations is None or found is None else self.evaluations + found
