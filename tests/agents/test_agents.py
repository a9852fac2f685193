"""Tests for every agent: sound claims, repeatable games that end, the rules."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from satsweep.agents import AGENTS, agent_named
from satsweep.analysis.analyse import analyse
from satsweep.board import COVERED, Board, Cell
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import Game, play, play_moves, record
from satsweep.games.record import Action, MoveReason, Outcome
from satsweep.games.rules import FIND_MINES_RULES, FirstClick, Goal, Rules
from satsweep.layout import Layout
from tests.agents import CLAIM_NOTHING
from tests.agents.test_blind_spots import PAIRS
from tests.brute_force import worlds
from tests.strategies import boards
from tests.symmetries import moved

every_agent = pytest.mark.parametrize("name", AGENTS)

# These give up when their queue is empty, or when they know all cells that are left.
MAY_STOP = {"bfs", "dfs", "ai0", "ai1"}


def claims_of(name: str, board: Board) -> Deduction:
    """Return a fresh agent's claims.

    Raises AgentError if a claim is not about a covered cell, or if two contradict each other.
    """
    return Deduction.of(agent_named(name).deduce(board), board)


# Claims are sound


def views(count: int, seed: str) -> Iterator[Board]:
    """Yield boards of every density seen from random layouts, on symmetric topologies.

    Some have mines open or flagged rightly.
    """
    for game in range(count):
        rng = game_rng(seed, game)
        rows, cols = rng.randint(1, 8), rng.randint(1, 8)
        topology = rng.choice(["square", "square", "torus", "orthogonal", "knight", "offsets 0,2 2,0 1,1 1,-1"])
        layout = random_layout(rows, cols, rng.randint(0, rows * cols), rng, topology=topology)
        share, opens_mines, flags = rng.random(), rng.random() < 0.2, rng.choice((0, 0, 0.3))
        cells = [Cell(row, col) for row, col in product(range(rows), range(cols))]
        opened = [cell for cell in cells if rng.random() < share and (opens_mines or not layout.is_mine(cell))]
        board = layout.board(opened, tells_total=rng.random() < 0.5)
        mines = (cell for cell in cells if board[cell] == COVERED and layout.is_mine(cell))
        yield board.with_flags([cell for cell in mines if rng.random() < flags])


@lru_cache(maxsize=4)
def analysed(count: int, seed: str) -> list[tuple[Board, frozenset[Cell], frozenset[Cell]]]:
    """Return boards with their forced cells, given that their flags are right."""
    truths = ((board, analyse(board.trusting_flags())) for board in views(count, seed))
    return [(board, frozenset(truth.safe), frozenset(truth.mines)) for board, truth in truths]


def check_claims(name: str, count: int, seed: str) -> None:
    claimed = 0
    for board, safe, mines in analysed(count, seed):
        deduction = claims_of(name, board)
        assert safe.issuperset(deduction.safe), board
        assert mines.issuperset(deduction.mines), board
        assert all(board[cell] == COVERED for cell in (*deduction.safe, *deduction.mines)), board
        claimed += len(deduction.safe) + len(deduction.mines)
    assert claimed > count / 4 or name in CLAIM_NOTHING


@pytest.mark.parametrize("count", [300, pytest.param(1_000, marks=pytest.mark.extended)])
@every_agent
def test_claims_are_sound(name: str, count: int) -> None:
    check_claims(name, count, "sound")


@pytest.mark.slow
@every_agent
def test_claims_are_sound_on_many_boards(name: str) -> None:
    check_claims(name, 40_000, "many")


@given(board=boards(max_covered=10))
def test_claims_hold_in_every_world_and_follow_from_the_numbers_they_name(board: Board) -> None:
    """Compared with every layout, so that the test does not depend on the engine.

    A claim rests on its numbers and on what else was claimed before it; no further number is needed.
    """
    board = board.without_flags()
    every = list(worlds(board))
    for name in AGENTS:
        deduction = claims_of(name, board)
        for world in every:
            assert world.issuperset(deduction.mines) and world.isdisjoint(deduction.safe), name
        claimed = {**dict.fromkeys(deduction.safe, False), **dict.fromkeys(deduction.mines, True)}
        assert set(deduction.why) == set(claimed), name
        for cell, inference in deduction.why.items():
            assert all(board.number(clue) is not None for clue in inference.clues), name
            if inference.clues:
                others = {other: mine for other, mine in claimed.items() if deduction.why[other] != inference}
                for world in worlds(board, numbers=inference.clues, total=False):
                    if all((other in world) is mine for other, mine in others.items()):
                        assert (cell in world) is claimed[cell], name


# Containment of claims

CONTAINED = [("random", "basic"), ("basic", "tank"), ("basic", "subset"), ("basic", "gem"), ("gem", "gem-full")]
CONTAINED += [("gem-full", "gem-refute")]
# Soundness and the blind spots show that sat claims all that any agent claims, and more.


@pytest.mark.parametrize("pair", CONTAINED, ids=lambda pair: " <= ".join(pair))
def test_the_stronger_claims_all_that_the_weaker_claims(pair: tuple[str, str]) -> None:
    """On any board, at the first call; strictly more on some: ``test_blind_spots.py``."""
    weaker, stronger = pair
    for board, *_ in analysed(300, "sound"):
        trusted = board.trusting_flags()
        less, more = claims_of(weaker, trusted), claims_of(stronger, trusted)
        assert set(less.safe) <= set(more.safe) and set(less.mines) <= set(more.mines), board


def opened_without_guessing(name: str, layout: Layout, start: Cell) -> set[Cell]:
    """Return the open cells when an agent first claims nothing, or clears the board."""
    agent = agent_named(name)
    game = Game(layout, Rules(first=FirstClick.ANY, start=start))
    for _ in play_moves(game, Agent(agent.deduce, lambda board, rng: None), Random(0)):
        pass
    return {cell for move in game.moves for cell, _ in move.revealed}


OUTPLAYED = [("bfs", "basic"), ("dfs", "basic"), ("basic", "tank"), ("tank", "subset"), ("subset", "sat")]
OUTPLAYED += [("basic", "gem"), ("gem", "sat"), ("basic", "gem-full"), ("gem-full", "sat")]
OUTPLAYED += [("gem", "gem-refute"), ("gem-refute", "sat")]


@pytest.mark.parametrize("pair", OUTPLAYED, ids=lambda pair: " <= ".join(pair))
def test_played_without_guessing_the_stronger_gets_at_least_as_far(pair: tuple[str, str]) -> None:
    """The rules of the stronger agent apply wherever those of the weaker do.

    More knowledge never disables one.

    This does not hold for gem and gem-full, whose reduced rows change when more numbers are open.
    """
    further = 0
    for game in range(60):
        rng = game_rng("outplayed", game)
        layout = random_layout(8, 8, 10, rng)
        start = rng.choice([cell for cell in map(Cell._make, product(range(8), repeat=2)) if not layout.is_mine(cell)])
        weaker, stronger = (opened_without_guessing(name, layout, start) for name in pair)
        assert weaker <= stronger, layout
        further += weaker < stronger
    assert further


# Symmetric boards


@lru_cache(maxsize=2)
def turned(symmetry: str) -> list[tuple[Board, Board, dict[Cell, Cell]]]:
    """Return boards, their images, and where their cells went."""
    return [(board, *moved(board, symmetry)) for board, *_ in analysed(300, "sound")]


@pytest.mark.extended
@pytest.mark.parametrize("name", sorted(set(AGENTS) - {"gem", "gem-full", "gem-refute", "gem-select", "bfs", "dfs"}))
@pytest.mark.parametrize("symmetry", ["quarter turn", "transposed"])
def test_claims_turn_with_the_board(name: str, symmetry: str) -> None:
    """A quarter turn and a flip make all eight symmetries.

    Reduced rows depend on the order of the columns (there is a blind spot for it), and a queue on that of the cells.
    """
    for board, image, where in turned(symmetry):
        deduction, other = claims_of(name, board), claims_of(name, image)
        assert {where[cell] for cell in deduction.safe} == set(other.safe), board
        assert {where[cell] for cell in deduction.mines} == set(other.mines), board


# Games

EVERY_RULES = [
    Rules(first=first, cascade=cascade, fatal=fatal, goal=goal, tells_total=tells_total)
    for first, cascade, fatal, goal, tells_total in product(
        FirstClick, (True, False), (True, False), Goal, (True, False)
    )
]


def small_layouts() -> Iterator[Layout]:
    for game, (rows, cols, mines) in enumerate([(4, 5, 3), (5, 4, 8), (1, 12, 2)]):
        rng = game_rng("small", game)
        yield random_layout(rows, cols, mines, rng, start=(rng.randrange(rows), rng.randrange(cols)))


@every_agent
def test_every_game_ends_and_is_played_by_the_rules(name: str) -> None:
    """Under every combination of rules, each on one layout: repeatable, sound, and each turn has a move."""
    turns = list(small_layouts())
    for at, rules in enumerate(EVERY_RULES):
        number = at % len(turns)
        layout = turns[number]
        game = play(layout, agent_named(name), rules, Random(7))
        assert number or game == play(layout, agent_named(name), rules, Random(7))
        assert game.measures.turns <= 2 * layout.rows * layout.cols
        assert game.measures.wrong_flags == 0
        for move in game.moves:
            if move.reason is MoveReason.DEDUCED:
                assert game.layout.is_mine(move.cell) is (move.action is Action.FLAG)
            assert (move.reason is MoveReason.GUESSED) <= bool(move.why)
        if game.outcome is Outcome.STUCK:
            assert name in MAY_STOP
        elif rules.fatal and game.measures.mines_hit:
            assert game.outcome is Outcome.EXPLODED
        else:
            ends = (Outcome.FOUND,) if rules.goal is Goal.FIND else (Outcome.CLEARED, Outcome.PLAYED_OUT)
            assert game.outcome in ends


@every_agent
def test_games_at_length(name: str) -> None:
    """Beginner's boards under the rules that the agent was made for."""
    for number in range(6):
        rng = game_rng("length", number)
        layout = random_layout(9, 9, 10, rng)
        start = rng.choice([cell for cell in map(Cell._make, product(range(9), repeat=2)) if not layout.is_mine(cell)])
        rules = AGENTS[name].rules
        layout = Layout(layout.cells, start=start)
        game = play(layout, agent_named(name), rules, game_rng("play", number), name=name)
        assert game.agent == name and game.measures.wrong_flags == 0
        assert game.outcome is not Outcome.STUCK or name in MAY_STOP
        if rules == FIND_MINES_RULES:
            assert game.outcome is Outcome.FOUND


