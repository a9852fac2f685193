"""Agents from learned policies: functions from an observation to a cell.

``policy_agent`` makes an agent of a function from observation and mask to an action, so that it can play in the arena
against all others. An observation is a board as an array of small integers, a row of the array for a row of cells::

    0 to 35     open, with this number of mines around (more than 8 only where cells have more neighbours)
    -1          covered
    -2          open and no mine, but it shows nothing (``?``)
    -3          a known mine: opened, or flagged by an agent that deduces before the policy is called

Actions are row-major indices of cells, and a mask is 1 for those that can be opened.
"""

import inspect
from collections.abc import Callable
from operator import index
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satsweep.agents.calls import answers_of, call_agent
from satsweep.arguments import short_repr
from satsweep.board import COVERED, FLAG, HIDDEN, MINE, NUMBER_OF, Board, Cell
from satsweep.errors import AgentError
from satsweep.games.agent import Agent, Deduction, Guess

Observation = NDArray[np.int8]
Mask = NDArray[np.int8]
Policy = Callable[..., Any]
"""A function of observation and mask, and of the game's ``Random`` as a third."""

AS_COVERED, AS_HIDDEN, AS_MINE = -1, -2, -3

_CODES = np.full(128, AS_COVERED, dtype=np.int8)
for _symbol, _code in {**NUMBER_OF, HIDDEN: AS_HIDDEN, MINE: AS_MINE, FLAG: AS_MINE}.items():
    _CODES[ord(_symbol)] = _code


def observation_of(board: Board) -> Observation:
    """Return a board as an array of small integers.

    >>> observation_of(Board(("#1?", "*2F"))).tolist()
    [[-1, 1, -2], [-3, 2, -3]]
    """
    codes: Observation = _CODES[_symbols(board)]
    return codes.reshape(board.rows, board.cols)


def mask_of(board: Board) -> Mask:
    """Return 1 for each covered cell without a flag, in row-major order, else 0.

    >>> mask_of(Board(("#1?", "*2F"))).tolist()
    [1, 0, 0, 0, 0, 0]
    """
    covered: Mask = np.equal(_symbols(board), ord(COVERED)).astype(np.int8)
    return covered


def _symbols(board: Board) -> NDArray[np.uint8]:
    return np.frombuffer(board.symbols.encode("ascii"), dtype=np.uint8)


def policy_agent(policy: Policy, deduce: Callable[[Board], Deduction | tuple[object, object]] | None = None) -> Agent:
    """Make an agent that opens the cell chosen by a policy.

    A policy with three parameters also gets the random generator of the game. With ``deduce``, that of another agent,
    the policy is called only where this one claims nothing new. The agent gives up where no cell can be opened.

    >>> agent = policy_agent(lambda observation, mask: mask.argmax())
    >>> agent.guess(Board(("1##",)), Random(0)).cell
    Cell(row=0, col=1)
    """
    wants_rng = len(inspect.signature(policy).parameters) > 2

    def guess(board: Board, rng: Random) -> Guess | None:
        mask = mask_of(board)
        if not mask.any():
            return None
        action = call_agent(policy, observation_of(board), mask, *([rng] if wants_rng else []))
        with answers_of(policy):
            return Guess.of(Guess(_cell_of(action, board), "policy"), board)

    return Agent(deduce or (lambda board: Deduction()), guess)


def _cell_of(action: object, board: Board) -> Cell:
    """The cell of a row-major index."""
    try:
        place = index(action)  # type: ignore[arg-type]
    except TypeError:
        raise AgentError(f"expected the row-major index of a cell, found {short_repr(action)}") from None
    return board.cell(place)
