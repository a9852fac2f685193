"""Options for the files that a game is written to: text, JSON, a moving picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.option_groups import OptionGroup
from satsweep.cli.output import Files, check_outputs, write

if TYPE_CHECKING:
    from satsweep.games.record import Record


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
        for option, given in (("--pace", self.pace is not None), ("--once", self.once)):
            if given and self.animation is None:
                raise typer.BadParameter("expected --animation with it", param_hint=f"'{option}'")
        outputs = {"--transcript": self.transcript, "--record": self.record, "--animation": self.animation}
        check_outputs(outputs, inputs)
        if self.animation is not None and self.animation.suffix.lower() not in ("", ".svg"):
            message = f"expected a name ending in .svg, found {self.animation.name!r}"
            raise typer.BadParameter(message, param_hint="'--animation'")

    def write(self, game: Record) -> None:
        """Write a game to the files that are given."""
        if self.transcript is not None:
            from satsweep.render.transcript import transcript

            write(transcript(game), self.transcript)
        if self.record is not None:
            from satsweep.formats.records import to_json

            write((to_json(game),), self.record)
        if self.animation is not None:
            from satsweep.render.game_animation import animated_svg

            write(animated_svg(game, pace=self.pace, loop=not self.once), self.animation)
