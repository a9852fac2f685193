"""The deep player: two plies against the exact path, endgames against best play."""

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from math import exp, log
from typing import NamedTuple

import numpy as np
import pytest

from satsweep import analyse
from satsweep.analysis.analysis import Analysis
from satsweep.board import Board, Cell
from satsweep.errors import Contradiction
from satsweep.kernels import counting
from satsweep.kernels.api import DEEP, OUTCOMES, Depth, advise, neighbour_table, play_games
from satsweep.kernels.lookahead import two_plies
from satsweep.kernels.lookahead.two_plies import LOGIT
from satsweep.kernels.record import WORK
from satsweep.kernels.shared.memory import COVERED, FINE, IMPOSSIBLE, NOTED
from satsweep.topology import SQUARE, TORUS, Topology
from tests.game_tree import GameTree
from tests.kernels.boards import HEXAGONS, position, stuck, symbols_of, table, table_of, worlds_of
from tests.kernels.endgame.test_best import table_of as worlds_table

pytestmark = pytest.mark.extended

LEVELS = {"beginner": (9, 9, 10), "dense": (6, 6, 9), "expert": (16, 30, 99)}
TWO_PLIES = Depth(worlds=0, blend=0.75)


def score_of(board: Board, cell: tuple[int, int], risk: Fraction) -> Fraction:
    """Return safety times what follows, from analyses of the positions that follow."""
    weights, worths = [], []
    for weight, answer in following(board, cell):
        left = sorted(answer.risk(other) for other in answer.board.covered)
        weights.append(weight)
        if not left or left[0] in (0, 1):
            worths.append(Fraction(1))
        else:
            second = left[min(1, len(left) - 1)]
            blend = Fraction(TWO_PLIES.blend)
            worths.append(blend * (1 - left[0]) + (1 - blend) * (1 - second))
    total = sum(weights)
    return (1 - risk) * sum(weight * worth for weight, worth in zip(weights, worths, strict=True)) / total


def expectation(board: Board, safety: float, follows: float) -> float:
    """The estimated chance to win."""
    symbols = board.symbols
    cells, known = symbols.count("#"), symbols.count("*")
    assert board.mines is not None
    size, mines = cells / 100, (board.mines - known) / cells
    values = (1, log(safety), log(follows), size, size * mines, mines, size**0.5)
    return 1 / (1 + exp(-sum(factor * value for factor, value in zip(LOGIT, values, strict=True))))


def following(board: Board, cell: tuple[int, int]) -> Iterator[tuple[int, Analysis]]:
    """The positions after a cell is opened, each with the number of its worlds."""
    for number in range(len(board.neighbours(cell)) + 1):
        with suppress(Contradiction):
            answer = analyse(board.with_opened({cell: number}))
            assert answer.worlds is not None
            yield answer.worlds, answer


@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS], ids=lambda topology: topology.name)
@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_scores_of_two_plies(level: tuple[int, int, int], topology: Topology) -> None:
    boards = [board for game in range(4) for board in stuck(*level, topology, game)]
    for board in boards[: 3 if level[0] < 16 else 2]:
        assert board.mines is not None
        answer = analyse(board)
        risks = {cell: answer.risk(cell) for cell in board.covered}
        limit = 1 - Fraction(TWO_PLIES.margin) * (1 - min(risks.values()))
        found = advise(symbols_of(board), table_of(board), board.mines, TWO_PLIES)
        assert found.status == FINE and not found.exact
        scores = dict(zip(map(int, found.cells), map(float, found.scores), strict=True))
        most = max(scores.values())
        assert scores[found.cell] == pytest.approx(most, rel=1e-9)
        safety = float(1 - risks[board.cell(found.cell)])
        assert found.value == pytest.approx(expectation(board, safety, most / safety), rel=1e-9)
        wanted = [cell for cell in risks if risks[cell] <= limit]
        for cell in wanted[:: 1 if len(wanted) < 30 else 9]:
            score = float(score_of(board, cell, risks[cell]))
            place = board.index(cell)
            if scores.get(place, -1) >= 0:
                assert scores[place] == pytest.approx(score, rel=1e-9)
            else:  # stands for another one, or cannot be better
                assert score <= most * (1 + 1e-9)


def endgames(level: tuple[int, int, int], topology: Topology, most: int) -> list[tuple[Board, list[frozenset[int]]]]:
    found = []
    for game in range(60):
        for board in stuck(*level, topology, game):
            if len(board.covered) <= 14:
                worlds = worlds_of(board)
                if 1 < len(worlds) <= most:
                    found.append((board, worlds))
    return found


