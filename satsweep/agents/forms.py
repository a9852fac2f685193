"""Forms of agents, as people write them, each taken as it is.

``FORMS`` is the table, and the guide prints it. A class of any of these forms, or a function that makes an object of
one, is taken, too, and called anew for each game. Parameters that a game fills have their values by name
(``satsweep.agents.parameters``): ``Mine(height, width)`` is made for the board that it plays on.
"""

from collections.abc import Callable
from copy import deepcopy
from difflib import SequenceMatcher
from functools import partial
from random import Random
from types import FunctionType
from typing import Any, NamedTuple

from satsweep.agents.answers import function_agent, object_agent
from satsweep.agents.calls import call_agent, name_of
from satsweep.agents.parameters import GAME_ARGUMENTS, filled, is_filled, required, values, wants_no_board
from satsweep.agents.taught import METHODS, taught_agent
from satsweep.agents.views import BoardView
from satsweep.arguments import short_repr
from satsweep.board import Board, Cell
from satsweep.errors import AgentError, UnknownForm
from satsweep.games.agent import Agent, Deduction, Guess
from satsweep.games.rules import Rules

MOVES = ("next_move", "get_move", "choose_move", "make_move", "select_move", "choose", "move", "act", "play", "solve")
"""Names of methods that are taken as a function of a board."""
_SAMPLE = Board(("#" * 9,) * 9, mines=10)
_NEAREST = 3


class Form(NamedTuple):
    """A form of agents, with an example.

    ``fits`` says whether an object that is no class is of the form, ``agent`` makes an agent of it for a game. A
    ``lasting`` one keeps nothing of a game itself.
    """

    title: str
    example: str
    fits: Callable[[Any], bool]
    agent: Callable[[Any, BoardView | None], Agent]
    lasting: bool = True


def maker_of(agent: Any, view: BoardView | None) -> Callable[[], Agent]:
    """Return a function that makes an agent for a game, of an object of any form.

    Raises UnknownForm for an object of none.
    """
    form = _form_of(agent)
    if form is None and _is_maker(agent):
        return _Maker(agent, view).fresh
    if form is None:
        raise UnknownForm(_refusal(agent))
    if form.lasting:
        return lambda: form.agent(agent, view)
    if not _unfilled(type(agent)):
        return _Maker(type(agent), view).fresh
    pristine = deepcopy(agent)
    return lambda: form.agent(deepcopy(pristine), view)


def has_form(agent: Any) -> bool:
    """Return whether a class, a function or an object looks like an agent."""
    if isinstance(agent, type):
        return any(callable(getattr(agent, name, None)) for name in _METHODS)
    return _form_of(agent) is not None or callable(agent) and _is_maker(agent)


def is_object_or_class(agent: Any) -> bool:
    """Return whether an object, or a class, has the methods of an agent."""
    return any(callable(getattr(agent, name, None)) for name in _METHODS)


def _form_of(agent: Any) -> Form | None:
    return None if _is_class(agent) else next((form for form in FORMS if form.fits(agent)), None)


# --- classes and functions that make agents


def _is_maker(agent: Any) -> bool:
    return _is_class(agent) or callable(agent) and wants_no_board(agent)


def _unfilled(make: Callable[..., Any]) -> list[str]:
    return [name for name in required(make) if not is_filled(name)]


class _Maker:
    """A class or a function that makes an agent for each game."""

    def __init__(self, make: Callable[..., object], view: BoardView | None) -> None:
        if missing := _unfilled(make):
            known, name = ", ".join(names[0] for names in GAME_ARGUMENTS.values()), name_of(make)
            raise UnknownForm(
                f"expected parameters that a game fills ({known}), found {', '.join(missing)} of {name}; "
                f"give values, as FILE.py:{name}({missing[0]}=1)"
            )
        self._make, self._view = make, view
        self._filled = filled(make)
        self._sample = self._made(_SAMPLE)

    def fresh(self) -> Agent:
        if not self._filled:
            return self._made(_SAMPLE)
        later, sample = _MadeLater(self._made), self._sample
        lie, rates = sample.lie and later.lie, sample.rates and later.rates
        return Agent(later.deduce, later.guess, begin=later.begin, lie=lie, rates=rates)

    def _made(self, board: Board, rng: Random | None = None) -> Agent:
        made = call_agent(self._make, **values(self._filled, board, rng or Random(0)))
        form = _form_of(made)
        if form is None:
            raise UnknownForm(_refusal(self._make if isinstance(self._make, type) else made))
        return form.agent(made, self._view)


class _MadeLater:
    """An agent that is made when it sees its first board, whose size it takes."""

    def __init__(self, make: Callable[[Board, Random | None], Agent]) -> None:
        self._make = make
        self._own: Agent | None = None
        self._begun: tuple[Rules, Random] | None = None

    def begin(self, rules: Rules, rng: Random) -> None:
        self._begun = rules, rng

    def deduce(self, board: Board) -> Deduction:
        return Deduction.of(self._for(board).deduce(board))

    def guess(self, board: Board, rng: Random) -> Guess | None:
        return Guess.of(self._for(board).guess(board, rng), board)

    def lie(self, cell: Cell, *, mine: bool) -> AgentError | None:
        return self._own.lie(cell, mine=mine) if self._own is not None and self._own.lie is not None else None

    def rates(self, board: Board) -> Any:
        own = self._for(board)
        return {} if own.rates is None else own.rates(board)

    def _for(self, board: Board) -> Agent:
        if self._own is None:
            self._own = self._make(board, self._begun and self._begun[1])
            if self._own.begin is not None and self._begun is not None:
                self._own.begin(*self._begun)
        return self._own


