"""Rating of layouts: is a guess needed, how hard is it, and a proof of either.

The need of a guess depends on the layout and its start alone: a cell that is surely safe stays so. The rating plays
the layout with all forced cells. Boards that need no guess come with a trace, others with the first guess and
worlds that prove it; both are checked. The quick rating leaves out all that takes longer than the kernels: they decide
the need of a guess for hundreds of layouts of one kind at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from satsweep.assessment.first_guess import FirstGuess, first_guess
from satsweep.board import MINE, Cell
from satsweep.errors import BoardError
from satsweep.games.record import Record
from satsweep.generator.no_guess import COMPILED_AGENTS, unsolved
from satsweep.generator.spec import EXACT, WEAKER_AGENTS
from satsweep.generator.walkthrough import board_numbers, claims_beyond, longest_chain, walkthrough
from satsweep.layout import Layout, LayoutLike
from satsweep.mixins import Worded
from satsweep.proofs.trace import Trace, check
from satsweep.solver import compiled
from satsweep.solver.budget import Budget

BATCH = 1_000
"""Layouts that the quick rating looks at in one go."""
FEW = 20
"""Layouts for which it is not worth the time to load the kernels."""
BUDGET = Budget(seconds=10.0)
"""Default limit for the risks at the first guess."""


@dataclass(frozen=True, slots=True, repr=False)
class Rating(Worded):
    """Rating of a layout from its start.

    ``bv`` is its 3BV, beside its ``openings`` and ``islands`` (``satsweep.generator.walkthrough``). ``needs_guess`` is
    None if the layout has no start; the rest is then left out. ``cleared_by`` are the agents that clear it without a
    guess, of all in order of strength, or, in a ``quick`` rating, of *basic* and *sat*. ``beyond`` is for each
    technique the number of forced cells that it misses until the end or the first guess, ``chain`` the longest chain of
    forced cells until then (None where it would take hours), and ``record`` the game. A board that needs no guess has
    its ``trace``, unless a proof would be too long; one that needs a guess has the first one.
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
) -> Rating:
    """Rate a layout from a start, by default its own.

    ``quick`` leaves out all that takes long. ``budget`` limits the counting of risks at the first guess, by default to
    ten seconds. Raises BoardError for a start that is a mine or off the grid.

    >>> from satsweep import Layout
    >>> rating = rate(Layout(("..*.", "....", "..*.")), (0, 0))
    >>> rating.needs_guess, rating.bv, rating.openings, rating.islands, rating.cleared_by
    (False, 5, 1, 1, ('tank', 'subset', 'gem', 'gem-full', 'sat'))
    >>> rating = rate(Layout((".*", "..")), (0, 0))
    >>> rating.needs_guess, rating.guess.cell, rating.guess.risk
    (True, Cell(row=0, col=1), Fraction(1, 3))
    """
    layout = with_start(Layout.of(layout), start)
    limits = BUDGET if budget is None else Budget.of(budget)
    if quick or layout.start is None:
        return next(ratings([layout]))
    numbers = board_numbers(layout)
    stuck = unsolved(layout, EXACT)
    record, trace = walkthrough(layout)
    beyond = {name: claims_beyond(name, layout) for name in WEAKER_AGENTS}
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
    while batch := [with_start(layout) for layout in islice(waiting, BATCH)]:
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


def with_start(layout: Layout, start: tuple[int, int] | None = None) -> Layout:
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
