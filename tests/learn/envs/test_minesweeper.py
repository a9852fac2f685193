"""Tests of the environment: Gymnasium's checks, games as in the arena, policies."""

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, strategies as st

from satsweep.agents import agent_named
from satsweep.agents.load import load_agent
from satsweep.agents.policy import mask_of, observation_of, policy_agent
from satsweep.arena import Plan, Setting, run_plan
from satsweep.board import NUMBERS, Board, Cell
from satsweep.clues import clues_named
from satsweep.errors import AgentError, BoardError
from satsweep.games.agent import Deduction
from satsweep.games.deal import game_rng, random_layout, with_start
from satsweep.games.game import play
from satsweep.games.record import Outcome
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout
from satsweep.learn import envs
from satsweep.learn.envs import MinesweeperEnv, RewardFunction, Rewards
from satsweep.learn.envs.frames import board_pixels
from tests import EXAMPLES
from tests.brute_force import truth
from tests.strategies import boards, unreliable_boards

LEARNER = EXAMPLES / "learner.py"

KINDS: list[dict[str, Any]] = [
    {},
    {"level": "expert"},
    {"rows": 4, "cols": 5, "mines": 3, "first": "zero", "oracle": True},
    {"rows": 4, "cols": 5, "mines": 3, "first": "any", "fatal": False, "tells_total": False},
    {"rows": 5, "cols": 4, "mines": 4, "first": "given", "cascade": False, "clues": "random 1/2"},
    {"rows": 6, "cols": 4, "mines": 4, "topology": "hexagonal wrapping both", "clues": "underestimate 1/4"},
    {
        "rows": 6,
        "cols": 6,
        "mines": 6,
        "topology": "square in 3 planes",
        "clues": "overestimate cap 30",
        "oracle": True,
    },
    {"rows": 3, "cols": 3, "mines": 2, "start": (1, 1), "reward": {"safe": 0.5}, "render_mode": "ansi"},
    {"rows": 1, "cols": 1, "mines": 0, "first": "any"},
    {"rows": 4, "cols": 5, "mines": 6, "redraw": "fair-any", "reward": {}},
]


def small(**options: Any) -> MinesweeperEnv:
    """Make an environment with 4x5 cells, unless the options say otherwise."""
    return MinesweeperEnv(**{"rows": 4, "cols": 5, "mines": 4, **options})


# Gymnasium's interface


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_gymnasium_has_no_complaints(kind: dict[str, Any]) -> None:
    """Warnings are errors here."""
    env = gymnasium.make("satsweep.learn.envs:satsweep/Minesweeper-v0", **{"render_mode": "ansi", **kind})
    check_env(env.unwrapped)
    assert gymnasium.spec("satsweep/Minesweeper-v0").id == envs.ID
    assert isinstance(env.unwrapped, MinesweeperEnv)


def test_registering_twice_does_no_harm() -> None:
    envs.register_envs()
    gymnasium.register_envs(envs)
    assert list(gymnasium.registry).count(envs.ID) == 1


def test_several_at_once() -> None:
    vector = gymnasium.make_vec(envs.ID, num_envs=3, vectorization_mode="sync", rows=4, cols=5, mines=3)
    observations, info = vector.reset(seed=5)
    assert observations.shape == (3, 4, 5) and info["action_mask"].shape == (3, 20)
    for _ in range(40):
        actions = [np.flatnonzero(mask)[0] for mask in info["action_mask"]]
        observations, _, _, _, info = vector.step(np.array(actions))
    assert observations.dtype == np.int8
    vector.close()


def test_nothing_heavy_is_loaded_for_those_who_do_not_learn() -> None:
    code = "import sys, satsweep, satsweep.cli; print({'gymnasium', 'numpy'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"
    code = "import sys, satsweep.agents.policy; print('gymnasium' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


def test_without_gymnasium() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; from satsweep.learn.envs import MinesweeperEnv"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1].endswith(
        "satsweep.learn.envs needs gymnasium: pip install -e '.[gym]' in the checkout of satsweep"
    )


# Observations


