"""What is compared: agents, settings, and boards.

A ``Setting`` is a kind of board and the rules of play on it; a ``Plan`` is agents that play the same layouts in each of
its settings. What decides the results of a run, and nothing else, makes up its ``identity``: two runs of one identity
play the same games, so one may go on where the other stopped.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from textwrap import shorten
from typing import Any

from satsweep.board import Cell
from satsweep.clues import clues_named
from satsweep.errors import BoardError
from satsweep.foreign import fingerprint
from satsweep.generate import random_layout, rng_of, with_start
from satsweep.layout import Layout
from satsweep.rulebook import STANDARD, First, Goal, Rules
from satsweep.text import check_cells, check_total
from satsweep.topology import SQUARE, Topology, topology_named


@dataclass(frozen=True, slots=True)
class Setting:
    """A kind of board and the rules of play on it: random layouts, or the ``layouts`` given, in their order.

    >>> print(Setting(16, 30, 99))
    16x30, 99 mines, first cell safe
    >>> Setting(10, 10, 20).density
    Fraction(1, 5)

    Raises BoardError when there is no such board, or no room for the safe start that the rules promise.
    """

    rows: int
    cols: int
    mines: int
    rules: Rules = STANDARD
    topology: Topology = SQUARE
    layouts: tuple[Layout, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        check_cells(self.rows, self.cols)
        check_total(self.mines, self.area)
        self.topology.check(self.rows, self.cols)
        start = self.rules.start
        if start is not None and not (start[0] < self.rows and start[1] < self.cols):
            found = f"{start[0]},{start[1]}"
            raise BoardError(f"expected a start on the {self.rows}x{self.cols} grid, found {found}", at="start")
        if self.area - self.mines < self._promised:
            promise = "a safe cell" if self._promised == 1 else "a cell with no mine around"
            raise BoardError(f"expected room for {promise} to start, found {self.mines} mines", at="mines")

    @property
    def _promised(self) -> int:
        """How many cells must be free at least."""
        if self.rules.first is First.ANY:
            return 0
        if self.rules.first is not First.ZERO:
            return 1
        around = self.topology.neighbours(self.rows, self.cols)
        start = self.rules.start
        if start is None:
            return 1 + min(map(len, around))
        return 1 + len(around[start[0] * self.cols + start[1]])

    @property
    def area(self) -> int:
        """Number of cells."""
        return self.rows * self.cols

    @property
    def density(self) -> Fraction:
        """The share of the cells that are mines."""
        return Fraction(self.mines, self.area)

    @property
    def board(self) -> str:
        """The kind of board in words: size, mines, and the topology unless it is a plain square grid."""
        topology = "" if self.topology == SQUARE else f" {shorten(self.topology.name, 40)}"
        return f"{self.rows}x{self.cols}{topology}, {self.mines} mines"

    def __str__(self) -> str:
        return f"{self.board}, {rules_in_short(self.rules)}"

    def layout(self, seed: str, game: int, first: int = 0) -> tuple[Layout, Random]:
        """The layout of a game of a run, and the randomness to play it with. ``layouts`` begin with game ``first``."""
        rng = rng_of(seed, game)
        if self.layouts:
            return self.layouts[game - first], rng
        layout = random_layout(self.rows, self.cols, self.mines, rng, topology=self.topology)
        if self.rules.first is First.GIVEN and self.rules.start is None:
            layout = with_start(layout, rng)
        return layout, rng

    def described(self) -> dict[str, object]:
        """All that decides which games are played, as plain values."""
        rules = self.rules
        return {
            "rows": self.rows,
            "cols": self.cols,
            "mines": self.mines,
            "topology": self.topology.name,
            "first": rules.first.value,
            "start": None if rules.start is None else list(rules.start),
            "cascade": rules.cascade,
            "fatal": rules.fatal,
            "goal": rules.goal.value,
            "clues": str(rules.clues),
            "tells_total": rules.tells_total,
            "layouts": _digest("\n\n".join(map(str, self.layouts))) if self.layouts else None,
        }


def rules_in_short(rules: Rules) -> str:
    """The rules in words, without what is so in most games.

    >>> rules_in_short(Rules(fatal=False))
    'first cell safe, play goes on after a mine'
    """
    usual = set(str(STANDARD).split(", ")[1:])
    return ", ".join(part for part in str(rules).split(", ") if part not in usual)


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
            "settings": [setting.described() for setting in self.settings],
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
            "settings": [setting.described() for setting in self.settings],
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
            tuple(_setting(fields) for fields in found["settings"]),
            seed=found["seed"],
            name=found["name"],
            title=found["title"],
            source=found["source"],
            figure=found["figure"] and Figure(*found["figure"]),
            chains=found.get("chains", False),
        )


def by_size(layouts: Iterable[Layout], rules: Rules) -> tuple[Setting, ...]:
    """Given layouts as settings, one for each kind of board among them."""
    kinds: dict[tuple[int, int, int, Topology], list[Layout]] = {}
    for layout in layouts:
        kinds.setdefault((layout.rows, layout.cols, layout.mines, layout.topology), []).append(layout)
    return tuple(
        Setting(rows, cols, mines, rules, topology, tuple(found))
        for (rows, cols, mines, topology), found in kinds.items()
    )


def _setting(fields: dict[str, Any]) -> Setting:
    start = fields["start"]
    rules = Rules(
        First(fields["first"]),
        None if start is None else Cell(*start),
        fields["cascade"],
        fields["fatal"],
        Goal(fields["goal"]),
        clues_named(fields["clues"]),
        fields["tells_total"],
    )
    return Setting(fields["rows"], fields["cols"], fields["mines"], rules, topology_named(fields["topology"]))


def _canonical(fields: dict[str, object]) -> str:
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
