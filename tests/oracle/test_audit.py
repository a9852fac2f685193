"""Tests of audits: counts by hand, and verdicts against brute force."""

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest
from hypothesis import assume, given, strategies as st

from satsweep.agents import agent_named, basic, random_agent
from satsweep.agents.load import load_agent
from satsweep.agents.views import rows_of
from satsweep.analysis.analyse import analyse
from satsweep.board import NUMBERS, Board, Cell
from satsweep.clues import clues_named
from satsweep.errors import AgentError, Contradiction
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.games.deal import game_rng, random_layout, with_start
from satsweep.games.game import play
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout
from satsweep.oracle.audit import audit, audit_games, missed, regret_of
from satsweep.oracle.report import Audit, WrongRisk
from satsweep.render.audit import audit_to_text, refutation
from satsweep.solver.budget import Budget
from tests import brute_force as oracle, strategies

# Nothing is forced, and the risks differ.
CORNER = Board(("#1#", "1##", "###"), mines=2)
# The two 1s force what one alone does not: the mine of the first is at 0,0 or 0,1, so 0,2 and 1,2 are safe.
SUBSET = Board(("###", "11#"), mines=1)


every_board = st.one_of(strategies.boards(max_covered=10), strategies.unreliable_boards(max_covered=8))


def silent(board: Board) -> tuple[list[Cell], list[Cell]]:
    return [], []


def all_safe(board: Board) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    return board.covered, ()


def truthful(board: Board) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    analysis = analyse(board)
    return analysis.safe, tuple(cell for cell in analysis.mines if board[cell] == "#")


# --- on boards -------------------------------------------------------------------------------------------------


def test_counted_by_hand() -> None:
    """On SUBSET 0,2 and 1,2 are safe (the mine is at 0,0 or 0,1); basic sees neither."""
    report = audit("basic", [SUBSET])
    assert (report.positions, report.games, report.claims, report.unsound) == (1, 0, 0, ())
    assert (report.forced, report.found, report.forced_beyond, report.found_beyond) == (2, 0, 2, 0)
    assert (report.completeness, report.completeness_beyond) == (0, 0)
    report = audit("sat", [SUBSET, SUBSET])
    assert (report.positions, report.claims, report.forced, report.found) == (2, 4, 4, 4)
    assert (report.completeness, report.completeness_beyond, report.guesses) == (1, 1, 0)
    assert (report.mean_regret, report.greatest_regret) == (None, None)


def test_nothing_to_find_is_no_share() -> None:
    report = audit(silent, [Board(("##",), mines=1)])
    assert (report.forced, report.completeness, report.completeness_beyond) == (0, None, None)
    assert report.sound and audit(silent, []) == Audit("silent")


@given(every_board)
def test_verdicts_are_those_of_brute_force(board: Board) -> None:
    """An agent that claims each cell to be both is wrong on each, and misses none."""
    truth = oracle.truth(board)
    assert truth is not None
    report = audit(lambda shown: (shown.covered, shown.covered), [board])
    assert report.claims == 2 * len(truth.risk)
    assert report.found == report.forced == len(truth.safe) + len(truth.mines)
    wrong = {(cell, "safe") for cell in truth.risk if truth.risk[cell]}
    wrong |= {(cell, "mine") for cell in truth.risk if truth.risk[cell] < 1}
    assert {(found.cell, found.claimed) for found in report.unsound} == wrong
    worlds = oracle.worlds(board)
    for found in report.unsound:
        mined = frozenset(cell for cell in oracle.cells_showing(board, "#F") if found.world.is_mine(cell))
        assert mined in worlds and (found.cell in mined) == (found.claimed == "safe")


@given(every_board)
def test_regret_is_that_of_brute_force(board: Board) -> None:
    truth = oracle.truth(board)
    assert truth is not None
    assume(truth.risk)
    analysis = analyse(board)
    for cell, risk in truth.risk.items():
        assert regret_of(analysis, cell) == risk - min(truth.risk.values())


