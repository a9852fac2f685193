"""Games that the kernels play, with the same moves and measures as in Python.

They are a hundred times as fast. The kernels draw the layouts and play the games of a whole block in one go. Games for
which they have no room or no rules are played in Python; the results do not show which of the two played.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from satsweep.agents import deep, entry_named
from satsweep.games.rules import FirstClick, Goal, Rules
from satsweep.games.setting import Setting
from satsweep.solver import compiled

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satsweep.compare.plan import Plan

COMPILED_AGENTS: dict[str, tuple[str, int]] = {
    "sat": ("sat", 0),
    "deep": ("deep", int(deep.LEVEL)),
    **{f"deep:{level}": ("deep", int(level)) for level in deep.LEVELS},
}
"""Policy and level of every agent that is compiled."""
MANY = 500
"""Least games of a run that is worth the time to load or compile the kernels."""


class KernelGames(NamedTuple):
    """Games of an agent: an outcome and measures of each, and the seconds of all.

    An outcome of None leaves the game to Python.
    """

    outcomes: tuple[str | None, ...]
    counts: NDArray[np.void]
    seconds: float


def worth_compiling(plan: Plan) -> bool:
    """Return whether the kernels will play: an agent is compiled, games are many.

    A few games are enough if an agent needs the kernels anyway, since it asks them move by move.
    """
    agents = [agent for agent in plan.agents if agent in COMPILED_AGENTS]
    limits = [plan.limit(setting) for setting in range(len(plan.settings))]
    many = any(limit is None or limit >= MANY for limit in limits)
    anyway = any(entry_named(agent.partition(":")[0]).compiled for agent in agents)
    suits = any(_suits(setting.rules) for setting in plan.settings)
    return bool(agents) and (many or anyway) and suits and not plan.chains


def compile_for(plan: Plan, say: Callable[[str], None] = lambda line: None) -> None:
    """Compile what a plan needs, where workers find it; ``say`` gets a line before."""
    if worth_compiling(plan):
        policies = {COMPILED_AGENTS[agent][0] for agent in plan.agents if agent in COMPILED_AGENTS}
        compiled.compile_kernels("deep" if "deep" in policies else "games", say)


def played(setting: Setting, agent: str, seed: str, games: range) -> KernelGames | None:
    """Games of a run, played by the kernels; None if they cannot play them."""
    rules = setting.rules
    if agent not in COMPILED_AGENTS or not _suits(rules) or not compiled.fits(setting.area, setting.topology):
        return None
    policy, level = COMPILED_AGENTS[agent]
    layouts, starts = _given(setting, games)
    start = None if rules.start is None else rules.start.row * setting.cols + rules.start.col
    begun = time.perf_counter()
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
        policy=policy,
        level=level,
    )
    seconds = time.perf_counter() - begun
    outcomes = tuple(compiled.OUTCOMES[outcome] for outcome in counts["outcome"])
    return KernelGames(tuple(None if name in ("beyond", "no room") else name for name in outcomes), counts, seconds)


def _suits(rules: Rules) -> bool:
    """Return whether the kernels know these rules."""
    return rules.goal is Goal.CLEAR and rules.tells_total and rules.clues.is_exact


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
