"""Tests of games of every agent on every topology, clue model and set of rules."""

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import assume, given, strategies as st

from satsweep.agents import AGENTS, agent_named, tank
from satsweep.board import NUMBERS, Board, Cell
from satsweep.clues import CLUE_KINDS, clues_named
from satsweep.errors import Contradiction
from satsweep.formats.records import from_json, to_json
from satsweep.games.agent import Deduction, Guess
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import play, replay
from satsweep.games.record import Action, MoveReason, Outcome, Record
from satsweep.games.rules import FirstClick, Goal, Rules
from satsweep.layout import Layout
from satsweep.topology import TOPOLOGIES, Topology
from tests.agents import CLAIM_NOTHING
from tests.brute_force import cells_showing, touching
from tests.strategies import (
    STRANGE,
    WRAPPED,
    arbitrary_boards,
    boards,
    clue_models,
    examples,
    layouts,
    unreliable_boards,
)

every_agent = pytest.mark.parametrize("name", AGENTS)

CLUES = [example for kind in CLUE_KINDS.values() for example in kind.examples]
GRAPH = "edges 0-1 0-2 0-3 0-4 0-5 0-6 0-7 0-8 0-9 0-10 1-2 5-6 11-12 13-14 14-15"
SHAPES = (*TOPOLOGIES, *WRAPPED, *STRANGE, GRAPH)
WAYS = list(product(FirstClick, (True, False), (True, False), Goal))


def small_layout(topology: str, number: int) -> Layout:
    """Return a 4x4 layout with room for a first cell without mines around."""
    rng = game_rng("beyond", number)
    blank = random_layout(4, 4, 0, rng, topology=topology)
    most = max(map(len, blank.topology.neighbours(4, 4)))
    mines = rng.randint(1, max(1, min(5, 15 - most)))
    return random_layout(4, 4, mines, rng, start=(rng.randrange(4), rng.randrange(4)), topology=topology)


def check_game(played: Record) -> None:
    """Check that a game has ended and replays, and that claims are consistent."""
    assert [move for move, _ in replay(played)] == list(played.moves)
    text = to_json(played)
    assert from_json(text) == played and to_json(from_json(text)) == text
    claimed = {
        action: {move.cell for move in played.moves if move.reason is MoveReason.DEDUCED and move.action is action}
        for action in (Action.OPEN, Action.FLAG, Action.NOTE)
    }
    assert claimed[Action.FLAG].isdisjoint(claimed[Action.OPEN] | claimed[Action.NOTE])
    if played.agent in ("sat", "deep"):
        assert played.measures.wrong_flags == 0
        assert not any(move.exploded and move.reason is MoveReason.DEDUCED for move in played.moves)
        assert played.outcome is not Outcome.STUCK


@pytest.mark.extended
@every_agent
@pytest.mark.parametrize("clues", CLUES)
def test_every_rule_on_every_topology(name: str, clues: str) -> None:
    """All rules with each clue model; the topologies alternate, each with every model."""
    for number, (first, cascade, fatal, goal) in enumerate(WAYS):
        layout = small_layout(SHAPES[number % len(SHAPES)], number)
        rules = Rules(first, cascade=cascade, fatal=fatal, goal=goal, clues=clues_named(clues))
        check_game(play(layout, agent_named(name), rules, Random(number), name=name))


def test_every_topology_has_its_turn() -> None:
    assert len(SHAPES) <= len(WAYS)


@pytest.mark.extended
@examples(300)
@given(
    layout=layouts(max_cells=20),
    name=st.sampled_from(sorted(AGENTS)),
    clues=st.one_of(st.just("exact"), clue_models),
    ways=st.tuples(st.booleans(), st.booleans(), st.sampled_from(Goal), st.booleans()),
    seed=st.integers(0, 99),
)
def test_any_game(layout: Layout, name: str, clues: str, ways: tuple[bool, bool, Goal, bool], seed: int) -> None:
    """Any number of mines, with no promise about the first cell, or with a given one."""
    cascade, fatal, goal, tells = ways
    first = FirstClick.ANY if layout.start is None else FirstClick.GIVEN
    rules = Rules(first, None, cascade, fatal, goal, clues_named(clues), tells)
    check_game(play(layout, agent_named(name), rules, Random(seed), name=name))


@pytest.mark.extended
@given(layout=layouts(max_cells=20), clues=clue_models, seed=st.integers(0, 99), cascade=st.booleans())
def test_a_cell_shows_the_same_to_every_agent(layout: Layout, clues: str, seed: int, cascade: bool) -> None:
    """The shown number does not depend on the agent or the order of opening."""
    rules = Rules(FirstClick.ANY, cascade=cascade, fatal=False, clues=clues_named(clues))
    shown: dict[Cell, object] = {}
    seeds = set()
    for name in ("random", "random", "basic", "tank", "dfs", "ai1", "sat"):
        played = play(layout, agent_named(name), rules, Random(seed))
        seeds.add(played.clue_seed)
        for move in played.moves:
            for cell, number in move.revealed:
                assert shown.setdefault(cell, number) == number
    assert len(seeds) == 1


# On boards


def all_claims(name: str, board: Board) -> Iterator[tuple[Cell, bool]]:
    """Return all claims of an agent, called with its mines flagged until none is new."""
    agent, claimed = agent_named(name), set[tuple[Cell, bool]]()
    while True:
        deduction = Deduction.of(agent.deduce(board), board)
        new = {*((cell, False) for cell in deduction.safe), *((cell, True) for cell in deduction.mines)} - claimed
        if not new:
            Guess.of(agent.guess(board, Random(1)), board)
            yield from claimed
            return
        claimed |= new
        board = board.with_flags(deduction.mines)


