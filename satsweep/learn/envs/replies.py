r"""Replies of language models: grammars of their answers.

A reply may say anything, and the last answer in it counts. An answer stands by itself (``open 2 3``), or inside
``<answer>...</answer>`` or ``\boxed{...}``, or it is a JSON object (``{"open": [2, 3]}``). ``GRAMMARS`` has the
answers of each kind of task. A reply without an answer is a format error.

>>> GRAMMARS["game"].last(r"I thought of open 1 1. \boxed{open 2 3}")
Cell(row=2, col=3)
>>> GRAMMARS["game"].last("It is safe to open the corner.") is None
True
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

from satsweep.board import Cell


class Claims(NamedTuple):
    """Cells that a reply claims to be certainly safe, and certainly mines."""

    safe: frozenset[Cell]
    mines: frozenset[Cell]


class NamedReason(NamedTuple):
    """A claim about a cell, and the numbers named for it, the mine total among them."""

    cell: Cell
    mine: bool
    numbers: tuple[Cell, ...]
    total: bool


DONE: Literal["done"] = "done"
"""The answer of a player who stops."""
Answer: TypeAlias = Cell | Claims | Fraction | NamedReason | Literal["done"]
"""Content of a reply, by the kind of the task."""

MOST_READ = 50_000
"""Characters at the end of a reply in which its answer is looked for."""
MOST_OBJECTS = 100
"""JSON objects, from the end of a reply, of which one may be its answer."""

_CELL = r"\(?\s*+(\d{1,4})\s*+(?:,\s*+|(?<=\s))(\d{1,4})(?:\s*+\))?(?!\d|\.\d|[ \t,]++\d)"
_LIST = r"(none\b|[\d\s,()\[\]]*+)"
_ALONE = r"^[ \t]*+({})[ \t]*+\.?[ \t]*+$"
_OPEN = rf"\bopen\s++{_CELL}"
_NUMBER = r"(?:\d{1,30}\s*+/\s*+\d{1,30}|\d{1,30}(?:\.\d{1,30})?+\s*+%?)"
_WHY = (
    rf"\b(safe|mine)\s++{_CELL}\s*+because\s*+:?\s*+{_LIST}"
    r"((?:and\s++)?(?:the\s++)?(?:mine\s++)?total\b)?"
)  # fmt: skip
_WRAPPED = re.compile(
    r"<answer>((?:(?!<answer>).)*?)</answer>|\\boxed\s*+\{((?:[^{}]|\{[^{}]*+\})*+)\}", re.IGNORECASE | re.DOTALL
)
_LATEX_FRACTION = re.compile(r"\\[dt]?frac\s*+\{\s*+(\d{1,30})\s*+\}\s*+\{\s*+(\d{1,30})\s*+\}")
_LATEX_TEXT = re.compile(r"\\text\s*+\{([^{}]*+)\}")


@dataclass(frozen=True, slots=True)
class Grammar:
    """The answers to one kind of task: what they look like, and how they are read.

    ``pattern`` finds answers in running text, and ``of_match`` reads what it finds. ``bare`` is the pattern of shorter
    ones, read inside ``<answer>`` and ``\\boxed`` alone. ``of_json`` reads an object. All give None where there is no
    answer. ``form`` says to a reader how to answer.
    """

    form: str
    pattern: re.Pattern[str]
    of_match: Callable[[re.Match[str]], Answer | None]
    of_json: Callable[[dict[str, Any]], Answer | None]
    bare: re.Pattern[str] | None = None

    def last(self, reply: str) -> Answer | None:
        """Return the answer of a reply, that which ends last; None is a format error.

        Marks of Markdown are passed over, and so are fractions and words of LaTeX read.
        """
        text = _LATEX_TEXT.sub(r"\1", _LATEX_FRACTION.sub(r"\1/\2", re.sub("[*`]", "", reply[-MOST_READ:])))
        last, answer = -1, None
        for end, found in self._answers(text):
            if end > last:
                last, answer = end, found
        return answer

    def _answers(self, text: str) -> Iterator[tuple[int, Answer]]:
        """Answers of a text, the last one among them, each with the place where it ends."""
        for match in self.pattern.finditer(text):
            if (answer := self.of_match(match)) is not None:
                yield match.end(), answer
        for match in _WRAPPED.finditer(text) if self.bare is not None else ():
            inner = (match[1] if match[1] is not None else match[2]).strip()
            bare = self.bare.fullmatch(inner) if self.bare is not None else None
            if bare is not None and (answer := self.of_match(bare)) is not None:
                yield match.end(), answer
        for end, value in _objects_from_the_end(text):
            if (answer := self.of_json(value)) is not None:
                yield end, answer
                return


def _objects_from_the_end(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects of a text, that which begins last first."""
    reader = json.JSONDecoder(parse_float=str)
    start = len(text)
    for _ in range(MOST_OBJECTS):
        if (start := text.rfind("{", 0, start)) < 0:
            return
        try:
            value, end = reader.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield end, value


