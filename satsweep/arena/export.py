"""Export: one flat row per game and agent, with its setting, for other programs.

Rows come by setting, game and agent, independent of the order of play, and without times unless they are requested:
the same run gives the same bytes. Where layouts are played several times, a row names the layout and the play.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from satsweep.arena.kernel_games import may_play
from satsweep.arena.plan import Plan
from satsweep.arena.result import COLUMNS, Result, Role, fields_with, layout_and_play
from satsweep.errors import SatsweepError, needing
from satsweep.formats.files import replacing
from satsweep.games.rules import RULES
from satsweep.text import csv_text

Row = dict[str, Any]
_BATCH = 10_000
_SETTING = ("rows", "cols", "mines", "topology", *RULES)
_PLAY = ("layout", "play")
_EXPORTED = fields_with(Role.OUTCOME, Role.COUNT, Role.CHAIN_COUNT, Role.EVALUATIONS, Role.STATED)


def rows(plan: Plan, results: Iterable[Result], *, seconds: bool = False) -> Iterator[Row]:
    settings = []
    for setting in plan.settings:
        described = {**setting.to_values(), **setting.rules.to_values(every=True)}
        start = setting.rules.start
        described["start"] = None if start is None else str(start)
        settings.append({name: described[name] for name in _SETTING})
    for result in results:
        row: Row = {"setting": result.setting, **settings[result.setting]}
        row["game"] = result.game
        if plan.plays > 1:
            row |= zip(_PLAY, layout_and_play(result.game, plan.plays), strict=True)
        row["agent"] = plan.agents[result.agent]
        row |= {name: getattr(result, name) for name in _EXPORTED}
        if seconds:
            row["seconds"] = abs(result.seconds)
            by_kernels = result.seconds > 0 and may_play(plan, result.setting, result.agent)
            row["played_by"] = None if result.failed else "kernels" if by_kernels else "Python"
        row["message"] = result.message
        yield row


def columns(*, seconds: bool = False, plays: int = 1) -> list[str]:
    """Names of the columns of a row, given the number of plays of a layout."""
    time = ["seconds", "played_by"] if seconds else []
    return ["setting", *_SETTING, "game", *(_PLAY if plays > 1 else ()), "agent", *_EXPORTED, *time, "message"]


def to_csv(found: Iterable[Row], names: Sequence[str]) -> Iterator[str]:
    """CSV with a header line; missing values are empty, truth values are 1 or 0."""
    yield csv_text(names)
    for batch in _batches(found):
        yield csv_text(*([int(cell) if isinstance(cell, bool) else cell for cell in row.values()] for row in batch))


def to_jsonl(found: Iterable[Row], names: Sequence[str]) -> Iterator[str]:
    for batch in _batches(found):
        yield "".join(f"{json.dumps(row)}\n" for row in batch)


TEXT: dict[str, Callable[[Iterable[Row], Sequence[str]], Iterator[str]]] = {"csv": to_csv, "jsonl": to_jsonl}
"""Text formats by name."""


def write_parquet(found: Iterable[Row], names: Sequence[str], path: Path) -> None:
    """Write a Parquet file.

    Raises SatsweepError when pyarrow is not installed, OSError when the file cannot be written.
    """
    with needing("pyarrow", "Parquet needs pyarrow", "parquet", SatsweepError):
        import pyarrow
        import pyarrow.parquet
    of_kind = {int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}
    types = {name: of_kind[column.kind] for name, column in COLUMNS.items()}
    types |= dict.fromkeys(("rows", "cols", "mines", *_PLAY), pyarrow.int64())
    types |= dict.fromkeys(("agent", "topology", "played_by"), pyarrow.string())
    types |= {name: pyarrow.bool_() if rule.kind is bool else pyarrow.string() for name, rule in RULES.items()}
    schema = pyarrow.schema([(name, types[name]) for name in names])
    with replacing(path) as new, pyarrow.parquet.ParquetWriter(new, schema) as writer:
        for batch in _batches(found):
            writer.write_table(pyarrow.Table.from_pylist(batch, schema=schema))


def _batches(found: Iterable[Row]) -> Iterator[list[Row]]:
    source = iter(found)
    while batch := list(islice(source, _BATCH)):
        yield batch
