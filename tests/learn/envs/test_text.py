"""Texts for language models: each form of a board says all of it, and replies are read as the grammar says."""

import json
import re
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from satsweep.board import Board, Cell
from satsweep.errors import BoardError
from satsweep.learn.envs.replies import DONE, GRAMMARS, MOST_READ, Answer, Claims, NamedReason
from satsweep.learn.envs.tasks import TASKS
from satsweep.learn.envs.text import LEGENDS, OBSERVATIONS, cells_text, observe, question
from tests.brute_force import worlds
from tests.strategies import boards

SMALL = Board(("##1.", "##21", "####"), mines=3)
plain_boards = boards().filter(lambda board: board.topology.name == "square" and not board.density)


def claims(safe: list[tuple[int, int]], mines: list[tuple[int, int]]) -> Claims:
    return Claims(frozenset(map(Cell.of, safe)), frozenset(map(Cell.of, mines)))


SAFE_BY_ONE = NamedReason(Cell(2, 1), False, (Cell(0, 2),), False)
REPLIES: list[tuple[str, str, Answer | None]] = [
    # a cell to open, and the end of a game
    ("game", "open 2 3", Cell(2, 3)),
    ("game", "Open 2,3", Cell(2, 3)),
    ("game", "I will **open (2, 3)**.", Cell(2, 3)),
    ("game", "`open 2 3`", Cell(2, 3)),
    ("game", "open  (2 ,3)", Cell(2, 3)),
    ("game", "open 10 12", Cell(10, 12)),
    ("game", "open 1 1, no: open 2 3", Cell(2, 3)),
    ("game", "First open 1 1.\n2. Then look.", Cell(1, 1)),
    ("game", "<answer>open 2 3</answer>", Cell(2, 3)),
    ("game", "<ANSWER> 2 3 </ANSWER>", Cell(2, 3)),
    ("game", "<answer>(2, 3)</answer> open 1 1", Cell(1, 1)),
    ("game", "<answer>1 1</answer> <answer>2 3</answer>", Cell(2, 3)),
    ("game", r"So \boxed{open 2 3}.", Cell(2, 3)),
    ("game", r"\boxed{(2,3)}", Cell(2, 3)),
    ("game", r"\boxed{\text{open 2 3}}", Cell(2, 3)),
    ("game", '{"open": [2, 3]}', Cell(2, 3)),
    ("game", '```json\n{"why": {"a": 1}, "open": [2, 3]}\n```', Cell(2, 3)),
    ("game", '{"move": {"open": [2, 3]}}', Cell(2, 3)),
    ("game", 'open 1 1 {"open": [2, 3]} {"note": []}', Cell(2, 3)),
    ("game", '{"open": [2, 3]} but rather open 1 1', Cell(1, 1)),
    ("game", "done", DONE),
    ("game", "I give up.\n done. \n", DONE),
    ("game", "<answer>done</answer>", DONE),
    ("game", r"\boxed{done}", DONE),
    ("game", '{"done": true}', DONE),
    ("game", "open 2 3\nThat is all there is to be done", Cell(2, 3)),
    ("game", "open 2 3\ndone", DONE),
    ("game", "", None),
    ("game", "the corner is safe", None),
    ("game", "open the corner", None),
    ("game", "open 2", None),
    ("game", "open -1 2", None),
    ("game", "open 1 2 3", None),
    ("game", "open 1.5 2", None),
    ("game", "open 1 2.5", None),
    ("game", "open 12345 1", None),
    ("game", "reopen 2 3", None),
    ("game", "2 3", None),
    ("game", "flag 2 3", None),
    ("game", "<answer>the corner</answer>", None),
    ("game", '{"open": [2]}', None),
    ("game", '{"open": [2, -3]}', None),
    ("game", '{"open": [2.0, 3]}', None),
    ("game", '{"open": [true, 3]}', None),
    ("game", '{"done": false}', None),
    ("game", '{"open": [2, 3]', None),
    ("move", "open 2 3", Cell(2, 3)),
    ("move", "open 2 3\ndone", Cell(2, 3)),
    ("move", "done", None),
    # certain cells
    ("deduce", "safe: (0,1) (2,3); mines: (1,1)", claims([(0, 1), (2, 3)], [(1, 1)])),
    ("deduce", "**Safe:** (0, 1), (2, 3)\n**Mines:** none", claims([(0, 1), (2, 3)], [])),
    ("deduce", "safe: none; mines: 1,1", claims([], [(1, 1)])),
    ("deduce", "safe: [(0,1)]. mines: [(1,1)]", claims([(0, 1)], [(1, 1)])),
    ("deduce", "safe: ; mines: ", claims([], [])),
    ("deduce", "none", claims([], [])),
    ("deduce", "There is none of them safe, I think.\nNone.", claims([], [])),
    ("deduce", "<answer>none</answer>", claims([], [])),
    ("deduce", r"\boxed{none}", claims([], [])),
    ("deduce", "none\nno: safe: (0,1); mines: none", claims([(0, 1)], [])),
    ("deduce", "<answer>safe: (0,1); mines: (1,1)</answer>", claims([(0, 1)], [(1, 1)])),
    ("deduce", '{"safe": [[0, 1]], "mines": [[1, 1]]}', claims([(0, 1)], [(1, 1)])),
    ("deduce", '{"safe": [], "mines": "none"}', claims([], [])),
    ("deduce", '{"mines": [[1, 1]]}', claims([], [(1, 1)])),
    ("deduce", "none of these is certain", None),
    ("deduce", "safe: (0,1)", None),
    ("deduce", "safe: (0,1) 2; mines: none", None),
    ("deduce", "safe: A1; mines: none", None),
    ("deduce", '{"safe": [[0]], "mines": []}', None),
    ("deduce", '{"certain": []}', None),
    # a risk
    ("risk", "risk 1/3", Fraction(1, 3)),
    ("risk", "The risk is large. Risk: 2 / 6", Fraction(1, 3)),
    ("risk", "risk = 0.25", Fraction(1, 4)),
    ("risk", "risk 25%", Fraction(1, 4)),
    ("risk", "risk 12.5 %", Fraction(1, 8)),
    ("risk", "risk 0", Fraction(0)),
    ("risk", "risk 1.", Fraction(1)),
    ("risk", "<answer>1/3</answer>", Fraction(1, 3)),
    ("risk", r"\boxed{\frac{1}{3}}", Fraction(1, 3)),
    ("risk", r"$\boxed{\dfrac{4}{12}}$", Fraction(1, 3)),
    ("risk", '{"risk": "1/3"}', Fraction(1, 3)),
    ("risk", '{"risk": 0.1}', Fraction(1, 10)),
    ("risk", '{"risk": 1}', Fraction(1)),
    ("risk", "1/3", None),
    ("risk", "risk 1/0", None),
    ("risk", "risk 1/3/5", None),
    ("risk", "the risk is one third", None),
    ("risk", '{"risk": "high"}', None),
    ("risk", '{"risk": 1e999999999}', None),
    # a reason
    ("why", "safe 2 1 because (0,2) (1,2)", NamedReason(Cell(2, 1), False, (Cell(0, 2), Cell(1, 2)), False)),
    ("why", "Mine (2, 1) because: 0,2 and the mine total", NamedReason(Cell(2, 1), True, (Cell(0, 2),), True)),
    ("why", "mine 2 1 because (0,2) and total", NamedReason(Cell(2, 1), True, (Cell(0, 2),), True)),
    ("why", "safe 2 1 because total", NamedReason(Cell(2, 1), False, (), True)),
    ("why", "<answer>safe 2 1 because (0,2)</answer>", SAFE_BY_ONE),
    ("why", '{"cell": [2, 1], "is": "safe", "numbers": [[0, 2]]}', SAFE_BY_ONE),
    (
        "why",
        '{"cell": [2, 1], "is": "mine", "numbers": [], "total": true}',
        NamedReason(Cell(2, 1), True, (), True),
    ),
    ("why", "safe 2 1 because of the numbers", None),
    ("why", "safe 2 1 because (0,2) 1", None),
    ("why", "safe 2 1", None),
    ("why", '{"cell": [2, 1], "is": "sure", "numbers": [[0, 2]]}', None),
    ("why", '{"cell": [2, 1], "is": "safe", "numbers": [[0, 2]], "total": "no"}', None),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "reply", "answer"), REPLIES)
