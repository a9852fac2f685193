"""Formulas for model counters: their models are the worlds, and a model counter finds our worlds and risks."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import assume, given, strategies as st
from pysat.solvers import Solver

from satsweep import FORMATS, Board, BoardError, Contradiction, Statement, analyse
from satsweep.board import Cell
from satsweep.formats import StatementSet, cnf
from satsweep.solver import is_installed
from tests.brute_force import worlds
from tests.cli import invoke
from tests.strategies import arbitrary_boards, boards

FORMAT = FORMATS["cnf"]
EXPERT = Path(__file__).parents[1] / "data/positions_expert.jsonl"


class Formula(NamedTuple):
    """A file as a strict reader of the competition's format takes it."""

    task: str
    top: int
    shown: list[int]
    weights: dict[int, Fraction]
    clauses: list[list[int]]
    names: dict[int, str]

    @classmethod
    def read(cls, text: str) -> "Formula":
        task, header = "", [0, 0]
        shown: list[int] = []
        clauses: list[list[int]] = []
        weights: dict[int, Fraction] = {}
        names: dict[int, str] = {}
        assert text.isascii() and text.endswith("\n")
        for line in text.splitlines():
            match line.split():
                case ["c", "t", task]:
                    assert task in ("pmc", "pwmc")
                case ["c", "p", "show", *variables, "0"]:
                    shown += map(int, variables)
                case ["c", "p", "weight", literal, weight, "0"]:
                    weights[int(literal)] = Fraction(weight)
                case ["c", number, "the", "cell", *_] if number.endswith(":"):
                    names[int(number[:-1])] = line.partition("the cell ")[2].removesuffix(" is a mine")
                case ["c", *_]:
                    pass
                case ["p", "cnf", *numbers]:
                    assert not clauses
                    header = list(map(int, numbers))
                case [*literals, "0"]:
                    clauses.append(list(map(int, literals)))
        assert header[1] == len(clauses) and all(clauses), "as many clauses as announced, none of them empty"
        assert all(1 <= abs(literal) <= header[0] for clause in clauses for literal in clause)
        assert shown == list(range(1, len(shown) + 1)) and len(shown) <= header[0]
        assert weights.keys() in (set(), {sign * number for number in shown for sign in (1, -1)})
        return cls(task, header[0], shown, weights, clauses, names)

    def models(self) -> Iterator[list[int]]:
        """Every model, over all variables; one of a formula without any is the empty one."""
        if not self.top:
            yield []
            return
        with Solver("cadical153", [*self.clauses, [self.top, -self.top]]) as solver:
            while solver.solve():
                found = {abs(literal): literal for literal in solver.get_model()}
                model = [found.get(number, -number) for number in range(1, self.top + 1)]
                yield model
                solver.add_clause([-literal for literal in model])


@contextmanager
def adders_from(clauses: int) -> Iterator[None]:
    with patch.object(cnf, "FEW", clauses):
        yield


# --- models ----------------------------------------------------------------------------------------------------------


@given(board=st.one_of(boards(max_covered=9), arbitrary_boards(max_cells=10)), few=st.sampled_from([-1, 10, 300]))
def test_the_models_are_the_worlds(board: Board, few: int) -> None:
    """With the mine total, and over all variables: a counter may ignore what is shown."""
    try:
        with adders_from(few):
            formula = Formula.read(FORMAT.write(board))
    except BoardError as error:
        assert "known mines" in error.message
        with pytest.raises(Contradiction):
            analyse(board)
        return
    covered = board.covered
    assert formula.names == {number: str(cell) for number, cell in enumerate(covered, 1)}
    assert formula.shown == list(formula.names)
    models = [[literal > 0 for literal in model[: len(covered)]] for model in formula.models()]
    assert sorted(models) == sorted([cell in mines for cell in covered] for mines in worlds(board))


@given(board=boards(max_covered=8).filter(lambda board: board.density is not None))
def test_weights_add_up_to_ours(board: Board) -> None:
    try:
        formula = Formula.read(FORMAT.write(board))
    except BoardError:
        assume(False)  # a known mine that no number counts
    assert formula.task == "pwmc"
    total = Fraction(0)
    for model in formula.models():
        weight = Fraction(1)
        for literal in model[: len(formula.shown)]:
            weight *= formula.weights[literal]
        total += weight
    assert total == analyse(board).weight
    assert Formula.read(FORMAT.write(replace(board, density=None))).weights == {}


