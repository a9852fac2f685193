"""The same, compiled: positions and whole games on flat arrays, with numba. Imports nothing else of the package.

``position`` says of every covered cell whether it is forced, and how risky it is; ``advise`` what the deep player would
open; ``play_games`` plays as ``satsweep.games.game.play`` does with the agents ``sat`` and ``deep``, on the same
layouts and with the same random choices. Forced cells are exactly those of the exact path; risks are floats, sums of
products of non-negative numbers, so what is 0 or 1 is exactly that. Whatever does not fit the limits (``work``) is said
to be beyond them, and the exact path has to answer.

The modules in the order of the flow: ``compiled`` (how kernels are compiled and kept), ``work`` (the memory they
share), ``draws`` (Python's random numbers), ``board`` (what is known, cell by cell), ``parts`` (components),
``listing`` and ``elimination`` (their placements), ``weights`` (all together), ``outlook`` (what opening a cell would
tell), ``promise`` (what it would make safe), ``ahead`` (two plies), ``endgame`` and the modules it is made of (best
play among few worlds), ``worlds`` (all worlds of a position or region), ``endgame_play`` (play by them), ``rooms``
(their memory), ``pairs`` (risks that cannot be avoided), ``features`` (what else candidates are like), ``deep`` (the
strongest player), ``solver`` (a position), ``layouts`` (where the mines are), ``player`` (a game), ``unaided``
(boards that need no guess), ``entries`` (what is compiled apart).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import cache, lru_cache
from math import comb
from pathlib import Path
from threading import RLock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from satsweep.kernels.compiling import kept_in, unswept
from satsweep.kernels.endgame.memory import attach
from satsweep.kernels.endgame.sets import Sets, sets
from satsweep.kernels.entries import (
    ENDGAMES,
    LOOKING_AHEAD,
    compiling_in_background,
    entry_named,
    look_ahead_from,
    workspace,
)
from satsweep.kernels.games.no_guess import repair, search
from satsweep.kernels.games.player import ANY, BEYOND, GIVEN, RESULT, SAFE_FIRST, ZERO, Notes, play_block
from satsweep.kernels.memory import CELLS, COVERED, DEGREE, FINE, IMPOSSIBLE, MINE, WIDE, Depth
from satsweep.kernels.position.solver import assess, begin, consult
from satsweep.kernels.python_random import WORDS, keys

FIRST = {"any": ANY, "safe": SAFE_FIRST, "zero": ZERO, "given": GIVEN}
"""What may be promised about the first cell, by the names of ``satsweep.games.rules.FirstClick``."""
OUTCOMES = ("on", "cleared", "exploded", "played out", "stuck", "beyond", "no room")
"""The outcomes of games by their number: those of ``satsweep.games.record.Outcome``, *beyond* the limits of the
kernels, and *no room* where a layout cannot keep what is promised about the first cell."""

_READY = ("ready", "ready-deep", "ready-unaided")
LEVEL = 2
_LEARNED = Depth(owed=0.5, trust=0.71, slack=0.08, two_safe=0.033, clearer=0.014, corner=0.022, two_steps=-0.04)
"""Parameters learned from 2,000,000 expert games (``docs/lab/second-tastes.md``)."""
DEEP = {
    1: Depth(worlds=0),
    2: _LEARNED._replace(worlds=1_000),
    3: _LEARNED._replace(worlds=3_000),
    4: _LEARNED._replace(worlds=12_000),
}
"""How the deep player plays at each level: cheap, as a rule, better, as well as it can."""
ROOT = 60_000
"""Layouts of a board that is searched from its first cell on."""
NARROW_BOARD = 64
FEW, AT_ONCE = 8, 100_000
"""Candidates that are searched in one go at first, and cells of those, or of changes, in one go at most."""
MOST_WORLDS, MOST_LIVE = 32_768, 512
"""Worlds and undecided cells of endgames that there is room for."""

NeighbourTable = NDArray[np.int32]
"""For every cell the cells that it touches, row by row, -1 where there is no more."""


class Position(NamedTuple):
    """What is known of a position.

    ``status`` is FINE, WIDE (beyond the limits: ask the exact path) or IMPOSSIBLE (no world agrees with it). ``forced``
    has 0 for each covered cell that is safe in every world, 1 for one that is a mine in every world, else -1; ``risks``
    the probability that it is a mine, -1 for cells that are not covered. They mean nothing unless the status is FINE.
    """

    status: int
    forced: NDArray[np.int8]
    risks: NDArray[np.float64]


def neighbour_table(neighbours: Sequence[Sequence[int]]) -> NeighbourTable:
    """The table of a topology, given for every cell the cells that it touches."""
    table = np.full((len(neighbours), max(1, *map(len, neighbours))), -1, np.int32)
    for row, touched in zip(table, neighbours, strict=True):
        row[: len(touched)] = touched
    return table


def position(symbols: NDArray[np.int8], table: NeighbourTable, mines: int) -> Position:
    """What is forced, and how risky all else is: numbers, COVERED and MINE for each cell, and how many mines there are.

    >>> table = neighbour_table([(1, 3, 4), (0, 2, 3, 4, 5), (1, 4, 5), (0, 1, 4), (0, 1, 2, 3, 5), (1, 2, 4)])
    >>> found = position(np.array([-1, -1, -1, 1, 2, 1], np.int8), table, 2)
    >>> found.forced.tolist(), found.risks.tolist()
    ([1, 0, 1, -1, -1, -1], [1.0, 0.0, 1.0, -1.0, -1.0, -1.0])
    """
    forced, risks = np.full(len(symbols), -1, np.int8), np.full(len(symbols), -1.0)
    if not _fits(table):
        return Position(WIDE, forced, risks)
    status = assess(table, _workspace(), np.ascontiguousarray(symbols, np.int8), mines, forced, risks)
    return Position(status, forced, risks)


class Advice(NamedTuple):
    """What the deep player would open, -1 where no cell may be safe or the status is not FINE.

    ``value`` is its chance to win, ``exact`` or about (``satsweep.kernels.lookahead.deep.expect``). If it is not exact,
    ``cells`` are the candidates, and ``scores`` those of them that were looked at, -1 for others, which cannot be
    better; there are none where the cell is in a closed region, which has to be guessed in sooner or later.
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
) -> Advice:
    """What the deep player would open in a position in which nothing is safe for certain.

    ``earlier`` are positions of the same game that it was asked about before, in this order: as soon as few worlds are
    left the rest of a game is one search, and which one of equally good cells is found first depends on where that has
    begun. Positions that do not lead to this one are left out.
    """
    if not _fits(table):
        return Advice(WIDE, -1, 0.0, False, np.zeros(0, np.int32), np.zeros(0))
    seen = np.ascontiguousarray(symbols, np.int8)
    before = [past for past in earlier if len(past) == len(seen) and ((past == COVERED) | (past == seen)).all()]
    with _TURN:
        work = _workspace()
        _set_out(work, table, mines, level)
        asked = [past.tobytes() for past in before]
        known, _going.asked = _going.asked, []
        if known != asked:
            for at, past in enumerate(before):
                consult(table, work, np.ascontiguousarray(past, np.int8), mines, at == 0)
        status = consult(table, work, seen, mines, not before)
        _going.asked = [*asked, seen.tobytes()]
        found = work[0]
        count = 0 if found["exact"] else found["n_tied"]
        cells, scores = found["tied"][:count].copy(), found["score"][:count].copy()
        return Advice(status, int(found["reply"]), float(found["value"]), bool(found["exact"]), cells, scores)


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
    """Play games of a run: for each a row of what is measured on it, its outcome as an index into ``OUTCOMES``.

    ``start`` is the first cell of every game, ``starts`` that of each; without either the player chooses, or under
    ``first="given"`` it is drawn. ``layouts`` has a row of 0 and 1 for each game in place of a layout that is drawn.
    ``moves`` gets the moves of the last game, as far as it has rows: turn, action (0 open, 1 flag), cell, and reason
    (0 start, 1 deduced, 2 guessed); those that are not used are set to -1.

    The policy is that of ``sat``, or *deep* at a level (``DEEP``). On boards with at most ``ROOT`` layouts deep plays
    as well as anybody can. ``estimates`` gets from deep, for each game, the chance to win that it expected at its first
    guess, the first one that it knew exactly, then those expected at all guesses in order, as far as there are columns
    (at most ``NOTED`` guesses); columns that are not used keep what is there, -1 stands for none.
    """
    results = np.zeros(len(games), RESULT)
    if moves is None:
        moves = np.zeros((0, 4), np.int32)
    if not _fits(table):
        results["outcome"] = BEYOND
        return results
    words, lengths = keys([f"{seed}/{game}" for game in games])
    given = np.zeros((0, len(table)), np.int8) if layouts is None else np.ascontiguousarray(layouts, np.int8)
    begins = np.full(len(games), -1 if start is None else start, np.int64)
    if starts is not None:
        begins[:] = starts
    if estimates is None:
        estimates = np.zeros((0, 2))
    notes = Notes(results, moves, estimates)
    if policy not in ("sat", "deep"):
        raise ValueError(f"no policy {policy!r}: sat or deep")
    with _TURN:
        work = _workspace()
        work["level"] = policy == "deep"
        if policy == "deep":
            _set_out(work, table, mines, level)
        _going.asked = []
        played = play_block(table, work, words, lengths, given, begins, mines, FIRST[first], cascade, fatal, notes)
    moves[played:] = -1
    return results


