"""Parts of larger boards: unseen cells, what is certain whatever lies outside, and who refuses parts."""

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, strategies as st

from satsweep import Board, BoardError, Cell, Layout, analyse, fewest_clicks
from satsweep.agents import AGENTS
from satsweep.oracle.audit import audit
from satsweep.part import SIDES, WHOLE, Part, assuming_part, part_named
from satsweep.proofs.certificate import Certificate, Proof, Rejected
from satsweep.proofs.certify import certify
from satsweep.proofs.trace import GuessProof, check_guess
from satsweep.proofs.verify import verify
from satsweep.questions.float_risks import risks
from satsweep.solver.budget import Budget
from satsweep.why.explainer import Explainer
from tests import brute_force as oracle
from tests.cli import invoke, said, validate
from tests.schemas import SCHEMAS
from tests.solver.test_corpora import EXPERT, corpus
from tests.strategies import CUT, parts
from tests.symmetries import SYMMETRIES, moved

PIECE = "3####\n211##\n##1.1\n"
"""A piece of a board; its 3 has one covered cell on the grid."""

# --- names and unseen cells


@pytest.mark.parametrize("cut", list(product((False, True), repeat=4)), ids=str)
def test_every_part_has_a_name(cut: tuple[bool, ...]) -> None:
    part = Part(*cut)
    assert part_named(str(part)) == part and bool(part) == any(cut)
    assert Board.from_text(str(Board(("#",), part=part))).part == part
    assert eval(repr(Board(("#",), part=part))).part == part


@pytest.mark.parametrize("name", ["", "up", "all,top", "none,top", "top;left", "t"])
def test_what_names_no_part(name: str) -> None:
    with pytest.raises(BoardError, match="expected the sides that are cut"):
        part_named(name)
    with pytest.raises(TypeError, match="expected a part or its name, found 3"):
        Board(("#",), part=3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("topology", "sides"), list(product(sorted({*CUT}), product((False, True), repeat=4))), ids=str
)
def test_unseen_cells_are_those_beyond_the_cut(topology: str, sides: tuple[bool, ...]) -> None:
    for rows, cols in ((1, 1), (2, 3), (5, 4)):
        blank = Board(("#" * cols,) * rows, topology=topology)
        part = Part(*sides)
        if not part <= blank.topology.sides:
            with pytest.raises(BoardError, match="can be cut, found"):
                replace(blank, part=part)
            continue
        board = replace(blank, part=part)
        assert list(board.unseen) == oracle.unseen_cells(board)
        cells = [*board, *board.unseen]
        assert [board.cell(at) for at in range(len(cells))] == cells and [*map(board.index, cells)] == [
            *range(len(cells))
        ]
        for cell in board:
            assert set(board.neighbours(cell)) == oracle.touching(board, cell)
        for cell in board.unseen:
            assert board[cell] == "#" and board.is_covered(cell) and board.number(cell) is None
            assert set(board.neighbours(cell)) == {near for near in board if cell in oracle.touching(board, near)}
            for changed in (board.with_opened, lambda numbers, board=board: board.with_flags(numbers)):
                with pytest.raises(BoardError, match="expected a covered cell at"):
                    changed({cell: 0})
            with pytest.raises(ValueError, match="expected a covered cell"):
                analyse(board).risk(cell)


def test_a_far_offset_takes_no_time() -> None:
    board = Board(("##", "##"), topology="offsets 0,1000000 1000000,1", part="all")
    assert len(board.unseen) == 14 or len(board.unseen) == 16


@pytest.mark.parametrize("topology", ["torus", "edges 0-1", "square in 2 planes"])
def test_topologies_without_sides(topology: str) -> None:
    with pytest.raises(BoardError, match="expected a whole board, as no side of") as caught:
        Board(("#1", "##"), topology=topology, part="all")
    assert caught.value.at == "part"


def test_numbers_and_totals_of_parts() -> None:
    assert Board(("8#",), mines=99, part="all").number((0, 0)) == 8
    assert Board(("5#",), part="top,left").number((0, 0)) == 5
    with pytest.raises(BoardError, match="expected at most 5, as many as the cell has neighbours, found 6$"):
        Board(("6#",), part="top,left")
    with pytest.raises(BoardError, match=r"the 2 cells, found 99; is this a part of a larger board \(part all\)\?"):
        Board(("1#",), mines=99)
    with pytest.raises(BoardError, match=r"found 5; is this a part of a larger board \(part all\)\?"):
        Board(("5#",))
    with pytest.raises(BoardError, match="1,000,000 cells, found 1000001$"):
        Board(("1#",), mines=1_000_001, part="all")
    assert Board(Board(("5#",), part="all")).part == Board("part all\n5#").part == part_named("all")


