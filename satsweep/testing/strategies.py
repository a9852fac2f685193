"""Hypothesis strategies: layouts, the boards that they may look like, and games on them.

Sizes and densities are ranges, both ends included, or single values. Everything shrinks towards small grids, few
mines near the first corner, and little that is open. Needs ``hypothesis``; ``satsweep.testing`` offers the same names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from random import Random
from typing import Literal

from hypothesis import assume, strategies as st

from satsweep.agents import agent_named
from satsweep.board import COVERED, Board, Cell
from satsweep.clues import EXACT, Clues, clues_named
from satsweep.errors import BoardError
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.games.game import Game, as_deduction, play
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout
from satsweep.topology import SQUARE, Topology, topology_named

Range = int | tuple[int, int]
Density = float | Fraction | tuple[float | Fraction, float | Fraction]
Reveal = Literal["any", "cells", "cascade"]


def layouts(
    rows: Range = (1, 6),
    cols: Range = (1, 7),
    density: Density = (0, 1),
    topologies: Sequence[Topology | str] = (SQUARE,),
) -> st.SearchStrategy[Layout]:
    """Layouts of every size in range, with a share of mines in the range of densities; rounded up where none fits.

    A topology is drawn among those that a grid of the size can have.

    >>> from hypothesis import find
    >>> find(layouts(rows=2, cols=(2, 5)), lambda layout: layout.mines > 1)
    Layout(('**', '..'))
    """
    return _layouts(_sizes(rows), _sizes(cols), _densities(density), tuple(topologies))


def boards(
    rows: Range = (1, 6),
    cols: Range = (1, 7),
    density: Density = (0, 1),
    topologies: Sequence[Topology | str] = (SQUARE,),
    *,
    clues: Sequence[Clues | str] = (EXACT,),
    reveal: Reveal = "any",
    exploded: bool = False,
    tells_total: bool | None = True,
) -> st.SearchStrategy[Board]:
    """Boards seen from such a layout, so that at least one world agrees with them.

    Open are safe cells here and there (``reveal="cells"``), or what opens by itself when a few of them are opened
    (``"cascade"``), or either. With ``exploded`` some mines may be open, too, as known mines. The mine total is told,
    or not, or (None) sometimes. What numbers tell is one of ``clues``: ``"exact"``, ``"random 1/2"`` and so on. No cell
    carries a flag.

    >>> from hypothesis import find
    >>> find(boards(cols=1, clues=["random 1/2"]), lambda board: "?" in board.symbols)
    Board(('?',), mines=0, clues='random 1/2')
    """
    drawn, models = layouts(rows, cols, density, topologies), tuple(map(clues_named, clues))
    return drawn.flatmap(lambda layout: _seen(layout, models, reveal, exploded, tells_total))


def games(
    rows: Range = (3, 6),
    cols: Range = (3, 7),
    density: Density = (Fraction(1, 10), Fraction(3, 10)),
    topologies: Sequence[Topology | str] = (SQUARE,),
    *,
    clues: Sequence[Clues | str] | None = None,
    agent: str = "basic",
    rules: Rules | None = None,
) -> st.SearchStrategy[tuple[Board, ...]]:
    """Games, each as the boards that the player saw, one for every turn, without flags.

    An agent of ``satsweep agents`` plays, deducing for itself; what it guesses is drawn, so that a game shrinks as
    boards do. By default the first cell has no mine around where that is possible, and is safe otherwise. ``clues``, if
    given, are in place of those of the rules, one of them in each game.
    """
    drawn = layouts(rows, cols, density, topologies)
    models = None if clues is None else tuple(map(clues_named, clues))
    return drawn.flatmap(lambda layout: _played(layout, models, agent, rules))


clue_seeds = st.integers(0, 2**32 - 1)
"""What numbers that are not exact are drawn from."""


@st.composite
def _layouts(
    draw: st.DrawFn,
    rows: tuple[int, int],
    cols: tuple[int, int],
    density: tuple[Fraction, Fraction],
    topologies: Sequence[Topology | str],
) -> Layout:
    height, width = draw(st.integers(*rows)), draw(st.integers(*cols))
    cells = height * width
    least, most = ceil(density[0] * cells), floor(density[1] * cells)
    mines = draw(st.integers(least, max(least, most)))
    fitting = [topology for topology in map(topology_named, topologies) if _fits(topology, height, width)]
    assume(fitting)
    blank = Layout(("." * width,) * height, topology=draw(st.sampled_from(fitting)))
    return blank.with_mines(set(draw(_chosen(range(cells), mines))))


def _fits(topology: Topology, rows: int, cols: int) -> bool:
    try:
        topology.check(rows, cols)
    except BoardError:
        return False
    return True


@st.composite
def _chosen(draw: st.DrawFn, among: Sequence[int], count: int) -> list[int]:
    """So many of them; the first ones when it shrinks."""
    left = list(among)
    for place in range(count):
        other = draw(st.integers(place, len(left) - 1))
        left[place], left[other] = left[other], left[place]
    return left[:count]


@st.composite
def _seen(
    draw: st.DrawFn,
    layout: Layout,
    models: Sequence[Clues],
    reveal: Reveal,
    exploded: bool,
    tells_total: bool | None,
) -> Board:
    told = draw(st.booleans()) if tells_total is None else tells_total
    cascade = draw(st.booleans()) if reveal == "any" else reveal == "cascade"
    cells = [(row, col) for row in range(layout.rows) for col in range(layout.cols)]
    safe = [index for index, cell in enumerate(cells) if not layout.is_mine(cell)]
    mined = [index for index, cell in enumerate(cells) if layout.is_mine(cell)] if exploded else []
    wanted = draw(_chosen(safe, draw(st.integers(0, min(3, len(safe)) if cascade else len(safe)))))
    known = draw(_chosen(mined, draw(st.integers(0, len(mined)))))
    clues = draw(st.sampled_from(models))
    rules = Rules(FirstClick.ANY, cascade=cascade, fatal=False, clues=clues, tells_total=told)
    game = Game(layout, rules, clue_seed=None if clues.is_exact else draw(clue_seeds))
    for index in (*wanted, *known):
        if game.outcome is None and game.is_covered(cells[index]):
            game.open(cells[index])
    return game.board


@st.composite
def _played(
    draw: st.DrawFn, layout: Layout, models: Sequence[Clues] | None, agent: str, rules: Rules | None
) -> tuple[Board, ...]:
    player = agent_named(agent)
    clues = None if models is None else draw(st.sampled_from(models))
    seen: list[Board] = []

    def deduce(board: Board) -> Deduction:
        bare = board.without_flags()
        if bare not in seen[-1:]:
            seen.append(bare)
        return as_deduction(player.deduce(board), board)

    def guess(board: Board, rng: Random) -> Guess | None:
        covered = [index for index, symbol in enumerate(board.symbols) if symbol == COVERED]
        return Guess(Cell(*divmod(draw(st.sampled_from(covered)), board.cols))) if covered else None

    for way in [Rules(FirstClick.ZERO), Rules(FirstClick.SAFE), Rules(FirstClick.ANY)] if rules is None else [rules]:
        seen.clear()
        way = way if clues is None else replace(way, clues=clues)
        # What cells show is drawn from this, too; there is nothing to draw where they show what is so.
        rng = Random(0 if way.clues.is_exact else draw(clue_seeds))
        try:
            play(layout, Agent(deduce, guess), way, rng)
            break
        except BoardError:
            if rules is not None:
                raise
    return tuple(seen)


def _sizes(given: Range) -> tuple[int, int]:
    low, high = given if isinstance(given, tuple) else (given, given)
    if not 1 <= low <= high:
        raise ValueError(f"expected a size, or a range of sizes, found {given!r}")
    return low, high


def _densities(given: Density) -> tuple[Fraction, Fraction]:
    low, high = (Fraction(str(end)) for end in (given if isinstance(given, tuple) else (given, given)))
    if not 0 <= low <= high <= 1:
        raise ValueError(f"expected a density, or a range of densities, found {given!r}")
    return low, high
