"""Audit of other people's answer keys: do they name exactly the cells that follow?

A data set of Minesweeper questions has a position and a key in each row: the cells that are said to be certain mines
(or certainly safe). The key is compared with all cells that are forced in the position as it is asked, by SAT:

===============  ==================================================================================================
right            the forced cells, and no others
incomplete       it lacks forced cells, so a reader who finds them all is marked wrong
wrong            it names cells that are not forced
ambiguous total  it is right if the mine total is known, which the question does not say
impossible       no world agrees with the position
===============  ==================================================================================================

Rows are JSON objects. Those of known data sets are read as they are: Enigmata (``meta`` with ``question`` and
``answer``), SynLogic (``metadata`` with ``revealed_grid`` and ``current_mines``). In all others fields have names: a
board (text, rows of symbols or of integers), and a key (a list of cells, or text with pairs of numbers).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from satsweep.analysis.analyse import analyse
from satsweep.board import COVERED, MINE, Board, Cell
from satsweep.errors import BoardError, Contradiction, SatsweepError, needing
from satsweep.formats.strict import MOST_QUOTED, parse_json, quoted
from satsweep.generator.walkthrough import FORCED_BUDGET
from satsweep.learn.corpus.tables import Row, lines, row_of
from satsweep.text import check_total, printable
from satsweep.why.explainer import explain
from satsweep.why.sentences import argument_in_words
from satsweep.why.values import Explanation

KeyVerdict = Literal["right", "incomplete", "wrong", "ambiguous total", "impossible"]
VERDICTS: tuple[KeyVerdict, ...] = ("right", "incomplete", "wrong", "ambiguous total", "impossible")


@dataclass(frozen=True, slots=True)
class KeyedPosition:
    """A position with its key: certain mines, it says, or certainly ``safe`` cells.

    ``total`` is the mine total of the layout, where the row has it and the question does not say it.
    """

    board: Board
    key: frozenset[Cell]
    safe: bool = False
    total: int | None = None


@dataclass(frozen=True, slots=True)
class AuditedKey:
    """Verdict on a key, forced cells that it lacks, and cells that are not forced."""

    verdict: KeyVerdict
    missing: tuple[Cell, ...] = ()
    unfounded: tuple[Cell, ...] = ()


@dataclass(slots=True)
class KeyAudit:
    """Report on keys: verdicts, sums of cells, and one example of each fault.

    ``rows`` are those that were compared, ``refused`` those that could not be read.
    """

    rows: int = 0
    refused: int = 0
    verdicts: dict[KeyVerdict, int] = field(default_factory=lambda: dict.fromkeys(VERDICTS, 0))
    forced: int = 0
    missing: int = 0
    unfounded: int = 0
    examples: dict[KeyVerdict, tuple[int, KeyedPosition, AuditedKey]] = field(default_factory=dict)

    def add(self, line: int, position: KeyedPosition, found: AuditedKey) -> None:
        self.rows += 1
        self.verdicts[found.verdict] += 1
        self.missing += len(found.missing)
        self.unfounded += len(found.unfounded)
        self.forced += len(position.key) + len(found.missing) - len(found.unfounded)
        if found.verdict != "right":
            self.examples.setdefault(found.verdict, (line, position, found))


def audit_key(position: KeyedPosition) -> AuditedKey:
    """Compare a key with the forced cells.

    >>> board = Board(("###", "121"))
    >>> audit_key(KeyedPosition(board, frozenset({Cell(0, 0)})))
    AuditedKey(verdict='incomplete', missing=(Cell(row=0, col=2),), unfounded=())
    """
    try:
        forced = _forced(position.board, position.safe)
    except Contradiction:
        return AuditedKey("impossible")
    missing, unfounded = tuple(sorted(forced - position.key)), tuple(sorted(position.key - forced))
    if not missing and not unfounded:
        return AuditedKey("right")
    if position.board.mines is None and position.total is not None:
        with suppress(Contradiction):  # a total of another layout tells nothing
            told = Board(position.board.cells, mines=position.total)
            if _forced(told, position.safe) == position.key:
                return AuditedKey("ambiguous total", missing, unfounded)
    return AuditedKey("wrong" if unfounded else "incomplete", missing, unfounded)


def _forced(board: Board, safe: bool) -> frozenset[Cell]:
    found = analyse(board, budget=FORCED_BUDGET)
    return frozenset(found.safe if safe else found.mines)


def explained_example(position: KeyedPosition, found: AuditedKey) -> list[str]:
    """Say in words why one cell belongs into the key, or does not."""
    if found.missing:
        why = explain(position.board, found.missing[0])
        assert isinstance(why, Explanation)
        kind = "safe" if position.safe else "a mine"
        return [f"{found.missing[0]} is {kind}, and the key lacks it.", *argument_in_words(why).sentences]
    if not found.unfounded:
        return ["No world agrees with the position."]
    cell = found.unfounded[0]
    if cell not in position.board.covered:
        return [f"{cell} is in the key, but is no covered cell."]
    why = explain(position.board, cell)
    if isinstance(why, Explanation):
        return [f"{cell} is {'a mine' if why.mine else 'safe'}, and in the key.", *argument_in_words(why).sentences]
    said = "certainly safe" if position.safe else "certainly a mine"
    return [f"{cell} is in the key as {said}, and there are layouts in which it is, and others in which it is not."]


def keyed_rows(
    path: Path | str,
    *,
    board: str | None = None,
    key: str | None = None,
    mines: str | None = None,
    safe: bool = False,
    refused: Callable[[BoardError], None] | None = None,
) -> Iterator[tuple[int, KeyedPosition]]:
    """Yield the line numbers and positions of a file, JSONL or Parquet.

    ``board``, ``key`` and ``mines`` are the names of fields, with dots for fields of fields; by default ``board`` and
    ``mined`` (or ``safe``), and no mine total. A row that cannot be read is a BoardError with its file and line: it is
    raised, or given to ``refused``, and the next row follows. Raises SatsweepError for a file that cannot be read.
    """
    for line, read in _rows(path):
        try:
            position = _position(read(), board, key, mines, safe)
        except (ValueError, TypeError) as error:
            refusal = _refusal(error, path, line)
            if refused is None:
                raise refusal from None
            refused(refusal)
        else:
            yield line, position


def _refusal(error: Exception, path: Path | str, line: int) -> BoardError:
    """An error with the place of its row."""
    if isinstance(error, BoardError) and error.file:
        return error
    said = error.message if isinstance(error, BoardError) else str(error)
    return BoardError(f"expected a position with a key: {said}", file=str(path), line=line)


def _rows(path: Path | str) -> Iterator[tuple[int, Callable[[], Row]]]:
    """Yield the rows of a file, each as a function that reads it.

    A wrong row does not hide the next one.
    """
    if Path(path).suffix != ".parquet":
        for number, line in lines(path):
            yield number, partial(row_of, line, path, number)
        return
    with needing("pyarrow", "Parquet needs pyarrow", "parquet", SatsweepError):
        import pyarrow.parquet
    try:
        rows = pyarrow.parquet.read_table(path).to_pylist()
    except (OSError, pyarrow.ArrowException) as error:
        raise SatsweepError(f"{path}: {printable(str(error).splitlines()[0])}") from None
    for number, row in enumerate(rows, 1):
        yield number, partial(dict, row)


def _position(row: Row, board: str | None, key: str | None, mines: str | None, safe: bool) -> KeyedPosition:
    if board is None and key is None:
        if (meta := _object(row, "meta")).get("question") is not None:
            return KeyedPosition(_board(meta["question"], None), _cells(_field(meta, "answer")), safe)
        if (meta := _object(row, "metadata")).get("revealed_grid") is not None:
            shown, layout = _board(meta["revealed_grid"], None), meta.get("full_grid")
            total = None if layout is None else check_total(_mines_in(layout), shown.rows * shown.cols)
            return KeyedPosition(shown, _cells(_field(meta, "current_mines")), safe, total)
    told = None if mines is None else _whole(_field(row, mines))
    found = _cells(_field(row, key or ("safe" if safe else "mined")))
    return KeyedPosition(_board(_field(row, board or "board"), told), found, safe)


def _object(row: Row, name: str) -> Mapping[str, Any]:
    """A field that is an object, or the JSON text of one."""
    value = row.get(name)
    found = parse_json(value) if isinstance(value, str) and value.startswith("{") else value
    return found if isinstance(found, Mapping) else {}


def _mines_in(layout: object) -> int:
    """The number of mines in a layout of SynLogic, rows with M for a mine."""
    if not isinstance(layout, list) or not all(isinstance(row, str | list) for row in layout):
        raise ValueError(f"expected rows as full_grid, found {quoted(layout)}")
    return sum(row.count("M") for row in layout)


def _field(row: Mapping[str, Any], name: str) -> Any:
    value: Any = row
    for part in name.split("."):
        if not isinstance(value, Mapping) or part not in value:
            raise ValueError(f"expected the field {name}, found {printable(', '.join(map(str, row)))[:MOST_QUOTED]}")
        value = value[part]
    return value


_SYMBOLS = {"x": COVERED, "-2": COVERED, "": COVERED, "0": ".", "-1": MINE, "m": MINE}
"""Symbols of other people's boards; an opened or flagged mine is a known mine."""


