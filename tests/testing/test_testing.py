"""Tests of the pytest plugin and the strategies, used as other projects do."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import Phase, find, given, settings, strategies as st
from hypothesis.errors import Unsatisfiable

from satsweep import analyse
from satsweep.agents import basic
from satsweep.board import Board
from satsweep.clues import clues_named
from satsweep.errors import BoardError, how_to_install
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout
from satsweep.testing import Oracle, assert_complete, assert_sound, boards, games, layouts
from satsweep.topology import SQUARE, TORUS
from tests import EXAMPLES, brute_force as oracle

pytest_plugins = ["pytester"]
SHAPES = ("square", "hexagonal wrapping both", "knight", "square in 2 planes")
SUBSET = Board(("###", "11#"), mines=1)


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Run pytest in a process of its own, as another project would."""
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *arguments)


# --- assertions ------------------------------------------------------------------------------------------------


def test_sound_and_complete(satsweep_oracle: Oracle) -> None:
    assert satsweep_oracle.analyse(SUBSET).safe == analyse(SUBSET).safe
    assert_sound("basic", SUBSET)
    assert_complete("sat", SUBSET)
    assert_complete("basic", SUBSET, like="basic")
    satsweep_oracle.assert_sound(basic.deduce, SUBSET)
    satsweep_oracle.assert_complete("gem", SUBSET, like=basic.deduce)
    assert satsweep_oracle.audit(basic.deduce, [SUBSET]).forced == 2


def test_a_claim_that_does_not_follow() -> None:
    with pytest.raises(AssertionError) as raised:
        assert_sound(lambda rows: ([(0, 2)], [(0, 0)] if len(rows) == 2 else []), SUBSET, view="rows")
    assert str(raised.value).splitlines() == [
        "<lambda> claims what does not follow from Board(('###', '11#'), mines=1)",
        "",
        "0,0 is claimed to be a mine. This world agrees with the board, and in it 0,0 is safe:",
        "",
        "board        a world (* mine, - safe)",
        "  0 1 2        0 1 2",
        "0[#]# #      0[-]* -",
        "1 1 1 #      1 1 1 -",
        "mines 1",
    ]


def test_at_most_three_claims_are_drawn() -> None:
    with pytest.raises(AssertionError, match="and 3 more unsound claims") as raised:
        assert_sound(lambda board: (board.covered, []), Board(("######",), mines=1))
    assert str(raised.value).count("is claimed to be safe") == 3


def test_a_claim_that_is_missing() -> None:
    with pytest.raises(AssertionError) as raised:
        assert_complete(basic.deduce, Board(("#1.", "#2.", "#1.")))
    told = str(raised.value).splitlines()
    assert [line for line in told[10:] if line.endswith(":")] == [
        "0,0 is a mine (1-2):", "1,0 is safe (1-2-1):", "2,0 is a mine (1-2):",
    ]  # fmt: skip
    assert told[:10] == [
        "deduce misses what follows from Board(('#1.', '#2.', '#1.'))",
        "",
        "not claimed to be safe: 1,0",
        "not claimed to be mines: 0,0 2,0",
        "",
        "board        forced (* mine, - safe)",
        "  0 1 2        0 1 2",
        "0[#]1 .      0[*]1 .",
        "1[#]2 .      1[-]2 .",
        "2[#]1 .      2[*]1 .",
    ]
    with pytest.raises(AssertionError, match="not claimed to be safe: 0,2 1,2"):
        assert_complete(basic.deduce, SUBSET, like="subset")


def test_claims_where_numbers_may_be_wrong() -> None:
    """A 0 that may be too low forces nothing; a world refutes claims that trust it."""
    board = Board(("0##",), mines=2, clues="underestimate")
    assert_sound("sat", board)
    assert_complete("sat", board)
    with pytest.raises(AssertionError) as raised:
        assert_sound(basic.deduce, board)
    lines = str(raised.value).splitlines()
    assert lines[0] == f"deduce claims what does not follow from {board!r}"
    assert "0,1 is claimed to be safe. This world agrees with the board, and in it 0,1 is a mine:" in lines
    with pytest.raises(AssertionError, match="not claimed to be mines: 0,1 0,2"):
        assert_complete(basic.deduce, board)