def test_the_last_answer_counts(kind: str, reply: str, answer: Answer | None) -> None:
    assert GRAMMARS[kind].last(reply) == answer


@pytest.mark.parametrize("kind", GRAMMARS)
def test_every_kind_has_answers_and_format_errors_in_the_table(kind: str) -> None:
    assert {answer is None for own, _, answer in REPLIES if own == kind} == {True, False}


@given(st.text(), st.sampled_from(sorted(GRAMMARS)))
def test_any_reply_can_be_read(reply: str, kind: str) -> None:
    GRAMMARS[kind].last(reply)


PIECES = ("<answer>", "\\boxed{", "{", "[", '{"open":', "open ", "open 1 ", "safe: ", "1,", " ", "risk 1", "done ",
          "\n", "safe 1 1 because ", "\\frac{1}", "9")  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_long_replies_take_no_longer_than_they_are(piece: str) -> None:
    """Patterns that go back and forth over 50,000 characters would take hours."""
    for kind in GRAMMARS:
        GRAMMARS[kind].last(piece * (MOST_READ // len(piece)))
        GRAMMARS[kind].last("safe 1 1 because " + piece * (MOST_READ // len(piece)))


def test_an_answer_is_looked_for_at_the_end() -> None:
    assert GRAMMARS["game"].last("open 1 2" + " " * MOST_READ) is None
    assert GRAMMARS["game"].last("?" * 10 * MOST_READ + "open 1 2") == Cell(1, 2)


# Boards


def cells_in(text: str) -> list[Cell]:
    return [Cell(int(row), int(col)) for row, col in re.findall(r"\((\d+),(\d+)\)", text)]


def rebuilt(board: Board, symbols: dict[Cell, str]) -> tuple[str, ...]:
    return tuple("".join(symbols.get(Cell(row, col), "?") for col in range(board.cols)) for row in range(board.rows))


def seen(board: Board) -> tuple[str, ...]:
    return board.without_flags().cells


@given(plain_boards)
def test_a_grid_has_every_symbol_below_its_column(board: Board) -> None:
    size, head, *lines = observe(board, "grid").split("\n")
    assert (
        size == f"rows: {board.rows}, columns: {board.cols}, mines: {'unknown' if board.mines is None else board.mines}"
    )
    assert len({len(line) for line in (head, *lines)}) == 1
    found = [line.split() for line in lines]
    assert head.split() == [str(col) for col in range(board.cols)]
    assert [row[0] for row in found] == [str(row) for row in range(board.rows)]
    assert tuple("".join(row[1:]).replace("0", ".") for row in found) == seen(board)


@given(plain_boards)
def test_coordinates_say_the_whole_board(board: Board) -> None:
    lines = observe(board, "coordinates").split("\n")[1:]
    symbols = dict.fromkeys(cells_in(lines[-1]), "#")
    for line in lines[:-1]:
        number = re.fullmatch(r"\(\d+,\d+\)=(\d+)", line)
        assert number or line.startswith("known mines: ")
        symbols |= dict.fromkeys(cells_in(line), number[1].replace("0", ".") if number else "*")
    assert rebuilt(board, symbols) == seen(board)


@given(plain_boards)
def test_json_says_the_whole_board(board: Board) -> None:
    found = json.loads(observe(board, "json"))
    assert (found["rows"], found["cols"], found["mines"]) == (
        board.rows, board.cols, "unknown" if board.mines is None else board.mines,
    )  # fmt: skip
    symbols = {Cell(one["row"], one["col"]): str(one["number"]).replace("0", ".") for one in found["open"]}
    symbols |= {Cell(*cell): "#" for cell in found["covered"]}
    symbols |= {Cell(*cell): "*" for cell in found.get("known_mines", ())}
    assert rebuilt(board, symbols) == seen(board)


@given(plain_boards)
def test_equations_have_the_worlds_of_the_board(board: Board) -> None:
    """Each is less the known mines around its number; with the mine total they say all that is known."""
    lines = observe(board, "constraints").split("\n")[1:]
    equations = [(cells_in(line.split(": ")[1]), int(line.rsplit("=", 1)[1])) for line in lines if line[:4] == "the "]
    covered = [cell for cells, _ in equations for cell in cells] + cells_in(lines[-1])
    assert set(covered) == set(board.covered)
    left = None if board.mines is None else board.mines - board.symbols.count("*")
    found = {
        frozenset(world)
        for size in range(len(board.covered) + 1) if left in (None, size)
        for world in combinations(board.covered, size)
        if all(len(set(cells) & set(world)) == mines for cells, mines in equations)
    }  # fmt: skip
    # A number without covered cells that is wrong has no equation; such a board has no world at all.
    assert found == set(worlds(board)) or not worlds(board)


def test_an_opened_mine_is_shown_in_every_form() -> None:
    board = Board(("*2#", "#21"), mines=2)
    assert "0 * 2 #" in observe(board)
    assert "known mines: (0,0)" in observe(board, "coordinates")
    assert "the 2 at (0,1): (0,2)+(1,0)=1" in observe(board, "constraints")
    assert json.loads(observe(board, "json"))["known_mines"] == [[0, 0]]


def test_flags_are_not_shown() -> None:
    assert observe(Board(("F1", "##"))) == observe(Board(("#1", "##")))


@pytest.mark.parametrize("form", OBSERVATIONS)
@pytest.mark.parametrize("kind", GRAMMARS)
def test_every_prompt_says_the_total_and_how_to_answer(form: str, kind: str) -> None:
    asked = question(SMALL, form, kind, "?")
    assert "There are 3 mines" in asked and GRAMMARS[kind].form in asked and LEGENDS[form] in asked
    unknown = question(Board(SMALL.cells), form, kind, "?")
    assert "number of mines is unknown" in unknown and re.search(r'mines"?: "?unknown', unknown)


def test_forms_and_grammars_are_complete() -> None:
    assert set(LEGENDS) == set(OBSERVATIONS)
    assert set(GRAMMARS) == {*TASKS, "game"}


def test_what_no_form_can_say_is_refused() -> None:
    for board in (Board(SMALL.cells, topology="torus"), Board(SMALL.cells, clues="underestimate")):
        with pytest.raises(BoardError, match="expected a plain square board"):
            observe(board)
    with pytest.raises(ValueError, match=r"expected an observation among grid, .*, found 'picture'"):
        observe(SMALL, "picture")
    assert cells_text([]) == "none"