def _board(value: object, mines: int | None) -> Board:
    if isinstance(value, str):
        lines: Sequence[Any] = value.split("\n")
        return Board.from_text(value) if lines[0].startswith("mines") else _of_symbols(lines, mines)
    if isinstance(value, list):
        return _of_symbols(value, mines)
    raise ValueError(f"expected a board, found {quoted(value)}")


def _of_symbols(lines: Sequence[Any], mines: int | None) -> Board:
    if wrong := [line for line in lines if not isinstance(line, str | list)]:
        raise ValueError(f"expected a row of the board, found {quoted(wrong[0])}")
    rows = [line.split() if isinstance(line, str) and " " in line.strip() else list(line) for line in lines if line]
    return Board(["".join(map(_symbol, row)) for row in rows], mines=mines)


def _symbol(value: object) -> str:
    written = str(value).strip().lower()
    symbol = _SYMBOLS.get(written, written)
    if len(symbol) != 1:
        raise ValueError(f"expected a cell of the board, found {quoted(value)}")
    return symbol


def _cells(value: object) -> frozenset[Cell]:
    if isinstance(value, str):
        return frozenset(Cell(int(row), int(col)) for row, col in re.findall(r"([0-9]+)\s*,\s*([0-9]+)", value))
    if not isinstance(value, list) or not all(isinstance(cell, list) and len(cell) == 2 for cell in value):
        raise ValueError(f"expected a list of cells as [row, col], found {quoted(value)}")
    return frozenset(Cell(_whole(row), _whole(col)) for row, col in value)


def _whole(value: object) -> int:
    """An integer that may be written as text, or as a number such as 3.0."""
    written = str(value).strip()
    if isinstance(value, bool) or not re.fullmatch(r"-?[0-9]{1,9}(\.0{1,9})?", written):
        raise ValueError(f"expected an integer, found {quoted(value)}")
    return int(written.partition(".")[0])
