"""Depth-first search from number to number, without guessing.

One of two agents of Wiersma, *Minesweeper solving goal-based intelligent agent using BFS and DFS* (2020). It puts
newly revealed numbers at the front of the queue: numbers revealed last are examined first.
"""

from satsweep.agents.search import search_agent
from satsweep.games.agent import Agent


def agent() -> Agent:
    """Make a fresh agent."""
    return search_agent(depth_first=True)