@pytest.mark.parametrize("topology", [SQUARE, TORUS], ids=lambda topology: topology.name)
@pytest.mark.parametrize("level", [(4, 4, 5), (5, 5, 8), (3, 8, 7), (8, 8, 12)], ids=str)
def test_endgames(level: tuple[int, int, int], topology: Topology) -> None:
    for board, worlds in endgames(level, topology, 40)[:12]:
        cells = [board.index(cell) for cell in board.covered]
        place = {cell: at for at, cell in enumerate(cells)}
        around = [[board.index(near) for near in board.neighbours(board.cell(cell))] for cell in cells]
        inside = [[place[other] for other in others if other in place] for others in around]
        symbols = symbols_of(board)
        outside = [sum(int(symbols[other] == -2) for other in others) for others in around]
        shown = worlds_table([[place[cell] for cell in world] for world in worlds], inside, outside)
        won = GameTree(shown).openings()
        assert board.mines is not None
        found = advise(symbols, table_of(board), board.mines)
        assert found.exact and found.status == FINE
        assert found.value == max(won) / len(worlds)
        assert won[place[found.cell]] == max(won)


def test_levels() -> None:
    """Games end, and do not depend on what was played before."""
    near = table(SQUARE, 16, 30)
    for level in DEEP:
        games = 40 if DEEP[level].rollouts else 300
        results = play_games(near, 99, "levels", range(games), start=0, policy="deep", level=level)
        assert {OUTCOMES[outcome] for outcome in results["outcome"]} == {"cleared", "exploded"}
        again = play_games(near, 99, "levels", range(games // 2, games), start=0, policy="deep", level=level)
        assert (again == results[games // 2 :]).all(), "what was played before matters"
    small = table(SQUARE, 4, 5)
    for level in DEEP:
        results = play_games(small, 4, "levels", range(60), policy="deep", level=level)
        again = play_games(small, 4, "levels", range(30, 60), policy="deep", level=level)
        assert (again == results[30:]).all(), "what was played before matters"
    with pytest.raises(ValueError, match="policy"):
        play_games(near, 99, "levels", range(1), policy="depp")


def test_expectations_come_true() -> None:
    """As many games are won as the player expected.

    Within four standard errors where its value was exact, about as many where it was not.
    """
    estimates = np.full((20_000, 2 + NOTED), -1.0)
    results = play_games(table(SQUARE, 9, 9), 10, "true", range(20_000), start=0, policy="deep", estimates=estimates)
    told = estimates[:, 0] >= 0
    off = results["won"][told] - estimates[told, 0]
    assert told.sum() > 500 and abs(off.mean()) < 4 * off.std() / told.sum() ** 0.5
    guesses = (estimates[:, 2:] >= 0).sum(axis=1)
    assert (guesses == np.minimum(results["guesses"], NOTED)).all()
    first = guesses > 0
    off = results["won"][first] - estimates[first, 2]
    assert abs(off.mean()) < 0.03


def moved(board: Board, feature: str) -> dict[int, float]:
    """A feature of each candidate, as it moves scores."""
    return {cell: (factor - 1) * 1000 for cell, factor in factors(board, 0.9, **{feature: 0.001}).items()}


def factors(board: Board, slack: float, **tastes: float) -> dict[int, float]:
    """The factor of each candidate's score that is due to tastes."""
    assert board.mines is not None
    symbols, near = symbols_of(board), table_of(board)
    plain = advise(symbols, near, board.mines, Depth(worlds=0, margin=0.6, slack=1e-300))
    scores = dict(zip(plain.cells.tolist(), plain.scores.tolist(), strict=True))
    found = advise(symbols, near, board.mines, Depth(worlds=0, margin=0.6, slack=slack)._replace(**tastes))
    return {
        cell: score / scores[cell]
        for cell, score in zip(found.cells.tolist(), found.scores.tolist(), strict=True)
        if score >= 0 and scores[cell] >= 0
    }


def test_tastes_move_scores() -> None:
    """Tastes move scores by their sum, but not by more than the slack."""
    clipped = 0
    for board in [*stuck(*LEVELS["expert"], SQUARE, 1)[:3], Board(("1" + "#" * 29, *["#" * 30] * 15), mines=99)]:
        features = {feature: moved(board, feature) for feature in ("two_safe", "clearer", "corner", "two_steps")}
        for tastes in ({"two_safe": 0.5, "corner": 0.5}, {"two_safe": -0.5}, {"two_safe": 0.03, "clearer": 0.01,
                       "corner": 0.02, "two_steps": -0.04}):  # fmt: skip
            for cell, factor in factors(board, 0.1, **tastes).items():
                if all(cell in values for values in features.values()):
                    bonus = sum(taste * features[feature][cell] for feature, taste in tastes.items())
                    assert factor == pytest.approx(1 + min(max(bonus, -0.1), 0.1), abs=1e-6)
                    clipped += abs(bonus) > 0.1
    assert clipped > 5


@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS], ids=lambda topology: topology.name)
def test_two_safe_cells(topology: Topology) -> None:
    """The chance that at least two cells are safe then."""
    told = 0
    small = [board for game in range(3) for board in stuck(*LEVELS["dense"], topology, game)[:2]]
    for board in [*small, *stuck(*LEVELS["expert"], topology, 1)[:3]]:
        for place, value in list(moved(board, "two_safe").items())[:4]:
            cell = board.cell(place)
            two, total = 0, 0
            for weight, answer in following(board, cell):
                two += weight * (len(answer.safe) > 1)
                total += weight
            assert value == pytest.approx(two / total, abs=1e-6)
            told += 0 < two < total
    assert told > 5


def undecided(answer: Analysis, cells: list[Cell]) -> Fraction:
    """The sum of risk times safety."""
    risks = [answer.risk(cell) for cell in cells]
    return sum((risk * (1 - risk) for risk in risks), Fraction(0))


@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS], ids=lambda topology: topology.name)
def test_a_frontier_less_undecided(topology: Topology) -> None:
    told = 0
    for board in [board for game in range(3) for board in stuck(*LEVELS["dense"], topology, game)[:2]]:
        frontier = [cell for cell in board.covered if any(board[near] not in "#*" for near in board.neighbours(cell))]
        before = undecided(analyse(board), frontier)
        for place, value in list(moved(board, "clearer").items())[:4]:
            cell = board.cell(place)
            others = [other for other in frontier if other != cell]
            after, total = Fraction(0), 0
            for weight, answer in following(board, cell):
                after += weight * undecided(answer, others)
                total += weight
            assert value == pytest.approx(float(before - after / total), abs=1e-6)
            told += 1
    assert told > 5


