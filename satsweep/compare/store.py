"""Results that last: a SQLite file, one row per game and agent, one transaction per block of games.

In WAL mode a transaction is there or not whatever happens to the process, and others may read at the same time. A run
is known by the identity of its plan. The versions of what played it are kept beside it: they decide results, too, so a
run that was begun with others is not continued.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from satsweep.compare.blocks import COUNTED, FAILED, TRACED, Result
from satsweep.compare.plan import Plan
from satsweep.compare.sums import AgentSums, PairSums
from satsweep.errors import StoreError

_APPLICATION, _VERSION = 0x53575052, 1
_PLACE = ("setting", "game", "agent")
_COLUMNS = (*_PLACE, "outcome", *COUNTED, "seconds")
_AGAIN = "ON CONFLICT (run, setting, game, agent) DO NOTHING"
_TABLES = f"""
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    versions TEXT NOT NULL,
    begun TEXT NOT NULL
);
CREATE TABLE games (
    run INTEGER NOT NULL REFERENCES runs,
    setting INTEGER NOT NULL,
    game INTEGER NOT NULL,
    agent INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    {", ".join(f"{name} INTEGER{'' if name in TRACED else ' NOT NULL'}" for name in COUNTED)},
    seconds REAL NOT NULL,
    PRIMARY KEY (run, setting, game, agent)
) WITHOUT ROWID;
CREATE TABLE failures (
    run INTEGER NOT NULL REFERENCES runs,
    setting INTEGER NOT NULL,
    game INTEGER NOT NULL,
    agent INTEGER NOT NULL,
    message TEXT NOT NULL,
    layout TEXT,
    PRIMARY KEY (run, setting, game, agent)
) WITHOUT ROWID;
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_VERSION};
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """A run that a store holds."""

    number: int
    plan: Plan
    versions: Mapping[str, str]
    begun: str
    games: int
    """Games of single agents."""


class Store:
    """A file of results, made if there is none; in memory without a path. Use it as a context, or ``close`` it.

    Raises StoreError when the file is not one of ours, or cannot be read or written.
    """

    def __init__(self, path: str | Path | None = None, *, writing: bool = True) -> None:
        self.path = path
        with self._naming():
            self._db = _connected(path, writing=writing)
            try:
                self._check(writing=writing)
            except BaseException:
                self._db.close()
                raise

    def _check(self, *, writing: bool) -> None:
        empty = self._one("SELECT count(*) FROM sqlite_master") == 0
        if not (empty and writing):
            if self._one("PRAGMA application_id") != _APPLICATION:
                raise StoreError(f"{self._name}: expected a store of results, found something else")
            if self._one("PRAGMA user_version") != _VERSION:
                raise StoreError(f"{self._name}: expected a store of version {_VERSION}, found another")
        if writing:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            if empty:
                self._db.executescript(f"BEGIN IMMEDIATE;{_TABLES}COMMIT;")

    @property
    def _name(self) -> str:
        return "<memory>" if self.path is None else str(self.path)

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self._name}: {error}") from None

    def _one(self, query: str, *values: object) -> int:
        found: int = self._db.execute(query, values).fetchone()[0]
        return found

    def close(self) -> None:
        """Let go of the file, which is complete by itself then."""
        with self._naming():
            self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        try:
            self.close()
        except StoreError:
            if error is None:
                raise

    def runs(self) -> list[Kept]:
        """The runs that are kept, in the order in which they were begun."""
        with self._naming():
            counted = dict(self._db.execute("SELECT run, count(*) FROM games GROUP BY run"))
            rows = self._db.execute("SELECT run, plan, versions, begun FROM runs ORDER BY run").fetchall()
        return [
            Kept(run, Plan.of(plan), json.loads(versions), begun, counted.get(run, 0))
            for run, plan, versions, begun in rows
        ]

    def begin(self, plan: Plan, versions: Mapping[str, str]) -> Run:
        """The run of a plan: a new one, or the one that is there, to be continued.

        Raises StoreError when that one was played by other versions.
        """
        identity, played_by = plan.identity, json.dumps(versions, sort_keys=True)
        with self._naming(), self._db:
            found = self._db.execute("SELECT run, versions FROM runs WHERE identity = ?", (identity,)).fetchone()
            if found is None:
                begun = datetime.now(UTC).isoformat(timespec="seconds")
                added = self._db.execute(
                    "INSERT INTO runs (identity, plan, versions, begun) VALUES (?, ?, ?, ?)",
                    (identity, plan.described(), played_by, begun),
                )
                return Run(self, added.lastrowid or 0, len(plan.agents))
        run, before = found
        if before != played_by:
            then, now = json.loads(before), dict(versions)
            changed = ", ".join(
                f"{name} {then.get(name, 'none')}, found {now.get(name, 'none')}"
                for name in dict.fromkeys([*then, *now])
                if then.get(name) != now.get(name)
            )
            raise StoreError(f"{self._name}: expected what run {run} was begun with, {changed}; keep them apart")
        return Run(self, run, len(plan.agents))

    def run(self, number: int | None = None) -> Run:
        """A run by its number; without one, the only run there is. Raises StoreError when there is no such run."""
        runs = self.runs()
        if number is None and len(runs) != 1:
            numbers = ", ".join(str(kept.number) for kept in runs) or "none"
            raise StoreError(f"{self._name}: expected the number of a run, there are {numbers}")
        for kept in runs:
            if number in (None, kept.number):
                return Run(self, kept.number, len(kept.plan.agents))
        raise StoreError(f"{self._name}: expected a run among {', '.join(str(kept.number) for kept in runs)}")


