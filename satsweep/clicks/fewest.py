"""The fewest clicks that clear a layout, with bounds that meet when time allows.

A sweep over the chords finds them on boards that are narrow enough. On others it gives up, and long before that a
core-guided search takes turns with it, which raises the lower bound, and sometimes finds a choice by the way. Beside it
a *large neighbourhood search* (Shaw 1998) makes the best choice better: all clicks but those in a window are kept,
and the same core-guided search finds the best ones there.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from typing import NamedTuple

from satsweep.arguments import check_number, short_repr
from satsweep.board import COVERED, FLAG, MINE, NUMBER_OF, Board, BoardLike, Cell, refuse_part
from satsweep.clicks.closing import Closing
from satsweep.clicks.model import ClickModel, Selection, Set
from satsweep.clicks.path import Click, ClickKind, ordered, played
from satsweep.clicks.search import CALL, Core, CoreSearch, Steps, closest
from satsweep.clicks.sweep import SLICE, ChordSweep
from satsweep.errors import BoardError
from satsweep.games.record import Record
from satsweep.layout import Layout, LayoutLike
from satsweep.text import check_start

SECONDS = 60.0
"""Time limit, unless another one is given."""
SWEPT = 2_000_000
"""States of a sweep before the search for cores takes turns with it."""
WORTH = 40
"""States that take as long as a conflict of the solver."""
ALONE = 2_000
"""Effort after which the best selection is improved beside the search for cores."""
STUCK, RARELY = 50_000, 0.1
"""Effort of vain improvements before they become rare, and their share then."""
CLOSE, LESS = 1, 3
"""Clicks between the bounds when the last click is asked for, too.

