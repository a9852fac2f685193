"""Statements about named cells: files, solutions, boards and graphs."""

import json
import tracemalloc
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, strategies as st

from satsweep import FORMATS, Board, BoardError, Contradiction, Layout, Statement, analyse, solve_statements
from satsweep.formats import StatementSet, minesweepr, read, read_board_or_statements, write
from tests.cli import invoke
from tests.formats.test_formats_layouts import recognised
from tests.strategies import arbitrary_boards, boards

FORMAT = FORMATS["rules"]
# The example in the manual of minesweepr, and its risks to four places.
EXAMPLE = (("AB", 1), ("ABC", 2), ("BCD", 3), ("CDE", 2), ("DEFGH", 2), ("GHI", 1), ("HI", 1))
RISKS = {"A": 0.0, "B": 1.0, "C": 1.0, "D": 1.0, "E": 0.0, "F": 0.0779, "G": 0.0, "H": 0.9221, "I": 0.0779}
MANUAL = StatementSet(tuple(Statement(mines, cells) for cells, mines in EXAMPLE), total_cells=85, total_mines=10)

names = st.one_of(st.text(max_size=3), st.integers(0, 99))
statement_sets = st.builds(
    StatementSet,
    st.lists(st.builds(Statement, st.integers(0, 5), st.sets(names, max_size=5)), max_size=5).map(tuple),
    total_cells=st.none() | st.integers(25, 100),
    total_mines=st.none() | st.just(0),
) | st.builds(StatementSet, st.just(()), density=st.integers(1, 99).map(lambda percent: Fraction(percent, 100)))


@given(statement_sets)
def test_statements_read_back(statements: StatementSet) -> None:
    text = FORMAT.write(statements)
    assert FORMAT.read_statements(text) == statements == FORMAT.read(text)
    assert next(name for name, format in FORMATS.items() if format.recognises(text)) == "rules"


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


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ('{"rules": []}', StatementSet(())),
        ('{"rules": [{"num_mines": 1, "cells": ["a", 2]}]}', StatementSet((Statement(1, ["a", 2]),))),
        ('{"total_cells": 3, "total_mines": null, "rules": []}', StatementSet((), total_cells=3)),
        ('{"rules": [], "mine_prob": 0.2}', StatementSet((), density=Fraction(1, 5))),
        ('{"rules": [], "mine_prob": 2e-1, "total_cells": 9}', StatementSet((), 9, None, Fraction(1, 5))),
    ],
)
def test_forms_that_are_read(text: str, statements: StatementSet) -> None:
    assert FORMAT.recognises(text) and FORMAT.read_statements(text) == statements


ONE = '{"rules": [{"num_mines": 1, "cells": ["a", "b"]}]'
WRONG = [
    ('{"rules": 1}', 11, "expected 'rules' as a list"),
    ('{"rules": [1]}', 12, "expected a JSON object with num_mines, cells"),
    ('{"rules": [{"cells": []}]}', 12, "expected the key 'num_mines'"),
    ('{"rules": [{"num_mines": -1, "cells": []}]}', 26, "expected 'num_mines' as an integer from 0"),
    ('{"rules": [{"num_mines": 1, "cells": "ab"}]}', 38, "expected 'cells' as a list"),
    ('{"rules": [{"num_mines": 1, "cells": [[1]]}]}', 39, "expected an item of 'cells' as a string"),
    ('{"rules": [{"num_mines": 1, "cells": [true]}]}', 39, "expected an item of 'cells' as a string"),
    ('{"rules": [{"num_mines": 1, "cells": ["a", "b", "a"]}]}', 49, "expected each cell once, found 'a' again"),
    (ONE + ', "cells": 2}', 61, "expected a key among rules, total_cells, total_mines, mine_prob, found 'cells'"),
    (ONE + ', "total_cells": 1}', 67, "expected 2, as many as are named, to 1,000,000 cells, found 1"),
    (ONE + ', "total_cells": 1000001}', 67, "expected 2, as many as are named, to 1,000,000 cells"),
    (ONE + ', "total_mines": 3}', 67, "expected at most 2 mines, as many as there are cells, found 3"),
    (ONE + ', "total_mines": 4, "total_cells": 3}', 67, "expected at most 3 mines"),
    (ONE + ', "mine_prob": 1}', 65, "expected a probability strictly between 0 and 1"),
    (ONE + ', "mine_prob": "x"}', 65, "expected 'mine_prob' as a number"),
    (ONE + ', "mine_prob": 0.1, "total_mines": 1}', 65, "expected total_mines or mine_prob, found both"),
]


@pytest.mark.parametrize(("text", "column", "message"), WRONG, ids=lambda part: str(part)[-30:])
def test_what_is_wrong_is_named(text: str, column: int, message: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    path.write_text(f"\n{text}")
    with pytest.raises(BoardError) as caught:
        StatementSet.load(path)
    assert message in caught.value.message
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(path), 2, column)


def test_what_it_cannot_hold() -> None:
    with pytest.raises(BoardError, match=r"expected cells named by text or integers, found \(0, 1\)"):
        FORMAT.write(StatementSet((Statement(1, [(0, 1)]),)))
    with pytest.raises(BoardError, match="expected cells named by text or integers, found True"):
        FORMAT.write(StatementSet((Statement(1, [True]),)))
    with pytest.raises(BoardError, match="expected a density with few decimals, found 1/3"):
        FORMAT.write(StatementSet((), density=Fraction(1, 3)))
    with pytest.raises(BoardError, match="expected rules about named cells, found a layout, with all its mines"):
        FORMAT.write(Layout(("*.",)))
    with pytest.raises(BoardError, match="expected a board as a player sees it, found rules about named cells"):
        FORMATS["json"].write(MANUAL)


