"""SQL of the store: its tables, and each statement by its name.

Statements on a run take ``:run``; those that leave out games before ``:first`` and from ``:limit`` on take these, too.
A row of ``blocks`` has the games of one setting from number ``first`` on, below ``stop``: how many they are, their sums
as JSON, and the games, packed. No two rows of a setting overlap.
"""

APPLICATION, VERSION = 0x53575052, 2
ENDLESS = 2**63 - 1
"""A limit that leaves out no game."""

TABLES = (
    """CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    versions TEXT NOT NULL,
    begun TEXT NOT NULL
)""",
    """CREATE TABLE blocks (
    run INTEGER NOT NULL REFERENCES runs,
    setting INTEGER NOT NULL,
    first INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    games INTEGER NOT NULL,
    sums TEXT NOT NULL,
    packed BLOB NOT NULL,
    PRIMARY KEY (run, setting, first)
)""",
    """CREATE TABLE failures (
    run INTEGER NOT NULL REFERENCES runs,
    setting INTEGER NOT NULL,
    game INTEGER NOT NULL,
    agent INTEGER NOT NULL,
    message TEXT NOT NULL,
    layout TEXT,
    PRIMARY KEY (run, setting, game, agent)
) WITHOUT ROWID""",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)
"""Statements that make a file a store."""

RUNS = "SELECT run, plan, versions, begun, identity FROM runs ORDER BY run"
GAMES_OF_RUNS = "SELECT run, sum(games) FROM blocks GROUP BY run"
RUN_BEGUN = "SELECT identity, plan, versions, begun FROM runs WHERE run = :run"
RUN_OF_IDENTITY = "SELECT run, versions, plan FROM runs WHERE identity = ?"
ADD_RUN = "INSERT INTO runs (identity, plan, versions, begun) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"

ADD_BLOCK = "INSERT INTO blocks (run, setting, first, stop, games, sums, packed) VALUES (?, ?, ?, ?, ?, ?, ?)"
REMOVE_BLOCK = "DELETE FROM blocks WHERE run = :run AND setting = :setting AND first = :first"
ADD_FAILURE = "INSERT INTO failures (run, setting, game, agent, message, layout) VALUES (?, ?, ?, ?, ?, ?)"

# The last block that begins at or before a game may reach to it; no earlier one does, so none is looked at.
BLOCKS_OF_SETTING = """
    SELECT first, stop, packed FROM blocks
    WHERE run = :run AND setting = :setting AND first < :limit AND stop > :first AND first >= ifnull(
        (SELECT max(first) FROM blocks WHERE run = :run AND setting = :setting AND first <= :first), 0
    ) ORDER BY first
"""
FEW_GAMES_BESIDE = """
    SELECT first, packed FROM blocks
    WHERE run = :run AND setting = :setting AND games < :few AND (first = :limit OR stop = :first) AND first IN (
        :limit, (SELECT max(first) FROM blocks WHERE run = :run AND setting = :setting AND first < :first)
    ) ORDER BY first
"""
"""Blocks of few games that end at ``:first``, or begin at ``:limit``."""
BLOCKS = """
    SELECT setting, first, stop, games, sums, packed FROM blocks
    WHERE run = :run AND first < :limit AND stop > :first ORDER BY setting, first
"""
SUMS = """
    SELECT setting, first, sums, CASE WHEN first < :first OR stop > :limit THEN packed END FROM blocks
    WHERE run = :run AND first < :limit AND stop > :first ORDER BY setting, first
"""
"""Sums of blocks, and the games of those that a limit cuts."""
FINISHED = """
    SELECT setting, first, stop, CASE WHEN games < :agents * (stop - first) THEN packed END FROM blocks
    WHERE run = :run ORDER BY setting, first
"""
"""Extents of blocks, and the games of those that some agents lack a part of."""
FAILURES = """
    SELECT setting, game, agent, message, layout FROM failures
    WHERE run = :run AND game >= :first AND game < :limit ORDER BY 1, 2, 3
"""
FAILURES_OF_SETTING = """
    SELECT setting, game, agent, message, layout FROM failures
    WHERE run = :run AND setting = :setting AND game >= :first AND game < :limit ORDER BY game, agent
"""