@given(st.one_of(boards(), unreliable_boards()))
def test_an_observation_is_the_board(board: Board) -> None:
    seen, mask = observation_of(board), mask_of(board)
    assert seen.shape == (board.rows, board.cols) and seen.dtype == mask.dtype == np.int8
    for cell in board:
        number = board.number(cell)
        assert seen[cell] == ({"#": -1, "?": -2, "*": -3, "F": -3}[board[cell]] if number is None else number)
        assert mask[board.index(cell)] == (board[cell] == "#")
    symbols = {-1: "#", -2: "?", -3: "*", **dict(enumerate(NUMBERS))}
    told = tuple("".join(symbols[code] for code in row) for row in seen.tolist())
    assert told == board.trusting_flags().cells, "nothing else is lost"


def test_every_number_has_its_code() -> None:
    shown = Board((NUMBERS, "#" * 36), topology="square in 2 planes", clues="overestimate cap 35")
    assert observation_of(shown)[0].tolist() == list(range(36))


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_game_at_random(kind: dict[str, Any]) -> None:
    """Masks are the cells to open and observations fit the space, throughout a game."""
    env = MinesweeperEnv(**kind)
    env.action_space.seed(1)
    for game in range(5):
        seen, info = env.reset(seed=3 if game == 0 else None)
        assert info["game"] == game
        over = False
        while not over:
            assert env.observation_space.contains(seen) and (seen == observation_of(env.game.board)).all()
            assert (env.action_masks() == info["action_mask"]).all() and env.action_masks().dtype == np.bool_
            covered = [index for index, cell in enumerate(env.game.board) if env.game.is_covered(cell)]
            assert list(np.flatnonzero(info["action_mask"])) == (covered or list(range(env.setting.area)))
            assert info.get("mines_left") == (env.game.mines_left if env.setting.rules.tells_total else None)
            seen, _, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
            over = terminated or truncated
        assert terminated and not truncated
        left = [cell for cell in env.game.board if env.game.is_covered(cell)]
        lost = any("*" in row for row in env.game.board.cells)
        if env.setting.rules.fatal:
            assert bool(info["outcome"]) == (not lost) == (env.game.outcome is Outcome.CLEARED)
        assert not info["outcome"] or all(map(env.game.layout.is_mine, left))


def test_drawn_as_text() -> None:
    env = small(render_mode="ansi")
    env.reset(seed=1)
    env.step(0)
    assert env.render() == "\n".join(env.game.board.cells)
    assert small().render() is None


@pytest.mark.parametrize("kind", [{}, {"fatal": False}, {"clues": "underestimate 1/3"}, {"topology": "torus"}], ids=str)
def test_the_oracle_tells_what_can_be_known(kind: dict[str, Any]) -> None:
    """Compared with brute force."""
    env = MinesweeperEnv(rows=3, cols=4, mines=3, oracle=True, **kind)
    draw = Random(2)
    for game in range(3):
        _, info = env.reset(seed=9 if game == 0 else None)
        over = False
        while not over:
            board = env.game.board
            known = truth(board)
            assert known is not None
            for cell in board:
                assert info["risks"][cell] == float(known.risk.get(cell, board[cell] == "*"))
                assert (info["safe"][cell], info["mines"][cell]) == (cell in known.safe, cell in known.mines)
            _, _, over, _, info = env.step(draw.choice(list(np.flatnonzero(info["action_mask"]))))
    assert "risks" not in small().reset(seed=1)[1]


def test_drawn_as_pixels() -> None:
    env = small(render_mode="rgb_array", first="any")
    env.reset(options={"layout": Layout(("*...*", ".....", ".....", "**..."))})
    covered = env.render()
    assert covered.shape == (64, 80, 3) and covered.dtype == np.uint8
    env.step(6)
    env.step(0)
    opened = env.render()
    squares = {tuple(opened[16 * row : 16 * row + 16, 16 * col : 16 * col + 16].ravel()) for row, col in env.game.board}
    assert len(squares) == 3, "a number, a mine, and covered cells"
    assert (opened != covered).any(axis=2)[:32, :32].any() and (opened == covered)[:, 32:].all()
    every = board_pixels(np.arange(-3, 36, dtype=np.int8)[None])
    assert len({tuple(every[:, 16 * code : 16 * code + 16].ravel()) for code in range(39)}) == 39


