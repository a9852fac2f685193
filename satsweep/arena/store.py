"""Store: a SQLite file, one row per game and agent, one transaction per block.

In WAL mode a transaction is kept as a whole or not at all, even if the process is killed, and others may read at the
same time. The identity of a plan names a run. The versions of the software that played are stored beside it: results
depend on them, too, so a run that other versions began is not continued.

A column that may be missing in a game may be missing in the file, too: it is added when the file is opened for writing,
and reads as NULL until then. Any other change to the columns is a change of the file format. All SQL is in
``satsweep.arena.store_sql``.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Any

from satsweep.arena import store_sql as sql
from satsweep.arena.plan import Plan
from satsweep.arena.result import (
    COUNTS,
    FAILED,
    KEYS,
    AgentSums,
    Dropouts,
    LayoutSums,
    PairLayoutSums,
    PairSums,
    Result,
)
from satsweep.arena.sprt import SequentialTest
from satsweep.errors import BoardError, StoreError, unreadable
from satsweep.formats.strict import Node

PATIENCE = 60.0
"""Time to wait for other processes that use the file, in seconds."""
keys, game_columns, failure_columns = (attrgetter(*names) for names in (KEYS, sql.GAME_COLUMNS, sql.FAILURE_COLUMNS))
"""The key of a result, and its row in the tables."""


def changed_versions(then: Mapping[str, str], now: Mapping[str, str]) -> str:
    """Versions that differ, each as it was and as it is; empty if none does."""
    return ", ".join(
        f"{name} {then.get(name, 'none')}, found {now.get(name, 'none')}"
        for name in dict.fromkeys([*then, *now])
        if then.get(name) != now.get(name)
    )


@dataclass(frozen=True, slots=True)
class RunInfo:
    """Description of a run in a store.

    ``games`` counts games of single agents. ``identity`` is that of the plan, with the digests of agents and layouts.
    """

    number: int
    plan: Plan
    versions: Mapping[str, str]
    begun: str
    games: int
    identity: str


class Store:
    """A file of results, created if missing; without a path it is kept in memory.

    Use it as a context, or ``close`` it. Raises StoreError when the file is not a store, or cannot be read or written.
    """

    def __init__(self, path: str | Path | None = None, *, writing: bool = True) -> None:
        self.path = path
        with self._errors():
            self._db = _connect(path, writing=writing)
            try:
                self._prepare_patiently(writing=writing)
            except BaseException:
                self._db.close()
                raise

    def _prepare_patiently(self, *, writing: bool) -> None:
        # While others change the mode of the file SQLite does not wait by itself.
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return self._prepare(writing=writing)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def _prepare(self, *, writing: bool) -> None:
        if writing:
            self._execute_needed(self._missing_tables)
        if self._scalar("PRAGMA application_id") != sql.APPLICATION:
            raise StoreError(f"{self._name}: expected a store of results, found something else")
        if self._scalar("PRAGMA user_version") != sql.VERSION:
            raise StoreError(f"{self._name}: expected a store of version {sql.VERSION}, found another")
        if writing:
            self._execute_needed(self._missing_columns)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute(sql.view_of_all_games(self._missing))
        if not writing:
            self._db.execute("PRAGMA query_only = 1")

    def _execute_needed(self, needed: Callable[[], Iterable[str]]) -> None:
        if needed():
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                for statement in needed():  # another process may just have executed them
                    self._db.execute(statement)

    def _missing_tables(self) -> tuple[str, ...]:
        return () if self._scalar("SELECT count(*) FROM sqlite_master") else sql.TABLES

    def _missing_columns(self) -> list[str]:
        return [sql.column_added(name) for name in self._missing]

    @property
    def _missing(self) -> list[str]:
        """Columns of games that the file lacks, since an earlier version made it."""
        there = {name for _, name, *_ in self._db.execute("PRAGMA table_info(games)")}
        return [name for name in sql.GAME_COLUMNS if name not in there]

    @property
    def _name(self) -> str:
        return "<memory>" if self.path is None else str(self.path)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(f"{self._name}: {error}") from None

    def _scalar(self, query: str, *values: object) -> int:
        found: int = self._db.execute(query, values).fetchone()[0]
        return found

    def close(self) -> None:
        with self._errors():
            self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        try:
            self.close()
        except StoreError:
            if error is None:
                raise

    def runs(self) -> list[RunInfo]:
        with self._errors():
            games = dict(self._db.execute(sql.GAMES_OF_RUNS))
            rows = self._db.execute(sql.RUNS).fetchall()
        return [
            RunInfo(run, self._plan(run, plan), self._versions(run, versions), begun, games.get(run, 0), identity)
            for run, plan, versions, begun, identity in rows
        ]

    def _plan(self, run: int, text: str) -> Plan:
        with self._reading(run):
            return Plan.of(text)

    def _versions(self, run: int, text: str) -> dict[str, str]:
        with self._reading(run):
            node = Node.of(text)
            return {name: version.string() for name, version in node.fields((), node.value).items()}

    @contextmanager
    def _reading(self, run: int) -> Iterator[None]:
        """A store that others made may say anything of its runs."""
        try:
            yield
        except (BoardError, TypeError) as error:
            said = error.message if isinstance(error, BoardError) else str(error)
            raise StoreError(f"{self._name}: run {run} cannot be read: {said}") from None

    def begin(self, plan: Plan, versions: Mapping[str, str]) -> Run:
        """The run of a plan: the one in the store, to be continued, or else a new one.

        Raises StoreError when other versions began it.
        """
        begun = datetime.now(UTC).isoformat(timespec="seconds")
        return self._begun(self, plan.identity, plan.described(), json.dumps(versions, sort_keys=True), begun)

    def adopt(self, other: Run) -> Run:
        """The run here for the games of another store's run; raises as ``begin`` does."""
        (begun,) = other._rows(sql.RUN_BEGUN)
        return self._begun(other.store, *begun)

    def _begun(self, source: Store, identity: str, described: str, versions: str, begun: str) -> Run:
        with self._errors(), self._db:
            found = self._db.execute(sql.RUN_OF_IDENTITY, (identity,)).fetchone()
            if found is None:
                self._db.execute(sql.ADD_RUN, (identity, described, versions, begun))
                found = self._db.execute(sql.RUN_OF_IDENTITY, (identity,)).fetchone()
        run, stored, plan = found
        if stored != versions:
            changed = changed_versions(self._versions(run, stored), source._versions(run, versions))
            raise StoreError(
                f"{source._name}: expected the versions that began run {run}: {changed}; use another store"
            )
        fields = self._plan(run, plan)
        return Run(self, run, len(fields.agents), fields.plays)

    def run(self, number: int | None = None) -> Run:
        """A run by its number; without one, the only run in the store.

        Raises StoreError when there is no such run.
        """
        runs = self.runs()
        if number is None and len(runs) != 1:
            numbers = ", ".join(str(run.number) for run in runs) or "none"
            raise StoreError(f"{self._name}: expected the number of a run, there are {numbers}")
        for run in runs:
            if number in (None, run.number):
                return Run(self, run.number, len(run.plan.agents), run.plan.plays)
        raise StoreError(f"{self._name}: expected a run among {', '.join(str(run.number) for run in runs)}")


