"""Command ``find-mines``: the mine search of Covre and Reddy (document 004).

The report has their measurements for each agent: time, cells opened, their share of the area, and the mines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.option_groups import RuleChanges, Size, naming_options_of, with_groups
from satsweep.cli.output import BAD_INPUT, check_readable, display_name, fail, write
from satsweep.text import counted

if TYPE_CHECKING:
    from satsweep.board import Cell
    from satsweep.games.record import Record

MINE_SEARCH_AGENTS = ("ai0", "ai1")
"""Default agents: those of Covre and of Reddy."""


@with_groups
def find_mines(
    *,
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE|-", help="A layout with a start: Georgia Tech JSON, or any format that holds layouts."
        ),
    ] = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            autocompletion=options.agent_names,
            help=f"Agent that searches: {options.AGENT_HELP}. May be given several times. Default: ai0 and ai1.",
        ),
    ] = None,
    size: Size,
    start: options.Start = None,
    clues: options.Clues = None,
    seed: options.Seed = None,
    format: options.Format = None,
    json: options.Json = False,
) -> None:
    """Find every mine, and open as few cells as possible.

    Opening a mine costs no more than opening any other cell. Without a file, the layout is a random one of the given
    board or size.

    Exit codes: 0 done, 2 usage, 3 bad input, 130 interrupted.
    """
    if size.given is (file is not None):
        found = "neither" if file is None else "both"
        raise typer.BadParameter(f"expected a file or a board, as --board 10x10/10, found {found}", param_hint="'FILE'")
    chosen = options.chosen_format(format, json)

    from satsweep.cli.play import deal_layout
    from satsweep.errors import AgentError, BoardError
    from satsweep.games.deal import game_rng
    from satsweep.games.game import play
    from satsweep.games.rules import FIND_MINES_RULES
    from satsweep.layout import Layout
    from satsweep.render.board_text import variant_fields
    from satsweep.render.transcript import fact_line, layout_summary

    if file is not None:
        check_readable(file, "a layout")
    changes = RuleChanges(start=start, clues=clues)
    rules = changes.applied_to(FIND_MINES_RULES)
    seed = seed or options.new_seed()
    source = "random" if file is None else display_name(file)
    records: list[Record] = []
    try:
        given = None if file is None else Layout.load(file)
        if given is not None and given.start is None and rules.start is None:
            fail(f"{source}: expected a start, in the file or as --start", BAD_INPUT)
        with naming_options_of(changes, size if given is None else None):
            for name in agent or MINE_SEARCH_AGENTS:
                with options.loaded_agent(name) as searcher:
                    rng = game_rng(seed, 0)
                    layout = given or deal_layout(None, size, rules, rng)
                    records.append(play(layout, searcher.fresh(), rules, rng, name=searcher.name))
    except AgentError as error:
        fail(str(error), BAD_INPUT)
    except BoardError as error:
        fail(str(error) if error.file else f"{source}: {error}", BAD_INPUT)
    if chosen == "json":
        import json as json_module

        searches = ",\n    ".join(json_module.dumps(_values(record)) for record in records)
        board = {"rows": layout.rows, "cols": layout.cols, "mines": layout.mines}
        head = json_module.dumps({**board, **variant_fields(layout.topology, rules.clues), "seed": seed})
        write([f'{{\n  {head[1:-1]},\n  "searches": [\n    {searches}\n  ]\n}}\n'], None)
        return
    lines = [fact_line("layout", f"{layout_summary(layout)}, {source}"), fact_line("seed", seed)]
    if not rules.clues.is_exact:
        lines.insert(1, fact_line("clues", str(rules.clues)))
    write([*lines, *(line for record in records for line in _lines(record))], None)


def identified_mines(record: Record) -> list[Cell]:
    """Mines that are flagged or opened at the end, in row-major order."""
    exploded = (move.cell for move in record.moves if move.exploded)
    return sorted(filter(record.layout.is_mine, record.flags.union(exploded)))


def _lines(record: Record) -> Iterator[str]:
    from satsweep.render.number_text import percent
    from satsweep.render.transcript import fact_line

    measures, layout = record.measures, record.layout
    yield f"\n{fact_line(record.agent, f'{record.outcome.value}: {record.outcome.why}')}"
    yield fact_line("time", f"{1000 * record.seconds:,.1f} ms")
    yield fact_line("opened", f"{measures.opened:,} of {counted(layout.rows * layout.cols, 'cell')}")
    yield fact_line("share", percent(measures.share_opened))
    yield fact_line("mines", " ".join(map(str, identified_mines(record))) or "none")


def _values(record: Record) -> dict[str, object]:
    measures = record.measures
    return {
        "agent": record.agent,
        "outcome": record.outcome.value,
        "seconds": record.seconds,
        "opened": measures.opened,
        "share_opened": float(measures.share_opened),
        "mines_opened": measures.mines_hit,
        "mines": identified_mines(record),
    }
