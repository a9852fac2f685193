"""Games that the compiled kernels play: same moves, same measures as in Python.

They are a hundred times as fast. The kernels draw the layouts and play the games of a whole block in one go. Games for
which they have no room or no rules are left to Python; nothing but the time of a result shows which of the two played.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from satsweep.agents import deep
from satsweep.arena.blocks import Block
from satsweep.arena.game_columns import OPTIONAL, OUTCOMES, GameColumns
from satsweep.arena.plan import Plan
from satsweep.arena.result import Role, fields_with
from satsweep.games.record import Outcome
from satsweep.games.rules import FirstClick
from satsweep.games.setting import Setting
from satsweep.solver import compiled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


COMPILED_AGENTS: dict[str, tuple[str, int]] = {
    "sat": ("sat", 0),
    "deep": ("deep", int(deep.LEVEL)),
    **{f"deep:{level}": ("deep", int(level)) for level in deep.LEVELS},
}
"""Policy and level of every agent that is compiled."""


class KernelGames(NamedTuple):
    """Games of an agent: outcome and measures of each, processor time of all.

    An outcome of None leaves the game to Python.
    """

    outcomes: tuple[str | None, ...]
    counts: NDArray[np.void]
    seconds: float


def suits(setting: Setting, agent: str) -> bool:
    """Return whether kernels play an agent's games in a setting."""
    known = setting.rules.clears_by_numbers
    return agent in COMPILED_AGENTS and known and compiled.fits(setting.area, setting.topology)


def may_play(plan: Plan, setting: int, agent: int) -> bool:
    """Return whether kernels play an agent's games where there are any."""
    return not plan.needs_python and suits(plan.settings[setting], plan.agents[agent])


def played(
    setting: Setting, agent: str, seed: str, games: range, moves: NDArray[np.int32] | None = None
) -> KernelGames | None:
    """Games of a run, played by the kernels; None if they cannot play them.

    ``moves`` gets the moves of the last game, as ``compiled.play_games`` writes them.
    """
    if not compiled.is_there() or not suits(setting, agent):
        return None
    rules = setting.rules
    policy, level = COMPILED_AGENTS[agent]
    layouts, starts = _given(setting, games)
    start = None if rules.start is None else rules.start.row * setting.cols + rules.start.col
    begun = time.thread_time()
    counts = compiled.play_games(
        compiled.table_of(setting.topology, setting.rows, setting.cols),
        setting.mines,
        seed,
        games,
        first=rules.first.value,
        start=start,
        cascade=rules.cascade,
        fatal=rules.fatal,
        layouts=layouts,
        starts=starts if start is None else None,
        moves=moves,
        policy=policy,
        level=level,
    )
    seconds = max(time.thread_time() - begun, 1e-9)  # above 0, the sign of games that kernels played
    outcomes = tuple(compiled.OUTCOMES[outcome] for outcome in counts["outcome"])
    return KernelGames(tuple(None if name in ("beyond", "no room") else name for name in outcomes), counts, seconds)


def _given(setting: Setting, games: range) -> tuple[NDArray[np.int8] | None, list[int] | None]:
    """Given layouts of these games as rows of 0 and 1, and their starts, or None."""
    import numpy as np

    if not setting.layouts:
        return None, None
    chosen = setting.layouts[: len(games)]
    rows = [[symbol == "*" for symbol in layout.symbols] for layout in chosen]
    starts = None
    if setting.rules.first is FirstClick.GIVEN:
        starts = [-1 if layout.start is None else layout.index(layout.start) for layout in chosen]
    return np.array(rows, np.int8), starts


def kernel_games(block: Block, agent: int) -> GameColumns | None:
    """Games of an agent in a block that kernels play; None if they play none."""
    import numpy as np

    found = None if block.in_python else played(block.setting, block.plan.agents[agent], block.plan.seed, block.games)
    if found is None:
        return None
    count = len(block.games)
    codes = np.array([-1 if outcome is None else OUTCOMES.index(outcome) for outcome in found.outcomes])
    arrays: dict[str, NDArray[Any]] = {
        name: found.counts[name].astype(np.int64) for name in fields_with(Role.COUNT)
    } | {
        "agent": np.full(count, agent),
        "game": np.arange(block.games.start, block.games.stop),
        "outcome": codes,
        "won": np.array([name in _WON for name in OUTCOMES], np.int64)[codes],
        "seconds": np.full(count, found.seconds / count),
    }
    arrays |= {name: np.full(count, None, object) for name in OPTIONAL}
    return GameColumns(block.index, arrays).chosen(codes >= 0)


_WON = {outcome.value for outcome in Outcome if outcome.won}
