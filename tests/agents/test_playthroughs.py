"""Golden transcripts: each agent has one, replays it, and it is true.

Transcripts of games on other topologies and with unreliable numbers are true as well. The layouts stand in the
transcripts, so they do not depend on how seeds become layouts. The boards of all games but one are left out of the
goldens: they follow from layout and moves, which is checked. One game is on a published board: Haridas and Nair,
*Intro to AI: Project 2 - Minesweeper* (2021), report a game on it move by move.
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from satsweep.agents import AGENTS, agent_named
from satsweep.agents.load import is_builtin
from satsweep.board import COVERED, HIDDEN, Cell
from satsweep.clues import clues_named
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import Game, play
from satsweep.games.record import Action, Record
from satsweep.games.rules import STANDARD_RULES, FirstClick, Rules
from satsweep.layout import Layout
from satsweep.render.transcript import transcript
from tests.conftest import Golden

# Haridas and Nair, section 4.4: the numbers of its 10x10 board with 22 mines, 9 for a mine. Its agent plays on after a
# mine, opens one cell at a time, and had opened 0,1 when it began to reason.
PRINTED = (
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
FOLLOWED = Layout(("".join(".*"[number == "9"] for number in row) for row in PRINTED), start=(0, 1))
AS_PRINTED = Rules(first=FirstClick.GIVEN, cascade=False, fatal=False)

FROM_THE_CORNER = Rules(start=Cell(0, 0))
GOLDENS = Path(__file__).parent / "goldens" / "playthroughs"


def layout_of(name: str) -> Layout:
    """The layout that a transcript has; for an agent without one that of basic.

    On that of basic tank, subset and G.E.M. each use their own rule, gem-full the bounds of a row, and sat the mine
    total. That of gem-refute needs no guess, where gem-full has to guess twice. gem-select guesses once before five
    percent of the mines are known, and twice after. The board of bfs is cleared breadth first, and not depth first.
    deep guesses twice after two plies, and once with a chance to win that is known; sat loses there.
    """
    file = GOLDENS / f"{name}.txt"
    head, *rows = (file if file.exists() else GOLDENS / "basic.txt").read_text().partition("\nlayout")[2].splitlines()
    start = re.search(r"start (\d+),(\d+)", head)
    return Layout(map(str.strip, rows[: rows.index("")]), start=start and (int(start[1]), int(start[2])))


class Playthrough(NamedTuple):
    agent: str
    layout: Layout
    rules: Rules = STANDARD_RULES

    def play(self) -> Record:
        return play(self.layout, agent_named(self.agent), self.rules, game_rng(0, 0), name=self.agent)


PLAYTHROUGHS = {
    "haridas_nair_gem": Playthrough("gem", FOLLOWED, AS_PRINTED),
    **{
        agent: Playthrough(agent, layout_of(agent), FROM_THE_CORNER if entry.rules == STANDARD_RULES else entry.rules)
        for agent, entry in AGENTS.items()
        if is_builtin(entry)
    },
    "gem-select": Playthrough("gem-select", layout_of("gem-select"), Rules(start=Cell(0, 0), fatal=False)),
}

WITH_BOARDS = "basic"
"""Name of the transcript whose golden has the board after each turn."""
BOARD = re.compile(r"\n\n +0 1 2.*(\n +\d+ .*)+")
MOVE = re.compile(r"  (open|guess|flag|unflag|safe) +(\d+),(\d+) +(?:shows (\d+|\?)|(a mine))?")


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_the_game_is_played_as_its_transcript_says(name: str, golden: Golden) -> None:
    playthrough = PLAYTHROUGHS[name]
    record = playthrough.play()
    text = "".join(transcript(record))
    golden(f"playthroughs/{name}.txt", text if name == WITH_BOARDS else BOARD.sub("", text))
    moves_hold(text, record, Game(playthrough.layout, playthrough.rules))


def test_no_transcript_is_left_over() -> None:
    assert {path.stem for path in GOLDENS.iterdir()} == {*PLAYTHROUGHS}


@pytest.mark.parametrize("clues", ["exact", "random 1/2", "underestimate 1/3", "overestimate cap 12"])
@pytest.mark.parametrize(
    "topology", ["hexagonal", "knight", "square in 3 planes", "edges 0-1 0-6 6-7 1-7 7-8 8-9 40-41"]
)
def test_moves_hold_whatever_touches_and_whatever_numbers_tell(topology: str, clues: str) -> None:
    layout = random_layout(6, 7, 12, game_rng(5, 0), topology=topology)
    rules = Rules(start=Cell(0, 0), fatal=False, clues=clues_named(clues))
    record = play(layout, agent_named("basic"), rules, game_rng(5, 1), name="basic")
    moves_hold("".join(transcript(record)), record, Game(record.layout, rules, clue_seed=record.clue_seed))


def moves_hold(text: str, record: Record, game: Game) -> None:
    """Check the text without the record: each move shows its effect, boards are views."""
    said = 0
    height = record.layout.rows + record.layout.topology.planes
    for block in re.split(r"\n(?=turn |start\n)", text.partition("\nstart\n")[2]):
        moves, _, board = block.partition("\n\n")
        for line in moves.splitlines():
            if found := MOVE.match(line):
                said += 1
                cell = Cell(int(found[2]), int(found[3]))
                if found[1] in ("flag", "unflag", "safe"):
                    assert found[4] is None
                    if found[1] != "safe":
                        getattr(game, found[1])(cell)
                    continue
                revealed = dict(game.open(cell).revealed)
                assert revealed[cell] == (None if found[5] else "?" if found[4] == "?" else int(found[4]))
        rows = [row.split()[1:] for row in board.splitlines()[1:height] if row]
        shown = tuple(map("".join, rows))
        if COVERED not in game.board.symbols:  # then texts have another sign for what shows nothing
            shown = tuple(row.replace("~", HIDDEN) for row in shown)
        assert shown == game.board.cells
    assert said == len(record.moves) > 1
    assert game.outcome is record.outcome or game.outcome is None
    assert f"\n{record.outcome.value}: {record.outcome.why}\n" in text


def test_the_game_of_haridas_nair() -> None:
    """Cells that the paper says its agent inferred from several numbers at once.

    Other numbers do not imply them.
    """
    told = "row 1, column 5 is a mine; row 6, column 4 and row 7, column 4 are safe; later row 8, column 4, too"
    cells = {Cell(int(row), int(col)) for row, col in re.findall(r"row (\d), column (\d)", told)}
    basic, gem, sat = (Playthrough(agent, FOLLOWED, AS_PRINTED).play() for agent in ("basic", "gem", "sat"))
    claims = {move.cell: move for move in gem.moves if move.inference and move.inference.rule != "single point"}
    assert cells <= set(claims)
    assert claims[Cell(1, 5)].action is Action.FLAG
    assert FOLLOWED.mines == 22
    assert basic.measures.score < gem.measures.score <= sat.measures.score
    assert basic.measures.beyond_basic == 0 < gem.measures.beyond_basic