# Choice of games


def test_seeds() -> None:
    one, other = small(first="any"), small(first="any")
    layouts = []
    for env in (one, other):
        env.reset(seed=4)
        first = [env.game.layout]
        for _ in range(3):
            env.reset()
            first.append(env.game.layout)
        layouts.append(first)
    assert layouts[0] == layouts[1] == [random_layout(4, 5, 4, game_rng(4, number)) for number in range(4)]
    assert len(set(layouts[0])) > 1
    assert one.reset(options={"game": 2})[1]["game"] == 2 and one.game.layout == layouts[0][2]
    assert one.reset()[1]["game"] == 3
    one.reset(seed=4)
    assert one.game.layout == layouts[0][0]


def test_without_a_seed_games_differ() -> None:
    drawn = set()
    for _ in range(4):
        env = small(first="any")
        env.reset()
        drawn.add(env.game.layout)
    assert len(drawn) > 1


def test_given_starts_are_those_of_the_arena() -> None:
    env = small(first="given")
    seen, _ = env.reset(seed=7)
    rng = game_rng("7", 0)
    layout = with_start(random_layout(4, 5, 4, rng), rng)
    assert env.game.layout == layout and layout.start is not None
    assert seen[layout.start] == layout.number(layout.start)


def test_a_layout_of_ones_own() -> None:
    layout = Layout(("*...*", ".....", ".....", "**..."), start=(1, 2))
    env = small(first="given")
    seen, _ = env.reset(seed=0, options={"layout": layout})
    assert env.game.layout == layout and seen[1, 2] == 0
    with pytest.raises(BoardError, match="expected a layout of the kind 4x5, 4 mines, found another one"):
        env.reset(options={"layout": Layout(("*.",))})


RULES = [
    Rules(FirstClick.ANY),
    Rules(FirstClick.SAFE),
    Rules(FirstClick.ZERO),
    Rules(FirstClick.GIVEN),
    Rules(FirstClick.ZERO, start=Cell(2, 2)),
    Rules(FirstClick.SAFE, cascade=False, tells_total=False),
    Rules(FirstClick.ANY, fatal=False),
]


def in_the_env(setting: Setting, seed: int, game: int, agent: Any) -> tuple[bool, Layout]:
    """Play a game of the environment by the moves of an agent."""
    rules: dict[str, Any] = {name: value for name, value in setting.rules.to_values().items() if name != "goal"}
    size: dict[str, Any] = {
        "rows": setting.rows,
        "cols": setting.cols,
        "mines": setting.mines,
        "topology": setting.topology,
    }
    env = MinesweeperEnv(**size, **rules, illegal="raise", reward={})
    _, info = env.reset(seed=seed, options={"game": game})
    over, total = False, 0.0
    while not over:
        board = env.game.board
        safe = Deduction.of(agent.deduce(board), board).safe
        # The layout is moved by the same draws as in the arena if the agent draws from the same randomness.
        cells = safe or [guess.cell for guess in [agent.guess(board, env.game.rng)] if guess] or board.covered[:1]
        for cell in cells:
            if not over and env.game.is_covered(cell):
                _, reward, over, _, info = env.step(board.index(cell))
                total += reward
    assert total == pytest.approx(info["outcome"] - sum(move.exploded for move in env.game.moves))
    return bool(info["outcome"]), env.game.layout


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_moves_of_sat_win_where_sat_wins(rules: Rules) -> None:
    """The same results, with moved mines and with mines that are not fatal, too."""
    setting, wins = Setting(5, 5, 5, rules), 0
    for game in range(12):
        won, layout = in_the_env(setting, 3, game, agent_named("sat"))
        drawn, rng = setting.layout("3", game)
        record = play(drawn, agent_named("sat"), rules, rng)
        assert won == record.won and layout == record.layout
        wins += won
    assert 0 < wins < 12


