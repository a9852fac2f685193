"""Chains of influence: how far the reasons of one game reach, or of the one among many where they reach farthest."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from satsweep.cli import options
from satsweep.cli.interrupt import INTERRUPTED
from satsweep.cli.output import BAD_INPUT, check_writable, compile_for, fail, write

if TYPE_CHECKING:
    from satsweep.games.record import Record
    from satsweep.games.rules import Rules
    from satsweep.why.influence import Influence

AGENT = "tank"
"""Who plays where nobody is named: the agent of the document that asks for chains."""


def chains(
    agent: options.Agent = None,
    rows: options.Rows = None,
    cols: options.Cols = None,
    mines: options.Mines = None,
    topology: options.Topology = None,
    layout: options.Layout = None,
    record: Annotated[
        str | None, typer.Option(metavar="FILE", help="Read a game that was played: `satsweep play --record`.")
    ] = None,
    seed: options.Seed = None,
    search: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Play so many boards, this seed and those after it; keep the longest."),
    ] = None,
    first: options.First = None,
    start: options.Start = None,
    cascade: options.Cascade = None,
    play_on: options.PlayOn = None,
    goal: options.Goal = None,
    clues: options.Clues = None,
    hide_total: options.HideTotal = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, with every step of the longest chain.")] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the longest chain on the board, as SVG.")
    ] = None,
    graphml: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write down what rests on what, as a graph for other programs.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write down the layout, as JSON.")
    ] = None,
) -> None:
    """Follow the chains of influence of a game: which cells were known from which, back to the start and to guesses.

    A cell rests on the numbers that the agent concluded it from, and on the known cells around them that it took. An
    agent that does not name the numbers, like sat, has no chains.

    Exit codes: 0 done, 2 usage, 3 bad input, 130 interrupted.
    """
    ruled = (first, start, cascade, play_on, goal, clues) != (None,) * 6 or hide_total
    if layout is not None and (rows, cols, mines, topology, search) != (None,) * 5:
        raise typer.BadParameter("expected a layout or random ones, found both", param_hint="'--layout'")
    if record is not None and (ruled or (agent, rows, cols, mines, topology, layout, seed, search) != (None,) * 8):
        raise typer.BadParameter("expected nothing else to be played", param_hint="'--record'")
    check_writable(plot, graphml, output)

    from satsweep.agents import entry_named
    from satsweep.errors import AgentError, BoardError

    interrupted = None
    try:
        if record is not None:
            found = _read(record)
        else:
            from satsweep.cli.play import new_seed

            name = agent or AGENT
            rules = options.rules_of(
                entry_named(name.partition(":")[0]).rules,
                first=first,
                start=start,
                cascade=cascade,
                play_on=play_on,
                goal=goal,
                clues=clues,
                hide_total=hide_total,
            )
            wanted = _Wanted(name, rules, layout, options.size_of(rows, cols, mines, topology))
            seed = new_seed() if seed is None else seed
            found, interrupted = (wanted.played(seed), None) if search is None else _longest(wanted, seed, search)
    except (BoardError, AgentError) as error:
        fail(str(error), BAD_INPUT)
    _show(found, json=json, plot=plot, graphml=graphml, output=output)
    if interrupted is not None:
        fail(interrupted, INTERRUPTED)


class _Found(NamedTuple):
    """A game, its chains, and where it is from."""

    record: Record
    influence: Influence
    source: str
    seed: int | None = None


class _Wanted(NamedTuple):
    """Games of one kind."""

    agent: str
    rules: Rules
    layout: str | None
    size: options.Size

    def played(self, seed: int) -> _Found:
        """The game of a seed, which is the same one as in ``satsweep play``."""
        from satsweep.agents import agent_named
        from satsweep.cli.output import named
        from satsweep.cli.play import to_play
        from satsweep.games.deal import game_rng
        from satsweep.games.game import play
        from satsweep.why.influence import chains

        compile_for(self.agent)
        rng = game_rng(seed, 0)
        layout = to_play(self.layout, self.size, self.rules, rng)
        record = play(layout, agent_named(self.agent), self.rules, rng, name=self.agent)
        file = "" if self.layout is None else f"{named(self.layout)}, "
        return _Found(record, chains(record), f"{file}seed {seed}", seed)


def _read(file: str) -> _Found:
    from satsweep.cli.output import named
    from satsweep.errors import AgentError
    from satsweep.formats import read_record
    from satsweep.why.influence import chains

    if file == "-" and sys.stdin is None:
        fail("<stdin>: expected a record, found it closed", BAD_INPUT)
    record = read_record(file)
    try:
        return _Found(record, chains(record), named(file))
    except AgentError as error:
        raise AgentError(f"{named(file)}: {error}") from None


def _longest(wanted: _Wanted, seed: int, boards: int) -> tuple[_Found, str | None]:
    """The game with the longest chain; if that is interrupted, of those that were played, and a line that says so."""
    best: _Found | None = None
    interrupted: str | None = None
    done = 0
    try:
        with _progress(boards) as show:
            for done in range(boards):
                found = wanted.played(seed + done)
                if best is None or found.influence.length > best.influence.length:
                    best = found
                show(done + 1, best.influence.length)
    except KeyboardInterrupt:
        if best is None:
            raise
        interrupted = f"interrupted after {done:,} of {boards:,} boards"
        boards = done
    assert best is not None
    source = f"{best.source}, the longest of {boards:,} from seed {seed} on"
    return best._replace(source=source), interrupted


@contextmanager
def _progress(boards: int) -> Iterator[Callable[[int, int], None]]:
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, longest: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=boards)
        yield lambda done, longest: bar.update(
            task, completed=done, description=f"{done:,} of {boards:,} boards, longest chain {longest:,}"
        )


def _show(found: _Found, *, json: bool, plot: Path | None, graphml: Path | None, output: Path | None) -> None:
    from satsweep.render import influence as shown

    record, influence, source, seed = found
    if plot is not None:
        write(shown.to_svg(record, influence, source), plot)
    if graphml is not None:
        from networkx import generate_graphml

        write((f"{line}\n" for line in generate_graphml(influence.graph)), graphml)
    if output is not None:
        from satsweep.formats import FORMATS

        write((FORMATS["json"].write(record.layout),), output)
    if json:
        import json as json_module

        values = {**shown.to_values(record, influence), "seed": seed}
        write([json_module.dumps(values, indent=2) + "\n"], None)
        return
    write(shown.to_text(record, influence, source), None)
