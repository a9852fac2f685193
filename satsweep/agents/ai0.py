"""Looks for mines on purpose: where the open numbers point, else on a lattice of probes.

AI-0 of Covre (document 004), where opening a mine is not fatal and few cells should be opened. Numbers are offset by
the mines already found around them; the *risk score* of an unknown cell is the sum of the offset numbers that it
touches, its *knowledge gain* how many cells it would tell about. With a risk above 0 anywhere it investigates: the
highest risk, then the highest gain, then at random. Otherwise it explores: the next probe of a lattice with two cells
between probes, left to right and top to bottom, as long as one gains all 9, else at random among the highest gains.
Cells around an offset number of 0 are safe and never opened; every mine is confirmed by opening it.

Our readings: the gain counts the cell and its neighbours that are neither open nor known to be safe or a mine; the
lattice starts one step from the edges, where a probe can gain 9. Where cells touch others than the eight around them,
all is as many as any cell of the board can touch, and itself.
"""

from __future__ import annotations

from random import Random

from satsweep.board import COVERED, FLAG, MINE, NUMBER_OF, Board, Cell
from satsweep.games.agent import SINGLE_POINT, Agent, Deduction, Guess, Inference, ordered_deduction

_SPACING = 3


def agent() -> Agent:
    """A fresh agent."""
    return Agent(deduce, guess)


def deduce(board: Board) -> Deduction:
    """Cells around a number whose mines are all found are safe. None is opened.

    >>> deduction = deduce(Board(("1#", "*#"), mines=1))
    >>> deduction.safe, deduction.opens
    ((Cell(row=0, col=1), Cell(row=1, col=1)), ())
    """
    view = _View(board)
    claims = ordered_deduction(board, view.safe, {})
    return Deduction(claims.safe, (), claims.why, opens=())


def guess(board: Board, rng: Random) -> Guess | None:
    """The cell that most likely holds a mine, or that tells most; None if no cell is unknown."""
    view = _View(board)
    if not view.unknown:
        return None
    risks = {cell: view.risk(cell) for cell in view.unknown}
    highest = max(risks.values())
    if highest > 0:
        candidates = [cell for cell, risk in risks.items() if risk == highest]
        gain, best = view.most_telling(candidates)
        return view.drawn(best, rng, f"highest risk score {highest}, gain {gain}")
    gain, best = view.most_telling(view.unknown)
    if gain == 1 + board.topology.most:
        for cell in best:
            row, col = divmod(cell, board.cols)
            if row % _SPACING == col % _SPACING == 1:
                return Guess(Cell(row, col), f"orderly probe, gain {gain}")
    return view.drawn(best, rng, f"random probe, gain {gain}")


class _View:
    """The maps of the agent: offset numbers, safe cells with their inferences, and unknown cells, ascending."""

    def __init__(self, board: Board) -> None:
        self.cols = board.cols
        self.table = board.topology.neighbours(board.rows, board.cols)
        symbols = board.symbols
        self.offset: dict[int, int] = {}
        self.safe: dict[int, Inference] = {}
        for clue, symbol in enumerate(symbols):
            if symbol in NUMBER_OF:
                found = sum(symbols[cell] in (MINE, FLAG) for cell in self.table[clue])
                self.offset[clue] = NUMBER_OF[symbol] - found
                if self.offset[clue] == 0:
                    inference = Inference(SINGLE_POINT, (self.cell(clue),))
                    self.safe.update((cell, inference) for cell in self.table[clue] if symbols[cell] == COVERED)
        self.unknown = {
            cell: None for cell, symbol in enumerate(symbols) if symbol == COVERED and cell not in self.safe
        }

    def cell(self, index: int) -> Cell:
        """A cell by its row-major index."""
        return Cell(*divmod(index, self.cols))

    def risk(self, cell: int) -> int:
        """The sum of the offset numbers around a cell."""
        return sum(self.offset.get(clue, 0) for clue in self.table[cell])

    def gain(self, cell: int) -> int:
        """How many cells, itself included, an unknown cell would tell about."""
        return 1 + sum(other in self.unknown for other in self.table[cell])

    def most_telling(self, cells: list[int] | dict[int, None]) -> tuple[int, list[int]]:
        """The highest gain among cells, and those that have it."""
        gains = {cell: self.gain(cell) for cell in cells}
        most = max(gains.values())
        return most, [cell for cell, gain in gains.items() if gain == most]

    def drawn(self, cells: list[int], rng: Random, why: str) -> Guess:
        """One of the cells, at random."""
        among = f", drawn among {len(cells):,}" if len(cells) > 1 else ""
        return Guess(self.cell(cells[rng.randrange(len(cells))]), why + among)