# --- statements of boards --------------------------------------------------------------------------------------------


@given(board=st.one_of(boards(), arbitrary_boards()))
def test_the_statements_of_a_board_say_what_the_board_says(board: Board) -> None:
    """For any topology and prior: the same risks, or two contradictions."""
    try:
        text = FORMAT.write(board)
    except BoardError as error:
        if "few decimals" not in error.message:
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


def test_numbers_that_known_mines_exceed() -> None:
    with pytest.raises(
        BoardError, match="expected a number that counts exactly and counts the known mines, found one at 0,1"
    ):
        minesweepr.statements_of(Board(("*.#",)))
    with pytest.raises(
        BoardError, match="expected a mine total that counts the known mines and .*, found one that does not"
    ):
        minesweepr.statements_of(Board(("*#",), mines=0))
    with pytest.raises(BoardError, match="expected a mine total that .* fits the cells, found one that does not"):
        minesweepr.statements_of(Board((".1#",), mines=2))


@given(statements=statement_sets, place=st.integers(0, 300), cut=st.integers(0, 4), extra=st.text(max_size=3))
def test_mangled_statements_raise_board_errors_and_nothing_else(
    statements: StatementSet, place: int, cut: int, extra: str
) -> None:
    text = FORMAT.write(statements)
    place %= len(text) + 1
    text = text[:place] + extra + text[place + cut :]
    try:
        assert isinstance(FORMAT.read_statements(text), StatementSet)
    except BoardError as error:
        assert (error.line or 0) >= 1 and (error.column or 0) >= 1


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4), st.lists), st.data())
def test_any_json_value_in_any_field(value: object, data: st.DataObject) -> None:
    rule: dict[str, object] = {"num_mines": 1, "cells": ["a", "b"]}
    fields: dict[str, object] = {"rules": [rule], "total_cells": 5, "total_mines": 2}
    key = data.draw(st.sampled_from([*rule, *fields, "mine_prob"]))
    (rule if key in rule else fields)[key] = value
    try:
        statements = FORMAT.read_statements(json.dumps(fields))
    except BoardError as error:
        assert error.line == 1 and (error.column or 0) >= 1
    else:
        try:
            statements.solve()
        except Contradiction:
            assert statements.statements, "what is read can be solved"


def test_a_statement_set_solves_as_its_parts_do() -> None:
    statements = [Statement(1, "ab"), Statement(1, "bc")]
    expected = solve_statements(statements, total_cells=5, density="0.3", engine="sat")
    found = StatementSet(tuple(statements), 5, None, Fraction(3, 10)).solve(engine="sat")
    assert (found.risks, found.weight, found.elsewhere) == (expected.risks, expected.weight, expected.elsewhere)


def test_names_that_no_statement_has() -> None:
    statements = StatementSet((Statement(1, ["a", "b"]),), total_cells=4, total_mines=2, cells=("b", "c"))
    assert statements.solve().risks == {"a": Fraction(1, 2), "b": Fraction(1, 2), "c": Fraction(1, 2)}
    with pytest.raises(BoardError, match="expected every name in some rule, found 'c' in none"):
        FORMAT.write(statements)


# --- graphs ----------------------------------------------------------------------------------------------------------

GRAPH = FORMATS["graph"]
TRIANGLES = '{"edges": [["a", "b"], ["b", "c"], ["c", 4], ["4", "b"]], "open": {"b": 1, "4": null}, "total_mines": 1}'


def test_a_graph_is_read_as_statements(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    path.write_text(TRIANGLES)
    statements = StatementSet.load(path)
    assert statements == StatementSet((Statement(1, ["a", "c"]),), 2, 1, None, ("a", "c"))
    assert statements == read_board_or_statements(path)
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"edges": []}', "1:1: expected the key 'open'"),
        ('{"edges": [["a"]], "open": {}}', "1:12: expected an edge as a list of two nodes that differ"),
        ('{"edges": [["a", "a"]], "open": {}}', "1:12: expected an edge as a list of two nodes that differ"),
        ('{"edges": [["a", 1.5]], "open": {}}', "1:18: expected an item of 'edges' as a string"),
        ('{"edges": [], "open": []}', "1:23: expected 'open' as an object with the number of each open node"),
        ('{"edges": [], "open": {"a": -1}}', "1:29: expected 'a' as an integer from 0"),
        ('{"edges": [], "open": {"a": 1}, "known_mines": ["a"]}', "1:48: expected nodes that are not open, found 'a'"),
        ('{"edges": [["a", "b"]], "open": {"a": 0}, "known_mines": ["b"]}', "1:33: expected at least 1 at 'a'"),
        ('{"edges": [["a", "b"]], "open": {"a": 1}, "total_mines": 2}', "1:58: expected 0, as many as are known, to 1"),
        ('{"edges": [], "open": {}, "mine_prob": 1}', "1:40: expected a probability strictly between 0 and 1"),
        (
            '{"edges": [], "open": {}, "total_mines": 0, "mine_prob": 0.5}',
            "1:58: expected total_mines or mine_prob, found both",
        ),
    ],
)
def test_what_is_no_graph(text: str, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        GRAPH.read_statements(text)
    assert str(caught.value).startswith(message)


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
