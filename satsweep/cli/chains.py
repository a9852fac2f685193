"""Command ``chains``: chains of influence in a game, or the longest of many."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from satsweep.cli import options
from satsweep.cli.exits import INTERRUPTED, fail
from satsweep.cli.game_options import RuleChanges, Size, deal_layout
from satsweep.cli.option_groups import naming_options_of, with_groups
from satsweep.cli.output import check_outputs, check_readable, check_svg, display_name, progress_bar, write
from satsweep.cli.renderers import format_option, rendered
from satsweep.text import counted

if TYPE_CHECKING:
    from satsweep.agents.load import LoadedAgent
    from satsweep.games.record import Record
    from satsweep.games.rules import Rules
    from satsweep.why.influence import Influence

AGENT = "tank"
"""Default agent: the one of Xu, Zhang and Geng (2017), who ask for chains."""


@with_groups
def chains(
    *,
    agent: options.Agent = None,
    size: Size,
    layout: options.Layout = None,
    record: Annotated[
        str | None, typer.Option(metavar="FILE", help="Read a game from a record that `satsweep play --record` wrote.")
    ] = None,
    seed: options.Seed = None,
    search: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="Play N boards, with this seed and those after it; keep the longest chain."
        ),
    ] = None,
    changes: RuleChanges,
    format: Annotated[
        str | None,
        format_option("chains", help="Output format; json has every step of the longest chain. Default: text."),
    ] = None,
    json: options.Json = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE.svg", help="Draw the longest chain on the board, as SVG.")
    ] = None,
    graphml: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the dependencies between cells as GraphML.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the layout as JSON.")
    ] = None,
) -> None:
    """Trace the chains of influence of a game.

    A chain links each known cell to the cells that it was concluded from, back to the start and to guesses. A cell
    rests on the numbers that the agent concluded it from, and on the known cells around them that it took. An agent
    that does not name the numbers, like sat, has no chains.

    Exit codes: 0 done, 2 usage, 3 bad input, 130 interrupted.
    """
    randomly = size.given or search is not None
    new = randomly or changes.given or (agent, layout, seed) != (None,) * 3
    options.refuse(
        (layout is not None and randomly, "--layout", "expected a layout or random ones, found both"),
        (record is not None and new, "--record", "expected no options of a new game beside a record"),
    )
    chosen = options.chosen_format(format, json)

    from satsweep.agents.fingerprint import source_files

    inputs = {"--layout": layout, "--record": record, "--agent": source_files(agent or AGENT)}
    check_outputs({"--plot": plot, "--graphml": graphml, "--output": output}, inputs)
    check_svg("--plot", plot)
    interrupted = None
    if record is not None:
        game = _read_game(record)
    else:
        with options.loaded_agent(AGENT if agent is None else agent) as player:
            rules = changes.applied_to(player.rules, None if layout else size, size.board)
            source = _GameSource(player, rules, layout, size)
            seed = seed or options.new_seed()
            with naming_options_of(changes, None if layout else size):
                game, interrupted = (source.play(seed), None) if search is None else _longest(source, seed, search)
    _write_outputs(game, chosen, plot=plot, graphml=graphml, output=output)
    if interrupted is not None:
        fail(interrupted, INTERRUPTED)


class _ChainGame(NamedTuple):
    """Game with its chains, its source in words, and its seed if it has one."""

    record: Record
    influence: Influence
    source: str
    seed: str | None = None


class _GameSource(NamedTuple):
    """Games of one agent, by one set of rules, on one layout or on random ones."""

    agent: LoadedAgent
    rules: Rules
    layout: str | None
    size: Size

    def play(self, seed: str) -> _ChainGame:
        """Play the game of a seed, the same one as in ``satsweep play``."""
        from satsweep.games.deal import game_rng
        from satsweep.games.game import play
        from satsweep.why.influence import chains

        rng = game_rng(seed, 0)
        layout = deal_layout(self.layout, self.size, self.rules, rng)
        record = play(layout, self.agent.fresh(), self.rules, rng, name=self.agent.name)
        file = "" if self.layout is None else f"{display_name(self.layout)}, "
        return _ChainGame(record, chains(record), f"{file}seed {seed}", seed)


def _read_game(file: str) -> _ChainGame:
    from satsweep.errors import AgentError
    from satsweep.games.record import Record
    from satsweep.why.influence import chains

    check_readable(file, "a record")
    record = Record.load(file)
    try:
        return _ChainGame(record, chains(record), display_name(file))
    except AgentError as error:
        raise AgentError(f"{display_name(file)}: {error}") from None


def _longest(source: _GameSource, seed: str, boards: int) -> tuple[_ChainGame, str | None]:
    """Game with the longest chain; after an interrupt, best so far and error line."""
    try:
        first = int(seed)
    except ValueError:
        message = f"expected a number with --search, which counts on from it, found {seed!r}"
        raise options.wrong("--seed", message) from None
    all_boards = counted(boards, "board")
    best: _ChainGame | None = None
    interrupted: str | None = None
    done = 0
    try:
        with progress_bar(boards) as bar:
            for done in range(boards):
                game = source.play(str(first + done))
                if best is None or game.influence.length > best.influence.length:
                    best = game
                length = best.influence.length
                bar.show(done + 1, f"{done + 1:,} of {all_boards}, longest chain {length:,}")
    except KeyboardInterrupt:
        if best is None:
            raise
        interrupted = f"interrupted after {done:,} of {all_boards}"
        boards = done
    assert best is not None
    return best._replace(source=f"{best.source}, the longest of {boards:,} from seed {first} on"), interrupted


def _write_outputs(
    game: _ChainGame, format: str, *, plot: Path | None, graphml: Path | None, output: Path | None
) -> None:
    """Print the chains of a game, and write the files that are given."""
    record, influence, source, seed = game
    if plot is not None:
        from satsweep.render.influence import to_svg

        write(to_svg(record, influence, source), plot)
    if graphml is not None:
        from networkx import generate_graphml

        write((f"{line}\n" for line in generate_graphml(influence.graph)), graphml)
    if output is not None:
        from satsweep.formats import FORMATS

        write((FORMATS["json"].write(record.layout),), output)
    write(rendered("chains", format, record, influence=influence, source=source, seed=seed), None)
