"""SQL of the store: its tables, and each statement by its name.

The columns follow from the declaration in ``satsweep.arena.result``. Statements on a run take ``:run``; those that
leave out games before ``:first`` and from ``:limit`` on take these, too. ``all_games`` is a view of the table of games
that has every column, also where an earlier version has made the file.
"""

from collections.abc import Iterable

from satsweep.arena.result import CHAIN_COUNTS, COLUMNS, COUNTS, FAILED, KEYS, Role, fields_with

APPLICATION, VERSION = 0x53575052, 1
ENDLESS = 2**63 - 1
"""A limit that leaves out no game."""
FAILURE_ONLY = fields_with(Role.FAILURE)
GAME_COLUMNS = tuple(name for name in COLUMNS if name not in FAILURE_ONLY)
FAILURE_COLUMNS = (*KEYS, *FAILURE_ONLY)


def _listed(names: Iterable[str], pattern: str = "{}", between: str = ", ") -> str:
    return between.join(pattern.format(name) for name in names)


def _declared(names: Iterable[str]) -> str:
    return "\n".join(f"    {name} {COLUMNS[name].sql}," for name in names)


TABLES = (
    """CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    versions TEXT NOT NULL,
    begun TEXT NOT NULL
)""",
    f"""CREATE TABLE games (
    run INTEGER NOT NULL REFERENCES runs,
{_declared(GAME_COLUMNS)}
    PRIMARY KEY (run, setting, game, agent)
) WITHOUT ROWID""",
    f"""CREATE TABLE failures (
    run INTEGER NOT NULL REFERENCES runs,
{_declared(FAILURE_COLUMNS)}
    PRIMARY KEY (run, setting, game, agent)
) WITHOUT ROWID""",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)
"""Statements that make a file a store."""


def column_added(name: str) -> str:
    """The statement that adds a column to the table of games."""
    return f"ALTER TABLE games ADD COLUMN {name} {COLUMNS[name].sql}"


def view_of_all_games(missing: Iterable[str]) -> str:
    """The statement that makes ``all_games``; columns that the file lacks are NULL."""
    return f"CREATE TEMP VIEW all_games AS SELECT *{_listed(missing, ', NULL AS {}', '')} FROM games"


RUNS = "SELECT run, plan, versions, begun, identity FROM runs ORDER BY run"
GAMES_OF_RUNS = "SELECT run, count(*) FROM games GROUP BY run"
RUN_BEGUN = "SELECT identity, plan, versions, begun FROM runs WHERE run = :run"
RUN_OF_IDENTITY = "SELECT run, versions, plan FROM runs WHERE identity = ?"
ADD_RUN = "INSERT INTO runs (identity, plan, versions, begun) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"

_SKIP_EXISTING = "ON CONFLICT (run, setting, game, agent) DO NOTHING"
ADD_GAME = f"""
    INSERT INTO games (run, {_listed(GAME_COLUMNS)})
    VALUES (?{", ?" * len(GAME_COLUMNS)}) {_SKIP_EXISTING}
"""
ADD_FAILURE = f"""
    INSERT INTO failures (run, {_listed(FAILURE_COLUMNS)})
    SELECT run{", ?" * len(FAILURE_COLUMNS)} FROM games
    WHERE (run, setting, game, agent) = (?, ?, ?, ?) AND outcome = '{FAILED}' {_SKIP_EXISTING}
"""
"""Adds a failure if the table of games has the game, as failed."""

AGENTS_OF_GAMES = "SELECT setting, game, count(*) FROM games WHERE run = :run GROUP BY setting, game"
RESULTS = f"""
    SELECT {_listed(name if name in FAILURE_ONLY else f"games.{name}" for name in COLUMNS)}
    FROM all_games AS games LEFT JOIN failures USING (run, {_listed(KEYS)})
    WHERE games.run = :run AND game >= :first AND game < :limit
    ORDER BY games.setting, games.game, games.agent
"""
PLAYED_COLUMNS = tuple(name for name in GAME_COLUMNS if name not in fields_with(Role.TIME))
"""Columns in which two results of one game agree."""
PLAYED = f"""
    SELECT {_listed(PLAYED_COLUMNS)} FROM all_games
    WHERE (run, setting, game, agent) = (?, ?, ?, ?) AND outcome <> '{FAILED}'
"""
FAILURES = f"""
    SELECT {_listed(FAILURE_COLUMNS)} FROM failures
    WHERE run = :run AND game >= :first AND game < :limit ORDER BY 1, 2, 3
"""
AGENT_SUMS = f"""
    SELECT setting, agent, count(*), sum(outcome = '{FAILED}'),
    sum(max(seconds, 0.0)), sum(seconds > 0), -sum(min(seconds, 0.0)), count({CHAIN_COUNTS[0]}), count(evaluations),
    {_listed(COUNTS, "ifnull(sum({0}), 0), total({0} * {0})")}
    FROM all_games WHERE run = :run AND game >= :first AND game < :limit
    GROUP BY setting, agent ORDER BY setting, agent
"""
"""Sums of each agent in each setting.

The sum of squares may exceed 64 bits, where sum() fails; total() has floats, exact up to 2^53.
"""
LAYOUT_SUMS = f"""
    SELECT setting, agent, count(*), sum(outcome <> '{FAILED}'), {_listed(COUNTS, "ifnull(sum({}), 0)")}
    FROM all_games WHERE run = :run AND game >= :first AND game < :limit
    GROUP BY setting, agent, game / :plays ORDER BY setting, agent, game / :plays
"""
OUTCOMES = """
    SELECT game, won FROM games WHERE run = :run AND setting = :setting AND agent = :agent ORDER BY game
"""
STATED = {
    name: f"""
    SELECT {name}, won FROM all_games
    WHERE run = :run AND setting = :setting AND agent = :agent AND {name} IS NOT NULL ORDER BY game
"""
    for name in fields_with(Role.STATED)
}
"""Statement for each kind of probabilities that agents state."""

_BOTH = f"(a.outcome <> '{FAILED}' AND b.outcome <> '{FAILED}')"
_MORE = f"({_BOTH} * (b.right - a.right))"
# The unary plus keeps SQLite from joining by the range of games: it would scan all of them for each one.
LAYOUT_CHANGES = """
    SELECT game / :plays, count(*), sum(b.won - a.won)
    FROM games AS a JOIN games AS b USING (run, setting, game)
    WHERE a.agent = 0 AND b.agent = 1 AND run = :run AND +a.game >= :first AND +a.game < :limit GROUP BY 1 ORDER BY 1
"""
PAIR_SUMS = f"""
    SELECT a.setting, a.agent, b.agent, count(*), sum(a.won > b.won), sum(b.won > a.won),
    sum({_BOTH}), sum({_MORE}), sum({_MORE} * {_MORE})
    FROM games AS a JOIN games AS b USING (run, setting, game)
    WHERE a.agent < b.agent AND run = :run AND +a.game >= :first AND +a.game < :limit
    GROUP BY a.setting, a.agent, b.agent ORDER BY a.setting, a.agent, b.agent
"""
PAIR_LAYOUT_SUMS = f"""
    SELECT a.setting, a.agent, b.agent, count(*), sum(b.won - a.won), sum({_BOTH}), sum({_MORE})
    FROM games AS a JOIN games AS b USING (run, setting, game)
    WHERE a.agent < b.agent AND run = :run AND +a.game >= :first AND +a.game < :limit
    GROUP BY a.setting, a.agent, b.agent, game / :plays ORDER BY a.setting, a.agent, b.agent, game / :plays
"""
