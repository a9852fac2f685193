"""Stages of an analysis: what each has forced, and what was counted.

The stages are single numbers, pairs of numbers, SAT, and the mine total; then each component that is left is counted by
an engine. ``satsweep solve --stages`` prints them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from satsweep.render.number_text import cell_list, count, digits
from satsweep.text import counted

if TYPE_CHECKING:
    from satsweep.board import Cell
    from satsweep.solver.analysis import Analysis


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
    """The components of what no stage has forced, in the order of their first cell."""
    found = analysis.solution.derived.counted
    components = []
    for part, counts in zip(found.parts, found.counts, strict=True):
        cells = sorted(cell for group in part.groups for cell in found.frontier.groups[group])
        ways, engine = (None, "") if counts is None else (sum(counts.total), counts.work.engine)
        sizes = len(part.groups), len(part.component.constraints)
        components.append(CountedComponent(tuple(map(analysis.board.cell, cells)), *sizes, ways, engine))
    return sorted(components, key=lambda component: component.cells)


def stage_facts(analysis: Analysis, exact: bool = False) -> Iterator[tuple[str, str]]:
    """Stages and components, as names and values."""
    for stage, cells in analysis.stages.items():
        yield stage, f"{counted(len(cells), 'cell')}: {cell_list(cells)}" if cells else "none"
    for number, component in enumerate(counted_components(analysis), 1):
        sizes = (len(component.cells), "cell"), (component.groups, "group"), (component.numbers, "number")
        facts = ", ".join(counted(*size) for size in sizes)
        ways = "not counted"
        if component.ways is not None:
            ways = f"placements: {count(component.ways, exact)}, counted by {component.engine}"
        yield f"component {number}", f"{facts}, {ways}: {cell_list(component.cells)}"


def stage_values(analysis: Analysis) -> dict[str, object]:
    """Stages and components as plain values for JSON."""
    return {
        "forced": analysis.stages,
        "components": [
            {**component._asdict(), "ways": None if component.ways is None else digits(component.ways)}
            for component in counted_components(analysis)
        ],
    }