@pytest.mark.extended
@every_agent
@given(board=boards())
def test_guesses_are_covered_cells_without_a_flag(name: str, board: Board) -> None:
    """The agent guesses as in a game, with mines flagged and no cell left to open."""
    board = board.without_flags()
    agent = agent_named(name)
    deduction = Deduction.of(agent.deduce(board), board)
    if deduction.opens or (deduction.opens is None and deduction.safe):
        return
    board = board.with_flags(deduction.mines)
    guess = Guess.of(agent.guess(board, Random(3)), board)
    if guess is None:
        assert name in MAY_STOP or not any(COVERED in row for row in board.cells)
    else:
        assert board[guess.cell] == COVERED and guess.cell not in deduction.safe and guess.why


@every_agent
def test_agents_of_the_same_name_share_nothing(name: str) -> None:
    """Two games played in turns are the games that they are alone."""
    layouts = [random_layout(7, 7, 8, game_rng("shared", number), start=(0, 0)) for number in range(2)]
    rules = Rules(first=FirstClick.SAFE, start=Cell(0, 0))
    alone = [play(layout, agent_named(name), rules, Random(5)) for layout in layouts]
    games = [Game(layout, rules, Random(5)) for layout in layouts]
    running = [play_moves(game, agent_named(name), game.rng) for game in games]
    while running:
        running = [moves for moves in running if next(moves, None) is not None]
    assert [record(game, "agent") for game in games] == alone


# The table


@every_agent
def test_the_table_says_what_an_agent_is(name: str) -> None:
    entry = AGENTS[name]
    assert entry.source and entry.summary.endswith(".")
    assert [other for other in AGENTS if AGENTS[other].summary == entry.summary] == [name]


@every_agent
def test_every_agent_has_tests_of_its_own(name: str) -> None:
    """Each agent has a blind spot in the collection, or tests named after it."""
    named = f"def test_{name.replace('-', '_')}_"
    texts = [path.read_text() for path in Path(__file__).parent.glob("test_*agent*.py")]
    assert any(name in pair for pair in PAIRS) or any(named in text for text in texts), (
        f"{name}: no pair in PAIRS (tests/agents/test_blind_spots.py), no test in tests/agents begins with {named[4:]}"
    )
