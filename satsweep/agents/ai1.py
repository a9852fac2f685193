"""Looks for mines around numbers: sets of safe cells, mines, and cells to explore.

AI-1 of Reddy (document 004), an alteration of the naive single point algorithm of Becerra (2015). Every opened cell
is looked at once, when it is opened. A 0 makes its neighbours safe. A number with as many covered neighbours as mines
not yet opened around it makes them mines. Any other number has its covered neighbours explored, one after another;
when nothing is left to explore, a random cell is that is not known to be safe or a mine.

Because nothing is looked at twice, and a number whose mines were all opened is not taken for a 0, it explores cells
that it could know to be safe. That is how the document has it. Our reading: cells are explored in the order in which
they joined.
"""

from __future__ import annotations

from random import Random

from satsweep.board import COVERED, FLAG, MINE, NUMBER_OF, Board
from satsweep.games.agent import SINGLE_POINT, Agent, Deduction, Guess, Inference, ordered_deduction


def agent() -> Agent:
    """A fresh agent, with its sets empty."""
    memory = CellSets()
    return Agent(memory.deduce, memory.guess)


class CellSets:
    """The three sets, by row-major index, the first two with inferences; and which opened cells were looked at."""

    def __init__(self) -> None:
        self.safe: dict[int, Inference] = {}
        self.mines: dict[int, Inference] = {}
        self.explore: dict[int, None] = {}
        self._seen: set[int] = set()

    def deduce(self, board: Board) -> Deduction:
        """What the sets say about covered cells, once newly opened cells are looked at. None is opened.

        >>> memory = CellSets()
        >>> memory.deduce(Board(("1##",), mines=1)).mines
        (Cell(row=0, col=1),)
        """
        symbols = board.symbols
        for index, symbol in enumerate(symbols):
            if symbol not in (COVERED, FLAG) and index not in self._seen:
                self._seen.add(index)
                self.explore.pop(index, None)
                if symbol in NUMBER_OF:
                    self._look(board, symbols, index)
        safe, mines = (
            {index: why for index, why in claims.items() if symbols[index] == COVERED}
            for claims in (self.safe, self.mines)
        )
        claims = ordered_deduction(board, safe, mines)
        return Deduction(claims.safe, claims.mines, claims.why, opens=())

    def _look(self, board: Board, symbols: str, clue: int) -> None:
        around = board.topology.neighbours(board.rows, board.cols)[clue]
        unopened = [cell for cell in around if symbols[cell] in (COVERED, FLAG)]
        neither = [cell for cell in unopened if cell not in self.safe and cell not in self.mines]
        if symbols[clue] == ".":
            joined = self.safe
        elif len(unopened) == NUMBER_OF[symbols[clue]] - sum(symbols[cell] == MINE for cell in around):
            joined = self.mines
        else:
            self.explore.update(dict.fromkeys(neither))
            return
        inference = Inference(SINGLE_POINT, (board.cell(clue),))
        for cell in neither:
            joined[cell] = inference
            self.explore.pop(cell, None)

    def guess(self, board: Board, rng: Random) -> Guess | None:
        """The cell that is explored next, else a random one that nothing is known about; None if there is none."""
        symbols = board.symbols
        for index in self.explore:
            if symbols[index] == COVERED:
                return Guess(board.cell(index), f"next of {len(self.explore):,} to explore")
        unknown = [
            index
            for index, symbol in enumerate(symbols)
            if symbol == COVERED and index not in self.safe and index not in self.mines
        ]
        if not unknown:
            return None
        index = unknown[rng.randrange(len(unknown))]
        return Guess(board.cell(index), f"nothing to explore, uniform among {len(unknown):,} cells")
