"""Sentences: each step holds in all worlds, each rule occurs, each place is right."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import example, given, strategies as st

from satsweep.board import Board, Cell
from satsweep.errors import Contradiction
from satsweep.why import sentences
from satsweep.why.explainer import Explainer
from satsweep.why.phrases import clues, places
from satsweep.why.sentences import Argument, ArgumentStep, argument_in_words, conflict_in_words, correction_in_words
from satsweep.why.values import Conflict, Correction, Explanation
from tests import brute_force as oracle, strategies
from tests.conftest import Golden
from tests.symmetries import SYMMETRIES, moved
from tests.why import reasons
from tests.why.reasons import CONFLICTS, REASONS, GoldenCase

RULES = {
    "flag",
    "single point",
    "single points",
    "1-1",
    "1-2",
    "1-2-1",
    "1-2-2-1",
    "subset",
    "overlap",
    "subsets",
    "all mines found",
    "only mines left",
    "mine count",
    "suppose",
    "supposition",
    "clue set",
    "conflict",
}


def read(text: str) -> tuple[list[Cell], str]:
    """Return the cells that a text names, and the rest of the text; independently."""
    found = []
    pattern = r"[Rr]ows? ([-\d,to and]+?), columns? (-?\d+(?:(?:,| and| to) ?-?\d+)*)"
    for rows, cols in re.findall(pattern, text):
        found += [Cell(row, col) for row in numbers(rows) for col in numbers(cols)]
    return found, re.sub(pattern, "", text)


def numbers(text: str) -> list[int]:
    """Return the numbers of ``1, 3 to 5 and 7``."""
    found: list[int] = []
    for part in re.split(r", | and ", text):
        first, _, last = part.partition(" to ")
        found += range(int(first), int(last or first) + 1)
    return found


def check(board: Board, argument: Argument, clues: Sequence[Cell], total: bool) -> None:
    """Check that each step follows from earlier ones in all worlds of its clues."""
    before: list[ArgumentStep] = []
    for step in argument.steps:
        assert step.rule in RULES and step.text[0].isupper() and step.text[-1] == "."
        assert set(step.clues) <= set(clues) and (total or not step.total)
        flags = {clue for clue in step.clues if board[clue] == "F"}
        agreeing = oracle.worlds(board, numbers=[clue for clue in step.clues if clue not in flags], total=step.total)
        worlds = [world for world in agreeing if flags <= world]
        supposed = set(step.supposing)
        for cell, mine in supposed:
            worlds = [world for world in worlds if (cell in world) == mine]
        for earlier in before:
            # The supposition of a finished case no longer holds, nor do the steps that followed from it.
            if set(earlier.supposing) <= supposed and earlier.cells:
                worlds = [world for world in worlds if all((cell in world) == earlier.mine for cell in earlier.cells)]
        if step.cells:
            assert all((cell in world) == step.mine for world in worlds for cell in step.cells)
            said = "mine" if step.mine else "safe"
            assert said in step.text or step.rule in ("flag", "conflict")
            named, _ = read(step.text)
            assert set(step.cells) <= set(named) or "more cells" in step.text or step.rule == "clue set"
        elif step.rule != "conflict":
            assert worlds == []
        before.append(step)


def check_places(argument: Argument, board: Board) -> None:
    """Check that every number stands where the words name it."""
    for number, row, col in re.findall(r"[Tt]he (\d+) at row (\d+), column (\d+)", str(argument)):
        assert board.number((int(row), int(col))) == int(number)


either = st.one_of(strategies.boards(max_covered=10), strategies.unreliable_boards(max_covered=8), strategies.parts())


@given(either, st.booleans())
def test_every_step_holds_in_every_world(board: Board, trust: bool) -> None:
    try:
        explainer = Explainer(board, trust_flags=trust)
    except Contradiction:
        assert trust, "a flag may be wrong, the rest of these boards is not"
        return
    with explainer:
        for explanation in explainer.all():
            argument = argument_in_words(explanation)
            check(board, argument, explanation.clues, explanation.total)
            check_places(argument, board)
            last = argument.steps[-1]
            assert explanation.cell in last.cells and last.mine == explanation.mine and last.supposing == ()
            assert str(argument) == " ".join(argument.sentences)


@given(either, st.data())
def test_explanations_that_are_longer_than_they_need_be(board: Board, data: st.DataObject) -> None:
    """All numbers of the board are clues at once; arguments leave out useless steps."""
    truth = oracle.truth(board)
    assert truth is not None
    forced = [(cell, False) for cell in truth.safe] + [(cell, True) for cell in truth.mines]
    if forced:
        cell, mine = data.draw(st.sampled_from(forced))
        clues, total = tuple(oracle.cells_showing(board, "." + oracle.NUMBERS)), board.mines is not None
        argument = argument_in_words(Explanation(board, cell, mine, clues, total))
        check(board, argument, clues, total)
        assert cell in argument.steps[-1].cells and argument.steps[-1].mine == mine


@given(either, st.data())
def test_cells_that_are_not_forced_have_no_argument(board: Board, data: st.DataObject) -> None:
    truth = oracle.truth(board)
    assert truth is not None
    if truth.risk:
        cell, mine = data.draw(st.sampled_from(sorted(truth.risk))), data.draw(st.booleans())
        if truth.risk[cell] != int(mine):
            clues = tuple(oracle.cells_showing(board, "." + oracle.NUMBERS))
            with pytest.raises(ValueError, match="expected clues"):
                argument_in_words(Explanation(board, cell, mine, clues, board.mines is not None))


@given(
    st.one_of(
        strategies.nearly_true_boards(),
        strategies.arbitrary_boards(max_cells=10),
        strategies.wrong_parts(),
        st.builds(
            lambda board, clues: replace(board, clues=clues),
            strategies.arbitrary_boards(max_cells=10),
            strategies.clue_models,
        ),
    )
)
@example(Board(("*1#*",), clues="overestimate"))
@example(Board(("?2#?",), clues="underestimate"))
@example(Board(("1#", "3#")))
@example(Board(("..",), mines=1))
@example(Board(("*#",), mines=0))
def test_arguments_of_conflicts_end_in_a_contradiction(board: Board) -> None:
    clues, total = oracle.cells_showing(board, "." + oracle.NUMBERS), board.mines is not None
    conflict = Conflict(board, tuple(clues), total)
    if oracle.worlds(board):
        with pytest.raises(ValueError, match="expected clues"):
            conflict_in_words(conflict)
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sentences, "MOST_SENTENCES", 100)
        argument = conflict_in_words(conflict)
    check(board, argument, clues, total)
    check_places(argument, board)
    assert argument.steps[0].rule == "conflict" and argument.steps[-1].cells == ()
    assert len(argument.steps) > 1 and argument.steps[-1].supposing == ()


# Goldens, on real positions


def test_golden_texts(golden: Golden) -> None:
    golden("reasons.txt", "".join(reasons.golden()))


@pytest.mark.parametrize("golden", REASONS, ids=lambda golden: f"{golden.rule}, {golden.board}")
def test_golden_rules(golden: GoldenCase) -> None:
    argument = argument_in_words(golden.explanation)
    assert argument.rule == golden.rule
    assert golden.cell in argument.steps[-1].cells and argument.steps[-1].mine == golden.mine
    board, clues = golden.explanation.board, golden.explanation.clues
    check_places(argument, board)
    if len(board.covered) <= 12:
        check(board, argument, clues, golden.total)


def test_there_is_a_golden_explanation_of_every_rule() -> None:
    whole = {"chain", "cases"} | RULES - {"suppose", "conflict", "single points"}
    assert {golden.rule for golden in REASONS} == whole
    assert len(REASONS) >= 30 and any(conflict.total for conflict in CONFLICTS)


@pytest.mark.parametrize("golden", [golden for golden in REASONS if golden.clues], ids=lambda golden: golden.rule)
def test_golden_explanations_need_all_of_their_clues(golden: GoldenCase) -> None:
    """Explanations are minimal, so no argument may do without one of the clues."""
    board, cell, mine = golden.explanation.board, golden.explanation.cell, golden.mine
    for left_out in golden.explanation.clues:
        rest = tuple(clue for clue in golden.explanation.clues if clue != left_out)
        with pytest.raises(ValueError, match="expected clues"):
            argument_in_words(Explanation(board, cell, mine, rest, golden.total))


# Patterns, in any place and with any numbers


PATTERNS = {
    "1-1": ("11..", "###.", (2, 2), False, ((1, 0), (1, 1))),
    "1-2": ("12..", "###.", (2, 2), True, ((1, 0), (1, 1))),
    "1-2-1": (".121.", "#####", (2, 2), False, ((1, 1), (1, 2), (1, 3))),
    "1-2-2-1": (".1221.", "######", (2, 1), False, ((1, 1), (1, 3), (1, 4))),
}


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("reduced", [False, True])
@pytest.mark.parametrize("rule", PATTERNS)
def test_patterns_in_every_direction(rule: str, symmetry: str, reduced: bool) -> None:
    """The numbers may also be greater by known mines on their other side."""
    line, covered, target, mine, clues = PATTERNS[rule]
    rows: tuple[str, ...] = ("." * len(line), line, covered)
    if reduced:
        beside = [min(col + 1, len(line) - 1) - max(col - 1, 0) + 1 for col in range(len(line))]
        numbers = (str(int(s) + more) if s != "." else s for s, more in zip(line, beside, strict=True))
        rows = ("*" * len(line), "".join(numbers), covered)
    board, where = moved(Board(rows), symmetry)
    cell, *named = (where[Cell(*place)] for place in (target, *clues))
    argument = argument_in_words(Explanation(board, cell, mine, tuple(named)))
    assert argument.rule == rule
    assert ("known mines taken off" in str(argument)) == (reduced and len(clues) > 2)
    assert ("left" in str(argument)) == reduced


def test_a_pattern_that_is_interrupted_is_none() -> None:
    """The number between is a 3, so the line is no 1-2-2-1; the cell is still safe."""
    argument = argument_in_words(
        Explanation(Board(("####", "1321")), Cell(0, 0), False, (Cell(1, 0), Cell(1, 2), Cell(1, 3)))
    )
    assert argument.rule == "chain" and [step.rule for step in argument.steps] == ["1-2", "single point"]


def test_numbers_that_do_not_touch_are_no_pattern() -> None:
    """Side by side is not enough in a graph: the cells must touch."""
    edges = "edges 0-2 0-3 1-2 1-3 1-4"
    for topology, rule in ((edges, "subset"), (f"{edges} 0-1", "1-2")):
        argument = argument_in_words(
            Explanation(Board(("12###",), topology=topology), Cell(0, 4), True, (Cell(0, 0), Cell(0, 1)))
        )
        assert argument.rule == rule


def test_a_number_above_nine_in_words() -> None:
    board = Board(("??#", "?a?", "???", "###", "###", "###"), topology="square in 2 planes")
    argument = argument_in_words(Explanation(board, Cell(0, 2), True, (Cell(1, 1),)))
    assert str(argument).startswith("The 10 at row 1, column 1 needs 10 mines and has only 10 cells for them, so ")
    check(board, argument, [Cell(1, 1)], False)


# Arguments that are too long


def test_an_argument_that_is_too_long_names_the_clues(monkeypatch: pytest.MonkeyPatch) -> None:
    golden = next(golden for golden in REASONS if golden.rule == "cases")
    monkeypatch.setattr(sentences, "MOST_SUPPOSITIONS", 1)
    assert argument_in_words(golden.explanation).rule == "clue set"


def test_the_most_steps_of_an_argument_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    golden = next(golden for golden in REASONS if golden.rule == "cases")
    steps = len(argument_in_words(golden.explanation).steps)
    monkeypatch.setattr(sentences, "MOST_SENTENCES", steps)
    assert argument_in_words(golden.explanation).rule == "cases"
    monkeypatch.setattr(sentences, "MOST_SENTENCES", steps - 1)
    assert argument_in_words(golden.explanation).rule == "clue set"


def test_the_most_steps_of_a_conflict_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = len(conflict_in_words(CONFLICTS[0]).steps)
    assert steps > 2
    monkeypatch.setattr(sentences, "MOST_SENTENCES", steps - 1)
    assert len(conflict_in_words(CONFLICTS[0]).steps) == steps, "the first sentence does not count"
    monkeypatch.setattr(sentences, "MOST_SENTENCES", steps - 2)
    assert len(conflict_in_words(CONFLICTS[0]).steps) == 1


def test_conflicts_that_are_too_long_name_the_clues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "MOST_SENTENCES", 1)
    for conflict in CONFLICTS:
        argument = conflict_in_words(conflict)
        assert len(argument.steps) <= 2 and argument.steps[0].rule == "conflict"


@given(either)
def test_many_single_points_are_merged(board: Board) -> None:
    with pytest.MonkeyPatch.context() as patch, Explainer(board) as explainer:
        patch.setattr(sentences, "MOST_SENTENCES", 3)
        for explanation in explainer.all():
            argument = argument_in_words(explanation)
            check(board, argument, explanation.clues, explanation.total)
            assert len(argument.steps) <= 3


def test_single_points_that_are_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "MOST_SENTENCES", 3)
    board, clues = Board(("*1#1#1#1#1#1#1",)), tuple(Cell(0, col) for col in range(1, 12, 2))
    argument = argument_in_words(Explanation(board, Cell(0, 12), True, clues))
    assert [(step.rule, step.mine, step.cells) for step in argument.steps] == [
        ("single points", True, (Cell(0, 4), Cell(0, 8), Cell(0, 12))),
        ("single points", False, (Cell(0, 2), Cell(0, 6), Cell(0, 10))),
    ]
    check(board, argument, clues, False)


# Words


@given(st.sets(st.builds(Cell, st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=12))
def test_places_name_the_cells_and_no_others(cells: set[Cell]) -> None:
    said = places(cells)
    named, rest = read(said)
    assert len(named) == len(set(named)) and set(named) <= cells
    if found := re.search(r"(\w+) more cell", rest):
        more = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
        assert len(named) + more[found[1]] == len(cells)
    else:
        assert set(named) == cells


@pytest.mark.parametrize("count", [1, 11, 12, 13, 20])
def test_numbers_that_are_not_named_are_counted(count: int) -> None:
    board = Board(["1#" * count])
    text = clues(board, [Cell(0, 2 * place) for place in range(count)])
    others = re.search(r"(\d+) other numbers", text)
    assert text.count("the 1 at") + int(others[1] if others else 0) == count and (others is None) == (count <= 12)


def test_corrections_in_words() -> None:
    board = Board(("1F", "3#"), mines=2)
    assert correction_in_words(board, Correction(Cell(1, 0), 3, 1)) == "a 1 at row 1, column 0 instead of the 3"
    assert correction_in_words(board, Correction(Cell(1, 0), 3, 8)) == "an 8 at row 1, column 0 instead of the 3"
    assert correction_in_words(board, Correction(Cell(1, 0), 3, 11)) == "an 11 at row 1, column 0 instead of the 3"
    assert correction_in_words(board, Correction(None, 2, 1)) == "a mine total of 1 instead of 2"
    assert correction_in_words(board, Correction(Cell(0, 1))) == "no flag at row 0, column 1"
    board = Board(("1*", "?#"))
    assert correction_in_words(board, Correction(Cell(0, 1))) == "no mine at row 0, column 1"
    assert correction_in_words(board, Correction(Cell(0, 0), 1)) == "a mine at row 0, column 0 instead of the 1"
    assert correction_in_words(board, Correction(Cell(1, 0))) == "a mine at row 1, column 0 instead of an open cell"
