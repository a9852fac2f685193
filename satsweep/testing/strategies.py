"""Hypothesis strategies for layouts, boards seen from them, and games on them.

Sizes and densities are ranges, both ends included, or single values. Examples shrink towards small grids, few mines
near the first corner, and few open cells. Needs ``hypothesis``; ``satsweep.testing`` has the same names.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from random import Random
from typing import Literal

from hypothesis import assume, strategies as st

from satsweep.agents.load import load_agent
from satsweep.board import COVERED, Board
from satsweep.clues import EXACT, Clues, clues_named
from satsweep.errors import BoardError
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.games.game import Game, play
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
    """Generate layouts with sizes, densities and topologies in the given ranges.

    Where no number of mines has a density in the range, the lower end is rounded up. A topology is drawn among those
    that a grid of the size can have.

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
    """Generate boards seen from such layouts, so that each has at least one world.

    Open are arbitrary safe cells (``reveal="cells"``), or the cascades of a few of them (``"cascade"``), or either
    (``"any"``). With ``exploded`` some mines may be open, too, as known mines. The mine total is known, or not, or
    (None) sometimes. The clue model is one of ``clues``: ``"exact"``, ``"random 1/2"`` and so on. No cell carries a
    flag.

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
    agent: object = "basic",
    rules: Rules | None = None,
) -> st.SearchStrategy[tuple[Board, ...]]:
    """Generate games, each as the boards that the player saw, without flags.

    A game has one board for every turn. An agent, its name or a function makes the deductions; its guesses are drawn,
    so that a game shrinks as boards do. By default the first cell has no mine around where that is possible, and is
    safe otherwise. ``clues``, if given, replace those of the rules, one of them in each game.
    """
    drawn = layouts(rows, cols, density, topologies)
    models = None if clues is None else tuple(map(clues_named, clues))
    return drawn.flatmap(lambda layout: _played(layout, models, agent, rules))


clue_seeds = st.integers(0, 2**32 - 1)
"""Seeds for the draws of unreliable numbers."""


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
    return blank.with_mines(set(draw(_samples(range(cells), mines))))


def _fits(topology: Topology, rows: int, cols: int) -> bool:
    try:
        topology.check(rows, cols)
    except BoardError:
        return False
    return True


@st.composite
def _samples(draw: st.DrawFn, among: Sequence[int], count: int) -> list[int]:
    """Draw distinct values; shrinks towards the first ones."""
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
    known_total = draw(st.booleans()) if tells_total is None else tells_total
    cascade = draw(st.booleans()) if reveal == "any" else reveal == "cascade"
    cells = [(row, col) for row in range(layout.rows) for col in range(layout.cols)]
    safe = [index for index, cell in enumerate(cells) if not layout.is_mine(cell)]
    mined = [index for index, cell in enumerate(cells) if layout.is_mine(cell)] if exploded else []
    wanted = draw(_samples(safe, draw(st.integers(0, min(3, len(safe)) if cascade else len(safe)))))
    known = draw(_samples(mined, draw(st.integers(0, len(mined)))))
    clues = draw(st.sampled_from(models))
    rules = Rules(FirstClick.ANY, cascade=cascade, fatal=False, clues=clues, tells_total=known_total)
    game = Game(layout, rules, clue_seed=None if clues.is_exact else draw(clue_seeds))
    for index in (*wanted, *known):
        if game.outcome is None and game.is_covered(cells[index]):
            game.open(cells[index])
    return game.board


@st.composite
def _played(
    draw: st.DrawFn, layout: Layout, models: Sequence[Clues] | None, agent: object, rules: Rules | None
) -> tuple[Board, ...]:
    player = load_agent(agent).fresh()
    clues = None if models is None else draw(st.sampled_from(models))
    seen: list[Board] = []

    def deduce(board: Board) -> Deduction:
        bare = board.without_flags()
        if bare not in seen[-1:]:
            seen.append(bare)
        return Deduction.of(player.deduce(board), board)

    def guess(board: Board, rng: Random) -> Guess | None:
        covered = [index for index, symbol in enumerate(board.symbols) if symbol == COVERED]
        return Guess(board.cell(draw(st.sampled_from(covered)))) if covered else None

    promises = (FirstClick.ZERO, FirstClick.SAFE, FirstClick.ANY)
    for game_rules in [Rules(first) for first in promises] if rules is None else [rules]:
        seen.clear()
        if clues is not None:
            game_rules = replace(game_rules, clues=clues)
        # This seeds the numbers that cells show; exact numbers need no draw.
        rng = Random(0 if game_rules.clues.is_exact else draw(clue_seeds))
        try:
            play(layout, Agent(deduce, guess), game_rules, rng)
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
