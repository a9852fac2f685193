"""Mine search around numbers: sets of safe cells, mines, and cells to explore.

AI-1, by Reddy, of Covre and Reddy, *Minesearch in Minesweeper* (readme of andrea-covre/minesweeper-mine-search-AI), an
alteration of the naive single point algorithm of Becerra (2015). Every opened cell is examined once, when it is opened.
A 0 makes its neighbours safe. A number with as many covered neighbours as mines not yet opened around it makes them
mines. Any other number adds its covered neighbours to the cells to explore, which are opened one after another; when
none is left, a random cell is opened that is not known to be safe or a mine.

No cell is examined twice, and a number whose mines were all opened is not treated as a 0, so the agent explores cells
that it could know to be safe; the original does the same. Our reading: cells are explored in the order in which they
joined.
"""

from random import Random

from satsweep.board import COVERED, FLAG, MINE, NUMBER_OF, Board
from satsweep.games.agent import SINGLE_POINT, Agent, Deduction, Guess, Inference, ordered_deduction
from satsweep.text import counted


def agent() -> Agent:
    sets = CellSets()
    return Agent(sets.deduce, sets.guess)


class CellSets:
    """The agent's state: three sets of row-major indices.

    ``safe`` and ``mines`` have the inference of each cell. The opened cells examined so far are kept, too.
    """

    def __init__(self) -> None:
        self.safe: dict[int, Inference] = {}
        self.mines: dict[int, Inference] = {}
        self.explore: dict[int, None] = {}
        self._examined: set[int] = set()

    def deduce(self, board: Board) -> Deduction:
        """Examine newly opened cells, and claim the covered cells of the sets; open none.

        >>> sets = CellSets()
        >>> sets.deduce(Board(("1##",), mines=1)).mines
        (Cell(row=0, col=1),)
        """
        symbols, examined = board.symbols, len(self._examined)
        for index, symbol in enumerate(symbols):
            if symbol not in (COVERED, FLAG) and index not in self._examined:
                self._examined.add(index)
                self.explore.pop(index, None)
                if symbol in NUMBER_OF:
                    self._examine(board, symbols, index)
        safe, mines = (
            {index: why for index, why in claims.items() if symbols[index] == COVERED}
            for claims in (self.safe, self.mines)
        )
        claims = ordered_deduction(board, safe, mines)
        return Deduction(claims.safe, claims.mines, claims.why, (), len(self._examined) - examined)

    def _examine(self, board: Board, symbols: str, clue: int) -> None:
        around = board.topology.neighbours(board.rows, board.cols)[clue]
        unopened = [cell for cell in around if symbols[cell] in (COVERED, FLAG)]
        neither = [cell for cell in unopened if cell not in self.safe and cell not in self.mines]
        if symbols[clue] == ".":
            target = self.safe
        elif len(unopened) == NUMBER_OF[symbols[clue]] - sum(symbols[cell] == MINE for cell in around):
            target = self.mines
        else:
            self.explore.update(dict.fromkeys(neither))
            return
        inference = Inference(SINGLE_POINT, (board.cell(clue),))
        for cell in neither:
            target[cell] = inference
            self.explore.pop(cell, None)

    def guess(self, board: Board, rng: Random) -> Guess | None:
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
        return Guess(board.cell(index), f"nothing to explore, uniform among {counted(len(unknown), 'cell')}")
