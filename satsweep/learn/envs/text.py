r"""Text for language models: boards, questions, grammars of replies, metrics.

Four forms show the same board: a ``grid`` with labels, ``coordinates``, ``constraints``, ``json``. Each names cells by
row and column, from 0 at the top left, and gives the mine total or says that it is unknown.

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
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

from satsweep.assessment.positions import Technique
from satsweep.board import MINE, Board, Cell
from satsweep.errors import BoardError
from satsweep.learn.envs.reward import MoveReward
from satsweep.solver.constraints import cell_constraints
from satsweep.topology import SQUARE

# Boards


SYMBOLS = "#012345678*"
"""Symbols of a covered cell, of the numbers 0 to 8, and of a known mine."""
SYMBOL_SETS = {"usual": SYMBOLS, "letters": "~abcdefghi!", "signs": ".$%&@+=<>^x"}
"""Symbols by name; other ones tell what a model reads from what it remembers."""


def symbols_named(name: str) -> str:
    """Return eleven symbols by the name of a set, or as they are.

    Raises ValueError unless they are different characters that can be printed, without blanks and ``?``.
    """
    symbols = SYMBOL_SETS.get(name, name)
    is_whole = len(symbols) == len(SYMBOLS) == len(set(symbols)) and symbols.isprintable()
    if not is_whole or {" ", "?"} & set(symbols):
        expected = f"{', '.join(SYMBOL_SETS)}, or eleven different characters such as {SYMBOLS}"
        raise ValueError(f"expected symbols among {expected}; found {name!r:.40}")
    return symbols


def observe(board: Board, form: str = "grid", symbols: str = SYMBOLS) -> str:
    """Return a board as text in one of the four forms.

    ``symbols`` are those of cells (``SYMBOLS``). Flags are opinions, and look like any covered cell. Raises ValueError
    for another form, BoardError for a board whose numbers may be wrong or whose grid is not of squares, since no form
    says so.

    >>> print(observe(Board(("##1.", "##21", "####"), mines=3), "constraints"))
    rows: 3, columns: 4, mines: 3
    the 1 at (0,2): (0,1)+(1,1)=1
    the 2 at (1,2): (0,1)+(1,1)+(2,1)+(2,2)+(2,3)=2
    the 1 at (1,3): (2,2)+(2,3)=1
    covered and beside no number: (0,0) (1,0) (2,0)
    """
    if form not in OBSERVATIONS:
        raise ValueError(f"expected an observation among {', '.join(OBSERVATIONS)}, found {form!r:.40}")
    if board.topology != SQUARE or not board.clues.is_exact:
        raise BoardError("expected a plain square board with exact numbers for a text, found another one")
    return OBSERVATIONS[form](board.without_flags(), symbols)


def total_text(board: Board) -> str:
    """The mine total of a board, or ``unknown``."""
    return "unknown" if board.mines is None else str(board.mines)


def cells_text(cells: Iterable[tuple[int, int]]) -> str:
    """Cells as (row,column), separated by blanks; ``none`` without any.

    >>> cells_text([(0, 1), (2, 3)]), cells_text([])
    ('(0,1) (2,3)', 'none')
    """
    return " ".join(f"({row},{col})" for row, col in cells) or "none"


def _size(board: Board) -> str:
    return f"rows: {board.rows}, columns: {board.cols}, mines: {total_text(board)}"


def _number(board: Board, cell: Cell, symbols: str) -> str:
    """The symbol of the number of an open cell."""
    number = board.number(cell)
    assert number is not None
    return symbols[number + 1]


def _grid(board: Board, symbols: str) -> str:
    """A grid with a label for each row and each column, all of one width."""
    across, margin = len(str(board.cols - 1)) + 1, len(str(board.rows - 1))
    lines = [_size(board), " " * margin + "".join(f"{col:>{across}}" for col in range(board.cols))]
    shown = str.maketrans(SYMBOLS, symbols)
    lines += [
        f"{row:>{margin}}" + "".join(f"{symbol:>{across}}" for symbol in line.replace(".", "0").translate(shown))
        for row, line in enumerate(board.cells)
    ]
    return "\n".join(lines)


def _coordinates(board: Board, symbols: str) -> str:
    lines, numbers = [_size(board)], [cell for cell in board if board.number(cell) is not None]
    lines += [f"({cell.row},{cell.col})={_number(board, cell, symbols)}" for cell in numbers]
    return "\n".join([*lines, *_mines(board), f"covered: {cells_text(board.covered)}"])


def _constraints(board: Board, symbols: str) -> str:
    """An equation for each number beside covered cells, less its known mines."""
    lines, beside = [_size(board)], set[int]()
    for clue, cells, likelihood in cell_constraints(board):
        if cells:
            beside.update(cells)
            number = f"the {_number(board, board.cell(clue), symbols)} at {cells_text([board.cell(clue)])}"
            terms = "+".join(cells_text([board.cell(index)]) for index in cells)
            lines.append(f"{number}: {terms}={len(likelihood) - 1}")
    sea = cells_text(cell for cell in board.covered if board.index(cell) not in beside)
    return "\n".join([*lines, *_mines(board), f"covered and beside no number: {sea}"])


def _mines(board: Board) -> list[str]:
    opened = [cell for cell in board if board[cell] == MINE]
    return [f"known mines: {cells_text(opened)}"] if opened else []


def _json(board: Board, symbols: str) -> str:
    numbers = [(cell, _number(board, cell, symbols)) for cell in board if board.number(cell) is not None]
    usual = symbols == SYMBOLS
    shown = [{"row": cell.row, "col": cell.col, "number": int(number) if usual else number} for cell, number in numbers]
    opened = [list(cell) for cell in board if board[cell] == MINE]
    fields = {"rows": board.rows, "cols": board.cols, "mines": board.mines if board.mines is not None else "unknown",
              "open": shown, **({"known_mines": opened} if opened else {}),
              "covered": [list(cell) for cell in board.covered]}  # fmt: skip
    return json.dumps(fields)


OBSERVATIONS: dict[str, Callable[[Board, str], str]] = {
    "grid": _grid,
    "coordinates": _coordinates,
    "constraints": _constraints,
    "json": _json,
}
"""The forms of a board in text, by their names."""

LEGENDS = {
    "grid": "# is a covered cell, a digit an open cell and the number of mines around it, * a known mine.",
    "coordinates": "(row,column)=number is an open cell and the number of mines around it.",
    "constraints": "An equation says how many of the covered cells around a number are mines.",
    "json": "`open` has the open cells, each with the number of mines around it.",
}
"""The sentence that explains each form to a reader."""


def legend(form: str, symbols: str = SYMBOLS) -> str:
    """The sentence that explains a form, and the symbols where they are not the usual.

    >>> legend("coordinates", SYMBOL_SETS["letters"]).partition(". ")[2]
    'The numbers of cells are written as symbols: a=0 b=1 c=2 d=3 e=4 f=5 g=6 h=7 i=8.'
    """
    if symbols == SYMBOLS:
        return LEGENDS[form]
    covered, numbers, mine = symbols[0], symbols[1:-1], symbols[-1]
    meaning = " ".join(f"{symbol}={number}" for number, symbol in enumerate(numbers))
    if form == "grid":
        return (
            f"{covered} is a covered cell, {mine} a known mine; any other symbol is an open cell and says how many "
            f"mines are around it: {meaning}."
        )
    return f"{LEGENDS[form]} The numbers of cells are written as symbols: {meaning}."


def question(board: Board, observation: str, kind: str, asked: str, symbols: str = SYMBOLS) -> str:
    """A prompt: the rules, the board, what is asked, and how to answer."""
    total = "The number of mines is unknown" if board.mines is None else f"There are {board.mines} mines on the board"
    return "\n".join((
        "This is a position of Minesweeper. A number counts the mines among the up to eight cells around it.",
        f"Rows and columns are counted from 0 at the top left. {legend(observation, symbols)}",
        f"{total}; all layouts that agree with this and with the numbers are equally likely.",
        "",
        observe(board, observation, symbols),
        "",
        asked,
        f"Answer with {GRAMMARS[kind].form}. The last answer in your reply counts.",
    ))  # fmt: skip


# Replies


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


# Scores

TECHNIQUES = {
    Technique.SINGLE: "single",
    Technique.PAIR: "pair",
    Technique.SEARCH: "several",
    Technique.TOTAL: "total",
}
"""Names of techniques in metrics, the easiest first."""
NOTHING = "nothing"
NEEDS = (*TECHNIQUES.values(), NOTHING)
"""Needs of a question: technique of the easiest safe cell, or nothing is certain."""
METRICS = (
    "reward", "win", "opened", "regret_risk", "regret_win", "forced_taken", "forced_missed",
    *(f"{technique}_{what}" for technique in TECHNIQUES.values() for what in ("found", "missed")),
    "guesses", "best_guesses", "wrong_claims", "format_errors", "illegal", "repeats", "turns",
    "prompt_characters", "completion_characters",
)  # fmt: skip
"""Names of all metrics. All but ``reward`` have weight 0 where a model learns."""


@dataclass(frozen=True, slots=True)
class Score:
    """Score of a reply or a game: the exact reward, every metric, a remark."""

    reward: Fraction
    metrics: Mapping[str, float]
    remark: str = ""


def all_metrics(reward: Fraction, found: Mapping[str, float]) -> dict[str, float]:
    """Every metric as a float, 0 where nothing was found."""
    return {name: float(found.get(name, 0)) for name in METRICS} | {"reward": float(reward)}


def move_metrics(found: MoveReward, cell: Cell, safe: Mapping[Cell, str]) -> dict[str, float]:
    """Metrics of a move that are not 0.

    ``safe`` has the safe cells before it and their techniques, the easiest first.
    """
    metrics = {"regret_risk": float(found.risk - found.least_risk)}
    if found.chosen is not None and found.possible is not None:
        metrics["regret_win"] = float(found.possible - found.chosen)
    if found.least_risk:
        return {**metrics, "guesses": 1, "best_guesses": float(found.value == 0)}
    if not found.risk:
        return {**metrics, "forced_taken": 1, f"{safe[cell]}_found": 1}
    return {**metrics, "forced_missed": 1, f"{next(iter(safe.values()))}_missed": 1}
