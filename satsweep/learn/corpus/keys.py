"""Audit of other people's answer keys: do they name exactly the cells that follow?

A data set of Minesweeper questions has a position and a key in each row: the cells that are said to be certain mines
(or certainly safe). The key is compared with all cells that are forced in the position as it is asked, by SAT:

===============  ==================================================================================================
right            the forced cells, and no others
incomplete       it lacks forced cells, so a reader who finds them all is marked wrong
wrong            it names cells that are not forced
ambiguous total  it is right if the mine total is known, which the question does not say
impossible       no layout agrees with the position
===============  ==================================================================================================

Rows are JSON objects. Those of known data sets are read as they are: Enigmata (``meta`` with ``question`` and
``answer``), SynLogic (``metadata`` with ``revealed_grid`` and ``current_mines``). In all others fields have names: a
board (text, rows of symbols or of integers), and a key (a list of cells, or text with pairs of numbers).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from satsweep.analysis.analyse import analyse
from satsweep.arguments import short_repr
from satsweep.board import COVERED, MINE, Board, Cell
from satsweep.errors import BoardError, Contradiction, SatsweepError, needing
from satsweep.generator.walkthrough import FORCED_BUDGET
from satsweep.learn.corpus.tables import Row, read
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
    """Report on keys: verdicts, sums of cells, and one example of each fault."""

    rows: int = 0
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
        return ["No layout agrees with the position."]
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
) -> Iterator[tuple[int, KeyedPosition]]:
    """Yield the line numbers and positions of a file, JSONL or Parquet.

    ``board``, ``key`` and ``mines`` are the names of fields, with dots for fields of fields; by default ``board`` and
    ``mined`` (or ``safe``), and no mine total. Raises SatsweepError for a row that cannot be read, with its place.
    """
    for line, row in _rows(path):
        try:
            yield line, _position(row, board, key, mines, safe)
        except BoardError as error:
            raise SatsweepError(f"{path}, line {line}: {error.message}") from None
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            raise SatsweepError(f"{path}, line {line}: expected a position with a key: {error}") from None


def _rows(path: Path | str) -> Iterable[tuple[int, Row]]:
    if Path(path).suffix != ".parquet":
        return read(path)
    with needing("pyarrow", "Parquet needs pyarrow", "parquet", SatsweepError):
        import pyarrow.parquet
    try:
        return enumerate(pyarrow.parquet.read_table(path).to_pylist(), 1)
    except (OSError, pyarrow.ArrowInvalid) as error:
        raise SatsweepError(f"{path}: {str(error).splitlines()[0]}") from None


def _position(row: Row, board: str | None, key: str | None, mines: str | None, safe: bool) -> KeyedPosition:
    if board is None and key is None:
        if (meta := _object(row, "meta")).get("question") is not None:
            return KeyedPosition(_board(meta["question"], None), _cells(meta["answer"]), safe)
        if (meta := _object(row, "metadata")).get("revealed_grid") is not None:
            layout = meta.get("full_grid")
            total = None if layout is None else sum(line.count("M") for line in layout)
            return KeyedPosition(_board(meta["revealed_grid"], None), _cells(meta["current_mines"]), safe, total)
    told = None if mines is None else int(_field(row, mines))
    found = _cells(_field(row, key or ("safe" if safe else "mined")))
    return KeyedPosition(_board(_field(row, board or "board"), told), found, safe)


def _object(row: Row, name: str) -> Mapping[str, Any]:
    """A field that is an object, or the JSON text of one."""
    value = row.get(name)
    found = json.loads(value) if isinstance(value, str) and value.startswith("{") else value
    return found if isinstance(found, Mapping) else {}


def _field(row: Row, name: str) -> Any:
    value: Any = row
    for part in name.split("."):
        if not isinstance(value, Mapping) or part not in value:
            raise ValueError(f"expected the field {name}, found {', '.join(map(str, row))}")
        value = value[part]
    return value


_SYMBOLS = {"x": COVERED, "-2": COVERED, "": COVERED, "0": ".", "-1": MINE, "m": MINE}
"""Symbols of other people's boards; an opened or flagged mine is a known mine."""


def _board(value: object, mines: int | None) -> Board:
    if isinstance(value, str):
        lines: Sequence[Any] = value.split("\n")
        return Board.from_text(value) if lines[0].startswith("mines") else _of_symbols(lines, mines)
    if isinstance(value, Sequence):
        return _of_symbols(value, mines)
    raise ValueError(f"expected a board, found {short_repr(value, 40)}")


def _of_symbols(lines: Sequence[Any], mines: int | None) -> Board:
    rows = [line.split() if isinstance(line, str) and " " in line.strip() else list(line) for line in lines if line]
    symbols = [[str(one).strip().lower() for one in row] for row in rows]
    return Board(["".join(_SYMBOLS.get(one, one) for one in row) for row in symbols], mines=mines)


def _cells(value: object) -> frozenset[Cell]:
    if isinstance(value, str):
        return frozenset(Cell(int(row), int(col)) for row, col in re.findall(r"(\d+)\s*,\s*(\d+)", value))
    assert isinstance(value, Iterable)
    return frozenset(Cell(int(row), int(col)) for row, col in value)
