"""The truth about small components and frontiers, cell by cell.

Every single cell is given a mine or none. Groups play no part in it: a group of four is four cells here, so binomials
come out by themselves.
"""

from itertools import product
from math import prod

from satsweep.solver.components import Component
from satsweep.solver.constraints import Frontier


def fillings(component: Component) -> list[tuple[tuple[tuple[int, ...], ...], int]]:
    """Every way to fill cells with 0 or 1 mine, group by group, and its weight.

    Ways without weight are left out.
    """
    found = []
    for cells in product((0, 1), repeat=sum(component.sizes)):
        rest = iter(cells)
        filling = tuple(tuple(next(rest) for _ in range(size)) for size in component.sizes)
        weight = 1
        for constraint in component.constraints:
            mines = sum(sum(filling[group]) for group in constraint.groups)
            weight *= constraint.likelihood[mines] if mines < len(constraint.likelihood) else 0
        if weight:
            found.append((filling, weight))
    return found


def counted(component: Component) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """The true ``Counts``: total, and mined for the first cell of each group."""
    found = [(filling, sum(map(sum, filling)), weight) for filling, weight in fillings(component)]
    end = max((mines for _, mines, _ in found), default=-1) + 1
    total = [0] * end
    mined = [[0] * end for _ in component.sizes]
    for filling, mines, weight in found:
        total[mines] += weight
        for group, cells in enumerate(filling):
            mined[group][mines] += weight * cells[0]
    return tuple(total), tuple(map(tuple, mined))


def forced(component: Component) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """The groups that are all safe, and all mines, in every filling.

    None if there is no filling.
    """
    found = [filling for filling, _ in fillings(component)]
    if not found:
        return None
    groups = range(len(component.sizes))
    safe = tuple(group for group in groups if not any(any(filling[group]) for filling in found))
    mines = tuple(group for group in groups if all(all(filling[group]) for filling in found))
    return safe, mines


def frontier_worlds(frontier: Frontier) -> dict[frozenset[int], int]:
    """Every set of cells, sea included, that may be the mines, and its weight."""
    sizes = (*frontier.sizes, *(1 for _ in frontier.sea))
    cells = [*(cell for group in frontier.groups for cell in group), *frontier.sea]
    found = {}
    for filling, weight in fillings(Component(sizes, frontier.constraints)):
        mines = (cell for cell, mine in zip(cells, (mine for group in filling for mine in group), strict=True) if mine)
        found[frozenset(mines)] = weight * frontier.weight
    return found


def convolved(totals: list[tuple[int, ...]]) -> tuple[int, ...]:
    """The number of ways in which components hold f mines together.

    It comes from every combination of their counts.
    """
    spread = [0] * (sum(len(total) - 1 for total in totals) + 1)
    for choice in product(*(range(len(total)) for total in totals)):
        spread[sum(choice)] += prod(total[mines] for total, mines in zip(totals, choice, strict=True))
    return tuple(spread)
