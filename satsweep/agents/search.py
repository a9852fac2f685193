"""Search from number to number, breadth first or depth first, without guessing.

Two agents of Wiersma, *Minesweeper solving goal-based intelligent agent using BFS and DFS* (2020). A turn takes numbers
from the queue. If a number has as many covered neighbours as mines, they are flagged. Then, if any open cell touches as
many flags as its number, one of its other covered neighbours is opened, and the numbers that this reveals join the
queue: at its back for breadth first, at its front for depth first. Each number is examined once, and when the queue is
empty the agent stops: it does not guess, and it may stop with a forced mine left.

Our readings: cells are taken in row-major order where the paper has no order; an open mine counts as a flag; the first
click, which the paper leaves to the player, is drawn uniformly.
"""

from collections import deque
from collections.abc import Collection
from random import Random

from satsweep.agents import random_agent
from satsweep.board import COVERED, FLAG, MINE, NUMBER_OF, Board
from satsweep.games.agent import SINGLE_POINT, Agent, Deduction, Guess, Inference, ordered_deduction


def breadth_first() -> Agent:
    """Breadth-first search from number to number, without guessing."""
    search = Search(depth_first=False)
    return Agent(search.deduce, search.guess)


def depth_first() -> Agent:
    """Depth-first search from number to number, without guessing."""
    search = Search(depth_first=True)
    return Agent(search.deduce, search.guess)


class Search:
    """The agent's state: the queue, and the open numbers seen so far."""

    def __init__(self, *, depth_first: bool) -> None:
        self.queue: deque[int] = deque()
        self._insert = self.queue.extendleft if depth_first else self.queue.extend
        self._seen: set[int] = set()
        self._unfinished: list[int] = []  # open cells that may still have a covered neighbour
        self._evaluations = 0

    def deduce(self, board: Board) -> Deduction:
        """Take numbers from the queue until one leads to flags or to a cell to open."""
        symbols = board.symbols
        table = board.topology.neighbours(board.rows, board.cols)
        self._enqueue(symbols)
        self._evaluations = 0
        while self.queue:
            clue = self.queue.popleft()
            self._evaluations += 1
            hidden = [cell for cell in table[clue] if symbols[cell] in (COVERED, FLAG)]
            exploded = sum(symbols[cell] == MINE for cell in table[clue])
            certain = len(hidden) == NUMBER_OF[symbols[clue]] - exploded
            flags = {cell for cell in hidden if symbols[cell] == COVERED} if certain else set()
            opening = self._next_opening(symbols, table, flags)
            if flags or opening:
                mines = {cell: _inference(board, clue) for cell in flags}
                safe = {opening[0]: _inference(board, opening[1])} if opening else {}
                return ordered_deduction(board, safe, mines, self._evaluations)
        return Deduction(evaluations=self._evaluations)

    def _enqueue(self, symbols: str) -> None:
        fresh = [index for index, symbol in enumerate(symbols) if symbol in NUMBER_OF and index not in self._seen]
        self._seen.update(fresh)
        self._unfinished = sorted((*self._unfinished, *fresh))
        self._insert(index for index in fresh if symbols[index] != ".")

    def _next_opening(
        self, symbols: str, table: tuple[tuple[int, ...], ...], flags: Collection[int]
    ) -> tuple[int, int] | None:
        """Return the first cell to open, and the open cell that makes it safe."""
        opening = None
        finished = set()
        for clue in self._unfinished:
            self._evaluations += 1
            hidden = [cell for cell in table[clue] if symbols[cell] == COVERED]
            unmarked = [cell for cell in hidden if cell not in flags]
            marked = len(hidden) - len(unmarked) + sum(symbols[cell] in (FLAG, MINE) for cell in table[clue])
            if not hidden:
                finished.add(clue)
            elif unmarked and marked == NUMBER_OF[symbols[clue]]:
                opening = unmarked[0], clue
                break
        if finished:
            self._unfinished = [clue for clue in self._unfinished if clue not in finished]
        return opening

    def guess(self, board: Board, rng: Random) -> Guess | None:
        if any(symbol not in "#F" for row in board.cells for symbol in row):
            return None
        return random_agent.guess(board, rng)


def _inference(board: Board, clue: int) -> Inference:
    return Inference(SINGLE_POINT, (board.cell(clue),))
