"""Tank's conclusions with blind guesses: an agent put together from two others, for `satsweep compare`."""

from satsweep import Agent, agent_named


def agent() -> Agent:
    """A fresh agent, for one game."""
    return Agent(agent_named("tank").deduce, agent_named("random").guess)
