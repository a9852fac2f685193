"""What a weak agent knows: the numbers of a board as sentences, and the rule of one number at a time.

A sentence is an open number with the covered cells around it that nothing is known about, and how many mines are left
among them. Flags and opened mines are known mines. A claim takes its cell out of every sentence at once.
"""

from __future__ import annotations

from collections.abc import Iterable

from satsweep.agent import SINGLE_POINT, Deduction, Inference, in_order
from satsweep.board import COVERED, FLAG, MINE, Board, Cell


class Knowledge:
    """Sentences that shrink as claims are made.

    ``unknown[clue]`` are the row-major indices of the cells of a sentence, ascending; ``remaining[clue]`` its mines;
    a sentence without cells is dropped. ``safe`` and ``mines`` are the claims so far, with their inferences.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.safe: dict[int, Inference] = {}
        self.mines: dict[int, Inference] = {}
        self.unknown: dict[int, list[int]] = {}
        self.remaining: dict[int, int] = {}
        symbols = "".join(board.cells)
        self._table = table = board.topology.neighbours(board.rows, board.cols)
        for clue, symbol in enumerate(symbols):
            if symbol not in "#F*":
                around = [symbols[cell] for cell in table[clue]]
                if COVERED in around:
                    self.unknown[clue] = [cell for cell in table[clue] if symbols[cell] == COVERED]
                    known = around.count(FLAG) + around.count(MINE)
                    self.remaining[clue] = (0 if symbol == "." else int(symbol)) - known
        self._fresh = dict.fromkeys(self.unknown)

    def single_point(self) -> bool:
        """One number at a time, to a fixed point: whether that claimed anything.

        A number with as many mines left as unknown cells makes all of them mines, one with none left makes all safe.
        """
        before = len(self.safe) + len(self.mines)
        while self._fresh:
            clue, _ = self._fresh.popitem()
            if clue in self.unknown and self.remaining[clue] in (0, len(self.unknown[clue])):
                self.claim(self.unknown[clue], mine=self.remaining[clue] > 0, rule=SINGLE_POINT, clues=(clue,))
        return len(self.safe) + len(self.mines) > before

    def claim(self, cells: Iterable[int], *, mine: bool, rule: str, clues: Iterable[int]) -> None:
        """Claim unknown cells to be safe or mines, and take them out of every sentence."""
        inference = Inference(rule, tuple(self.cell(clue) for clue in clues))
        claims = self.mines if mine else self.safe
        for cell in tuple(cells):
            claims[cell] = inference
            for clue in self._table[cell]:
                if clue in self.unknown:
                    self.unknown[clue].remove(cell)
                    self.remaining[clue] -= mine
                    if self.unknown[clue]:
                        self._fresh[clue] = None
                    else:
                        del self.unknown[clue], self.remaining[clue]

    def cell(self, index: int) -> Cell:
        """A cell by its row-major index."""
        return Cell(*divmod(index, self.board.cols))

    def deduction(self) -> Deduction:
        """All claims so far."""
        return in_order(self.board, self.safe, self.mines)
