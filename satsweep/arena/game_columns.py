"""Columns of games: results of one setting as arrays, and packed as bytes.

A packed block is compressed: a header in JSON, then the bytes of each column of numbers, in as few bytes a number as
hold all of them, the lowest bytes of all numbers first. Most columns hold small numbers that are alike from game to
game, so an expert game of ``sat`` takes six bytes.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from satsweep.arena.result import COLUMNS, FAILED, Result, Role, fields_with
from satsweep.arguments import short_repr
from satsweep.formats.strict import parse_json
from satsweep.games.record import Outcome

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OUTCOMES = (FAILED, *(outcome.value for outcome in Outcome))
"""Outcomes of results; columns have their indices."""
INTEGERS = ("agent", "game", *fields_with(Role.COUNT))
_OPTIONAL_ROLES = (Role.CHAIN_COUNT, Role.EVALUATIONS, Role.STATED)
OPTIONAL = fields_with(*_OPTIONAL_ROLES)
NUMBERS = (*INTEGERS, *fields_with(Role.OUTCOME, Role.TIME))
_SIZES = {"|u1": 1, "<i2": 2, "<i4": 4, "<i8": 8, "<f8": 8}
"""Bytes of a number, by its type."""
_LEVEL = 1
"""Level of compression.

Higher ones take several times as long, and save less than a byte a game.
"""


class Difference(NamedTuple):
    """A game of an agent that came out in two ways: a field with its two values."""

    game: int
    agent: int
    name: str
    here: object
    there: object


@dataclass(frozen=True, slots=True, eq=False)
class GameColumns:
    """Results of one setting, by agent and game.

    ``arrays`` has integers for ``NUMBERS``, outcomes as indices into ``OUTCOMES``, seconds as floats; the columns that
    are ``OPTIONAL`` have objects, None where a value is missing. Messages and layouts of failed games are not here.
    """

    setting: int
    arrays: dict[str, NDArray[Any]]

    @classmethod
    def of(cls, setting: int, results: Iterable[Result]) -> GameColumns:
        """Columns of results of a setting, which come in any order."""
        import numpy as np

        names = ("outcome", *INTEGERS, *fields_with(Role.TIME), *OPTIONAL)
        rows = [[getattr(row, name) for name in names] for row in results]
        columns = dict(zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=True))
        columns["outcome"] = tuple(map(OUTCOMES.index, columns["outcome"]))
        arrays = {name: np.array(columns[name], _kind(name)) for name in (*NUMBERS, *OPTIONAL)}
        return cls(setting, arrays)._in_order()

    @classmethod
    def joined(cls, parts: Sequence[GameColumns]) -> GameColumns:
        """Games of several columns of a setting, none of them twice."""
        import numpy as np

        arrays = {name: np.concatenate([part.arrays[name] for part in parts]) for name in (*NUMBERS, *OPTIONAL)}
        return cls(parts[0].setting, arrays)._in_order()

    def _in_order(self) -> GameColumns:
        import numpy as np

        return self.chosen(np.lexsort((self.arrays["game"], self.arrays["agent"])))._checked()

    def _checked(self) -> GameColumns:
        """The same columns.

        Raises ValueError unless they are in order, each game of an agent once.
        """
        import numpy as np

        agents, games = (np.diff(self.arrays[name]) for name in ("agent", "game"))
        if not ((agents > 0) | (agents == 0) & (games > 0)).all():
            raise ValueError("expected each game of an agent once, in order")
        return self

    def __len__(self) -> int:
        return len(self.arrays["game"])

    def chosen(self, which: NDArray[Any] | slice) -> GameColumns:
        """The games that an index or a mask chooses."""
        return GameColumns(self.setting, {name: values[which] for name, values in self.arrays.items()})

    def between(self, first: int, stop: int) -> GameColumns:
        """The games with numbers from ``first`` on, below ``stop``."""
        games = self.arrays["game"]
        return self.chosen((games >= first) & (games < stop))

    def agents(self) -> dict[int, GameColumns]:
        """The games of each agent."""
        import numpy as np

        agents = self.arrays["agent"]
        starts = np.flatnonzero(np.diff(agents, prepend=-1)).tolist()
        ends = [*starts[1:], len(self)]
        return {int(agents[start]): self.chosen(slice(start, end)) for start, end in zip(starts, ends, strict=True)}

    def in_common(self, other: GameColumns) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Indices of the games that both have, of the same agent, here and there."""
        import numpy as np

        low = min((int(one.arrays["game"].min()) for one in (self, other) if len(one)), default=0)
        width = 1 + max((int(one.arrays["agent"].max()) for one in (self, other) if len(one)), default=0)
        here, there = ((one.arrays["game"] - low) * width + one.arrays["agent"] for one in (self, other))
        _, ours, theirs = np.intersect1d(here, there, assume_unique=True, return_indices=True)
        return ours, theirs

    def without(self, other: GameColumns) -> GameColumns:
        """The games that another has not, of the same agent."""
        import numpy as np

        return self.chosen(np.delete(np.arange(len(self)), self.in_common(other)[0]))

    def numbers_of_all(self, agents: Iterable[int]) -> NDArray[np.int64]:
        """Numbers of the games that all of some agents have, in order."""
        import numpy as np

        own = self.agents()
        numbers = [own[agent].arrays["game"] if agent in own else np.zeros(0, np.int64) for agent in agents]
        return reduce(np.intersect1d, numbers) if numbers else np.zeros(0, np.int64)

    def of_all(self, agents: Iterable[int]) -> GameColumns:
        """The games that all of some agents have."""
        import numpy as np

        return self.chosen(np.isin(self.arrays["game"], self.numbers_of_all(agents)))

    def first_difference(self, other: GameColumns) -> Difference | None:
        """The first game, by number and agent, that came out otherwise in other columns.

        Games that failed, here or there, and counts that one of them lacks have nothing to agree with.
        """
        import numpy as np

        ours, theirs = (one.chosen(rows).arrays for one, rows in zip((self, other), self.in_common(other), strict=True))
        is_played = (ours["outcome"] != OUTCOMES.index(FAILED)) & (theirs["outcome"] != OUTCOMES.index(FAILED))
        found: list[tuple[int, str]] = []
        for name in fields_with(Role.OUTCOME, Role.COUNT, *_OPTIONAL_ROLES):
            differ = is_played & (ours[name] != theirs[name])
            if name in OPTIONAL:
                differ &= _there(ours[name]) & _there(theirs[name])
            found += [(row, name) for row in np.flatnonzero(differ)[:1].tolist()]
        if not found:
            return None
        row, name = min(found, key=itemgetter(0))
        values = [OUTCOMES[one[name][row]] if name == "outcome" else one[name][row] for one in (ours, theirs)]
        return Difference(int(ours["game"][row]), int(ours["agent"][row]), name, *values)

    def results(self, failures: Mapping[tuple[Any, ...], Result] | None = None) -> list[Result]:
        """Results by game and agent.

        ``failures`` has the messages and layouts of failed games, by their keys.
        """
        import numpy as np

        columns = self.chosen(np.lexsort((self.arrays["agent"], self.arrays["game"]))).arrays
        lists = {name: values.tolist() for name, values in columns.items()}
        lists["outcome"] = [OUTCOMES[code] for code in lists["outcome"]]
        lists["setting"] = [self.setting] * len(self)
        lists |= {name: [None] * len(self) for name in fields_with(Role.FAILURE)}
        found = list(map(Result._make, zip(*(lists[name] for name in Result._fields), strict=True)))
        for at, result in enumerate(found if failures else ()):
            if result.failed and failures and (failure := failures.get(result[:3])):
                found[at] = result._replace(message=failure.message, layout=failure.layout)
        return found

    def pack(self, first: int) -> bytes:
        """The columns as bytes; games are counted from ``first``."""
        import numpy as np

        arrays = {name: self.arrays[name] for name in NUMBERS}
        arrays["game"] = np.diff(arrays["game"], prepend=first)
        narrow = {name: values.astype(_narrowest(values)) for name, values in arrays.items()}
        optional = {name: self.arrays[name].tolist() for name in OPTIONAL}
        header = {
            "games": len(self),
            "outcomes": OUTCOMES,
            "columns": {name: values.dtype.str for name, values in narrow.items()},
            "optional": {name: values for name, values in optional.items() if values.count(None) < len(values)},
        }
        text = json.dumps(header, separators=(",", ":")).encode()
        planes = [values.view(np.uint8).reshape(len(self), -1).T.tobytes() for values in narrow.values() if len(self)]
        return zlib.compress(b"".join([text, b"\n", *planes]), _LEVEL)

    @classmethod
    def unpack(cls, setting: int, first: int, packed: bytes) -> GameColumns:
        """Columns of bytes that ``pack`` has made.

        Raises ValueError for other bytes.
        """
        import numpy as np

        try:
            text, _, planes = zlib.decompress(packed).partition(b"\n")
            header = parse_json(text.decode())
            games, optional, at = int(header["games"]), header["optional"], 0
            arrays: dict[str, NDArray[Any]] = {}
            for name, kind in header["columns"].items():
                size = _SIZES[kind]
                own = np.frombuffer(planes, np.uint8, size * games, at).reshape(size, games)
                arrays[name] = np.ascontiguousarray(own.T).view(kind).ravel().astype(_kind(name))
                at += size * games
            codes = np.array([OUTCOMES.index(name) for name in header["outcomes"]], np.int64)
            arrays["outcome"] = codes[arrays["outcome"]]
            arrays["game"] = first + np.cumsum(arrays["game"])
            for name in OPTIONAL:
                arrays[name] = np.full(games, None, object)
                if name in optional:
                    arrays[name][:] = [_of_kind(value, COLUMNS[name].kind) for value in optional[name]]
            return cls(setting, {name: arrays[name] for name in (*NUMBERS, *OPTIONAL)})._checked()
        except (zlib.error, ValueError, TypeError, LookupError, AttributeError) as error:
            raise ValueError(f"expected packed games: {error}") from None


def _kind(name: str) -> str:
    return "f8" if name in fields_with(Role.TIME) else "O" if name in OPTIONAL else "i8"


def _there(values: NDArray[Any]) -> NDArray[np.bool_]:
    import numpy as np

    return np.array([value is not None for value in values.tolist()], bool)


def _narrowest(values: NDArray[Any]) -> str:
    """The type of the fewest bytes that holds all numbers."""
    import numpy as np

    if values.dtype.kind == "f":
        return "<f8"
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    return next(kind for kind in _SIZES if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max)


def _of_kind(value: Any, kind: type) -> Any:
    if value is not None and type(value) is not kind:
        raise ValueError(f"{short_repr(value, 40)} is no {kind.__name__}")
    return value
