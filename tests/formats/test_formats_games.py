"""Games with moves from every kind of file, and what mutated files do.

Two programs follow the same mouse events: ``ms_toollib`` reads them as RMV, this package reads them as RAWVF. The moves
are the same.
"""

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from satsweep import Board, BoardError, Layout, Record, agent_named, play, random_layout
from satsweep.board import Cell
from satsweep.formats import BINARY_FORMATS, FORMATS, read_game_content, read_games, replays
from satsweep.formats.records import from_json, to_json
from satsweep.games.agent import Inference
from satsweep.games.deal import game_rng
from satsweep.games.game import replay
from satsweep.games.record import Action, MoveReason, Outcome
from satsweep.games.rules import FirstClick
from tests.formats.replay_files import Event, clicks, link, random_game, rawvf, rmv
from tests.formats.test_formats_replays import FILES, LAYOUT, LOST, WON, answer_with
from tests.games.test_record import by_hand
from tests.strategies import examples, malformed_bytes

PATH = (
    ("left", 0, 0),
    ("right", 0, 2),
    ("chord", 0, 1),
    ("right", 3, 0),
    ("chord", 1, 1),
    ("right", 3, 0),
    ("left", 0, 3),
    ("left", 3, 3),
    ("right", 2, 1),
    ("chord", 1, 0),
    ("left", 3, 0),
    ("left", 3, 1),
)
"""A game with a useless chord, a flag that is taken away, and two chords that open a cell."""


def told(record: Record) -> list[str]:
    return [f"{move.turn} {move.action.value} {move.cell}" for move in record.moves]


EXPECTED = ["1 open 0,0", "2 flag 0,2", "3 open 1,2", "4 flag 3,0", "5 unflag 3,0", "6 open 0,3", "7 open 3,3"]
EXPECTED += ["8 flag 2,1", "9 open 2,0", "10 open 3,0", "11 open 3,1"]


def test_a_path_of_clicks(tmp_path: Path) -> None:
    record = Record.load(link(LAYOUT, PATH))
    assert told(record) == EXPECTED and record.outcome is Outcome.CLEARED and record.agent == "player"
    assert record.rules.first is FirstClick.SAFE and record.layout == LAYOUT
    assert {move.time for move in record.moves} == {None} and record.seconds == 0
    chords = {move.turn: move.inference for move in record.moves if move.inference}
    assert chords == {3: Inference("chord", (Cell(0, 1),)), 9: Inference("chord", (Cell(1, 0),))}
    assert {move.reason for move in record.moves} == {MoveReason.CHOSEN}
    assert len(list(replay(record))) == len(EXPECTED)
    path = tmp_path / "link.txt"
    path.write_text(link(LAYOUT, PATH) + "\n")
    assert Record.load(path) == record


def test_mouse_events(tmp_path: Path) -> None:
    path = tmp_path / "game.rawvf"
    path.write_text(rawvf(LAYOUT, clicks(*PATH)))
    record = Record.load(path)
    assert told(record) == EXPECTED and record.agent == "somebody"
    assert [move.time for move in record.moves][:4] == [0.05, 0.5, 1.1, 1.5]
    assert record.seconds == record.moves[-1].time == 5.55
    assert from_json(to_json(record)) == record and '"time": 0.05' in to_json(record)


@pytest.mark.parametrize("name", FILES)
def test_replays_have_moves(name: str, tmp_path: Path) -> None:
    pytest.importorskip("ms_toollib")
    path = tmp_path / "game"
    path.write_bytes(FILES[name])
    (record,) = read_games(path)
    assert record == read_game_content(FILES[name])
    *_, (_, game) = replay(record)
    assert game.board == (LOST if name == "rmv" else WON) and record.layout == LAYOUT
    assert record.outcome is (Outcome.EXPLODED if name == "rmv" else Outcome.CLEARED)
    assert record.agent == ("somebody" if name == "rmv" else "a")
    assert [move.turn for move in record.moves] == list(range(1, len(record.moves) + 1))
    times = [move.time for move in record.moves if move.time is not None]
    assert len(times) == len(record.moves) and times == sorted(times) and times[-1] == record.seconds < 6
    assert told(record)[:3] == ["1 open 0,0", "2 flag 0,2", "3 open 0,3"]


