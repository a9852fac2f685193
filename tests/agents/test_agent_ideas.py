"""Tests of each agent's idea, on boards by hand and on published examples."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from satsweep.agents import agent_named
from satsweep.agents.ai1 import CellSets
from satsweep.agents.gem import GAUSSIAN_ELIMINATION
from satsweep.agents.gem_full import INTERVAL
from satsweep.agents.gem_refute import REFUTATION
from satsweep.agents.knowledge import SUBSET
from satsweep.board import Board, Cell
from satsweep.games.agent import SINGLE_POINT, Agent, Deduction, Guess, Inference
from satsweep.games.deal import game_rng, random_layout, with_start
from satsweep.games.game import play
from satsweep.games.record import Action, MoveReason, Outcome, Record
from satsweep.games.rules import FIND_MINES_RULES, Rules
from satsweep.layout import Layout
from tests.agents.test_blind_spots import claims


def why(name: str, board: Board) -> dict[Cell, Inference]:
    return dict(Deduction.of(agent_named(name).deduce(board), board).why)


def guessed(name: str, board: Board, seeds: int = 60) -> Counter[Cell]:
    """Count how often each cell is guessed, over many seeds."""
    found: Counter[Cell] = Counter()
    for seed in range(seeds):
        guess = Guess.of(agent_named(name).guess(board, Random(seed)), board)
        assert guess is not None
        found[guess.cell] += 1
    return found


def reason_of_guess(name: str, board: Board) -> str:
    guess = Guess.of(agent_named(name).guess(board, Random(0)), board)
    assert guess is not None
    return guess.why


# random, basic


def test_random_draws_every_cell_alike() -> None:
    found = guessed("random", Board(("#1F", "*##")), 3_000)
    assert set(found) == {(0, 0), (1, 1), (1, 2)}
    # 1000 each with a standard deviation of 26: six of them are never reached.
    assert all(845 < times < 1155 for times in found.values())


SAFE, MINE = False, True
TWO_BOARDS = ("###.1#", "12*.11")
"""Single numbers say something at the right, and no more than a pair at the left."""
CLAIMS: dict[str, tuple[str, tuple[str, ...], dict[tuple[int, int], bool]]] = {
    "all mines": ("basic", ("#2#",), {(0, 0): MINE, (0, 2): MINE}),
    "a flag": ("basic", ("F1#",), {(0, 2): SAFE}),
    "an open mine": ("basic", ("*1#",), {(0, 2): SAFE}),
    "an open mine and another": ("basic", ("*2#",), {(0, 2): MINE}),
    "a number that is silent": ("basic", ("#1#",), {}),
    "one leads to the next": ("basic", ("1#1#",), {(0, 1): MINE, (0, 3): SAFE}),
    # Three cells with two mines, two of them with one: the figure of Xu, Zhang and Geng.
    "the third is a mine": ("tank", ("###", "13*"), {(0, 2): MINE}),
    "which single numbers do not see": ("basic", ("###", "13*"), {}),
    # The 1 at 1,0 touches all cells of those at the right edge, two steps away.
    "numbers two steps apart": ("tank", ("##1", "1#1"), {}),
    "numbers wherever they stand": ("subset", ("##1", "1#1"), {(0, 0): SAFE}),
    "neighbouring numbers": ("tank subset", ("###", "12*"), {(0, 2): SAFE}),
    "single numbers come first": ("basic subset gem gem-full", TWO_BOARDS, {(0, 5): MINE}),
    # Two mines in three cells, one in two of them: only a derived sentence decides.
    "no derived sentences": ("subset", ("###", "2#1"), {}),
    "no interval": ("gem", ("###", "1#2"), {}),
    "gem waits for the next call": (
        "gem",
        ("#1##", "1#3#"),
        {(0, 2): SAFE, (0, 3): MINE, (1, 1): MINE, (1, 3): MINE},
    ),
    # Once 1,1 is a mine a single number makes 0,0 safe.
    "gem-full goes on from what it has found": (
        "gem-full",
        ("#1##", "1#3#"),
        {(0, 2): SAFE, (0, 3): MINE, (1, 1): MINE, (1, 3): MINE, (0, 0): SAFE},
    ),
    "no refutation": ("gem-full", ("###", "1#2", "#1#"), {}),
}
"""Agents, a board without a mine total, and all that they claim at first."""


@pytest.mark.parametrize("case", CLAIMS)
def test_claims(case: str) -> None:
    names, rows, found = CLAIMS[case]
    for name in names.split():
        assert claims(name, Board(rows)) == found, name


def test_basic_names_its_numbers() -> None:
    assert why("basic", Board(("1#1#",))) == {
        Cell(0, 1): Inference(SINGLE_POINT, (Cell(0, 0),)),
        Cell(0, 3): Inference(SINGLE_POINT, (Cell(0, 2),)),
    }


# tank, subset: well-known patterns

WALL = Board(("####", "1121"))
"""1-1 at the left: the third cell is safe. 1-2 at the right: the third is a mine."""


def test_the_patterns_at_a_wall_are_beyond_basic() -> None:
    assert claims("basic", WALL) == {}
    for name in ("tank", "subset", "gem", "gem-full", "sat"):
        seen = claims(name, WALL)
        assert seen[Cell(0, 2)] is False and seen[Cell(0, 1)] is True, name


@pytest.mark.parametrize("name", ["tank", "subset"])
def test_tank_and_subset_name_both_numbers(name: str) -> None:
    inferences = why(name, WALL)
    assert inferences[Cell(0, 2)] == Inference(SUBSET, (Cell(1, 0), Cell(1, 1)))
    assert inferences[Cell(0, 1)] == Inference(SUBSET, (Cell(1, 3), Cell(1, 2)))


def test_tank_guesses_by_the_sum_of_shares() -> None:
    """The 1 gives 1/2 to each of its cells, the 2 gives 1; the middle has 3/2."""
    board = Board(("#1#2#",))
    assert guessed("tank", board, 5) == {(0, 0): 5}
    assert reason_of_guess("tank", board) == "lowest sum of shares 1/2, 1 with it"
    # A number with its mines found gives nothing.
    assert reason_of_guess("tank", Board(("F1#2#",))) == "lowest sum of shares 1, 2 with it"


@pytest.mark.parametrize(
    ("mines", "guesses", "score"),
    [(1, {(0, 3), (0, 4)}, "1/4"), (2, {(0, 0), (0, 2), (0, 3), (0, 4)}, "1/2"), (3, {(0, 0), (0, 2)}, "1/2")],
)
def test_tank_counts_cells_off_the_frontier_as_mines_left_over_cells_left(
    mines: int, guesses: set[Cell], score: str
) -> None:
    board = Board(("#1###",), mines=mines)
    assert set(guessed("tank", board)) == guesses
    assert reason_of_guess("tank", board) == f"lowest sum of shares {score}, {len(guesses)} with it"


@pytest.mark.parametrize("known", "F*")
def test_tank_discounts_mines_that_are_known(known: str) -> None:
    """Two of three mines are left for six cells: 1/3 each, less than 1/2 around the 1."""
    board = Board((known + "###1###",), mines=3)
    assert set(guessed("tank", board)) == {(0, 1), (0, 2), (0, 6), (0, 7)}
    assert reason_of_guess("tank", board) == "lowest sum of shares 1/3, 4 with it"


def test_tank_stays_on_the_frontier_where_the_total_is_not_told() -> None:
    assert set(guessed("tank", Board(("#1####",)))) == {(0, 0), (0, 2)}
    assert set(guessed("tank", Board(("###",)))) == {(0, 0), (0, 1), (0, 2)}


def corner(mines: set[tuple[int, int]], columns: range) -> Board:
    """Return a 10x10 board, some columns of whose last three rows are open.

    Single numbers imply nothing about the row above.
    """
    mines = mines | {(6, 2), (6, 5), (6, 8)}
    layout = Layout("".join(".*"[(row, col) in mines] for col in range(10)) for row in range(10))
    board = layout.board(Cell(row, col) for row in range(7, 10) for col in columns)
    assert claims("basic", board) == {}
    return board


def test_subset_first_scenario_of_the_sam_report() -> None:
    """9,7: one mine in 9,6 and 8,6; 8,7: one mine in these and 7,6, so 7,6 is safe."""
    board = corner({(8, 6)}, range(7, 10))
    assert board.number(Cell(9, 7)) == board.number(Cell(8, 7)) == 1
    assert claims("subset", board)[Cell(7, 6)] is False
    assert why("subset", board)[Cell(7, 6)] == Inference(SUBSET, (Cell(9, 7), Cell(8, 7)))


def test_subset_second_scenario_of_the_sam_report() -> None:
    """9,1: one mine in 9,0 and 8,0; 8,1: two mines in these and 7,0, so 7,0 is a mine."""
    board = corner({(8, 0), (7, 0)}, range(1, 10))
    assert (board.number(Cell(9, 1)), board.number(Cell(8, 1))) == (1, 2)
    assert claims("subset", board)[Cell(7, 0)] is True
    assert why("subset", board)[Cell(7, 0)] == Inference(SUBSET, (Cell(9, 1), Cell(8, 1)))


def test_subset_example_of_the_sam_report() -> None:
    """Six cells with one mine, four of them with one mine: the two others are safe."""
    rows = [list("*" * 7) for _ in range(8)]
    for row, col in ((4, 4), (5, 4), (4, 6), (5, 6), (6, 5), (6, 6)):
        rows[row][col] = "#"
    # The other cells that touch 5,5 and 4,5 are known mines: 6,4 for the one, 3,4 3,5 3,6 for the other.
    rows[5][5], rows[4][5] = "2", "4"
    board = Board("".join(row) for row in rows)
    assert claims("basic", board) == {}
    assert claims("subset", board) == {Cell(6, 5): False, Cell(6, 6): False}


# gem and its relatives; the matrix has a file of its own


def test_gem_names_every_number_it_combines() -> None:
    """Three sentences, any two of which decide nothing."""
    board = Board(("###", "2#1"))
    deduction = why("gem", board)
    assert {inference.rule for inference in deduction.values()} == {GAUSSIAN_ELIMINATION}
    assert deduction[Cell(0, 0)] == Inference(GAUSSIAN_ELIMINATION, (Cell(1, 0), Cell(1, 2)))


def test_gem_full_calls_the_patterns_by_their_name_and_the_rest_interval() -> None:
    """A 1 and a 2 two columns apart: the difference of their rows is minus one."""
    assert {inference.rule for inference in why("gem-full", Board(("###", "1#2"))).values()} == {INTERVAL}
    assert {inference.rule for inference in why("gem-full", Board(("###", "13*"))).values()} == {GAUSSIAN_ELIMINATION}


def test_gem_refute_names_the_numbers_of_the_contradiction() -> None:
    """With a mine at 2,0 neither 1 allows another one beside the 2."""
    board = Board(("###", "1#2", "#1#"))
    assert why("gem-refute", board) == {Cell(2, 0): Inference(REFUTATION, (Cell(1, 0), Cell(1, 2), Cell(2, 1)))}


def test_gem_refute_refutes_only_where_gem_full_claims_nothing() -> None:
    board = Board(("###..###", "13*..1#2", "...###1#"))
    assert {inference.rule for inference in why("gem-refute", board).values()} & {REFUTATION} == set()
    assert claims("gem-full", board) == claims("gem-refute", board) != {}


def test_gem_refute_does_not_know_the_mine_total() -> None:
    """The other thing that sat has over it, cases within cases, is among the blind spots."""
    board = Board(("#1##",), mines=1)
    assert claims("gem-refute", board) == {} and claims("sat", board) == {Cell(0, 3): False}


def test_gem_refute_remembers_components_without_changing_its_claims() -> None:
    for game in range(10):
        rng = game_rng("remembers", game)
        layout = random_layout(12, 12, 30, rng)
        agent = agent_named("gem-refute")
        views: list[Board] = []

        def deduce(board: Board, agent: Agent = agent, views: list[Board] = views) -> Deduction:
            views.append(board)
            found = Deduction.of(agent.deduce(board), board)
            assert found == Deduction.of(agent_named("gem-refute").deduce(board), board)
            return found

        play(layout, Agent(deduce, agent.guess), Rules(fatal=False), rng)
        assert len(views) > 5


@pytest.mark.parametrize("threshold", ["", "-1", "101", "5.5", "²", "many"])
def test_gem_select_refuses_what_is_no_percentage(threshold: str) -> None:
    with pytest.raises(ValueError, match="expected a percentage from 0 to 100, as in gem-select:20, found"):
        agent_named(f"gem-select:{threshold}")


SELECTING = Board(("#########", "#3#####2#", "#########"), mines=20)
BESIDE_THE_2 = {(row, col) for row in range(3) for col in (6, 7, 8)} - {(1, 7)}


def test_gem_select_takes_its_threshold_as_a_parameter() -> None:
    assert set(guessed("gem-select:0", SELECTING, 200)) == BESIDE_THE_2
    assert len(guessed("gem-select:5", SELECTING, 400)) == len(guessed("gem-select:6", SELECTING, 400)) == 25
    flagged = SELECTING.with_flags([Cell(0, 0)])
    assert set(guessed("gem-select:5", flagged, 200)) == BESIDE_THE_2
    assert len(guessed("gem-select:6", flagged, 400)) == 24


def test_gem_select_with_all_mines_as_its_threshold_plays_as_gem() -> None:
    for game in range(10):
        layout, rules = random_layout(9, 9, 25, game_rng("all", game)), Rules(fatal=False)
        gem, select = (play(layout, agent_named(name), rules, Random(1)) for name in ("gem", "gem-select:100"))
        assert gem.moves == select.moves


@pytest.mark.parametrize("revealed", "F*")
def test_gem_select_draws_uniformly_until_a_twentieth_of_the_mines_is_revealed(revealed: str) -> None:
    later = Board((*SELECTING.cells[:2], revealed + SELECTING.cells[2][1:]), mines=20)
    assert set(guessed("gem-select", later, 200)) == BESIDE_THE_2
    assert reason_of_guess("gem-select", later) == "next to the lowest number, 2 at 1,7"
    for board, cells in ((SELECTING, 25), (Board(later.cells, mines=21), 24), (Board(later.cells), 24)):
        assert len(guessed("gem-select", board, 400)) == cells


def test_gem_select_draws_among_equal_numbers() -> None:
    board = Board(("#######", "#2#F#2#", "#######"), mines=5)
    around = {(row, col) for row in range(3) for col in (0, 1, 2, 4, 5, 6)} - {(1, 1), (1, 5)}
    assert set(guessed("gem-select", board, 200)) == around


def test_gem_select_passes_over_numbers_without_covered_neighbours() -> None:
    board = Board(("F1.2##", "11.3##", "...2##"), mines=4)
    assert set(guessed("gem-select", board)) == {(0, 4), (1, 4), (2, 4)}


# bfs, dfs


def moves_of(record: Record) -> list[str]:
    return [f"{move.action.value} {move.cell.row},{move.cell.col}" for move in record.moves]


BFS_WINS = Layout(("...*", "...*", "....", ".*.."))
DFS_WINS = Layout(("..*.", "....", "....", "**.."))


def test_bfs_and_dfs_look_at_numbers_in_another_order() -> None:
    """Breadth first takes the 1 at 2,1 after 3,2 is open, depth first before."""
    rules = Rules(start=Cell(0, 1))
    broad = play(BFS_WINS, agent_named("bfs"), rules)
    deep = play(BFS_WINS, agent_named("dfs"), rules)
    shared = ["open 0,1", "flag 0,3", "flag 1,3", "open 2,3", "open 3,2", "open 3,3"]
    assert moves_of(broad) == [*shared, "flag 3,1", "open 3,0"]
    assert moves_of(deep) == shared
    assert (broad.outcome, deep.outcome) == (Outcome.CLEARED, Outcome.STUCK)


def test_dfs_can_get_further_than_bfs() -> None:
    rules = Rules(start=Cell(1, 0))
    broad = play(DFS_WINS, agent_named("bfs"), rules)
    deep = play(DFS_WINS, agent_named("dfs"), rules)
    assert (broad.outcome, deep.outcome) == (Outcome.STUCK, Outcome.CLEARED)
    assert moves_of(deep)[: len(broad.moves)] == moves_of(broad)


@pytest.mark.parametrize(("name", "layout", "start"), [("dfs", BFS_WINS, (0, 1)), ("bfs", DFS_WINS, (1, 0))])
def test_bfs_and_dfs_stop_with_a_mine_in_plain_sight(name: str, layout: Layout, start: tuple[int, int]) -> None:
    """The queue is empty; a number that would now decide was examined too early."""
    stuck = play(layout, agent_named(name), Rules(start=Cell(*start)))
    assert stuck.outcome is Outcome.STUCK and stuck.measures.guesses == 0
    opened = {cell for move in stuck.moves for cell, _ in move.revealed}
    assert claims("basic", layout.board(opened)) != {}
    assert play(layout, agent_named("basic"), Rules(start=Cell(*start))).measures.guesses == 0


@pytest.mark.parametrize("name", ["bfs", "dfs"])
def test_bfs_and_dfs_open_one_cell_a_turn_and_guess_the_first_only(name: str) -> None:
    deduced = 0
    for game in range(40):
        rng = game_rng("search", game)
        record = play(random_layout(9, 9, 8, rng), agent_named(name), rng=rng)
        opened = [move for move in record.moves if move.action is Action.OPEN]
        assert [move.reason for move in opened] == [MoveReason.GUESSED] + [MoveReason.DEDUCED] * (len(opened) - 1)
        assert all(earlier.turn < later.turn for earlier, later in pairwise(opened))
        deduced += len(opened) - 1
    assert deduced > 100


@pytest.mark.parametrize("name", ["bfs", "dfs"])
def test_bfs_and_dfs_look_at_a_number_once(name: str) -> None:
    agent = agent_named(name)
    board = Board(("1#1#",))
    deduction = Deduction.of(agent.deduce(board), board)
    assert deduction.mines + deduction.safe == (Cell(0, 1), Cell(0, 3))
    # The flag has been removed, and the numbers are no longer in the queue.
    agent = agent_named(name)
    silent = Board(("#1#",))
    assert not agent.deduce(silent)
    assert not agent.deduce(Board(("#1.",)))


# ai0


def test_ai0_probes_at_random_where_the_lattice_is_switched_off() -> None:
    board = Board(("#" * 9,) * 9, mines=1)
    assert set(guessed("ai0", board, 50)) == {Cell(1, 1)}
    among = {Cell(row, col) for row in range(1, 8) for col in range(1, 8)}
    assert set(guessed("ai0:random", board, 800)) == among
    assert reason_of_guess("ai0:random", board) == "random probe, gain 9, drawn among 49"
    with pytest.raises(ValueError, match="expected probes among orderly, random, found 'lattice'"):
        agent_named("ai0:lattice")


@pytest.mark.parametrize("name", ["ai0", "ai0:random"])
def test_ai0_investigates_either_way(name: str) -> None:
    board = Board(("#####", "#1###", "#####", "###2#", "#####"), mines=3)
    assert set(guessed(name, board, 50)) == {Cell(2, 2)}


def found_by(name: str, layout: Layout) -> Record:
    return play(layout, agent_named(name), FIND_MINES_RULES, Random(0))


def opened_cells(record: Record) -> list[tuple[int, int]]:
    return [move.cell for move in record.moves if move.action is Action.OPEN]


def test_ai0_probes_a_lattice_with_two_cells_between_probes() -> None:
    """Nine probes gain all 81 cells; the last is the mine."""
    layout = Layout((*["........."] * 7, ".......*.", "........."), start=(1, 1))
    record = found_by("ai0", layout)
    assert opened_cells(record) == [(row, col) for row in (1, 4, 7) for col in (1, 4, 7)]
    assert record.outcome is Outcome.FOUND
    guesses = [move.why for move in record.moves if move.reason is MoveReason.GUESSED]
    assert guesses == ["orderly probe, gain 9"] * 8


def test_ai0_probes_at_random_where_no_orderly_probe_gains_all() -> None:
    assert reason_of_guess("ai0", Board(("##", "##"))) == "random probe, gain 4, drawn among 4"
    # The one probe of the lattice is open; of the three cells left the middle one gains all.
    assert reason_of_guess("ai0", Board(("####", "#.##", "####"))) == "random probe, gain 3"
    # 1,1 is on the lattice, but gains less than 1,2 does.
    assert reason_of_guess("ai0", Board(("F####", "#####", "#####"), mines=1)).startswith("random probe, gain 9")


def test_ai0_investigates_the_highest_risk_then_the_highest_gain() -> None:
    """Three cells touch both numbers, risk 2 + 1; the middle gains seven, others four."""
    board = Board(("#####", "#2#1#", "#####"))
    assert guessed("ai0", board, 20) == {(1, 2): 20}
    assert reason_of_guess("ai0", board) == "highest risk score 3, gain 7"


def test_ai0_offsets_numbers_by_the_mines_it_has_found() -> None:
    """The mine at 1,2 is open: the 2 is offset to 1, the 1 to 0.

    The neighbours of the 0 are safe, and stay covered.
    """
    board = Board(("#####", "#2*1#", "#####"))
    deduction = Deduction.of(agent_named("ai0").deduce(board), board)
    assert set(deduction.safe) == {(0, 2), (0, 3), (0, 4), (1, 4), (2, 2), (2, 3), (2, 4)}
    assert deduction.mines == () and deduction.opens == ()
    assert guessed("ai0", board, 20) == {(1, 0): 20}
    assert reason_of_guess("ai0", board) == "highest risk score 1, gain 5"


def test_ai0_confirms_every_mine_by_opening_it() -> None:
    for game in range(20):
        rng = game_rng("ai0", game)
        record = found_by("ai0", with_start(random_layout(8, 8, 7, rng), rng))
        assert record.outcome is Outcome.FOUND
        assert record.measures.mines_hit == 7 and record.measures.flagged == 0


# ai1


def test_ai1_keeps_three_sets() -> None:
    sets = CellSets()
    board = Board((".###", "####", "###1"), mines=2)
    deduction = sets.deduce(board)
    assert set(deduction.safe) == {(0, 1), (1, 0), (1, 1)} and deduction.opens == ()
    assert set(sets.safe) == {1, 4, 5} and sets.mines == {}
    assert list(sets.explore) == [6, 7, 10]
    # The first to join is explored first. It is a mine, and leaves the set; 1,3 and 2,2 are still to be explored.
    guess = Guess.of(sets.guess(board, Random(0)), board)
    assert guess is not None and guess.cell == Cell(1, 2) and guess.why == "next of 3 to explore"
    later = Board((".###", "##*#", "###1"), mines=2)
    assert not sets.deduce(later).mines
    assert list(sets.explore) == [7, 10]


def test_ai1_takes_all_covered_neighbours_for_mines_when_they_are_as_many() -> None:
    sets = CellSets()
    deduction = sets.deduce(Board(("3#", "*#")))
    assert deduction.mines == (Cell(0, 1), Cell(1, 1)) and deduction.opens == ()
    assert dict(deduction.why) == dict.fromkeys(deduction.mines, Inference(SINGLE_POINT, (Cell(0, 0),)))


def test_ai1_explores_cells_that_it_could_know_to_be_safe() -> None:
    """All mines around the 1 are open; its neighbours join the cells to explore."""
    board = Board(("#1*",), mines=2)
    sets = CellSets()
    assert not sets.deduce(board)
    assert list(sets.explore) == [0]
    assert claims("ai0", board) == {Cell(0, 0): False}


def test_ai1_looks_at_a_number_once() -> None:
    """The 1 in the corner is examined before two of its neighbours are open.

    The third must be a mine then, but the agent does not claim it.
    """
    sets = CellSets()
    assert not sets.deduce(Board(("1##", "###", "###")))
    later = Board(("11#", "1##", "###"))
    assert not sets.deduce(later)
    assert CellSets().deduce(later).mines == (Cell(1, 1),)


def test_ai1_guesses_at_random_when_nothing_is_left_to_explore() -> None:
    board = Board((".#####", "######"), mines=1)
    counted: Counter[Cell] = Counter()
    for seed in range(200):
        sets = CellSets()
        sets.deduce(board)
        guess = sets.guess(board, Random(seed))
        assert guess is not None and guess.why == "nothing to explore, uniform among 8 cells"
        counted[guess.cell] += 1
    assert set(counted) == {(row, col) for row in range(2) for col in range(2, 6)}


@pytest.mark.parametrize("name", ["ai0", "ai1"])
def test_ai0_and_ai1_find_every_mine_and_open_only_what_they_guess(name: str) -> None:
    for game in range(10):
        rng = game_rng("search for mines", game)
        layout = with_start(random_layout(10, 10, rng.randint(1, 30), rng), rng)
        record = found_by(name, layout)
        assert record.outcome is Outcome.FOUND
        assert record.measures.mines_hit + record.measures.flagged == layout.mines
        opened = [move.reason for move in record.moves if move.action is Action.OPEN]
        assert set(opened) <= {MoveReason.START, MoveReason.GUESSED}


def test_ai0_opens_fewer_cells_than_ai1() -> None:
    """The result of Covre and Reddy on their sparse boards."""
    shares = {"ai0": 0, "ai1": 0}
    for game in range(20):
        rng = game_rng("fewer", game)
        layout = with_start(random_layout(10, 10, 10, rng), rng)
        for name in shares:
            shares[name] += found_by(name, layout).measures.opened
    assert shares["ai0"] < shares["ai1"]