@dataclass(frozen=True, slots=True)
class Run:
    """The results of one run in a store. Games from ``limit`` on are left out where one is given."""

    store: Store
    number: int
    agents: int

    @property
    def kept(self) -> Kept:
        """What is known about the run."""
        return next(kept for kept in self.store.runs() if kept.number == self.number)

    def add(self, results: Iterable[Result]) -> None:
        """Keep a block of results, all or none. What is there already stays as it is."""
        rows = list(results)
        places = ", ".join("?" * len(_COLUMNS))
        with self.store._naming(), self.store._db as db:
            db.executemany(
                f"INSERT INTO games (run, {', '.join(_COLUMNS)}) VALUES ({self.number:d}, {places}) {_AGAIN}",
                [row[: len(_COLUMNS)] for row in rows],
            )
            db.executemany(
                f"INSERT INTO failures VALUES (?, ?, ?, ?, ?, ?) {_AGAIN}",
                [(self.number, *row[: len(_PLACE)], row.message, row.layout) for row in rows if row.failed],
            )

    def finished(self) -> dict[int, list[range]]:
        """The games of each setting that all agents have played, as ranges in order."""
        query = "SELECT setting, game FROM games WHERE run = ? GROUP BY setting, game HAVING count(*) = ?"
        found: defaultdict[int, list[range]] = defaultdict(list)
        with self.store._naming():
            for setting, game in self.store._db.execute(query, (self.number, self.agents)):
                ranges = found[setting]
                if ranges and ranges[-1].stop == game:
                    ranges[-1] = range(ranges[-1].start, game + 1)
                else:
                    ranges.append(range(game, game + 1))
        return dict(found)

    def results(self, limit: int | None = None) -> Iterator[Result]:
        """Every result, by setting, game and agent."""
        query = f"""SELECT {", ".join(f"games.{name}" for name in _COLUMNS)}, message, layout
            FROM games LEFT JOIN failures USING (run, {", ".join(_PLACE)})
            WHERE games.run = ?{_below(limit)} ORDER BY games.setting, games.game, games.agent"""
        with self.store._naming():
            yield from map(Result._make, self.store._db.execute(query, (self.number,)))

    def failures(self, limit: int | None = None) -> list[Result]:
        """The games that failed."""
        query = (
            f"SELECT {', '.join(_PLACE)}, message, layout FROM failures WHERE run = ?{_below(limit)} ORDER BY 1, 2, 3"
        )
        with self.store._naming():
            rows = self.store._db.execute(query, (self.number,)).fetchall()
        return [
            Result(setting, game, agent, FAILED, message=message, layout=layout)
            for setting, game, agent, message, layout in rows
        ]

    def tallies(self, limit: int | None = None) -> list[AgentSums]:
        """The results added up, for each setting and agent."""
        sums = ", ".join(f"ifnull(sum({name}), 0), ifnull(sum({name} * {name}), 0)" for name in COUNTED)
        query = f"""SELECT setting, agent, count(*), sum(outcome = '{FAILED}'), sum(seconds), count(chain), {sums}
            FROM games WHERE run = ?{_below(limit)} GROUP BY setting, agent ORDER BY setting, agent"""
        with self.store._naming():
            rows = self.store._db.execute(query, (self.number,)).fetchall()
        return [
            AgentSums(
                setting,
                agent,
                games,
                failed,
                seconds,
                dict(zip(COUNTED, counts[::2], strict=True)),
                dict(zip(COUNTED, counts[1::2], strict=True)),
                traced,
            )
            for setting, agent, games, failed, seconds, traced, *counts in rows
        ]

    def pairs(self, limit: int | None = None) -> list[PairSums]:
        """Each two agents on the same layouts, for each setting."""
        if self.agents < 2:
            return []
        both = f"(a.outcome <> '{FAILED}' AND b.outcome <> '{FAILED}')"
        more = f"({both} * (b.right - a.right))"
        query = f"""SELECT a.setting, a.agent, b.agent, count(*), sum(a.won > b.won), sum(b.won > a.won),
            sum({both}), sum({more}), sum({more} * {more})
            FROM games AS a JOIN games AS b USING (run, setting, game)
            WHERE a.agent < b.agent AND run = ?{_below(limit, "a.")}
            GROUP BY a.setting, a.agent, b.agent ORDER BY a.setting, a.agent, b.agent"""
        with self.store._naming():
            return [PairSums(*row) for row in self.store._db.execute(query, (self.number,))]


def _below(limit: int | None, table: str = "") -> str:
    return "" if limit is None else f" AND {table}game < {limit:d}"


def _connected(path: str | Path | None, *, writing: bool) -> sqlite3.Connection:
    if path is None:
        return sqlite3.connect(":memory:")
    if writing:
        return sqlite3.connect(path, timeout=60)
    file = Path(path)
    if not file.is_file():
        raise StoreError(f"{path}: expected a store of results, found no file")
    uri = file.absolute().as_uri()
    connection = sqlite3.connect(f"{uri}?mode=rw", uri=True, timeout=60)
    try:
        connection.execute("PRAGMA query_only = 1")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        # In a directory that cannot be written no reader can say that it is there. With no writer that does no harm.
        connection.close()
        if file.with_name(f"{file.name}-wal").exists():
            raise
        connection = sqlite3.connect(f"{uri}?immutable=1", uri=True)
    return connection