def test_at_first() -> None:
    """Corners, and two steps from what is known, count while hardly a cell is open."""
    board = Board(("1" + "#" * 29, *["#" * 30] * 15), mines=99)
    corners = moved(board, "corner")
    assert {cell for cell, value in corners.items() if value > 0.5} == {29}
    steps = {divmod(cell, 30) for cell, value in moved(board, "two_steps").items() if value > 0.5}
    assert steps and all(max(row, col) in (3,) for row, col in steps)
    assert all(max(divmod(cell, 30)) not in (3,) for cell, value in corners.items() if divmod(cell, 30) not in steps)
    opened = Board(("1" + "#" * 29, *["#" * 30] * 9, *["." * 30] * 6), mines=99)
    assert not any(value > 0.5 for value in moved(opened, "corner").values())


def test_beyond() -> None:
    wide = neighbour_table([()] * 20_000)
    assert advise(np.full(20_000, -1, np.int8), wide, 5).status != FINE


class Ahead(NamedTuple):
    """Results of ``look_ahead`` for one cell, by the number that it shows, 0 to 8.

    The probability of the number; then, in the position that follows: the risks of the safest and of the second safest
    cell, how many cells are safe, and the sum of risk times safety over the frontier of the position before.
    """

    shown: np.ndarray
    least: np.ndarray
    following: np.ndarray
    safe: np.ndarray
    vague: np.ndarray


def look_ahead(board: Board, cell: int) -> Ahead:
    """Run the kernel on a position in which nothing is forced."""
    symbols, table = symbols_of(board), table_of(board)
    assert board.mines is not None
    found = position(symbols, table, board.mines)  # leaves the position in the working record, with its risks
    assert found.status == FINE and not np.isin(found.risks, (0, 1)).any()
    work = counting.memory.record
    two_plies.look_ahead(work, cell)
    record = np.frombuffer(work.memory, WORK)[0]
    assert record["status"] == FINE
    known = sum(board[near] == "*" for near in board.neighbours(board.cell(cell)))
    count = int(record["join_most"]) + 1
    result = Ahead(*np.zeros((5, 9)))
    result.shown[known : known + count] = record["shown"][:count] / record["shown"][:count].sum()
    for values, field in zip(result[1:], ("least", "next", "safe", "vague"), strict=True):
        values[known : known + count] = record[field][:count]
    return result


def check(board: Board) -> None:
    assert board.mines is not None
    symbols, table = symbols_of(board), table_of(board)
    frontier = np.zeros(len(symbols), bool)
    for covered in board.covered:
        frontier[board.index(covered)] = any(board[near] not in "#*" for near in board.neighbours(covered))
    for cell in np.flatnonzero(symbols == COVERED)[::3]:
        found = look_ahead(board, int(cell))
        assert found.shown.sum() == pytest.approx(1, rel=1e-12)
        for number in range(9):
            after = symbols.copy()
            after[cell] = number
            then = position(after, table, board.mines)
            if found.shown[number] == 0:
                assert then.status == IMPOSSIBLE
                continue
            assert then.status == FINE
            risks = np.sort(then.risks[after == COVERED])
            assert found.safe[number] == (risks == 0).sum()
            near = then.risks[frontier & (after == COVERED)]
            assert found.vague[number] == pytest.approx((near * (1 - near)).sum(), rel=1e-9, abs=1e-12)
            if len(risks):
                assert found.least[number] == pytest.approx(risks[0], rel=1e-11, abs=0)
                assert found.following[number] == pytest.approx(risks[min(1, len(risks) - 1)], rel=1e-11, abs=0)
            else:
                assert found.least[number] == 2


@pytest.mark.parametrize("topology", [SQUARE, TORUS, HEXAGONS], ids=lambda topology: topology.name)
@pytest.mark.parametrize("level", [*LEVELS.values(), (16, 16, 40), (8, 8, 20)], ids=str)
def test_after_every_number(level: tuple[int, int, int], topology: Topology) -> None:
    boards = [board for game in range(4) for board in stuck(*level, topology, game)]
    for board in boards[:6]:
        check(board)