@pytest.mark.parametrize(
    ("seeds", "chords"), [(range(8), 3), pytest.param(range(8, 150), 100, marks=pytest.mark.extended)], ids=str
)
def test_another_program_follows_the_events_alike(seeds: range, chords: int) -> None:
    pytest.importorskip("ms_toollib")
    found = 0
    for seed in seeds:
        layout, events = random_game(Random(seed))
        theirs = read_game_content(rmv(layout, events))
        ours = read_game_content(rawvf(layout, events).encode())
        assert ours == theirs, seed
        assert [game.board for _, game in replay(ours)]
        found += sum(move.inference is not None for move in ours.moves)
    assert found > chords


def written_and_read(record: Record) -> Record:
    """A game written as RAWVF and read again; ms_toollib, given the events, ends with the same board."""
    text = FORMATS["rawvf"].write(record)
    again = read_game_content(text.encode())
    *_, (_, game) = replay(again)
    layout, ms_toollib = record.layout, pytest.importorskip("ms_toollib")
    numbers = [layout.number(layout.cell(index)) for index in range(layout.rows * layout.cols)]
    cells = [-1 if number is None else number for number in numbers]
    theirs = ms_toollib.MinesweeperBoard([cells[at : at + layout.cols] for at in range(0, len(cells), layout.cols)])
    for line in text.partition("Events:\n")[2].splitlines():
        if (event := line.split())[1] not in ("start", "won", "boom"):
            theirs.step(event[1], (int(event[3]) - 1, int(event[2]) - 1))
    seen = "".join(replays.SYMBOLS[number] for row in theirs.game_board for number in row)
    lost = record.outcome is Outcome.EXPLODED  # then they open the other cells of a chord, too
    assert all(one == other or (lost and other == "#") for one, other in zip(seen, game.board.symbols, strict=True))
    assert again.outcome is record.outcome
    return again


@pytest.mark.parametrize("seed", range(12))
def test_games_with_clicks_are_written_with_all_of_them(seed: int, tmp_path: Path) -> None:
    """Times, flags, wrong flags, chords: the same record is read."""
    layout, events = random_game(Random(seed))
    record = read_game_content(rawvf(layout, events).encode())
    assert written_and_read(record) == record
    record.save(tmp_path / "game.rawvf")
    assert Record.load(tmp_path / "game.rawvf") == record


@pytest.mark.parametrize("agent", ["sat", "random", "ai0"])
def test_games_of_agents_are_written_as_clicks(agent: str) -> None:
    """Without times a click takes a second there, and has none when it is read."""
    for game in range(5):
        record = play(random_layout(6, 7, 7, game_rng("r", game)), agent_named(agent), rng=game_rng("r", game))
        again = written_and_read(record)
        done = [move for move in record.moves if move.action is not Action.NOTE]
        assert [(move.action, move.cell) for move in again.moves] == [(move.action, move.cell) for move in done]
        assert {move.time for move in again.moves} == {None} and again.agent == record.agent
        assert f"{len(done)}.000 l" in FORMATS["rawvf"].write(record)


def test_games_by_other_rules_are_not_written() -> None:
    with pytest.raises(BoardError, match="expected the usual rules of play, found first cell .*: this format cannot"):
        FORMATS["rawvf"].write(by_hand())
    torus = play(random_layout(4, 4, 2, game_rng("r", 1), topology="torus"), agent_named("basic"))
    with pytest.raises(BoardError, match="expected a square grid, found torus"):
        FORMATS["rawvf"].write(torus)


def events(*told: tuple[str, int, int]) -> list[Event]:
    return [Event(0.1 * number, name, row, col) for number, (name, row, col) in enumerate(told)]


START = (("lc", 0, 0), ("lr", 0, 0))
FLAG_IT = (("rc", 0, 2), ("rr", 0, 2))


