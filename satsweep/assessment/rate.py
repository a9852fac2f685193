"""Rating of layouts: is a guess needed, how hard is it, and a proof of either.

The need of a guess depends on the layout and its start alone: a cell that is surely safe stays so. The rating plays
the layout with all forced cells. Boards that need no guess come with a trace. The quick rating leaves out all that
takes longer than the kernels: they decide the need of a guess for hundreds of layouts of one kind at a time.

At the first guess each covered cell is a mine in some world that agrees with the numbers. A few such worlds prove that
a guess is needed (``satsweep.proofs.trace``): CP-SAT finds one with a mine in a given cell. Cells next to the same
numbers are interchangeable, so its mines move to those that no world has covered yet, and few worlds do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice

from satsweep.analysis.analyse import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.analysis.deep import expected_wins
from satsweep.analysis.endgame import SearchExhausted, endgame
from satsweep.board import COVERED, MINE, NUMBER_OF, Board, Cell
from satsweep.clicks.fewest import FewestClicks, fewest_clicks
from satsweep.errors import BoardError
from satsweep.games.record import Record
from satsweep.generator.no_guess import COMPILED_AGENTS, unsolved
from satsweep.generator.spec import EXACT, WEAKER_AGENTS
from satsweep.generator.walkthrough import board_numbers, claims_beyond, longest_chain, walkthrough
from satsweep.layout import Layout, LayoutLike
from satsweep.mixins import Worded
from satsweep.proofs.trace import GuessProof, Trace, check, check_guess
from satsweep.questions.witness import find_world
from satsweep.solver import compiled
from satsweep.solver.budget import Budget

BATCH = 1_000
"""Layouts that the quick rating looks at in one go."""
FEW = 20
"""Layouts for which it is not worth the time to load the kernels."""
BUDGET = Budget(seconds=10.0)
"""Default limit for the risks at the first guess."""
MOST_WORLDS = 32_768
"""Most worlds of a position whose best play the kernels search."""


@dataclass(frozen=True, slots=True)
class FirstGuess:
    """The first guess of a board.

    ``proof`` shows that there is one: the position, and worlds. Of the undecided ``cells``, ``cell`` is least likely a
    mine, with probability ``risk`` (None if it could not be counted). It is safe in ``safe_world`` and a mine in
    ``mine_world``. ``win_chance`` is that of the best possible play from here on, where it is known exactly.
    """

    proof: GuessProof
    cells: tuple[Cell, ...]
    cell: Cell
    risk: Fraction | None
    safe_world: Layout
    mine_world: Layout
    win_chance: Fraction | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Rating(Worded):
    """Rating of a layout from its start.

    ``bv`` is its 3BV, beside its ``openings`` and ``islands`` (``satsweep.generator.walkthrough``). ``needs_guess`` is
    None if the layout has no start; the rest is then left out. ``cleared_by`` are the agents that clear it without a
    guess, of all in order of strength, or, in a ``quick`` rating, of *basic* and *sat*. ``beyond`` is for each
    technique the number of forced cells that it misses until the end or the first guess, ``chain`` the longest chain of
    forced cells until then (None where it would take hours), and ``record`` the game. A board that needs no guess has
    its ``trace``, unless a proof would be too long; one that needs a guess has the first one. ``clicks`` are the fewest
    clicks from anywhere, if they were asked for.
    """

    layout: Layout
    bv: int
    openings: int
    islands: int
    needs_guess: bool | None = None
    cleared_by: tuple[str, ...] = ()
    quick: bool = False
    beyond: Mapping[str, int] = field(default_factory=dict)
    chain: int | None = None
    record: Record | None = None
    trace: Trace | None = None
    guess: FirstGuess | None = None
    clicks: FewestClicks | None = None

    def __repr__(self) -> str:
        need = {None: "without a start", True: "needs a guess", False: "needs no guess"}[self.needs_guess]
        size = f"{self.layout.rows}x{self.layout.cols}/{self.layout.mines}"
        return f"<Rating of {size}: {need}, 3BV {self.bv}>"


def rate(
    layout: LayoutLike,
    start: tuple[int, int] | None = None,
    *,
    quick: bool = False,
    budget: Budget | float | None = None,
    clicks: float | None = None,
) -> Rating:
    """Rate a layout from a start, by default its own.

    ``quick`` leaves out all that takes long. ``budget`` limits the counting of risks at the first guess, by default to
    ten seconds. ``clicks`` are seconds for the fewest clicks, which are left out by default. Raises BoardError for a
    start that is a mine or off the grid.

    >>> from satsweep import Layout
    >>> rating = rate(Layout(("..*.", "....", "..*.")), (0, 0))
    >>> rating.needs_guess, rating.bv, rating.openings, rating.islands, rating.cleared_by
    (False, 5, 1, 1, ('tank', 'subset', 'gem', 'gem-full', 'sat'))
    >>> rating = rate(Layout((".*", "..")), (0, 0))
    >>> rating.needs_guess, rating.guess.cell, rating.guess.risk
    (True, Cell(row=0, col=1), Fraction(1, 3))
    """
    layout = starting_at(Layout.of(layout), start)
    limits = BUDGET if budget is None else Budget.of(budget)
    if clicks is not None:
        found = rate(layout, quick=quick, budget=budget)
        return replace(found, clicks=fewest_clicks(layout, (), seconds=clicks))
    if quick or layout.start is None:
        return next(ratings([layout]))
    numbers = board_numbers(layout)
    stuck = unsolved(layout, EXACT)
    record, trace = walkthrough(layout)
    beyond = claims_beyond(layout)
    found = Rating(layout, *numbers, stuck is not None, beyond=beyond, chain=longest_chain(record), record=record)
    if stuck is not None:
        return replace(found, guess=first_guess(layout, stuck, limits))
    if record.won:
        check(trace)
    clearing = (*(name for name, missed in beyond.items() if not missed), EXACT)
    return replace(found, cleared_by=clearing, trace=trace if record.won else None)


def ratings(layouts: Iterable[Layout]) -> Iterator[Rating]:
    """Yield the quick ratings of layouts from their starts, in order.

    Raises BoardError for a start that is a mine.
    """
    waiting = iter(layouts)
    while batch := [starting_at(layout) for layout in islice(waiting, BATCH)]:
        needed: list[dict[str, bool]] = [{} for _ in batch]
        for places in _alike(batch):
            for name in COMPILED_AGENTS:
                # A board that needs a guess stops the weaker agent, too.
                asked = [place for place in places if needed[place].get(EXACT) is not True]
                found = _stuck([batch[place] for place in asked], name)
                for place, stuck in zip(asked, found, strict=True):
                    needed[place][name] = stuck
        for layout, stops in zip(batch, needed, strict=True):
            clearing = tuple(name for name in (*WEAKER_AGENTS, EXACT) if stops.get(name) is False)
            yield Rating(layout, *board_numbers(layout), stops.get(EXACT), clearing, quick=True)


def starting_at(layout: Layout, start: tuple[int, int] | None = None) -> Layout:
    """Layout with another start, if one is given; BoardError for a mine there."""
    if start is not None:
        layout = Layout(layout.cells, start=start, topology=layout.topology)
    if layout.start is not None and layout.is_mine(layout.start):
        raise BoardError(f"expected a start on a safe cell, found a mine at {layout.start}", at="start")
    return layout


def _alike(layouts: Sequence[Layout]) -> Iterator[list[int]]:
    """Places of layouts with a start, by size, topology, start and mine total."""
    found: dict[tuple[int, int, str, Cell, int], list[int]] = {}
    for place, layout in enumerate(layouts):
        if layout.start is not None:
            key = layout.rows, layout.cols, layout.topology.name, layout.start, layout.mines
            found.setdefault(key, []).append(place)
    yield from found.values()


def _stuck(layouts: Sequence[Layout], name: str) -> list[bool]:
    """For each layout of one kind, whether an agent without guesses gets stuck on it.

    The kernels decide where they apply, else Python.
    """
    decided: dict[int, bool] = {}
    if layouts and compiled.is_there() and compiled.fits(len(layouts[0].symbols), layouts[0].topology):
        decided = _stuck_by_kernels(layouts, exact=COMPILED_AGENTS[name])
    return [
        decided[place] if place in decided else unsolved(layout, name) is not None
        for place, layout in enumerate(layouts)
    ]


def _stuck_by_kernels(layouts: Sequence[Layout], *, exact: bool) -> dict[int, bool]:
    """Answers of the kernels about layouts of one kind, by place, as far as they know."""
    import numpy as np

    first = layouts[0]
    assert first.start is not None
    table = compiled.table_of(first.topology, first.rows, first.cols)
    text = "".join(layout.symbols for layout in layouts).encode("ascii")
    mines = (np.frombuffer(text, np.uint8) == ord(MINE)).astype(np.int8).reshape(len(layouts), -1)
    start, decided, at = first.index(first.start), dict.fromkeys(range(len(layouts)), True), 0
    while at < len(layouts):
        technique = compiled.ALL if exact else compiled.SINGLE
        found = compiled.find_no_guess(
            table, first.mines, "", range(at, len(layouts)), start, technique=technique, layouts=mines[at:]
        )
        at = found.candidate
        if found.outcome == "cleared":
            decided[at] = False
        elif found.outcome != "stuck":
            del decided[at]
        at += 1
    return decided


def first_guess(layout: Layout, stuck: Board, budget: Budget | None = None) -> FirstGuess:
    """Return the first guess on a layout; play without guesses ends at ``stuck``.

    Flags on that board are mines that were proved. ``budget`` limits the counting of risks.
    """
    known = stuck.trusting_flags()
    analysis = analyse(known, budget=budget)
    cells = analysis.cells_by_risk
    undecided = tuple(cell for cell in known if known[cell] == COVERED)
    assert not analysis.safe and not analysis.mines and undecided
    cell = analysis.safest[0] if None not in cells else undecided[0]
    worlds = _worlds(known, undecided)
    safe_world = next((world for world in worlds if not world.is_mine(cell)), None)
    if safe_world is None:
        safe_world = find_world(known, {cell: False})
        assert safe_world is not None
        worlds = (*worlds, safe_world)
    mine_world = next(world for world in worlds if world.is_mine(cell))
    position = Board([row.replace(MINE, COVERED) for row in known.cells], known.mines, topology=known.topology)
    proof = GuessProof(layout, position, worlds)
    check_guess(proof)
    risk = None if None in cells else analysis.risk(cell)
    return FirstGuess(proof, undecided, cell, risk, safe_world, mine_world, exact_win_chance(analysis))


def exact_win_chance(analysis: Analysis) -> Fraction | None:
    """Return the win chance of best play at a position without a safe cell, if known.

    Positions of few worlds are searched (``satsweep.analysis.endgame``), those of more by the kernels if they are
    compiled; None for others.
    """
    found = endgame(analysis)
    if found is not None:
        with suppress(SearchExhausted):
            return found.win
    if analysis.worlds is None or analysis.worlds > MOST_WORLDS or not compiled.is_there():
        return None
    expected = expected_wins(analysis.board, analysis.worlds)
    won = expected and expected.chances[expected.best]
    return won if isinstance(won, Fraction) else None


def _worlds(board: Board, undecided: tuple[Cell, ...]) -> tuple[Layout, ...]:
    """Worlds of a board such that each undecided cell is a mine in one of them."""
    classes = _interchangeable(board, undecided)
    left, worlds = dict.fromkeys(undecided), []
    while left:
        cell = next(iter(left))
        world = find_world(board, {cell: True})
        assert world is not None
        mines = {index for index, symbol in enumerate(world.symbols) if symbol == MINE}
        for alike in classes.values():
            count = sum(board.index(other) in mines for other in alike)
            first = sorted(alike, key=lambda other: other not in left)[:count]
            mines.difference_update(map(board.index, alike))
            mines.update(map(board.index, first))
            for other in first:
                left.pop(other, None)
        worlds.append(replace(world, cells=world.with_mines(mines).cells))
    return tuple(worlds)


def _interchangeable(board: Board, undecided: tuple[Cell, ...]) -> Mapping[tuple[Cell, ...], list[Cell]]:
    found: dict[tuple[Cell, ...], list[Cell]] = {}
    for cell in undecided:
        found.setdefault(tuple(other for other in board.neighbours(cell) if board[other] in NUMBER_OF), []).append(cell)
    return found
