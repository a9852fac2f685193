"""Parameters that a game fills: size of the board, its mines, random numbers."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

from satsweep.board import Board

GAME_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "height": ("height", "rows", "num_rows", "n_rows", "nrows"),
    "width": ("width", "cols", "columns", "num_cols", "n_cols", "ncols"),
    "size": ("size", "dim", "dimension", "n", "d", "board_size"),
    "mines": ("mines", "num_mines", "n_mines", "total_mines", "mine_count", "number_of_mines", "bombs", "num_bombs"),
    "rng": ("rng",),
}
"""Names of parameters by what a game fills in; ``size`` is the side of a square."""
_ARGUMENT = {name: argument for argument, names in GAME_ARGUMENTS.items() for name in names}
_EVEN_WITH_DEFAULT = ("height", "width", "mines")


def required(function: Callable[..., Any]) -> list[str]:
    """Return the names of the positional parameters without a default.

    >>> required(lambda board, more=1: 0)
    ['board']
    """
    return [one.name for one in _parameters(function) if one.default is one.empty and one.kind != one.KEYWORD_ONLY]


def takes(function: Callable[..., Any]) -> int:
    """Return the number of arguments that a function takes by their places, at most.

    >>> takes(lambda board, more=1: 0)
    2
    """
    return sum(one.kind != one.KEYWORD_ONLY for one in _parameters(function))


def is_filled(name: str) -> bool:
    """Return whether a game fills a parameter of this name."""
    return name in _ARGUMENT


def wants_no_board(function: Callable[..., Any]) -> bool:
    """Return whether a game fills all parameters, the size of the board among them.

    >>> wants_no_board(lambda: 0), wants_no_board(lambda rows, cols: 0), wants_no_board(lambda rows: 0)
    (True, True, False)
    """
    found = [_ARGUMENT.get(name) for name in required(function)]
    return not found or None not in found and ("size" in found or {"height", "width"}.issubset(found))


def filled(function: Callable[..., Any], *, but_first: bool = False) -> list[str]:
    """Return the names of the parameters that a game fills.

    Sizes and mines are filled even where they have a default, which is that of some other board.

    >>> filled(lambda height=8, width=8, depth=3: 0)
    ['height', 'width']
    """
    return [
        one.name
        for one in _parameters(function)[but_first:]
        if is_filled(one.name) and (one.default is one.empty or _ARGUMENT[one.name] in _EVEN_WITH_DEFAULT)
    ]


def values(names: Iterable[str], board: Board, rng: Random) -> dict[str, Any]:
    """Return what a game fills in for these parameters, by name."""
    known = {"height": board.rows, "width": board.cols, "size": board.rows, "mines": board.mines, "rng": rng}
    return {name: known[_ARGUMENT[name]] for name in names}


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        found = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):  # some functions written in C have no signature
        return [inspect.Parameter("board", inspect.Parameter.POSITIONAL_ONLY)]
    return [one for one in found if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