@dataclass(frozen=True, slots=True)
class Run:
    """The results of one run in a store.

    Methods with a ``limit`` leave out games from this number on, and those before ``first``.
    """

    store: Store
    number: int
    agents: int
    plays: int = 1

    @property
    def info(self) -> RunInfo:
        return next(run for run in self.store.runs() if run.number == self.number)

    def _rows(self, statement: str, limit: int | None = None, first: int = 0, **values: int) -> Iterator[Any]:
        given = {
            "run": self.number,
            "plays": self.plays,
            "first": first,
            "limit": sql.ENDLESS if limit is None else limit,
        }
        with self.store._errors():
            yield from self.store._db.execute(statement, given | values)

    def add(self, results: Iterable[Result]) -> None:
        """Store a block of results, all or none; games that are there already stay."""
        rows = list(results)
        games = ((self.number, *game_columns(row)) for row in rows)
        failures = ((*failure_columns(row), self.number, *keys(row)) for row in rows if row.failed)
        with self.store._errors(), self.store._db as db:
            db.executemany(sql.ADD_GAME, games)
            db.executemany(sql.ADD_FAILURE, failures)

    def check_agrees(self, other: Run) -> None:
        """Raise StoreError if a game came out otherwise in another run of the plan.

        Games that failed, here or there, and counts that one of them lacks have nothing to agree with.
        """
        for result in other.results():
            if result.failed:
                continue
            with self.store._errors():
                found = self.store._db.execute(sql.PLAYED, (self.number, *keys(result))).fetchone()
            for name, here in zip(sql.PLAYED_COLUMNS, found or (), strict=found is not None):
                there = getattr(result, name)
                if here != there and None not in (here, there):
                    plan, names = self.info.plan, (other.store._name, self.store._name)
                    game = f"game {result.game:,} of {plan.agents[result.agent]} on {plan.settings[result.setting]}"
                    said = "{}: expected the result that {} has of".format(*names)
                    raise StoreError(f"{said} {game}, {name} {here}, found {there}")

    def finished(self) -> dict[int, list[range]]:
        """The games of each setting that all agents have played, as ranges in order.

        Agents that are out of a setting do not count.
        """
        out = Dropouts(self.failures()).out
        left_out = Counter(setting for setting, _ in out)
        by_them = Counter((setting, game) for setting, agent in out for game, _ in self.outcomes(setting, agent))
        found: defaultdict[int, list[range]] = defaultdict(list)
        for setting, game, agents in self._rows(sql.AGENTS_OF_GAMES):
            played = agents - by_them[setting, game]
            if not played or played < self.agents - left_out[setting]:
                continue
            ranges = found[setting]
            if ranges and ranges[-1].stop == game:
                ranges[-1] = range(ranges[-1].start, game + 1)
            else:
                ranges.append(range(game, game + 1))
        return dict(found)

    def results(self, limit: int | None = None) -> Iterator[Result]:
        return map(Result._make, self._rows(sql.RESULTS, limit))

    def failures(self, limit: int | None = None, first: int = 0) -> list[Result]:
        """The failed games, without their times."""
        rows = self._rows(sql.FAILURES, limit, first)
        return [Result(outcome=FAILED, **dict(zip(sql.FAILURE_COLUMNS, row, strict=True))) for row in rows]

    def agent_sums(self, limit: int | None = None, first: int = 0) -> list[AgentSums]:
        layouts = self._layout_sums(limit, first)
        return [
            AgentSums(
                *(
                    *row[:9],
                    dict(zip(COUNTS, row[9::2], strict=True)),
                    dict(zip(COUNTS, map(int, row[10::2]), strict=True)),
                    layouts.get((row[0], row[1]), []),
                )
            )
            for row in self._rows(sql.AGENT_SUMS, limit, first)
        ]

    def _layout_sums(self, limit: int | None, first: int) -> dict[tuple[int, ...], list[LayoutSums]]:
        """Sums over each layout, by setting and agent; none if layouts are played once."""
        found: defaultdict[tuple[int, ...], list[LayoutSums]] = defaultdict(list)
        rows = self._rows(sql.LAYOUT_SUMS, limit, first) if self.plays > 1 else ()
        for setting, agent, games, finished, *counts in rows:
            found[setting, agent].append(LayoutSums(games, finished, dict(zip(COUNTS, counts, strict=True))))
        return found

    def outcomes(self, setting: int, agent: int) -> Iterator[tuple[int, int]]:
        """Games of an agent in a setting, each with 1 if it was won, else 0."""
        return self._rows(sql.OUTCOMES, setting=setting, agent=agent)

    def risks(self, setting: int, agent: int) -> Iterator[str]:
        """Risks that an agent stated, of each game of a setting that has them."""
        for found, _ in self._rows(sql.STATED["risks"], setting=setting, agent=agent):
            yield found

    def win_chances(self, setting: int, agent: int) -> Iterator[tuple[str, int]]:
        """Chances to win that an agent stated, with 1 if the game was won, else 0.

        Games without them are left out.
        """
        return self._rows(sql.STATED["win_chances"], setting=setting, agent=agent)

    def layout_changes(self, limit: int | None = None) -> Iterator[tuple[int, int, int]]:
        """Layouts of a run of two agents in one setting, in order of their number.

        Each has its number, the games that both have played, and the wins of the second less those of the first.
        """
        return self._rows(sql.LAYOUT_CHANGES, limit)

    def test_of(self, plan: Plan) -> SequentialTest | None:
        """The plan's sequential test, with the stored games; None without one."""
        if plan.sprt is None:
            return None
        test = SequentialTest(plan.sprt, self.plays)
        test.add_layouts(self.layout_changes(plan.games))
        return test

    def pair_sums(self, limit: int | None = None, first: int = 0) -> list[PairSums]:
        if self.agents < 2:
            return []
        layouts: defaultdict[tuple[int, ...], list[PairLayoutSums]] = defaultdict(list)
        rows = self._rows(sql.PAIR_LAYOUT_SUMS, limit, first) if self.plays > 1 else ()
        for *pair, games, more_won, finished, more_right in rows:
            layouts[tuple(pair)].append(PairLayoutSums(games, more_won, finished, more_right))
        found = [PairSums(*row) for row in self._rows(sql.PAIR_SUMS, limit, first)]
        for sums in found:
            sums.layouts = layouts.get((sums.setting, sums.first, sums.second), [])
        return found


def _connect(path: str | Path | None, *, writing: bool) -> sqlite3.Connection:
    if path is None:
        return sqlite3.connect(":memory:")
    if writing:
        return sqlite3.connect(path, timeout=PATIENCE)
    file = Path(path)
    try:
        file.open("rb").close()
    except (OSError, ValueError) as error:
        raise StoreError(f"{path}: {unreadable(error)}") from None
    uri = file.absolute().as_uri()
    connection = sqlite3.connect(f"{uri}?mode=rw", uri=True, timeout=PATIENCE)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        # SQLite cannot make its index of the log in a directory that may not be written. If there is no log, no process
        # is writing, and the file can be read as immutable.
        connection.close()
        if file.with_name(f"{file.name}-wal").exists():
            raise
        connection = sqlite3.connect(f"{uri}?immutable=1", uri=True)
    return connection