@given(strategies.unreliable_boards(max_covered=8))
def test_weak_agents_are_heard_where_numbers_may_be_wrong(board: Board) -> None:
    """Claims are found or unsound; conclusions from one number are not beyond basic.

    The number is read as the clue model has it.
    """
    truth = oracle.truth(board)
    assert truth is not None
    forced = {*((cell, "safe") for cell in truth.safe), *((cell, "mine") for cell in truth.mines)}
    for name in ("basic", "tank", "gem-full"):
        report = audit(name, [board])
        assert forced.isdisjoint((found.cell, found.claimed) for found in report.unsound)
        assert report.found == report.claims - len(report.unsound) <= report.forced == len(forced)
    strongest = audit("sat", [board])
    assert strongest.sound and strongest.found == len(forced) and not any(strongest.regrets)
    assert 0 <= strongest.found_beyond == strongest.forced_beyond <= len(forced)


def test_a_number_that_is_too_low_misleads_who_trusts_it() -> None:
    """A cell that is a mine for any reading of the numbers is not beyond one number."""
    board = Board(("0##", "###"), mines=3, clues="underestimate")
    report = audit("basic", [board])
    assert [(found.cell, found.claimed) for found in report.unsound] == [
        ((0, 1), "safe"),
        ((1, 0), "safe"),
        ((1, 1), "safe"),
    ]
    assert all(len([c for c in board if found.world.is_mine(c)]) == 3 for found in report.unsound)
    least = audit("basic", [Board(("#1",), clues="underestimate")])
    assert (least.sound, least.found, least.forced, least.forced_beyond) == (True, 1, 1, 0)
    # Three of three: basic claims it, and it is true. One of two that may be too high: nothing is forced.
    most = audit("basic", [Board(("2#", "#."), clues="overestimate")])
    assert (most.claims, most.found, len(most.unsound)) == (2, 2, 0)


def test_a_claim_is_heard_once() -> None:
    """Repeated claims are not counted again; mines of the first call are flagged next."""
    shown: list[Board] = []

    def stubborn(board: Board) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        shown.append(board)
        return ([(0, 2)] if "F" in board.cells[0] else []), [(0, 0)]

    report = audit(stubborn, [Board(("#1#",), mines=1)])
    assert [board.cells for board in shown] == [("#1#",), ("F1#",), ("F1#",)]
    assert report.claims == len(report.unsound) == 2
    # Each board is as the agent saw it, and the flag on it is refuted.
    assert [found.board.cells for found in report.unsound] == [("#1#",), ("F1#",)]
    assert report.unsound[1].world == Layout(("..*",))


def test_flags_on_a_given_board_are_taken_off() -> None:
    shown: list[Board] = []

    def note(board: Board) -> tuple[list[Cell], list[Cell]]:
        shown.append(board)
        return [], []

    audit(note, [Board(("F1#",), mines=1)])
    assert shown == [Board(("#1#",), mines=1)]


def test_guesses_are_judged() -> None:
    risks = oracle.truth(CORNER).risk  # type: ignore[union-attr]
    least = min(risks.values())
    for cell, risk in risks.items():
        agent = Agent(silent, lambda board, rng, cell=cell: Guess(cell))  # type: ignore[misc]
        report = audit(agent, [CORNER, CORNER])
        assert report.regrets == (risk - least,) * 2 and report.guesses == 2
        assert report.least_risk_guesses == (2 if risk == least else 0)
        assert report.mean_regret == report.greatest_regret == risk - least


def test_who_claims_a_safe_cell_need_not_guess() -> None:
    agent = Agent(truthful, random_agent.guess)
    assert audit(agent, [SUBSET]).guesses == 0
    assert audit(agent, [Board(("##",), mines=1)]).guesses == 1
    assert audit(agent, [Board(("##",), mines=1)], guesses=False).guesses == 0
    assert audit(agent, [Board(("##",), mines=2)]).guesses == 0
    assert audit(Agent(silent, lambda board, rng: None), [Board(("##",), mines=1)]).guesses == 0


