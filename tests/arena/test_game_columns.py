"""Columns of games keep what results say, packed and unpacked, and refuse other bytes."""

import zlib
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from satsweep.arena.block_sums import BlockSums
from satsweep.arena.game_columns import OPTIONAL, OUTCOMES, GameColumns
from satsweep.arena.packed_games import PackedGames, pack
from satsweep.arena.result import COLUMNS, FAILED, Result, Role, fields_with
from tests.arena.reports import sum_results

COUNTS = {name: st.integers(0, 300) | st.integers(-(2**40), 2**40) for name in fields_with(Role.COUNT)}
VALUES = COUNTS | {
    "setting": st.just(2),
    "won": st.integers(0, 1),
    "game": st.integers(0, 30) | st.integers(2**40, 2**40 + 9),
    "agent": st.integers(0, 3),
    "outcome": st.sampled_from(OUTCOMES),
    "seconds": st.floats(-1e9, 1e9),
    **dict.fromkeys(fields_with(Role.FAILURE), st.none()),
    **{name: st.none() | {int: st.integers(), str: st.text()}[COLUMNS[name].kind] for name in OPTIONAL},
}
ROWS = st.lists(st.builds(Result, **VALUES), unique_by=lambda row: row[:3], min_size=1, max_size=8)


@given(ROWS)
def test_what_is_packed_comes_back(rows: list[Result]) -> None:
    (block,) = pack(rows)
    assert block.results() == sorted(rows, key=lambda row: row[:3])
    assert block[:4] == (2, min(row.game for row in rows), max(row.game for row in rows) + 1, len(rows))


@given(ROWS)
def test_sums_are_those_of_the_games(rows: list[Result]) -> None:
    """In whole numbers, however large, and through JSON."""
    untimed = [row._replace(seconds=0.0) for row in rows]
    agents, pairs = sum_results(untimed)
    (block,) = pack(untimed)
    found = BlockSums.of_json(2, block.sums.to_json())
    assert found == block.sums
    assert list(found.agents.values()) == agents and list(found.pairs.values()) == pairs


@given(ROWS, st.randoms(use_true_random=False))
def test_parts_are_the_whole(rows: list[Result], rng: Random) -> None:
    one = [row for row in rows if rng.random() < 0.5]
    other = [row for row in rows if row not in one]
    columns = [GameColumns.of(2, part) for part in (rows, one, other)]
    whole, first, second = columns
    joined = GameColumns.joined([second, first])
    assert joined.results() == whole.results() and joined.pack(0) == whole.pack(0)
    assert whole.without(first).results() == second.results()
    assert whole.first_difference(whole) is None and first.first_difference(second) is None
    numbers = set.intersection(*({row.game for row in rows if row.agent == agent} for agent in range(2)))
    assert whole.numbers_of_all(range(2)).tolist() == sorted(numbers)
    assert {row.game for row in whole.of_all(range(2)).results()} == numbers


def test_the_first_difference_is_named() -> None:
    rows = [Result(0, game, agent, "cleared", won=1, turns=5) for game in range(4) for agent in range(2)]
    rows[6] = rows[6]._replace(chain=1)
    here = GameColumns.of(0, rows)
    cases: tuple[tuple[dict[int, dict[str, Any]], tuple[object, ...] | None], ...] = (
        ({}, None),
        ({5: {"outcome": FAILED, "turns": 0}}, None),
        ({5: {"seconds": 1.0}, 6: {"chain": None}, 7: {"chain": 3}}, None),
        ({6: {"chain": 2}, 7: {"turns": 1}}, (3, 0, "chain", 1, 2)),
        ({5: {"turns": 6, "won": 0}, 4: {"opened": 2}}, (2, 0, "opened", 0, 2)),
        ({5: {"turns": 6, "won": 0}}, (2, 1, "won", 1, 0)),
        ({0: {"outcome": "exploded", "won": 0}}, (0, 0, "outcome", "cleared", "exploded")),
    )
    for changed, expected in cases:
        other = [row._replace(**changed.get(at, {})) for at, row in enumerate(rows)]
        assert here.first_difference(GameColumns.of(0, other)) == expected


def test_other_bytes_are_refused() -> None:
    (block,) = pack(Result(0, game, 0, "cleared", risks="1 2", chain=3) for game in range(5))
    text = zlib.decompress(block.packed)
    for old, new in (
        (b'"games":5', b'"games":500'),
        (b'"games":5', b'"games":-1'),
        (b'"games":5', b'"games":"x"'),
        (b'"won":"|u1"', b'"won":"|O8"'),
        (b'"won":"|u1"', b'"lost":"|u1"'),
        (b'"cleared"', b'"clear"'),
        (b'["1 2","1 2"', b'["1 2",4'),
        (b'["1 2",', b"["),
        (b"[3,3", b'["3",3'),
        (b"\n", b""),
        (b"\n\0\0\0\0\0", b"\n\0\0\1\0\0"),
    ):
        assert old in text
        with pytest.raises(ValueError, match="expected packed games: "):
            GameColumns.unpack(0, 0, zlib.compress(text.replace(old, new, 1)))
    for packed in (b"", b"x", block.packed[:-5], block.packed[3:]):
        with pytest.raises(ValueError, match="expected packed games: "):
            GameColumns.unpack(0, 0, packed)


def test_numbers_count_from_the_first_game() -> None:
    """The bytes of a block do not depend on where its games are."""
    blocks = [pack(Result(0, first + game, 0, "cleared") for game in range(9))[0] for first in (0, 10**12)]
    assert blocks[0].packed == blocks[1].packed
    moved = PackedGames(0, 7, 16, 9, blocks[0].sums, blocks[0].packed)
    assert [row.game for row in moved.results()] == [*range(7, 16)]
