"""Results: one row for each game of each agent, declared once, and sums over them.

The annotation of each field of ``Result`` says what the field is for. The columns of the store and of exports, and the
counts that are added up, follow from these annotations. The kernels import nothing of the package, so they keep a list
of their own (``satsweep.kernels.games.player.MEASURES``); tests compare it with what is here.

Sums are sufficient statistics of an agent, and of a pair of agents. Where each layout is played several times its
games are alike, so there are sums over the games of each layout, too. Everything but time is a sum of integers, so
neither the order in which games were played nor the number of workers matters.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

from satsweep.games.record import GameMeasures, Record

FAILED = "failed"
"""Outcome of a game that was not played to its end; others are in ``Outcome``."""
MAX_FAILURES_IN_A_ROW = 5
"""An agent that fails this many games of a setting in a row is out."""


class Role(Enum):
    """Purpose of a field of a result."""

    KEY = "key"
    """Identifies the game and the agent."""
    OUTCOME = "outcome"
    COUNT = "count"
    """Counted in every game, and added up."""
    CHAIN_COUNT = "chain count"
    """Counted on chains of influence, and added up.

    It is missing unless the plan asks for chains and the claims of the game name their clues.
    """
    EVALUATIONS = "evaluations"
    """Counted by the agent, and added up.

    It is missing unless the plan asks for it and the agent reports it.
    """
    STATED = "stated"
    """Probabilities that the agent stated; missing unless the plan asks for them."""
    TIME = "time"
    FAILURE = "failure"
    """Kept of failed games only, in a table of their own."""


class ResultColumn(NamedTuple):
    """Declaration of a field: its role, and the type of its values.

    Values that are ``optional`` may be missing.
    """

    role: Role
    kind: type
    optional: bool


Key = Annotated[int, Role.KEY]
Count = Annotated[int, Role.COUNT]
ChainCount = Annotated[int | None, Role.CHAIN_COUNT]


class Result(NamedTuple):
    """One game of one agent.

    ``setting`` and ``agent`` are indices into the plan; ``game`` counts within the setting. ``outcome`` is the value of
    an ``Outcome``, or ``FAILED``. ``right`` is the number of mines that are flagged rightly in the end, ``wrong`` that
    of the other flags; the other counts are those of ``GameMeasures``. ``chain``, ``reach`` and ``breadth`` are those
    of ``Influence``, and None where chains are not measured, as ``evaluations`` are where they are not counted.
    ``risks`` has the risks that the agent stated with its guesses, in order, in millionths, negative if the guess hit a
    mine; ``win_chances`` has the chances to win the game that it stated with them, likewise; both are None where
    calibration is not measured. ``seconds`` are processor time, negative where Python played a game
    that kernels play, too, so that no mean has both. ``message`` and ``layout`` describe a game that failed.
    """

    setting: Key
    game: Key
    agent: Key
    outcome: Annotated[str, Role.OUTCOME]
    won: Count = 0
    turns: Count = 0
    opened: Count = 0
    right: Count = 0
    wrong: Count = 0
    mines_hit: Count = 0
    guesses: Count = 0
    guesses_lost: Count = 0
    claims: Count = 0
    beyond_basic: Count = 0
    chain: ChainCount = None
    reach: ChainCount = None
    breadth: ChainCount = None
    evaluations: Annotated[int | None, Role.EVALUATIONS] = None
    risks: Annotated[str | None, Role.STATED] = None
    win_chances: Annotated[str | None, Role.STATED] = None
    seconds: Annotated[float, Role.TIME] = 0.0
    message: Annotated[str | None, Role.FAILURE] = None
    layout: Annotated[str | None, Role.FAILURE] = None

    @property
    def failed(self) -> bool:
        return self.outcome == FAILED


def _declared(hint: Any) -> ResultColumn:
    kind, *others = get_args(hint.__origin__) or (hint.__origin__,)
    return ResultColumn(hint.__metadata__[0], kind, bool(others))


COLUMNS = {name: _declared(hint) for name, hint in get_type_hints(Result, include_extras=True).items()}
"""The declaration of each field of ``Result``, in order."""


def fields_with(*roles: Role) -> tuple[str, ...]:
    """Names of the fields with one of the roles, in the order of the row."""
    return tuple(name for name, column in COLUMNS.items() if column.role in roles)


KEYS = fields_with(Role.KEY)
COUNTS = fields_with(Role.COUNT, Role.CHAIN_COUNT, Role.EVALUATIONS)
CHAIN_COUNTS = fields_with(Role.CHAIN_COUNT)
_TAKEN_OVER = tuple(measure.name for measure in fields(GameMeasures) if measure.name in fields_with(Role.COUNT))
"""Counts that a result takes over from the measures of the record."""


def counts_of(record: Record) -> dict[str, Any]:
    """The counts that are taken in every game, by their names in ``Result``."""
    measures = record.measures
    return {name: getattr(measures, name) for name in _TAKEN_OVER} | {
        "won": int(record.won),
        "right": measures.flagged - measures.wrong_flags,
        "wrong": measures.wrong_flags,
    }


def layout_and_play(game: int, plays: int) -> tuple[int, int]:
    """Number of the layout of a game, and number of its play on this layout.

    All plays of a layout come one after another. Each is the same for all agents: same layout, same random numbers.

    >>> [layout_and_play(game, 2) for game in range(5)]
    [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]
    """
    return divmod(game, plays)


class Dropouts:
    """Agents that play no more games of a setting, as too many in a row have failed.

    Nothing is estimated of them there. ``out`` has the first game of the failures in a row, by setting and agent.
    Failures come in any order.
    """

    def __init__(self, failures: Iterable[Result] = ()) -> None:
        self.out: dict[tuple[int, int], Result] = {}
        self._failed: dict[tuple[int, int], dict[int, Result]] = {}
        self.add(failures)

    def add(self, failures: Iterable[Result]) -> None:
        for failure in failures:
            key = failure.setting, failure.agent
            if key in self.out:
                continue
            failed = self._failed.setdefault(key, {})
            failed[failure.game] = failure
            first = end = failure.game
            while first - 1 in failed:
                first -= 1
            while end in failed:
                end += 1
            if end - first >= MAX_FAILURES_IN_A_ROW:
                self.out[key] = failed[first]
                del self._failed[key]


@dataclass(slots=True)
class LayoutSums:
    """Sums over the games of one agent on one layout; ``sums`` has each of ``COUNTS``."""

    games: int = 0
    finished: int = 0
    sums: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))


@dataclass(slots=True)
class AgentSums:
    """Sums over the games of one agent in one setting.

    ``sums`` and ``squares`` have, for each of ``COUNTS``, the sum and the sum of squares. A failed game counts as not
    won and takes no part in anything else. ``seconds`` is the time of the ``timed`` games: those that kernels played,
    or all of an agent that Python plays alone; ``python_seconds`` is the time of games that Python played in the place
    of kernels. ``chain_games`` is the number of games whose chains were measured, ``evaluated_games`` that of games
    whose evaluations were counted. ``layouts`` has the sums of each layout, in order, if layouts are played several
    times.
    """

    setting: int
    agent: int
    games: int = 0
    failed: int = 0
    seconds: float = 0.0
    timed: int = 0
    python_seconds: float = 0.0
    chain_games: int = 0
    evaluated_games: int = 0
    sums: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))
    squares: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS, 0))
    layouts: list[LayoutSums] = field(default_factory=list)

    @property
    def finished(self) -> int:
        return self.games - self.failed


@dataclass(slots=True)
class PairLayoutSums:
    """Sums over the games of two agents on one layout: differences second less first.

    ``more_won`` is over all ``games``, ``more_right`` over the ``finished`` ones.
    """

    games: int = 0
    more_won: int = 0
    finished: int = 0
    more_right: int = 0


@dataclass(slots=True)
class PairSums:
    """Sums over games that two agents played: discordant wins, and mines found.

    ``only_first`` and ``only_second`` count the games that only one of them won. ``more_right`` and
    ``more_right_squares`` are sums over the ``finished`` games, which neither of them failed: the mines that the second
    flagged rightly less those that the first did, and the squares of this difference. ``layouts`` has the sums of each
    layout, in order, if layouts are played several times.
    """

    setting: int
    first: int
    second: int
    games: int = 0
    only_first: int = 0
    only_second: int = 0
    finished: int = 0
    more_right: int = 0
    more_right_squares: int = 0
    layouts: list[PairLayoutSums] = field(default_factory=list)