def test_what_the_budget_leaves_unknown_is_not_judged() -> None:
    board = Board(("##########", "#1#2#2#2#1", "##########"), mines=7)
    agent = Agent(silent, lambda board, rng: (0, 0))
    report = audit(agent, [board], budget=Budget(states=0))
    assert (report.guesses, report.unjudged, report.regrets, report.mean_regret) == (1, 1, (), None)
    assert audit(agent, [board]).unjudged == 0
    # Forced cells are known with any budget, so claims are always judged.
    assert len(audit(all_safe, [board], budget=Budget(states=0)).unsound) == len(board.covered) - len(
        analyse(board).safe
    )


def test_boards_that_nothing_agrees_with() -> None:
    with pytest.raises(Contradiction):
        audit("basic", [Board(("#1", "#3"), mines=1)])


# --- in games --------------------------------------------------------------------------------------------------


def layouts(number: int, rows: int = 6, cols: int = 6, mines: int = 6) -> list[Layout]:
    return [random_layout(rows, cols, mines, game_rng("audit", game)) for game in range(number)]


def test_an_episode_by_hand() -> None:
    """One mine, at the left end of a row; the cell beside it is open and shows 1."""
    layout = Layout(("*...",))
    rules = Rules(FirstClick.ANY, start=Cell(0, 1), cascade=False)
    agent = Agent(silent, lambda board, rng: Guess(board.covered[-1]))
    report = audit_games(agent, [layout], rules)
    # At the first guess the total makes 0,3 safe. It shows 0, so at the second guess 0,2 is safe and 0,0 a mine.
    assert (report.games, report.positions, report.claims) == (1, 2, 0)
    assert (report.forced, report.found, report.regrets) == (3, 0, (0, 0))
    # Only the total says that 0,3 is safe, so it is beyond basic; the rest is not.
    assert report.forced_beyond == 1
    finder = audit_games(Agent(truthful, random_agent.guess), [layout], rules)
    assert (finder.forced, finder.found, finder.claims, finder.guesses) == (3, 3, 3, 0)
    assert (finder.forced_beyond, finder.found_beyond) == (1, 1)


def test_a_cell_that_is_missed_twice_counts_twice() -> None:
    layout = Layout(("*....",))
    rules = Rules(FirstClick.ANY, start=Cell(0, 1), cascade=False)
    agent = Agent(silent, lambda board, rng: Guess(board.covered[-1]))
    # 0,3 and 0,4 at the first guess, which opens 0,4; 0,3 at the second; 0,0 and 0,2 at the third.
    assert audit_games(agent, [layout], rules).forced == 2 + 1 + 2


def test_giving_up_ends_an_episode() -> None:
    report = audit_games(Agent(silent, lambda board, rng: None), [Layout(("*...",))], Rules(start=Cell(0, 1)))
    assert (report.forced, report.found, report.guesses) == (1, 0, 0)


def test_a_promised_first_move_is_not_judged() -> None:
    for first, judged in ((FirstClick.SAFE, 0), (FirstClick.ZERO, 0), (FirstClick.ANY, 1)):
        agent = Agent(truthful, lambda board, rng: Guess(Cell(0, 0)) if set("".join(board.cells)) == {"#"} else None)
        report = audit_games(agent, [Layout(("....", "....", "...*"))], Rules(first))
        assert report.guesses == judged


def test_games_are_the_same_every_time() -> None:
    for name in ("basic", "sat"):
        assert audit_games(name, layouts(3), seed=1) == audit_games(name, layouts(3), seed=1)


def test_agents_in_games() -> None:
    simple, strong = (audit_games(name, layouts(20)) for name in ("basic", "sat"))
    assert simple.sound and strong.sound
    assert simple.found < simple.forced and strong.found == strong.forced
    assert simple.found_beyond == 0 < simple.forced_beyond and strong.found_beyond == strong.forced_beyond
    assert simple.mean_regret and not any(strong.regrets) and strong.regrets
    assert simple.games == strong.games == 20


def test_the_audit_does_not_change_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    records = []
    monkeypatch.setattr("satsweep.oracle.audit.play", lambda *given: records.append(play(*given)))
    audit_games("gem-select", layouts(5), seed=3)
    monkeypatch.undo()
    for number, (layout, record) in enumerate(zip(layouts(5), records, strict=True)):
        assert play(layout, agent_named("gem-select"), Rules(), game_rng("3/play", number)) == record


