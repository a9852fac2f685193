"""The four tables of the corpus: columns, canonical forms, splits, and files.

A row is a JSON object. Boards and layouts are text, as everywhere in satsweep; fractions are text such as "1/3"; a
cell is ``[row, col]``. Rows that are mirror images or turns of one another count as the same: the *form* of a row is
a hash of the least text among its eight symmetries, no form stands twice in a table, and the split follows the form.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from satsweep.errors import BoardError, SatsweepError, needing, unreadable
from satsweep.formats.files import replacing
from satsweep.formats.strict import parse_json, quoted
from satsweep.text import printable

Row = dict[str, Any]

TEXT, NUMBER, TRUTH, CELL, CELLS, FRACTIONS, SETS = "text", "integer", "boolean", "cell", "cells", "fractions", "sets"
"""Types of columns.

A cell is ``[row, col]``, cells are a list of them, sets a list of these. Fractions are a text for each row of the
board, with a fraction or "-" for each cell.
"""
_COMMON = {
    "id": (TEXT, "table, seed, number of the candidate, and a letter if it gave several rows"),
    "split": (TEXT, "train (eight tenths), validation or test; decided by `form`"),
    "form": (TEXT, "hash of the canonical form under the eight symmetries"),
    "rows": (NUMBER, "rows of the board"),
    "cols": (NUMBER, "columns of the board"),
}
_BOARD = {
    "mines": (NUMBER, "mines on the whole board, null if it is not told"),
    "board": (TEXT, "what the player sees: `#` covered, `*` a known mine, `?` an open cell whose number is not told"),
}
_WORLDS = {
    "worlds": (TEXT, "number of layouts that agree with the board, in decimal"),
    "risks": (FRACTIONS, "probability of a mine for every covered cell"),
}


@dataclass(frozen=True, slots=True)
class CorpusTable:
    """A table: its columns, each with type and meaning, and what its rows are."""

    columns: Mapping[str, tuple[str, str]]
    meaning: str


TABLES = {
    "boards": CorpusTable(
        _COMMON
        | {
            "mines": (NUMBER, "mines on the board"),
            "start": (CELL, "first cell; it and all around it are safe"),
            "layout": (TEXT, "the mines: `*` a mine, `.` a safe cell"),
            "band": (TEXT, "weakest of the five provers that clears the board"),
            "bv": (NUMBER, "3BV: fewest clicks without flags"),
            "openings": (NUMBER, "areas of cells without mines around them"),
            "clicks": (NUMBER, "fewest clicks from the start, flags and chords included, proved; null above 100 cells"),
            "trace": (TEXT, "proof that no guess is needed, as `satsweep verify` reads it"),
        },
        "layouts that need no guess from a given start",
    ),
    "positions": CorpusTable(
        _COMMON
        | _BOARD
        | _WORLDS
        | {
            "safe": (CELLS, "cells that are certainly safe"),
            "mined": (CELLS, "covered cells that are certainly mines"),
            "band": (TEXT, "weakest prover that finds one of these, null if nothing is certain"),
        },
        "positions of games with the risk of every cell",
    ),
    "puzzles": CorpusTable(
        _COMMON
        | _BOARD
        | {
            "safe": (CELLS, "cells that are certainly safe"),
            "mined": (CELLS, "covered cells that are certainly mines"),
            "cell": (CELL, "the one to find: weaker provers find nothing, and with it all the others"),
            "mine": (TRUTH, "whether it is a mine"),
            "band": (TEXT, "weakest prover that finds it"),
            "pattern": (TEXT, "rule of the argument, such as 1-2-1"),
            "numbers": (NUMBER, "numbers in a smallest reason"),
            "sentence": (TEXT, "the argument in words"),
            "certificate": (TEXT, "proof, as `satsweep verify` reads it"),
        },
        "positions with one fact to be found",
    ),
    "guesses": CorpusTable(
        _COMMON
        | _BOARD
        | _WORLDS
        | {
            "wins": (FRACTIONS, "chance to win by best play after opening the cell first"),
            "win": (TEXT, "chance to win by best play"),
            "best": (CELLS, "cells with that chance"),
            "loss": (TEXT, "what the best cell of least risk loses against it"),
            "dead": (CELLS, "cells that tell nothing"),
            "unavoidable": (SETS, "sets of cells that no play can tell apart"),
        },
        "positions where nothing is certain, with the value of every cell",
    ),
}
"""All tables, by name."""


def canonical(lines: Sequence[str]) -> tuple[str, ...]:
    """The least of the eight images of a grid of symbols.

    >>> canonical(["#1", ".."]) == canonical(["..", "1#"]) == canonical([".#", ".1"])
    True
    """
    images = []
    for grid in (tuple(lines), tuple(map("".join, zip(*lines, strict=True)))):
        for flipped in (grid, grid[::-1]):
            images += [flipped, tuple(line[::-1] for line in flipped)]
    return min(images)


def form_of(row: Row) -> str:
    """The hash of the canonical form of a row; the start of a layout is part of it."""
    lines = row.get("board") or row["layout"]
    grid = lines.splitlines()
    if "start" in row:
        at, col = row["start"]
        grid[at] = f"{grid[at][:col]}S{grid[at][col + 1 :]}"
    text = "\n".join((str(row["mines"]), *canonical(grid)))
    return sha256(text.encode()).hexdigest()[:20]


def split_of(form: str) -> str:
    tenth = int(form[:8], 16) % 10
    return ("validation", "test")[tenth - 8] if tenth >= 8 else "train"


def to_line(row: Row) -> str:
    return json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n"


def row_of(line: str, file: Path | str, number: int) -> Row:
    """The JSON object in a line of a file; raises BoardError with its place."""
    try:
        row = parse_json(line)
    except BoardError as error:
        raise BoardError(error.message, file=str(file), line=number, column=error.column) from None
    if not isinstance(row, dict):
        raise BoardError(f"expected a JSON object, found {quoted(row)}", file=str(file), line=number)
    return row


def lines(path: Path | str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file, counted from 1; raises SatsweepError for no text."""
    try:
        with Path(path).open(encoding="utf-8") as file:
            yield from enumerate(file, 1)
    except OSError as error:
        raise SatsweepError(f"{path}: {unreadable(error)}") from None
    except UnicodeDecodeError:
        raise SatsweepError(f"{path}: expected text in UTF-8") from None