@pytest.mark.parametrize(
    ("options", "then", "moves"),
    [
        ((), [("lc", 3, 3), ("lr", 0, 3)], ["open 0,3"]),
        ((), [("lc", 3, 3), ("lr", 9, 9)], []),
        ((), [("lr", 3, 3)], []),
        ((), [*FLAG_IT, ("lc", 0, 2), ("lr", 0, 2)], ["flag 0,2"]),
        ((), [*FLAG_IT, *FLAG_IT, *FLAG_IT], ["flag 0,2", "unflag 0,2", "flag 0,2"]),
        (("Marks: On",), [*FLAG_IT, *FLAG_IT, *FLAG_IT, *FLAG_IT], ["flag 0,2", "unflag 0,2", "flag 0,2"]),
        ((), [("mt", 0, 0), *FLAG_IT, *FLAG_IT, *FLAG_IT], ["flag 0,2", "unflag 0,2"]),
        ((), [("rc", 0, 2), ("lc", 0, 1), ("lr", 0, 1), ("rr", 0, 1)], ["flag 0,2", "open 1,2"]),
        ((), [("rc", 2, 1), ("lc", 1, 0), ("lr", 1, 0), ("rr", 1, 0)], ["flag 2,1", "open 2,0"]),
        ((), [("rc", 2, 0), ("rr", 2, 0), ("sc", 1, 0), ("lr", 1, 0)], ["flag 2,0", "open 2,1"]),
        (("SuperClick: On",), [("rc", 2, 0), ("rr", 2, 0), ("lc", 1, 0), ("lr", 1, 0)], ["flag 2,0", "open 2,1"]),
        ((), [("rc", 2, 0), ("rr", 2, 0), ("lc", 1, 0), ("lr", 1, 0)], ["flag 2,0"]),
        (("Elmar: On",), [("lc", 0, 3), ("lr", 3, 3)], ["open 0,3", "open 3,3"]),
        ((), [("lc", 0, 3), ("rc", 0, 3), ("rr", 0, 3), ("lr", 0, 3)], []),
        ((), [("lc", 2, 0), ("mc", 2, 0), ("lr", 2, 0), ("rc", 2, 0), ("mr", 2, 0)], []),
        (("SquareSize: 32",), [("lc", 0, 6), ("lr", 6, 6)], ["open 3,3"]),
    ],
)
def test_buttons(options: tuple[str, ...], then: list[tuple[str, int, int]], moves: list[str]) -> None:
    record = read_game_content(rawvf(LAYOUT, events(*START, *then), *options).encode())
    assert [f"{move.action.value} {move.cell}" for move in record.moves] == ["open 0,0", *moves]


def test_cells_count_where_no_pixels_are_given() -> None:
    text = rawvf(LAYOUT, [Event(-0.5, "lc", 0, 0), Event(-0.4, "lr", 0, 0)]) + "1.25 lc 4 4\n1.5 lr 4 4\n2 won\n"
    record = read_game_content(text.encode())
    assert [(str(move.cell), move.time) for move in record.moves] == [("0,0", 0.0), ("3,3", 1.5)]
    assert record.outcome is Outcome.STOPPED


def test_a_mine_of_a_chord_comes_first() -> None:
    text = rawvf(Layout(("*..", "...")), clicks(("left", 0, 1), ("right", 1, 0), ("middle", 0, 1)))
    record = read_game_content(text.encode())
    assert told(record) == ["1 open 0,1", "2 flag 1,0", "3 open 0,0"]
    assert record.outcome is Outcome.EXPLODED and record.moves[-1].exploded


def test_a_first_mine_was_not_promised_away() -> None:
    record = Record.load(link(LAYOUT, [("left", 0, 2)]))
    assert record.rules.first is FirstClick.ANY and record.outcome is Outcome.EXPLODED
    assert [str(game.layout) for _, game in replay(record)] == [str(LAYOUT)]


SAVED = (Path(__file__).parent / "samples" / "mines.sav").read_text("utf-8")


