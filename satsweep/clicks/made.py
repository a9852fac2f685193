"""Clicks of a game: their kinds, the 3BV they solved, and those not needed.

A click is *not needed* if the others still win without it: a flag that no chord used, a dig of a cell that opens anyway
with an opening or by a chord. One that is not needed stays out while the next is tried, so the rest wins without any of
them: first those that solved no 3BV are tried in their order, then all others. A click that changes nothing in the rest
is passed over, as in every game: without its flags a chord does nothing, and is not needed either if the game is won
all the same.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, groupby, pairwise
from operator import or_
from typing import NamedTuple

from satsweep.board import MINE, Cell
from satsweep.clicks.model import ClickModel
from satsweep.clicks.path import ClickKind
from satsweep.formats.clicks import CHORD
from satsweep.games.record import Action, Move, MoveReason, Record
from satsweep.games.rules import Goal
from satsweep.layout import Layout

State = tuple[int, int]
"""Open and flagged cells, bit by bit."""
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
    needs flagged. A dig of an agent opens a cell with a flag, too. ``looks_at`` are all cells that it depends on or
    changes, openings whole.
    """

    kind: ClickKind
    cell: Cell
    own: int
    opens: int
    mines: int
    takes_flag: bool
    looks_at: int


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
        self.around = [_bits(others) for others in model.neighbours]
        self.mines = _bits(model.mines)
        self.safe = _bits(model.node_of)
        self.opening_of: dict[int, int] = {}
        for cells in model.nodes:
            if not self.around[cells[0]] & self.mines:
                opening = _bits({other for cell in cells for other in (cell, *model.neighbours[cell])})
                self.opening_of.update(dict.fromkeys(cells, opening))
        self.empty = _bits(self.opening_of)

    def click(self, turn: Sequence[tuple[int, Move]]) -> _Clicked:
        """The click that makes the moves of a turn."""
        move = turn[0][1]
        if move.inference is not None and move.inference.rule == CHORD and move.inference.clues:
            kind, cell = ClickKind.CHORD, move.inference.clues[0]
            own, opens = self._set((cell,)), self.around[self.layout.index(cell)]
        else:
            kind, cell = _KINDS[move.action], move.cell
            own = opens = self._set(other.cell for _, other in turn)
        looks_at = own | opens
        for empty in _cells(opens & self.empty):
            looks_at |= self.opening_of[empty]
        takes_flag = move.reason is not MoveReason.CHOSEN
        return _Clicked(kind, cell, own, opens, opens & self.mines, takes_flag, looks_at)

    def _set(self, cells: Iterable[Cell]) -> int:
        return _bits({self.layout.index(cell) for cell in cells})

    def unneeded(self, clicks: Sequence[_Clicked], rounds: Iterable[Set[int]]) -> set[int]:
        """Places of clicks of a won game without which the others win.

        Each of the ``rounds`` tries the clicks at some places.
        """
        kept = list(range(len(clicks)))
        states: list[State] = [(0, 0)]
        for click in clicks:
            states.append(self.after(click, *states[-1]))
        if states[-1][0] != self.safe:
            return set()
        looked_at_later = [*accumulate((click.looks_at for click in reversed(clicks)), or_)][::-1]
        for place in (place for tried in rounds for place in sorted(tried)):
            at = bisect_left(kept, place)
            rest = [(clicks[other], looked_at_later[other]) for other in kept[at + 1 :]]
            found = self._without(rest, states[at:])
            if found is not None:
                del kept[at]
                states[at + 1 : at + 2 + len(found)] = found
        return set(range(len(clicks))).difference(kept)

    def _without(self, rest: Sequence[tuple[_Clicked, int]], states: Sequence[State]) -> list[State] | None:
        """The states if a click before the rest is left out; None if that loses.

        ``states`` are those with it: before it, after it, and after each click of the rest, with which comes what it
        and the later ones look at. A state differs in some cells, which change only at clicks that look at one of them.
        The answer ends where no later click does.
        """
        lost, marked = states[0][0] ^ states[1][0], states[0][1] ^ states[1][1]
        found: list[State] = []
        for (click, looked_at_later), (opened, flagged), after in zip(rest, states[1:], states[2:], strict=False):
            if not looked_at_later & (lost | marked):
                break
            if click.looks_at & (lost | marked):
                opened, flagged = self.after(click, opened ^ lost, flagged ^ marked)
                lost, marked = opened ^ after[0], flagged ^ after[1]
            found.append((after[0] ^ lost, after[1] ^ marked))
        return None if lost else found

    def after(self, click: _Clicked, opened: int, flagged: int) -> State:
        """Open and flagged cells after a click; open mines are among the former."""
        kind, _, own, opens, mines, takes_flag, _ = click
        if kind is ClickKind.FLAG:
            return opened, flagged | (own & ~opened)
        if kind is ClickKind.UNFLAG:
            return opened, flagged & ~own
        if kind is ClickKind.CHORD and not (own & opened and (opens & flagged).bit_count() == mines.bit_count()):
            return opened, flagged
        if takes_flag:
            flagged &= ~own
        while fresh := opens & ~(opened | flagged):
            opened |= fresh
            opens = 0
            for cell in _cells(fresh & self.empty):
                opens |= self.around[cell]
        return opened, flagged


def _bits(cells: Iterable[int]) -> int:
    """A set of cells as an integer. Each cell comes once."""
    return sum(1 << cell for cell in cells)


def _cells(bits: int) -> Iterator[int]:
    while bits:
        cell = bits.bit_length() - 1
        yield cell
        bits ^= 1 << cell
