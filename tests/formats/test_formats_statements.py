"""Statements about named cells: files, solutions, boards and graphs."""

import json
import tracemalloc
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, strategies as st

from satsweep import FORMATS, Board, BoardError, Contradiction, Statement, analyse, solve_statements
from satsweep.formats import StatementSet, read, read_board_or_statements, write
from tests.cli import invoke
from tests.formats.conformance import SAMPLES
from tests.formats.test_conformance import recognised
from tests.strategies import arbitrary_boards, boards, parts

FORMAT = FORMATS["rules"]
# The example in the manual of minesweepr, and its risks to four places.
EXAMPLE = (("AB", 1), ("ABC", 2), ("BCD", 3), ("CDE", 2), ("DEFGH", 2), ("GHI", 1), ("HI", 1))
RISKS = {"A": 0.0, "B": 1.0, "C": 1.0, "D": 1.0, "E": 0.0, "F": 0.0779, "G": 0.0, "H": 0.9221, "I": 0.0779}
MANUAL = StatementSet(tuple(Statement(mines, cells) for cells, mines in EXAMPLE), total_cells=85, total_mines=10)


def test_the_example_of_minesweepr(tmp_path: Path) -> None:
    path = tmp_path / "rules"
    write(MANUAL, path, format="rules")
    statements = StatementSet.load(path)
    assert statements == MANUAL == read(path) == read_board_or_statements(path)
    analysis = statements.solve()
    assert {name: round(float(risk), 4) for name, risk in analysis.risks.items() if risk is not None} == RISKS
    assert analysis.elsewhere == Fraction(6, 77) and round(6 / 77, 4) == 0.0779
    with pytest.raises(BoardError, match="expected a board as a player sees it, found rules about named cells"):
        Board.load(path)


def test_what_can_be_solved_is_statements_or_a_board(tmp_path: Path) -> None:
    path = tmp_path / "board"
    path.write_text("##1\n")
    assert read_board_or_statements(path) == Board(("##1",))
    path.write_text('{"dim": "1,2", "bombs": "1", "safe": "0,0", "board": "19"}')
    with pytest.raises(BoardError, match="expected a board as a player sees it, found a layout"):
        read_board_or_statements(path)


# --- statements of boards --------------------------------------------------------------------------------------------


@given(board=st.one_of(boards(), arbitrary_boards(), parts()))
def test_the_statements_of_a_board_say_what_the_board_says(board: Board) -> None:
    """For any topology and prior: the same risks, or two contradictions."""
    try:
        text = FORMAT.write(board)
    except BoardError as error:
        if "for a part" in error.message:
            assert board.part and board.mines is not None
        elif "few decimals" not in error.message:
            assert "known mines" in error.message
            with pytest.raises(Contradiction):
                analyse(board)
        return
    statements = FORMAT.read_statements(text)
    try:
        analysis = analyse(board)
    except Contradiction:
        with pytest.raises(Contradiction):
            statements.solve()
        return
    solved = statements.solve()
    assert solved.worlds == analysis.worlds and solved.weight == analysis.weight
    for cell in board.covered:
        assert analysis.risk(cell) == (solved.risk(str(cell)) if str(cell) in solved.names else solved.elsewhere)


def test_a_statement_set_solves_as_its_parts_do() -> None:
    statements = [Statement(1, "ab"), Statement(1, "bc")]
    expected = solve_statements(statements, total_cells=5, density="0.3", engine="sat")
    found = StatementSet(tuple(statements), 5, None, Fraction(3, 10)).solve(engine="sat")
    assert (found.risks, found.weight, found.elsewhere) == (expected.risks, expected.weight, expected.elsewhere)


def test_names_that_no_statement_has() -> None:
    statements = StatementSet((Statement(1, ["a", "b"]),), total_cells=4, total_mines=2, cells=("b", "c"))
    assert statements.solve().risks == {"a": Fraction(1, 2), "b": Fraction(1, 2), "c": Fraction(1, 2)}


# --- graphs ----------------------------------------------------------------------------------------------------------

GRAPH = FORMATS["graph"]


def test_a_graph_is_solved_as_statements(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    ((_, text, value),) = [sample for sample in SAMPLES if sample.form == "graph"]
    path.write_text(text)
    statements = StatementSet.load(path)
    assert statements == value == read_board_or_statements(path)
    assert statements.solve().risks == {"a": Fraction(1, 2), "c": Fraction(1, 2)}


@given(board=st.one_of(boards(), arbitrary_boards()))
def test_a_board_is_a_graph(board: Board) -> None:
    """The answer is the same, cell by cell."""
    edges = [[str(cell), str(other)] for cell in board for other in board.neighbours(cell) if cell < other]
    opened = {str(cell): board.number(cell) for cell in board if not board.is_covered(cell) and board[cell] != "*"}
    fields: dict[str, Any] = {"edges": edges, "open": opened}
    fields["known_mines"] = [str(cell) for cell in board if board[cell] == "*"]
    left = None if board.mines is None else board.mines - len(fields["known_mines"])
    assume(board.mines is None or board.mines >= len(fields["known_mines"]))
    assert GRAPH.recognises(text := json.dumps(fields))
    try:
        statements = GRAPH.read_statements(text)
        # A node that touches nothing is in no edge, so the total has to count it.
        analysis = replace(statements, total_cells=len(board.covered), density=board.density, total_mines=left).solve()
    except (BoardError, Contradiction):
        with pytest.raises(Contradiction):
            analyse(board)
        return
    there = analyse(board)
    assert analysis.worlds == there.worlds
    assert set(analysis.risks) == set(statements.cells)
    by_name = {str(cell): there.risk(cell) for cell in board.covered}
    assert all(risk == by_name[str(name)] for name, risk in analysis.risks.items())


# --- numbers that cannot be ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mines", [9, 2 * 10**8, 10**12, 10**20, 10**4000])
@pytest.mark.parametrize(
    "text",
    [
        '{"rules": [{"num_mines": %d, "cells": ["a"]}]}',
        '{"rules": [{"num_mines": %d, "cells": ["a"]}, {"num_mines": 1, "cells": ["b"]}], "total_cells": 3}',
        '{"rules": [{"num_mines": %d, "cells": []}]}',
        '{"edges": [["a", "b"]], "open": {"a": %d}}',
    ],
)
def test_more_mines_than_cells_contradict_however_many(text: str, mines: int) -> None:
    """Nothing of the size of the number is built."""
    statements = FORMATS[recognised(text)].read_statements(text % mines)
    tracemalloc.start()
    try:
        with pytest.raises(Contradiction) as caught:
            statements.solve()
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    (clue,) = caught.value.clues
    assert isinstance(clue, Statement) and clue.mines == mines


def test_the_command_names_the_rule(tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    path.write_text('{"rules": [{"num_mines": 100000000000000000000, "cells": ["a"]}]}')
    result = invoke("solve", path)
    assert result.exit_code == 1
    assert "these rules cannot all be true: 100000000000000000000 among a" in result.stderr
