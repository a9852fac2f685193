"""Proofs that a board can be cleared without a guess, or cannot, and their check.

*Traces.* From the first cell on, single numbers prove cells: a number with no mines left has no mine around, one with
as many left as covered cells has mines only. Every reader can follow that, so a trace does not contain it. Wherever
they prove nothing more, a trace has a certificate for the position: proofs of cells that are forced there
(``satsweep.proofs.certificate``). Proved mines are known mines (``*``) in the positions that follow.

*Proofs that a guess is needed* are a position and some worlds. Every world agrees with the numbers of the position and
with the mine total, and every covered cell is a mine in one of them. A player who sees the position, or less of it, can
therefore be sure of no cell outside of it. Opening sure cells only never leads out of it, and safe cells are left. It
does not matter how the position came about.

``check`` and ``check_guess`` import no code that reasons: they open cells, apply single numbers, and leave each
certificate to ``satsweep.proofs.verify``. Their answers do not depend on the author of a proof.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from satsweep.board import COVERED, MINE, NUMBER_OF, NUMBERS, Board
from satsweep.errors import BoardError
from satsweep.layout import Layout
from satsweep.proofs.certificate import Certificate, Rejected, WorkLimit
from satsweep.proofs.verify import verify
from satsweep.text import counted


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
    """Follow a trace to its end. Raises Rejected where it proves nothing or stops.

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


def traced_line(trace: Trace, result: Checked) -> str:
    proved = f"{counted(result.proofs, 'cell')} proved in {counted(result.positions, 'position')}"
    return f"accepted: needs no guess from {trace.layout.start}, {proved}"


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
        waiting = list(cells)
        for cell in waiting:
            if self.symbols[cell] == COVERED:
                around = sum(self.mined[other] for other in self.table[cell])
                self.symbols[cell] = NUMBERS[around]
                self.left -= 1
                self._queue_numbers(cell)
                waiting += self.table[cell] if not around else ()

    def settle(self, cell: int, *, mine: bool) -> None:
        """Mark a proved mine, or open a safe cell. Raises Rejected if it is otherwise."""
        if self.mined[cell] is not mine:
            raise Rejected("proved what is not so", cell=self.layout.cell(cell))
        if mine:
            self.symbols[cell] = MINE
            self._queue_numbers(cell)
        else:
            self.open([cell])

    def follow_single_numbers(self) -> None:
        while self.queued:
            number, _ = self.queued.popitem()
            around = [self.symbols[other] for other in self.table[number]]
            covered, left = around.count(COVERED), NUMBER_OF[self.symbols[number]] - around.count(MINE)
            if covered and left in (0, covered):
                for other in self.table[number]:
                    if self.symbols[other] == COVERED:
                        self.settle(other, mine=left > 0)

    def _queue_numbers(self, cell: int) -> None:
        for other in (cell, *self.table[cell]):
            if self.symbols[other] in NUMBER_OF:
                self.queued[other] = None


@dataclass(frozen=True, slots=True)
class GuessProof:
    """A layout with its start, a position (what is not open is covered), and worlds."""

    layout: Layout
    board: Board
    worlds: tuple[Layout, ...]


def check_guess(proof: GuessProof) -> int:
    """The number of cells among which the player has to guess; raises Rejected.

    >>> check_guess(GuessProof(Layout((".*",), start=(0, 0)), Board(("1#",), mines=1), ()))
    Traceback (most recent call last):
    satsweep.proofs.certificate.Rejected: the board is cleared
    >>> worlds = Layout(("..", ".*")), Layout(("..", "*.")), Layout((".*", ".."))
    >>> check_guess(GuessProof(Layout(("..", ".*"), start=(0, 0)), Board(("1#", "##"), mines=1), worlds))
    3
    """
    layout, board = proof.layout, proof.board
    if layout.start is None:
        raise BoardError("expected a layout with a start", at="start")
    if board.part or (board.rows, board.cols, board.topology) != (layout.rows, layout.cols, layout.topology):
        raise Rejected("the position is one of another layout")
    if not board.clues.is_exact:
        raise Rejected(f"expected a position with exact clues, found {board.clues}")
    if board.mines != layout.mines:
        raise Rejected(f"expected the mine total {layout.mines}, found {board.mines}")
    for cell in board:
        if board[cell] not in NUMBER_OF and board[cell] != COVERED:
            raise Rejected("expected covered and open cells only", cell=cell)
    numbers = _numbers(layout)
    seen = [(index, NUMBER_OF[symbol]) for index, symbol in enumerate(board.symbols) if symbol != COVERED]
    if board.is_covered(layout.start):
        raise Rejected("the start is not open", cell=layout.start)
    for index, number in seen:
        if numbers[index] != number:
            raise Rejected("the position is one of another layout", cell=layout.cell(index))
    if len(seen) == len(numbers) - layout.mines:
        raise Rejected("the board is cleared")
    mined = set()
    for place, world in enumerate(proof.worlds, 1):
        if (world.rows, world.cols, world.topology) != (layout.rows, layout.cols, layout.topology):
            raise Rejected(f"world {place}: expected a layout of the same grid")
        if world.mines != layout.mines:
            raise Rejected(f"world {place}: expected the mine total {layout.mines}, found {world.mines}")
        numbers = _numbers(world)
        for index, number in seen:
            if numbers[index] != number:
                raise Rejected(f"world {place} does not agree with the position", cell=layout.cell(index))
        mined |= {index for index, symbol in enumerate(world.symbols) if symbol == MINE}
    covered = [index for index, symbol in enumerate(board.symbols) if symbol == COVERED]
    for index in covered:
        if index not in mined:
            raise Rejected("expected a world with a mine there", cell=layout.cell(index))
    return len(covered)


def guess_line(proof: GuessProof, cells: int) -> str:
    proved = f"{counted(len(proof.worlds), 'world')}, in which each of {counted(cells, 'covered cell')} is a mine"
    return f"accepted: needs a guess from {proof.layout.start}, {proved}"


def _numbers(layout: Layout) -> list[int | None]:
    table = layout.topology.neighbours(layout.rows, layout.cols)
    mined = [symbol == MINE for symbol in layout.symbols]
    return [None if mine else sum(mined[other] for other in table[cell]) for cell, mine in enumerate(mined)]
