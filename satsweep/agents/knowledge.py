"""Knowledge base of the weaker agents, with the single point and subset rules.

A *sentence* is an open number with the unknown covered cells around it and the number of mines left among them. Flags
and opened mines are known mines. A claim removes its cell from every sentence at once.

Numbers are taken at face value. Where they are wrong the mines left may be negative or more than the cells; no rule
applies to such a sentence.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from operator import itemgetter

from satsweep.board import COVERED, FLAG, MINE, NUMBER_OF, Board, Cell
from satsweep.games.agent import SINGLE_POINT, Deduction, Inference, ordered_deduction
from satsweep.techniques import TECHNIQUES, Technique
from satsweep.topology import Topology

SUBSET = TECHNIQUES[Technique.PAIR].stage
"""Name of the rule of two numbers, one touching all unknown cells of the other."""


Reader = Callable[[str], Sequence[str]]
"""A function that reads the symbols around a cell."""


@lru_cache(64)
def _readers(topology: Topology, rows: int, cols: int) -> list[Reader]:
    """The reader of each cell: one call of C where agents spend most of their time."""
    return list(map(_reader, topology.neighbours(rows, cols)))


def _reader(cells: tuple[int, ...]) -> Reader:
    if len(cells) < 2:  # of one index an itemgetter makes no tuple
        return lambda symbols: [symbols[cell] for cell in cells]
    return itemgetter(*cells)


class Knowledge:
    """The sentences of a board, which shrink as claims are made.

    ``unknown[clue]`` are the row-major indices of the cells of a sentence, ascending; ``remaining[clue]`` is the number
    of its mines; a sentence without cells is dropped. ``safe`` and ``mines`` are the claims so far, with their
    inferences; ``table[cell]`` are the neighbours of a cell. ``evaluations`` counts the sentences, pairs of them and
    rows that a rule was tested on.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.safe: dict[int, Inference] = {}
        self.mines: dict[int, Inference] = {}
        self.evaluations = 0
        self.unknown: dict[int, list[int]] = {}
        self.remaining: dict[int, int] = {}
        symbols = board.symbols
        self.table = table = board.topology.neighbours(board.rows, board.cols)
        readers = _readers(board.topology, board.rows, board.cols)
        for clue, symbol in enumerate(symbols):
            if symbol in NUMBER_OF:
                around = readers[clue](symbols)
                if COVERED in around:
                    self.unknown[clue] = [cell for cell in table[clue] if symbols[cell] == COVERED]
                    known = around.count(FLAG) + around.count(MINE)
                    self.remaining[clue] = NUMBER_OF[symbol] - known
        self._changed = dict.fromkeys(self.unknown)

    def single_point(self) -> bool:
        """Apply the single point rule to a fixed point, True if it claims anything.

        A number with as many mines left as unknown cells makes all of them mines, one with none left makes all safe.
        """
        before = len(self.safe) + len(self.mines)
        while self._changed:
            clue, _ = self._changed.popitem()
            self.evaluations += clue in self.unknown
            if clue in self.unknown and self.remaining[clue] in (0, len(self.unknown[clue])):
                self.claim(self.unknown[clue], mine=self.remaining[clue] > 0, rule=SINGLE_POINT, clues=(clue,))
        return len(self.safe) + len(self.mines) > before

    def subset(self, partners: Callable[[int], Iterable[int]]) -> bool:
        """Apply the subset rule to sentences and partners, True if it claims anything.

        Each sentence A is compared with each sentence B of its ``partners``. If A's cells are a proper subset of B's,
        then the rest of B holds the difference of their mines: none of it is a mine, or all of it, or nothing follows.
        All pairs are compared before anything is claimed.
        """
        found = []
        for clue, cells in self.unknown.items():
            for other in partners(clue):
                larger = self.unknown.get(other, ())
                self.evaluations += bool(larger) and other != clue
                if len(larger) > len(cells) and all(cell in larger for cell in cells):
                    rest = [cell for cell in larger if cell not in cells]
                    mines = self.remaining[other] - self.remaining[clue]
                    if mines in (0, len(rest)):
                        found.append((rest, mines > 0, (clue, other)))
        for rest, mine, clues in found:
            self.claim(rest, mine=mine, rule=SUBSET, clues=clues)
        return bool(found)

    def claim(self, cells: Iterable[int], *, mine: bool, rule: str, clues: Iterable[int]) -> None:
        """Claim cells that are not claimed yet, and remove them from every sentence."""
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
                        self._changed[clue] = None
                    else:
                        del self.unknown[clue], self.remaining[clue]

    def cell(self, index: int) -> Cell:
        return self.board.cell(index)

    def deduction(self) -> Deduction:
        return ordered_deduction(self.board, self.safe, self.mines, self.evaluations)