def test_wrong_flags_and_what_follows_from_them() -> None:
    """An agent reasons from a wrong flag: flag and conclusions are unsound, once each."""

    def hasty(board: Board) -> Deduction:
        if set("".join(board.cells)) == {"#", "1"}:
            return Deduction(mines=(Cell(0, 2),))
        return basic.deduce(board)

    layout = Layout(("*...",))
    report = audit_games(hasty, [layout], Rules(FirstClick.ANY, start=Cell(0, 1), cascade=False))
    assert [(found.cell, found.claimed) for found in report.unsound] == [((0, 2), "mine"), ((0, 0), "safe")]
    assert report.unsound[1].board.cells == ("#1F#",)
    assert report.unsound[1].world == Layout(("*...",))


def test_a_cell_claimed_to_be_both_is_one_unsound_claim() -> None:
    """The start shows 0, so 0,1 is safe, and by the total 0,0 is the mine."""
    rules = Rules(FirstClick.ANY, start=Cell(0, 2), cascade=False)
    report = audit_games(lambda board: ([(0, 0)], [(0, 0)]), [Layout(("*..",))], rules)
    assert [(found.cell, found.claimed) for found in report.unsound] == [((0, 0), "safe")]
    assert (report.claims, report.found, report.forced) == (2, 1, 2)


@pytest.mark.extended
@pytest.mark.parametrize("clues", ["random 1/2", "underestimate", "overestimate", "overestimate cap 8"])
def test_games_where_numbers_are_not_exact(clues: str) -> None:
    rules = Rules(clues=clues_named(clues))
    simple, strong = (audit_games(name, layouts(10), rules) for name in ("tank", "sat"))
    assert strong.sound and strong.found == strong.forced and not any(strong.regrets) and strong.regrets
    assert simple.sound == (clues == "random 1/2")
    for found in simple.unsound:
        assert found.board.clues == rules.clues and found.world.is_mine(found.cell) == (found.claimed == "safe")


def test_agents_that_look_for_mines_play_by_their_own_rules() -> None:
    given = [with_start(layout, Random(1)) for layout in layouts(3)]
    report = audit_games("ai1", given)
    assert report.sound and report.games == 3 and report.claims


# --- objects that act as agents --------------------------------------------------------------------------------


def rows_deduce(board: list[list[int]]) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    assert type(board) is list and all(type(row) is list for row in board)
    return set(), {(0, 1)} if board == [[1, -1]] else set()


def unannotated_rows(board):  # type: ignore[no-untyped-def]
    return rows_deduce(board)


class Remembers:
    """Agent with state: it deduces only in its first game."""

    def __init__(self) -> None:
        self.asked = 0

    def deduce(self, board: Board) -> Deduction:
        self.asked += 1
        return basic.deduce(board) if self.asked < 3 else Deduction()


PAIR = [Board(("1#",)), Board(("1#",))]


@pytest.mark.parametrize(
    "agent",
    [
        "basic",
        "sat:cpsat",
        "satsweep.agents.basic:deduce",
        "satsweep.agents.basic:agent",
        pytest.param(basic.deduce, id="function"),
        pytest.param(basic.agent, id="factory"),
        pytest.param(agent_named("basic"), id="agent"),
        pytest.param(rows_deduce, id="of rows"),
        pytest.param(partial(rows_deduce), id="partial"),
        Remembers,
        pytest.param(lambda board: (iter(()), ((0, col) for col in numpy.array([1]))), id="iterators"),
        pytest.param(lambda board: ({(0, 0)}, {(0, 1)}), id="seen"),  # that 0,0 is safe can be seen
    ],
)
def test_whatever_deduces_is_an_agent(agent: object) -> None:
    report = audit(agent, PAIR)
    assert report.sound and report.found == report.forced == report.claims == 2


def test_a_view_that_is_said() -> None:
    assert audit(unannotated_rows, PAIR, view="rows").found == 2
    assert audit(partial(rows_deduce), PAIR, view="rows").found == 2
    with pytest.raises(ValueError, match="view"):
        audit(unannotated_rows, PAIR, view="columns")  # type: ignore[arg-type]


