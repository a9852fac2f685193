"""The walk of a board through the stages: what each found, as text and as JSON.

``satsweep solve --stages`` prints it for any board. The stages are those of ``satsweep.solver``, found by Python also
where the compiled twin has counted: constraints on groups, single numbers, pairs of numbers, components, SAT, a count
of each component that is left, and the mine total.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from satsweep.board import Cell
from satsweep.render.number_text import cell_list, count, digits
from satsweep.solver import is_installed
from satsweep.text import counted

if TYPE_CHECKING:
    from satsweep.analysis.analysis import Analysis
    from satsweep.solver.pipeline import StageResults


class CountedComponent(NamedTuple):
    """A component of what is left after all stages.

    It has its cells and the numbers of its groups and constraints. ``ways`` is the weight of all placements, for exact
    clues their number. It is None, and the engine empty, if the budget was too small to count them.
    """

    cells: tuple[Cell, ...]
    groups: int
    numbers: int
    ways: int | None
    engine: str


def counted_components(analysis: Analysis) -> list[CountedComponent]:
    found = analysis.stage_results().counted
    components = []
    for part, counts in zip(found.parts, found.counts, strict=True):
        cells = sorted(cell for group in part.groups for cell in found.frontier.groups[group])
        ways, engine = (None, "") if counts is None else (sum(counts.total), counts.work.engine)
        sizes = len(part.groups), len(part.component.constraints)
        components.append(CountedComponent(tuple(map(analysis.board.cell, cells)), *sizes, ways, engine))
    return sorted(components, key=lambda component: component.cells)


def stage_facts(analysis: Analysis, exact: bool = False) -> Iterator[tuple[str, str]]:
    found, forced = analysis.stage_results(), analysis.stages
    single, subset, solver, total = forced
    if analysis.solution.stages is None:
        yield "stages", "found again by Python; the compiled twin has counted what is above"
    yield "constraints", _constraints(found)
    yield single, _forced(forced[single])
    yield subset, _forced(forced[subset])
    splitter = "networkx" if is_installed("networkx") else "union-find, without networkx"
    yield "components", f"{len(found.split):,}, split by {splitter}"
    yield solver, f"{_forced(forced[solver])}; PySAT was asked {counted(found.questions, 'question')}"
    for number, component in enumerate(counted_components(analysis), 1):
        sizes = (len(component.cells), "cell"), (component.groups, "group"), (component.numbers, "number")
        facts = ", ".join(counted(*size) for size in sizes)
        ways = "not counted"
        if component.ways is not None:
            ways = f"placements: {count(component.ways, exact)}, counted by {component.engine}"
        yield f"component {number}", f"{facts}, {ways}: {cell_list(component.cells)}"
    yield total, "; ".join([_forced(forced[total]), *_change_by_total(analysis, exact)])


def _constraints(found: StageResults) -> str:
    frontier = found.frontier
    cells = counted(sum(frontier.sizes), "covered cell")
    on = f"{cells} in {counted(len(frontier.groups), 'group')}"
    return f"{counted(len(frontier.constraints), 'number')} on {on}, {counted(len(frontier.sea), 'cell')} beside them"


def _forced(cells: tuple[Cell, ...]) -> str:
    return f"{counted(len(cells), 'cell')}: {cell_list(cells)}" if cells else "none"


def layouts_without_total(analysis: Analysis) -> int | None:
    """Number of layouts that the numbers allow with any mine total.

    None without a total, where numbers may be wrong, and where a component was not counted.
    """
    found = analysis.stage_results().counted
    if analysis.board.mines is None or not analysis.board.clues.is_true or not found.complete:
        return None
    return prod(sum(counts.total) for counts in found.counts if counts is not None) << len(found.frontier.sea)


def _change_by_total(analysis: Analysis, exact: bool) -> Iterator[str]:
    board, layouts = analysis.board, layouts_without_total(analysis)
    if layouts is not None and analysis.worlds is not None:
        number = count(analysis.worlds, exact)
        total = counted(board.mines or 0, "mine")
        yield f"of {count(layouts, exact)} layouts that the numbers allow {number} have {total}"
    elif board.mines is None:
        yield "no mine total is given"


def stage_values(analysis: Analysis) -> dict[str, object]:
    found, layouts = analysis.stage_results(), layouts_without_total(analysis)
    return {
        "forced": analysis.stages,
        "groups": len(found.frontier.groups),
        "numbers": len(found.frontier.constraints),
        "sea": len(found.frontier.sea),
        "split": len(found.split),
        "questions": found.questions,
        "layouts": None if layouts is None else digits(layouts),
        "components": [
            {**component._asdict(), "ways": None if component.ways is None else digits(component.ways)}
            for component in counted_components(analysis)
        ],
    }
