"""Command ``play``: one game, by an agent or a person; command ``agents``."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.option_groups import OptionGroup, RuleChanges, Size, naming_options_of, with_groups
from satsweep.cli.output import (
    BAD_INPUT,
    Files,
    check_outputs,
    check_readable,
    display_name,
    fail,
    is_terminal,
    write,
)
from satsweep.text import printable

if TYPE_CHECKING:
    from random import Random

    from satsweep.agents.load import LoadedAgent
    from satsweep.games.game import Game
    from satsweep.games.record import Move, Record
    from satsweep.games.rules import Rules
    from satsweep.layout import Layout
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


DELAY = 0.05


def agents() -> None:
    """List the agents, each with a summary and the document that it follows."""
    from satsweep.agents import AGENTS, installed_agents

    for name, entry in AGENTS.items():
        typer.echo(f"{name:<12} {entry.summary}\n{'':<12} {entry.source}")
    for name, installed in installed_agents().items():
        typer.echo(f"{name:<12} installed: {installed.value}")


@with_groups
def play(
    *,
    agent: options.Agent = None,
    interactive: Annotated[
        bool, typer.Option("--interactive", "-i", help="Play yourself, by commands; help lists them.")
    ] = False,
    size: Size,
    layout: options.Layout = None,
    seed: options.Seed = None,
    changes: RuleChanges,
    replay: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Show the game of a record that --record wrote, instead of a new one."),
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for a key after each move; q stops the game.")] = False,
    delay: Annotated[
        float | None, options.seconds_option(f"Pause after each move. Default: {DELAY} on a terminal, else 0.")
    ] = None,
    warn: Annotated[
        bool, typer.Option("--warn", help="Ask for confirmation, with --interactive, before an avoidable risk.")
    ] = False,
    files: GameFiles,
) -> None:
    """Play a game in the terminal, move by move, with the reason for each.

    The default agent is sat. Rules without an option are those that the agent was made for.

    Exit codes: 0 the game was played, with any result, 2 usage, 3 bad input, 130 interrupted.
    """
    if layout is not None and size.given:
        raise typer.BadParameter("expected a layout or a size and a topology, found both", param_hint="'--layout'")
    if interactive and (agent is not None or step or delay is not None):
        raise typer.BadParameter("expected no --agent, --step or --delay with it", param_hint="'--interactive'")
    if warn and not interactive:
        raise typer.BadParameter("expected --interactive with it", param_hint="'--warn'")
    if replay is not None and (size.given or changes.given or interactive or (agent, layout, seed) != (None,) * 3):
        raise typer.BadParameter("expected no options of a new game beside a record", param_hint="'--replay'")
    from satsweep.agents.fingerprint import source_files
    from satsweep.errors import AgentError, BoardError
    from satsweep.games.rules import STANDARD_RULES

    files.check({"--layout": layout, "--replay": replay, "--agent": None if agent is None else source_files(agent)})
    name = None if interactive else "sat" if agent is None else agent
    named = naming_options_of(changes, None if layout else size)
    finished: Record | None
    try:
        if replay is not None:
            finished = _show_again(replay, step=step, delay=delay)
        else:
            with nullcontext() if name is None else options.loaded_agent(name) as player, named:
                made_for = STANDARD_RULES if player is None else player.rules
                dealt = _deal(layout, size, changes, made_for, seed or options.new_seed())
                if player is None:
                    from satsweep.cli.interactive import play_interactively

                    finished = play_interactively(*dealt, warn=warn)
                else:
                    finished = _watch(player, *dealt, step=step, delay=delay, recorded=files.given)
    except (BoardError, AgentError) as error:
        fail(str(error), BAD_INPUT)
    if finished is not None:
        files.write(finished)


def _deal(
    file: str | None, size: Size, changes: RuleChanges, made_for: Rules, seed: str
) -> tuple[Layout, Rules, Random, str]:
    """Layout, rules and randomness of a game, and its source in words."""
    from satsweep.games.deal import game_rng

    rng = game_rng(seed, 0)
    rules = changes.applied_to(made_for, None if file else size, size.board)
    source = f"seed {seed}" if file is None else f"{printable(display_name(file))}, seed {seed}"
    return deal_layout(file, size, rules, rng), rules, rng, source


def deal_layout(file: str | None, size: Size, rules: Rules, rng: Random) -> Layout:
    """Layout of a file, or a random one, with a start if the rules need one."""
    from satsweep.games.deal import random_layout, with_start
    from satsweep.games.rules import FirstClick
    from satsweep.layout import Layout

    if file is not None:
        return Layout.load(file)
    layout = random_layout(*size.dimensions(), rng, topology=size.topology or "square")
    if rules.first is FirstClick.GIVEN and rules.start is None:
        return with_start(layout, rng)
    return layout


def _watch(
    agent: LoadedAgent,
    layout: Layout,
    rules: Rules,
    rng: Random,
    source: str,
    *,
    step: bool,
    delay: float | None,
    recorded: bool,
) -> Record | None:
    """Play a game by an agent and show each move; return its record.

    If the reader of standard output has gone, the game ends there and None is returned, unless it is ``recorded``.
    """
    from satsweep.games.game import Game, Thinking, play_moves, record
    from satsweep.games.record import Outcome
    from satsweep.render.transcript import game_ending

    game, thinking = Game(layout, rules, rng), Thinking()
    moves = play_moves(game, agent.fresh(), rng, thinking)
    steps = ((move, game) for move in moves)
    heading = _heading(agent.name, rules, layout, source)
    _show(heading, steps, lambda: game.stop(Outcome.STOPPED), step=step, delay=delay)
    if recorded:
        for _ in moves:
            pass
    if game.outcome is None:
        return None
    finished = record(game, agent.name, thinking.seconds, thinking.evaluations)
    write(game_ending(finished), None)
    return finished


def _show_again(file: str, *, step: bool, delay: float | None) -> Record:
    """Show the moves of a record from a file; return the record."""
    from satsweep.games.record import Record
    from satsweep.games.replay import replay
    from satsweep.render.transcript import game_ending

    check_readable(file, "a record")
    game = Record.load(file)
    steps = (made for made in replay(game))
    heading = _heading(printable(game.agent), game.rules, game.layout, printable(display_name(file)))
    _show(heading, steps, steps.close, step=step, delay=delay)
    write(game_ending(game), None)
    return game


def _heading(agent: str, rules: Rules, layout: Layout, source: str) -> list[str]:
    """Lines above the moves of a game."""
    from satsweep.render.transcript import fact_line, game_header, layout_summary

    return [*game_header(agent, rules), fact_line("layout", f"{layout_summary(layout)}, {source}")]


def _show(
    heading: list[str],
    steps: Iterable[tuple[Move, Game]],
    stop: Callable[[], None],
    *,
    step: bool,
    delay: float | None,
) -> None:
    """Show the moves of a game, with a pause after each; q stops the game."""
    live = is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb"
    with _pauses(stop, step, (DELAY if live else 0.0) if delay is None else delay) as pause:
        if live:
            from rich.console import Console

            from satsweep.render.watch import watch_game

            write([*heading, "\n"], None)
            for _ in watch_game(steps, Console()):
                pause()
        else:
            from satsweep.render.transcript import game_lines

            write(_flushed(chain(heading, game_lines(_paced(steps, pause)))), None)


@contextmanager
def _pauses(stop: Callable[[], None], step: bool, delay: float) -> Iterator[Callable[[], None]]:
    """Function that waits after a move, for a key or a delay; q calls ``stop``."""
    if not step:
        yield lambda: time.sleep(delay)
        return
    from satsweep.cli.interactive import key_reader

    with key_reader() as next_key:
        open_input = True

        def wait() -> None:
            nonlocal open_input
            if open_input:
                key = next_key()
                # At the end of input the game goes on without keys.
                open_input = key != ""
                if key[:1] in ("q", "Q"):
                    stop()
            time.sleep(delay)

        yield wait


def _paced(steps: Iterable[tuple[Move, Game]], pause: Callable[[], None]) -> Iterator[tuple[Move, Game]]:
    """Steps with a pause after each."""
    for step in steps:
        yield step
        pause()


def _flushed(lines: Iterable[str]) -> Iterator[str]:
    """Lines, each flushed to standard output before the next one is made."""
    for line in lines:
        yield line
        sys.stdout.flush()