def test_moves_of_sat_win_where_sat_wins_if_clues_are_not_exact() -> None:
    rules = Rules(FirstClick.GIVEN, clues=clues_named("random 3/4"))
    setting = Setting(5, 5, 3, rules)
    games = range(12)
    won = [in_the_env(setting, 8, game, agent_named("sat"))[0] for game in games]
    arena = [
        play(layout, agent_named("sat"), rules, rng).won for layout, rng in (setting.layout("8", g) for g in games)
    ]
    assert won == arena and 0 < sum(won) < 12


# Rewards


@pytest.mark.parametrize("kind", ["regret", "win"])
def test_moves_are_paid_by_what_can_be_known(kind: str) -> None:
    """Other reasons for a reward are a credit, an illegal action, and giving up."""
    env, draw = small(reward=kind, credit=0.5, max_steps=6), Random(5)
    met = set()
    for game in range(30):
        env.reset(seed=2 if game == 0 else None)
        rules, over = env.setting.rules, False
        left = len(env.game.board.covered) - 4
        while not over:
            board, action = env.game.board, draw.randrange(20)
            cell = board.cell(action)
            expected: Any = Fraction(-1, 10)
            if board.is_covered(cell):
                judged = RewardFunction(kind, rules).of(board, cell)
                expected = judged.value
            _, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
            if board.is_covered(cell):
                opened = len(board.covered) - len(env.game.board.covered)
                expected += Fraction(opened, 2 * left) * (judged.risk == 0)
                assert (info["risk"], info["least_risk"]) == (float(judged.risk), float(judged.least_risk))
            assert ("risk" in info) == board.is_covered(cell)
            if truncated:
                expected -= RewardFunction(kind, rules).left(env.game.board)[0]
            met.add((board.is_covered(cell), truncated, info["outcome"]))
            assert reward == pytest.approx(float(expected), abs=1e-12)
            assert info["opened"] == sum(env.game.board[cell] not in "#*" for cell in env.game.board)
    assert {(True, False, 0), (False, False, 0)} < met and any(truncated for _, truncated, _ in met)


def test_a_game_goes_on_where_no_cell_was_less_risky() -> None:
    """Each world that agrees with what is seen comes as often as the others; other mines end the game."""
    layout = Layout(("...", ".*.", "..*"))
    env, worlds = MinesweeperEnv(rows=3, cols=3, mines=2, first="any", cascade=False, resample=True), Counter[str]()
    for game in range(400):
        env.reset(seed=game, options={"layout": layout})
        env.step(0)
        before = env.game.board
        _, reward, terminated, _, info = env.step(8)
        assert (reward, terminated, info["risk"], info["least_risk"]) == (0, False, 1 / 5, 1 / 5)
        after = env.game.board
        assert after[2, 2] in ".12" and before.cells[:2] == after.cells[:2]
        worlds[str(env.game.layout)] += 1
    assert len(worlds) == 12 and min(worlds.values()) > 12, "3 neighbours of the number, and 4 of the other 5 cells"
    env.reset(seed=1, options={"layout": layout})
    env.step(0)
    assert env.step(4)[2], "a third is more than a fifth"


def test_rewards() -> None:
    """A row of six cells with one mine on its right, opened from both ends."""
    rewards = Rewards(win=100, mine=-10, safe=1, cell=0.25, illegal=-5)
    env = MinesweeperEnv(rows=1, cols=6, mines=1, first="any", reward=rewards)
    env.reset(options={"layout": Layout(("....*.",))})
    assert env.step(0)[1:4] == (1 + 4 * 0.25, False, False)
    assert env.step(0)[1:4] == (-5, False, False)
    assert env.step(5)[1:4] == (1 + 0.25 + 100, True, False)
    env.reset(options={"layout": Layout(("....*.",))})
    assert env.step(4)[1:4] == (-10, True, False)


