"""Options of games: size and rules, a sequential test, the layout and the files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from satsweep.cli import options
from satsweep.cli.option_groups import OptionGroup
from satsweep.cli.options import BEST_START, naming_options, to_cell, wrong
from satsweep.cli.output import Files, check_outputs, check_svg, display_name, write

if TYPE_CHECKING:
    from random import Random

    from satsweep.arena.sprt import Sprt
    from satsweep.board import Cell
    from satsweep.games.record import Record
    from satsweep.games.rules import Rules
    from satsweep.layout import Layout


@dataclass(frozen=True)
class SizeOverrides(OptionGroup):
    """Options that override a board, and its topology; None for what is left out."""

    rows: options.Rows = None
    cols: options.Cols = None
    mines: options.Mines = None
    topology: options.Topology = None

    @property
    def named(self) -> dict[str, str]:
        """Options of the group by field; unless given, the mines are those of the board."""
        given = super().named
        return {"mines": given.get("board", "--mines"), "topology": "--topology", **given}

    def over(self, board: str) -> tuple[int, int, int]:
        """Rows, columns and mines: those of a board, unless options override them.

        Raises BadParameter if no board has them, or not with this topology.
        """
        from satsweep.errors import BoardError
        from satsweep.games.deal import dimensions_named
        from satsweep.text import check_cells, check_total
        from satsweep.topology import topology_named

        given = self.rows, self.cols, self.mines
        rows, cols, mines = (
            usual if own is None else own for own, usual in zip(given, dimensions_named(board), strict=True)
        )
        try:
            check_cells(rows, cols)
        except BoardError as error:
            raise wrong("--cols" if self.rows is None else "--rows", error.message) from None
        with naming_options(self.named):
            check_total(mines, rows * cols)
            topology_named(self.topology or "square").check(rows, cols)
        return rows, cols, mines


@dataclass(frozen=True)
class Size(SizeOverrides):
    """Size and topology of random layouts; None for what the command line leaves out."""

    board: options.Board = None

    def dimensions(self) -> tuple[int, int, int]:
        """Rows, columns and mines; by default those of a beginner's board."""
        return self.over(self.board or "beginner")


@dataclass(frozen=True)
class Sizes(SizeOverrides):
    """Sizes and topology of random layouts, for several boards."""

    board: options.Boards = None


OPPOSITES = {"play_on": "fatal", "hide_total": "tells_total"}
"""Options that say the opposite of a rule of play; others have the rule's name."""
_SWITCHES = {"cascade": "--cascade/--no-cascade", "play_on": "--play-on/--one-life", "hide_total": "--hide-total"}
"""Options without a value: the word for yes, and that for no."""


@dataclass(frozen=True)
class RuleChanges(OptionGroup):
    """Rules of play; None for what the command line leaves out."""

    first: Annotated[
        Literal["any", "safe", "zero", "given"] | None,
        typer.Option(
            help="Promise about the first cell: none (any), no mine (safe), no mine around it either (zero), or the "
            "start of the layout (given)."
        ),
    ] = None
    start: options.RuleStart = None
    cascade: Annotated[
        bool | None,
        typer.Option(
            _SWITCHES["cascade"], help="Open the neighbours of a cell with no mine around, or leave them covered."
        ),
    ] = None
    play_on: Annotated[
        bool | None,
        typer.Option(
            _SWITCHES["play_on"],
            help="Play on after a mine, which stays on the board as a known one, or end the game.",
        ),
    ] = None
    goal: Annotated[
        Literal["clear", "find"] | None,
        typer.Option(help="Open every safe cell, or identify every mine in few cells."),
    ] = None
    clues: options.Clues = None
    hide_total: Annotated[
        bool, typer.Option(_SWITCHES["hide_total"], help="Hide the number of mines from the player.")
    ] = False
    redraw: Annotated[
        Literal["never", "fair", "fair-any", "cruel", "cruel-all"] | None,
        typer.Option(
            help="Redraw covered mines, unseen: a forced guess is safe at least risk (fair), or at any (fair-any); "
            "a needless guess hits a mine if it can (cruel), or every guess does (cruel-all).",
        ),
    ] = None

    def applied_to(self, base: Rules, size: SizeOverrides | None = None, board: str | None = None) -> Rules:
        """Rules of play of the command line.

        Others are those of the board by its name, or of ``base``.

        ``size`` and ``board`` are those of the boards, unless these are given as layouts. Raises BadParameter if the
        best start is asked for, and not known for them.
        """
        from satsweep.games.deal import rules_named

        given = {option: getattr(self, option) for option in self.named}
        changes = {OPPOSITES.get(option, option): value for option, value in given.items()}
        changes |= {rule: not given[option] for option, rule in OPPOSITES.items() if option in given}
        base = rules_named(board) or base
        best = self.start == BEST_START
        rules = replace(base, **changes | {"start": base.start if best else to_cell(self.start) or base.start})
        return replace(rules, start=_best_start(rules, size, board)) if best else rules