def test_readers_may_assume_a_part() -> None:
    with assuming_part("all"):
        assert Board("5#").part == part_named("all") and Board("part none\n1#").part == WHOLE
    assert Board("1#").part == WHOLE


# --- what is certain


def cut(board: Board, top: int, left: int, rows: int, cols: int) -> Board:
    """A piece of a board, cut where the board goes on; it knows the total of the board."""
    sides = (top > 0, left > 0, top + rows < board.rows, left + cols < board.cols)
    cells = tuple(row[left : left + cols] for row in board.cells[top : top + rows])
    return Board(cells, mines=board.mines, part=Part(*sides))


def test_pieces_of_expert_positions() -> None:
    """All 200 are possible, what is certain in a piece is so on the board, and little is lost."""
    rng, found, certain = Random(1), 0, 0
    boards = corpus("positions_expert")
    for _ in range(200):
        board = boards[rng.choice(EXPERT)]
        whole = analyse(board)
        top, left = rng.randrange(board.rows - 5), rng.randrange(board.cols - 7)
        piece = cut(board, top, left, 6, 8)
        analysis = analyse(replace(piece, mines=rng.choice((None, board.mines))))
        for told, true in ((analysis.safe, whole.safe), (analysis.mines, whole.mines)):
            here = [Cell(row + top, col + left) for row, col in told]
            assert {*here} <= {*true}
            found += len(here)
            certain += sum(top <= row < top + 6 and left <= col < left + 8 for row, col in true)
    assert (found, certain) == (1583, 1694)


@given(parts(max_covered=11))
def test_with_a_total_that_excludes_nothing_there_might_be_none(board: Board) -> None:
    bounded = replace(board, mines=None if not board.part else 100, density=None)
    free = replace(board, mines=None, density=None)
    here, there = analyse(bounded), analyse(free)
    assert (here.worlds, here.risks, here.safe, here.mines) == (there.worlds, there.risks, there.safe, there.mines)


@given(parts(), st.sampled_from([name for name in SYMMETRIES if name != "identity"]))
def test_parts_have_the_symmetries_of_the_square(board: Board, symmetry: str) -> None:
    assume(board.topology.name in ("square", "orthogonal"))
    other, where = moved(board, symmetry)
    here, there = analyse(board), analyse(other)
    assert (there.worlds, there.weight, there.frontier_mines) == (here.worlds, here.weight, here.frontier_mines)
    assert {where[cell]: here.risk(cell) for cell in board.covered} == {
        cell: there.risk(cell) for cell in other.covered
    }


@given(parts(), st.integers(0, 3))
def test_a_budget_changes_no_certain_cell(board: Board, states: int) -> None:
    full, poor = analyse(board), analyse(board, engine="elimination", budget=Budget(states=states))
    assert (poor.safe, poor.mines) == (full.safe, full.mines)
    assert poor.worlds in (None, full.worlds)


@given(parts())
def test_stages_and_advice_name_cells_of_the_board(board: Board) -> None:
    analysis = analyse(board)
    on_board = {*board.covered}
    assert (
        {cell for cells in analysis.stages.values() for cell in cells} == {*analysis.safe, *analysis.mines} <= on_board
    )
    assert {own.cell for own in analysis.advice.candidates} <= on_board
    if board.part:
        assert analysis.advice.kind in ("safe", "risk") and not analysis.advice.unavoidable
        if not analysis.safe and analysis.best:
            assert analysis.risk(analysis.best) == analysis.least_risk
    own = risks([board])[0]
    assert all(own[cell] == float(analysis.risk(cell)) for cell in on_board)


# --- proofs


def test_a_certificate_is_for_one_part() -> None:
    board = Board(PIECE, part="all")
    with Explainer(board) as explainer:
        made = certify(board, explainer.all())
    assert verify(board, made).safe == 2
    for other in (Board(PIECE), replace(board, part=Part(top=True, left=True))):
        with pytest.raises(Rejected, match="another board"):
            verify(other, made)
        with pytest.raises(Rejected, match="another board"):
            verify(board, Certificate(other, made.proofs))


def test_the_total_of_a_part_is_no_lower_bound() -> None:
    """Of a whole board, or if it were one, all five cells were mines."""
    whole = Board(("#.#",), mines=2, clues="underestimate")
    piece = Board(("#.#",), mines=5, clues="underestimate", part="top")
    proved = {board: Certificate(board, (Proof(Cell(0, 0), True, (), board.mines),)) for board in (whole, piece)}
    assert verify(whole, proved[whole]).mines == 1 and analyse(piece).mines == ()
    with pytest.raises(Rejected, match="cell 0,0"):
        verify(piece, proved[piece])


