"""Clicks of a game: their kinds, the 3BV they solved, and those not needed.

A click is *not needed* if the others still win without it: a flag that no chord used, a dig of a cell that opens anyway
with an opening or by a chord. One that is not needed stays out while the next is tried, so the rest wins without any of
them: first those that solved no 3BV are tried in their order, then all others. A click that changes nothing in the rest
is passed over, as in every game: without its flags a chord does nothing, and is not needed either if the game is won
all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from typing import NamedTuple

from satsweep.board import MINE, Cell
from satsweep.clicks.model import ClickModel
from satsweep.clicks.path import ClickKind
from satsweep.formats.clicks import CHORD
from satsweep.games.record import Action, Move, MoveReason, Record
from satsweep.games.rules import Goal
from satsweep.layout import Layout

_KINDS = {Action.OPEN: ClickKind.DIG, Action.FLAG: ClickKind.FLAG, Action.UNFLAG: ClickKind.UNFLAG}


class GameClick(NamedTuple):
    """A click of a game, by its number from 1.

    ``solved`` is the 3BV that is open after it.
    """

    number: int
    kind: ClickKind
    cell: Cell
    solved: int
    is_needed: bool


@dataclass(frozen=True, slots=True)
class GameClicks:
    """Clicks of a game that changed something.

    ``by_move`` has the click of each move of the record, None for a note; those of a chord share one. ``bv`` is the 3BV
    of the board. ``start`` is a cell that the rules opened; it counts as a click.
    """

    clicks: tuple[GameClick, ...]
    by_move: tuple[GameClick | None, ...]
    bv: int
    start: Cell | None = None

    @property
    def made(self) -> int:
        """Number of clicks."""
        return len(self.clicks)

    @property
    def counts(self) -> dict[ClickKind, int]:
        """Clicks by their kind."""
        found = Counter(click.kind for click in self.clicks)
        return {kind: found[kind] for kind in ClickKind}

    @property
    def solved(self) -> int:
        """3BV that is open at the end."""
        return self.clicks[-1].solved if self.clicks else 0

    @property
    def throughput(self) -> Fraction | None:
        """3BV that was solved, for each click; None without clicks."""
        return Fraction(self.solved, self.made) if self.clicks else None

    @property
    def not_needed(self) -> tuple[GameClick, ...]:
        """Clicks without which the others win; none in a game that was not won."""
        return tuple(click for click in self.clicks if not click.is_needed)


def game_clicks(record: Record) -> GameClicks | None:
    """Count the clicks of a game.

    Each turn of a person is a click, a chord included. An agent clicks once for each move. Returns None where 3BV says
    nothing: without cascade, with numbers that are not exact, or where the mines are to be found.

    >>> from satsweep.clicks.fewest import fewest_clicks
    >>> found = game_clicks(fewest_clicks(("....", ".*..", "....")).record())
    >>> found.made, found.solved, found.throughput, found.not_needed
    (4, 6, Fraction(3, 2), ())
    """
    rules = record.rules
    if not rules.cascade or not rules.clues.is_exact or rules.goal is not Goal.CLEAR:
        return None
    layout = record.layout
    table = layout.topology.neighbours(layout.rows, layout.cols)
    mines = {index for index, symbol in enumerate(layout.symbols) if symbol == MINE}
    model = ClickModel.of(table, mines, flags=False)
    turns, game = list(_turns(record.moves)), _Game(layout, model)
    clicks = [game.click(turn) for turn in turns]
    solved, totals = set[int](), list[int]()
    for turn in turns:
        shown = (layout.index(cell) for _, move in turn for cell, _ in move.revealed)
        solved.update(node for cell in shown if (node := model.node_of.get(cell)) in model.diggable)
        totals.append(len(solved))
    first = record.moves[0] if record.moves else None
    start = first.cell if first is not None and first.reason is MoveReason.START else None
    needed = set(range(len(clicks)))
    if record.won and not record.measures.mines_hit:
        chosen = needed if start is None else needed - {0}
        useful = {place for place, (before, after) in enumerate(pairwise([0, *totals])) if after > before}
        needed -= game.unneeded(clicks, (chosen - useful, chosen & useful))
    made = tuple(
        GameClick(place + 1, click.kind, click.cell, total, place in needed)
        for place, (click, total) in enumerate(zip(clicks, totals, strict=True))
    )
    by_move: list[GameClick | None] = [None] * len(record.moves)
    for own, turn in zip(made, turns, strict=True):
        for at, _ in turn:
            by_move[at] = own
    return GameClicks(made, tuple(by_move), model.bv, start)


class _Clicked(NamedTuple):
    """A click as it is tried again, with sets of cells as integers, bit by bit.

    ``opens`` are the cells that a dig or a chord opens, unless they carry a flag; ``mines`` are those that a chord
    needs flagged. A dig of an agent opens a cell with a flag, too.
    """

    kind: ClickKind
    cell: Cell
    own: int
    opens: int = 0
    mines: int = 0
    takes_flag: bool = False


def _turns(moves: Sequence[Move]) -> Iterator[list[tuple[int, Move]]]:
    """The moves of each click, with their places."""
    counted = [(at, move) for at, move in enumerate(moves) if move.action is not Action.NOTE]
    if all(move.reason in (MoveReason.CHOSEN, MoveReason.START) for _, move in counted):
        yield from (list(turn) for _, turn in groupby(counted, key=lambda own: own[1].turn))
    else:
        yield from ([own] for own in counted)


class _Game:
    """A game in play as its open and its flagged cells, each set as an integer."""

    def __init__(self, layout: Layout, model: ClickModel) -> None:
        self.layout = layout
        self.around = [sum(1 << other for other in others) for others in model.neighbours]
        self.mines = sum(1 << mine for mine in model.mines)
        self.empty = sum(1 << cell for cell, others in enumerate(self.around) if not others & self.mines)
        self.safe = (1 << len(self.around)) - 1 & ~self.mines

    def click(self, turn: Sequence[tuple[int, Move]]) -> _Clicked:
        """The click that makes the moves of a turn."""
        move = turn[0][1]
        if move.inference is not None and move.inference.rule == CHORD and move.inference.clues:
            number = move.inference.clues[0]
            around = self.around[self.layout.index(number)]
            return _Clicked(ClickKind.CHORD, number, self._set((number,)), around, around & self.mines)
        own = self._set(other.cell for _, other in turn)
        return _Clicked(_KINDS[move.action], move.cell, own, own, 0, move.reason is not MoveReason.CHOSEN)

    def _set(self, cells: Iterable[Cell]) -> int:
        return sum(1 << self.layout.index(cell) for cell in cells)

    def unneeded(self, clicks: Sequence[_Clicked], rounds: Iterable[Set[int]]) -> set[int]:
        """Places of clicks of a won game without which the others win.

        Each of the ``rounds`` tries the clicks at some places.
        """
        kept = list(range(len(clicks)))
        for tried in rounds:
            opened = flagged = 0
            for place in tuple(kept):
                rest = [clicks[other] for other in kept if other > place] if place in tried else []
                if place in tried and self.after(rest, opened, flagged)[0] == self.safe:
                    kept.remove(place)
                else:
                    opened, flagged = self.after((clicks[place],), opened, flagged)
        return set(range(len(clicks))).difference(kept)

    def after(self, clicks: Sequence[_Clicked], opened: int, flagged: int) -> tuple[int, int]:
        """Open and flagged cells after some clicks; open mines are among the former."""
        for kind, _, own, opens, mines, takes_flag in clicks:
            if kind is ClickKind.FLAG:
                flagged |= own & ~opened
            elif kind is ClickKind.UNFLAG:
                flagged &= ~own
            elif kind is ClickKind.DIG or (own & opened and (opens & flagged).bit_count() == mines.bit_count()):
                if takes_flag:
                    flagged &= ~own
                while fresh := opens & ~(opened | flagged):
                    opened |= fresh
                    opens, empty = 0, fresh & self.empty
                    while empty:
                        cell = empty.bit_length() - 1
                        opens |= self.around[cell]
                        empty ^= 1 << cell
        return opened, flagged