def rule_options(name: str, value: object) -> tuple[str, ...]:
    """Options of the command line that say the value of a rule of play."""
    option = {rule: option for option, rule in OPPOSITES.items()}.get(name, name)
    if isinstance(value, bool):
        yes, _, no = _SWITCHES[option].partition("/")
        word = yes if value is not (option in OPPOSITES) else no
        return (word,) if word else ()
    return () if value is None else (f"--{option}", str(value.value if isinstance(value, Enum) else value))


def _best_start(rules: Rules, size: SizeOverrides | None, board: str | None) -> Cell:
    """The start that the book of openings has for a board."""
    from satsweep.errors import BoardError
    from satsweep.games.deal import best_opening

    try:
        if size is None or (size.topology or "square") != "square":
            raise BoardError("expected a square grid by its size with best")
        return best_opening(*size.over(board or "beginner"), rules.first).start
    except BoardError as error:
        raise wrong("--start", error.message) from None


SPRT_OPTIONS = {"sprt": "--sprt", "alpha": "--alpha", "beta": "--beta"}
"""Options of a sequential test, by the field that an error names."""


@dataclass(frozen=True)
class TestOptions(OptionGroup):
    """A sequential test of two agents; without ``sprt`` there is none."""

    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="H0,H1",
            help="Sequential test: does the second agent win H1 points more often than the first, or H0? "
            "As --sprt 0,0.5; ends as soon as that is decided.",
        ),
    ] = None
    two_sided: Annotated[
        bool, typer.Option("--two-sided", help="With --sprt: H1 points more often, or less often.")
    ] = False
    alpha: Annotated[
        float | None, typer.Option(metavar="RATE", help="With --sprt: chance of H1 where H0 is true. Default: 0.05.")
    ] = None
    beta: Annotated[
        float | None, typer.Option(metavar="RATE", help="With --sprt: chance of H0 where H1 is true. Default: 0.05.")
    ] = None

    @property
    def test(self) -> Sprt | None:
        """The test; raises BadParameter for one that is none."""
        from satsweep.arena.sprt import Sprt

        if self.sprt is None:
            for option in self.named.values():
                raise wrong(option, "expected it with --sprt")
            return None
        try:
            h0, h1 = map(float, self.sprt.split(","))
        except ValueError:
            raise wrong("--sprt", f"expected two numbers of points, as 0,0.5, found {self.sprt!r}") from None
        rates = {name: rate for name, rate in (("alpha", self.alpha), ("beta", self.beta)) if rate is not None}
        with naming_options(SPRT_OPTIONS):
            return Sprt(h0, h1, two_sided=self.two_sided, **rates)


def deal_layout(file: str | None, size: Size, rules: Rules, rng: Random) -> Layout:
    """Layout of a file, or a random one, with a start if the rules need one."""
    from satsweep.errors import BoardError
    from satsweep.games.deal import random_layout, with_start
    from satsweep.games.rules import FirstClick
    from satsweep.layout import Layout

    without_start = rules.first is FirstClick.GIVEN and rules.start is None
    if file is None:
        layout = random_layout(*size.dimensions(), rng, topology=size.topology or "square")
        return with_start(layout, rng) if without_start else layout
    layout = Layout.load(file)
    if without_start and layout.start is None:
        raise BoardError("expected a start, in the file or as --start", file=display_name(file))
    return layout


@dataclass(frozen=True)
class GameFiles(OptionGroup):
    """Files that a game is written to, and how it moves as a picture."""

    transcript: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the game as text, with its layout.")
    ] = None
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the game as JSON; see `satsweep schema record`.")
    ] = None
    animation: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", help="Write the game as a moving picture, an animated SVG.")
    ] = None
    pace: Annotated[
        float | None,
        options.seconds_option(
            "Seconds of a move in --animation. Default: 0.4, less where all moves would take more than 30 seconds.",
            above_0=True,
        ),
    ] = None
    once: Annotated[bool, typer.Option("--once", help="Run --animation once, instead of again and again.")] = False

    def check(self, inputs: Mapping[str, Files]) -> None:
        """Exit unless all files can be written; raise BadParameter for wrong options."""
        still = self.animation is None
        options.refuse(
            (still and self.pace is not None, "--pace", "expected --animation with it"),
            (still and self.once, "--once", "expected --animation with it"),
        )
        outputs = {"--transcript": self.transcript, "--record": self.record, "--animation": self.animation}
        check_outputs(outputs, inputs)
        check_svg("--animation", self.animation)

    def write(self, game: Record) -> None:
        if self.transcript is not None:
            from satsweep.render.transcript import transcript

            write(transcript(game), self.transcript)
        if self.record is not None:
            from satsweep.formats.records import to_json

            write((to_json(game),), self.record)
        if self.animation is not None:
            from satsweep.render.game_animation import animated_svg

            write(animated_svg(game, pace=self.pace, loop=not self.once), self.animation)
