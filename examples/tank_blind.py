"""Combined agent for `satsweep compare`: the deductions of tank, random guesses."""

from satsweep import Agent, agent_named


def agent() -> Agent:
    """Make a fresh agent, for one game."""
    return Agent(agent_named("tank").deduce, agent_named("random").guess)
