"""Environment of one game at a time, under any rules that it knows.

An action of ``MinesweeperEnv`` opens a cell, given by its row-major index. An observation is the player's view of the
board, as an array of small integers that ``satsweep.agents.policy`` defines. A learned policy plays in the arena
through ``policy_agent``.

Needs ``gymnasium``, where the id ``satsweep/Minesweeper-v0`` is registered::

    gymnasium.make("satsweep.learn.envs:satsweep/Minesweeper-v0", level="expert")

Many games at once are in ``satsweep.learn.envs.vector``, with the same options.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import index
from random import Random
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from satsweep.agents.policy import AS_MINE, Mask, Observation, mask_of, observation_of, policy_agent as policy_agent
from satsweep.analysis.analyse import analyse
from satsweep.arguments import short_repr
from satsweep.board import COVERED, MINE, Board
from satsweep.errors import BoardError, needing
from satsweep.games.deal import LEVELS
from satsweep.games.game import Game
from satsweep.games.rules import FirstClick, Rules
from satsweep.games.setting import Setting
from satsweep.layout import Layout
from satsweep.learn.envs.frames import RENDER_MODES, frame_of
from satsweep.learn.envs.reward import (
    ILLEGAL,
    KINDS,
    UNDERSTOOD,
    MoveReward,
    RewardFunction,
    check_rules,
    forced_credit,
)
from satsweep.questions.sampling import random_world
from satsweep.solver.pipeline import ComponentCache
from satsweep.text import counted
from satsweep.topology import SQUARE, Topology, topology_named

with needing("gymnasium", "satsweep.learn.envs needs gymnasium", "gym"):
    import gymnasium

ID = "satsweep/Minesweeper-v0"


@dataclass(frozen=True, slots=True)
class Rewards:
    """Rewards by what a move turns up, luck included, added up as they apply.

    By default only a game's end counts. ``win`` is for the move that opens the last safe cell, if no mine was opened in
    the game; ``mine`` for opening a mine; ``safe`` for opening a safe cell, and ``cell`` for each cell that opens with
    it, itself included; ``illegal`` for an action on a cell that is open.
    """

    win: float = 1.0
    mine: float = -1.0
    safe: float = 0.0
    cell: float = 0.0
    illegal: float = ILLEGAL

    @classmethod
    def of(cls, rewards: Rewards | Mapping[str, float]) -> Rewards:
        """Build rewards from a mapping; raises ValueError for an unknown name."""
        if isinstance(rewards, Rewards):
            return rewards
        unknown = sorted(set(rewards) - set(cls.__slots__))
        if unknown:
            raise ValueError(f"expected rewards among {', '.join(cls.__slots__)}, found {unknown[0]!r}")
        return cls(**rewards)


@dataclass(frozen=True, slots=True)
class GameOptions:
    """Options of an environment: games, and what is paid for a move.

    ``paid`` has rewards by what turns up, None where moves are paid by what the player can know; ``judge`` knows that,
    None if nothing asks for it.
    """

    setting: Setting
    paid: Rewards | None
    judge: RewardFunction | None
    credit: float
    resample: bool
    illegal: str
    max_steps: int
    oracle: bool
    render_mode: str | None
    observation_space: gymnasium.spaces.Box = field(repr=False)
    action_space: gymnasium.spaces.Discrete = field(repr=False)

    @classmethod
    def of(
        cls,
        level: str = "beginner",
        *,
        rows: int | None = None,
        cols: int | None = None,
        mines: int | None = None,
        topology: Topology | str = SQUARE,
        reward: str | Rewards | Mapping[str, float] = "regret",
        credit: float = 0.0,
        resample: bool = False,
        illegal: Literal["penalty", "raise"] = "penalty",
        max_steps: int | None = None,
        oracle: bool = False,
        render_mode: str | None = None,
        **rules: Any,
    ) -> GameOptions:
        """Check the options of ``MinesweeperEnv``, and fill in those that are not given."""
        for name, value, among in (
            ("a level", level, tuple(LEVELS)),
            ("illegal", illegal, ("penalty", "raise")),
            ("a render mode", render_mode, (*RENDER_MODES, None)),
            ("a reward", reward if isinstance(reward, str) else KINDS[0], KINDS),
        ):
            if value not in among:
                raise ValueError(f"expected {name} among {', '.join(map(str, among))}, found {short_repr(value)}")
        size = LEVELS[level]
        paid = None if isinstance(reward, str) else Rewards.of(reward)
        judged = paid is None or bool(credit) or resample
        played = check_rules(Rules.from_values(rules), UNDERSTOOD if judged else (*UNDERSTOOD, "redraw"))
        setting = Setting(
            size[0] if rows is None else rows,
            size[1] if cols is None else cols,
            size[2] if mines is None else mines,
            played,
            topology_named(topology),
        )
        _check_room(setting)
        judge = RewardFunction(reward if isinstance(reward, str) else KINDS[0], played) if judged else None
        if credit and not played.tells_total:
            raise ValueError("expected rules that tell the mine total, for a credit of safe cells")
        if resample and not (played.fatal and played.tells_total and played.clues.is_exact):
            raise ValueError("expected a fatal mine, exact numbers and a known mine total, to go on in another world")
        return cls(
            setting, paid, judge, credit, resample, illegal,
            2 * setting.area if max_steps is None else max_steps, oracle, render_mode,
            gymnasium.spaces.Box(
                AS_MINE, played.clues.most(setting.topology.most), (setting.rows, setting.cols), dtype=np.int8
            ),
            gymnasium.spaces.Discrete(setting.area),
        )  # fmt: skip


def another_world(board: Board, cell: tuple[int, int], seed: str, game: int, step: int) -> Layout:
    """The world in which a game goes on after a mine, drawn for this step of it."""
    world = random_world(board, {cell: False}, Random(f"{seed}/{game}/{step}"))
    assert world is not None
    return world


class MinesweeperEnv(gymnasium.Env[Observation, np.int64]):
    """Game of Minesweeper in which each action opens a cell.

    It ends when every safe cell is open or a mine ends it. ``level`` is beginner, intermediate or expert; ``rows``,
    ``cols`` and ``mines`` override its values. ``topology`` is that of the board. The rules are those of
    ``satsweep.games.rules``, each by its name: ``first`` (any, safe, zero, given), the ``start`` that is opened before
    the first action, ``cascade``, ``fatal``, ``clues``, ``tells_total``, and ``redraw`` where only what turns up
    is paid. Where mines are not fatal a game goes on until
    no safe cell is covered.

    ``reward`` is *regret* or *win*, which pay no luck (``satsweep.learn.envs.reward``), or ``Rewards``, or some of them
    by name, which do. ``credit`` is what a board that needs no guess pays beside, when it is cleared: a share for each
    cell that is certainly safe. An action on an open cell changes nothing and costs 0.1 (``Rewards.illegal``), or
    raises InvalidAction with ``illegal="raise"``. Episodes are truncated after ``max_steps`` actions, by default twice
    the number of cells; only illegal actions lead there, and it costs what was left to earn. With ``resample`` a mine
    ends no game where no cell was less risky: it goes on in another world, drawn uniformly among those that agree with
    all that is seen and in which the cell is safe.

    ``reset(seed=7)`` begins with the first game of the run that ``satsweep compare --seed 7`` plays on such boards, and
    each further ``reset()`` goes on to the next one, or to the game with the number in ``options={"game": 17}``.
    ``options={"layout": layout}`` plays a given layout. Where the start already ends a game (a cascade may open every
    safe cell) any first action brings only the end, and what ``Rewards`` pay for it.

    ``info`` has ``action_mask`` (as ``action_space.sample`` takes it), ``game`` (its number), ``outcome`` (1 once the
    game is won, else 0) and ``opened`` (safe cells that are open), which are paid nothing, ``mines_left`` if the mine
    total is known, and after a move that is paid without luck its ``risk``, the ``least_risk``, and ``exact``, False
    where the reward rests on an estimate. With ``oracle`` it also has the results of the exact analysis, which takes
    time: ``risks`` of all cells (0 for open cells, 1 for known mines), and ``safe`` and ``mines``, masks of the covered
    cells that are safe, or mines, in every world. The analysis does not use the promise about the first cell.

    Raises BoardError when there is no such board, or no room for the first cell that the rules promise; ValueError for
    other options, and rules that no environment knows.
    """

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 4}

    def __init__(self, level: str = "beginner", **options: Any) -> None:
        self.options = GameOptions.of(level, **options)
        self.setting = self.options.setting
        self.render_mode = self.options.render_mode
        self.observation_space: Any = self.options.observation_space
        self.action_space = self.options.action_space
        self._seed: str | None = None
        self._number = -1
        self._game: Game | None = None
        self._over = True

    @property
    def game(self) -> Game:
        """The running game. Raises ResetNeeded before the first one."""
        if self._game is None:
            raise gymnasium.error.ResetNeeded("expected reset() before the first game")
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the first game of a run if there is a seed, else the next one."""
        super().reset(seed=seed)
        chosen = options or {}
        unknown = sorted(set(chosen) - {"game", "layout"})
        if unknown:
            raise ValueError(f"expected options among game, layout, found {unknown[0]!r}")
        if seed is not None:
            self._seed, self._number = str(seed), -1
        elif self._seed is None:
            self._seed = str(self.np_random.integers(2**32))
        self._number = chosen.get("game", self._number + 1)
        layout, rng = self.setting.layout(self._seed, self._number)
        if "layout" in chosen:
            layout = check_layout(self.setting, chosen["layout"])
        self._game = Game(layout, self.setting.rules, rng)
        if self._game.start is not None and self._game.outcome is None:
            self._game.open(self._game.start)
        self._steps = 0
        self._over = False
        self._safe = self._safe_left
        self._cache = ComponentCache()
        return observation_of(self._game.board), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Open a cell.

        Raises InvalidAction for an action that is not a cell, ResetNeeded once the game is over.
        """
        game, options = self.game, self.options
        if self._over:
            raise gymnasium.error.ResetNeeded("expected reset() after the end of a game")
        cell = index(action)
        if not 0 <= cell < self.setting.area:
            raise gymnasium.error.InvalidAction(f"expected an action from 0 to {self.setting.area - 1}, found {cell}")
        judged, reward = None, 0.0
        if not self._ended:
            judged, reward = self._open(cell)
        elif options.paid and not self._won:  # the start has ended the game
            reward = options.paid.mine
        self._steps += 1
        if options.paid and self._won:
            reward += options.paid.win
        terminated = self._ended
        truncated = not terminated and self._steps >= options.max_steps
        if truncated and options.paid is None and options.judge:
            reward -= float(options.judge.left(game.board)[0])
        self._over = terminated or truncated
        return observation_of(game.board), reward, terminated, truncated, self._info(judged)

    def _open(self, index: int) -> tuple[MoveReward | None, float]:
        """Open a cell if it is covered; return how it is judged, and the reward."""
        game, options = self.game, self.options
        cell = game.layout.cell(index)
        if not game.is_covered(cell):
            if options.illegal == "raise":
                raise gymnasium.error.InvalidAction(f"expected a covered cell, found {cell}")
            return None, options.paid.illegal if options.paid else ILLEGAL
        judged = None if options.judge is None else options.judge.of(game.board, cell)
        if options.resample and judged and judged.is_unavoidable and game.layout.is_mine(cell):
            assert self._seed is not None
            game.change_world(another_world(game.board, cell, self._seed, self._number, self._steps))
        move = game.open(cell)
        opened = 0 if move.exploded else len(move.revealed)
        if options.paid is None:
            reward = float(judged.value) if judged else 0.0
        else:
            reward = options.paid.mine if move.exploded else options.paid.safe + options.paid.cell * opened
        if options.credit and judged:
            reward += options.credit * float(forced_credit(judged, opened, self._safe))
        return judged, reward

    @property
    def _safe_left(self) -> int:
        """Safe cells that are covered."""
        return sum(row.count(COVERED) for row in self.game.board.cells) - self.game.mines_left

    @property
    def _ended(self) -> bool:
        """True if a mine has ended the game, or no safe cell is covered."""
        return self.game.outcome is not None or not self._safe_left

    @property
    def _won(self) -> bool:
        """True if every safe cell is open, and no mine."""
        return self._ended and not any(MINE in row for row in self.game.board.cells)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which cells can be opened, in the form that sb3-contrib calls for."""
        return self._mask().astype(np.bool_)

    def _mask(self) -> Mask:
        mask = mask_of(self.game.board)
        # A draw among the allowed actions needs at least one, even where a start has opened every safe cell.
        return mask if mask.any() else np.ones_like(mask)

    def _info(self, judged: MoveReward | None = None) -> dict[str, Any]:
        opened = self.setting.area - self.setting.mines - self._safe_left
        info: dict[str, Any] = {
            "action_mask": self._mask(), "game": self._number, "outcome": int(self._won), "opened": opened,
        }  # fmt: skip
        if self.setting.rules.tells_total:
            info["mines_left"] = self.game.mines_left
        if judged is not None:
            info |= {"risk": float(judged.risk), "least_risk": float(judged.least_risk), "exact": judged.exact}
        return {**info, **self._oracle_info()} if self.options.oracle else info

    def _oracle_info(self) -> dict[str, Any]:
        """Return the results of the exact analysis as arrays."""
        board = self.game.board
        analysis = analyse(board, cache=self._cache)
        risks = (observation_of(board) == AS_MINE).astype(np.float64)
        safe, mines = np.zeros(risks.shape, dtype=np.int8), np.zeros(risks.shape, dtype=np.int8)
        for cell in board.covered:
            risks[cell] = analysis.risk(cell)
        for known, cells in ((safe, analysis.safe), (mines, analysis.mines)):
            for cell in cells:
                known[cell] = 1
        return {"risks": risks, "safe": safe, "mines": mines}

    def render(self) -> Any:
        """Return the board: text in the render mode ansi, pixels in rgb_array, else None.

        Text has a line for each row; pixels are an array of shape (height, width, 3), uint8.
        """
        return None if self.render_mode is None else frame_of(observation_of(self.game.board), self.render_mode)


def check_layout(setting: Setting, layout: Layout) -> Layout:
    """Return a given layout; BoardError if it is not of the kind that is played."""
    kind = layout.rows, layout.cols, layout.mines, layout.topology
    if kind != (setting.rows, setting.cols, setting.mines, setting.topology):
        raise BoardError(f"expected a layout of the kind {setting.board}, found another one")
    return layout


def _check_room(setting: Setting) -> None:
    """Raise BoardError unless a first cell without mines around fits everywhere."""
    if setting.rules.first is FirstClick.ZERO and setting.rules.start is None:
        most = max(map(len, setting.topology.neighbours(setting.rows, setting.cols)))
        if setting.mines + 1 + most > setting.area:
            found = f"found {counted(setting.mines, 'mine')}"
            raise BoardError(f"expected room for a first cell with no mine around, wherever it is, {found}", at="mines")


def register_envs() -> None:
    """Register the id with Gymnasium, which calls this where it is imported."""
    from gymnasium.envs.registration import register, registry

    if ID not in registry:
        register(
            ID,
            entry_point="satsweep.learn.envs.minesweeper:MinesweeperEnv",
            vector_entry_point="satsweep.learn.envs.vector:vector_env",
        )


register_envs()
