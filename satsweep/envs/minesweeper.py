"""Gymnasium environment for learners: games under any rules of this package.

An action of ``MinesweeperEnv`` opens a cell, given by its row-major index. An observation is the player's view of the
board, as an array of small integers that ``satsweep.agents.policy`` defines. A learned policy plays in the arena
through ``policy_agent``.

Needs ``gymnasium``, and registers the id ``satsweep/Minesweeper-v0`` with it::

    gymnasium.make("satsweep.envs:satsweep/Minesweeper-v0", level="expert")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from satsweep.agents.policy import AS_MINE, Mask, Observation, mask_of, observation_of, policy_agent
from satsweep.board import COVERED, MINE, Cell
from satsweep.clues import EXACT, Clues
from satsweep.errors import BoardError, how_to_install
from satsweep.games.deal import LEVELS
from satsweep.games.game import Game
from satsweep.games.rules import FirstClick, Redraw, Rules
from satsweep.games.setting import Setting
from satsweep.layout import Layout
from satsweep.solver.analysis import analyse
from satsweep.solver.pipeline import ComponentCache
from satsweep.text import counted
from satsweep.topology import SQUARE, Topology, topology_named

try:
    import gymnasium
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise ImportError(f"satsweep.envs needs gymnasium: {how_to_install('gym')}") from None

__all__ = ["ID", "MinesweeperEnv", "Rewards", "policy_agent", "register_envs"]

ID = "satsweep/Minesweeper-v0"


@dataclass(frozen=True, slots=True)
class Rewards:
    """Rewards of a move, added up as they apply; by default only a game's end counts.

    ``win`` for the move that opens the last safe cell, if no mine was opened in the game; ``mine`` for opening a mine;
    ``safe`` for opening a safe cell, and ``cell`` for each cell that opens with it, itself included; ``illegal`` for an
    action on a cell that is open.
    """

    win: float = 1.0
    mine: float = -1.0
    safe: float = 0.0
    cell: float = 0.0
    illegal: float = -0.1

    @classmethod
    def of(cls, rewards: Rewards | Mapping[str, float]) -> Rewards:
        """Build rewards from a mapping; raises ValueError for an unknown name."""
        if isinstance(rewards, Rewards):
            return rewards
        unknown = sorted(set(rewards) - set(cls.__slots__))
        if unknown:
            raise ValueError(f"expected rewards among {', '.join(cls.__slots__)}, found {unknown[0]!r}")
        return cls(**rewards)


class MinesweeperEnv(gymnasium.Env[Observation, np.int64]):
    """Game of Minesweeper in which each action opens a cell.

    It ends when every safe cell is open or a mine ends it. ``level`` is beginner, intermediate or expert; ``rows``,
    ``cols`` and ``mines`` override its values. The rules are those of ``satsweep.games.rules``, each by its name:
    ``first`` (any, safe, zero, given), the ``start`` that is opened before the first action, ``cascade``, ``fatal``,
    ``tells_total``, ``redraw`` (never, fair, fair-any, cruel, cruel-all); and so are ``topology`` and ``clues``. Where
    mines are not fatal a game goes on until no safe cell is covered. ``rewards`` are ``Rewards``, or some
    of them by name.

    An action on an open cell changes nothing and costs ``Rewards.illegal``, or raises InvalidAction with
    ``illegal="raise"``. Episodes are truncated after ``max_steps`` actions, by default twice the number of cells; only
    illegal actions lead there.

    ``reset(seed=7)`` begins with the first game of the run that ``satsweep compare --seed 7`` plays on such boards, and
    each further ``reset()`` goes on to the next one, or to the game with the number in ``options={"game": 17}``.
    ``options={"layout": layout}`` plays a given layout. Where the start already ends a game (a cascade may open every
    safe cell) any first action brings only the reward and the end.

    ``info`` has ``action_mask`` (as ``action_space.sample`` takes it), ``game`` (its number), ``won``, and
    ``mines_left`` if the mine total is known. With ``oracle`` it also has the results of the exact analysis, which
    takes time: ``risks`` of all cells (0 for open cells, 1 for known mines), and ``safe`` and ``mines``, masks of the
    covered cells that are safe, or mines, in every world. The analysis does not use the promise about the first cell.

    Raises BoardError when there is no such board, or no room for the first cell that the rules promise.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        level: str = "beginner",
        *,
        rows: int | None = None,
        cols: int | None = None,
        mines: int | None = None,
        first: FirstClick | str = FirstClick.SAFE,
        start: tuple[int, int] | None = None,
        cascade: bool = True,
        fatal: bool = True,
        tells_total: bool = True,
        redraw: Redraw | str = Redraw.NEVER,
        topology: Topology | str = SQUARE,
        clues: Clues | str = EXACT,
        rewards: Rewards | Mapping[str, float] | None = None,
        illegal: Literal["penalty", "raise"] = "penalty",
        max_steps: int | None = None,
        oracle: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if level not in LEVELS:
            raise ValueError(f"expected a level among {', '.join(LEVELS)}, found {level!r}")
        if illegal not in ("penalty", "raise"):
            raise ValueError(f"expected illegal to be penalty or raise, found {illegal!r}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"expected a render mode among ansi and None, found {render_mode!r}")
        size = LEVELS[level]
        values = {"first": first, "start": start, "cascade": cascade, "fatal": fatal, "tells_total": tells_total}
        rules = Rules.from_values({**values, "clues": clues, "redraw": redraw})
        self.setting = Setting(
            size[0] if rows is None else rows,
            size[1] if cols is None else cols,
            size[2] if mines is None else mines,
            rules,
            topology_named(topology),
        )
        _check_room(self.setting)
        self.rewards = Rewards() if rewards is None else Rewards.of(rewards)
        self.illegal = illegal
        self.max_steps = 2 * self.setting.area if max_steps is None else max_steps
        self.oracle = oracle
        self.render_mode = render_mode
        most = rules.clues.most(self.setting.topology.most)
        shape = self.setting.rows, self.setting.cols
        self.observation_space = gymnasium.spaces.Box(AS_MINE, most, shape, dtype=np.int8)
        self.action_space = gymnasium.spaces.Discrete(self.setting.area)
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
            layout = self._check_layout(chosen["layout"])
        self._game = Game(layout, self.setting.rules, rng)
        if self._game.start is not None and self._game.outcome is None:
            self._game.open(self._game.start)
        self._steps = 0
        self._over = False
        self._cache = ComponentCache()
        return observation_of(self._game.board), self._info()

    def _check_layout(self, layout: Layout) -> Layout:
        kind = layout.rows, layout.cols, layout.mines, layout.topology
        setting = self.setting
        if kind != (setting.rows, setting.cols, setting.mines, setting.topology):
            raise BoardError(f"expected a layout of the kind {setting.board}, found another one")
        return layout

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Open a cell.

        Raises InvalidAction for an action that is not a cell, ResetNeeded once the game is over.
        """
        game = self.game
        if self._over:
            raise gymnasium.error.ResetNeeded("expected reset() after the end of a game")
        cell = index(action)
        if not 0 <= cell < self.setting.area:
            raise gymnasium.error.InvalidAction(f"expected an action from 0 to {self.setting.area - 1}, found {cell}")
        if not self._ended:
            reward = self._open(game.layout.cell(cell))
        elif self._won:  # the start has ended the game
            reward = 0.0
        else:
            reward = self.rewards.mine
        self._steps += 1
        if self._won:
            reward += self.rewards.win
        terminated = self._ended
        truncated = not terminated and self._steps >= self.max_steps
        self._over = terminated or truncated
        return observation_of(game.board), reward, terminated, truncated, self._info()

    def _open(self, cell: Cell) -> float:
        """Open a cell if it is covered, and return the reward without that for a win."""
        if not self.game.is_covered(cell):
            if self.illegal == "raise":
                raise gymnasium.error.InvalidAction(f"expected a covered cell, found {cell}")
            return self.rewards.illegal
        move = self.game.open(cell)
        return self.rewards.mine if move.exploded else self.rewards.safe + self.rewards.cell * len(move.revealed)

    @property
    def _ended(self) -> bool:
        """True if a mine has ended the game, or no safe cell is covered."""
        covered = sum(row.count(COVERED) for row in self.game.board.cells)
        return self.game.outcome is not None or covered == self.game.mines_left

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

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._mask(), "game": self._number, "won": self._won}
        if self.setting.rules.tells_total:
            info["mines_left"] = self.game.mines_left
        return {**info, **self._oracle_info()} if self.oracle else info

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

    def render(self) -> str | None:
        """Return the rows of the board as text in the render mode ansi, else None."""
        return "\n".join(self.game.board.cells) if self.render_mode == "ansi" else None


def _check_room(setting: Setting) -> None:
    """Raise BoardError unless a first cell without mines around fits everywhere."""
    if setting.rules.first is FirstClick.ZERO and setting.rules.start is None:
        most = max(map(len, setting.topology.neighbours(setting.rows, setting.cols)))
        if setting.mines + 1 + most > setting.area:
            found = f"found {counted(setting.mines, 'mine')}"
            raise BoardError(f"expected room for a first cell with no mine around, wherever it is, {found}", at="mines")


def register_envs() -> None:
    """Register the id with Gymnasium; importing this module does it."""
    if ID not in gymnasium.registry:
        gymnasium.register(ID, entry_point="satsweep.envs.minesweeper:MinesweeperEnv")


register_envs()