def test_boards_too_wide_to_stand_side_by_side() -> None:
    with pytest.raises(AssertionError) as raised:
        assert_sound(lambda board: ([], [(1, 79)]), Board(("1" + "#" * 79, "#" * 80), mines=1))
    lines = str(raised.value).splitlines()
    assert lines.index("a world (* mine, - safe)") == lines.index("board") + 5


# --- the plugin ------------------------------------------------------------------------------------------------


@pytest.mark.extended
def test_the_fixture_in_another_project(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from satsweep import Board

        def deduce(rows: list):
            return [(0, 1)], []

        def test_right(satsweep_oracle):
            satsweep_oracle.assert_sound(deduce, Board(("0#",)))

        def test_wrong(satsweep_oracle):
            satsweep_oracle.assert_sound(deduce, Board(("1##", "###"), mines=2))

        def test_incomplete(satsweep_oracle):
            satsweep_oracle.assert_complete(deduce, Board(("0#", "##"), mines=0))
        """
    )
    result = run(pytester)
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines([
        "E * AssertionError: deduce claims what does not follow from Board(('1##', '###'), mines=2)",
        "E * 0,1 is claimed to be safe. This world agrees with the board, and in it 0,1 is a mine:",
        "E  *0 1[[]#[]]#  *0 1[[][*][]]*",
        "E * not claimed to be safe: 1,0 1,1",
    ])  # fmt: skip
    # The trace ends in the test, not in the package.
    assert "satsweep/" not in result.stdout.str() and "testing.py" not in result.stdout.str()


@pytest.mark.extended
def test_the_plugin_is_light_and_needs_no_hypothesis(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        HEAVY = ("numpy", "networkx", "ortools", "pysat", "satsweep.board", "satsweep.solver",
        "satsweep.testing.strategies")

        def test_light():
            assert "satsweep.testing" in sys.modules
            assert not [name for name in HEAVY if name in sys.modules]

        def test_no_strategies(monkeypatch):
            monkeypatch.setitem(sys.modules, "hypothesis", None)
            try:
                from satsweep.testing import boards
            except ImportError as error:
                assert str(error).startswith("satsweep.testing.boards needs hypothesis: pip install -e '.[testing]'")
            else:
                assert False

        def test_nothing_else():
            import satsweep.testing
            try:
                satsweep.testing.nonsense
            except AttributeError:
                return
            assert False
        """
    )
    run(pytester, "-p", "no:hypothesispytest").assert_outcomes(passed=3)
    shown = run(pytester, "--fixtures", "-q").stdout
    shown.fnmatch_lines(["satsweep_oracle*", "*The exact Minesweeper engine as an oracle*"])


@pytest.mark.extended
def test_the_example_fails(pytester: pytest.Pytester) -> None:
    for name in ("wrong_agent.py", "test_wrong_agent.py"):
        shutil.copy(EXAMPLES / name, pytester.path)
    result = run(pytester, "--hypothesis-seed=0")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines([
        "E * AssertionError: deduce claims what does not follow from Board(('*",
        "E * is claimed to be a mine. This world agrees with the board, and in it * is safe:",
        "E * board * a world (? mine, - safe)",
        "E * mines *",
        "E * board=Board((*",
    ])  # fmt: skip


