"""Boards that are counted in parts, and odds whose integers wait, with ==."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import pytest

from satsweep import Board, Cell, Contradiction, analyse, random_layout
from satsweep.solver import compiled, polynomials, probability
from satsweep.solver.budget import UNLIMITED
from satsweep.solver.components import PlacementCounts
from satsweep.solver.constraints import CellConstraint, exactly
from satsweep.solver.engines.sat import placements
from satsweep.solver.late_odds import late_verdict
from satsweep.solver.position import _completed, prior_of, solve_by_stages, solve_by_twin
from satsweep.solver.probability import LateOdds, cell_odds, combine

TOPOLOGIES = ("square", "torus", "hexagonal", "orthogonal", "knight", "square in 2 planes", "offsets 0,1 1,1 2,0")


def some_boards(rng: Random, most: int, count: int) -> Iterator[Board]:
    for _ in range(count):
        rows, cols = 2 * rng.randint(2, most // 2), rng.randint(3, most)
        mines = int(rows * cols * rng.choice((0.1, 0.15, 0.2, 0.25)))
        layout = random_layout(rows, cols, mines, rng=rng, topology=rng.choice(TOPOLOGIES))
        safe = [cell for cell in layout.board(()) if not layout.is_mine(cell)]
        yield layout.board(rng.sample(safe, int(len(safe) * rng.random())))


def in_parts(board: Board) -> compiled.BoardCounts:
    """The counts of a board of any size as one of a large board."""
    from satsweep.kernels.counting import count_in_parts

    symbols = compiled.symbols_of(board).tobytes()
    split = count_in_parts(symbols, compiled.table_of(board.topology, board.rows, board.cols))
    assert split is not None
    left = tuple(CellConstraint(own.number, tuple(own.cells), exactly(own.need)) for own in split.left)
    return compiled._board_counts(split.decided, split.counts, prior_of(board))._replace(left=left)


def test_boards_in_parts() -> None:
    left = 0
    for board in some_boards(Random(1), 24, 60):
        found, expected = in_parts(board), solve_by_stages(board)
        if found.left:
            left += 1
            completed = _completed(found, UNLIMITED)
            assert completed is not None
            found = completed
        verdict = cell_odds(found.counted).with_settled(found.safe, found.mines)
        risks = {cell: odds.exact.risk for odds in verdict.odds for cell in odds.cells}
        assert risks == {cell: odds.risk for cell, odds in expected.odds.items()}
        assert verdict.worlds == expected.verdict.worlds
    assert left


def test_a_board_beyond_the_kernels() -> None:
    """Some 12,000 cells, and the total makes a difference."""
    layout = random_layout(110, 110, 2178, seed="large")
    zeros = [cell for cell in layout.board(()) if not layout.is_mine(cell) and not layout.number(cell)]
    board = layout.board({near for cell in zeros for near in (cell, *layout.board(()).neighbours(cell))})
    found, expected = solve_by_twin(board), solve_by_stages(board)
    assert found is not None and found.stages is None and {own.engine for own in found.work} == {"compiled"}
    assert found.verdict.worlds == expected.verdict.worlds
    assert (found.safe, found.mines) == (expected.safe, expected.mines) and found.safe
    assert {cell: odds.risk for cell, odds in found.odds.items()} == {
        cell: odds.risk for cell, odds in expected.odds.items()
    }


def test_a_contradiction_on_a_large_board() -> None:
    """A 2 with one covered cell around it, among 15,000 cells."""
    rows = ("1#2" + "." * 147, "111" + "." * 147, *("." * 150,) * 98)
    assert solve_by_twin(Board(rows)) is None
    with pytest.raises(Contradiction) as caught:
        analyse(Board(rows))
    assert caught.value.clues == (Cell(0, 2),)
    right = Board((rows[0].replace("2", "1"), *rows[1:]), mines=1)
    assert analyse(right).mines == (Cell(0, 1),)


def test_constraints_of_compiled_counts() -> None:
    """A component, filled in all ways, has the counts that kernels found for it."""
    parts = 0
    for board in some_boards(Random(2), 12, 60):
        solution = solve_by_twin(board)
        if solution is None:
            continue
        counted = analyse(board, engine="compiled").counted
        for part, counts in zip(counted.parts, counted.counts, strict=True):
            assert counts is not None
            if sum(counts.total) > 2000:
                continue
            again = PlacementCounts(part.component)
            for placement in placements(part.component):
                again.add(placement)
            found = again.counts("sat")
            assert (found.total, found.mined) == (counts.total, counts.mined)
            parts += 1
    assert parts > 60


def test_late_odds() -> None:
    """Floats within their bound, forced cells and integers as they are at once."""
    late = 0
    for board in some_boards(Random(3), 40, 60):
        found = compiled.count_board(board, prior_of(board))
        if found is None or found.left or not probability.reduce_totals(found.counted.totals()).varied:
            continue
        verdict, expected = late_verdict(found.counted), cell_odds(found.counted)
        if verdict is None:
            continue
        assert verdict.worlds == expected.worlds
        for own, other in zip(verdict.odds, expected.odds, strict=True):
            assert (own.cells, own.is_known, own.is_safe, own.is_mine) == (
                other.cells, other.is_known, other.is_safe, other.is_mine,
            )  # fmt: skip
            assert own.risk == other.risk
            if isinstance(own, LateOdds):
                late += 1
                assert abs(Fraction(own.float_risk) - other.risk) <= own.late.error < 1e-11
            else:
                assert own.float_risk == float(other.risk)
    assert late > 500


def test_odds_wait_on_vast_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Floats, forced cells and the best cell need no long integers, fractions do."""
    layout = random_layout(30, 30, 150, seed=4)
    zeros = [cell for cell in layout.board(()) if not layout.is_mine(cell) and not layout.number(cell)]
    board = layout.board({near for cell in zeros for near in (cell, *layout.board(()).neighbours(cell))})
    expected = analyse(board, engine="compiled")
    monkeypatch.setattr(probability, "VAST", 0)
    found = analyse(board, engine="compiled")
    with monkeypatch.context() as patched:
        patched.setattr("satsweep.solver.late_odds.cell_odds", None)
        assert (found.safe, found.mines, found.best) == (expected.safe, expected.mines, expected.best)
        assert found.worlds == expected.worlds and found.complete and found.least_risk == 0
        for row, risks in zip(found.float_risks, expected.risks, strict=True):
            for near, risk in zip(row, risks, strict=True):
                assert near == risk if risk in (None, 0, 1) else abs(near - float(risk)) < 1e-11  # type: ignore
    assert found.risks == expected.risks


def test_components_that_are_alike_are_multiplied_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Products grow with the kinds of totals and the digits of their numbers."""
    totals = [(1, 2, 1), (3, 1), (0, 5, 5)] * 500
    done = []
    original = polynomials.multiply

    def multiply(left: list[int], right: list[int]) -> list[int]:
        done.append(1)
        return original(left, right)

    monkeypatch.setattr(probability, "multiply", multiply)
    monkeypatch.setattr(probability.product_tree, "__defaults__", (multiply,))
    monkeypatch.setattr(probability.shares_of, "__defaults__", (multiply, polynomials.correlate))
    found = combine(totals, lambda mines: mines % 7 + 1)
    assert len(done) < 100 and len({found.shares[0], found.shares[3], found.shares[-3]}) == 1
    few = combine(totals[:9], lambda mines: mines % 7 + 1)
    product = [1]
    for total in totals[:9]:
        product = original(product, total)
    assert list(few.spread) == product[few.low :]