def read(path: Path | str) -> Iterator[tuple[int, Row]]:
    """Yield the line number and the row of each line; raises SatsweepError for others."""
    for number, line in lines(path):
        yield number, row_of(line, path, number)


def load(folder: Path | str, table: str, *, split: str | None = None) -> list[Row]:
    """Return the rows of a table in a folder, of one split or of all.

    Raises ValueError for a table that does not exist, SatsweepError for a file that cannot be read.
    """
    if table not in TABLES:
        raise ValueError(f"expected a table among {', '.join(TABLES)}, found {table!r}")
    rows = (row for _, row in read(Path(folder) / f"{table}.jsonl"))
    return [row for row in rows if split is None or row.get("split") == split]


def write_parquet(folder: Path, table: str) -> Path:
    """Write the Parquet twin of a table.

    Raises SatsweepError without pyarrow, and for a row with values of other types.
    """
    with needing("pyarrow", "Parquet needs pyarrow", "parquet", SatsweepError):
        import pyarrow
        import pyarrow.parquet
    cell = pyarrow.list_(pyarrow.int64())
    types = {
        TEXT: pyarrow.string(),
        NUMBER: pyarrow.int64(),
        TRUTH: pyarrow.bool_(),
        CELL: cell,
        CELLS: pyarrow.list_(cell),
        SETS: pyarrow.list_(pyarrow.list_(cell)),
        FRACTIONS: pyarrow.list_(pyarrow.string()),
    }
    schema = pyarrow.schema([(name, types[kind]) for name, (kind, _) in TABLES[table].columns.items()])
    try:
        rows = pyarrow.Table.from_pylist(load(folder, table), schema)
    except (pyarrow.ArrowException, TypeError, UnicodeEncodeError) as error:
        message = f"expected rows of the corpus: {printable(str(error).splitlines()[0])}"
        raise SatsweepError(f"{folder / table}.jsonl: {message}") from None
    path = folder / f"{table}.parquet"
    with replacing(path) as new:
        pyarrow.parquet.write_table(rows, new, compression="zstd")
    return path
