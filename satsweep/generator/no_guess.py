"""Boards that need no guess, by rejection or repair, compiled or in Python.

*Rejection* draws layouts until one meets the specification: all layouts that meet it are equally likely, and nothing
else about the search shows. *Repair* begins with a drawn layout and moves mines (``satsweep.generator.repair``).

All random numbers are those of ``Random``. Therefore kernels and Python make the same boards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice
from math import inf
from random import Random

from satsweep.agents.isolated import is_foreign
from satsweep.clicks.fewest import FewestClicks, bounds
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import Game
from satsweep.generator.repair import CandidateLayout as CandidateLayout, mended as mended, unsolved as unsolved
from satsweep.generator.spec import EXACT, BoardSpec, Progress
from satsweep.layout import Layout
from satsweep.solver import compiled
from satsweep.solver.budget import Meter

COMPILED_AGENTS = {EXACT: True, "basic": False}
"""Agents that the kernels play, too, and whether they find every forced cell."""
BATCH = 1_000
"""Layouts that the exhaustive search looks at in one go."""


def drawn(spec: BoardSpec, run: str, number: int) -> tuple[Layout, Random]:
    """Layout of a candidate, mines moved off its start, and its random generator."""
    rng = game_rng(run, number)
    layout = random_layout(spec.rows, spec.cols, spec.mines, rng, topology=spec.topology)
    if spec.start is None:
        return layout, rng
    game = Game(layout, spec.rules, rng)
    game.open(spec.start)
    return Layout(game.layout.cells, start=spec.start, topology=spec.topology), rng


def suits(spec: BoardSpec, layout: Layout, meter: Meter | None = None, *, solved: bool = False) -> bool:
    """Return whether a layout meets the specification.

    ``solved`` says that ``solvable_by`` is known to clear it. An agent from outside may clear a board by claims that do
    not follow; such a board does not meet it. Raises BudgetExceeded.
    """
    if spec.no_guess and not _is_solved_as_ordered(spec, layout, meter, solved=solved):
        return False
    return not spec.limits_clicks or within_clicks(spec, layout, meter) is not None


def _is_solved_as_ordered(spec: BoardSpec, layout: Layout, meter: Meter | None, *, solved: bool) -> bool:
    if not solved and unsolved(layout, spec.player, meter) is not None:
        return False
    if is_foreign(spec.player) and unsolved(layout, EXACT, meter) is not None:
        return False
    return spec.weaker is None or unsolved(layout, spec.weaker, meter) is not None


def within_clicks(spec: BoardSpec, layout: Layout, meter: Meter | None = None) -> FewestClicks | None:
    """A path of as few clicks as the specification asks for.

    None if it is proved that there is none. The path may still be longer than needed. Raises BudgetExceeded.
    """
    for found in bounds(layout, seconds=inf):
        most = spec.most_clicks(found.bv)
        if found.upper <= most:
            return replace(found, cores=None)
        if found.lower > most:
            return None
        if meter is not None:
            meter.spend()
    raise AssertionError("the bounds meet in the end")


def fits_kernels(spec: BoardSpec) -> bool:
    """Return whether kernels, if they are there, look for whole boards."""
    return compiled.fits(spec.cells, spec.topology)


def fits_tiles(spec: BoardSpec) -> bool:
    """Return whether kernels, if they are there, make boards tile by tile."""
    return not fits_kernels(spec) and compiled.fits(1, spec.topology) and spec.player in COMPILED_AGENTS


def first_suiting(
    spec: BoardSpec, run: str, candidates: range, meter: Meter, *, compiled: bool
) -> CandidateLayout | None:
    if not compiled:
        for number in candidates:
            meter.spend()
            layout, _ = drawn(spec, run, number)
            if suits(spec, layout, meter):
                return CandidateLayout(layout, number)
        return None
    for found in _found(spec, run, candidates, meter):
        layout = _layout(spec, found) if found.outcome == "cleared" else drawn(spec, run, found.candidate)[0]
        if suits(spec, layout, meter, solved=_is_known(spec, found)):
            return CandidateLayout(layout, found.candidate)
    return None


def first_mended(
    spec: BoardSpec,
    run: str,
    candidates: range,
    changes: int,
    meter: Meter,
    *,
    compiled: bool,
    progress: Progress | None = None,
) -> CandidateLayout | None:
    if not compiled or spec.player not in COMPILED_AGENTS or not fits_kernels(spec):
        for number in candidates:
            meter.spend()
            layout, rng = drawn(spec, run, number)
            if compiled and fits_tiles(spec):
                from satsweep.generator.tiles import tiled

                found = tiled(spec, layout, f"{run}/{number}", meter, progress)
            else:
                found = mended(spec, layout, rng, changes, meter, progress)
            if found is not None and suits(spec, found.layout, meter, solved=True):
                return found._replace(number=number)
        return None
    for step in _found(spec, run, candidates, meter, changes):
        again: CandidateLayout | None = CandidateLayout(_layout(spec, step), 0, step.changes)
        if step.outcome != "cleared":
            again = mended(spec, *drawn(spec, run, step.candidate), changes, meter)
        if again is not None and suits(spec, again.layout, meter, solved=True):
            return again._replace(number=step.candidate)
    return None


def any_suiting(spec: BoardSpec, meter: Meter, *, compiled: bool) -> bool:
    blank = Layout(["." * spec.cols] * spec.rows, start=spec.start, topology=spec.topology)
    free = [cell for cell in range(spec.cells) if cell not in spec.fixed]
    every = combinations(free, spec.mines)
    while some := list(islice(every, BATCH)):
        meter.spend()
        known: Iterable[tuple[int, bool]] = ((number, False) for number in range(len(some)))
        if compiled:
            found = _found(spec, "", range(len(some)), meter, mines=some)
            known = ((one.candidate, _is_known(spec, one)) for one in found)
        if any(suits(spec, blank.with_mines(some[number]), meter, solved=solved) for number, solved in known):
            return True
    return False


def _found(
    spec: BoardSpec,
    run: str,
    candidates: range,
    meter: Meter,
    changes: int | None = None,
    mines: Sequence[Sequence[int]] = (),
) -> Iterator[compiled.FoundLayout]:
    """Candidates, or ``mines``, that need no guess or are beyond the kernels."""
    import numpy as np

    from satsweep.games.rules import FirstClick

    assert spec.start is not None
    table = compiled.table_of(spec.topology, spec.rows, spec.cols)
    start = spec.start.row * spec.cols + spec.start.col
    layouts = np.zeros((len(mines), spec.cells), np.int8)
    for row, mined in zip(layouts, mines, strict=True):
        row[list(mined)] = 1
    at = candidates.start
    while at < candidates.stop:
        found = compiled.find_no_guess(
            table,
            spec.mines,
            run,
            range(at, candidates.stop),
            start,
            zero=spec.first is FirstClick.ZERO,
            technique=compiled.ALL if COMPILED_AGENTS.get(spec.player, True) else compiled.SINGLE,
            changes=changes,
            layouts=layouts[at:] if len(mines) else None,
            between=meter.spend,
        )
        if found.outcome != "stuck":
            yield found
        at = found.candidate + 1


def _is_known(spec: BoardSpec, found: compiled.FoundLayout) -> bool:
    return found.outcome == "cleared" and spec.player in COMPILED_AGENTS


def _layout(spec: BoardSpec, found: compiled.FoundLayout) -> Layout:
    mines = set(found.mines.nonzero()[0].tolist())
    return Layout.from_mines(spec.rows, spec.cols, mines, spec.start, spec.topology)
