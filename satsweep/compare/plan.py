"""What is compared: agents, settings, and boards.

A ``Setting`` is a kind of board and the rules of play on it; a ``Plan`` is agents that play the same layouts in each of
its settings. What decides the results of a run, and nothing else, makes up its ``identity``: two runs of one identity
play the same games, so one may go on where the other stopped.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from satsweep.agents.load import fingerprint
from satsweep.games.setting import Setting


@dataclass(frozen=True, slots=True)
class Figure:
    """What a plan's figure shows: a measure against the density, the number of mines, or the area of the board."""

    measure: str
    against: str = "density"


@dataclass(frozen=True, slots=True)
class Plan:
    """Agents, the settings that they play in, and how many games in each; what a figure of the results shows.

    ``games`` in each setting, or as many as ``seconds`` allow, or as it takes until the 95 % interval of every win rate
    is within ``until`` points of it; the first of these ends the run. ``chains``: the chains of influence of each game
    are measured, too.
    """

    agents: tuple[str, ...]
    settings: tuple[Setting, ...]
    games: int | None = None
    seed: str = "0"
    seconds: float | None = None
    until: float | None = None
    name: str = ""
    title: str = ""
    source: str = ""
    figure: Figure | None = None
    chains: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """What the agents are called in reports: those from files without the directory, unless that confuses them.

        >>> Plan(("gem", "/home/me/mine.py:deduce"), ()).labels
        ('gem', 'mine.py:deduce')
        """
        short = tuple(re.sub(r"^.*[/\\](?=[^/\\]*\.py:)", "", name) for name in self.agents)
        return short if len(set(short)) == len(self.agents) else self.agents

    def limit(self, setting: int) -> int | None:
        """How many games there are to play in a setting; None if nothing but time or precision ends them."""
        given = len(self.settings[setting].layouts)
        if given:
            return given if self.games is None else min(given, self.games)
        return self.games

    @property
    def identity(self) -> str:
        """What decides the games of a run, as canonical JSON: settings, agents and seed, but not how many games."""
        return _canonical({
            "agents": [[name, fingerprint(name)] for name in self.agents],
            "seed": self.seed,
            "settings": [setting.to_values() for setting in self.settings],
            **self._asked,
        })  # fmt: skip

    @property
    def _asked(self) -> dict[str, object]:
        """What is measured that is not measured in every run."""
        return {"chains": True} if self.chains else {}

    def described(self) -> str:
        """The plan as JSON, which ``Plan.of`` reads, except for layouts that were given."""
        return _canonical({
            "agents": self.agents,
            "settings": [setting.to_values() for setting in self.settings],
            "seed": self.seed,
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "figure": None if self.figure is None else [self.figure.measure, self.figure.against],
            **self._asked,
        })  # fmt: skip

    @classmethod
    def of(cls, text: str) -> Plan:
        """The plan that was described: enough to report on its games, and to name each of them.

        >>> Plan.of(Plan(("basic",), (Setting(9, 9, 10),)).described()) == Plan(("basic",), (Setting(9, 9, 10),))
        True
        """
        found = json.loads(text)
        return cls(
            tuple(found["agents"]),
            tuple(Setting.from_values(fields) for fields in found["settings"]),
            seed=found["seed"],
            name=found["name"],
            title=found["title"],
            source=found["source"],
            figure=found["figure"] and Figure(*found["figure"]),
            chains=found.get("chains", False),
        )


def _canonical(fields: dict[str, object]) -> str:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))
