"""Traces: how a board is cleared without a guess, and a check of that which trusts nobody.

From the first cell on, single numbers say what they can: a number with no mines left has no mine around, one with as
many left as covered cells has mines only. Anybody can follow that, so it is not written down. Wherever they are silent
a trace has a certificate for the position: proofs of cells that are forced there (``satsweep.proofs.certificate``).
Mines that were proved are known mines (``*``) in the positions that follow.

``check`` follows a trace on its layout. It imports nothing that reasons: it opens cells, applies single numbers, and
has each certificate checked by ``satsweep.proofs.verify``. What it accepts can be cleared from its start by deduction
alone, whoever made the trace.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from satsweep.board import COVERED, MINE, NUMBER_OF, NUMBERS, Board
from satsweep.errors import BoardError
from satsweep.layout import Layout
from satsweep.proofs.certificate import Certificate
from satsweep.proofs.verify import Rejected, verify


@dataclass(frozen=True, slots=True)
class Trace:
    """A layout with its start, and a certificate for every position in which single numbers are silent, in order."""

    layout: Layout
    certificates: tuple[Certificate, ...] = ()


class Checked(NamedTuple):
    """What a trace takes: positions in which single numbers are silent, and cells that are proved there."""

    positions: int
    proofs: int


def check(trace: Trace) -> Checked:
    """Follow a trace to its end. Raises Rejected where it proves nothing, or does not lead on, or ends too early.

    >>> check(Trace(Layout(("..*", "...", "..."), start=(2, 0))))
    Checked(positions=0, proofs=0)
    """
    path = _Path(trace.layout)
    proofs = 0
    for number, certificate in enumerate(trace.certificates, 1):
        path.follow_single_numbers()
        try:
            if path.cleared:
                raise Rejected("the board is cleared before")
            found = verify(path.board, certificate)
            if found.uncertified or not certificate.proofs:
                raise Rejected("expected proofs, and of every cell that is named")
            for proof in certificate.proofs:
                path.take(proof.cell.row * trace.layout.cols + proof.cell.col, mine=proof.mine)
        except Rejected as error:
            raise Rejected(f"certificate {number}: {error}") from None
        proofs += len(certificate.proofs)
    path.follow_single_numbers()
    if not path.cleared:
        raise Rejected(f"expected another certificate: {path.left} safe cells are still covered")
    return Checked(len(trace.certificates), proofs)


class _Path:
    """The position while a trace is followed. Cells are row-major indices."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.table = layout.topology.neighbours(layout.rows, layout.cols)
        self.mined = [symbol == MINE for row in layout.cells for symbol in row]
        self.symbols = [COVERED] * len(self.mined)
        self.left = self.mined.count(False)
        self.fresh: dict[int, None] = {}
        if layout.start is None:
            raise BoardError("expected a layout with a start", at="start")
        start = layout.start.row * layout.cols + layout.start.col
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
        """Open safe cells, and what opens with them where no mine is around."""
        waiting = list(cells)
        for cell in waiting:
            if self.symbols[cell] == COVERED:
                around = sum(self.mined[other] for other in self.table[cell])
                self.symbols[cell] = NUMBERS[around]
                self.left -= 1
                self._tell(cell)
                waiting += self.table[cell] if not around else ()

    def take(self, cell: int, *, mine: bool) -> None:
        """Take what was proved: mark a mine, or open a safe cell, unless the cascade of another has opened it."""
        if self.mined[cell] is not mine:
            raise Rejected("proved what is not so", cell=self.layout.cell(cell))
        if mine:
            self.symbols[cell] = MINE
            self._tell(cell)
        else:
            self.open([cell])

    def follow_single_numbers(self) -> None:
        """Apply single numbers until they are silent."""
        while self.fresh:
            number, _ = self.fresh.popitem()
            around = [self.symbols[other] for other in self.table[number]]
            covered, left = around.count(COVERED), NUMBER_OF[self.symbols[number]] - around.count(MINE)
            if covered and left in (0, covered):
                for other in self.table[number]:
                    if self.symbols[other] == COVERED:
                        self.take(other, mine=left > 0)

    def _tell(self, cell: int) -> None:
        """Something has changed here, for the numbers around and for the cell itself."""
        for other in (cell, *self.table[cell]):
            if self.symbols[other] in NUMBER_OF:
                self.fresh[other] = None
