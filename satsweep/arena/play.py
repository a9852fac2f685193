"""Games on a level, a size or a layout, by an agent, its name or a function."""

from __future__ import annotations

from random import Random

from satsweep.agents.load import load_agent
from satsweep.arguments import check_kind
from satsweep.games import game
from satsweep.games.agent import Agent
from satsweep.games.deal import random_layout, rng_of, with_start
from satsweep.games.record import Record
from satsweep.games.rules import FirstClick, Rules
from satsweep.layout import Layout, LayoutLike


def play(
    layout: LayoutLike,
    agent: object,
    rules: Rules | None = None,
    rng: Random | int | str | None = None,
    *,
    seed: int | str | None = None,
    name: str | None = None,
) -> Record:
    """Let an agent play a game to its end, and return the record.

    ``layout`` is a layout, its text or rows, or a size such as ``expert`` or ``16x30/99``, and then it is drawn.
    ``agent`` is the name of one, an ``Agent``, a function ``board -> (safe, mines)``, or a policy (see
    ``satsweep.agents.load``). ``rules`` are by default those that the agent is made for. ``rng`` is the only source of
    randomness, or ``seed`` is: the same seed gives the same game, which is that of the command ``satsweep play``. With
    neither it is the same game each time on a given layout, and another one on a drawn layout. Raises BoardError when
    the layout cannot be played under the rules, AgentError when the agent breaks them, ValueError for an unknown agent.

    >>> record = play("beginner", "sat", seed=1)
    >>> record.outcome, record.measures.guesses
    (<Outcome.CLEARED: 'cleared'>, 1)
    >>> play(["*..", "...", "..."], lambda board: ([], []), Rules(start=(2, 2))).won
    True
    """
    check_kind(rules, Rules | None, "Rules")
    check_kind(name, str | None, "text for name")
    loaded = load_agent(agent)
    drawn = isinstance(layout, str) and (layout.isalnum() or "/" in layout.partition("\n")[0])
    draws = Random(0) if rng is None and seed is None and not drawn else rng_of(rng, seed)
    own = random_layout(str(layout), rng=draws) if drawn else Layout.of(layout)
    rules = rules or loaded.rules
    if drawn and rules.first is FirstClick.GIVEN and rules.start is None:
        own = with_start(own, draws)
    return game.play(
        own, loaded.fresh(), rules, draws, name=name or ("agent" if isinstance(agent, Agent) else loaded.label)
    )
