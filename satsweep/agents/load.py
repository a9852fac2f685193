"""Loading of agents: by name, from files and modules, and from functions.

A function ``board -> (safe, mines)`` is enough for an agent. How a function is taken depends on the number of its
parameters without a default (``FORMS``)::

    none        a factory: called anew for each game, it returns an agent or a function of a board
    1           board -> (safe, mines): claims
    2 or 3      observation, mask[, rng] -> the cell to open: a policy (``satsweep.agents.policy``)

A class is always a factory, and an object with ``deduce`` always an agent. A function need not use ``Board``: it may
take the board as plain rows of integers::

    -1              covered
    0 to 8          open, with this number of mines around
    9               a mine that is known, or flagged
    -2              open and not a mine, but it shows nothing (``?``)
    109 to 135      open, 9 to 35 mines around, where cells have more than 8 neighbours or numbers are too high

The argument ``view`` chooses between the two, or else the annotation of the function's first parameter (as
``list[list[int]]``, for rows); with neither it is a board. Claims may be any iterables of (row, column). Claims that
the board shows to be true already are dropped.

A run knows its agents by their names, which go to other processes and into stores. A function of a notebook has no
name that another process could load, so it is pickled by value (``cloudpickle``), and its name is
``pickled:LABEL:BASE64``. Loading such a name runs its code, as loading a file does.
"""

import base64
import importlib
import importlib.util
import inspect
import pickle
import sys
import typing
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Literal, TypeVar

from satsweep import board as board_module
from satsweep.agents import AgentEntry, agent_named, entry_named, random_agent
from satsweep.agents.engine import EngineProcess, is_command
from satsweep.arguments import short_repr
from satsweep.board import FLAG, INTEGER_OF_SYMBOL, Board
from satsweep.errors import AgentError, unreadable
from satsweep.games.agent import Agent, Deduction, Guess, risks_of
from satsweep.games.rules import STANDARD_RULES, Rules
from satsweep.text import error_text

_T = TypeVar("_T")
Rows = list[list[int]]
BoardView = Literal["board", "rows"]
"""Form in which an agent is given a board: a ``Board``, or rows of integers."""

_INTEGERS = INTEGER_OF_SYMBOL | {FLAG: 9}


def rows_of(board: Board) -> Rows:
    """Return a board as rows of integers; a flag is a mine that the agent knows.

    >>> rows_of(Board(("#1.", "F2*")))
    [[-1, 1, 0], [9, 2, 9]]
    >>> rows_of(Board(("?9a", "###"), topology="square in 2 planes", clues="overestimate cap 10"))
    [[-2, 109, 110], [-1, -1, -1]]
    """
    return [[_INTEGERS[symbol] for symbol in row] for row in board.cells]


@dataclass(frozen=True, slots=True)
class LoadedAgent:
    """An agent ready to be made, once for each game.

    ``fresh`` makes one for a game; ``guesses`` is False where it only deduces and its guesses are uniform draws;
    ``rules`` are those that it was made for. ``version`` is what it calls itself, None if it says nothing.
    """

    name: str
    fresh: Callable[[], Agent]
    guesses: bool = True
    rules: Rules = STANDARD_RULES
    version: str | None = None

    @property
    def label(self) -> str:
        return label_of(self.name)


def load_agent(agent: object, view: BoardView | None = None) -> LoadedAgent:
    """Load an agent from its name, an ``Agent``, a function, or a factory of these.

    A name is one of the table, ``module:function``, ``path/to/file.py:function``, ``cmd:command``, or that of a pickled
    function. A factory is a class, or a function that needs no argument; it is called anew for every game. Without a
    ``guess`` cells are drawn uniformly, so that play goes on. Raises ValueError for an unknown name, AgentError for
    code that cannot be loaded, TypeError for an object that is not an agent.
    """
    if view not in (None, *typing.get_args(BoardView)):
        raise ValueError(f"expected a view among board, rows, found {short_repr(view)}")
    if isinstance(agent, LoadedAgent):
        return agent
    if isinstance(agent, str):
        return _load_named(agent, view)
    return _form_of(agent)(agent, view)