def test_guesses_may_be_rows_too() -> None:
    def guess(board: list[list[int]], rng: Random) -> tuple[int, int]:
        return 0, board[0].index(-1)

    report = audit(Agent(silent, guess), [Board(("1#",))])  # type: ignore[arg-type]
    assert report.regrets == (0,)


def test_a_function_does_not_guess_but_plays() -> None:
    report = audit_games(silent, layouts(3))
    assert report.guesses == 0 and report.positions > 3
    assert audit(silent, [Board(("##",), mines=1)]).guesses == 0


def test_rows() -> None:
    assert rows_of(Board(("#.2", "F*1"))) == [[-1, 0, 2], [9, 9, 1]]


def test_rows_where_numbers_are_not_what_they_were() -> None:
    """A 9 is not a mine, and all symbols but flags have integers of their own."""
    shown = Board((NUMBERS, "#" * 36), topology="square in 2 planes", clues="overestimate cap 35")
    numbers, covered = rows_of(shown)
    assert numbers == [*range(9), *range(109, 136)] and set(covered) == {-1}
    assert rows_of(Board(("?*F#",))) == [[-2, 9, 9, -1]]


def test_claims_that_an_open_cell_refutes() -> None:
    """A cell that shows nothing is safe: that claim is dropped, the opposite is unsound."""
    board = Board(("?#*",), mines=1)
    assert audit(lambda board: ([(0, 0)], [(0, 2)]), [board]).claims == 0
    report = audit(lambda board: Deduction((Cell(0, 2),), (Cell(0, 0),)), [board])
    assert [(own.cell, own.claimed) for own in report.unsound] == [((0, 2), "safe"), ((0, 0), "mine")]
    assert report.claims == 2 and not report.failures and report.completeness == 0
    for unsound in report.unsound:
        assert unsound.world.is_mine(unsound.cell) is (unsound.claimed == "safe")
        assert "This world agrees with the board" in next(iter(refutation(unsound)))


def test_the_three_worst_risks_are_drawn() -> None:
    report = replace(
        audit("basic", [SUBSET]),
        risks=9,
        wrong_risks=tuple(WrongRisk(SUBSET, Cell(0, 0), Fraction(part, 10), Fraction(0)) for part in (2, 5, 3, 1, 4)),
    )
    text = "".join(audit_to_text(report))
    assert re.findall(r"reported to be a mine with (\d+) %", text) == ["50", "40", "30"]


def test_an_agent_that_calls_open_cells_mines_is_audited_in_games() -> None:
    """CS50's commonest bug: the cells around a number are not told apart."""

    def deduce(board: Board) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
        safe, mines = basic.deduce(board)
        return safe, (*mines, *(cell for cell in board if board.number(cell)))

    true, false = audit_games("basic", layouts(3)), audit_games(deduce, layouts(3))
    assert not false.failures and false.found == true.found
    assert true.sound and false.claims == true.claims + len(false.unsound)
    assert {own.claimed for own in false.unsound} == {"mine"}
    assert not any(own.board.is_covered(own.cell) for own in false.unsound)


@given(strategies.unreliable_boards(max_covered=8))
def test_foreign_agents_see_numbers_of_every_kind(board: Board) -> None:
    """An agent that reads rows back into a board claims what one with the board does."""

    def deduce(rows: list[list[int]]) -> Deduction:
        known = {-1: "#", -2: "?", 9: "*"}
        cells = ["".join(known.get(n) or NUMBERS[n if n < 9 else n - 100] for n in row) for row in rows]
        return basic.deduce(replace(board, cells=tuple(cells)))

    assert replace(audit(deduce, [board]), agent="basic", regrets=()) == replace(audit("basic", [board]), regrets=())