def test_if_nothing_is_said_of_rewards_only_the_end_counts() -> None:
    assert Rewards() == Rewards(win=1, mine=-1, safe=0, cell=0, illegal=-0.1)
    env = MinesweeperEnv(rows=1, cols=6, mines=1, first="any", reward={})
    env.reset(options={"layout": Layout(("....*.",))})
    assert [env.step(action)[1] for action in (0, 0, 5)] == [0, -0.1, 1]


def test_rewards_by_name() -> None:
    assert small(reward={"safe": 2}).options.paid == Rewards(safe=2)
    with pytest.raises(ValueError, match="expected rewards among win, mine, safe, cell, illegal, found 'gold'"):
        small(reward={"gold": 1})


def test_mines_that_are_not_fatal() -> None:
    """The game goes on until no safe cell is covered, and is not won then."""
    env = MinesweeperEnv(rows=1, cols=6, mines=2, first="any", fatal=False, reward={})
    env.reset(options={"layout": Layout(("*...*.",))})
    seen, reward, over, _, info = env.step(0)
    assert (seen.tolist(), reward, over, info["mines_left"]) == ([[-3, -1, -1, -1, -1, -1]], -1, False, 1)
    assert env.step(2)[1:3] == (0, False)
    seen, reward, over, _, info = env.step(5)
    assert (seen.tolist(), reward, over, info["outcome"]) == ([[-3, 1, 0, 1, -1, 1]], 0, True, False)


def test_illegal_actions() -> None:
    env = small(first="any", cascade=False)
    env.reset(options={"layout": Layout(("*...*", ".....", ".....", "**..."))})
    before = env.step(7)[0]
    after, reward, terminated, truncated, info = env.step(7)
    assert (before == after).all() and (reward, terminated, truncated) == (-0.1, False, False)
    assert info["action_mask"][7] == 0
    for _ in range(37):
        assert env.step(7)[2:4] == (False, False)
    assert env.step(7)[2:4] == (False, True)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(8)
    strict = small(first="any", cascade=False, illegal="raise")
    strict.reset(options={"layout": Layout(("*...*", ".....", ".....", "**..."))})
    strict.step(7)
    with pytest.raises(gymnasium.error.InvalidAction, match="expected a covered cell, found 1,2"):
        strict.step(7)
    for action in (-1, 20):
        with pytest.raises(gymnasium.error.InvalidAction, match="expected an action from 0 to 19"):
            env.reset()
            env.step(action)


def test_no_steps_before_or_after_a_game() -> None:
    env = small()
    for act in (lambda: env.step(0), env.action_masks, lambda: env.game):
        with pytest.raises(gymnasium.error.ResetNeeded):
            act()
    env.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))
    with pytest.raises(gymnasium.error.ResetNeeded, match="after the end of a game"):
        env.step(0)


@pytest.mark.parametrize(
    ("layout", "reward", "won"),
    [
        (Layout(("....", "....", "...*"), start=(0, 0)), 1, True),
        (Layout(("*...", "....", "...."), start=(0, 0)), -1, False),
    ],
)
def test_games_that_the_start_ends(layout: Layout, reward: float, won: bool) -> None:
    """They count as in the arena: the first action brings the reward."""
    env = MinesweeperEnv(rows=3, cols=4, mines=1, first="given", reward={})
    seen, info = env.reset(seed=0, options={"layout": layout})
    assert info["outcome"] == won and info["action_mask"].any()
    again, *rest, _ = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert (seen == again).all() and rest == [reward, True, False]
    assert play(layout, agent_named("random"), Rules(FirstClick.GIVEN)).won == won


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"level": "hard"}, "expected a level among beginner, intermediate, expert, found 'hard'"),
        ({"illegal": "ignore"}, "expected illegal among penalty, raise, found 'ignore'"),
        ({"render_mode": "human"}, "expected a render mode among ansi, rgb_array, None, found 'human'"),
        ({"first": "last"}, "'last' is not a valid First"),
        ({"mines": 21}, "expected a mine total between 0 and the 20 cells, found 21"),
        ({"mines": 12, "first": "zero"}, "expected room for a first cell with no mine around, wherever it is"),
        ({"topology": "donut"}, "expected a topology among"),
        ({"clues": "fuzzy"}, "expected clues among"),
        ({"start": (4, 0)}, "expected a start on the 4x5 grid"),
        ({"reward": "luck"}, "expected a reward among regret, win, found 'luck'"),
        ({"goal": "find"}, "expected the rule goal to be clear here, found find"),
        ({"redraw": "fair"}, "expected the rule redraw to be never here, found fair"),
        ({"lives": 3}, "expected rules of play, found 'lives'"),
        ({"credit": 1, "tells_total": False}, "expected rules that tell the mine total, for a credit of safe cells"),
        ({"resample": True, "fatal": False}, "expected a fatal mine, exact numbers and a known mine total"),
        ({"resample": True, "clues": "random 1/2"}, "expected a fatal mine, exact numbers and a known mine total"),
    ],
    ids=str,
)
def test_what_cannot_be_played(options: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, BoardError), match=re.escape(said)):
        small(**options)


