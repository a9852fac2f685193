"""Packed games: results of a block, summed and packed by the worker."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from satsweep.arena.block_sums import BlockSums
from satsweep.arena.game_columns import GameColumns
from satsweep.arena.result import Result


class PackedGames(NamedTuple):
    """Games of one setting: their sums, and their columns as bytes.

    Their numbers begin at ``first`` and end below ``stop``; there may be gaps between them. ``games`` is the number of
    games of single agents. ``failures`` has the failed ones, with messages and layouts.
    """

    setting: int
    first: int
    stop: int
    games: int
    sums: BlockSums
    packed: bytes
    failures: tuple[Result, ...] = ()

    @classmethod
    def of(cls, games: GameColumns, failures: Iterable[Result] = ()) -> PackedGames:
        """Games of columns, of which there is at least one."""
        numbers = games.arrays["game"]
        first, stop = int(numbers.min()), int(numbers.max()) + 1
        packed = games.pack(first)
        return cls(games.setting, first, stop, len(games), BlockSums.of(games), packed, tuple(failures))

    def columns(self) -> GameColumns:
        return GameColumns.unpack(self.setting, self.first, self.packed)

    def results(self) -> list[Result]:
        """Results by game and agent."""
        return self.columns().results({failure[:3]: failure for failure in self.failures})


def pack(results: Iterable[Result]) -> list[PackedGames]:
    """Results of any settings, packed: those of each setting together."""
    by_setting: defaultdict[int, list[Result]] = defaultdict(list)
    for result in results:
        by_setting[result.setting].append(result)
    return [
        PackedGames.of(GameColumns.of(setting, own), (one for one in own if one.failed))
        for setting, own in sorted(by_setting.items())
    ]