@pytest.mark.parametrize(
    ("agent", "claims", "guess"),
    [
        (lambda: silent, (), "uniform among 1 cell"),
        (lambda: basic.agent(), (Cell(0, 0),), "uniform among 1 cell"),
        (lambda board: ([(0, 0)], []), (Cell(0, 0),), "uniform among 1 cell"),
        (lambda board, more=1: ([(0, 0)], []), (Cell(0, 0),), "uniform among 1 cell"),
        (lambda seen, mask: 0, (), "policy"),
        (lambda seen, mask, rng: 0, (), "policy"),
    ],
    ids=["factory", "factory of an agent", "claims", "claims with an option", "policy", "policy that draws"],
)
def test_forms_of_functions(agent: Callable[..., object], claims: tuple[Cell, ...], guess: str) -> None:
    """The number of parameters without a default says what a function is."""
    loaded = load_agent(agent).fresh()
    board = Board(("#.", ".."))
    assert Deduction.of(loaded.deduce(board)).safe == claims
    found = Guess.of(loaded.guess(board, Random(1)), board)
    assert found is not None and found.why == guess


def test_agents_in_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = list(sys.path)
    Path("beside.py").write_text("MINES = {(0, 1)}\n")
    Path("mine.py").write_text(
        "from beside import MINES\ndef deduce(rows: list): return [], MINES\nclass Nested:\n    deduce = deduce\n"
        "def agent():\n    import satsweep\n    return satsweep.agents.basic.agent()\nNUMBER = 3\n"
    )
    for name in ("mine.py:deduce", "./mine.py:deduce", f"{tmp_path}/mine.py:deduce", "mine:deduce", "mine:agent"):
        report = audit(name, PAIR)
        assert report.agent == name and report.found == report.forced == 2
    for name, said in (
        ("none.py:deduce", "none.py: expected a readable file: No such file or directory"),
        ("mine.py:missing", "mine.py: expected a function 'missing'"),
        ("mine.py:NUMBER", "mine.py: expected a function 'NUMBER'"),
    ):
        with pytest.raises(AgentError, match=said):
            load_agent(name)
    assert sys.path == path


# --- what is missed --------------------------------------------------------------------------------------------


def test_missed() -> None:
    assert missed(silent, SUBSET) == ((Cell(0, 2), False), (Cell(1, 2), False))
    assert missed(silent, SUBSET, like="basic") == ()
    assert missed(silent, SUBSET, like="subset") == ((Cell(0, 2), False), (Cell(1, 2), False))
    assert missed("sat", SUBSET) == ()
    # A claim of the opposite counts as missed, too.
    assert missed(lambda board: ([], [(0, 1)]), Board(("0#",))) == ((Cell(0, 1), False),)


def nested(board: Any) -> Any:
    return [(r, c) for r in range(len(board)) for c in range(len(board[r])) if board[r][c] == -1], []


def iterated(board: Any) -> Any:
    return [(r, c) for r, row in enumerate(board) for c, shown in enumerate(row) if shown == -1], []


def passed_on(board: Any) -> Any:
    return iterated(board)


def indexed(board: Any) -> Any:
    return [cell for cell in numpy.ndindex(board.shape) if board[cell] == -1], []


def compared(grid: Any) -> Any:
    return numpy.argwhere(grid == -1), []


def asked(board: Any) -> Any:
    return board.covered, []


@pytest.mark.parametrize("deduce", [nested, iterated, passed_on, indexed, compared, asked])
def test_a_function_is_given_the_view_that_its_code_reads(deduce: Callable[[Any], Any]) -> None:
    """No annotation says it."""
    assert Deduction.of(load_agent(deduce).fresh().deduce(Board(("1#",)))).safe == (Cell(0, 1),)


def test_a_view_that_fails_gives_way_to_the_next() -> None:
    """Code that cannot be read is tried."""
    hidden = eval("lambda board: ([(r, c) for r in range(len(board)) for c in [1]], [])")
    assert Deduction.of(load_agent(hidden).fresh().deduce(Board(("1#",)))).safe == (Cell(0, 1),)


def test_other_failures_are_those_of_the_first_view() -> None:
    def wrong(board: list[list[int]]) -> object:
        return len(board[0][0]), []  # type: ignore[arg-type]

    for deduce in (wrong, lambda board: board.rows + "x"):
        with pytest.raises(AgentError, match="TypeError") as caught:
            load_agent(deduce).fresh().deduce(Board(("1#",)))
        assert "list" not in str(caught.value)
