"""Real positions: 200 from expert games, 30 hard ones.

Engines agree exactly, and with an independent solver: ``ms_toollib`` (PyPI; Rust; extra ``bench``) computes risks in
floating point and shares no code with this package.
"""

import hashlib
import json
from fractions import Fraction
from functools import cache

import pytest

from satsweep import Board, analyse
from satsweep.analysis.analysis import Analysis
from satsweep.solver.engines import ENGINES
from tests import DATA


@cache
def corpus(name: str) -> dict[str, Board]:
    """The positions of a file, by their id."""
    lines = (DATA / f"{name}.jsonl").read_text().splitlines()
    return {fields["id"]: Board(fields["board"], mines=fields["mines"]) for fields in map(json.loads, lines)}


@cache
def answer(name: str, number: str) -> Analysis:
    return analyse(corpus(name)[number])


EXPERT = list(corpus("positions_expert"))
HARD = list(corpus("positions_hard"))


def largest_difference(analysis: Analysis) -> float:
    """Between our risks and those of ms_toollib, over all covered cells.

    It wants a list of rows of integers, 10 for a covered cell, and the number of mines; it gives rows of risks, and
    the least, the given and the greatest possible number of mines. It marks the board that it is given.
    """
    toollib = pytest.importorskip("ms_toollib")
    board = analysis.board
    grid = [[10 if symbol == "#" else int(symbol.replace(".", "0")) for symbol in row] for row in board.cells]
    theirs: list[list[float]]
    theirs, (_, mines, _) = toollib.cal_probability_onboard(grid, board.mines)
    assert mines == board.mines
    return max(abs(float(analysis.risk(cell)) - theirs[cell.row][cell.col]) for cell in board.covered)


def check_sums(analysis: Analysis) -> None:
    risks = [analysis.risk(cell) for cell in analysis.board.covered]
    assert sum(risks) == analysis.board.mines
    assert all(0 <= risk <= 1 for risk in risks)
    assert sum(analysis.frontier_mines.values()) == 1 if analysis.frontier_mines else False


every_fourth_and_all = pytest.mark.parametrize(
    "number", [pytest.param(name, marks=[pytest.mark.extended] if at % 4 else []) for at, name in enumerate(EXPERT)]
)


# --- expert games ----------------------------------------------------------------------------------------------


def test_the_expert_positions_are_all_there() -> None:
    boards = corpus("positions_expert").values()
    assert len(boards) == 200 and {(board.rows, board.cols, board.mines) for board in boards} == {(16, 30, 99)}


@pytest.mark.parametrize("engine", sorted(set(ENGINES) - {"auto"}))
@pytest.mark.parametrize(
    "number",
    [
        pytest.param(name, marks=[pytest.mark.slow] if at % 8 else [pytest.mark.extended] if at % 32 else [])
        for at, name in enumerate(EXPERT)
    ],
)
def test_engines_agree_on_expert_positions(number: str, engine: str) -> None:
    auto = answer("positions_expert", number)
    other = analyse(auto.board, engine=engine)
    assert (other.worlds, other.risks, other.frontier_mines) == (auto.worlds, auto.risks, auto.frontier_mines)
    assert (other.safe, other.mines, other.best) == (auto.safe, auto.mines, auto.best)


@every_fourth_and_all
def test_risks_on_expert_positions_add_up(number: str) -> None:
    check_sums(answer("positions_expert", number))


@every_fourth_and_all
def test_an_independent_solver_agrees_on_expert_positions(number: str) -> None:
    assert largest_difference(answer("positions_expert", number)) <= 1e-9


# --- hard positions --------------------------------------------------------------------------------------------

# SHA-256 of the number of worlds in decimal, first 16 digits, and what confirmed it when the table was made. The
# first figure came from elimination as it was in commit c0ecc77 (a plain dictionary of states, one group after the
# other), which was rewritten since, so that the table also holds today's elimination against that one.
# "sat": the enumeration of PySAT gave the same worlds and the same risks, exactly.
# "ms_toollib": too many placements for that, but all risks agree to 1e-9.
# "tower-law": neither was done in time; the worlds of the board are those with a cell blown up and with the cell opened
# as every number, added up, each of them a board that is cut differently (checked again by the slow test below).
WORLDS = {
    number: (worlds, by)
    for number, worlds, by in map(str.split, (DATA / "positions_hard_worlds.txt").read_text().splitlines())
}


def digest(worlds: int | None) -> str:
    return hashlib.sha256(str(worlds).encode()).hexdigest()[:16]


def confirmed_by(how: str) -> list[str]:
    return [number for number, (_, by) in WORLDS.items() if by == how]


def test_every_hard_position_has_a_digest() -> None:
    assert list(WORLDS) == HARD


@pytest.mark.extended
@pytest.mark.parametrize("number", HARD)
def test_hard_positions(number: str) -> None:
    analysis = answer("positions_hard", number)
    assert analysis.complete
    assert digest(analysis.worlds) == WORLDS[number][0]
    check_sums(analysis)


@pytest.mark.extended
@pytest.mark.parametrize("number", HARD)
def test_elimination_agrees_on_hard_positions(number: str) -> None:
    """Where auto would rather enumerate, elimination counts the same."""
    auto, other = answer("positions_hard", number), analyse(corpus("positions_hard")[number], engine="elimination")
    assert (other.worlds, other.risks) == (auto.worlds, auto.risks)


@pytest.mark.slow
@pytest.mark.parametrize("number", confirmed_by("sat"))
def test_enumeration_agrees_on_hard_positions(number: str) -> None:
    auto, other = answer("positions_hard", number), analyse(corpus("positions_hard")[number], engine="sat")
    assert (other.worlds, other.risks) == (auto.worlds, auto.risks)


@pytest.mark.slow
@pytest.mark.parametrize("number", [number for number, (_, by) in WORLDS.items() if by != "tower-law"])
def test_an_independent_solver_agrees_on_hard_positions(number: str) -> None:
    """The others are out of its reach (it never answers)."""
    assert largest_difference(answer("positions_hard", number)) <= 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("number", HARD)
def test_the_tower_law_on_hard_positions(number: str) -> None:
    """Open the cell whose risk is nearest one half: that changes the most."""
    from tests.analysis.test_analysis import count_worlds

    analysis = answer("positions_hard", number)
    board = analysis.board
    cell = min(board.covered, key=lambda cell: abs(analysis.risk(cell) - Fraction(1, 2)))
    mined = count_worlds(board.with_exploded([cell]))
    opened = sum(count_worlds(board.with_opened({cell: value})) for value in range(len(board.neighbours(cell)) + 1))
    assert mined + opened == analysis.worlds
    assert analysis.risk(cell) == Fraction(mined, mined + opened)
