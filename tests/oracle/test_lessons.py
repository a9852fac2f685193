"""Lessons of audits: missed cells with reasons, rules that claims break."""

import json
from pathlib import Path

import pytest
from hypothesis import given

from satsweep.board import Board, Cell
from satsweep.games.deal import random_layout
from satsweep.oracle.audit import audit, audit_games
from satsweep.oracle.lessons import Lesson, broken_rule, lessons_of
from satsweep.oracle.report import Audit, merged_audits
from satsweep.questions.witness import find_world
from satsweep.render.lessons import lesson_lines
from satsweep.techniques import TECHNIQUES, Technique
from satsweep.testing import assert_complete, assert_sound
from tests import strategies
from tests.cli import invoke

SUBSET = Board(("###", "11#"), mines=1)


@pytest.fixture(scope="module")
def of_basic() -> Audit:
    return audit_games("basic", [random_layout("beginner", seed=seed) for seed in range(20)])


@given(strategies.boards(max_covered=9))
def test_found_and_missed_cells_are_the_forced_ones(board: Board) -> None:
    for agent in ("basic", "subset"):
        report = audit(agent, [board], guesses=False)
        assert sum(report.found_by_technique) == report.found == report.forced - len(report.missed)
        beyond = [one for one in report.missed if one.technique is not Technique.SINGLE]
        assert report.forced_beyond == report.found_beyond + len(beyond)


@given(strategies.boards(max_covered=9))
def test_the_numbers_of_each_argument_force_its_cell(board: Board) -> None:
    """On a board that shows nothing else."""
    report = audit(lambda board: ([], []), [board], guesses=False)
    assert sum(lesson.missed for lesson in lessons_of(report)) == report.forced
    for lesson in lessons_of(report, 2):
        assert 1 <= len(lesson.examples) <= 2
        for (shown, cell, mine, _), argument in lesson.examples:
            kept = "".join(
                symbol if symbol in "#*" or shown.cell(index) in argument.clues else "?"
                for index, symbol in enumerate(shown.symbols)
            )
            rows = [kept[first : first + shown.cols] for first in range(0, len(kept), shown.cols)]
            bare = Board(tuple(rows), mines=shown.mines if argument.total else None, topology=shown.topology)
            assert find_world(bare, {cell: not mine}) is None


def test_lessons_are_grouped_by_technique(of_basic: Audit) -> None:
    found = lessons_of(of_basic, 3)
    assert [lesson.technique for lesson in found] == [Technique.PAIR, Technique.TOTAL]
    assert sum(lesson.missed for lesson in found) == of_basic.forced - of_basic.found
    assert str(found[0]) == f"it never combines two numbers: {found[0].missed} of {found[0].forced} missed"
    for lesson in found:
        assert [one.argument.technique for one in lesson.examples] == [lesson.technique] * 3
        sizes = [len(one.argument.clues) for one in lesson.examples]
        assert sizes == sorted(sizes)
    assert lessons_of(of_basic, 0)[0].examples == () and lessons_of(audit("sat", [SUBSET])) == ()


@pytest.mark.parametrize(
    ("missed", "said"),
    [(240, "never combines"), (216, "hardly ever combines"), (215, "does not always combine")],
)
def test_how_often_it_is_missed(missed: int, said: str) -> None:
    """Hardly ever is from nine of ten on."""
    assert str(Lesson(Technique.PAIR, missed, 240, ())) == f"it {said} two numbers: {missed} of 240 missed"


def test_parts_of_an_audit_add_up(of_basic: Audit) -> None:
    both = merged_audits("both", [of_basic, of_basic])
    assert both.missed == of_basic.missed * 2
    assert both.found_by_technique == tuple(2 * count for count in of_basic.found_by_technique)
    assert merged_audits("none", []).found_by_technique == (0,) * len(TECHNIQUES)


@pytest.mark.parametrize(
    ("rows", "cell", "mine", "said"),
    [
        (("F1#", "..."), (0, 2), True, "the 1 at 0,1 is satisfied by 0,0"),
        (("*1#", "..."), (0, 2), True, "the 1 at 0,1 is satisfied by 0,0"),
        (("##", "##", "3#"), (1, 0), False, "the 3 at 2,0 needs all of its covered cells"),
        ((".#", ".#"), (0, 1), True, "the number at 0,0 is 0"),
        (("#1#", "..."), (0, 1), True, "it is open and shows 1"),
        (("#*#", "#.."), (0, 1), False, "it is a mine that was opened"),
        (("#1#", "###"), (0, 0), True, ""),
    ],
)
def test_the_rule_of_one_number_that_a_claim_breaks(
    rows: tuple[str, ...], cell: tuple[int, int], mine: bool, said: str
) -> None:
    assert broken_rule(Board(rows), (Cell(*cell), mine)) == said


@given(strategies.boards(max_covered=8))
def test_a_broken_rule_is_broken_in_every_world(board: Board) -> None:
    """There are no marks, which the agent makes itself."""
    board = board.without_flags()
    for cell in board.covered:
        for mine in (False, True):
            if broken_rule(board, (cell, mine)):
                assert find_world(board, {cell: mine}) is None


def test_claims_of_one_turn_break_rules_together() -> None:
    report = audit(lambda board: ([], [(0, 0), (0, 1)]), [Board(("##", "11"))], guesses=False)
    assert [one.broken for one in report.unsound] == ["", "the 1 at 1,0 is satisfied by 0,0"]


def test_the_command_shows_them(tmp_path: Path, of_basic: Audit) -> None:
    (tmp_path / "board.txt").write_text(f"{SUBSET}\n")
    base = ("audit", "--agent", "basic", "--position", tmp_path / "board.txt")
    told = "It never combines two numbers: 2 of 2 missed. For example:"
    sentence = "touches these cells too and needs only one mine, so row 0, column 2 is safe."
    assert told not in invoke(*base).stdout, "it claims nothing there"
    shown = invoke(*base, "--missed", 2).stdout
    assert told in shown and sentence in shown and shown.count(" is safe (1-1):") == 1
    values = json.loads(invoke(*base, "--json").stdout)["missed"]
    assert (values[0]["technique"], values[0]["missed"], values[0]["forced"]) == ("pair of numbers", 2, 2)
    assert [example["clues"] for example in values[0]["examples"]] == [[[1, 0], [1, 1]]]
    page = invoke(*base, "--format", "html").stdout
    assert "It never combines two numbers: 2 of 2 missed" in page and page.count("<svg") == 1
    assert "".join(lesson_lines(lessons_of(of_basic, 0)[0])).endswith("missed.")


def test_the_plug_in_fails_in_the_same_words() -> None:
    with pytest.raises(AssertionError, match=r"0,2 is safe \(1-1\):\nThe 1 at row 1, column 0 needs one mine among"):
        assert_complete("basic", SUBSET)
    with pytest.raises(
        AssertionError, match=r"0,1 is claimed to be a mine, although the 1 at 1,0 is satisfied by 0,0\."
    ):
        assert_sound(lambda board: ([], [(0, 0), (0, 1)]), Board(("##", "11")))
