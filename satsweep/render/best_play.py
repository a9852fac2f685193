"""Best play of an endgame as text and as plain values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from satsweep.render.number_text import fraction
from satsweep.solver.best_play import BestPlay
from satsweep.text import counted

MOST_LINES = 60
"""Most lines of a tree in text."""


def best_play_values(play: BestPlay) -> dict[str, object]:
    """The tree as nested values."""
    values: dict[str, object] = {
        "worlds": play.worlds,
        "won": play.won,
        "win": fraction(Fraction(play.won, play.worlds)),
    }
    if play.cell is None:
        return values
    after = [{"number": number, **best_play_values(own)} for number, own in play.numbers.items()]
    return {**values, "cell": play.cell, "lost": play.lost, "numbers": after}


def best_play_lines(play: BestPlay) -> Iterator[str]:
    """Yield a line for each position of the tree; of a large tree the first ones.

    >>> from satsweep.solver.analysis import analyse
    >>> from satsweep.solver.best_play import best_play
    >>> print(*best_play_lines(best_play(analyse("mines 2\\n#1#\\n1##\\n###"))), sep="")
    best play wins 4 of 6 worlds: open 0,0, a mine in 1
      0 (4 worlds): wins 3: open 2,2, which is safe
        0 (1 world): won
        1 (2 worlds): wins 1: open 0,2, a mine in 1
          1 (1 world): won
        2 (1 world): won
      1 (1 world): won
    <BLANKLINE>
    """
    if play.cell is None:
        yield "best play wins for certain: no guess is needed\n"
        return
    yield f"best play wins {play.won:,} of {counted(play.worlds, 'world')}: {_move(play)}\n"
    lines = _lines(play, 1)
    yield from islice(lines, MOST_LINES)
    if left := sum(1 for _ in lines):
        yield f"... and {counted(left, 'more line')}; --json has the whole tree\n"


def _lines(play: BestPlay, depth: int) -> Iterator[str]:
    """A line for each number that the cell to open can show, and those below it."""
    for number, after in play.numbers.items():
        said = "won" if after.cell is None else f"wins {after.won:,}: {_move(after)}"
        yield f"{'  ' * depth}{number} ({counted(after.worlds, 'world')}): {said}\n"
        yield from _lines(after, depth + 1)


def _move(play: BestPlay) -> str:
    return f"open {play.cell}, {f'a mine in {play.lost:,}' if play.lost else 'which is safe'}"
