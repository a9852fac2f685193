"""Calls of agents' functions, whose errors name a line of their own file."""

import inspect
import os
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from satsweep.errors import AgentError
from satsweep.text import error_text

_PACKAGE = str(Path(__file__).parents[1]) + os.sep
_NOT_THEIRS = (
    _PACKAGE,
    *(sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib", "purelib")),
    "<frozen",
)


def call_agent(function: Callable[..., Any], *arguments: object, **named: object) -> Any:
    """Call an agent's function; turn its exceptions into AgentError with their place."""
    try:
        return function(*arguments, **named)
    except AgentError:
        raise
    except (Exception, SystemExit) as error:
        place = place_of_error(error)
        at = f" at {place}" if place else ""
        raise AgentError(f"{name_of(function)} raised {type(error).__name__}{at}: {error_text(error)}") from error


@contextmanager
def answers_of(function: Callable[..., Any]) -> Iterator[None]:
    """Name the function, with its file and line, in an error about its answer."""
    try:
        yield
    except AgentError as error:
        raise AgentError(f"{error} ({name_of(function)}{_place_of(function)})") from error.__cause__


def name_of(agent: object) -> str:
    """Return the name of a function or a class, or that of an object's class.

    >>> name_of(print), name_of(3)
    ('print', 'int')
    """
    agent = agent.func if isinstance(agent, partial) else agent
    return getattr(agent, "__name__", None) or type(agent).__name__


def place_of_error(error: BaseException) -> str:
    """Return the innermost line of an agent's own file in a traceback, ``mine.py:12``."""
    frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)][1:]
    theirs = [frame for frame in frames if not is_not_theirs(frame[0])] or frames
    return f"{Path(theirs[-1][0]).name}:{theirs[-1][1]}" if theirs else ""


def is_not_theirs(file: str) -> bool:
    """Return whether a source file is of this package, of Python or installed."""
    return file.startswith(_NOT_THEIRS)


def _place_of(function: Callable[..., Any]) -> str:
    code = getattr(inspect.unwrap(function), "__code__", None)
    return "" if code is None else f" at {Path(code.co_filename).name}:{code.co_firstlineno}"
