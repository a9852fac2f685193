"""Study of an agent: audit, ends of its games, success beside other agents.

The ends of games are exact: before the last move of a lost game the risk of its cell is compared with the least risk.
A game is lost to bad luck where no cell was safer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from satsweep.agents.load import LoadedAgent
from satsweep.analysis.analyse import analyse
from satsweep.arena.plan import Plan
from satsweep.arena.report import Report
from satsweep.arena.stats import Estimate
from satsweep.board import Board
from satsweep.games.game import replay
from satsweep.games.record import MoveReason, Outcome, Record
from satsweep.games.setting import Setting
from satsweep.oracle.audit import audited_games, regret_of
from satsweep.oracle.report import Audit, merged_audits

BESIDE = ("basic", "gem", "sat")
"""Agents to compare with, for single numbers, for pairs, for everything."""
DENSITIES = (5, 10, 15, 20, 25)
"""Densities of mines, in percent of the cells."""
GAMES = 100


class Ending(Enum):
    """End of a game, in words."""

    WON = "won"
    CLAIM = "lost by a false claim"
    SAFE = "lost by a guess beside a safe cell"
    RISKIER = "lost by a guess that was not the least risky"
    LUCK = "lost by bad luck: no cell was safer"
    START = "lost at the first cell"
    STUCK = "given up"
    PLAYED = "played to the end, with mines opened"
    FAILED = "failed"


@dataclass(frozen=True)
class Study:
    """Results of an agent: its audit, ends of games, a comparison by density."""

    setting: Setting
    seed: str
    audit: Audit
    endings: Counter[Ending]
    comparison: Report

    @property
    def label(self) -> str:
        return self.comparison.plan.labels[0]

    def rates(self, measure: str = "won") -> Iterator[tuple[int, dict[str, Estimate | None]]]:
        """Yield each number of mines with the estimates of all agents."""
        for section in self.comparison.sections:
            found = {one.agent: one.measured[measure] for one in section.summaries}
            yield section.setting.mines, {agent: found.get(agent) for agent in self.comparison.plan.labels}


def plan_of(agent: str, setting: Setting, seed: str, games: int) -> Plan:
    """Return the plan of the comparison, on boards of rising density."""
    agents = tuple(dict.fromkeys((agent, *BESIDE)))
    counts = dict.fromkeys(max(1, round(setting.area * percent / 100)) for percent in DENSITIES)
    settings = tuple(
        Setting(setting.rows, setting.cols, mines, setting.rules, setting.topology) for mines in sorted(counts)
    )
    return Plan(agents, settings, games=games, seed=seed)


def played(
    agent: LoadedAgent, setting: Setting, seed: str, games: int, watch: Callable[[int], None] = lambda number: None
) -> tuple[Audit, Counter[Ending]]:
    """Return the audit of an agent over games, and the ends of these games."""
    audits: list[Audit] = []
    endings: Counter[Ending] = Counter()
    layouts = (setting.layout(seed, number)[0] for number in range(games))
    for audit, record in audited_games(agent, layouts, setting.rules, seed=seed):
        audits.append(audit)
        endings[Ending.FAILED if record is None else ending_of(record)] += 1
        watch(len(audits))
    return merged_audits(agent.name, audits), endings


_PLAYED = {Outcome.CLEARED: Ending.WON, Outcome.FOUND: Ending.WON, Outcome.MISTAKEN: Ending.CLAIM}
_PLAYED |= {Outcome.STUCK: Ending.STUCK, Outcome.STOPPED: Ending.STUCK, Outcome.PLAYED_OUT: Ending.PLAYED}


def ending_of(record: Record) -> Ending:
    """Return how a game ended.

    >>> from satsweep.agents import agent_named
    >>> from satsweep.games.game import play
    >>> from satsweep.games.rules import Rules
    >>> from satsweep.layout import Layout
    >>> ending_of(play(Layout(("*..", "...", "...")), agent_named("basic"), Rules(start=(2, 2))))
    <Ending.WON: 'won'>
    """
    if record.outcome in _PLAYED:
        return _PLAYED[record.outcome]
    *before, last = record.moves
    if last.reason is not MoveReason.GUESSED:
        return Ending.CLAIM
    if not any(move.revealed for move in before):
        return Ending.START
    board = _before_last(record)
    regret = regret_of(analyse(board.without_flags()), last.cell)
    if not regret:
        return Ending.LUCK
    return Ending.SAFE if analyse(board.without_flags()).safe else Ending.RISKIER


def _before_last(record: Record) -> Board:
    boards = [game.board for _, game in replay(record)]
    return boards[-2]
