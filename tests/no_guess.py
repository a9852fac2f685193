"""Boards that need no guess, by listing every world after every step."""

from itertools import combinations

from satsweep.layout import Layout
from satsweep.topology import SQUARE, Topology
from tests.brute_force import touching


def every_layout(rows: int, cols: int, mines: int, start: tuple[int, int], topology: Topology = SQUARE) -> list[Layout]:
    """Return all layouts without a mine in the start."""
    free = [cell for cell in range(rows * cols) if divmod(cell, cols) != start]
    blank = Layout(["." * cols] * rows, start=start, topology=topology)
    return [blank.with_mines(frozenset(chosen)) for chosen in combinations(free, mines)]


def needs_no_guess(layout: Layout, among: list[Layout]) -> bool:
    """Return whether a layout can be cleared from its start without a guess.

    ``among`` are all layouts that are possible before.
    """
    assert layout.start is not None
    opened: set[tuple[int, int]] = set()
    safe: set[tuple[int, int]] = {layout.start}
    while safe - opened:
        for cell in safe - opened:
            opened |= _cascade(layout, cell)
        among = [other for other in among if all(other.number(cell) == layout.number(cell) for cell in opened)]
        safe = {
            (row, col)
            for row in range(layout.rows)
            for col in range(layout.cols)
            if not any(other.is_mine((row, col)) for other in among)
        }
    return len(opened) + layout.mines == layout.rows * layout.cols


def _cascade(layout: Layout, start: tuple[int, int]) -> set[tuple[int, int]]:
    opened, waiting = set(), [start]
    while waiting:
        cell = waiting.pop()
        if cell not in opened:
            opened.add(cell)
            waiting += touching(layout.board(()), cell) if layout.number(cell) == 0 else ()
    return opened


def has_zero_start(layout: Layout) -> bool:
    """Return whether no mine is in the start or around it."""
    assert layout.start is not None
    return layout.number(layout.start) == 0