class FoundLayout(NamedTuple):
    """A board that needs no guess: the candidate that it is, or was made of, and its mines.

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
    exact: bool = True,
    changes: int | None = None,
    layouts: NDArray[np.int8] | None = None,
    between: Callable[[], None] = lambda: None,
) -> FoundLayout:
    """The first of some candidates, the layouts of a run's games, that needs no guess from a start.

    With ``zero`` no mine is around the start, else just none in it. ``exact``: with all that is forced, or just with
    what single numbers say. With ``changes`` each candidate is mended, by trying at most so many. ``layouts`` has a row
    of 0 and 1 for each candidate in place of a layout that is drawn. ``between`` is called every now and then.
    """
    layout, state = np.zeros(len(table), np.int8), np.zeros(WORDS + 1, np.uint32)
    if not _fits(table):
        return FoundLayout(candidates.start, "beyond", layout)
    given = np.zeros((0, len(table)), np.int8) if layouts is None else np.ascontiguousarray(layouts, np.int8)
    most = max(1, AT_ONCE // len(table))
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
                place, outcome = search(table, work, words, lengths, own, mines, start, zero, exact, layout)
            else:
                steps, place = min(most, changes - tried), 0
                outcome, more = repair(
                    table, work, words[0], lengths[0], mines, start, zero, exact, tried, steps, state, layout
                )
                tried += more
        if OUTCOMES[outcome] != "stuck":
            return FoundLayout(at + place, OUTCOMES[outcome], layout, tried)
        if changes is None or more < steps or tried == changes:
            at, size, tried = some.stop, min(2 * size, most), 0
    return FoundLayout(candidates.stop, "stuck", layout)


def is_ready(*, deep: bool = False, unaided: bool = False) -> bool:
    """Whether everything was compiled before, and is kept; without what only the deep player needs, or with it.

    Or what boards that need no guess take (``unaided``), and nothing else.
    """
    kept = kept_in()
    return bool(kept) and (Path(kept) / _READY[2 if unaided else deep]).exists()


@cache
@unswept()
def prepare(*, deep: bool = False, unaided: bool = False) -> None:
    """Load all kernels, or compile them where they are not kept yet: about half a minute.

    What takes longest of what only the deep player needs is compiled by a second process at the same time. What finds
    boards that need no guess (``unaided``) is a part of its own: games do not need it, nor does it need games.
    """
    kept = kept_in()
    table = neighbour_table([(1,), (0,)])
    if unaided:
        for changes in (None, 1):
            find_no_guess(table, 1, "0", range(1), 0, changes=changes)
        if kept:
            (Path(kept) / _READY[2]).touch()
        return
    with compiling_in_background(ENDGAMES) if deep and kept and not is_ready(deep=True) else nullcontext():
        position(np.array([COVERED, 1], np.int8), table, 1)
        play_games(table, 1, "0", range(1))
        if deep:
            for name in LOOKING_AHEAD:
                if name not in ENDGAMES:
                    entry_named(name)
    if deep:
        advise(np.array([COVERED, COVERED], np.int8), table, 1)
    if kept:
        for ready in _READY[: 1 + deep]:
            (Path(kept) / ready).touch()


class _WorkspaceState:
    """What the memory is at: how deep plays, on which board, and the positions of a game that it was asked about."""

    depth: Depth | None = None
    board: tuple[bytes, int, int, float] | None = None
    asked: list[bytes] = []
    room: Sets


_going = _WorkspaceState()
_TURN = RLock()
"""Threads take turns. What is a single call of compiled code is one turn by itself: it keeps the interpreter's lock."""


