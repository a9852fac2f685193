"""The first guess of a board: the position, its cells, and worlds that prove it.

Play from the start opens every cell that is surely safe. Where none is left, each covered cell is a mine in some world
that agrees with the numbers. A few such worlds prove that a guess is needed (``satsweep.proofs.trace``): CP-SAT finds
one with a mine in a given cell. Cells next to the same numbers are interchangeable, so its mines move to those that no
world has covered yet, and few worlds do.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from satsweep.board import COVERED, MINE, NUMBER_OF, Board, Cell
from satsweep.layout import Layout
from satsweep.proofs.trace import GuessProof, check_guess
from satsweep.solver import compiled
from satsweep.solver.analysis import Analysis, analyse
from satsweep.solver.budget import Budget
from satsweep.solver.endgame import SearchExhausted, endgame
from satsweep.solver.witness import find_world

MOST_WORLDS = 32_768
"""Most worlds of a position whose best play the kernels search."""


@dataclass(frozen=True, slots=True)
class FirstGuess:
    """The first guess of a board.

    ``proof`` shows that there is one: the position, and worlds. Of the undecided ``cells``, ``cell`` is least likely a
    mine, with probability ``risk`` (None if it could not be counted). It is safe in ``safe_world`` and a mine in
    ``mine_world``. ``win_chance`` is that of the best possible play from here on, where it is known exactly.
    """

    proof: GuessProof
    cells: tuple[Cell, ...]
    cell: Cell
    risk: Fraction | None
    safe_world: Layout
    mine_world: Layout
    win_chance: Fraction | None = None


def first_guess(layout: Layout, stuck: Board, budget: Budget | None = None) -> FirstGuess:
    """Return the first guess on a layout; play without guesses ends at ``stuck``.

    Flags on that board are mines that were proved. ``budget`` limits the counting of risks.
    """
    known = stuck.trusting_flags()
    analysis = analyse(known, budget=budget)
    cells = analysis.cells_by_risk
    undecided = tuple(cell for cell in known if known[cell] == COVERED)
    assert not analysis.safe and not analysis.mines and undecided
    cell = analysis.safest[0] if None not in cells else undecided[0]
    worlds = _worlds(known, undecided)
    safe_world = next((world for world in worlds if not world.is_mine(cell)), None)
    if safe_world is None:
        safe_world = find_world(known, {cell: False})
        assert safe_world is not None
        worlds = (*worlds, safe_world)
    mine_world = next(world for world in worlds if world.is_mine(cell))
    position = Board([row.replace(MINE, COVERED) for row in known.cells], known.mines, topology=known.topology)
    proof = GuessProof(layout, position, worlds)
    check_guess(proof)
    risk = None if None in cells else analysis.risk(cell)
    return FirstGuess(proof, undecided, cell, risk, safe_world, mine_world, exact_win_chance(analysis))


def exact_win_chance(analysis: Analysis) -> Fraction | None:
    """Return the win chance of best play at a position without a safe cell, if known.

    Positions of few worlds are searched (``satsweep.solver.endgame``), those of more by the kernels if they are
    compiled; None for others.
    """
    found = endgame(analysis)
    if found is not None:
        with suppress(SearchExhausted):
            return found.win
    if analysis.worlds is None or analysis.worlds > MOST_WORLDS or not compiled.is_there():
        return None
    expected = compiled.expected_wins(analysis.board, analysis.worlds)
    won = expected and expected.chances[expected.best]
    return won if isinstance(won, Fraction) else None


def _worlds(board: Board, undecided: tuple[Cell, ...]) -> tuple[Layout, ...]:
    """Worlds of a board such that each undecided cell is a mine in one of them."""
    classes = _interchangeable(board, undecided)
    left, worlds = dict.fromkeys(undecided), []
    while left:
        cell = next(iter(left))
        world = find_world(board, {cell: True})
        assert world is not None
        mines = {index for index, symbol in enumerate(world.symbols) if symbol == MINE}
        for alike in classes.values():
            count = sum(board.index(other) in mines for other in alike)
            first = sorted(alike, key=lambda other: other not in left)[:count]
            mines.difference_update(map(board.index, alike))
            mines.update(map(board.index, first))
            for other in first:
                left.pop(other, None)
        worlds.append(replace(world, cells=world.with_mines(mines).cells))
    return tuple(worlds)


def _interchangeable(board: Board, undecided: tuple[Cell, ...]) -> Mapping[tuple[Cell, ...], list[Cell]]:
    """Undecided cells by the numbers that they touch."""
    found: dict[tuple[Cell, ...], list[Cell]] = {}
    for cell in undecided:
        found.setdefault(tuple(other for other in board.neighbours(cell) if board[other] in NUMBER_OF), []).append(cell)
    return found
