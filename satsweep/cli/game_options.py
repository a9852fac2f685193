"""Layout of a game that a command plays, and the files that it is written to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.option_groups import OptionGroup, Size
from satsweep.cli.output import Files, check_outputs, check_svg, display_name, write

if TYPE_CHECKING:
    from random import Random

    from satsweep.games.record import Record
    from satsweep.games.rules import Rules
    from satsweep.layout import Layout


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