def test_a_saved_game_of_tathams_mines() -> None:
    """Moves that were taken back do not count; the program promises a first cell without mines around it."""
    record = read_game_content(SAVED.encode())
    assert told(record) == ["1 open 0,0", "2 flag 0,2", "3 open 1,2"] and record.outcome is Outcome.STOPPED
    assert record.rules.first is FirstClick.ZERO and record.layout == LAYOUT and len(list(replay(record))) == 3
    assert record.moves[2].inference == Inference("chord", (Cell(0, 1),))
    further = read_game_content(SAVED.replace("STATEPOS:1:4", "STATEPOS:1:5").encode())
    assert told(further) == [*told(record), "4 open 0,3"]
    lost = SAVED.replace("MOVE    :4:F2,0", "MOVE    :4:F2,1").replace("MOVE    :4:C1,0", "MOVE    :9:O2,0;O1,2")
    hit = read_game_content(lost.encode())
    assert hit.outcome is Outcome.EXPLODED and told(hit)[-1] == "3 open 0,2"


def test_a_saved_game_that_began_with_an_id_or_again() -> None:
    typed = SAVED.replace("PRIVDESC:5:u2040\n", "").replace("MOVE    :4:O0,0\n", "")
    record = read_game_content(typed.replace(":1:5", ":1:4").replace("STATEPOS:1:4", "STATEPOS:1:3").encode())
    assert told(record) == ["0 open 0,0", "1 flag 0,2", "2 open 1,2"] and record.rules.first is FirstClick.GIVEN
    assert record.moves[0].reason is MoveReason.START
    again = SAVED.replace("MOVE    :4:O0,0", "RESTART :9:0,0,u2040")
    assert told(read_game_content(again.encode())) == told(record)


HEAD = {"dim": "2,3", "bombs": "1", "safe": "1,0", "board": "011019"}


def moves_file(moves: object, **fields: object) -> bytes:
    return json.dumps({**HEAD, "moves": moves, **fields}).encode()


def test_lists_of_moves() -> None:
    moves = [{"action": "flag", "cell": [0, 2]}, {"action": "unflag", "cell": [0, 2], "time": 3}]
    moves += [{"cell": [1, 2], "action": "flag", "time": 4.5}, {"action": "chord", "cell": [0, 1]}]
    record = read_game_content(moves_file(moves, player="me"))
    assert told(record) == [
        "0 open 1,0",
        "1 flag 0,2",
        "2 unflag 0,2",
        "3 flag 1,2",
        "4 open 0,2",
    ]
    assert [move.time for move in record.moves] == [None, None, 3.0, 4.5, None] and record.agent == "me"
    assert record.moves[0].reason is MoveReason.START and record.outcome is Outcome.CLEARED
    assert len(list(replay(record))) == 5
    rules = {**record.rules.to_values(), "cascade": False, "fatal": False, "goal": "find"}
    found = read_game_content(moves_file([[0, 0], [1, 2]], rules=rules))
    assert told(found) == ["0 open 1,0", "1 open 0,0", "2 open 1,2"]
    assert found.outcome is Outcome.FOUND


def test_several_games_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    whole = [json.dumps(json.loads(to_json(by_hand()))), moves_file([[0, 2]]).decode(), ""]
    path.write_text("\n".join(whole) + "\n")
    assert [record.agent for record in read_games(path)] == ["nobody", "player"]
    path.write_text(link(LAYOUT, PATH) + "\n\n" + link(LAYOUT, [("left", 0, 2)]) + "\n")
    assert [told(record)[:1] for record in read_games(path)] == [["1 open 0,0"], ["1 open 0,2"]]
    path.write_text(to_json(by_hand()))
    assert read_games(path) == [by_hand()] == [Record.load(path)] == [Record.load(path)]
    path.write_text(link(LAYOUT, PATH) + "\n" + "?b=1\n")
    with pytest.raises(BoardError) as caught:
        read_games(path)
    assert str(caught.value).startswith(f"{path}:")


def test_rules_that_the_layout_breaks() -> None:
    rules = {**by_hand().rules.to_values(), "first": "zero", "start": None}
    with pytest.raises(BoardError, match="expected the first cell to be zero, found a mine at or around it"):
        read_game_content(moves_file([[0, 2]], rules=rules))
    with pytest.raises(BoardError, match="expected exact clues, found random 1/10"):
        read_game_content(moves_file([[0, 2]], rules={**rules, "clues": "random 1/10"}))
    with pytest.raises(BoardError, match="expected a start on the 2x3 grid"):
        read_game_content(moves_file([[0, 2]], rules={**rules, "start": [5, 5]}))


