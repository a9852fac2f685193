"""Tests of the matrix, against elimination on fractions, and of its patterns."""

from fractions import Fraction

import pytest
from hypothesis import given

from satsweep.agents.gem import Row, claim_patterns, reduced_rows
from satsweep.agents.gem_full import claim_interval
from satsweep.agents.knowledge import Knowledge
from satsweep.board import Board
from satsweep.games.deal import game_rng, random_layout
from tests.strategies import arbitrary_boards, boards

Matrix = list[list[Fraction]]


def dense(knowledge: Knowledge, clues: list[int]) -> Matrix:
    """Return the rows of some numbers, a column for each cell, the right side last."""
    columns = sorted({cell for cells in knowledge.unknown.values() for cell in cells})
    return [
        [Fraction(cell in knowledge.unknown[clue]) for cell in columns] + [Fraction(knowledge.remaining[clue])]
        for clue in clues
    ]


def echelon(matrix: Matrix) -> Matrix:
    """Return the reduced row echelon form; the right side is never a pivot."""
    matrix = [row[:] for row in matrix]
    done = 0
    for column in range(len(matrix[0]) - 1 if matrix else 0):
        pivot = next((row for row in range(done, len(matrix)) if matrix[row][column]), None)
        if pivot is None:
            continue
        matrix[done], matrix[pivot] = matrix[pivot], matrix[done]
        matrix[done] = [value / matrix[done][column] for value in matrix[done]]
        for row in range(len(matrix)):
            if row != done and matrix[row][column]:
                factor = matrix[row][column]
                matrix[row] = [value - factor * own for value, own in zip(matrix[row], matrix[done], strict=True)]
        done += 1
    return matrix[:done]


def scaled(row: Row, columns: list[int]) -> list[Fraction]:
    entries = [Fraction(row.entries.get(cell, 0), row.pivot) for cell in columns]
    return [*entries, Fraction(row.right, row.pivot)]


def check_rows(board: Board) -> int:
    """Compare the rows with the textbook's, and return the largest entry beyond one."""
    knowledge = Knowledge(board)
    rows = reduced_rows(knowledge)
    columns = sorted({cell for cells in knowledge.unknown.values() for cell in cells})
    assert [scaled(row, columns) for row in rows] == echelon(dense(knowledge, list(knowledge.unknown)))
    for row in rows:
        assert next(iter(row.entries)) == min(row.entries) and row.pivot > 0
        # A combination of the numbers it names: it adds nothing to the space of their rows.
        own = dense(knowledge, list(row.clues))
        assert len(echelon([*own, scaled(row, columns)])) == len(echelon(own))
    return max((abs(entry) for row in rows for entry in row.entries.values()), default=0)


@given(boards())
def test_rows_are_those_of_the_textbook(board: Board) -> None:
    """Flags are removed: contradicting numbers do not determine the right sides."""
    check_rows(Board(board.without_flags().cells, topology=board.topology))


@pytest.mark.extended
@pytest.mark.parametrize("game", range(6))
def test_rows_of_larger_boards(game: int) -> None:
    rng = game_rng("matrix", game)
    layout = random_layout(9, 9, 18, rng)
    cells = [(row, col) for row in range(9) for col in range(9) if not layout.is_mine((row, col))]
    check_rows(layout.board(rng.sample(cells, 26)))


def test_entries_grow_beyond_one() -> None:
    """The boards need exact arithmetic on entries beyond one."""
    grown = 0
    for game in range(10):
        rng = game_rng("growing", game)
        layout = random_layout(7, 7, 12, rng)
        cells = [(row, col) for row in range(7) for col in range(7) if not layout.is_mine((row, col))]
        grown += check_rows(layout.board(rng.sample(cells, 16))) > 1
    assert grown > 1


@given(arbitrary_boards())
def test_contradictions_do_no_harm(board: Board) -> None:
    reduced_rows(Knowledge(board))


def claimed(read: str, entries: list[int], right: int) -> dict[int, bool]:
    """Return the claims from a row on a board of covered cells."""
    knowledge = Knowledge(Board(("#" * len(entries),)))
    row = Row({cell: entry for cell, entry in enumerate(entries) if entry}, right, ())
    {"patterns": claim_patterns, "interval": claim_interval}[read](knowledge, row)
    return {**dict.fromkeys(knowledge.safe, False), **dict.fromkeys(knowledge.mines, True)}


@pytest.mark.parametrize(
    ("entries", "right", "patterns", "interval"),
    [
        # The first pattern: as many as there are ones.
        ([1, 1, -1], 2, {0: True, 1: True, 2: False}, {0: True, 1: True, 2: False}),
        ([1, 1], 2, {0: True, 1: True}, {0: True, 1: True}),
        # The second: only ones, and none of them is a mine.
        ([1, 0, 1], 0, {0: False, 2: False}, {0: False, 2: False}),
        # The mirror image of the first is not in the paper.
        ([1, -1, -1], -2, {}, {0: False, 1: True, 2: True}),
        ([1, -1], 0, {}, {}),
        # Entries beyond one are not in it either.
        ([1, 2], 3, {}, {0: True, 1: True}),
        ([1, 2, -1], 3, {}, {0: True, 1: True, 2: False}),
        ([1, 1, 2], 1, {}, {2: False}),
        ([1, 1, -2], 0, {}, {}),
        ([1, 1, -2], 1, {}, {2: False}),
        ([1, 1], 1, {}, {}),
        # Divided by the pivot these are ones.
        ([2, -2], 2, {0: True, 1: False}, {0: True, 1: False}),
        ([2, 2], 0, {0: False, 1: False}, {0: False, 1: False}),
        # No whole number of mines: impossible, but no reason to claim a contradiction.
        ([2, 2], 1, {}, {0: False, 1: False}),
    ],
)
def test_reading_a_row(entries: list[int], right: int, patterns: dict[int, bool], interval: dict[int, bool]) -> None:
    assert claimed("patterns", entries, right) == patterns
    assert claimed("interval", entries, right) == interval