def _cells(text: str) -> tuple[Cell, ...] | None:
    """The cells of a list; None where a row has no column."""
    numbers = list(map(int, re.findall(r"\d{1,9}", text)))
    return None if len(numbers) % 2 else tuple(map(Cell, numbers[::2], numbers[1::2]))


def _cell_of(value: object) -> Cell | None:
    """The cell of a JSON value: two whole numbers that are not negative."""
    if not isinstance(value, list) or len(value) != 2 or not all(type(part) is int and part >= 0 for part in value):
        return None
    return Cell(*value)


def _cells_of(value: object) -> tuple[Cell, ...] | None:
    if value is None or value == "none":
        return ()
    found = [_cell_of(one) for one in value] if isinstance(value, list) else [None]
    return None if None in found else tuple(cell for cell in found if cell is not None)


def _opened(match: re.Match[str]) -> Answer | None:
    return Cell(int(match[1]), int(match[2])) if match[1] else DONE


def _opened_json(value: dict[str, Any]) -> Answer | None:
    return DONE if value.get("done") is True else _cell_of(value.get("open"))


def _claims(match: re.Match[str]) -> Answer | None:
    safe, mines = _cells(match[1] or ""), _cells(match[2] or "")
    return None if safe is None or mines is None else Claims(frozenset(safe), frozenset(mines))


def _claims_json(value: dict[str, Any]) -> Answer | None:
    safe, mines = _cells_of(value.get("safe")), _cells_of(value.get("mines"))
    if safe is None or mines is None or not {"safe", "mines"} & value.keys():
        return None
    return Claims(frozenset(safe), frozenset(mines))


def _fraction(text: str) -> Fraction | None:
    number = re.sub(r"\s", "", text)
    try:
        return Fraction(number[:-1]) / 100 if number.endswith("%") else Fraction(number)
    except ZeroDivisionError:
        return None


def _risk_json(value: dict[str, Any]) -> Answer | None:
    risk = str(value.get("risk"))
    return _fraction(risk) if re.fullmatch(_NUMBER, risk) else None


def _why(match: re.Match[str]) -> Answer | None:
    numbers, total = _cells(match[4]), match[5] is not None
    if numbers is None or not (numbers or total):
        return None
    return NamedReason(Cell(int(match[2]), int(match[3])), match[1].lower() == "mine", numbers, total)


def _why_json(value: dict[str, Any]) -> Answer | None:
    cell, numbers, total = _cell_of(value.get("cell")), _cells_of(value.get("numbers")), value.get("total", False)
    if cell is None or numbers is None or value.get("is") not in ("safe", "mine") or type(total) is not bool:
        return None
    return NamedReason(cell, value["is"] == "mine", numbers, total)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE | re.MULTILINE)


_HOW_TO_OPEN = "`open R C`, where R is the row and C the column of the cell"
GRAMMARS = {
    "deduce": Grammar(
        "`safe: (R,C) (R,C) ...; mines: (R,C) ...`, with the word `none` for an empty list, or `none` alone if no cell "
        "is certain",
        _pattern(rf"\bsafe\s*+:\s*+{_LIST}\s*+[;.]?\s*+mines\s*+:\s*+{_LIST}|{_ALONE.format('none')}"),
        _claims,
        _claims_json,
        _pattern("()()none"),
    ),
    "move": Grammar(_HOW_TO_OPEN, _pattern(_OPEN), _opened, lambda value: _cell_of(value.get("open")), _pattern(_CELL)),
    "game": Grammar(
        f"{_HOW_TO_OPEN}, or `done` to give up",
        _pattern(f"{_OPEN}|{_ALONE.format('done')}"),
        _opened,
        _opened_json,
        _pattern(f"{_CELL}|done"),
    ),
    "risk": Grammar(
        "`risk A/B`, an exact fraction",
        _pattern(rf"\brisk\s*+[:=]?\s*+({_NUMBER})(?!\d|/|\.\d)"),
        lambda match: _fraction(match[1]),
        _risk_json,
        _pattern(f"({_NUMBER})"),
    ),
    "why": Grammar(
        "`safe R C because (R,C) (R,C) ...` or `mine R C because (R,C) (R,C) ...`: the cell, then the cells of the "
        "numbers that force it, then `and total` if the mine total is needed as well",
        _pattern(_WHY),
        _why,
        _why_json,
    ),
}
"""The grammar of the answers to each kind of task."""
