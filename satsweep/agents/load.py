"""Loading of agents: by name, from files and modules, and from functions.

A name is one of the table, or the place of code: ``FILE.py``, ``FILE.py:FUNCTION``, ``MODULE:CLASS``, with
arguments of a constructor as ``FILE.py:Mine(depth=3)``. A file without a name has one agent (``agent_of_file``). The
forms that are taken are those of ``satsweep.agents.forms``, the boards that they are given those of
``satsweep.agents.views``.

A run knows its agents by their names, which go to other processes and into stores. A function of a notebook has no
name that another process could load, so it is pickled by value (``cloudpickle``), and its name is
``pickled:LABEL:BASE64``. Loading such a name runs its code, as loading a file does.
"""

import ast
import base64
import importlib
import importlib.util
import pickle
import re
import sys
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from satsweep.agents import AgentEntry, agent_named, entry_named
from satsweep.agents.calls import name_of, place_of_error
from satsweep.agents.engine import EngineProcess, is_command
from satsweep.agents.forms import has_form, is_object_or_class, maker_of
from satsweep.agents.no_screen import without_screen
from satsweep.agents.parameters import wants_no_board
from satsweep.agents.views import BoardView
from satsweep.arguments import short_repr
from satsweep.errors import AgentError, UnknownForm, unreadable
from satsweep.games.agent import Agent
from satsweep.games.rules import STANDARD_RULES, Rules
from satsweep.text import error_text

