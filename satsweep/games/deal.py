"""Random layouts from seeds, the standard levels, and the book of openings.

``openings.json`` has the best first cell of a board, and how well it does. ``benchmarks/openings.py`` writes it from
boards that are solved exactly and from large runs of ``deep:2`` that compare first cells, one of each symmetry class.
It has second cells beside, for reading.
"""

import json
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any, NamedTuple

from satsweep.arguments import check_seed, check_whole, did_you_mean, integer, short_repr
from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.games.rules import FIND_MINES_RULES, STANDARD_RULES, FirstClick, Rules
from satsweep.layout import Layout
from satsweep.text import check_cells, check_total
from satsweep.topology import SQUARE, Topology, topology_named


class Opening(NamedTuple):
    """Best first cell of a board under a promise.

    ``wins`` says how many games a player wins from there.
    """

    start: Cell
    wins: str
    player: str


@cache
def _book() -> dict[str, dict[str, Any]]:
    text = files("satsweep.games").joinpath("openings.json").read_text("utf-8")
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found


def best_opening(rows: int, cols: int, mines: int, first: FirstClick | str) -> Opening:
    """Return the best known first cell of a square grid.

    Its mirror images are as good. ``first`` is the promise about the first cell.
    Raises BoardError if the book does not have the board under that promise.

    >>> best_opening(5, 5, 5, "zero")
    Opening(start=Cell(row=2, col=2), wins='3,500 of 4,368', player='best play')
    """
    board, promise = f"{rows}x{cols}/{mines}", FirstClick(first).value
    known = _book().get(board, {}).get(promise)
    if known is None:
        usual = ", ".join(name for name, rules in _book().items() if promise in rules and rules[promise]["games"])
        raise BoardError(
            f"expected a board of the book of openings (first cell {promise}: {usual or 'none'}), found {board}"
        )
    return Opening(Cell(*known["start"]), known["wins"], known["player"])


