"""Command ``find-mines``: the mine search of Covre and Reddy (document 004).

The report has their measurements for each agent: time, cells opened, their share of the area, and the mines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.option_groups import RuleChanges
from satsweep.cli.output import BAD_INPUT, begin_kernels, check_readable, display_name, fail, write

if TYPE_CHECKING:
    from satsweep.board import Cell
    from satsweep.games.record import Record

MINE_SEARCH_AGENTS = ("ai0", "ai1")
"""Default agents: those of Covre and of Reddy."""


def find_mines(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE|-", help="A layout with a start: Georgia Tech JSON, or any format that holds layouts."
        ),
    ],
    agent: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            callback=options.agents_exist,
            autocompletion=options.agent_names,
            help="Agent that searches; may be given several times. Default: ai0 and ai1.",
        ),
    ] = None,
    start: options.Start = None,
    clues: options.Clues = None,
    seed: options.Seed = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Find every mine, and open as few cells as possible.

    Opening a mine costs no more than opening any other cell.

    Exit codes: 0 done, 2 usage, 3 bad input, 130 interrupted.
    """
    from satsweep.agents import agent_named
    from satsweep.cli.play import new_seed
    from satsweep.errors import AgentError, BoardError
    from satsweep.formats import read_layout
    from satsweep.games.deal import game_rng
    from satsweep.games.game import play
    from satsweep.games.rules import FIND_MINES_RULES
    from satsweep.render.transcript import fact_line, layout_summary
    from satsweep.render.variants import variant_fields

    check_readable(file, "a layout")
    rules = RuleChanges(start=start, clues=clues).applied_to(FIND_MINES_RULES)
    seed = new_seed() if seed is None else seed
    try:
        layout = read_layout(file)
        if layout.start is None and rules.start is None:
            fail(f"{display_name(file)}: expected a start, in the file or as --start", BAD_INPUT)
        names = agent or MINE_SEARCH_AGENTS
        begin_kernels(*names)
        records = [play(layout, agent_named(name), rules, game_rng(seed, 0), name=name) for name in names]
    except AgentError as error:
        fail(str(error), BAD_INPUT)
    except BoardError as error:
        fail(str(error) if error.file else f"{display_name(file)}: {error}", BAD_INPUT)
    if json:
        import json as json_module

        searches = ",\n    ".join(json_module.dumps(_values(record)) for record in records)
        board = {"rows": layout.rows, "cols": layout.cols, "mines": layout.mines}
        head = json_module.dumps({**board, **variant_fields(layout.topology, rules.clues), "seed": seed})
        write([f'{{\n  {head[1:-1]},\n  "searches": [\n    {searches}\n  ]\n}}\n'], None)
        return
    lines = [fact_line("layout", f"{layout_summary(layout)}, {display_name(file)}"), fact_line("seed", str(seed))]
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
    yield fact_line("opened", f"{measures.opened:,} of {layout.rows * layout.cols:,} cells")
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