strange_boards = st.one_of(
    arbitrary_boards(), unreliable_boards(), unreliable_boards().map(lambda board: board.without_flags())
)


@pytest.mark.extended
@given(board=strange_boards)
def test_no_board_is_too_strange(board: Board) -> None:
    """Wrong, missing and two-digit numbers, wrong flags, wrong totals."""
    for name in AGENTS:
        with suppress(Contradiction):
            for cell, mine in all_claims(name, board):
                assert board.is_covered(cell) and not (mine and board[cell] == "F"), name


WHEEL = "edges " + " ".join(f"7-{end}" for end in (*range(7), 8, 9, 10))
"""One cell in the middle of ten others, on a grid of 2 by 6."""


@pytest.mark.parametrize("name", sorted(set(AGENTS) - CLAIM_NOTHING))
def test_numbers_are_read_beyond_nine(name: str) -> None:
    """Letters are numbers above 9.

    ai0 claims no mines, and ai1 does not treat a number whose mines are all open as a 0.
    """
    covered = Board(("######", "#a####"), topology=WHEEL)
    around = {(cell, True) for cell in touching(covered, (1, 1))}
    assert len(around) == 10
    assert set(all_claims(name, covered)) == (set() if name == "ai0" else around)
    last, left = Cell(1, 4), Board(("******", "*a**##"), topology=WHEEL)
    assert set(all_claims(name, left)) == (set() if name == "ai0" else {(last, True)})
    none = Board(("******", "*9**##"), topology=WHEEL)
    assert set(all_claims(name, none)) == (set() if name == "ai1" else {(last, False)})


@pytest.mark.extended
@given(board=boards(max_covered=10), data=st.data())
def test_a_cell_that_shows_nothing_says_nothing(board: Board, data: st.DataObject) -> None:
    """Claims are the same as if the cell touched no other."""
    numbers = cells_showing(board, "." + NUMBERS)
    silent = data.draw(st.sets(st.sampled_from(numbers))) if numbers else set()
    edges = {
        (min(pair), max(pair))
        for cell in board
        for other in touching(board, cell)
        if not silent & {cell, other}
        for pair in [(cell.row * board.cols + cell.col, other.row * board.cols + other.col)]
    }
    assume(edges)
    apart = "edges " + " ".join(f"{one}-{other}" for one, other in sorted(edges))

    def showing(symbol: str, topology: Topology | str) -> Board:
        rows = [
            "".join(symbol if (r, c) in silent else s for c, s in enumerate(row)) for r, row in enumerate(board.cells)
        ]
        return Board(rows, board.mines, board.density, topology)

    told, alone = showing("?", board.topology), showing(".", apart)
    for name in AGENTS:
        assert set(all_claims(name, told)) == set(all_claims(name, alone)), name


class Counting(Random):
    """Random generator that draws the last of the choices, and records their number."""

    among = 0

    def randrange(self, *args: int, **_: int) -> int:  # type: ignore[override]
        self.among = args[0]
        return args[0] - 1


@given(board=st.one_of(boards(), unreliable_boards(), arbitrary_boards()))
def test_tank_opens_the_lowest_sum_of_shares(board: Board) -> None:
    """Compared with fractions, for any topology; shares are never negative."""
    unmarked = cells_showing(board, "#")
    scores: dict[Cell, Fraction] = {}
    for clue in cells_showing(board, "." + NUMBERS):
        around = touching(board, clue)
        unknown = [cell for cell in around if board[cell] == "#"]
        known = sum(board[cell] in "F*" for cell in around)
        for cell in unknown:
            share = Fraction(max((board.number(clue) or 0) - known, 0), len(unknown))
            scores[cell] = scores.get(cell, Fraction(0)) + share
    if board.mines is not None or not scores:
        left = (board.mines or 0) - len(cells_showing(board, "F*"))
        for cell in unmarked:
            scores.setdefault(cell, Fraction(max(left, 0), len(unmarked)))
    rng = Counting()
    guess = tank.guess(board, rng)
    if not unmarked:
        assert guess is None
    else:
        assert guess is not None
        lowest = [cell for cell in unmarked if scores.get(cell) == min(scores.values())]
        assert (guess.cell, rng.among) == (lowest[-1], len(lowest))
        assert guess.why.startswith(f"lowest sum of shares {min(scores.values())}, ")


# The value of knowing the clue model


def won(name: str, clues: str, games: int) -> int:
    rules = Rules(clues=clues_named(clues))
    wins = 0
    for game in range(games):
        rng = game_rng("worth", game)
        wins += play(random_layout(5, 5, 3, rng), agent_named(name), rules, rng).won
    return wins


@pytest.mark.extended
@pytest.mark.parametrize("games", [pytest.param(30, id="30"), pytest.param(400, id="400", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "clues", ["random 3/4", "underestimate 1/8", "overestimate 1/8", "underestimate", "overestimate 1/2"]
)
def test_an_agent_that_knows_the_model_wins_more(clues: str, games: int) -> None:
    """It wins more than one that takes numbers at face value.

    The margin is wide, so a few games are enough.
    """
    assert won("sat", clues, games) >= won("tank", clues, games)
