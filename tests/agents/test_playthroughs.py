"""Tests of the golden transcripts: each agent has one, replays it, and it is true.

Transcripts of games on other topologies and with unreliable numbers are true as well.
"""

import re

import pytest

from satsweep.agents import AGENTS, agent_named
from satsweep.board import Cell
from satsweep.clues import clues_named
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.game import Game, play
from satsweep.games.record import Action, Record
from satsweep.games.rules import Rules
from satsweep.render.transcript import transcript
from tests.agents.playthroughs import FOLLOWED, HERE, PLAYTHROUGHS, golden

every_playthrough = pytest.mark.parametrize("name", PLAYTHROUGHS)
MOVE = re.compile(r"  (open|guess|flag|unflag|safe) +(\d+),(\d+) +(?:shows (\d+|\?)|(a mine))?")


@every_playthrough
def test_the_game_is_played_again_as_it_is_written_down(name: str) -> None:
    """After an intended change ``python -m tests.agents.playthroughs`` rewrites them.

    The change is then reviewed as a diff.
    """
    assert golden(name).read_text(encoding="utf-8") == "".join(transcript(PLAYTHROUGHS[name].play()))


def test_every_agent_has_its_transcript() -> None:
    ours = {name for name, entry in AGENTS.items() if not entry.source.startswith("installed")}
    assert {playthrough.agent for playthrough in PLAYTHROUGHS.values()} == ours
    assert {path.name for path in HERE.glob("*.txt")} == {golden(name).name for name in PLAYTHROUGHS}


@every_playthrough
def test_its_moves_hold_in_a_game(name: str) -> None:
    playthrough = PLAYTHROUGHS[name]
    text = golden(name).read_text(encoding="utf-8")
    moves_hold(text, playthrough.play(), Game(playthrough.layout, playthrough.rules))


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
        assert tuple(map("".join, rows)) == game.board.cells
    assert said == len(record.moves) > 1
    assert game.outcome is record.outcome or game.outcome is None
    assert f"\n{record.outcome.value}: {record.outcome.why}\n" in text


def test_the_game_of_document_000() -> None:
    """Cells that the paper says its agent inferred from several numbers at once.

    Other numbers do not imply them.
    """
    told = "row 1, column 5 is a mine; row 6, column 4 and row 7, column 4 are safe; later row 8, column 4, too"
    cells = {Cell(int(row), int(col)) for row, col in re.findall(r"row (\d), column (\d)", told)}
    basic, gem, sat = (PLAYTHROUGHS[f"document_000_{agent}"].play() for agent in ("basic", "gem", "sat"))
    claims = {move.cell: move for move in gem.moves if move.inference and move.inference.rule != "single point"}
    assert cells <= set(claims)
    assert claims[Cell(1, 5)].action is Action.FLAG
    assert FOLLOWED.mines == 22
    assert basic.measures.score < gem.measures.score <= sat.measures.score
    assert basic.measures.beyond_basic == 0 < gem.measures.beyond_basic
