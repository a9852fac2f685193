"""Boards that need no guess: found among those that are drawn, or made of one by moving mines; compiled, or in Python.

*Rejection* draws layouts until one is as ordered, so all that are come out equally likely, and nothing else about the
search can show. *Repair* begins with a layout that was drawn. Where play is stuck a cell that touches a number is drawn
and changed, a mine becomes a safe cell or the other way round; to keep the total another cell changes the other way,
mostly one that touches no number yet. Whatever leaves more cells unknown than before is taken back. That the last
ambiguities of a board go, where no cell is far from a number, one partner in four comes from anywhere.

Which cells stay unknown does not depend on the order in which the others are opened, and all random numbers are those
of ``Random``; so the kernels do the same, and it cannot be told who did.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from satsweep.agents import agent_named
from satsweep.board import COVERED, NUMBER_OF, Board
from satsweep.games.agent import Agent
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import Game, play_moves
from satsweep.generator.spec import EXACT, BoardSpec
from satsweep.generator.walkthrough import GIVEN, no_guess, seer
from satsweep.layout import Layout
from satsweep.solver.budget import Meter

if TYPE_CHECKING:
    from satsweep.kernels import FoundLayout

COMPILED = {EXACT: True, "basic": False}
"""The agents that the kernels play as well, and whether they see all that is forced."""
MOST_CELLS, MOST_NEIGHBOURS = 10_240, 26
"""What the kernels have room for."""
TOGETHER = 1_000
"""Layouts that are looked at in one go."""
ELSEWHERE = 4
"""One in so many of the cells that change along with one where play is stuck is drawn from the whole board."""


class CandidateLayout(NamedTuple):
    """A layout that is as ordered: the number of the candidate that it is, or was made of, and changes tried."""

    layout: Layout
    number: int
    changes: int = 0


def fits(order: BoardSpec) -> bool:
    """Whether the kernels have room for such boards."""
    return order.cells <= MOST_CELLS and order.topology.most <= MOST_NEIGHBOURS


def drawn(order: BoardSpec, run: str, number: int) -> tuple[Layout, Random]:
    """A candidate of a run: the layout of that game, with mines out of the way of its start; what it was drawn with."""
    rng = game_rng(run, number)
    layout = random_layout(order.rows, order.cols, order.mines, rng, topology=order.topology)
    if order.start is None:
        return layout, rng
    game = Game(layout, order.rules, rng)
    game.open(order.start)
    return Layout(game.layout.cells, start=order.start, topology=order.topology), rng


def unsolved(layout: Layout, player: str, meter: Meter | None = None) -> Board | None:
    """Where a player is stuck who does not guess, his flags on the mines that he knows; None if he clears the board.

    Raises BudgetExceeded.
    """
    agent = seer() if player == EXACT else Agent(agent_named(player).deduce, no_guess)
    game = Game(layout, GIVEN)
    for _ in play_moves(game, agent, game.rng):
        if meter is not None:
            meter.spend()
    assert game.outcome is not None
    return None if game.outcome.won else game.board


def suits(order: BoardSpec, layout: Layout, meter: Meter | None = None, *, solved: bool = False) -> bool:
    """Whether a layout is as ordered; ``solved``: who should solve it is known to do so. Raises BudgetExceeded."""
    if not solved and unsolved(layout, order.solvable_by, meter) is not None:
        return False
    return order.beyond is None or unsolved(layout, order.beyond, meter) is not None


def first_suiting(
    order: BoardSpec, run: str, candidates: range, meter: Meter, *, compiled: bool
) -> CandidateLayout | None:
    """The first of some candidates that is as ordered; None if there is none. Raises BudgetExceeded."""
    if not compiled:
        for number in candidates:
            meter.spend()
            layout, _ = drawn(order, run, number)
            if suits(order, layout, meter):
                return CandidateLayout(layout, number)
        return None
    for found in _found(order, run, candidates, meter):
        layout = _layout(order, found) if found.outcome == "cleared" else drawn(order, run, found.candidate)[0]
        if suits(order, layout, meter, solved=_is_known(order, found)):
            return CandidateLayout(layout, found.candidate)
    return None


def first_mended(
    order: BoardSpec, run: str, candidates: range, changes: int, meter: Meter, *, compiled: bool
) -> CandidateLayout | None:
    """The first of some candidates of which so many changes make a board as ordered. Raises BudgetExceeded."""
    if not compiled or order.solvable_by not in COMPILED:
        for number in candidates:
            found = mended(order, *drawn(order, run, number), changes, meter)
            if found is not None and suits(order, found.layout, meter, solved=True):
                return found._replace(number=number)
        return None
    for step in _found(order, run, candidates, meter, changes):
        again: CandidateLayout | None = CandidateLayout(_layout(order, step), 0, step.changes)
        if step.outcome != "cleared":
            again = mended(order, *drawn(order, run, step.candidate), changes, meter)
        if again is not None and suits(order, again.layout, meter, solved=True):
            return again._replace(number=step.candidate)
    return None


def any_suiting(order: BoardSpec, meter: Meter, *, compiled: bool) -> bool:
    """Whether any layout is as ordered, by looking at all of them. Raises BudgetExceeded."""
    blank = Layout(["." * order.cols] * order.rows, start=order.start, topology=order.topology)
    free = [cell for cell in range(order.cells) if cell not in order.fixed]
    every = combinations(free, order.mines)
    while some := list(islice(every, TOGETHER)):
        meter.spend()
        known: Iterable[tuple[int, bool]] = ((number, False) for number in range(len(some)))
        if compiled:
            found = _found(order, "", range(len(some)), meter, mines=some)
            known = ((one.candidate, _is_known(order, one)) for one in found)
        if any(suits(order, blank.with_mines(some[number]), meter, solved=solved) for number, solved in known):
            return True
    return False


def _found(
    order: BoardSpec,
    run: str,
    candidates: range,
    meter: Meter,
    changes: int | None = None,
    mines: Sequence[Sequence[int]] = (),
) -> Iterator[FoundLayout]:
    """What the kernels find among candidates: those that need no guess, and those that are beyond them.

    Candidates are drawn, unless it is said where the mines of each are.
    """
    import numpy as np

    from satsweep import kernels
    from satsweep.games.rules import FirstClick
    from satsweep.solver.compiled import table_of

    assert order.start is not None
    table, start = table_of(order.topology, order.rows, order.cols), order.start.row * order.cols + order.start.col
    layouts = np.zeros((len(mines), order.cells), np.int8)
    for row, mined in zip(layouts, mines, strict=True):
        row[list(mined)] = 1
    at = candidates.start
    while at < candidates.stop:
        found = kernels.find_no_guess(
            table,
            order.mines,
            run,
            range(at, candidates.stop),
            start,
            zero=order.first is FirstClick.ZERO,
            exact=COMPILED.get(order.solvable_by, True),
            changes=changes,
            layouts=layouts[at:] if len(mines) else None,
            between=meter.spend,
        )
        if found.outcome != "stuck":
            yield found
        at = found.candidate + 1


def _is_known(order: BoardSpec, found: FoundLayout) -> bool:
    """Whether the kernels say that the board is solved by who should solve it."""
    return found.outcome == "cleared" and order.solvable_by in COMPILED


def _layout(order: BoardSpec, found: FoundLayout) -> Layout:
    text = "".join(".*"[mine] for mine in found.mines.tolist())
    rows = (text[first : first + order.cols] for first in range(0, len(text), order.cols))
    return Layout(rows, start=order.start, topology=order.topology)


def mended(order: BoardSpec, layout: Layout, rng: Random, changes: int, meter: Meter) -> CandidateLayout | None:
    """Move mines until play from the start needs no guess; None if so many changes do not suffice."""
    board = unsolved(layout, order.solvable_by, meter)
    if board is None:
        return CandidateLayout(layout, 0)
    stuck = _Stuck(board)
    mines = {index for index, symbol in enumerate(layout.symbols) if symbol == "*"}
    for change in range(1, changes + 1):
        meter.spend()
        cell = stuck.draw(rng)
        partner = _partner(order, stuck, mines, cell not in mines, rng)
        if partner is None:
            return None
        mines ^= {cell, partner}
        changed = layout.with_mines(mines)
        board = unsolved(changed, order.solvable_by, meter)
        if board is None:
            return CandidateLayout(changed, 0, change)
        then = _Stuck(board)
        if len(then.cells) <= len(stuck.cells):
            stuck = then
        else:
            mines ^= {cell, partner}
    return None


class _Stuck:
    """Where play is stuck: the cells that are not known, and those of them that touch a number, ascending."""

    def __init__(self, board: Board) -> None:
        symbols = board.symbols
        table = board.topology.neighbours(board.rows, board.cols)
        self.cells = [index for index, symbol in enumerate(symbols) if symbol == COVERED]
        self.rim = [cell for cell in self.cells if any(symbols[other] in NUMBER_OF for other in table[cell])]

    def draw(self, rng: Random) -> int:
        """A cell that touches a number, if any does."""
        cells = self.rim or self.cells
        return cells[rng.randrange(len(cells))]


def _partner(order: BoardSpec, stuck: _Stuck, mines: set[int], mine: bool, rng: Random) -> int | None:
    """A mine, or a safe cell, to change the other way: mostly one that touches no number yet; None if there is none."""
    if rng.randrange(ELSEWHERE):
        rim = set(stuck.rim)
        far = [cell for cell in stuck.cells if cell not in rim and (cell in mines) is mine]
        if far:
            return far[rng.randrange(len(far))]
    fixed = order.fixed
    there = [cell for cell in range(order.cells) if cell not in fixed and (cell in mines) is mine]
    return there[rng.randrange(len(there))] if there else None