@pytest.mark.parametrize(
    ("density", "written"), [("0.2", ("0.2", "0.8")), ("1/3", ("1/3", "2/3")), ("1e-7", ("1e-07", "0.9999999"))]
)
def test_weights_are_exact(density: str, written: tuple[str, str]) -> None:
    text = FORMAT.write(Board(("##",), density=Fraction(density)))
    assert f"c p weight 2 {written[0]} 0\nc p weight -2 {written[1]} 0\n" in text


def test_statements_about_named_cells() -> None:
    statements = StatementSet((Statement(1, ["b", "a\nc 0"]),), total_cells=5, total_mines=2, cells=("d",))
    text = FORMAT.write(statements)
    formula = Formula.read(text)
    assert formula.names == {1: '"a\\nc 0"', 2: "b", 3: "d"} and len(formula.shown) == 5
    assert "c 4 to 5: a cell without a name is a mine\n" in text
    assert len(list(formula.models())) == statements.solve().worlds == 6
    assert not list(Formula.read(FORMAT.write(StatementSet((Statement(3, ["a"]),)))).models())
    with pytest.raises(BoardError, match="expected at least 1 cells, as many as are named, found 0"):
        FORMAT.write(StatementSet((Statement(1, ["a"]),), total_cells=0))


def test_the_largest_boards_take_clauses_in_proportion() -> None:
    small, large = (Formula.read(FORMAT.write(Board(("#" * side,) * side, mines=side))) for side in (40, 80))
    assert large.top < 4 * len(large.shown) and len(large.clauses) < 20 * len(large.shown)
    assert len(large.clauses) < 4.1 * len(small.clauses)


def test_a_formula_is_only_written(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text("mines 1\n#1#\n111\n")
    made = tmp_path / "board.cnf"
    assert invoke("convert", str(tmp_path / "board.txt"), str(made)).exit_code == 0
    assert invoke("convert", str(tmp_path / "board.txt"), "--to", "cnf").stdout == made.read_text()
    refused = invoke("convert", str(made), "--from", "cnf", "--to", "json")
    assert refused.exit_code == 3
    assert "expected a format that can be read: files of this one are only written" in refused.stderr


# --- an independent witness ------------------------------------------------------------------------------------------

ganak = pytest.mark.skipif(
    not is_installed("pyganak"), reason="needs pyganak (extra bench; no wheels for Windows and Python 3.14)"
)


def counted(formula: Formula, *assumed: int) -> int:
    """Models that Ganak counts; cells decide all variables, so nothing is projected."""
    import pyganak

    counter: Any = pyganak.Counter()
    counter.new_vars(formula.top)
    counter.add_clauses([*formula.clauses, *([literal] for literal in assumed)])
    return int(counter.count())


def positions(number: int) -> list[tuple[str, Board]]:
    found = map(json.loads, EXPERT.read_text().splitlines()[:number])
    return [(position["id"], Board(position["board"], mines=position["mines"])) for position in found]


def agrees(board: Board, cells: Iterable[Cell]) -> None:
    """Compare the worlds, and the risks of some cells."""
    analysis, formula = analyse(board), Formula.read(FORMAT.write(board))
    ways = counted(formula)
    assert ways == analysis.worlds
    for cell in cells:
        assert Fraction(counted(formula, board.covered.index(cell) + 1), ways) == analysis.risk(cell), cell


@ganak
@pytest.mark.slow
@pytest.mark.parametrize(("name", "board"), positions(200), ids=lambda value: value if isinstance(value, str) else "")
def test_ganak_counts_our_worlds(name: str, board: Board) -> None:
    """The worlds and risks of 200 stuck expert positions.

    Every risk of the 40 with fewest covered cells; of the others, whose counts take up to half a minute, the one
    nearest to a half.
    """
    analysis = analyse(board)
    doubt = min(board.covered, key=lambda cell: abs(analysis.risk(cell) - Fraction(1, 2)))
    agrees(board, board.covered if len(board.covered) <= 114 else [doubt])


@ganak
@pytest.mark.extended
def test_ganak_finds_the_published_risks() -> None:
    """Of (0,0)=1 (1,0)=1 (2,0)=2 on 8x8 with 10 mines: 4/53 and 49/53 beside the ones, then 0, 57/106 and 15/106."""
    rows = ("1#######", "1#######", "2#######", *("########",) * 5)
    board = Board(rows, mines=10)
    cells = [Cell(0, 1), Cell(1, 1), Cell(2, 1), Cell(3, 0), Cell(7, 7)]
    risks = [Fraction(4, 53), Fraction(49, 53), 0, Fraction(57, 106), Fraction(15, 106)]
    assert list(map(analyse(board).risk, cells)) == risks
    agrees(board, cells)
