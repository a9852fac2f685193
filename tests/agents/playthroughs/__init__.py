"""Golden transcripts: one game of each agent, and three on a published board.

Haridas and Nair, *Intro to AI: Project 2 - Minesweeper* (2021, document 000), report a game on it move by move.

The layouts stand here and in the transcripts, so neither depends on how seeds become layouts. ``python -m
tests.agents.playthroughs`` plays all games again and writes them down; what changes is read as a diff.
"""

from pathlib import Path
from typing import NamedTuple

from satsweep.agents import AGENTS, agent_named
from satsweep.agents.load import is_builtin
from satsweep.board import Cell
from satsweep.games.deal import game_rng
from satsweep.games.game import play
from satsweep.games.record import Record
from satsweep.games.rules import FIND_MINES_RULES, STANDARD_RULES, FirstClick, Rules
from satsweep.layout import Layout

HERE = Path(__file__).parent

# Document 000, section 4.4: the numbers of its 10x10 board with 22 mines, 9 for a mine. Its agent plays on after a
# mine, opens one cell at a time, and had opened 0,1 when it began to reason.
DOCUMENT_000 = (
    "0001221293",
    "0112992399",
    "1393239222",
    "9394221100",
    "1229931000",
    "1123991000",
    "1922322232",
    "1129213999",
    "1111394942",
    "9100293110",
)
FOLLOWED = Layout(("".join(".*"[number == "9"] for number in row) for row in DOCUMENT_000), start=(0, 1))
AS_IN_000 = Rules(first=FirstClick.GIVEN, cascade=False, fatal=False)

# Tank, subset and G.E.M. each use their own rule here, gem-full the bounds of a row, and sat the mine total.
REASONING = Layout((
    ".....*..",
    "...*....",
    ".......*",
    "**......",
    "........",
    "...**...",
    "*..*.*.*",
    "........",
))  # fmt: skip
FROM_THE_CORNER = Rules(start=Cell(0, 0))

# Without a guess; gem-full has to guess twice.
REFUTING = Layout((
    "......**",
    "..*....*",
    "...*....",
    ".....*.*",
    "**......",
    "*.**....",
    "........",
    "........",
))  # fmt: skip

# One guess before five percent of the mines are known, two after.
SELECTING = Layout((
    ".*..*...",
    "..*.....",
    ".....**.",
    "...*..*.",
    "......*.",
    ".......*",
    ".......*",
    ".*......",
))  # fmt: skip

# Cleared breadth first, and not depth first.
SEARCHING = Layout((
    "........",
    "........",
    "***.....",
    ".....*.*",
    "........",
    "....*.*.",
    "........",
    "........",
))  # fmt: skip

# Two guesses after two plies, and one whose chance to win is known; sat loses.
AHEAD = Layout((
    "........",
    "**...*..",
    "........",
    "**..*...",
    "...***.*",
    "..*.*...",
    "........",
    "...*.*..",
))  # fmt: skip

HUNTING = Layout((
    ".*...*....",
    "..*...*...",
    "......*...",
    "......**..",
    "..........",
    "......*...",
    "....*.....",
    "..........",
    "..........",
    ".......*..",
), start=(9, 3))  # fmt: skip


class Playthrough(NamedTuple):
    """Agent, layout, rules and seed of a game."""

    agent: str
    layout: Layout
    rules: Rules = STANDARD_RULES

    def play(self) -> Record:
        return play(self.layout, agent_named(self.agent), self.rules, game_rng(0, 0), name=self.agent)


PLAYTHROUGHS = {
    **{f"document_000_{agent}": Playthrough(agent, FOLLOWED, AS_IN_000) for agent in ("basic", "gem", "sat")},
    **{agent: Playthrough(agent, REASONING, FROM_THE_CORNER) for agent, entry in AGENTS.items() if is_builtin(entry)},
    "gem-refute": Playthrough("gem-refute", REFUTING, FROM_THE_CORNER),
    "gem-select": Playthrough("gem-select", SELECTING, Rules(start=Cell(0, 0), fatal=False)),
    **{agent: Playthrough(agent, SEARCHING, FROM_THE_CORNER) for agent in ("bfs", "dfs")},
    "deep": Playthrough("deep", AHEAD, FROM_THE_CORNER),
    **{agent: Playthrough(agent, HUNTING, FIND_MINES_RULES) for agent in ("ai0", "ai1")},
}
"""Every agent that has no game of its own here plays the same one."""


def golden(name: str) -> Path:
    """Return the file of a transcript."""
    return HERE / f"{name}.txt"