# --- the table


def _has(*names: str) -> Callable[[Any], bool]:
    return lambda agent: all(callable(getattr(agent, name, None)) for name in names)


def _move_of(agent: Any) -> Any:
    return next((method for name in MOVES if callable(method := getattr(agent, name, None))), None)


def _is_function_of_board(agent: Any) -> bool:
    return callable(agent) and not wants_no_board(agent) and all(map(is_filled, required(agent)[1:]))


def _is_policy(agent: Any) -> bool:
    return callable(agent) and 2 <= len(required(agent)) <= 3


def _policy(policy: Any, view: BoardView | None) -> Agent:
    """A policy is given an observation in any view."""
    from satsweep.agents.policy import policy_agent

    return policy_agent(policy)


_METHODS = ("deduce", METHODS[0], *MOVES)
_CLAIMS = """\
def deduce(board: list[list[int]]):
    safe, mines = set(), set()
    return safe, mines
"""
_CELL = """\
def next_move(board: list[list[int]]):
    cells = [(r, c) for r, row in enumerate(board) for c, shown in enumerate(row) if shown == -1]
    return cells[0]
"""
_BOTH = """\
def solve(board: list[list[int]], mines):
    safe, marked, cell = [], [], None
    return safe, marked, cell
"""
_POLICY = """\
def policy(observation, mask):
    # or (observation, mask, rng)
    return mask.argmax()
"""
_OBJECT = """\
class Mine:
    def deduce(self, board): return [], []
    def guess(self, board, rng): return rng.choice(board.covered)
"""
_MOVE = """\
class Mine:
    def __init__(self, height, width): self.size = height, width
    def next_move(self, board): return board.covered[0]
"""
_TAUGHT = """\
class MinesweeperAI:
    def __init__(self, height=8, width=8): self.mines, self.safes = set(), set()
    def add_knowledge(self, cell, count): ...
    def make_safe_move(self): ...
    def make_random_move(self): ...
"""
FORMS = (
    Form("an object or a class with `deduce`, and `guess` if it chooses itself", _OBJECT, _has("deduce"), object_agent),
    Form(
        "the class of CS50 AI, which is told each opened cell and its number",
        _TAUGHT,
        _has(*METHODS[:2]),
        lambda agent, view: taught_agent(agent),
        lasting=False,
    ),
    Form(
        "an object or a class with a function of a board: " + ", ".join(f"`{name}`" for name in MOVES),
        _MOVE,
        lambda agent: _move_of(agent) is not None,
        lambda agent, view: function_agent(_move_of(agent), view),
    ),
    Form(
        "a function of a board that returns the cells that must be safe, and the mines",
        _CLAIMS,
        _is_function_of_board,
        function_agent,
    ),
    Form("a function of a board that returns one cell to open", _CELL, _is_function_of_board, function_agent),
    Form(
        "a function of a board that returns safe cells, mines, and a cell to open where there is no safe one",
        _BOTH,
        _is_function_of_board,
        function_agent,
    ),
    Form(
        "a policy: a function of an observation and a mask that returns a row-major index", _POLICY, _is_policy, _policy
    ),
)
"""Every form; the first that fits is taken."""


def _refusal(agent: Any) -> str:
    """Words for an object that is no agent, and examples of the nearest forms."""
    is_function = isinstance(agent, FunctionType)
    has = required(agent) if is_function else [name for name in dir(agent) if not name.startswith("_")]
    found = f"the {'class' if isinstance(agent, type) else 'function'} {name_of(agent)}"
    if type(agent).__module__ == "builtins" and not is_function and not isinstance(agent, type):
        return f"expected an agent or a function of a board, found {short_repr(agent)}"
    if not is_function and not isinstance(agent, type):
        found = f"an object of {name_of(agent)}"
    if has:
        found += f" with the {'parameters' if is_function else 'names'} {', '.join(has[:8])}"

    def likeness(form: Form) -> float:
        words = [part.partition("(")[0] for part in form.example.split("def ")[1:]]
        alike = [SequenceMatcher(None, name, word).ratio() for name in (*has, name_of(agent)) for word in words]
        return max(alike) + 0.5 * (form.example.startswith("def") == is_function)

    nearest = sorted(FORMS, key=likeness, reverse=True)[:_NEAREST]
    examples = [f"\n{form.title}:\n{form.example.rstrip()}" for form in nearest]
    return "\n".join([f"expected an agent, found {found}; the nearest forms:", *examples])


def _is_class(agent: Any) -> bool:
    return isinstance(agent, type) or isinstance(agent, partial) and isinstance(agent.func, type)