LEVELS = {"beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (16, 30, 99)}
"""The standard levels: rows, columns, mines."""


class NamedBoard(NamedTuple):
    """Board of a course or a document: its size, its rules, and where it is from."""

    rows: int
    cols: int
    mines: int
    rules: Rules
    source: str


_PLAY_ON = Rules(FirstClick.ANY, fatal=False)
NAMED_BOARDS = {
    "cs50": NamedBoard(8, 8, 8, Rules(FirstClick.ANY, cascade=False, tells_total=False), "CS50 AI, Minesweeper"),
    "haridas": NamedBoard(25, 25, 125, replace(_PLAY_ON, cascade=False), "Haridas and Nair 2021"),
    "xu": NamedBoard(20, 20, 50, STANDARD_RULES, "Xu, Zhang and Geng 2017"),
    "wiersma": NamedBoard(20, 20, 40, STANDARD_RULES, "Wiersma 2020"),
    "sam": NamedBoard(30, 30, 200, _PLAY_ON, "the S.A.M. report"),
    "covre": NamedBoard(20, 20, 40, FIND_MINES_RULES, "Covre and Reddy"),
}
"""Boards of courses and documents by name, with the rules of play there."""

_NUMBER = r"\d{1,7}|0?\.\d{1,9}"
_RANGE = re.compile(rf"(\d{{1,7}}x\d{{1,7}})/({_NUMBER}):({_NUMBER})(?::({_NUMBER}))?", re.ASCII)
_MOST_BOARDS = 200
_SIZE = re.compile(r"(\d{1,7})x(\d{1,7})/(\d{1,7}|0?\.\d{1,9})", re.ASCII)


def dimensions_named(board: str) -> tuple[int, int, int]:
    """Return rows, columns and mines of a named board, or of a size with mines.

    The size may have a density in place of the mines.

    >>> dimensions_named("expert"), dimensions_named("16x30/80"), dimensions_named("10x10/0.2")
    ((16, 30, 99), (16, 30, 80), (10, 10, 20))

    Raises BoardError for anything else.
    """
    if board in LEVELS:
        return LEVELS[board]
    if board in NAMED_BOARDS:
        return NAMED_BOARDS[board][:3]
    match = _SIZE.fullmatch(board)
    if match is None:
        meant = did_you_mean(board, [*LEVELS, *NAMED_BOARDS])
        expected = f"{', '.join((*LEVELS, *NAMED_BOARDS))}, or rows x cols / mines or density, as 16x30/99 or 16x30/0.2"
        raise BoardError(f"expected {expected}, found {board[:40]!r}{meant}", at="board")
    rows, cols = int(match[1]), int(match[2])
    check_cells(rows, cols)
    mines = round(Fraction(match[3]) * rows * cols) if "." in match[3] else int(match[3])
    check_total(mines, rows * cols)
    return rows, cols, mines


def boards_named(board: str) -> list[str]:
    """Return the boards of a range of mines or densities; a single board as it is.

    The step is 0.05, or 5 mines, unless it is given.

    >>> boards_named("10x10/0.05:0.2"), boards_named("9x9/10:12:1"), boards_named("expert")
    (['10x10/0.05', '10x10/0.1', '10x10/0.15', '10x10/0.2'], ['9x9/10', '9x9/11', '9x9/12'], ['expert'])

    Raises BoardError for a range without boards, and for what is no board.
    """
    match = _RANGE.fullmatch(board)
    if match is None:
        dimensions_named(board)
        return [board]
    is_density = "." in match[2] + match[3]
    low, high = Fraction(match[2]), Fraction(match[3])
    step = Fraction(match[4]) if match[4] else Fraction(1, 20) if is_density else Fraction(5)
    if low > high or step <= 0 or (high - low) / step > _MOST_BOARDS:
        expected = f"a range of up to {_MOST_BOARDS} steps, as 10x10/0.05:0.25 or 10x10/5:25:5"
        raise BoardError(f"expected {expected}, found {board[:40]!r}", at="board")
    found = [low + place * step for place in range(int((high - low) / step) + 1)]
    boards = [f"{match[1]}/{float(one):.9g}" if is_density else f"{match[1]}/{one}" for one in found]
    for one in boards:
        dimensions_named(one)
    return boards


def rules_named(board: str | None) -> Rules | None:
    """Return the rules of a named board; None for a level or a size.

    >>> print(rules_named("cs50"))
    first cell any, no cascade, a mine ends the game, clear the board, mine total not told
    """
    return NAMED_BOARDS[board].rules if board in NAMED_BOARDS else None


def random_layout(
    rows: int | str,
    cols: int | None = None,
    mines: int | None = None,
    rng: Random | int | str | None = None,
    *,
    seed: int | str | None = None,
    start: tuple[int, int] | None = None,
    topology: Topology | str = SQUARE,
) -> Layout:
    """Draw a layout uniformly among all with the given number of mines.

    The size is rows, columns and mines, or a name that ``dimensions_named`` knows. ``rng`` is a random generator or a
    seed, also named ``seed``; a seed gives the layout of game 0 of a run with this seed. Without any, each call draws
    another layout. Raises BoardError when there is no such layout.

    >>> random_layout(2, 3, 2, Random(1))
    Layout(('.*.', '.*.'))
    >>> random_layout("beginner", seed=1) == random_layout(9, 9, 10, 1)
    True
    """
    if isinstance(rows, str):
        if cols is not None or mines is not None:
            raise TypeError(f"expected {short_repr(rows, 40)} without columns and mines, which it names")
        rows, cols, mines = dimensions_named(rows)
    if cols is None or mines is None:
        raise TypeError("expected rows, columns and mines, or one name such as 'expert' or '16x30/99'")
    rng = rng_of(rng, seed)
    rows, cols = check_whole(rows, "rows"), check_whole(cols, "cols")
    check_cells(rows, cols)
    mines = check_total(mines, rows * cols)
    mined = bytearray(b"." * (rows * cols))
    for index in rng.sample(range(rows * cols), mines):
        mined[index] = ord("*")
    text = mined.decode("ascii")
    grid = (text[first : first + cols] for first in range(0, len(text), cols))
    return Layout(grid, start=start, topology=topology_named(topology))


def with_start(layout: Layout, rng: Random) -> Layout:
    """Return the layout with a start drawn uniformly among its safe cells.

    Raises BoardError when it has no safe cell.

    >>> with_start(Layout(("*.", "**")), Random(1))
    Layout(('*.', '**'), start=(0, 1))
    """
    safe = [index for index, symbol in enumerate(layout.symbols) if symbol != "*"]
    if not safe:
        raise BoardError("expected a safe cell to start, found mines only", at="mines")
    start = layout.cell(safe[rng.randrange(len(safe))])
    return Layout(layout.cells, start=start, topology=layout.topology)


def rng_of(rng: Random | int | str | None = None, seed: int | str | None = None) -> Random:
    """Return a random generator: the given one, that of a seed, or a fresh one.

    A seed gives that of game 0. Raises TypeError for anything else, and where both are given.
    """
    if rng is not None and seed is not None:
        raise TypeError("expected rng or seed, found both")
    given = seed if rng is None else rng
    if given is None:
        return Random()
    if integer(given) is None and not isinstance(given, Random | str):
        raise TypeError(f"expected a seed or a random.Random, found {short_repr(given)}")
    return given if isinstance(given, Random) else game_rng(given, 0)


def game_rng(seed: int | str, game: int) -> Random:
    """Return the random generator of a game, seeded by the run's seed and its number."""
    check_seed(seed)
    check_whole(game, "game")
    return Random(f"{seed}/{game}")
