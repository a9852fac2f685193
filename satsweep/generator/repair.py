"""Repair of layouts in Python: local search for a board that needs no guess.

Play goes on until it is stuck. Then mines change places, and a change after which too many cells stay unknown is taken
back. Which cells stay unknown does not depend on the order in which the others are opened. There are two kinds of
changes:

* A *swap*: a cell that touches a number, where play is stuck, flips between mine and safe. To keep the total, another
  cell flips the other way, mostly one that touches no number yet. One partner in four comes from the whole board, since
  the last ambiguities of a board have no cell far from a number. A layout stays much as it was drawn, so these changes
  come first.
* An *exchange*, for dense boards, where no swap alone makes a number say anything: all unknown cells of a number become
  safe, or all of them mines, against cells that touch no number yet. Where known mines wall the unknown cells in (no
  number touches them), one of these mines becomes safe, and an unknown cell a mine. An exchange may leave a few more
  cells unknown than before, else one wall stands behind the other.

The compiled twin is ``satsweep.kernels.games.repair``.
"""

from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from random import Random
from typing import NamedTuple

from satsweep.agents.isolated import isolated
from satsweep.board import COVERED, FLAG, NUMBER_OF, Board
from satsweep.games.agent import Agent
from satsweep.games.game import Game, play_moves
from satsweep.generator.spec import EXACT, BoardSpec, Progress
from satsweep.generator.walkthrough import GIVEN_START_RULES, exact_deducer, no_guess
from satsweep.layout import Layout
from satsweep.solver.budget import Meter

ANYWHERE = 4
"""One partner of a swap in this many is from anywhere, as in the kernels."""
SWAPS = 1_000
"""The changes of a candidate that are swaps, as in the kernels."""
SLACK = 8
"""Limit of the cells that an exchange leaves unknown beyond those before.

How many there may be is drawn, below this limit, as in the kernels.
"""


class CandidateLayout(NamedTuple):
    """A layout that meets the specification, its candidate number, changes tried."""

    layout: Layout
    number: int
    changes: int = 0


def unsolved(layout: Layout, player: str, meter: Meter | None = None) -> Board | None:
    """Board with flags where a player without guesses is stuck; None if cleared."""
    game = Game(layout, GIVEN_START_RULES)
    with _guessless(player, meter) as agent:
        for _ in play_moves(game, agent, game.rng):
            if meter is not None:
                meter.spend()
    assert game.outcome is not None
    return None if game.outcome.won else game.board


@contextmanager
def _guessless(player: str, meter: Meter | None) -> Iterator[Agent]:
    if player == EXACT:
        yield exact_deducer(meter)
        return
    with isolated(player, keep=True) as loaded:
        agent = loaded.fresh()
        yield Agent(agent.deduce, no_guess, begin=agent.begin)


def mended(
    spec: BoardSpec, layout: Layout, rng: Random, changes: int, meter: Meter, progress: Progress | None = None
) -> CandidateLayout | None:
    """A layout repaired until it needs no guess; None if ``changes`` do not suffice."""
    board = unsolved(layout, spec.player, meter)
    if board is None:
        return CandidateLayout(layout, 0)
    mines = frozenset(index for index, symbol in enumerate(layout.symbols) if symbol == "*")
    stuck = _Stuck(board, mines, spec.fixed, rng)
    for change in range(1, changes + 1):
        meter.spend()
        if progress is not None:
            progress("repair", 1 - len(stuck.cells) / spec.cells)
        exchanging = change > SWAPS
        flips = stuck.change(exchanging=exchanging)
        if flips is None:
            return None
        mines = stuck.mines ^ flips
        changed = layout.with_mines(mines)
        board = unsolved(changed, spec.player, meter)
        if board is None:
            return CandidateLayout(changed, 0, change)
        then = _Stuck(board, mines, spec.fixed, rng)
        if len(then.cells) <= len(stuck.cells) + (rng.randrange(SLACK) if exchanging else 0):
            stuck = then
    return None


class _Stuck:
    """A layout, the position in which play is stuck on it, and changes that may help.

    A change flips as many mines as safe cells.
    """

    def __init__(self, board: Board, mines: frozenset[int], fixed: Set[int], rng: Random) -> None:
        self.mines, self._fixed, self._rng = mines, fixed, rng
        self._symbols = board.symbols
        self._table = board.topology.neighbours(board.rows, board.cols)
        self.cells = [index for index, symbol in enumerate(self._symbols) if symbol == COVERED]
        self._rim = [cell for cell in self.cells if self._numbers(cell)]
        rim = set(self._rim)
        self._far = [cell for cell in self.cells if cell not in rim]

    def change(self, *, exchanging: bool) -> Set[int] | None:
        """Cells to flip; None if there is no room for a change."""
        if exchanging:
            if self._rim:
                return self._exchange()
            if breach := self._breach():
                return breach
        return self._swap()

    def _swap(self) -> Set[int] | None:
        cell = self._draw(list(self._rim or self.cells))
        mine = cell not in self.mines
        partners = self._kind(self._far, mine=mine) if self._rng.randrange(ANYWHERE) else []
        partners = partners or self._anywhere(mine=mine)
        return {cell, self._draw(partners)} if partners else None

    def _exchange(self) -> Set[int] | None:
        number = self._draw(self._numbers(self._draw(list(self._rim))))
        mine = self._rng.randrange(2) == 1
        unknown = [cell for cell in self._table[number] if self._symbols[cell] == COVERED]
        flips = set(self._kind(unknown, mine=mine))
        wanted = len(flips)
        partners = self._kind(self._far, mine=not mine)
        if len(partners) < wanted:
            partners = self._anywhere(mine=not mine)
        if len(partners) < wanted:
            return None
        return flips | {self._draw(partners) for _ in range(wanted)}

    def _breach(self) -> Set[int] | None:
        """A mine of the wall around the unknown cells, and a safe one of these."""
        near = {other for cell in self.cells for other in self._table[cell]}
        wall = [cell for cell in sorted(near) if self._symbols[cell] == FLAG and self._numbers(cell)]
        safe = self._kind(self._far, mine=False)
        return {self._draw(wall), self._draw(safe)} if wall and safe else None

    def _numbers(self, cell: int) -> list[int]:
        return [other for other in self._table[cell] if self._symbols[other] in NUMBER_OF]

    def _kind(self, cells: Iterable[int], *, mine: bool) -> list[int]:
        return [cell for cell in cells if (cell in self.mines) is mine]

    def _anywhere(self, *, mine: bool) -> list[int]:
        return self._kind((cell for cell in range(len(self._symbols)) if cell not in self._fixed), mine=mine)

    def _draw(self, cells: list[int]) -> int:
        """Draw a cell, and take it out; the last one takes its place."""
        at = self._rng.randrange(len(cells))
        cells[at], cells[-1] = cells[-1], cells[at]
        return cells.pop()