_T = TypeVar("_T")
_FILE = re.compile(r"(.*?\.py)(?::(.*))?", re.DOTALL)
_CALLED = re.compile(r"([^:=/\\(]+)=(.+)", re.DOTALL)
_CALL = re.compile(r"([\w.]+)\((.*)\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class LoadedAgent:
    """An agent ready to be made, once for each game.

    ``fresh`` makes one for a game; ``rules`` are those that it was made for. ``version`` is what it calls itself, None
    if it says nothing.
    """

    name: str
    fresh: Callable[[], Agent]
    rules: Rules = STANDARD_RULES
    version: str | None = None

    @property
    def label(self) -> str:
        return label_of(self.name)


def load_agent(agent: object, view: BoardView | None = None) -> LoadedAgent:
    """Load an agent from its name, or from an object of any form.

    A name is one of the table, ``path/to/file.py``, ``path/to/file.py:function``, ``module:function``, ``cmd:command``,
    or that of a pickled function. A class, or a function that makes an agent, is called anew for every game. Without a
    guess of its own cells are drawn uniformly, so that play goes on. Raises ValueError for an unknown name, AgentError
    for code that cannot be loaded, TypeError for an object that is not an agent.
    """
    if view not in (None, *typing.get_args(BoardView)):
        raise ValueError(f"expected a view among {', '.join(typing.get_args(BoardView))}, found {short_repr(view)}")
    if isinstance(agent, LoadedAgent):
        return agent
    if isinstance(agent, str):
        return _load_named(agent, view)
    return LoadedAgent(name_of(agent), maker_of(agent, view))


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

    label = name_of(agent)
    try:
        code = cloudpickle.dumps(agent)
    except Exception as error:
        raise TypeError(f"expected an agent that can be pickled, found {label}: {error_text(error)}") from None
    return f"{_PICKLED}{label}:{base64.b64encode(code).decode('ascii')}"


def called(agent: str) -> tuple[str, str]:
    """Return both parts of ``CALLED=NAME``; for a name, nothing and the name.

    >>> called("Mine=a/mine.py"), called("mine.py:Solver(depth=3)"), called("cmd:./engine --level=3")
    (('Mine', 'a/mine.py'), ('', 'mine.py:Solver(depth=3)'), ('', 'cmd:./engine --level=3'))
    """
    match = _CALLED.fullmatch(agent)
    return (match[1].strip(), match[2].strip()) if match else ("", agent)


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


def place_and_path(name: str) -> tuple[str, str]:
    """Return file or module of a name, and what follows the colon.

    >>> place_and_path("a/mine.py"), place_and_path("C:/mine.py:Mine(2)"), place_and_path("mine:deduce")
    (('a/mine.py', ''), ('C:/mine.py', 'Mine(2)'), ('mine', 'deduce'))
    """
    match = _FILE.fullmatch(name)
    if match is not None:
        return match[1], match[2] or ""
    place, _, path = name.partition(":")
    return place, path


def _load_named(name: str, view: BoardView | None) -> LoadedAgent:
    if name.startswith(_PICKLED):
        return replace(load_agent(unpickled(name), view), name=name)
    if is_command(name):
        engine = EngineProcess(name)
        return LoadedAgent(name, engine.fresh, version=engine.version)
    place, path = place_and_path(name)
    if place.endswith(".py"):
        return _load_file(name, Path(place), path, view)
    try:
        agent_named(name)
    except ValueError:
        module = _import_module(place) if ":" in name else None
        if module is None:
            raise
        return _load_object(name, _agent_in(module, path, place), view)
    entry = entry_named(name.partition(":")[0])
    if is_builtin(entry):
        return LoadedAgent(name, lambda: agent_named(name), rules=entry.rules)
    return LoadedAgent(name, lambda: maker_of(agent_named(name), None)(), rules=entry.rules)


def _load_file(name: str, file: Path, path: str, view: BoardView | None) -> LoadedAgent:
    """Load an agent from a file, whose plain values are as at first in each game.

    A function or a class may keep what it knows of a game there. A function that makes agents does that itself.
    """
    module = _run_file(file)
    as_at_first = _plain_values(module)
    agent = _agent_in(module, path, str(file))
    loaded = _load_object(name, agent, view)
    if isinstance(agent, FunctionType) and wants_no_board(agent):
        return loaded

    def fresh() -> Agent:
        for variable, (value, first) in as_at_first.items():
            _restore(value, first)
            setattr(module, variable, value)
        return loaded.fresh()

    return replace(loaded, fresh=fresh)


def _agent_in(module: ModuleType, path: str, place: str) -> object:
    return _find_attribute(module, path, place) if path else agent_of_file(module, place)


def _load_object(name: str, agent: object, view: BoardView | None) -> LoadedAgent:
    try:
        return replace(load_agent(agent, view), name=name)
    except UnknownForm as error:
        raise UnknownForm(f"{name}: {error}") from None
    except TypeError as error:
        raise AgentError(f"{name}: {error}") from None


def agent_of_file(module: ModuleType, place: str) -> object:
    """Return the one agent that a module has.

    It is an object or a class with an agent's methods, else a function with a usual name, else the only function that
    may be one. Raises AgentError for several, UnknownForm for none.
    """
    own = {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    }
    found = [name for name, value in own.items() if is_object_or_class(value)]
    objects = [name for name in found if not isinstance(own[name], type)]
    bases = {base for name in found if isinstance(own[name], type) for base in own[name].__mro__[1:]}
    found = objects or [name for name in found if own[name] not in bases]
    if not found:
        functions = [name for name, value in own.items() if not isinstance(value, type) and has_form(value)]
        found = [name for name in _USUAL if name in functions][:1] or functions
    if len(found) == 1:
        return own[found[0]]
    if found:
        names = " or ".join(f"{place}:{name}" for name in found)
        raise AgentError(f"{place}: expected one agent, found {len(found)}; name one: {names}")
    if not own:
        raise AgentError(f"{place}: expected an agent, found no function or class")
    return max(own.values(), key=lambda value: isinstance(value, type))


_USUAL = ("agent", "make_agent", "deduce", "solve", "solver", "next_move", "get_move", "choose_move", "policy", "ai")
"""Usual names of the function that is the agent, among others that help it."""


def _plain_values(module: ModuleType) -> dict[str, tuple[Any, Any]]:
    """Plain values of a module by name, each with a copy."""
    found = {}
    for name, value in vars(module).items():
        if isinstance(value, _PLAIN) and not name.startswith("__"):
            with suppress(Exception):  # some values cannot be copied, and stay as they are
                found[name] = value, deepcopy(value)
    return found


_PLAIN = (bool, int, float, str, tuple, list, set, dict, type(None))


def _restore(value: Any, first: Any) -> None:
    if isinstance(value, list | set | dict) and value != first:
        value.clear()
        (value.extend if isinstance(value, list) else value.update)(deepcopy(first))


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
    with importing_from(path.resolve().parent), without_screen():
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
        at = place_of_error(error)
        found = f"{type(error).__name__}{at and ' at ' + at}: {error_text(error)}"
        raise AgentError(f"{place}: expected code that runs, found {found}") from error
    finally:
        sys.dont_write_bytecode = before


def _find_attribute(module: ModuleType, path: str, place: str) -> object:
    """An agent by its name in a module, a class with the arguments after it."""
    call = _CALL.fullmatch(path)
    found: object = module
    for part in (call[1] if call else path).split("."):
        found = getattr(found, part, None)
    if not (callable(found) or is_object_or_class(found)):
        raise AgentError(f"{place}: expected a function {path!r} or an agent of that name, found none")
    if call is None:
        return found
    try:
        tree: Any = ast.parse(f"f({call[2]})", mode="eval").body
        given = [ast.literal_eval(argument) for argument in tree.args]
        named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in tree.keywords}
    except (SyntaxError, ValueError):
        raise AgentError(f"{place}: expected plain values as arguments, found {short_repr(call[2])}") from None
    return partial(typing.cast(Callable[..., object], found), *given, **named)
