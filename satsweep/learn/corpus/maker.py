"""Making of a corpus, table by table: resumable, and reproducible byte for byte.

Candidates are looked at in the order of their numbers. A form that stands in the table already is left out, and the
table ends with the wanted row, so it depends on nothing but the seed and the number of rows. Nothing that was written
is lost: a later run goes on behind the last candidate that is complete in the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count as numbers, islice
from pathlib import Path
from typing import TypeVar

from satsweep.arena.shared_work import SharedWork
from satsweep.arguments import check_seed, check_whole
from satsweep.errors import BoardError, BudgetExceeded, StoreError
from satsweep.formats.files import write_file
from satsweep.formats.strict import parse_json, quoted
from satsweep.learn.corpus.rows import rows_of
from satsweep.learn.corpus.tables import TABLES, Row, read, to_line
from satsweep.text import counted

MANIFEST = "corpus.json"
"""File that says which seed and which version made a folder."""
BATCH = 16
"""Candidates that a process makes in one go."""
MOST_BARREN = 200_000
"""Most candidates in a row that give no new row."""


def make(folder: Path | str, table: str, count: int, seed: int | str = 0, *, jobs: int | None = None) -> Iterator[Row]:
    """Make a table of ``count`` rows, and yield them, those of an earlier run first.

    ``jobs`` processes share the work, one for each core by default. Raises ValueError for a table that does not exist,
    StoreError for a folder of another seed or version and where nothing can be written, BudgetExceeded if no new row
    is found.
    """
    if table not in TABLES:
        raise ValueError(f"expected a table among {', '.join(TABLES)}, found {table!r}")
    check_whole(count, "count", least=0)
    check_seed(seed)
    path = Path(folder) / f"{table}.jsonl"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _check_manifest(path.parent, seed)
        kept = _kept(path, table, count)
        forms = {row["form"] for row in kept}
        yield from kept
        if len(forms) >= count:
            return
        first = candidate_of(kept[-1]) + 1 if kept else 0
        barren = 0
        with path.open("a", encoding="utf-8") as file:
            for _, rows in in_order(partial(rows_of, table, seed), numbers(first), jobs, batch=BATCH):
                new = [row for row in rows if row["form"] not in forms][: count - len(forms)]
                barren = 0 if new else barren + 1
                if barren > MOST_BARREN:
                    raise BudgetExceeded(f"no new row among {MOST_BARREN:,} candidates; {len(forms):,} were found")
                forms.update(row["form"] for row in new)
                file.write("".join(map(to_line, new)))
                file.flush()
                yield from new
                if len(forms) >= count:
                    return
    except OSError as error:
        raise StoreError(f"{path}: cannot keep rows: {error.strerror}") from None


def candidate_of(row: Row) -> int:
    """The number of the candidate that gave a row."""
    return int(row["id"].rpartition("-")[2].rstrip("abcdefghijklmnopqrstuvwxyz"))


def place_of(table: str, row: Row) -> tuple[int, str] | None:
    """The place of a row in its table: number of the candidate, and its letter.

    None if its id is not one of this table.
    """
    found = re.fullmatch(rf"{table}-(.+)-([0-9]{{1,18}})([a-z]*)", str(row.get("id")))
    return (int(found[2]), found[3]) if found else None


def is_made_here(folder: Path) -> bool:
    """Return whether this version of satsweep has made a folder."""
    path = folder / MANIFEST
    return path.exists() and _manifest(path).get("satsweep") == _version()


def _check_manifest(folder: Path, seed: int | str) -> None:
    path, now = folder / MANIFEST, {"seed": str(seed), "satsweep": _version()}
    if not path.exists():
        write_file(path, [json.dumps(now) + "\n"])
    elif (found := _manifest(path)) != now:
        raise StoreError(f"{path}: expected {json.dumps(now)}, found {quoted(found)}; use another folder")


def _version() -> str:
    from satsweep import __version__

    return __version__


def _manifest(path: Path) -> dict[str, object]:
    try:
        found = parse_json(path.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise StoreError(f"{path}: expected a JSON object, as `satsweep corpus make` writes it")
    return found


def _kept(path: Path, table: str, count: int) -> list[Row]:
    """The rows of a file, cut before the last candidate, which may be incomplete."""
    if not path.exists():
        return []
    whole = path.read_bytes()
    if not whole.endswith(b"\n"):
        write_file(path, [whole[: whole.rfind(b"\n") + 1]])
    rows = list[Row]()
    for line, row in read(path):
        if place_of(table, row) is None or not isinstance(row.get("form"), str):
            message = f"expected a row of {table} with its id and form, found {quoted(row.get('id'))}"
            raise BoardError(message, file=str(path), line=line)
        rows.append(row)
    if len(rows) > count:
        raise StoreError(f"{path}: expected at most {counted(count, 'row')}, found {len(rows):,}; use another folder")
    if rows and len(rows) < count:
        last = candidate_of(rows[-1])
        rows = [row for row in rows if candidate_of(row) != last]
        write_file(path, map(to_line, rows))
    return rows


_Item = TypeVar("_Item")
_Found = TypeVar("_Found")


def in_order(
    work: Callable[[_Item], _Found], items: Iterable[_Item], jobs: int | None, *, batch: int
) -> Iterator[tuple[_Item, _Found]]:
    """Yield items, in order, with what ``work`` makes of each; they need not end."""
    waiting, size = iter(items), 1 if jobs == 1 else batch
    batches = iter(lambda: tuple(islice(waiting, size)), ())
    with SharedWork(partial(_each, work), jobs, in_order=True) as shared:
        for some, found in shared.of(batches):
            yield from zip(some, found, strict=True)


def _each(work: Callable[[_Item], _Found], items: Sequence[_Item]) -> list[_Found]:
    return [work(item) for item in items]