def _form_of(agent: object) -> Callable[[Any, BoardView | None], LoadedAgent]:
    """Function that loads an agent of this form."""
    if isinstance(agent, type):
        return _load_factory
    if hasattr(agent, "deduce") or not callable(agent):
        return _load_agent
    return FORMS.get(_required_parameters(agent), _load_agent)


def _load_agent(agent: object, view: BoardView | None) -> LoadedAgent:
    _adapt(agent, view)
    return LoadedAgent(_name_of(agent), lambda: _adapt(agent, view), hasattr(agent, "guess"))


def _load_factory(make: Callable[[], object], view: BoardView | None) -> LoadedAgent:
    sample = make()
    _adapt(sample, view)
    return LoadedAgent(_name_of(make), lambda: _adapt(make(), view), hasattr(sample, "guess"))


def _load_policy(policy: Callable[..., Any], view: BoardView | None) -> LoadedAgent:
    """A policy is given an observation in any view."""
    from satsweep.agents.policy import policy_agent

    return LoadedAgent(_name_of(policy), lambda: _adapt(policy_agent(policy), "board"))


FORMS: dict[int, Callable[[Any, BoardView | None], LoadedAgent]] = {
    0: _load_factory,
    1: _load_agent,
    2: _load_policy,
    3: _load_policy,
}
"""How a function is loaded, by the number of its parameters without a default."""


_PICKLED = "pickled:"


def pickled(agent: object) -> str:
    """Return the name of a function or an agent, which has its code.

    Raises TypeError for an object that cannot be pickled.

    >>> def mine(board):
    ...     return [], []
    >>> label_of(pickled(mine)), unpickled(pickled(mine))(None)
    ('mine', ([], []))
    """
    import cloudpickle

    label = _name_of(agent)
    try:
        code = cloudpickle.dumps(agent)
    except Exception as error:
        raise TypeError(f"expected an agent that can be pickled, found {label}: {error_text(error)}") from None
    return f"{_PICKLED}{label}:{base64.b64encode(code).decode('ascii')}"


def label_of(name: str) -> str:
    """Return the part of an agent's name that people read: a pickled function's own."""
    return name.split(":")[1] if name.startswith(_PICKLED) else name


def unpickled(name: str) -> object:
    """Return the function of a name. Raises AgentError if its code cannot be loaded."""
    try:
        return pickle.loads(base64.b64decode(name.rpartition(":")[2], validate=True))
    except Exception as error:
        raise AgentError(f"{label_of(name)}: expected code that loads, found {error_text(error)}") from error


def is_builtin(entry: AgentEntry) -> bool:
    """Return whether an agent belongs to this package, so that it needs no adapting."""
    return entry.make.__module__.partition(".")[0] == __name__.partition(".")[0]


def _load_named(name: str, view: BoardView | None) -> LoadedAgent:
    if name.startswith(_PICKLED):
        return replace(load_agent(unpickled(name), view), name=name)
    if is_command(name):
        engine = EngineProcess(name)
        return LoadedAgent(name, engine.fresh, version=engine.version)
    place, _, path = name.rpartition(":")
    if place.endswith(".py"):
        module: ModuleType | None = _run_file(Path(place))
    else:
        try:
            agent_named(name)
        except ValueError:
            module = _import_module(place)
            if module is None:
                raise
        else:
            entry = entry_named(name.partition(":")[0])
            fresh = agent_named if is_builtin(entry) else lambda name: _adapt(agent_named(name), None)
            return LoadedAgent(name, lambda: fresh(name), rules=entry.rules)
    assert module is not None
    try:
        return replace(load_agent(_find_attribute(module, path, place), view), name=name)
    except TypeError as error:
        raise AgentError(f"{name}: {error}") from None


def _run_file(path: Path) -> ModuleType:
    """Run a file as ``python FILE`` would: it may import modules beside it."""
    try:
        path.open("rb").close()
    except (OSError, ValueError) as error:
        raise AgentError(f"{path}: {unreadable(error)}") from None
    name = f"satsweep_foreign_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    load = spec.loader.exec_module
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    with importing_from(path.resolve().parent):
        _run_code(lambda: load(module), path)
    return module


