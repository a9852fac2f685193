"""Plans: the agents and settings of a comparison, and when it ends.

A ``Setting`` is a kind of board and the rules of play on it; a ``Plan`` is agents that play the same layouts in each of
its settings. The ``identity`` of a plan has everything that decides the results of a run, and nothing else: two runs of
one identity play the same games, so one can continue the other.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from typing import Any, Literal

from satsweep.agents.fingerprint import fingerprint
from satsweep.agents.isolated import GAME_SECONDS
from satsweep.agents.load import label_of
from satsweep.arena.sprt import Sprt
from satsweep.arguments import short_repr
from satsweep.errors import BoardError
from satsweep.formats.strict import Node
from satsweep.games.setting import Setting

PlayedBy = Literal["auto", "kernels", "python"]
"""Players of compiled agents; ``auto`` is kernels, or Python where there are none."""
MEASUREMENTS = ("chains", "evaluations", "calibration")
"""Measurements that a plan can ask for, which Python makes."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Axes of a figure: a measure against the density, the mines or the area."""

    measure: str
    against: str = "density"


@dataclass(frozen=True, slots=True)
class Plan:
    """Agents, the settings that they play in, and the limits of the run.

    A run ends at the first of four limits: ``games`` in each setting; ``seconds``; every win rate within ``until``
    points, which is half the width of its 95 % interval; the decision of ``sprt``, a sequential test of two agents in
    one setting, which excludes ``until``. A part of a run has the games from number ``first`` on, below ``games``. Each
    layout is played ``plays`` times, each time with other random numbers for guesses; ``games`` counts all of these
    games. With ``chains`` the chains of influence of each game are measured, too, with ``evaluations`` those of the
    agents, with ``calibration`` the risks that they state. ``played_by`` chooses the players of compiled agents.
    ``figure`` is the figure of the results. ``game_seconds`` is the time limit for each game of an agent from outside
    this package; None lifts it. ``called`` are names of the agents in reports, in their order; without any the agents'
    own are shortened.
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
    evaluations: bool = False
    calibration: bool = False
    played_by: PlayedBy = "auto"
    game_seconds: float | None = GAME_SECONDS
    plays: int = 1
    sprt: Sprt | None = None
    first: int = 0
    called: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.agents:
            if not isinstance(name, str):
                raise TypeError(
                    f"expected names of agents, such as 'sat' or 'FILE.py:FUNCTION', found {short_repr(name)}"
                )
        if self.sprt is not None:
            agents, settings = len(self.agents), len(self.settings)
            if (agents, settings) != (2, 1):
                message = f"expected two agents and one kind of board with a sequential test, found {agents} and"
                raise BoardError(f"{message} {settings}", at="sprt")
            if self.until is not None:
                raise BoardError("expected a sequential test or the precision of 'until', found both", at="sprt")
            if self.first:
                raise BoardError(f"expected games from 0 on with a sequential test, found {self.first:,}", at="sprt")

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the agents in reports.

        Agents from files go without their directory, unless two would have the same name.

        >>> Plan(("gem", "/home/me/mine.py:deduce"), ()).labels
        ('gem', 'mine.py:deduce')
        """
        if len(self.called) == len(self.agents):
            return self.called
        short = tuple(re.sub(r"^.*[/\\](?=[^/\\]*\.py(:|$))", "", label_of(name)) for name in self.agents)
        return short if len(set(short)) == len(self.agents) else self.agents

    def limit(self, setting: int) -> int | None:
        """Number after the last game of a setting; None if time or precision ends the run."""
        given = len(self.settings[setting].layouts) * self.plays
        if given:
            return given if self.games is None else min(given, self.games)
        return self.games

    @property
    def needs_python(self) -> bool:
        """True if only Python can play the games of compiled agents.

        The kernels measure neither chains, evaluations nor calibration, and have no random numbers of a play.
        """
        return bool(self._optional)

    @property
    def identity(self) -> str:
        """Everything that decides the games of a run, as canonical JSON.

        These are settings, agents and seed, but not the number of games.
        """
        return _canonical({
            "agents": [[name, fingerprint(name)] for name in self.agents],
            "seed": self.seed,
            "settings": [setting.to_values() for setting in self.settings],
            **self._optional,
        })  # fmt: skip

    @property
    def _optional(self) -> dict[str, int]:
        """Optional measurements and plays that the plan asks for.

        Without any there is no field, so runs that were begun before they existed can be continued.
        """
        asked: dict[str, int] = {name: True for name in MEASUREMENTS if getattr(self, name)}
        return asked | ({"plays": self.plays} if self.plays > 1 else {})

    def measuring(self, key: str) -> Plan:
        """The plan with one of ``MEASUREMENTS``; the same plan without a key."""
        asked: dict[str, Any] = {key: True} if key else {}
        return replace(self, **asked)

    def described(self) -> str:
        """The plan as JSON, which ``Plan.of`` reads; given layouts are left out."""
        return _canonical({
            "agents": self.agents,
            "settings": [setting.to_values() for setting in self.settings],
            "seed": self.seed,
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "figure": None if self.figure is None else [self.figure.measure, self.figure.against],
            **({"called": self.called} if self.called else {}),
            **self._optional,
        })  # fmt: skip

    @classmethod
    def of(cls, text: str) -> Plan:
        """Parse a plan from JSON: enough to report on its games and to name each of them.

        Raises BoardError for other texts.

        >>> Plan.of(Plan(("basic",), (Setting(9, 9, 10),)).described()) == Plan(("basic",), (Setting(9, 9, 10),))
        True
        """
        node = Node.of(text)
        fields = node.fields(("agents", "settings", *_TEXTS, "figure"), node.value)
        axes = [] if fields["figure"].value is None else [axis.string() for axis in fields["figure"].items()]
        if "plays" in fields and not fields["plays"].integer():
            fields["plays"].fail("expected plays from 1")
        if len(axes) not in (0, 2):
            fields["figure"].fail("expected a measure, and what it is drawn against")
        others: dict[str, Any] = {name: fields[name].string() for name in _TEXTS}
        others |= {name: fields[name].boolean() for name in MEASUREMENTS if name in fields}
        if "called" in fields:
            others["called"] = tuple(name.string() for name in fields["called"].items())
        return cls(
            tuple(agent.string() for agent in fields["agents"].items()),
            tuple(map(_setting, fields["settings"].items())),
            figure=Figure(*axes) if axes else None,
            plays=fields["plays"].integer() if "plays" in fields else 1,
            **others,
        )


_TEXTS = ("seed", "name", "title", "source")


def _setting(node: Node) -> Setting:
    try:
        return Setting.from_values(node.value)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        node.fail("expected the values of a setting")


def _canonical(fields: dict[str, object]) -> str:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))
