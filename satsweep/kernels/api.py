"""Entry points for Python: positions, advice, games, boards without a guess.

``positions`` finds risks as floats, of many boards at once; ``advise`` finds the guess of the deep player;
``play_games`` plays as ``satsweep.games.game.play`` does with the agents ``sat`` and ``deep``, on the same layouts and
with the same random choices; ``find_no_guess`` finds boards as the generator does.
Floats are sums of products of non-negative numbers, so a risk that is 0 or 1 is exactly that. A board beyond the limits
gets a status that says so, and the exact path has to answer.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import comb
from threading import RLock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satsweep.forks import after_fork
from satsweep.kernels.counting import memory
from satsweep.kernels.endgame.play import ROOT
from satsweep.kernels.endgame.sets import Sets, attach
from satsweep.kernels.games import steps
from satsweep.kernels.games.no_guess import (
    ALL as ALL,
    PAIRS as PAIRS,
    SHOWN as SHOWN,
    SILENT as SILENT,
    SINGLE as SINGLE,
    search,
)
from satsweep.kernels.games.player import (
    ANY,
    BEYOND,
    GIVEN,
    OUTCOMES as OUTCOMES,
    RESULT,
    SAFE_FIRST,
    ZERO_FIRST,
    play_block,
)
from satsweep.kernels.games.python_random import WORDS, keys, seed as seed_state
from satsweep.kernels.games.repair import SWAPS, repair
from satsweep.kernels.games.steps import Batch as Batch, new_batch as new_batch
from satsweep.kernels.lookahead import deep_player
from satsweep.kernels.lookahead.deep_player import DEEP as DEEP, ROLLING as ROLLING, begin, consult
from satsweep.kernels.lookahead.rollouts import FORCED, draw_worlds, roll_out_cells
from satsweep.kernels.position.solver import assess
from satsweep.kernels.record import Workspace
from satsweep.kernels.shared.memory import CELLS, COVERED, DEGREE, FINE as FINE, LEVEL as LEVEL, WIDE, Depth as Depth
from satsweep.kernels.toolchain.calls import Buffer, table as table_of

FIRST = {"any": ANY, "safe": SAFE_FIRST, "zero": ZERO_FIRST, "given": GIVEN}
"""Codes of promises about the first cell, by the names of ``FirstClick``."""
FEW, AT_ONCE = 8, 100_000
"""Candidates of the first call to a kernel; most cells of all candidates of one."""
NeighbourTable = Buffer | NDArray[np.int32]
"""Neighbours of every cell, a row for each (shape cells x degree), padded with -1.

