"""Games at once against single ones; conventions of Gymnasium; no luck."""

import runpy
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from satsweep.errors import BoardError
from satsweep.games.deal import random_layout
from satsweep.games.game import play
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout
from satsweep.learn.envs import MinesweeperEnv
from satsweep.learn.envs.vector import MinesweeperVectorEnv, vector_env
from satsweep.solver import compiled
from tests import EXAMPLES

SMALL: dict[str, Any] = {"rows": 4, "cols": 5, "mines": 4}
KINDS: list[dict[str, Any]] = [
    {},
    {"level": "expert"},
    {**SMALL, "first": "zero", "mines": 3, "credit": 0.5},
    {**SMALL, "first": "any", "fatal": False},
    {**SMALL, "first": "any", "tells_total": False},
    {**SMALL, "first": "given", "cascade": False, "reward": "win"},
    {**SMALL, "first": "zero", "start": (1, 1), "reward": {"cell": 0.25, "illegal": -2}},
    {"rows": 2, "cols": 2, "mines": 4, "first": "any", "start": (0, 0)},
    {"rows": 2, "cols": 2, "mines": 4, "first": "any", "start": (0, 0), "fatal": False, "reward": "win"},
    {**SMALL, "topology": "hexagonal wrapping both", "reward": "win", "max_steps": 6},
    {**SMALL, "topology": "square in 2 planes", "resample": True, "first": "any"},
    {"rows": 5, "cols": 5, "mines": 6, "resample": True, "credit": 1},
    {"rows": 3, "cols": 3, "mines": 9, "first": "any"},
    {"rows": 1, "cols": 1, "mines": 0, "first": "given", "reward": {}},
]


def both(kind: dict[str, Any], mode: str, envs: int = 6) -> tuple[Any, SyncVectorEnv]:
    vector = gymnasium.make_vec(
        "satsweep/Minesweeper-v0", num_envs=envs, vectorization_mode="vector_entry_point", autoreset_mode=mode, **kind
    )
    return vector, SyncVectorEnv([lambda: MinesweeperEnv(**kind)] * envs, autoreset_mode=mode)


def check_equal(one: Any, other: Any, name: str = "") -> None:
    """Compare infos and arrays, whole dictionaries too."""
    if isinstance(one, dict):
        assert one.keys() == other.keys(), name
        for key in one:
            check_equal(one[key], other[key], key)
    elif one.dtype == object:
        assert [view is None for view in one] == [view is None for view in other]
        assert all((view == twin).all() for view, twin in zip(one, other, strict=True) if view is not None)
    else:
        assert one.shape == other.shape and one.dtype.kind == other.dtype.kind, name
        np.testing.assert_allclose(one, other, atol=1e-12, err_msg=name)


def actions_of(masks: np.ndarray, draw: Random) -> np.ndarray:
    """Cells at random, most of them covered."""
    return np.array([
        draw.randrange(len(mask)) if draw.random() < 0.1 else draw.choice(list(np.flatnonzero(mask))) for mask in masks
    ])  # fmt: skip


@pytest.mark.extended
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_games_are_those_of_one_environment(kind: dict[str, Any], mode: str) -> None:
    vector, single = both(kind, mode)
    assert isinstance(vector, MinesweeperVectorEnv)
    assert vector.observation_space == single.observation_space and vector.action_space == single.action_space
    draw, seen, over = Random(3), vector.reset(seed=5), 0
    check_equal(seen[1], single.reset(seed=5)[1])
    for _ in range(30 if kind.get("reward") == "win" else 60):
        actions = actions_of(seen[1]["action_mask"], draw)
        observations, rewards, terminated, truncated, infos = vector.step(actions)
        twins = single.step(actions)
        assert (observations == twins[0]).all() and observations.dtype == np.int8
        np.testing.assert_allclose(rewards, twins[1].astype(np.float32), atol=1e-6)
        assert rewards.dtype == np.float32
        assert (terminated == twins[2]).all() and (truncated == twins[3]).all()
        check_equal(infos, twins[4])
        assert vector.observation_space.contains(observations)
        seen = observations, infos
        over += int(terminated.sum() + truncated.sum())
    assert over > 10 or kind.get("level") == "expert"
    vector.close()


def test_without_autoreset() -> None:
    """Games that are over are reset by their mask, to the next of their run."""
    vector, single = both(SMALL, "Disabled")
    draw = Random(1)
    _, infos = vector.reset(seed=8)
    single.reset(seed=8)
    for _ in range(40):
        actions = actions_of(infos["action_mask"], draw)
        observations, _, terminated, truncated, infos = vector.step(actions)
        assert (single.step(actions)[0] == observations).all()
        over = terminated | truncated
        if over.any():
            with pytest.raises(gymnasium.error.ResetNeeded):
                vector.step(actions)
            observations, infos = vector.reset(options={"reset_mask": over})
            assert (single.reset(options={"reset_mask": over})[0] == observations).all()


