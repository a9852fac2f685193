"""Vector environment: many games at once, in the compiled library.

It plays the games of ``MinesweeperEnv``, with the same options, observations, rewards and infos: environment i plays
those that ``reset(seed=seed + i)`` begins. Rules and boards that kernels do not know are played by ``MinesweeperEnv``
itself, one game after the other, behind the same interface: numbers that are not exact, mines that are redrawn, more
cells than kernels hold, and ``oracle``.

Regret is found for all games in one call. Win chances, and risks where the mine total is not told, are asked for one
by one, where the cell is not certainly safe.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from satsweep.agents.policy import AS_MINE
from satsweep.assessment.positions import COVERED, MINED, Positions
from satsweep.board import Board
from satsweep.games.rules import Redraw
from satsweep.layout import Layout
from satsweep.learn.envs.frames import frame_of
from satsweep.learn.envs.minesweeper import GameOptions, MinesweeperEnv, another_world, check_layout
from satsweep.learn.envs.reward import ILLEGAL, MoveReward
from satsweep.solver import compiled

Infos: TypeAlias = "dict[str, Any]"
Actions: TypeAlias = "NDArray[np.int64]"
NONE = -1
"""Action that opens nothing."""


def vector_env(
    num_envs: int = 1, level: str = "beginner", *, autoreset_mode: str | AutoresetMode = "NextStep", **options: Any
) -> VectorEnv[Any, Any, Any]:
    """Make games at once; what ``gymnasium.make_vec`` calls.

    ``autoreset_mode`` is one of Gymnasium's: *NextStep*, *SameStep* or *Disabled*. Options are those of
    ``MinesweeperEnv``.
    """
    chosen, mode = GameOptions.of(level, **options), AutoresetMode(autoreset_mode)
    if num_envs < 1:
        raise ValueError(f"expected at least 1 environment, found {num_envs}")
    setting = chosen.setting
    rules = setting.rules
    usual = rules.clues.is_exact and rules.redraw is Redraw.NEVER and not chosen.oracle
    known = usual and compiled.fits(setting.area, setting.topology)
    if known and compiled.is_there():
        return MinesweeperVectorEnv(num_envs, chosen, mode)
    return SyncVectorEnv([lambda: MinesweeperEnv(level, **options)] * num_envs, autoreset_mode=mode)


class MinesweeperVectorEnv(VectorEnv[NDArray[np.int8], Actions, NDArray[Any]]):
    """Games of one kind, a step in each at a time.

    Observations are int8, shape (environments, rows, columns), rewards float32. Infos have what those of
    ``MinesweeperEnv`` have, an array for each name, and under the name with ``_`` before it the environments that it
    counts for. All arrays are new with each step; other libraries take them without a copy (``torch.from_dlpack``).

    ``reset(seed=7)`` seeds environment i with 7 + i; a list has the seed of each. ``options`` has *game*, the number of
    the game, *layout*, one or one for each environment, and *reset_mask*, the environments to be reset.
    """

    metadata: dict[str, Any] = {**MinesweeperEnv.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, num_envs: int, options: GameOptions, mode: AutoresetMode) -> None:
        self.num_envs = num_envs
        self.options = options
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self.render_mode = options.render_mode
        self.single_observation_space, self.single_action_space = options.observation_space, options.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        setting, rules = options.setting, options.setting.rules
        self._mode = mode
        self._table = compiled.table_of(setting.topology, setting.rows, setting.cols)
        self._rules: dict[str, Any] = {"first": rules.first.value, "cascade": rules.cascade}
        total = setting.mines if rules.tells_total else None
        self._positions = Positions(Board(("#" * setting.cols,) * setting.rows, total, topology=setting.topology))
        self._start = None if rules.start is None else rules.start[0] * setting.cols + rules.start[1]
        self._is_won_at_once = rules.fatal and setting.mines == setting.area
        self._games = compiled.new_batch(num_envs, setting.area)
        self._seeds: list[str] = []
        self._number = np.zeros(num_envs, np.int64)
        self._steps = np.zeros(num_envs, np.int64)
        self._safe = np.zeros(num_envs, np.int64)
        self._over = np.ones(num_envs, bool)
        self._all = np.ones(num_envs, bool)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], Infos]:
        """Begin the first game of a run in environments with a seed, else the next."""
        chosen = dict(options or {})
        rows = np.flatnonzero(chosen.pop("reset_mask", self._all))
        unknown = sorted(set(chosen) - {"game", "layout"})
        if unknown:
            raise ValueError(f"expected options among game, layout, reset_mask, found {unknown[0]!r}")
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else seed
        if seeds is not None and len(seeds) != self.num_envs:
            raise ValueError(f"expected {self.num_envs} seeds, found {len(seeds)}")
        if not self._seeds:
            self._seeds = [str(drawn) for drawn in self.np_random.integers(2**32, size=self.num_envs)]
            self._number[:] = -1
        for row in rows.tolist() if seeds is not None else ():
            own = seeds[row] if seeds is not None else None
            if own is not None:
                self._seeds[row], self._number[row] = str(own), -1
        self._number[rows] = chosen.get("game", self._number[rows] + 1)
        self._deal(rows, chosen.get("layout"))
        return self._seen(), self._infos(self._all)

    def step(
        self, actions: Actions
    ) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Open a cell in each game.

        Raises InvalidAction for an action that is not a cell, ResetNeeded before the first reset, and with *Disabled*
        where a game is over.
        """
        cells = np.array(actions, np.int64)
        if not self._seeds or (self._mode is AutoresetMode.DISABLED and self._over.any()):
            raise gymnasium.error.ResetNeeded("expected reset() before a game, and after its end")
        if cells.shape != (self.num_envs,) or ((cells < 0) | (cells >= self.options.setting.area)).any():
            area = self.options.setting.area
            raise gymnasium.error.InvalidAction(f"expected {self.num_envs} actions from 0 to {area - 1}")
        renewed = self._over & (self._mode is AutoresetMode.NEXT_STEP)
        if renewed.any():
            self._next(np.flatnonzero(renewed))
        rewards, judged = self._open(np.where(renewed, NONE, cells), ~renewed)
        self._steps += ~renewed
        ended = self._ended
        terminated = ended & ~renewed
        truncated = ~ended & ~renewed & (self._steps >= self.options.max_steps)
        if truncated.any():
            rewards[truncated] -= self._price(np.flatnonzero(truncated))
        self._over = terminated | truncated
        final: Infos = {}
        if self._mode is AutoresetMode.SAME_STEP and self._over.any():
            over, final = self._over.copy(), self._final(judged)
            self._next(np.flatnonzero(over))
            judged = {name: (values, there & ~over) for name, (values, there) in judged.items()}
        infos = {**self._infos(self._all, judged), **final}
        return self._seen(), rewards.astype(np.float32), terminated, truncated, infos

    def _next(self, rows: NDArray[np.intp]) -> None:
        self._number[rows] += 1
        self._deal(rows, None)

    def _deal(self, rows: NDArray[np.intp], layout: Layout | Sequence[Layout] | None) -> None:
        setting, start, given = self.options.setting, self._start, None
        if layout is not None:
            layouts = [layout] * self.num_envs if isinstance(layout, Layout) else list(layout)
            if len(layouts) != self.num_envs:
                raise ValueError(f"expected a layout, or {self.num_envs} of them, found {len(layouts)}")
            own = [check_layout(setting, layouts[row]) for row in rows]
            given = np.array([np.frombuffer(one.symbols.encode("ascii"), np.int8) == ord("*") for one in own], np.int8)
            if setting.rules.first.value == "given" and start is None:
                return self._deal_with_starts(rows, own, given)
        self._deal_from(rows, start, given)
        return None

    def _deal_with_starts(self, rows: NDArray[np.intp], own: Sequence[Layout], given: NDArray[np.int8]) -> None:
        """Begin games at the starts of their layouts."""
        for at, row in enumerate(rows):
            start = own[at].start
            if start is None:
                raise ValueError("expected layouts with a start")
            self._deal_from(rows[at : at + 1], own[at].index(start), given[at : at + 1])
            assert row == rows[at]

    def _deal_from(self, rows: NDArray[np.intp], start: int | None, given: NDArray[np.int8] | None) -> None:
        setting, numbers = self.options.setting, self._number[rows].tolist()
        start = None if self._is_won_at_once else start
        names = [f"{self._seeds[row]}/{number}" for row, number in zip(rows.tolist(), numbers, strict=True)]
        compiled.deal_games(
            self._games, self._table, setting.mines, rows.tolist(), names, start=start, layouts=given, **self._rules
        )
        self._steps[rows], self._over[rows] = 0, False
        self._safe[rows] = self._games.left[rows]

    @property
    def _ended(self) -> NDArray[np.bool_]:
        games = self._games
        ended: NDArray[np.bool_] = games.left == 0
        return ended | (games.hits > 0) if self.options.setting.rules.fatal else ended

    @property
    def _won(self) -> NDArray[np.bool_]:
        won: NDArray[np.bool_] = (self._games.left == 0) & (self._games.hits == 0)
        return won

    def _open(self, actions: Actions, played: NDArray[np.bool_]) -> tuple[NDArray[np.float64], Infos]:
        """Open a cell in each game; return rewards, and risks with the games they are of."""
        options, games = self.options, self._games
        already = self._ended
        cells = np.where(already, NONE, actions)
        covered = (cells >= 0) & (games.seen[np.arange(self.num_envs), cells] == COVERED)
        if options.illegal == "raise" and (played & ~already & ~covered).any():
            raise gymnasium.error.InvalidAction("expected covered cells only, found an open one")
        judged: Infos = {}
        rewards = np.zeros(self.num_envs)
        if options.judge is not None:
            risks, exact, rewards = self._judge(np.where(covered, cells, NONE))
            names = ("risk", risks[:, 0]), ("least_risk", risks[:, 1]), ("exact", exact)
            judged = {name: (values, covered) for name, values in names}
            if options.resample:
                hit = covered & (rewards >= 0) & (risks[:, 0] > 0)
                self._change_worlds(np.flatnonzero(hit), cells)
        hits = games.hits.copy()
        compiled.step_games(games, self._table, cells, **self._rules)
        opened, paid = np.maximum(games.opened, 0), options.paid
        if paid is None:
            rewards[games.opened < 0] = ILLEGAL
        else:
            exploded = (games.hits > hits) | (already & played & ~self._won)
            rewards = np.where(exploded, paid.mine, np.where(opened > 0, paid.safe + paid.cell * opened, 0.0))
            rewards = np.where(games.opened < 0, paid.illegal, rewards) + paid.win * (self._won & played)
        if options.credit and judged:
            certain = covered & (judged["risk"][0] == 0)
            rewards += options.credit * np.where(certain, opened / np.maximum(self._safe, 1), 0.0)
        return rewards, judged

    def _judge(self, cells: Actions) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.float64]]:
        """Risks of cells and least risks, whether rewards are exact, and rewards."""
        options, games, setting = self.options, self._games, self.options.setting
        exact = np.ones(self.num_envs, bool)
        asked = np.where(games.promised & (cells >= 0), NONE, cells)
        if setting.rules.tells_total:
            status, risks = compiled.rate_actions(games.seen, self._table, setting.mines, asked)
            slow = (asked >= 0) & (status != compiled.FINE)
        else:
            risks, slow = np.zeros((self.num_envs, 2)), asked >= 0
        judge = options.judge
        assert judge is not None
        if judge.kind == "win":
            slow |= (cells >= 0) & ((risks[:, 0] > 0) | (games.promised > 0))
        rewards = risks[:, 1] - risks[:, 0]
        for row in np.flatnonzero(slow).tolist():
            found: MoveReward = judge.of(self._board(row), divmod(int(cells[row]), setting.cols))
            risks[row], exact[row], rewards[row] = (found.risk, found.least_risk), found.exact, found.value
        return risks, exact, rewards

    def _board(self, row: int) -> Board:
        return self._positions.board(array("b", self._games.seen[row].tobytes()))

    def _price(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """The price of giving up in some games, 0 where moves are paid by what turns up."""
        judge = None if self.options.paid else self.options.judge
        return np.array([float(judge.left(self._board(row))[0]) if judge else 0.0 for row in rows.tolist()])

    def _change_worlds(self, rows: NDArray[np.intp], cells: Actions) -> None:
        """Put other worlds into those of some games whose cell is a mine there."""
        mined = rows[self._games.mine[rows, cells[rows]] == 1]
        if not len(mined):
            return
        cols, worlds = self.options.setting.cols, []
        for row in mined.tolist():
            number, step = int(self._number[row]), int(self._steps[row])
            world = another_world(self._board(row), divmod(int(cells[row]), cols), self._seeds[row], number, step)
            worlds.append(world.to_array().ravel())
        compiled.change_worlds(self._games, self._table, mined.tolist(), np.array(worlds, np.int8))

    def _seen(self) -> NDArray[np.int8]:
        """The player's views, with the code of observations for mines."""
        seen, hit = self._games.seen.copy(), np.flatnonzero(self._games.hits)
        seen[hit] = np.where(seen[hit] == MINED, AS_MINE, seen[hit])
        return seen.reshape(self.observation_space.shape)

    def _infos(self, rows: NDArray[np.bool_], judged: Infos | None = None) -> Infos:
        games, setting = self._games, self.options.setting
        mask = (games.seen == COVERED).view(np.int8)
        done = np.flatnonzero(games.left == 0)
        mask[done[~mask[done].any(axis=1)]] = 1
        found: Infos = {
            "action_mask": mask,
            "game": self._number.copy(),
            "outcome": self._won.astype(np.int64),
            "opened": setting.area - setting.mines - games.left.astype(np.int64),
        }
        if setting.rules.tells_total:
            found["mines_left"] = setting.mines - games.hits.astype(np.int64)
        infos = {key: value for name, values in found.items() for key, value in ((name, values), (f"_{name}", rows))}
        for name, (values, there) in (judged or {}).items():
            if there.any():
                infos |= {name: np.where(there, values, 0).astype(values.dtype), f"_{name}": there}
        return infos

    def _final(self, judged: Infos) -> Infos:
        """Observations and infos of the games that are over, before the next ones begin."""
        over = self._over.copy()
        rows, going = np.flatnonzero(over), np.flatnonzero(~over)
        infos = self._infos(over, {name: (values, there & over) for name, (values, there) in judged.items()})
        for name in [name for name in infos if not name.startswith("_")]:
            infos[name][going] = 0
        seen, views = self._seen(), np.full(self.num_envs, None, object)
        for row in rows.tolist():
            views[row] = seen[row]
        return {"final_obs": views, "_final_obs": over, "final_info": infos, "_final_info": over.copy()}

    def render(self) -> tuple[Any, ...] | None:
        """Return what ``MinesweeperEnv.render`` returns, for each game."""
        return None if self.render_mode is None else tuple(frame_of(seen, self.render_mode) for seen in self._seen())
