"""Names of ``satsweep.clicks``: values that exported functions return, and what else is asked for by name."""

from .certify import certify_clicks as certify_clicks, certify_sweep as certify_sweep
from .fewest import FewestClicks as FewestClicks, bounds as bounds
from .made import GameClick as GameClick, GameClicks as GameClicks, game_clicks as game_clicks
from .path import Click as Click, ClickKind as ClickKind

__all__: list[str]