def test_seeds_layouts_and_games() -> None:
    vector: Any = vector_env(3, **SMALL, first="any")
    with pytest.raises(gymnasium.error.ResetNeeded):
        vector.step(np.zeros(3, np.int64))
    first = vector.reset(seed=[4, 4, None], options={"game": 2})[1]
    assert first["game"].tolist() == [2, 2, 2]
    assert vector.reset()[1]["game"].tolist() == [3, 3, 3]
    layouts = [random_layout(4, 5, 4, seed=seed) for seed in range(3)]
    vector.reset(options={"layout": layouts})
    cells = np.array([next(cell for cell in range(20) if layout.is_mine(layout.cell(cell))) for layout in layouts])
    assert vector.step(cells)[2].all()
    unseeded = [vector_env(2, **SMALL, first="any") for _ in range(2)]
    assert [env.reset()[1]["game"].tolist() for env in unseeded] == [[0, 0]] * 2
    started = vector_env(2, **SMALL, first="given")
    starts = [Layout(("*...*", ".....", ".....", "**..."), start=cell) for cell in ((1, 2), (0, 1))]
    seen, _ = started.reset(seed=0, options={"layout": starts})
    assert seen[0, 1, 2] == 0 and seen[1, 0, 1] == 1 and (seen[1] >= 0).sum() == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"num_envs": 0}, "expected at least 1 environment, found 0"),
        ({"autoreset_mode": "later"}, "'later' is not a valid AutoresetMode"),
        ({"reward": "luck"}, "expected a reward among regret, win"),
        ({"goal": "find"}, "expected the rule goal to be clear here"),
    ],
    ids=str,
)
def test_what_cannot_be_played(options: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, BoardError), match=said):
        vector_env(**options)


def test_actions_that_are_no_cells() -> None:
    vector = vector_env(2, **SMALL)
    vector.reset(seed=1)
    for actions in ([0, 20], [-1, 0], [0]):
        with pytest.raises(gymnasium.error.InvalidAction, match="expected 2 actions from 0 to 19"):
            vector.step(np.array(actions))
    with pytest.raises(ValueError, match="expected options among game, layout, reset_mask, found 'speed'"):
        vector.reset(options={"speed": 1})
    strict = vector_env(1, **SMALL, first="any", illegal="raise", cascade=False)
    strict.reset(options={"layout": Layout(("*...*", ".....", ".....", "**..."))})
    strict.step(np.array([7]))
    with pytest.raises(gymnasium.error.InvalidAction, match="expected covered cells only"):
        strict.step(np.array([7]))


def test_what_kernels_do_not_know_is_played_one_by_one() -> None:
    for kind in (
        {**SMALL, "clues": "random 1/2"}, {**SMALL, "oracle": True}, {**SMALL, "redraw": "fair", "reward": {}},
    ):  # fmt: skip
        vector = gymnasium.make_vec("satsweep/Minesweeper-v0", 2, "vector_entry_point", **kind)
        assert isinstance(vector, SyncVectorEnv)
        _, infos = vector.reset(seed=1)
        assert vector.step(actions_of(infos["action_mask"], Random(1)))[1].shape == (2,)


def test_arrays_for_other_libraries() -> None:
    """They are taken without a copy, and later steps do not change them."""
    vector = vector_env(4, **SMALL)
    observations, infos = vector.reset(seed=1)
    kept = observations.copy()
    assert np.shares_memory(np.from_dlpack(observations), observations)
    found = vector.step(actions_of(infos["action_mask"], Random(1)))
    for values in (*found[:2], found[4]["action_mask"]):
        assert np.shares_memory(np.from_dlpack(values), values)
    assert (observations == kept).all() and (found[0] != kept).any()


def test_wrappers_of_gymnasium() -> None:
    """They know the conventions of vector environments, and keep sums of rewards."""
    vector: Any = RecordEpisodeStatistics(vector_env(8, **SMALL, autoreset_mode="NextStep"))
    _, infos = vector.reset(seed=1)
    draw, sums, met = Random(1), np.zeros(8), 0
    for _ in range(30):
        _, rewards, terminated, truncated, infos = vector.step(actions_of(infos["action_mask"], draw))
        sums += rewards
        for game in np.flatnonzero(terminated | truncated):
            assert infos["episode"]["r"][game] == pytest.approx(sums[game], abs=1e-6)
            sums[game], met = 0, met + 1
    assert met > 8


def test_frames() -> None:
    for mode, shape in (("rgb_array", (64, 80, 3)), ("ansi", None)):
        vector = vector_env(2, **SMALL, render_mode=mode)
        vector.reset(seed=1)
        frames = vector.render()
        assert frames is not None and len(frames) == 2 and getattr(frames[0], "shape", None) == shape
    assert vector_env(2).render() is None
    assert vector_env(2).metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