# --- doors


def test_games_are_played_on_whole_boards() -> None:
    """Agents, clicks and proofs of guesses are about games."""
    refused = "expected a whole board, found a part of a larger one, cut at top"
    with pytest.raises(BoardError, match=refused):
        audit(next(iter(AGENTS)), [Board(("1#",), part="top")])
    layout = Layout((".*",), start=(0, 0))
    with pytest.raises(BoardError, match=refused):
        fewest_clicks(layout, board=Board(("1#",), part="top"))
    with pytest.raises(Rejected, match="another layout"):
        check_guess(GuessProof(layout, Board(("1#",), mines=1, part="top"), (layout,)))


@pytest.fixture
def piece(tmp_path: Path) -> Path:
    path = tmp_path / "piece.txt"
    path.write_text(PIECE)
    return path


def test_an_impossible_board_asks_for_the_larger_one(piece: Path) -> None:
    for command in ("solve", "explain"):
        found = invoke(command, piece)
        assert found.exit_code == 1
        assert found.stderr.endswith("3 at 0,0; is this a part of a larger board (--part all)?\n")
        assert "Is this a part of a larger board? As one it is possible: part all." in found.stdout
    told = json.loads(invoke("explain", piece, "--json").stdout)
    assert told["conflict"]["as_part"] == "all"
    piece.write_text("part all\n######\n#131##\n######\n")
    assert "larger" not in invoke("solve", piece).stderr


def test_the_option_says_what_the_header_says(piece: Path, tmp_path: Path) -> None:
    written, proofs = tmp_path / "part.json", tmp_path / "proofs.json"
    assert invoke("convert", piece, written, "--part", "right,left,top,bottom").exit_code == 0
    assert Board.load(written) == Board(PIECE, part="all")
    for file, options in ((piece, ("--part", "all")), (written, ())):
        for output in ((), ("--json",)):
            asked = ("--certify", proofs, "--explain", "--stages", "--cross-check", *output)
            found = invoke("solve", file, *options, *asked)
            assert found.exit_code == 0
            if output:
                validate(json.loads(found.stdout))
            else:
                assert "cut at all sides; risks are for an unknown surrounding, forced cells for any" in found.stdout
            assert invoke("verify", file, proofs, *options).stdout.startswith("accepted: 2 cells are forced")
    assert invoke("verify", piece, proofs).exit_code == 1
    assert "cut at all sides; risks are for" in invoke("solve", written, "--format", "svg").stdout
    assert "The larger board has cells around this part, at row 3, columns 2 to 4." in invoke("explain", written).stdout
    assert invoke("explain", written, "0,1").exit_code == 0


def test_an_option_overrides_a_header(piece: Path) -> None:
    piece.write_text("part top\nmines 9\n#1#\n")
    assert invoke("solve", piece, "--part", "none").stderr.count("'--part'") == 1
    piece.write_text("part top\n#1#\n")
    assert "part none" not in invoke("convert", piece, "--part", "none", "--to", "text").stdout


@pytest.mark.parametrize("command", ["solve", "explain", "verify", "convert"])
def test_bad_parts_are_usage_errors(command: str, piece: Path) -> None:
    second = [piece] if command == "verify" else []
    found = invoke(command, piece, *second, "--part", "up")
    assert found.exit_code == 2 and "expected the sides that are cut, of top, left" in said(found.stderr)
    piece.write_text("topology torus\n#1#\n")
    if command != "verify":
        to = ["--to", "json"] if command == "convert" else []
        found = invoke(command, piece, *to, "--part", "all")
        assert found.exit_code == 2 and "no side of torus can be cut" in said(found.stderr)


def test_rules_and_layouts_are_no_parts(tmp_path: Path) -> None:
    rules, layout = tmp_path / "rules.json", tmp_path / "layout.txt"
    rules.write_text('{"rules": [{"num_mines": 1, "cells": ["a"]}]}')
    layout.write_text("start 0,0\n.*\n")
    for asked in (("solve", rules), ("convert", layout, "--to", "tatham")):
        found = invoke(*asked, "--part", "all")
        assert found.exit_code == 2 and "expected a board with --part" in said(found.stderr)


def test_every_side_has_its_word() -> None:
    """Documents and schemas name them all."""
    for name in ("board", "certificate", "analysis"):
        properties = SCHEMAS[name]["$defs"]["board"]["properties"] if name == "board" else SCHEMAS[name]["properties"]
        assert all(side in properties["part"]["pattern"] for side in (*SIDES, "all"))
