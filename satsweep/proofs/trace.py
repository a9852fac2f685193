"""Traces: proofs that a board can be cleared without a guess, and their check.

From the first cell on, single numbers prove cells: a number with no mines left has no mine around, one with as many
left as covered cells has mines only. Every reader can follow that, so a trace does not contain it. Wherever they prove
nothing more, a trace has a certificate for the position: proofs of cells that are forced there
(``satsweep.proofs.certificate``). Proved mines are known mines (``*``) in the positions that follow.

``check`` follows a trace on its layout. It imports no code that reasons: it opens cells, applies single numbers, and
leaves each certificate to ``satsweep.proofs.verify``. A layout whose trace is accepted can be cleared from its start by
deduction alone, and that does not depend on the author of the trace.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from satsweep.board import COVERED, MINE, NUMBER_OF, NUMBERS, Board
from satsweep.errors import BoardError
from satsweep.layout import Layout
from satsweep.proofs.certificate import Certificate, Rejected, WorkLimit
from satsweep.proofs.verify import verify


@dataclass(frozen=True, slots=True)
class Trace:
    """A layout with its start, and certificates where single numbers prove nothing.

    The certificates are in the order of the positions.
    """

    layout: Layout
    certificates: tuple[Certificate, ...] = ()


class Checked(NamedTuple):
    """Numbers of positions with a certificate, and of cells proved in them."""

    positions: int
    proofs: int


def check(trace: Trace) -> Checked:
    """Follow a trace to its end.

    Raises Rejected where it proves nothing, does not lead on, or ends too early.

    >>> check(Trace(Layout(("..*", "...", "..."), start=(2, 0))))
    Checked(positions=0, proofs=0)
    """
    position = _Position(trace.layout)
    proofs, work = 0, WorkLimit()
    for number, certificate in enumerate(trace.certificates, 1):
        position.follow_single_numbers()
        try:
            if position.cleared:
                raise Rejected("the board is cleared before")
            found = verify(position.board, certificate, work=work)
            if found.uncertified or not certificate.proofs:
                raise Rejected("expected proofs, and of every cell that is named")
            for proof in certificate.proofs:
                position.settle(trace.layout.index(proof.cell), mine=proof.mine)
        except Rejected as error:
            raise Rejected(f"certificate {number}: {error}") from None
        proofs += len(certificate.proofs)
    position.follow_single_numbers()
    if not position.cleared:
        raise Rejected(f"expected another certificate: {position.left} safe cells are still covered")
    return Checked(len(trace.certificates), proofs)


class _Position:
    """A position on the way of a trace. Cells are row-major indices."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.table = layout.topology.neighbours(layout.rows, layout.cols)
        self.mined = [symbol == MINE for symbol in layout.symbols]
        self.symbols = [COVERED] * len(self.mined)
        self.left = self.mined.count(False)
        self.queued: dict[int, None] = {}
        if layout.start is None:
            raise BoardError("expected a layout with a start", at="start")
        start = layout.index(layout.start)
        if self.mined[start]:
            raise Rejected("the start is a mine", cell=layout.start)
        self.open([start])

    @property
    def cleared(self) -> bool:
        return not self.left

    @property
    def board(self) -> Board:
        cols, text = self.layout.cols, "".join(self.symbols)
        rows = (text[first : first + cols] for first in range(0, len(text), cols))
        return Board(rows, mines=self.layout.mines, topology=self.layout.topology)

    def open(self, cells: Iterable[int]) -> None:
        """Open safe cells, and all around those that show 0, in a cascade."""
        waiting = list(cells)
        for cell in waiting:
            if self.symbols[cell] == COVERED:
                around = sum(self.mined[other] for other in self.table[cell])
                self.symbols[cell] = NUMBERS[around]
                self.left -= 1
                self._queue_numbers(cell)
                waiting += self.table[cell] if not around else ()

    def settle(self, cell: int, *, mine: bool) -> None:
        """Mark a proved mine, or open a safe cell unless a cascade has opened it.

        Raises Rejected if the layout has something else there.
        """
        if self.mined[cell] is not mine:
            raise Rejected("proved what is not so", cell=self.layout.cell(cell))
        if mine:
            self.symbols[cell] = MINE
            self._queue_numbers(cell)
        else:
            self.open([cell])

    def follow_single_numbers(self) -> None:
        """Apply single numbers until they prove nothing more."""
        while self.queued:
            number, _ = self.queued.popitem()
            around = [self.symbols[other] for other in self.table[number]]
            covered, left = around.count(COVERED), NUMBER_OF[self.symbols[number]] - around.count(MINE)
            if covered and left in (0, covered):
                for other in self.table[number]:
                    if self.symbols[other] == COVERED:
                        self.settle(other, mine=left > 0)

    def _queue_numbers(self, cell: int) -> None:
        """Queue the numbers that a change of a cell may affect: its own and around it."""
        for other in (cell, *self.table[cell]):
            if self.symbols[other] in NUMBER_OF:
                self.queued[other] = None
