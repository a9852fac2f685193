"""A queue of open numbers, each looked at once: what breadth-first and depth-first search have in common.

The agent of Wiersma (2020, document 002). A turn takes numbers from the queue. One with as many covered neighbours as
mines has them flagged. Then, if some open cell anywhere touches as many flags as its number says, one more neighbour
of it is opened, and the numbers that this reveals join the queue: at its back for breadth first, at its front for
depth first. A number is never looked at again, and when the queue is empty the agent stops: it does not guess, and it
may stop with a mine in plain sight.

Our readings: cells are gone through in row-major order where the document has no order; an open mine counts as a
flag; the first click, which the document leaves to the player, is drawn uniformly.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from random import Random

from satsweep.agents import uniform
from satsweep.board import COVERED, FLAG, MINE, NUMBER_OF, Board, Cell
from satsweep.games.agent import SINGLE_POINT, Agent, Deduction, Guess, Inference, ordered_deduction


def searching(*, depth_first: bool) -> Agent:
    """A fresh agent with an empty queue."""
    search = Search(depth_first)
    return Agent(search.deduce, search.guess)


class Search:
    """The queue, the open cells seen so far, and those of them that may still have a covered neighbour."""

    def __init__(self, depth_first: bool) -> None:
        self.queue: deque[int] = deque()
        self._insert = self.queue.extendleft if depth_first else self.queue.extend
        self._seen: set[int] = set()
        self._unfinished: list[int] = []

    def deduce(self, board: Board) -> Deduction:
        """Numbers from the queue, until one of them leads to a flag or to a cell that can be opened."""
        symbols, cols = board.symbols, board.cols
        table = board.topology.neighbours(board.rows, cols)
        self._look(symbols)
        while self.queue:
            clue = self.queue.popleft()
            hidden = [cell for cell in table[clue] if symbols[cell] in (COVERED, FLAG)]
            exploded = sum(symbols[cell] == MINE for cell in table[clue])
            certain = len(hidden) == NUMBER_OF[symbols[clue]] - exploded
            flags = {cell for cell in hidden if symbols[cell] == COVERED} if certain else set()
            step = self._step(symbols, table, flags)
            if flags or step:
                mines = {cell: _inference(clue, cols) for cell in flags}
                return ordered_deduction(board, {step[0]: _inference(step[1], cols)} if step else {}, mines)
        return Deduction()

    def _look(self, symbols: str) -> None:
        """Put numbers not seen before into the queue."""
        fresh = [index for index, symbol in enumerate(symbols) if symbol in NUMBER_OF and index not in self._seen]
        self._seen.update(fresh)
        self._unfinished = sorted((*self._unfinished, *fresh))
        self._insert(index for index in fresh if symbols[index] != ".")

    def _step(self, symbols: str, table: tuple[tuple[int, ...], ...], flags: Collection[int]) -> tuple[int, int] | None:
        """A cell to open and the open cell that makes it safe: the first there is."""
        step = None
        finished = set()
        for clue in self._unfinished:
            hidden = [cell for cell in table[clue] if symbols[cell] == COVERED]
            unmarked = [cell for cell in hidden if cell not in flags]
            marked = len(hidden) - len(unmarked) + sum(symbols[cell] in (FLAG, MINE) for cell in table[clue])
            if not hidden:
                finished.add(clue)
            elif unmarked and marked == NUMBER_OF[symbols[clue]]:
                step = unmarked[0], clue
                break
        if finished:
            self._unfinished = [clue for clue in self._unfinished if clue not in finished]
        return step

    def guess(self, board: Board, rng: Random) -> Guess | None:
        """The first click; None afterwards."""
        if any(symbol not in "#F" for row in board.cells for symbol in row):
            return None
        return uniform.guess(board, rng)


def _inference(clue: int, cols: int) -> Inference:
    return Inference(SINGLE_POINT, (Cell(*divmod(clue, cols)),))