def _set_out(work: NDArray[np.void], table: NeighbourTable, mines: int, level: int | Depth) -> None:
    """Say how deep is to play, and lend room for endgames; unless that is how the memory stands.

    What was found out about a board with few layouts is kept as long as nobody asks about another one.
    """
    look_ahead_from(work)
    depth = level if isinstance(level, Depth) else DEEP[level]
    if _going.depth != depth:
        _going.depth, _going.asked = depth, []
        work["param"][0] = depth
    cells = len(table)
    board = table.tobytes(), cells, mines, depth.nodes
    if _going.board == board:
        return
    _going.board, _going.asked = None, []
    layouts = comb(cells, mines) if mines <= cells <= NARROW_BOARD else ROOT + 1
    work["root"] = int(layouts <= ROOT)
    _going.room = _room(layouts, cells) if layouts <= ROOT else _room(MOST_WORLDS, MOST_LIVE)
    attach(work, _going.room)
    begin(table, work, mines)
    _going.board = board


@lru_cache(2)
def _room(worlds: int, cells: int) -> Sets:
    return sets(worlds, cells, scopes=2 * cells, slots=1 << (worlds.bit_length() + 4))


def _fits(table: NeighbourTable) -> bool:
    cells, degree = table.shape
    return cells <= CELLS and degree <= DEGREE


def _workspace() -> NDArray[np.void]:
    """The memory of this process."""
    with _TURN:
        return _memory()


_memory = cache(workspace)


__all__ = [
    "CELLS",
    "COVERED",
    "DEEP",
    "DEGREE",
    "FINE",
    "FIRST",
    "IMPOSSIBLE",
    "MINE",
    "OUTCOMES",
    "RESULT",
    "WIDE",
    "Advice",
    "Depth",
    "FoundLayout",
    "Position",
    "advise",
    "find_unaided",
    "is_ready",
    "neighbour_table",
    "play_games",
    "position",
    "prepare",
]
