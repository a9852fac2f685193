"""Views of a board: the forms in which an agent's function is given one.

A function need not use ``Board``: it may take the board as rows of integers, in lists or in a numpy array::

    -1              covered
    0 to 8          open, with this number of mines around
    9               a mine that is known, or flagged
    -2              open and not a mine, but it shows nothing (``?``)
    109 to 135      open, 9 to 35 mines around, where cells have more than 8 neighbours or numbers are too high

The argument ``view`` chooses, or else the annotation of the function's first parameter (``list[list[int]]``,
``np.ndarray``). Without either the code says it: who reads ``board.cells`` wants a ``Board``, ``board.shape`` an array,
and ``board[row][col]`` or ``for row in board`` rows. Where a function raises an error about the view that it is given,
it is called again with the next one.
"""

import ast
import inspect
import textwrap
import typing
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType, ModuleType
from typing import Any, Literal

from satsweep import board as board_module
from satsweep.agents.calls import call_agent
from satsweep.board import FLAG, INTEGER_OF_SYMBOL, Board
from satsweep.errors import AgentError
from satsweep.text import error_text

Rows = list[list[int]]
BoardView = Literal["board", "rows", "array"]
"""Form of a board for an agent: ``Board``, rows or array of integers."""

_INTEGERS = INTEGER_OF_SYMBOL | {FLAG: 9}
_ARRAY_NAMES = {"shape", "ndim", "dtype", "size", "flatten", "ravel", "nonzero", "astype"}
_BOARD_NAMES = {name for name in dir(Board) if not name.startswith("_")} | {"mines", "density", "topology", "clues"}


def rows_of(board: Board) -> Rows:
    """Return a board as rows of integers; a flag is a mine that the agent knows.

    >>> rows_of(Board(("#1.", "F2*")))
    [[-1, 1, 0], [9, 2, 9]]
    >>> rows_of(Board(("?9a", "###"), topology="square in 2 planes", clues="overestimate cap 10"))
    [[-2, 109, 110], [-1, -1, -1]]
    """
    return [[_INTEGERS[symbol] for symbol in row] for row in board.cells]


def array_of(board: Board) -> Any:
    """Return a board as a numpy array of the integers of ``rows_of``."""
    import numpy as np

    return np.array(rows_of(board), dtype=np.int16)


SHOWN: dict[BoardView, Callable[[Board], Any]] = {"board": lambda board: board, "rows": rows_of, "array": array_of}
"""A board in each view."""


class Viewer:
    """A function of an agent that is called with boards in the view that it takes."""

    def __init__(self, function: Callable[..., Any], view: BoardView | None) -> None:
        self.function = function
        self._views = [view] if view else views_of(function)

    def __call__(self, board: Board, *arguments: object, **named: object) -> Any:
        first: AgentError | None = None
        for view in self._views:
            try:
                answer = call_agent(self.function, SHOWN[view](board), *arguments, **named)
            except AgentError as error:
                first = first or error
                if not _is_about(view, error.__cause__):
                    break
            else:
                self._views = [view]
                return answer
        assert first is not None
        raise first


def _is_about(view: BoardView, error: BaseException | None) -> bool:
    """Return whether an error is one about the type of the board."""
    if not isinstance(error, AttributeError | TypeError | IndexError):
        return False
    name = {"board": "'Board'", "rows": "list", "array": "ndarray"}[view]
    frames = list(_files(error))
    return name in error_text(error) or bool(frames) and view == "board" and frames[-1] == board_module.__file__


def _files(error: BaseException) -> Iterator[str]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename
        trace = trace.tb_next


def views_of(function: Callable[..., Any]) -> list[BoardView]:
    """Return the views that a function may take, the likeliest first."""
    try:
        first = next(iter(inspect.signature(function, eval_str=True).parameters.values()))
    except Exception:  # no signature, or an annotation that cannot be evaluated
        return ["board"]
    if first.annotation not in (first.empty, Any, object):
        return [_annotated(first.annotation)]
    used = _Uses()
    used.scan(function, 0)
    if used.attributes & _BOARD_NAMES:
        return ["board", "rows", "array"]
    if used.attributes & _ARRAY_NAMES or used.numpy:
        return ["array", "rows", "board"]
    return ["rows", "array", "board"] if used.nested else ["board", "rows", "array"]


def _annotated(annotation: object) -> BoardView:
    origin = typing.get_origin(annotation) or annotation
    if getattr(origin, "__module__", "").partition(".")[0] == "numpy":
        return "array"
    return "rows" if isinstance(origin, type) and issubclass(origin, Sequence) else "board"


class _Uses:
    """Uses of a board in the code of the functions that it is passed to."""

    def __init__(self) -> None:
        self.attributes: set[str] = set()
        self.nested = False
        """True if it is read as rows: ``board[0][0]``, ``for row in board``."""
        self.numpy = False
        self._seen: set[tuple[object, int]] = set()

    def scan(self, function: Any, place: int) -> None:
        """Read a function whose parameter at a place, from 0, is the board."""
        owner = getattr(function, "__self__", None)
        function = inspect.unwrap(getattr(function, "__func__", function))
        if not isinstance(function, FunctionType) or (function, place) in self._seen:
            return
        self._seen.add((function, place))
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
        except (OSError, SyntaxError, TypeError):
            return
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        at = place + (owner is not None and not isinstance(owner, ModuleType))
        if at >= len(names):
            return
        boards = {names[at]}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and ast.unparse(node.value) in boards:
                boards.update(map(ast.unparse, node.targets))
        for node in ast.walk(tree):
            self._read(node, boards, function, owner)

    def _read(self, node: ast.AST, boards: set[str], function: FunctionType, owner: object) -> None:
        def is_board(value: ast.AST) -> bool:
            return isinstance(value, ast.Name | ast.Attribute) and ast.unparse(value) in boards

        if isinstance(node, ast.Attribute) and is_board(node.value):
            self.attributes.add(node.attr)
        elif isinstance(node, ast.Subscript):
            inner = node.value
            self.nested |= isinstance(inner, ast.Subscript) and is_board(inner.value)
            self.nested |= is_board(inner) and isinstance(node.slice, ast.Constant | ast.Slice)
        elif isinstance(node, ast.For | ast.comprehension):
            self.nested |= is_board(node.iter) and not (isinstance(node.target, ast.Tuple | ast.List))
        elif isinstance(node, ast.Compare):
            self.numpy |= is_board(node.left) and isinstance(node.comparators[0], ast.Constant | ast.UnaryOp)
        elif isinstance(node, ast.Call):
            for place, argument in enumerate(node.args):
                if is_board(argument):
                    called = ast.unparse(node.func)
                    self.nested |= called in ("len", "enumerate")
                    root, _, attribute = called.rpartition(".")
                    if root in ("np", "numpy"):
                        self.numpy = True
                    elif root == "self" and owner is not None:
                        self.scan(getattr(owner, attribute, None), place)
                    else:
                        self.scan(function.__globals__.get(called), place)
