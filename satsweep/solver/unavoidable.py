"""Guesses that cannot be avoided: 50/50s, and their kind.

Some covered cells can be filled in two ways with as many mines each, in every world, and every other cell that may ever
be opened sees as many mines in one way as in the other. Then no other cell can tell the ways apart, and opening one of
these cells is a guess. To wait for more numbers is no use.

Where few worlds are left all of them are compared, mine total included. On other boards the ways to fill each component
are compared, if they are few; cells that no number touches are left out then.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from satsweep.board import COVERED, FLAG, Cell
from satsweep.solver.analysed_board import AnalysedBoard
from satsweep.solver.endgame import fillings

MOST_FILLINGS = 200
"""Most ways to fill a component that are compared."""


@dataclass(frozen=True, slots=True)
class UnavoidableGuess:
    """Covered cells with two sets of mines that no other cell can ever tell apart."""

    first: tuple[Cell, ...]
    second: tuple[Cell, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All of these cells, in row-major order."""
        return tuple(sorted((*self.first, *self.second)))


def unavoidable_guesses(analysis: AnalysedBoard, worlds: Sequence[int] | None) -> tuple[UnavoidableGuess, ...]:
    """The guesses that cannot be avoided, in row-major order.

    ``worlds`` has the mines of every world as bits, where these are listed.

    >>> from satsweep.board import Board
    >>> from satsweep.solver.analysis import analyse
    >>> board = Board(("#1.1#", "#1.1#"), mines=2)
    >>> [" or ".join(map(str, guess.cells)) for guess in unavoidable_guesses(analyse(board), None)]
    ['0,0 or 1,0', '0,4 or 1,4']
    """
    board = analysis.board
    if not (board.clues.is_exact and analysis.is_counted):
        return ()
    table = board.topology.neighbours(board.rows, board.cols)
    mines = {board.index(cell) for cell in analysis.mines}
    symbols = board.symbols

    def is_unseen(one: int, other: int) -> bool:
        """Return whether all cells that may ever be opened see as many mines."""
        changed = one | other
        cells = [cell for cell in range(changed.bit_length()) if changed >> cell & 1]
        for near in {near for cell in cells for near in table[cell]}.difference(cells, mines):
            around = sum(1 << cell for cell in table[near])
            covered = symbols[near] in (COVERED, FLAG)
            if covered and (around & one).bit_count() != (around & other).bit_count():
                return False
        return True

    lists = [worlds] if worlds is not None else _component_fillings(analysis)
    found = sorted(pair for mined in lists for pair in exchanges(mined, is_unseen))
    return tuple(UnavoidableGuess(_cells(board.cols, one), _cells(board.cols, other)) for one, other in found)


def _component_fillings(analysis: AnalysedBoard) -> Iterator[Sequence[int]]:
    """The ways to fill each component that has few."""
    counted = analysis.solution.derived.counted
    for part in counted.parts:
        groups = [counted.frontier.groups[group] for group in part.groups]
        ways = fillings(part.component, groups, MOST_FILLINGS)
        if ways is not None:
            yield [way for same in ways.values() for way in same]


def exchanges(mined: Sequence[int], is_unseen: Callable[[int, int], bool]) -> Iterator[tuple[int, int]]:
    """Yield the smallest pairs of sets of mines that can be exchanged unnoticed.

    Every way in ``mined`` has one or the other, and with the other it is a way, too. ``is_unseen`` tells that no cell
    shows the difference. Sets are the bits of integers. A pair is the difference of the first way and
    another one, so there are only as many to be tried as ways.
    """
    every = set(mined)
    smallest: list[int] = []
    first = mined[0] if mined else 0
    for changed in sorted((first ^ other for other in mined[1:]), key=lambda cells: (cells.bit_count(), cells)):
        one = first & changed
        other = changed ^ one
        if one.bit_count() != other.bit_count() or any(cells & ~changed == 0 for cells in smallest):
            continue
        if any(way & changed not in (one, other) or way ^ changed not in every for way in mined):
            continue
        if is_unseen(one, other):
            smallest.append(changed)
            yield min(one, other), max(one, other)


def _cells(cols: int, bits: int) -> tuple[Cell, ...]:
    """The cells of a set of bits, in row-major order."""
    return tuple(Cell(*divmod(index, cols)) for index in range(bits.bit_length()) if bits >> index & 1)
