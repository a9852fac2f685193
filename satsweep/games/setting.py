"""Settings: a kind of board with the rules of play on it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random
from textwrap import shorten
from typing import Any

from satsweep.arguments import check_whole
from satsweep.errors import BoardError
from satsweep.games.deal import game_rng, random_layout, with_start
from satsweep.games.rules import RULES, STANDARD_RULES, FirstClick, Rules
from satsweep.layout import Layout
from satsweep.text import check_cells, check_total, counted
from satsweep.topology import SQUARE, Topology, topology_named


@dataclass(frozen=True, slots=True)
class Setting:
    """A kind of board and the rules of play on it.

    Its games are on random layouts, or on the given ``layouts`` in their order.

    >>> print(Setting(16, 30, 99))
    16x30, 99 mines, first cell safe
    >>> Setting(10, 10, 20).density
    Fraction(1, 5)

    Raises BoardError when there is no such board, or no room for the safe start that the rules promise.
    """

    rows: int
    cols: int
    mines: int
    rules: Rules = STANDARD_RULES
    topology: Topology = SQUARE
    layouts: tuple[Layout, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        for side in ("rows", "cols"):
            object.__setattr__(self, side, check_whole(getattr(self, side), side))
        check_cells(self.rows, self.cols)
        object.__setattr__(self, "mines", check_total(self.mines, self.area))
        self.topology.check(self.rows, self.cols)
        start = self.rules.start
        if start is not None and not (start[0] < self.rows and start[1] < self.cols):
            found = f"{start[0]},{start[1]}"
            raise BoardError(f"expected a start on the {self.rows}x{self.cols} grid, found {found}", at="start")
        if self.area - self.mines < self._free_cells_needed:
            promise = "a safe cell" if self._free_cells_needed == 1 else "a cell with no mine around"
            raise BoardError(f"expected room for {promise} to start, found {counted(self.mines, 'mine')}", at="mines")

    @property
    def _free_cells_needed(self) -> int:
        if self.rules.first is FirstClick.ANY:
            return 0
        if self.rules.first is not FirstClick.ZERO:
            return 1
        around = self.topology.neighbours(self.rows, self.cols)
        start = self.rules.start
        if start is None:
            return 1 + min(map(len, around))
        return 1 + len(around[start[0] * self.cols + start[1]])

    @property
    def area(self) -> int:
        return self.rows * self.cols

    @property
    def density(self) -> Fraction:
        return Fraction(self.mines, self.area)

    @property
    def board(self) -> str:
        """Size, topology (unless it is a plain square grid) and mines, in words."""
        topology = "" if self.topology == SQUARE else f" {shorten(self.topology.name, 40)}"
        return f"{self.rows}x{self.cols}{topology}, {counted(self.mines, 'mine')}"

    def __str__(self) -> str:
        return f"{self.board}, {short_rules(self.rules)}"

    def layout(self, seed: str, game: int, first: int = 0) -> tuple[Layout, Random]:
        """Return the layout of a game of a run, and the random generator to play it with.

        Given ``layouts`` begin with game number ``first``.
        """
        rng = game_rng(seed, game)
        if self.layouts:
            return self.layouts[game - first], rng
        layout = random_layout(self.rows, self.cols, self.mines, rng, topology=self.topology)
        if self.rules.first is FirstClick.GIVEN and self.rules.start is None:
            layout = with_start(layout, rng)
        return layout, rng

    def to_values(self) -> dict[str, object]:
        """Return the setting as JSON values: all that decides which games are played."""
        return {
            "rows": self.rows,
            "cols": self.cols,
            "mines": self.mines,
            "topology": self.topology.name,
            **self.rules.to_values(),
            "layouts": _digest("\n\n".join(map(str, self.layouts))) if self.layouts else None,
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Setting:
        """Build a setting from the values of ``to_values``, without any given layouts."""
        rules = Rules.from_values({name: values[name] for name in RULES if name in values})
        return cls(values["rows"], values["cols"], values["mines"], rules, topology_named(values["topology"]))


def short_rules(rules: Rules) -> str:
    """Return the rules in words, without the parts that the standard rules share.

    >>> short_rules(Rules(fatal=False))
    'first cell safe, play goes on after a mine'
    """
    usual = set(str(STANDARD_RULES).split(", ")[1:])
    return ", ".join(part for part in str(rules).split(", ") if part not in usual)


def shared_rules(made_for: Iterable[Rules], default: Rules) -> Rules:
    """Return the rules that all agents were made for.

    The default if these differ, or are the usual ones.
    """
    found = {*made_for}
    return default if len(found) != 1 or STANDARD_RULES in found else found.pop()


def settings_by_kind(layouts: Sequence[Layout], rules: Rules, *, from_starts: bool = False) -> tuple[Setting, ...]:
    """Return given layouts as settings, one for each kind of board among them.

    With ``from_starts`` games begin at the starts of the layouts, if every layout has one.
    """
    if from_starts and all(layout.start is not None for layout in layouts):
        rules = replace(rules, first=FirstClick.GIVEN, start=None)
    kinds: dict[tuple[int, int, int, Topology], list[Layout]] = {}
    for layout in layouts:
        kinds.setdefault((layout.rows, layout.cols, layout.mines, layout.topology), []).append(layout)
    return tuple(
        Setting(rows, cols, mines, rules, topology, tuple(found))
        for (rows, cols, mines, topology), found in kinds.items()
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