def test_the_readme_of_the_examples_shows_a_true_failure() -> None:
    """The board that the README prints refutes the agent as it says."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        from wrong_agent import deduce
    finally:
        sys.path.remove(str(EXAMPLES))
    readme = (EXAMPLES / "README.md").read_text()
    shown = readme[readme.index("E       AssertionError: ") :].split("```")[0]
    shown = "\n".join(line.removeprefix("E").removeprefix("       ") for line in shown.splitlines())
    place = shown.index("Board(")
    board = eval(shown[place : shown.index("\n", place)], {"Board": Board})
    with pytest.raises(AssertionError) as raised:
        assert_sound(deduce, board)
    assert f"AssertionError: {raised.value}\nFailing test case" in shown


@pytest.mark.extended
def test_the_example_passes_once_it_is_mended(pytester: pytest.Pytester) -> None:
    source = (EXAMPLES / "wrong_agent.py").read_text()
    mended = source.replace("difference >= min(len(others), 2)", "difference == len(others)")
    assert mended != source
    pytester.path.joinpath("wrong_agent.py").write_text(mended)
    shutil.copy(EXAMPLES / "test_wrong_agent.py", pytester.path)
    run(pytester, "--hypothesis-seed=0").assert_outcomes(passed=2)


def test_the_first_example_takes_no_longer_than_others() -> None:
    """What it needs is imported with the strategies, where Hypothesis has no deadline."""
    code = (
        "import sys\nfrom satsweep.testing import assert_sound, boards\nfrom satsweep import Board\n"
        "before = set(sys.modules)\n"
        "for claims in ([], [(0, 0)]):\n"
        "    try:\n        assert_sound(lambda board: (claims, []), Board(('##', '1#'), mines=1))\n"
        "    except AssertionError as error:\n        assert 'claims what does not follow' in str(error)\n"
        "print(sorted(set(sys.modules) - before))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_importing_it_without_pytest_says_what_to_install() -> None:
    code = "import sys; sys.modules['pytest'] = None; import satsweep.testing"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.endswith(f"\nImportError: satsweep.testing needs pytest: {how_to_install('testing')}\n")


# --- strategies ------------------------------------------------------------------------------------------------


@given(layouts(rows=(2, 4), cols=3, density=(0.25, Fraction(1, 2)), topologies=("torus",)))
def test_layouts_keep_to_their_ranges(layout: Layout) -> None:
    assert layout.rows in (2, 3, 4) and layout.cols == 3 and layout.topology is TORUS
    assert layout.rows * 3 / 4 <= layout.mines <= -(-layout.rows * 3 // 2)


@given(st.data())
def test_boards_are_what_is_asked_for(data: st.DataObject) -> None:
    exploded, told = data.draw(st.booleans()), data.draw(st.none() | st.booleans())
    reveal: Literal["any", "cells", "cascade"] = data.draw(st.sampled_from(["any", "cells", "cascade"]))
    board = data.draw(boards(rows=(1, 3), cols=(1, 4), reveal=reveal, exploded=exploded, tells_total=told))
    assert oracle.worlds(board)
    symbols = "".join(board.cells)
    assert "F" not in symbols and (exploded or "*" not in symbols)
    assert told is None or (board.mines is not None) == told
    if reveal == "cascade":
        for cell in oracle.cells_showing(board, "."):
            assert not any(board.is_covered(other) for other in oracle.touching(board, cell))


MODELS = ("exact", "random 1/2", "underestimate 1/3", "overestimate cap 8")


@given(boards(rows=(1, 3), cols=(1, 4), topologies=SHAPES, clues=MODELS, exploded=True))
def test_boards_with_clues_of_every_kind(board: Board) -> None:
    assert oracle.worlds(board) and str(board.clues) in MODELS
    assert board.clues.kind == "random" or "?" not in "".join(board.cells)
    assert_sound("sat", board)
    assert_complete("sat", board)


@given(games(rows=(3, 4), cols=(3, 4), topologies=SHAPES, clues=MODELS[1:]))
def test_games_with_clues_of_every_kind(game: tuple[Board, ...]) -> None:
    """An agent that takes numbers at face value may be wrong; numbers do not change."""
    assert game and len({board.clues for board in game}) == 1 and str(game[0].clues) in MODELS[1:]
    for before, after in zip(game, game[1:], strict=False):
        assert set(after.covered) < set(before.covered)
        assert all(after[cell] == before[cell] for cell in before if not before.is_covered(cell))


def test_clues_in_place_of_those_of_the_rules() -> None:
    rules = Rules(FirstClick.ANY, clues=clues_named("underestimate"))
    for wanted, clues in (("underestimate", None), ("random 1/2", ["random 1/2"])):
        game = find(games(rows=3, cols=3, rules=rules, clues=clues), lambda game: len(game) > 1)
        assert str(game[-1].clues) == wanted
    with pytest.raises(BoardError, match="expected clues among"):
        boards(clues=["fuzzy"])


def test_topologies_that_the_size_cannot_have() -> None:
    """They are left out, and without any other topology there is no layout."""
    planes = "square in 2 planes"
    odd = find(layouts(rows=(3, 4), cols=2, topologies=("square", planes)), lambda layout: layout.rows == 3)
    assert odd.topology is SQUARE
    assert find(layouts(rows=(3, 4), cols=2, topologies=(planes,)), lambda layout: True).rows == 4
    with pytest.raises(Unsatisfiable):
        find(layouts(rows=3, cols=2, topologies=(planes,)), lambda layout: True)


@given(games(rows=(3, 4), cols=(3, 4)))
def test_games_go_from_board_to_board(game: tuple[Board, ...]) -> None:
    assert game and set("".join(game[0].cells)) == {"#"}
    for before, after in zip(game, game[1:], strict=False):
        assert set(after.covered) < set(before.covered) and after.mines == before.mines
        assert "F" not in "".join(after.cells)
        assert all(after[cell] == before[cell] for cell in before if not before.is_covered(cell))
        assert_sound(basic.deduce, after)


def test_games_under_other_rules() -> None:
    rules = Rules(FirstClick.ANY, cascade=False, tells_total=False)
    game = find(games(rows=3, cols=3, rules=rules, agent="sat"), lambda game: len(game) > 2)
    assert all(board.mines is None for board in game)
    assert len(game[0].covered) - len(game[1].covered) == 1


@pytest.mark.extended
def test_they_shrink() -> None:
    assert find(layouts(), lambda layout: layout.mines >= 2) == Layout(("**",))
    assert find(layouts(rows=(2, 5), cols=(3, 9)), lambda layout: True) == Layout(("...", "..."))
    smallest = find(boards(), lambda board: bool(analyse(board).safe) and board.mines != 0)
    assert smallest.rows * smallest.cols <= 4
    game = find(games(), lambda game: len(game) > 1)
    assert game[0].cells == ("###",) * 3


def shows(symbol: str) -> Callable[[Board], bool]:
    return lambda board: symbol in "".join(board.cells)


def test_every_kind_of_board_can_be_found() -> None:
    quickly = settings(phases=[Phase.generate], max_examples=1000)
    for wanted in "#.123*?":
        drawn = boards(exploded=True, clues=("exact", "random 2/3"))
        find(drawn, shows(wanted), settings=quickly)
    find(boards(tells_total=None), lambda board: board.mines is None, settings=quickly)
    find(boards(topologies=("square", "torus")), lambda board: board.topology is TORUS, settings=quickly)
    find(boards(), lambda board: set("".join(board.cells)) == {"#"}, settings=quickly)
    find(boards(), lambda board: not board.covered, settings=quickly)


@pytest.mark.parametrize("wrong", [{"rows": 0}, {"cols": (3, 2)}, {"density": 1.5}, {"density": (0.5, 0.25)}])
def test_ranges_that_are_none(wrong: dict[str, object]) -> None:
    for strategy in (layouts, boards, games):
        with pytest.raises(ValueError, match="expected a"):
            strategy(**wrong)  # type: ignore[arg-type]
