"""Depth-first search from number to number, without guessing.

The agent of Wiersma (2020, document 002) that puts newly revealed numbers at the
front of the queue: what was revealed last is looked at first.
"""

from __future__ import annotations

from satsweep.agents.search import searching
from satsweep.games.agent import Agent


def agent() -> Agent:
    """A fresh agent."""
    return searching(depth_first=True)
