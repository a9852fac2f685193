"""Results for other programs: one row per game and agent, with what the setting was.

Rows come by setting, game and agent, whatever the order in which they were played, and without the time that they took
unless it is asked for: the same run gives the same bytes.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

from satsweep.compare.blocks import COUNTED, Result
from satsweep.compare.plan import Plan
from satsweep.errors import SatsweepError

Row = dict[str, Any]
_BATCH = 10_000
_WHERE = ("rows", "cols", "mines", "topology", "first", "start", "cascade", "fatal", "goal", "clues", "tells_total")


def rows(plan: Plan, results: Iterable[Result], *, seconds: bool = False) -> Iterator[Row]:
    """Results as flat rows, in the order in which they come."""
    settings = []
    for setting in plan.settings:
        described = setting.to_values()
        start = setting.rules.start
        described["start"] = None if start is None else str(start)
        settings.append({name: described[name] for name in _WHERE})
    for result in results:
        row: Row = {"setting": result.setting, **settings[result.setting]}
        row |= {"game": result.game, "agent": plan.agents[result.agent], "outcome": result.outcome}
        row |= {name: getattr(result, name) for name in COUNTED}
        if seconds:
            row["seconds"] = result.seconds
        row["message"] = result.message
        yield row


def columns(*, seconds: bool = False) -> list[str]:
    """The names of what a row has."""
    time = ["seconds"] if seconds else []
    return ["setting", *_WHERE, "game", "agent", "outcome", *COUNTED, *time, "message"]


def to_csv(found: Iterable[Row], names: Sequence[str]) -> Iterator[str]:
    """CSV, with a line of names first; what is not there is left empty, and truth is 1 or 0."""
    yield _csv([names])
    for batch in _batches(found):
        yield _csv([[int(cell) if isinstance(cell, bool) else cell for cell in row.values()] for row in batch])


def to_jsonl(found: Iterable[Row], names: Sequence[str]) -> Iterator[str]:
    """JSON, one object a line."""
    for batch in _batches(found):
        yield "".join(f"{json.dumps(row)}\n" for row in batch)


TEXT: dict[str, Callable[[Iterable[Row], Sequence[str]], Iterator[str]]] = {"csv": to_csv, "jsonl": to_jsonl}
"""The formats that are text."""


def write_parquet(found: Iterable[Row], names: Sequence[str], path: Path) -> None:
    """Write a Parquet file. Raises SatsweepError when pyarrow is not installed, OSError when it cannot be written."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise SatsweepError("Parquet needs pyarrow: pip install 'satsweep[parquet]'") from None
    kinds = {"agent": pyarrow.string(), "outcome": pyarrow.string(), "message": pyarrow.string()}
    kinds |= dict.fromkeys(("topology", "first", "start", "goal", "clues"), pyarrow.string())
    kinds |= dict.fromkeys(("cascade", "fatal", "tells_total"), pyarrow.bool_())
    kinds["seconds"] = pyarrow.float64()
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.int64())) for name in names])
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        for batch in _batches(found):
            writer.write_table(pyarrow.Table.from_pylist(batch, schema=schema))


def _csv(lines: Iterable[Iterable[object]]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def _batches(found: Iterable[Row]) -> Iterator[list[Row]]:
    source = iter(found)
    while batch := list(islice(source, _BATCH)):
        yield batch