def test_unknown_options() -> None:
    with pytest.raises(ValueError, match="expected options among game, layout, found 'speed'"):
        small().reset(options={"speed": 3})


# Policies in the arena


def first_covered(observation: np.ndarray, mask: np.ndarray) -> Any:
    assert (mask.reshape(observation.shape) == (observation == -1)).all()
    return mask.argmax()


def test_a_policy_plays() -> None:
    layout = Layout((".*", ".."))
    record = play(layout, policy_agent(first_covered), Rules(FirstClick.ANY))
    assert [tuple(move.cell) for move in record.moves] == [(0, 0), (0, 1)]
    assert record.moves[0].why == "policy" and record.outcome is Outcome.EXPLODED


def test_a_policy_may_draw() -> None:
    """It draws from the game's random generator: the same seed gives the same game."""

    def drawn(observation: np.ndarray, mask: np.ndarray, rng: Random) -> int:
        return int(rng.choice(list(np.flatnonzero(mask))))

    layout = random_layout(6, 6, 5, game_rng(1, 0))
    games = [play(layout, policy_agent(drawn), Rules(), Random(seed)) for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_a_policy_is_asked_where_nothing_is_claimed() -> None:
    """A cell claimed to be a mine is a mine in the observation."""
    seen: list[list[list[int]]] = []

    def policy(observation: np.ndarray, mask: np.ndarray) -> int:
        seen.append(observation.tolist())
        return int(mask.argmax())

    agent = policy_agent(policy, agent_named("basic").deduce)
    record = play(Layout((".*..",)), agent, Rules(FirstClick.ANY, start=Cell(0, 0)))
    assert seen == [[[1, -3, -1, -1]]] and record.won


@pytest.mark.parametrize(
    "policy", [lambda seen, mask: 0, lambda seen, mask: 99, lambda seen, mask: -1, lambda seen, mask: 0.5]
)
def test_a_policy_that_names_no_covered_cell(policy: Callable[..., Any]) -> None:
    examined = load_agent(lambda: policy_agent(policy))
    with pytest.raises(AgentError):
        play(Layout(("..*.",)), examined.fresh(), Rules(FirstClick.ANY, start=Cell(0, 0), cascade=False))


def test_a_policy_gives_up_where_nothing_can_be_opened() -> None:
    wrong = policy_agent(first_covered, lambda board: ((), [cell for cell in board.covered if board[cell] == "#"]))
    assert play(Layout(("..*",)), wrong, Rules(start=Cell(0, 0), cascade=False)).outcome is Outcome.STUCK


@pytest.mark.extended
def test_the_learner_learns_and_meets_others() -> None:
    """A short training is far better than chance, in the arena, too, from its file."""
    name = f"{LEARNER}:agent"
    plan = Plan(("random", "basic", name), (Setting(6, 6, 5, Rules(FirstClick.ZERO)),), games=100, seed="arena")
    report = run_plan(plan)
    assert not report.failures
    won = [standing.measured["won"] for standing in report.summaries]
    assert all(standing.games == 100 for standing in report.summaries)
    chance, _, learned = (estimate.mean if estimate else None for estimate in won)
    assert chance is not None and learned is not None
    assert learned > chance + 0.15
