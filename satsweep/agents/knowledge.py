"""What a weak agent knows: the numbers of a board as sentences, the rule of one number at a time, and that of subsets.

A sentence is an open number with the covered cells around it that nothing is known about, and how many mines are left
among them. Flags and opened mines are known mines. A claim takes its cell out of every sentence at once.

Numbers are taken at face value. Where they are wrong a sentence may ask for fewer mines than none, or for more than
it has cells: no rule says anything then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from satsweep.board import COVERED, FLAG, MINE, NUMBER_OF, Board, Cell
from satsweep.games.agent import SINGLE_POINT, Deduction, Inference, ordered_deduction

SUBSET = "subset"
"""The rule of two numbers, one of which sees all unknown cells of the other."""


class Knowledge:
    """Sentences that shrink as claims are made.

    ``unknown[clue]`` are the row-major indices of the cells of a sentence, ascending; ``remaining[clue]`` its mines;
    a sentence without cells is dropped. ``safe`` and ``mines`` are the claims so far, with their inferences;
    ``table[cell]`` are the neighbours of a cell.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.safe: dict[int, Inference] = {}
        self.mines: dict[int, Inference] = {}
        self.unknown: dict[int, list[int]] = {}
        self.remaining: dict[int, int] = {}
        symbols = board.symbols
        self.table = table = board.topology.neighbours(board.rows, board.cols)
        for clue, symbol in enumerate(symbols):
            if symbol in NUMBER_OF:
                around = [symbols[cell] for cell in table[clue]]
                if COVERED in around:
                    self.unknown[clue] = [cell for cell in table[clue] if symbols[cell] == COVERED]
                    known = around.count(FLAG) + around.count(MINE)
                    self.remaining[clue] = NUMBER_OF[symbol] - known
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

    def subset(self, partners: Callable[[int], Iterable[int]]) -> bool:
        """Each sentence A against each sentence B of its ``partners``, once: whether that claimed anything.

        If A's cells are some of B's but not all, then the rest of B holds the difference of their mines: none of it
        is a mine, or all of it, or nothing follows. All pairs are looked at before anything is claimed.
        """
        found = []
        for clue, cells in self.unknown.items():
            for other in partners(clue):
                larger = self.unknown.get(other, ())
                if len(larger) > len(cells) and all(cell in larger for cell in cells):
                    rest = [cell for cell in larger if cell not in cells]
                    mines = self.remaining[other] - self.remaining[clue]
                    if mines in (0, len(rest)):
                        found.append((rest, mines > 0, (clue, other)))
        for rest, mine, clues in found:
            self.claim(rest, mine=mine, rule=SUBSET, clues=clues)
        return bool(found)

    def claim(self, cells: Iterable[int], *, mine: bool, rule: str, clues: Iterable[int]) -> None:
        """Claim cells to be safe or mines, unless something is claimed of them, and take them out of every sentence."""
        inference = Inference(rule, tuple(self.cell(clue) for clue in clues))
        claims = self.mines if mine else self.safe
        for cell in tuple(cells):
            if cell in self.safe or cell in self.mines:
                continue
            claims[cell] = inference
            for clue in self.table[cell]:
                if clue in self.unknown:
                    self.unknown[clue].remove(cell)
                    self.remaining[clue] -= mine
                    if self.unknown[clue]:
                        self._fresh[clue] = None
                    else:
                        del self.unknown[clue], self.remaining[clue]

    def cell(self, index: int) -> Cell:
        """A cell by its row-major index."""
        return self.board.cell(index)

    def deduction(self) -> Deduction:
        """All claims so far."""
        return ordered_deduction(self.board, self.safe, self.mines)
