"""Breadth-first search from number to number, without guessing.

The agent of Wiersma (2020, document 002) that puts newly revealed numbers at the
back of the queue: what was revealed first is looked at first.
"""

from __future__ import annotations

from satsweep.agents.search import searching
from satsweep.games.agent import Agent


def agent() -> Agent:
    """A fresh agent."""
    return searching(depth_first=False)