@pytest.mark.parametrize(
    ("positions", "message"),
    [
        ([[0.5, [[10, 10], [10, 1]], [1, 1]], [0.7, [[10, 10], [10, 10]], None]], "expected every position to follow"),
        ([[0.5, [[10, 10], [1, 10]], [1, 0]], [0.7, [[10, 10], [2, 1]], None]], "expected every position to follow"),
        ([[0.5, [[11, 10], [10, 10]]]], "found one that ms_toollib cannot read"),
        ([], "found no move"),
    ],
)
def test_positions_that_do_not_follow(positions: object, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = json.dumps({"player": "x", "mode": 0, "layout": [[-1, 1], [1, 1]], "positions": positions}).encode()
    answer_with(answer, monkeypatch)
    with pytest.raises(BoardError, match=message):
        BINARY_FORMATS["evf"].read_as(Record, b"")


def test_a_cascade_over_a_flag_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs whose cascades open flagged cells do what ours does after the flag is gone."""
    flagged, opened = [[10, 10, 11], [10, 10, 10]], [[10, 1, 0], [10, 1, 0]]
    positions = [[0.5, flagged, [0, 2]], [0.7, opened, [1, 2]]]
    answer = json.dumps({"player": "x", "mode": 0, "layout": [[-1, 1, 0], [1, 1, 0]], "positions": positions}).encode()
    answer_with(answer, monkeypatch)
    record = BINARY_FORMATS["evf"].read_as(Record, b"")
    assert told(record) == ["1 flag 0,2", "2 unflag 0,2", "3 open 1,2"]
    assert [game.board for _, game in replay(record)][-1] == Board(("#1.", "#1."), mines=1)


def readable(content: bytes) -> bool:
    """Read content twice; True if it is a game, which then can be played again."""
    try:
        record = read_game_content(content)
    except BoardError:
        return False
    assert from_json(to_json(record)) == record
    assert any(move.action is Action.OPEN for move in record.moves) or record.outcome is Outcome.STOPPED
    return True


@given(content=malformed_bytes())
def test_any_bytes_are_a_game_or_an_error(content: bytes) -> None:
    readable(content)


TEXTS = {
    "record": to_json(by_hand()),
    "rawvf": rawvf(LAYOUT, clicks(*PATH)),
    "link": link(LAYOUT, PATH),
    "save": SAVED,
    "moves": moves_file([[0, 2], {"action": "flag", "cell": [1, 2], "time": 1.5}]).decode(),
}


@pytest.mark.parametrize("name", TEXTS)
@given(
    changes=st.lists(
        st.tuples(st.integers(0, 2000), st.integers(0, 4), st.text("0123456789-. ,lcrm*{}[]\n:A_e", max_size=3)),
        min_size=1,
        max_size=3,
    )
)
@examples(150)
def test_mutated_texts(name: str, changes: list[tuple[int, int, str]]) -> None:
    text = TEXTS[name]
    assert readable(text.encode())
    for place, length, put in changes:
        at = place % (len(text) + 1)
        text = text[:at] + put + text[at + length :]
    readable(text.encode())


def mutated(content: bytes, rng: Random) -> bytes:
    """Content with some bytes changed, then as long as before, cut, or extended."""
    changed = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    if rng.random() < 0.25:
        return bytes(changed + rng.randbytes(rng.randint(1, 40)))
    return bytes(changed[: rng.choice((len(changed), len(changed), rng.randrange(len(changed))))] or b"\0")


@pytest.mark.parametrize("numbers", [range(30), pytest.param(range(1000, 1400), marks=pytest.mark.extended)], ids=str)
def test_mutated_replays(numbers: range) -> None:
    pytest.importorskip("ms_toollib")
    rng, games = Random(numbers.start), 0
    for number in numbers:
        games += readable(mutated(FILES[sorted(FILES)[number % len(FILES)]], rng))
    assert games > 0