Each leads back, once: else positions are WIDE, games beyond, and a batch is a ValueError.
"""


def neighbour_table(neighbours: Sequence[Sequence[int]]) -> NDArray[np.int32]:
    return np.asarray(table_of(neighbours))


def positions(
    symbols: NDArray[np.int8], table: NeighbourTable, mines: Sequence[int]
) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """Status and risks of many positions of one shape.

    ``symbols`` has a row for each: a number, COVERED, MINE, or SAFE (open without a number) for each cell; ``mines``
    has the mine totals. A status is FINE, WIDE (beyond the limits: ask the exact path) or IMPOSSIBLE (no world agrees).
    A risk is exactly 0 or 1 where that is forced, NaN where a cell is not covered, and means nothing unless the status
    is FINE.

    >>> table = neighbour_table([(1, 3, 4), (0, 2, 3, 4, 5), (1, 4, 5), (0, 1, 4), (0, 1, 2, 3, 5), (1, 2, 4)])
    >>> positions(np.array([[-1, -1, -1, 1, 2, 1]], np.int8), table, [2])[1].tolist()
    [[1.0, 0.0, 1.0, nan, nan, nan]]
    """
    status, risks = np.full(len(symbols), WIDE, np.int8), np.empty(symbols.shape)
    if _fits(table):
        totals = np.array(mines, np.int64)
        assess(table, memory.record, symbols, totals, risks, status)
    return status, risks


class DeepGuess(NamedTuple):
    """Guess of the deep player.

    ``cell`` is -1 if no cell can be safe or the status is not FINE. ``value`` is its chance to win, ``exact`` or
    about: that of roll-outs, or an estimate learned from games. If it is not exact, ``cells`` are the candidates, and
    ``scores`` those of them that were looked at, -1 for others, which cannot be better.
    """

    status: int
    cell: int
    value: float
    exact: bool
    cells: NDArray[np.int32]
    scores: NDArray[np.float64]


def advise(
    symbols: NDArray[np.int8],
    table: NeighbourTable,
    mines: int,
    level: int | Depth = LEVEL,
    earlier: Sequence[NDArray[np.int8]] = (),
) -> DeepGuess:
    """Guess of the deep player in a position without a safe cell.

    ``earlier`` are its earlier positions in the same game, in order. Once few worlds are left, the rest of a game is
    one search, and its start decides which of equally good cells comes first. Positions that do not lead to this one
    are left out.
    """
    if not _fits(table):
        return DeepGuess(WIDE, -1, 0.0, False, np.zeros(0, np.int32), np.zeros(0))
    before = [past for past in earlier if len(past) == len(symbols) and ((past == COVERED) | (past == symbols)).all()]
    with _TURN:
        work = _workspace()
        _set_out(work, table, mines, level)
        asked = [past.tobytes() for past in before]
        known, _going.asked = _going.asked, []
        if known != asked:
            for at, past in enumerate(before):
                consult(table, work, past, mines, at == 0)
        status = consult(table, work, symbols, mines, not before)
        _going.asked = [*asked, symbols.tobytes()]
        found = work.fields
        count = 0 if found["exact"] else found["n_tied"]
        cells, scores = found["tied"][:count].copy(), found["score"][:count].copy()
        return DeepGuess(status, int(found["reply"]), float(found["value"]), bool(found["exact"]), cells, scores)


def play_games(
    table: NeighbourTable,
    mines: int,
    seed: str,
    games: range,
    *,
    first: str = "safe",
    start: int | None = None,
    cascade: bool = True,
    fatal: bool = True,
    layouts: NDArray[np.int8] | None = None,
    starts: Sequence[int] | None = None,
    moves: NDArray[np.int32] | None = None,
    policy: str = "sat",
    level: int | Depth = LEVEL,
    estimates: NDArray[np.float64] | None = None,
) -> NDArray[np.void]:
    """Play games of a run; return a row of measures for each (dtype ``RESULT``).

    The outcome is an index into ``OUTCOMES``. ``start`` is the first cell of every game, ``starts`` that of
    each; without either the player chooses, or under ``first="given"`` it is drawn. ``layouts`` has a row of 0 and 1
    for each game in place of a layout that is drawn. ``moves`` gets the moves of the last game, as far as it has rows:
    turn, action (0 open, 1 flag), cell, and reason (0 start, 1 deduced, 2 guessed); those that are not used are set to
    -1.

    The policy is that of ``sat``, or *deep* at a level (``DEEP``). On boards with at most ``ROOT`` layouts deep plays
    optimally. ``estimates`` gets from deep, for each game, the first chance to win that it knew exactly, -1 for
    none; the luck that it had at its guesses before that; then the chances to win that it expected at all guesses in
    order, as far as there are columns (at most ``NOTED`` guesses); other columns keep what is there. Luck is nothing on
    average: with p the chance to win that a guess promises, and s its safety, it is p / s - p if the cell was safe,
    else -p. A game's exact chance to win (or 1 or 0 for its end), less its luck, has the mean of the games won, with a
    third of the variance.
    """
    results = np.zeros(len(games), RESULT)
    if moves is None:
        moves = np.zeros((0, 4), np.int32)
    if not _fits(table):
        results["outcome"] = BEYOND
        return results
    words, lengths = keys([f"{seed}/{game}" for game in games])
    given = np.zeros((0, table.shape[0]), np.int8) if layouts is None else layouts
    begins = np.full(len(games), -1 if start is None else start, np.int64)
    if starts is not None:
        begins[:] = starts
    if estimates is None:
        estimates = np.zeros((0, 2))
    if policy not in ("sat", "deep"):
        raise ValueError(f"no policy {policy!r}: sat or deep")
    with _TURN:
        work = _workspace()
        work.fields["level"] = policy == "deep"
        if policy == "deep":
            _set_out(work, table, mines, level)
        _going.asked = []
        played = play_block(
            table, work, words, lengths, given, begins, mines, FIRST[first], cascade, fatal, results, moves, estimates
        )
    moves[played:] = -1
    return results


def deal_games(
    batch: Batch,
    table: NeighbourTable,
    mines: int,
    rows: Sequence[int],
    seeds: Sequence[str],
    *,
    first: str = "safe",
    start: int | None = None,
    cascade: bool = True,
    layouts: NDArray[np.int8] | None = None,
) -> None:
    """Begin new games in some rows of a batch, each from its seed.

    The board fits the kernels, and has room for what is promised; no row comes twice. ``layouts`` has a row of 0 and 1
    for each game in place of a layout that is drawn; ``start`` is opened at once.
    """
    if len(set(rows)) < len(rows):
        raise ValueError("expected each row of the batch once, found one twice")
    words, lengths = keys(seeds)
    given = np.zeros((0, table.shape[0]), np.int8) if layouts is None else layouts
    begin = -1 if start is None else start
    which = np.array(rows, np.int32)
    asked = batch, which, words, lengths, given, mines, FIRST[first], begin, cascade
    _refuse(steps.deal_games(table, memory.record, *asked))


def step_games(
    batch: Batch, table: NeighbourTable, actions: NDArray[np.int64], *, first: str = "safe", cascade: bool = True
) -> None:
    """Open a cell in each game of a batch; an action below 0 opens none."""
    _refuse(steps.step_games(table, memory.record, batch, actions, FIRST[first], cascade))


def change_worlds(batch: Batch, table: NeighbourTable, rows: Sequence[int], worlds: NDArray[np.int8]) -> None:
    """Put other mines into some games of a batch."""
    batch.mine[rows] = worlds
    _refuse(steps.renumber_games(table, memory.record, batch, np.array(rows, np.int32)))


def _refuse(no_graph: int) -> None:
    if no_graph:
        raise ValueError("expected neighbours that lead back, each once")


def rate_actions(
    symbols: NDArray[np.int8], table: NeighbourTable, mines: int, actions: NDArray[np.int64]
) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """Status of positions, the risk of opening a cell in each, and the least risk.

    The risks have shape (positions, 2). An action below 0 is none: its status is FINE, its risks are 0.
    """
    status, risks = np.full(len(symbols), FINE, np.int8), np.zeros((len(symbols), 2))
    steps.rate_actions(table, memory.record, symbols, actions, mines, risks, status)
    return status, risks


class FoundLayout(NamedTuple):
    """A board that needs no guess: its candidate and its mines, 0 or 1 for each cell.

    ``outcome`` is *cleared*; *stuck* if no candidate will do; *beyond* if this one is too much for the kernels; *no
    room* if none can keep what is promised about the first cell. ``changes`` are those that were tried to mend it.
    """

    candidate: int
    outcome: str
    mines: NDArray[np.int8]
    changes: int = 0


def find_no_guess(
    table: NeighbourTable,
    mines: int,
    seed: str,
    candidates: range,
    start: int,
    *,
    zero: bool = True,
    technique: int = ALL,
    changes: int | None = None,
    layouts: NDArray[np.int8] | None = None,
    between: Callable[[], None] = lambda: None,
) -> FoundLayout:
    """The first candidate of a run that needs no guess from a start.

    Candidate i is the layout of game i of the run ``seed``. With ``zero`` no mine is around the start, else just
    none in it. ``technique`` is SINGLE (numbers), PAIRS (of numbers, too) or ALL that is forced. With ``changes`` each
    candidate is repaired, by that many changes at most. ``layouts`` has a row of 0 and 1 for each candidate in place of
    a layout that is drawn. ``between`` is called between calls to kernels.
    """
    layout, state = np.zeros(table.shape[0], np.int8), np.zeros(WORDS + 1, np.uint32)
    whole = np.zeros((0, table.shape[0]), np.int8)
    if not _fits(table):
        return FoundLayout(candidates.start, "beyond", layout)
    given = whole if layouts is None else layouts
    most = max(1, AT_ONCE // table.shape[0])
    at, size, tried = candidates.start, min(FEW, most), 0
    while at < candidates.stop:
        between()
        some = range(at, min(at + size, candidates.stop) if changes is None else at + 1)
        words, lengths = keys([f"{seed}/{candidate}" for candidate in some])
        with _TURN:
            work = _workspace()
            _going.asked = []
            if changes is None:
                own = given[at - candidates.start :][: len(some)]
                place, outcome = search(table, work, words, lengths, own, mines, start, zero, technique, layout)
            else:
                steps, place = min(most, changes - tried), 0
                outcome, more = repair(
                    table, work, words[0], lengths[0], mines, start, zero, technique, tried, steps, state, layout, whole
                )
                tried += more
        if OUTCOMES[outcome] != "stuck":
            return FoundLayout(at + place, OUTCOMES[outcome], layout, tried)
        if changes is None or more < steps or tried == changes:
            at, size, tried = some.stop, min(2 * size, most), 0
    return FoundLayout(candidates.stop, "stuck", layout)


def repair_tile(
    table: NeighbourTable,
    layout: NDArray[np.int8],
    roles: NDArray[np.int8],
    start: int,
    changes: int,
    seed: str,
    *,
    zero: bool = True,
    technique: int = ALL,
    between: Callable[[], None] = lambda: None,
) -> tuple[str, int]:
    """Repair the mines of a tile in place, by exchanges.

    Returns the outcome (*cleared*, *stuck*, or *beyond*) and the number of changes.
    ``roles`` says which cells are shown or silent (``satsweep.kernels.games.no_guess``); ``start`` is -1 if another
    tile has it.
    """
    state, tried, most = np.zeros(WORDS + 1, np.uint32), 0, max(1, AT_ONCE // table.shape[0])
    words, lengths = keys([seed])
    seed_state(state, words[0], lengths[0])
    mines = int(layout.sum())
    while True:
        between()
        steps, done = min(most, changes - tried), SWAPS + tried
        with _TURN:
            _going.asked = []
            outcome, more = repair(
                *(table, _workspace(), words[0], lengths[0], mines, start, zero, technique),
                *(done, steps, state, layout, roles[None]),
            )
        tried += more
        if OUTCOMES[outcome] != "stuck" or more < steps or tried == changes:
            return OUTCOMES[outcome], tried


class _WorkspaceState:
    """State of the workspace: settings, board and history of the deep player."""

    depth: Depth | None = None
    board: tuple[bytes, int, int, float] | None = None
    asked: list[bytes] = []
    room: Sets
    described: NDArray[np.int64]
    inner: NDArray[np.int64]


_going = _WorkspaceState()
_TURN = RLock()
"""Lock of the workspace: a call of compiled code lets other threads run."""


def _set_out(work: Workspace, table: NeighbourTable, mines: int, level: int | Depth) -> None:
    """Set the deep player's parameters and its room for endgames.

    The search of a board with few layouts is kept until another board comes.
    """
    depth = level if isinstance(level, Depth) else DEEP[level]
    if _going.depth != depth:
        _going.depth, _going.asked = depth, []
        work.fields["param"] = depth
    cells = table.shape[0]
    board = table.tobytes(), cells, mines, depth.nodes
    if _going.board == board:
        return
    _going.board, _going.asked = None, []
    layouts = comb(cells, mines) if mines <= cells <= deep_player.NARROW_BOARD else ROOT + 1
    work.fields["root"] = int(layouts <= ROOT)
    _going.room = _room(layouts, cells) if layouts <= ROOT else _room(deep_player.MOST_WORLDS, deep_player.MOST_LIVE)
    _going.described = attach(work.fields, _going.room)
    inner = _inner()
    work.fields["inner"] = inner.address
    _going.inner = attach(inner.fields, _room(deep_player.INNER_WORLDS, deep_player.MOST_LIVE))
    begin(table, work, mines)
    _going.board = board


@cache
def _inner() -> Workspace:
    """The record in which roll-outs are played."""
    inner = Workspace()
    inner.fields["param"] = ROLLING
    return inner


def roll_out(
    symbols: NDArray[np.int8],
    table: NeighbourTable,
    mines: int,
    cells: Sequence[int],
    worlds: int,
    player: Depth = ROLLING,
    salt: int = 1,
) -> NDArray[np.float64]:
    """Chances to win after opening some cells: a row for each world that is drawn.

    A player without roll-outs plays on; luck is taken away (``satsweep.kernels.lookahead.rollouts``), so the mean of a
    column is the chance to win. All forced cells of the position are known; one that is asked for is a ValueError. A
    value is -1 where the limits of the kernels are exceeded. The worlds depend on the position and on ``salt``.
    """
    values = np.full((worlds, len(cells)), -1.0)
    with _TURN:
        work = _workspace()
        _set_out(work, table, mines, LEVEL)
        _going.asked = []
        _inner().fields["param"] = player
        try:
            status = roll_out_cells(table, work, symbols, mines, np.array(cells, np.int32), salt, values)
        finally:
            _inner().fields["param"] = ROLLING
    if status == FORCED:
        raise ValueError("expected cells that may be safe and may be mines, found one that is forced")
    return values


def sample_worlds(
    symbols: NDArray[np.int8], table: NeighbourTable, mines: int, count: int, salt: int = 1
) -> NDArray[np.int8] | None:
    """Worlds of a position, each drawn uniformly among all.

    A row for each, 1 for a mine, shape (count, cells), int8; None where the limits of the kernels are exceeded or no
    world agrees with the position. The worlds depend on the position and on ``salt``.
    """
    worlds = np.zeros((count, len(symbols)), np.int8)
    with _TURN:
        work = _workspace()
        _set_out(work, table, mines, LEVEL)
        _going.asked = []
        status = draw_worlds(table, work, symbols, mines, salt, worlds)
    return worlds if status == FINE else None


_room = lru_cache(3)(deep_player.room_for)


def _begin_anew() -> None:
    """Leave the lock and the workspace to the parent, in a copy of this process."""
    global _TURN, _going
    _TURN, _going = RLock(), _WorkspaceState()
    for kept in (_workspace, _inner, _room):
        kept.cache_clear()


after_fork(_begin_anew)


def _fits(table: NeighbourTable) -> bool:
    cells, degree = table.shape
    return cells <= CELLS and degree <= DEGREE


@cache
def _workspace() -> Workspace:
    """The workspace of this process."""
    return Workspace()
