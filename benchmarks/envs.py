"""Steps a second of environments for learners, ours and jumanji's, on one core.

    python benchmarks/envs.py --jumanji VENV/bin/python --json benchmarks/results/envs.json

Times are of processor, so that other programs count little, and of `step` alone, in whose games new ones begin where
others end. What a move is paid for decides them most: *regret*, the reward unless another is named, asks the exact
analysis about each move; *outcome* is `reward={}`, and asks nothing. *Chance* opens any covered cell, in 4,096 games at
once and in 64. *careful* opens one of least risk, so its games are long. jumanji is asked
in its own environment (`pip install jumanji`): 4,096 games of `Minesweeper-v0`, 10x10 with 10 mines and no cascade, as
`AutoResetWrapper` and `vmap` step them, compiled, on the same core.
"""

import argparse
import json
import os
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satsweep.games.deal import LEVELS
from satsweep.learn.envs import MinesweeperEnv
from satsweep.learn.envs.vector import vector_env
from satsweep.solver import compiled
from satsweep.topology import SQUARE

ENVS, FEW, ROUNDS = 4096, 64, 5
BOARDS: dict[str, dict[str, Any]] = {
    "beginner": {"level": "beginner"},
    "expert": {"level": "expert"},
    "10x10/10, no cascade": {"rows": 10, "cols": 10, "mines": 10, "cascade": False},
}
REWARDS: dict[str, Any] = {"outcome": {}, "regret": "regret"}
JUMANJI = """
import os, time
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
import jax, jumanji
from jumanji.wrappers import AutoResetWrapper, VmapWrapper
env = VmapWrapper(AutoResetWrapper(jumanji.make("Minesweeper-v0")))

@jax.jit
def act(key, mask):
    scores = jax.random.uniform(key, mask.shape) * mask
    flat = scores.reshape(mask.shape[0], -1).argmax(axis=1)
    return jax.numpy.stack([flat // mask.shape[2], flat % mask.shape[2]], axis=1).astype("int32")

step, keys = jax.jit(env.step), jax.random.split(jax.random.PRNGKey(0), ENVS + 1)
state, timestep = jax.jit(env.reset)(keys[1:])
seconds, key = 0.0, keys[0]
for turn in range(STEPS + 3):
    key, own = jax.random.split(key)
    actions = act(own, timestep.observation.action_mask).block_until_ready()
    begun = time.process_time()
    state, timestep = step(state, actions)
    jax.block_until_ready(timestep)
    if turn >= 3:
        seconds += time.process_time() - begun
print(ENVS * STEPS / seconds)
"""

Policy = Callable[[NDArray[np.int8], NDArray[np.int8]], NDArray[np.intp]]


def by_chance(seed: int) -> Policy:
    draw = np.random.default_rng(seed)
    return lambda seen, mask: (draw.random(mask.shape, np.float32) * mask).argmax(axis=1)


def careful(mines: int) -> Policy:
    """Open a cell of least risk, any one of them."""
    draw = np.random.default_rng(0)

    def policy(seen: NDArray[np.int8], mask: NDArray[np.int8]) -> NDArray[np.intp]:
        count, rows, cols = seen.shape
        symbols = np.where(seen == -3, -2, seen).reshape(count, -1).astype(np.int8)
        _, risks = compiled.positions(symbols, compiled.table_of(SQUARE, rows, cols), [mines] * count)
        risks[(mask == 0) | np.isnan(risks)] = 2
        best: NDArray[np.intp] = (risks + 1e-9 * draw.random(risks.shape)).argmin(axis=1)
        return best

    return policy


def speed(env: Any, policy: Policy, steps: int, warm: int) -> tuple[float, float]:
    """Steps a second, and how many of them make a game."""
    seen, infos = env.reset(seed=0)
    seconds, over = 0.0, 0
    for turn in range(warm + steps):
        actions = policy(seen, infos["action_mask"])
        begun = time.process_time()
        seen, _, terminated, truncated, infos = env.step(actions)
        if turn >= warm:
            seconds += time.process_time() - begun
            over += int(terminated.sum() + truncated.sum())
    return env.num_envs * steps / seconds, env.num_envs * steps / max(1, over)


def speed_of_one(kind: dict[str, Any], reward: Any, steps: int) -> float:
    """Steps a second of ``MinesweeperEnv``, cells opened by chance."""
    env, policy = MinesweeperEnv(**kind, reward=reward), by_chance(1)
    seen, info = env.reset(seed=0)
    seconds, over = 0.0, False
    for _ in range(steps):
        action = int(policy(seen[None], info["action_mask"][None])[0])
        begun = time.process_time()
        seen, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
        if over:
            seen, info = env.reset()
        seconds += time.process_time() - begun
    return steps / seconds


def measured(chosen: argparse.Namespace) -> list[dict[str, Any]]:
    found = []
    for board, kind in BOARDS.items():
        for name, reward in REWARDS.items():
            mines = kind.get("mines") or LEVELS[kind["level"]][2]
            # Player, policy, games at once, steps, steps before them, and runs.
            players = [("chance", by_chance(0), ENVS, chosen.steps, 2, ROUNDS)]
            if "rows" not in kind:
                players.append(("chance", by_chance(0), FEW, 10 * chosen.steps, 2, ROUNDS))
                players.append(("careful", careful(mines), ENVS // 8, 2 * chosen.steps, 100, 1))
            for player, policy, games, steps, warm, rounds in players:
                runs = [
                    speed(vector_env(games, **kind, reward=reward, autoreset_mode="SameStep"), policy, steps, warm)
                    for _ in range(rounds)
                ]
                found.append({
                    "env": "vector", "games": games, "board": board, "reward": name, "player": player,
                    "steps_s": statistics.median(own for own, _ in runs), "steps_game": runs[0][1],
                })  # fmt: skip
                print(found[-1], flush=True)
            if "rows" not in kind:
                one = speed_of_one(kind, reward, 1000)
                found.append({"env": "one", "board": board, "reward": name, "player": "chance", "steps_s": one})
                print(found[-1], flush=True)
    if chosen.jumanji:
        program = f"ENVS, STEPS = {ENVS}, {chosen.steps}\n{JUMANJI}"
        speeds = [
            float(subprocess.run([chosen.jumanji, "-c", program], check=True, capture_output=True, text=True).stdout)
            for _ in range(ROUNDS)
        ]
        found.append({
            "env": "jumanji", "games": ENVS, "board": "10x10/10, no cascade", "reward": "outcome", "player": "chance",
            "steps_s": statistics.median(speeds),
        })  # fmt: skip
        print(found[-1])
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--steps", type=int, default=30, help="steps of each run, in all of its games")
    options.add_argument("--jumanji", help="the Python of an environment with jumanji")
    options.add_argument("--json", type=Path)
    chosen = options.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    found = measured(chosen)
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
