"""Store: a SQLite file, one row per block of games, one transaction per block.

In WAL mode a transaction is kept as a whole or not at all, even if the process is killed, and others may read at the
same time. The identity of a plan names a run. The versions of the software that played are stored beside it: results
depend on them, too, so a run that other versions began is not continued.

A block has the sums of its games, which is all that most reports need, and the games, packed. The blocks of a setting
do not overlap, so no sum has a game twice: games whose numbers lie in a block that is there become part of it. All SQL
is in ``satsweep.arena.store_sql``.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from satsweep.arena import store_sql as sql
from satsweep.arena.block_sums import BlockSums, layout_sums, pair_layout_sums
from satsweep.arena.game_columns import GameColumns
from satsweep.arena.packed_games import PackedGames
from satsweep.arena.plan import Plan
from satsweep.arena.result import FAILED, AgentSums, Dropouts, PairSums, Result
from satsweep.arena.sprt import SequentialTest
from satsweep.errors import BoardError, StoreError, unreadable
from satsweep.formats.strict import Node

PATIENCE = 60.0
"""Time to wait for other processes that use the file, in seconds."""
FEW = 1000
"""Number of games below which a block is kept together with those beside it.

A report takes some time for each block, and each takes some bytes in the file.
"""


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
        if writing and self._is_empty():
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                if self._is_empty():  # another process may just have made them
                    for statement in sql.TABLES:
                        self._db.execute(statement)
        if self._scalar("PRAGMA application_id") != sql.APPLICATION:
            raise StoreError(f"{self._name}: expected a store of results, found something else")
        if (version := self._scalar("PRAGMA user_version")) != sql.VERSION:
            raise StoreError(f"{self._name}: expected a store of version {sql.VERSION}, found version {version}")
        if writing:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
        else:
            self._db.execute("PRAGMA query_only = 1")

    def _is_empty(self) -> bool:
        return not self._scalar("SELECT count(*) FROM sqlite_master")

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
        except (TypeError, ValueError, LookupError, AttributeError) as error:
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
        given = {"run": self.number, "first": first, "limit": sql.ENDLESS if limit is None else limit}
        with self.store._errors():
            yield from self.store._db.execute(statement, given | values)

    def add(self, blocks: Iterable[PackedGames]) -> None:
        """Store blocks, all or none; games that are there already stay."""
        with self.store._errors(), self.store._db as db:
            db.execute("BEGIN IMMEDIATE")
            for block in blocks:
                self._add(block)

    def _add(self, block: PackedGames) -> None:
        there = list(self._rows(sql.BLOCKS_OF_SETTING, block.stop, block.first, setting=block.setting))
        if not there:
            return self._insert_joined(block)
        games, end = self._unpacked(block.setting, block.first, block.packed), block.first
        for first, stop, packed in there:
            self._insert_games(games.between(end, first), block.failures)
            before = self._unpacked(block.setting, first, packed)
            new = games.between(first, stop).without(before)
            if len(new):
                self._remove(block.setting, first)
                self._insert_games(new, block.failures, [before])
            end = stop
        self._insert_games(games.between(end, block.stop), block.failures)

    def _insert_joined(self, block: PackedGames) -> None:
        """Insert a block that overlaps no other.

        Where it has few games, and a block beside it has, they become one.
        """
        beside = []
        if block.games < FEW:
            found = self._rows(sql.FEW_GAMES_BESIDE, block.stop, block.first, setting=block.setting, few=FEW)
            for first, packed in list(found):
                beside.append(self._unpacked(block.setting, first, packed))
                self._remove(block.setting, first)
        if beside:
            games = self._unpacked(block.setting, block.first, block.packed)
            self._insert_games(games, block.failures, beside)
        else:
            self._insert(block)

    def _insert_games(self, new: GameColumns, failures: Iterable[Result], before: Sequence[GameColumns] = ()) -> None:
        """Insert new games as a block, with those of blocks that were there before."""
        if len(new):
            keys = {*zip(new.arrays["game"].tolist(), new.arrays["agent"].tolist(), strict=True)}
            own = [one for one in failures if (one.game, one.agent) in keys]
            self._insert(PackedGames.of(GameColumns.joined([*before, new]), own))

    def _insert(self, block: PackedGames) -> None:
        sums, (setting, first, stop, games) = block.sums.to_json(), block[:4]
        self.store._db.execute(sql.ADD_BLOCK, (self.number, setting, first, stop, games, sums, block.packed))
        failures = ((self.number, *one[:3], one.message, one.layout) for one in block.failures)
        self.store._db.executemany(sql.ADD_FAILURE, failures)

    def _remove(self, setting: int, first: int) -> None:
        self.store._db.execute(sql.REMOVE_BLOCK, (self.number, setting, first))

    def _unpacked(self, setting: int, first: int, packed: bytes) -> GameColumns:
        with self.store._reading(self.number):
            return GameColumns.unpack(setting, first, packed)

    def blocks(self) -> Iterator[PackedGames]:
        """The blocks of all games, by setting and number."""
        for setting, first, stop, games, sums, packed in self._rows(sql.BLOCKS):
            failures = tuple(map(_failure, self._rows(sql.FAILURES_OF_SETTING, stop, first, setting=setting)))
            with self.store._reading(self.number):
                found = BlockSums.of_json(setting, sums)
            yield PackedGames(setting, first, stop, games, found, packed, failures)

    def columns(self, limit: int | None = None, first: int = 0) -> Iterator[GameColumns]:
        """The games of each block, by setting and number."""
        for setting, start, *_, packed in self._rows(sql.BLOCKS, limit, first):
            games = self._unpacked(setting, start, packed).between(first, sql.ENDLESS if limit is None else limit)
            if len(games):
                yield games

    def _sums(self, limit: int | None, first: int) -> BlockSums:
        """Sums over games; those of blocks that a limit cuts are added up again."""
        total = BlockSums()
        for setting, start, sums, cut in self._rows(sql.SUMS, limit, first):
            with self.store._reading(self.number):
                if cut is None:
                    total.add(BlockSums.of_json(setting, sums))
                else:
                    games = GameColumns.unpack(setting, start, cut)
                    total.add(BlockSums.of(games.between(first, sql.ENDLESS if limit is None else limit)))
        return total

    def check_agrees(self, other: Run) -> None:
        """Raise StoreError if a game came out otherwise in another run of the plan.

        Games that failed, here or there, and counts that one of them lacks have nothing to agree with.
        """
        for block in other.blocks():
            for first, _, packed in self._rows(sql.BLOCKS_OF_SETTING, block.stop, block.first, setting=block.setting):
                theirs = other._unpacked(block.setting, block.first, block.packed)
                found = self._unpacked(block.setting, first, packed).first_difference(theirs)
                if found is not None:
                    plan, names = self.info.plan, (other.store._name, self.store._name)
                    game = f"game {found.game:,} of {plan.agents[found.agent]} on {plan.settings[block.setting]}"
                    said = "{}: expected the result that {} has of".format(*names)
                    raise StoreError(f"{said} {game}, {found.name} {found.here}, found {found.there}")

    def finished(self) -> dict[int, list[range]]:
        """The games of each setting that all agents have played, as ranges in order.

        Agents that are out of a setting do not count.
        """
        out = Dropouts(self.failures()).out
        found: defaultdict[int, list[range]] = defaultdict(list)
        for setting, first, stop, packed in self._rows(sql.FINISHED, agents=self.agents):
            wanted = [agent for agent in range(self.agents) if (setting, agent) not in out]
            if packed is None:
                played = [range(first, stop)] if wanted else []
            else:
                numbers = self._unpacked(setting, first, packed).numbers_of_all(wanted).tolist()
                played = [range(number, number + 1) for number in numbers]
            for games in played:
                ranges = found[setting]
                if ranges and ranges[-1].stop == games.start:
                    games = range(ranges.pop().start, games.stop)
                ranges.append(games)
        return dict(found)

    def results(self, limit: int | None = None) -> Iterator[Result]:
        """Results of all games, by setting, game and agent."""
        failures = {failure[:3]: failure for failure in self.failures(limit)}
        for games in self.columns(limit):
            yield from games.results(failures)

    def failures(self, limit: int | None = None, first: int = 0) -> list[Result]:
        """The failed games, without their times."""
        return [_failure(row) for row in self._rows(sql.FAILURES, limit, first)]

    def agent_sums(self, limit: int | None = None, first: int = 0) -> list[AgentSums]:
        found = [sums for _, sums in sorted(self._sums(limit, first).agents.items())]
        layouts = layout_sums(self.columns(limit, first), self.plays) if self.plays > 1 else {}
        for sums in found:
            sums.layouts = layouts.get((sums.setting, sums.agent), [])
        return found

    def pair_sums(self, limit: int | None = None, first: int = 0) -> list[PairSums]:
        found = [sums for _, sums in sorted(self._sums(limit, first).pairs.items())]
        layouts = pair_layout_sums(self.columns(limit, first), self.plays) if self.plays > 1 else {}
        for sums in found:
            sums.layouts = layouts.get((sums.setting, sums.first, sums.second), [])
        return found

    def test_of(self, plan: Plan) -> SequentialTest | None:
        """The plan's sequential test, with the stored games; None without one.

        A game counts once both agents have played it.
        """
        if plan.sprt is None:
            return None
        test = SequentialTest(plan.sprt, self.plays)
        for games in self.columns(plan.games):
            test.add(games.of_all(range(self.agents)))
        return test


def _failure(row: tuple[int, int, int, str, str | None]) -> Result:
    setting, game, agent, message, layout = row
    return Result(setting, game, agent, FAILED, message=message, layout=layout)


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
