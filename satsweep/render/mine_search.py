"""Mine searches of some agents on one layout, as text and JSON.

The measurements of each are those of Covre and Reddy: time, cells opened, their share of the area, and
the mines.
"""

from collections.abc import Iterator, Sequence
from json import dumps

from satsweep.board import Cell
from satsweep.games.record import Record
from satsweep.render.board_text import variant_fields
from satsweep.render.number_text import percent
from satsweep.render.transcript import fact_line, layout_summary
from satsweep.text import counted


def searches_to_text(records: Sequence[Record], source: str, seed: str) -> Iterator[str]:
    """Yield the layout, its source in words, the seed, and the facts of each search."""
    layout, clues = records[0].layout, records[0].rules.clues
    yield fact_line("layout", f"{layout_summary(layout)}, {source}")
    if not clues.is_exact:
        yield fact_line("clues", str(clues))
    yield fact_line("seed", seed)
    for record in records:
        yield f"\n{fact_line(record.agent, f'{record.outcome.value}: {record.outcome.why}')}"
        yield fact_line("time", f"{1000 * record.seconds:,.1f} ms")
        yield fact_line("opened", f"{record.measures.opened:,} of {counted(layout.rows * layout.cols, 'cell')}")
        yield fact_line("share", percent(record.measures.share_opened))
        yield fact_line("mines", " ".join(map(str, _identified_mines(record))) or "none")


def searches_to_json(records: Sequence[Record], seed: str) -> str:
    """Return the same as JSON, a line for each search."""
    layout = records[0].layout
    board = {"rows": layout.rows, "cols": layout.cols, "mines": layout.mines}
    head = dumps({**board, **variant_fields(layout.topology, records[0].rules.clues), "seed": seed})
    searches = ",\n    ".join(dumps(_search_values(record)) for record in records)
    return f'{{\n  {head[1:-1]},\n  "searches": [\n    {searches}\n  ]\n}}\n'


def _search_values(record: Record) -> dict[str, object]:
    measures = record.measures
    return {
        "agent": record.agent,
        "outcome": record.outcome.value,
        "seconds": record.seconds,
        "opened": measures.opened,
        "share_opened": float(measures.share_opened),
        "mines_opened": measures.mines_hit,
        "mines": _identified_mines(record),
    }


def _identified_mines(record: Record) -> list[Cell]:
    """Mines that are flagged or opened at the end, in row-major order."""
    exploded = (move.cell for move in record.moves if move.exploded)
    return sorted(filter(record.layout.is_mine, record.flags.union(exploded)))