def _import_module(name: str) -> ModuleType | None:
    """Import a module, from the current directory, too; None if there is none."""
    with importing_from(Path.cwd()):
        try:
            if not name or importlib.util.find_spec(name) is None:
                return None
        except (ImportError, ValueError):
            return None
        return _run_code(lambda: importlib.import_module(name), name)


@contextmanager
def importing_from(directory: Path) -> Iterator[None]:
    sys.path.insert(0, str(directory))
    try:
        yield
    finally:
        sys.path.remove(str(directory))


def _run_code(code: Callable[[], _T], place: Path | str) -> _T:
    """Run code of others; compiled code is not left beside it."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        return code()
    except (Exception, SystemExit) as error:
        found = f"{type(error).__name__}: {error_text(error)}"
        raise AgentError(f"{place}: expected code that runs, found {found}") from error
    finally:
        sys.dont_write_bytecode = before


def _find_attribute(module: ModuleType, path: str, place: str) -> object:
    found: object = module
    for part in path.split("."):
        found = getattr(found, part, None)
    if not (callable(found) or hasattr(found, "deduce")):
        raise AgentError(f"{place}: expected a function {path!r} or an agent of that name, found none")
    return found


def _name_of(agent: object) -> str:
    return getattr(agent, "__name__", None) or type(agent).__name__


def _required_parameters(function: Callable[..., Any]) -> int:
    """Number of positional parameters without a default."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # some functions written in C have no signature
        return 1
    return sum(p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.KEYWORD_ONLY) for p in parameters)


def _adapt(agent: object, view: BoardView | None) -> Agent:
    deduce = getattr(agent, "deduce", agent)
    if not callable(deduce):
        raise TypeError(f"expected an agent or a function of a board, found {short_repr(agent)}")
    guess, begin, lie, rates = (getattr(agent, name, None) for name in ("guess", "begin", "lie", "rates"))
    show = _board_converter(deduce, view)

    def deduced(board: Board) -> Deduction:
        return Deduction.of(_call_agent(deduce, show(board)))

    def adapted_guess(guess: Callable[..., Any]) -> Callable[[Board, Random], Guess | None]:
        show = _board_converter(guess, view)
        return lambda board, rng: Guess.of(_call_agent(guess, show(board), rng), board)

    return Agent(
        deduced,
        random_agent.guess if guess is None else adapted_guess(guess),
        begin=begin and partial(_call_agent, begin),
        lie=lie and partial(_call_agent, lie),
        rates=rates and (lambda board: risks_of(_call_agent(rates, board), board)),
    )


def _call_agent(function: Callable[..., Any], *arguments: object, **named: object) -> Any:
    """Call an agent's function; turn its exceptions into AgentError with their place."""
    try:
        return function(*arguments, **named)
    except AgentError:
        raise
    except (Exception, SystemExit) as error:
        frame = error.__traceback__ and error.__traceback__.tb_next
        while frame is not None and frame.tb_next is not None:
            frame = frame.tb_next
        file = frame.tb_frame.f_code.co_filename if frame else ""
        place = f" at {Path(file).name}:{frame.tb_lineno}" if frame else ""
        said = error_text(error)
        if isinstance(error, AttributeError | TypeError) and ("'Board'" in said or file == board_module.__file__):
            said += " (it is given a Board; annotate its parameter as list[list[int]] to be given rows of integers)"
        raise AgentError(f"{_name_of(function)} raised {type(error).__name__}{place}: {said}") from error


def _board_converter(function: Callable[..., Any], view: BoardView | None) -> Callable[[Board], Any]:
    return rows_of if (view or _annotated_view(function)) == "rows" else lambda board: board


def _annotated_view(function: Callable[..., Any]) -> BoardView:
    try:
        first = next(iter(inspect.signature(function, eval_str=True).parameters.values())).annotation
    except Exception:  # no signature, or an annotation that cannot be evaluated
        return "board"
    origin = typing.get_origin(first) or first
    return "rows" if isinstance(origin, type) and issubclass(origin, Sequence) else "board"