The search for cores then has ``LESS`` times the effort of that question.
"""
WINDOW = 60, 200
"""Cells of a window at first, and at most."""
PATIENCE = 1_000
"""Effort of the search in a window."""


@dataclass(frozen=True, slots=True)
class FoundCores:
    """Cores of a search, and sets to enter from which they follow (``CoreSearch``)."""

    model: ClickModel
    sets: tuple[Set, ...]
    cores: tuple[Core, ...]


@dataclass(frozen=True, slots=True)
class FewestClicks:
    """Clicks that clear a layout, and how many are needed.

    ``path`` has the clicks in order, of which the first ``given`` were asked for; ``lower`` are needed in any order.
    ``bv`` is the number of digs that clear the same without chords: 3BV at the start of a game. ``before`` are clicks
    that lead to the position where the path begins. ``cores`` prove the lower bound; they are None if a sweep does.
    ``swept`` is the share of the chords that a sweep in progress has decided. ``seconds``, ``cores`` and ``swept`` take
    no part in comparisons.
    """

    layout: Layout
    path: tuple[Click, ...]
    lower: int
    bv: int
    given: int = 0
    before: tuple[Click, ...] = ()
    seconds: float = field(default=0.0, compare=False)
    cores: FoundCores | None = field(default=None, compare=False, repr=False)
    swept: float = field(default=0.0, compare=False, repr=False)

    @property
    def upper(self) -> int:
        """Clicks of the path."""
        return len(self.path)

    @property
    def proved(self) -> bool:
        """True if no fewer clicks clear the layout."""
        return self.lower == self.upper

    @property
    def efficiency(self) -> Fraction | None:
        """3BV over the clicks of the path; None if there is nothing to open."""
        return Fraction(self.bv, self.upper) if self.path else None

    @property
    def counts(self) -> dict[ClickKind, int]:
        """Clicks of the path by their kind."""
        found = Counter(click.kind for click in self.path)
        return {kind: found[kind] for kind in ClickKind}

    def record(self) -> Record:
        """The game that the path plays, after the clicks before it.

        Raises BoardError if there is nothing to click.
        """
        return played(self.layout, self.path, self.before).record("fewest clicks")


def fewest_clicks(
    layout: LayoutLike,
    start: tuple[int, int] | Iterable[tuple[int, int]] | None = None,
    flags: bool = True,
    seconds: float = SECONDS,
    *,
    board: BoardLike | None = None,
) -> FewestClicks:
    """Find the fewest clicks that clear a layout.

    A click digs a cell, sets a flag, or chords a number with all its mines flagged. ``start`` are cells that are dug
    first, one or several; by default the start of the layout, if it has one, and () for none. Without ``flags`` none
    are set, and the answer is 3BV. ``board`` is a game in play on the layout: the answer is for what is left of it. The
    search ends after about ``seconds``, and the bounds then may not meet.

    Raises BoardError for a start that is a mine or open, and for a board that is no position of the layout.

    >>> found = fewest_clicks(("....", ".*..", "...."))
    >>> found.bv, found.lower, found.upper, found.proved
    (6, 4, 4, True)
    >>> print(*found.path, sep=", ")
    dig 0,3, dig 1,0, flag 1,1, chord 1,0
    """
    return deque(bounds(layout, start, flags, seconds, board=board), maxlen=1)[0]


def bounds(
    layout: LayoutLike,
    start: tuple[int, int] | Iterable[tuple[int, int]] | None = None,
    flags: bool = True,
    seconds: float = SECONDS,
    *,
    board: BoardLike | None = None,
    cores: bool = False,
) -> Iterator[FewestClicks]:
    """Yield bounds on the fewest clicks as they become better.

    Arguments are those of ``fewest_clicks``. The first value takes no search. The same value comes again while the
    search goes on, and the last one has the time that it took. With ``cores`` all lower bounds are those of cores, of
    which ``certify_clicks`` makes a proof.
    """
    began = time.monotonic()
    check_number(seconds, "seconds")
    if not seconds >= 0:
        raise ValueError(f"expected seconds of at least 0, found {seconds}")
    layout = Layout.of(layout)
    before, unflags, model = _position(layout, board, flags)
    bv = model.bv
    first = [*unflags]
    for cell in _start_cells(layout, start):
        model = _dug(layout, model, cell, flags)
        first.append(Click(ClickKind.DIG, cell))

    def now(known: _Bounds) -> FewestClicks:
        rest = (Click(kind, layout.cell(cell)) for kind, cell in ordered(model, known.best))
        path, lower = (*first, *rest), len(first) + known.lower
        return FewestClicks(layout, path, lower, bv, len(first), before, time.monotonic() - began, known.cores)

    latest: _Bounds | None = None
    with closing(_bounds(model, layout.cols, cores)) as all_bounds:
        for known in all_bounds:
            if latest is None or known[:3] != latest[:3]:
                latest, found = known, now(known)
            yield replace(found, swept=known.swept) if known.swept else found
            if found.proved or time.monotonic() - began >= seconds:
                break
    if model.chords:
        yield replace(found, seconds=time.monotonic() - began)


class _Bounds(NamedTuple):
    """Best choice so far, a lower bound on its clicks, and cores that prove the bound.

    ``swept`` is the share of the chords that a sweep has decided.
    """

    best: Selection
    lower: int
    cores: FoundCores | None
    swept: float = 0.0


def _bounds(model: ClickModel, cols: int, cores: bool) -> Generator[_Bounds, None, None]:
    """Yield bounds after each slice of a search, until they meet.

    The same bounds come again while they do not change.
    """
    digs = model.completed(())
    if not model.chords:
        yield _Bounds(digs, model.bv, _of_digs(model))
        return
    known = _Bounds(digs, 0, FoundCores(model, (), ()) if cores else None)
    yield known
    sweep = ChordSweep(model, cols)
    while not sweep.is_over and sweep.made < SWEPT:
        sweep.advance()
        yield known._replace(swept=sweep.share)
    if sweep.best is not None and not cores:
        yield _Bounds(sweep.best, model.cost(sweep.best), None)
        return
    search, turn = CoreSearch(model), 0
    if sweep.best is not None:
        search.offer(sweep.best)
    with closing(search), closing(_steps(search)) as steps:
        while not search.is_proved:
            if turn <= 0 or sweep.is_over:
                turn += WORTH * next(steps)
            else:
                sweep.advance()
                turn -= SLICE
                if sweep.best is not None and not cores:
                    yield _Bounds(sweep.best, model.cost(sweep.best), None)
                    return
                search.offer(sweep.best or search.best)
            if (search.upper, search.lower) != (model.cost(known.best), known.lower):
                own = FoundCores(model, tuple(search.sets), tuple(search.all_cores()[: search.upper]))
                known = _Bounds(search.best, len(own.cores), own)
            yield known._replace(swept=sweep.share)


def _of_digs(model: ClickModel) -> FoundCores:
    """Cores of a model without chords: each node on no border takes a dig."""
    digs = sorted(model.diggable)
    return FoundCores(
        model, tuple(frozenset((node,)) for node in digs), tuple((number,) for number in range(1, len(digs) + 1))
    )


def _position(
    layout: Layout, given: BoardLike | None, flags: bool
) -> tuple[tuple[Click, ...], list[Click], ClickModel]:
    """Clicks that lead to a board, wrong flags to remove, and the model of the rest."""
    table = layout.topology.neighbours(layout.rows, layout.cols)
    mines = {index for index, symbol in enumerate(layout.symbols) if symbol == MINE}
    if given is None:
        return (), [], ClickModel.of(table, mines, flags=flags)
    board = Board.of(given)
    _check_position(layout, board, table)
    marks = [cell for cell in board if board[cell] == FLAG]
    opened = [cell for cell in board if board[cell] in NUMBER_OF]
    before = (*(Click(ClickKind.FLAG, cell) for cell in marks), *(Click(ClickKind.DIG, cell) for cell in opened))
    wrong = [Click(ClickKind.UNFLAG, cell) for cell in marks if not layout.is_mine(cell)]
    right = {layout.index(cell) for cell in marks if layout.is_mine(cell)}
    return before, wrong, ClickModel.of(table, mines, set(map(layout.index, opened)), right, flags=flags)


def _check_position(layout: Layout, board: Board, table: tuple[tuple[int, ...], ...]) -> None:
    """Raise BoardError unless a board is a position of a game on a layout."""
    if (board.rows, board.cols, board.topology) != (layout.rows, layout.cols, layout.topology):
        raise BoardError(
            f"expected a board of {layout.rows}x{layout.cols}, {layout.topology}, as the layout", at="board"
        )
    refuse_part(board)
    if board.mines is not None and board.mines != layout.mines:
        raise BoardError(f"expected the {layout.mines} mines of the layout, found {board.mines}", at="mines")
    for cell in board:
        symbol = board[cell]
        if symbol in (COVERED, FLAG):
            continue
        if NUMBER_OF.get(symbol) != layout.number(cell):
            shows = "a mine" if layout.is_mine(cell) else layout.number(cell)
            raise BoardError(f"expected a position of the layout, which has {shows} here, found {symbol}", at=cell)
        beside = map(layout.cell, table[layout.index(cell)])
        if not layout.number(cell) and any(board[other] == COVERED for other in beside):
            raise BoardError("expected open or flagged cells around an open cell without mines around", at=cell)


def model_after(layout: Layout, digs: Iterable[Cell]) -> ClickModel:
    """The model of what is left of a layout after some digs."""
    _, _, model = _position(layout, None, True)
    for cell in digs:
        model = _dug(layout, model, cell, True)
    return model


def _start_cells(layout: Layout, start: tuple[int, int] | Iterable[tuple[int, int]] | None) -> list[Cell]:
    if start is None:
        return [] if layout.start is None else [layout.start]
    if not isinstance(start, Iterable):
        raise TypeError(f"expected a cell as (row, column), or several, found {short_repr(start)}")
    given = list(start)
    return [Cell.of(cell) for cell in ([given] if given and not isinstance(given[0], Iterable) else given)]


def _dug(layout: Layout, model: ClickModel, cell: Cell, flags: bool) -> ClickModel:
    """The model after a dig. Raises BoardError if the cell cannot be dug."""
    check_start(cell, layout.rows, layout.cols)
    node = model.node_of.get(layout.index(cell))
    if node is None:
        found = "a mine" if layout.is_mine(cell) else "an open cell"
        raise BoardError(f"expected a start on a covered safe cell, found {found} at {cell}", at="start")
    opened = {cell for one in (node, *model.spills[node]) for cell in model.nodes[one]}
    return ClickModel.of(model.neighbours, model.mines, model.open | opened, model.flagged, flags=flags)


def _steps(search: CoreSearch) -> Steps:
    """Raise the lower bound and improve the best selection in turn, in slices.

    Each gets half of the effort, but for improvements that have brought nothing for as long as the others took. Once
    the bounds are close, the lower one is raised in two ways in turn. Nothing here depends on the clock, so the same
    layout gives the same path.
    """
    raising, improving = search.steps(), improvements(search)
    raised = began = decided = improved = last = 0
    with ExitStack() as stack:
        deciding: Steps | None = None
        while True:
            upper = search.upper
            share = 1.0 if improved < STUCK + 2 * last else RARELY
            if raised + decided > ALONE and improved < share * (raised + decided - ALONE):
                effort = next(improving)
                improved += effort
                last = improved if search.upper < upper else last
            else:
                if deciding is None and raised > ALONE and upper - search.lower <= CLOSE:
                    deciding = stack.enter_context(closing(Closing(search))).steps()
                    began = raised
                if deciding and LESS * decided < raised - began:
                    effort = next(deciding, CALL)
                    decided += effort
                else:
                    effort = next(raising, CALL)
                    raised += effort
            yield effort


def improvements(search: CoreSearch, rng: Random | None = None) -> Steps:
    """Make the best choice of a search better, without end, a slice after the other."""
    model, rng = search.model, rng or Random(0)
    for place in range(len(model.chords)):
        search.offer(model.completed(search.best.chords | {place}, search.best.digs))
        yield CALL
    size = WINDOW[0]
    while True:
        window = closest(model.neighbours, rng.choice(model.chords).cell, size)
        true = search.variables.true(search.best)
        fixed = {number: number in true for number, cell in search.variables.cells.items() if cell not in window}
        inner = CoreSearch(model, search, fixed)
        try:
            left = PATIENCE
            for effort in inner.region_steps(frozenset(range(len(model.neighbours)))):
                yield effort
                left -= effort
                if left <= 0:
                    break
            size = max(WINDOW[0] // 2, size - 5) if left <= 0 else min(WINDOW[1], size + 4)
            if inner.upper == search.upper:
                search.best = inner.best  # as good, and another window may make it better
            search.offer(inner.best)
        finally:
            inner.close()