# No luck


def worlds_of(layout: Layout, opened: list[int], count: int, salt: int, first: FirstClick) -> list[Layout]:
    """Worlds that agree with what is seen once some cells of a layout are open."""
    env = MinesweeperEnv(rows=layout.rows, cols=layout.cols, mines=layout.mines, first=first, reward={})
    env.reset(seed=0, options={"layout": layout})
    for cell in opened:
        if env.game.is_covered(layout.cell(cell)):
            env.step(cell)
    board = env.game.board
    symbols = compiled.symbols_of(board)
    table = compiled.table_of(board.topology, board.rows, board.cols)
    drawn = compiled.sample_worlds(symbols, table, layout.mines, count, salt)
    assert drawn is not None
    return [layout.with_mines(np.flatnonzero(world).tolist()) for world in drawn]


def positions(games: int, rows: int, cols: int, mines: int) -> Iterator[tuple[Layout, list[int], int]]:
    """Games at random, each cut before a random move: layout, cells that were opened, next cell."""
    draw = Random(f"{rows}x{cols}/{mines}")
    for game in range(games):
        env = MinesweeperEnv(rows=rows, cols=cols, mines=mines, first="zero", reward={})
        _, info = env.reset(seed=game)
        opened: list[int] = []
        for _ in range(draw.randrange(1, 8)):
            cell = draw.choice(list(np.flatnonzero(info["action_mask"])))
            before = info
            _, _, over, _, info = env.step(cell)
            if over:
                info = before
                break
            opened.append(int(cell))
        yield env.game.layout, opened, int(draw.choice(list(np.flatnonzero(info["action_mask"]))))


def check_that_luck_is_not_paid(games: int, worlds: int, kind: str, rows: int, cols: int, mines: int) -> set[float]:
    """Make the same moves in many worlds of a position; the last reward is the same in all."""
    rewards = set()
    for salt, (layout, opened, cell) in enumerate(positions(games, rows, cols, mines)):
        drawn = worlds_of(layout, opened, worlds, salt, FirstClick.ZERO)
        vector = vector_env(
            worlds, rows=rows, cols=cols, mines=mines, first="any", reward=kind, autoreset_mode="Disabled"
        )
        seen, _ = vector.reset(seed=0, options={"layout": drawn})
        for before in opened:
            if (seen[:, before // cols, before % cols] == -1).all():
                seen, _, over, _, _ = vector.step(np.full(worlds, before))
                assert not over.any()
        assert (seen == seen[0]).all(), "all worlds look the same"
        seen, earned, over, _, _ = vector.step(np.full(worlds, cell))
        assert len(set(earned.tolist())) == 1
        rewards.add(float(earned[0]))
    return rewards


@pytest.mark.extended
@pytest.mark.parametrize("kind", ["regret", "win"])
def test_a_reward_is_the_same_in_all_worlds(kind: str) -> None:
    found = check_that_luck_is_not_paid(*((30, 20, kind, 6, 6, 7) if kind == "regret" else (12, 4, kind, 5, 5, 5)))
    assert len(found) > 3 and min(found) < 0


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "mines", "games"), [(6, 6, 7, 4000), (9, 9, 10, 4000), (16, 30, 99, 2000)])
def test_a_reward_is_the_same_in_200_worlds_of_10_000_positions(rows: int, cols: int, mines: int, games: int) -> None:
    found = check_that_luck_is_not_paid(games, 200, "regret", rows, cols, mines)
    assert len(found) > 100 and min(found) == -1 and max(found) == 0


@pytest.mark.extended
def test_the_example_learns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short training by regret wins often, by wins hardly ever; the agent plays what was learned."""
    namespace = runpy.run_path(str(EXAMPLES / "train_policy.py"))
    trained, won = namespace["trained"], namespace["share_won"]
    kind = {"rows": 6, "cols": 6, "mines": 5}
    network, curve = trained("regret", 240, checks=2, **kind)
    paid_by_wins, _ = trained("wins", 60, checks=1, **kind)
    assert won(network, 300, 9, **kind) > 0.35 > won(paid_by_wins, 300, 9, **kind) + 0.1
    assert len(curve.won) == 2 and curve.games[0] < curve.games[1]
    np.savez(tmp_path / "train_policy.npz", *network.layers)
    played = namespace["agent"].__globals__
    monkeypatch.setitem(played, "FILE", tmp_path / "train_policy.npz")
    record = play(random_layout("beginner", seed=5), namespace["agent"](), Rules(FirstClick.SAFE), Random(1))
    assert record.measures.opened > 1


def test_rules_that_promise_nothing_have_no_first_reward() -> None:
    vector = vector_env(1, **SMALL, first="any")
    vector.reset(seed=1)
    infos = vector.step(np.array([3]))[4]
    assert infos["risk"].tolist() == [0.2] == infos["least_risk"].tolist()
