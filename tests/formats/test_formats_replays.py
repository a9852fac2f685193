"""Replays: ``ms_toollib`` reads them, and all its failures are BoardErrors.

The library (PyPI; extra ``replays``) comes without replays. It wrote the three EVF (a game on a 4x4 board, versions 0,
3 and 4 of the format); the RMV is put together here by the rules of its format.
"""

import subprocess
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, strategies as st

from satsweep import Board, BoardError, Layout, Record, formats
from satsweep.formats import (
    BINARY_FORMATS,
    Replay,
    mvf,
    read_game_content,
    read_layouts_with_starts,
    read_replay,
    replays,
    write,
)
from tests.formats import replay_files
from tests.formats.replay_files import Event
from tests.strategies import examples

LAYOUT = Layout(("..*.", "....", ".*..", "...."))
START = Board(("####",) * 4, mines=2)
FIRST = Board((".1##", "12##", "####", "####"), mines=2)
FLAGGED = Board((".1F#", "12##", "####", "####"), mines=2)
WON = Board((".1F1", "1221", "1#1.", "111."), mines=2)
LOST = Board((".1F1", "1221", "1*1.", "##1."), mines=2)
CLICKS = [(0.5, 0, 0), (1.0, 0, 2), (2.0, 0, 3), (3.0, 3, 3), (4.0, 2, 0), (5.0, 2, 1)]


def rmv() -> bytes:
    """A lost game in the first version of RMV."""
    events = []
    for seconds, row, col in CLICKS:
        button = "r" if (row, col) == (0, 2) else "l"
        events += [Event(seconds, button + "c", row, col), Event(seconds + 0.05, button + "r", row, col)]
    return replay_files.rmv(LAYOUT, events)


EVF = sorted((Path(__file__).parent / "replays").glob("*.evf"))
FILES = {**{f"evf {path.stem[-1]}": path.read_bytes() for path in EVF}, "rmv": rmv()}


def answer_with(answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this be what ms_toollib writes, installed or not."""
    monkeypatch.setattr(replays, "find_spec", lambda name: SimpleNamespace())
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=0, stdout=answer))


@pytest.fixture
def library() -> None:
    pytest.importorskip("ms_toollib")


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("name", FILES)
def test_replays(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_bytes(FILES[name])
    replay = read_replay(path)
    last = LOST if name == "rmv" else WON
    assert replay.layout == LAYOUT == Layout.load(path)
    assert replay.final == last == Board.load(path) == Board.load(path, format=name[:3])
    assert FIRST in [board for _, board in replay.positions] and replay.positions[-1][1] == last
    times = [time for time, _ in replay.positions]
    assert times == sorted(times) and times[-1] < 6
    for time, board in replay.positions:
        assert replay.at(time) == [seen for then, seen in replay.positions if then <= time][-1]
        for cell in board:
            assert board.number(cell) in (None, LAYOUT.number(cell))
    assert replay.at(-1) == START
    if name == "rmv":
        assert [replay.at(seconds) for seconds in (0.4, 0.6, 1.5, 99)] == [START, FIRST, FLAGGED, LOST]


def test_a_replay_by_hand() -> None:
    replay = Replay(LAYOUT, ((0.5, FIRST), (1.5, FLAGGED)))
    assert [replay.at(time) for time in (0, 0.5, 1, 1.5, 9)] == [START, FIRST, FIRST, FLAGGED, FLAGGED]
    assert replay.final == FLAGGED and Replay(LAYOUT, ()).final == START


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (bytes([0, 0, 0, 0, 0, 3]) + b"x" * 20 + b"[0|18.10.2022|...]" + b"Skin: a", "avf"),
        (b"*rmv\0\1", "rmv"),
        (b"\x11\x4d" + bytes(30), "mvf"),
        (replay_files.mvf(LAYOUT, "7"), "mvf"),
        (bytes([4, 128, 0, 9, 9, 0, 10]) + bytes(40), "evf"),
        *((FILES["evf 4"][:length], "evf") for length in (31, 60, 120)),
    ],
)
@pytest.mark.usefixtures("library")
def test_broken_replays(content: bytes, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library ends its process and leaves a log; neither shows here."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "game"
    path.write_bytes(content)
    message = f"expected a replay in the format {name.upper()}, found one that ms_toollib cannot read"
    if content.startswith(b"\x11\x4d"):
        message = "expected a replay .*, found one .*"
    for read in (read_replay, Board.load, Layout.load):
        if name == "mvf" and read == Layout.load and len(content) > 40:
            assert read(path) == LAYOUT
            continue
        with pytest.raises(BoardError, match=message) as caught:
            read(path)
        assert caught.value.file == str(path)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(("year", "version"), [("5", "0.97"), ("6", "2006"), ("7", "2007"), ("8", "0.97 of 2008")])
def test_the_layout_of_a_clone_is_in_clear(
    year: str, version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the library, too; where the library fails, the error says which version it is."""
    content = replay_files.mvf(LAYOUT, year)
    (path := tmp_path / "game").write_bytes(content)
    assert [name for name, form in BINARY_FORMATS.items() if form.recognises(content)] == ["mvf"]
    assert Layout.load(path) == LAYOUT == read_layouts_with_starts(path)[0]
    assert content[mvf.place_of_name(content)] == b"Jos\xe9"
    monkeypatch.setattr(replays, "find_spec", lambda name: SimpleNamespace())
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=1))
    said = (
        f"found one of Minesweeper Clone {version} that ms_toollib cannot read: its layout is read, its moves are not"
    )
    for read in (Record.load, Board.load, read_replay):
        with pytest.raises(BoardError, match=said) as caught:
            read(path)
        assert caught.value.file == str(path)


def test_a_clone_up_to_096_is_no_mbf(tmp_path: Path) -> None:
    layout = Layout((("*..." * 4), *("." * 16,) * 15))
    whole = BINARY_FORMATS["mbf"].write(layout)
    (path := tmp_path / "game").write_bytes(whole + bytes(23))
    assert Layout.load(path) == layout == formats.read(path)
    for reads in (Record.load, Board.load, read_replay):
        with pytest.raises(
            BoardError, match="found one of Minesweeper Clone 0.96 or earlier: its layout is read, its mov"
        ):
            reads(path)
    recognised = {name for name, form in BINARY_FORMATS.items() if form.recognises(whole + bytes(23))}
    assert recognised == {"mvf"} and BINARY_FORMATS["mbf"].recognises(whole)
    path.write_bytes(whole + bytes(22))
    with pytest.raises(BoardError, match="expected 12 bytes for 4 mines, found 34 at byte 12"):
        Layout.load(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (replay_files.mvf(LAYOUT, "9"), "expected a replay of Minesweeper Clone .*, found one of another version"),
        (replay_files.mvf(LAYOUT, "7")[:86], "expected 4 bytes with the size .*, found the end at byte 86"),
        (replay_files.mvf(LAYOUT, "7")[:90], "expected 8 bytes for 2 mines, found 6 at byte 90"),
        (
            replay_files.mvf(LAYOUT, "7").replace(bytes([3, 1]), bytes([3, 0])),
            "expected columns and rows from 1, found 0",
        ),
        (replay_files.mvf(LAYOUT, "7").replace(b"\3\1", b"\5\1"), "expected a column below 4, found 4"),
    ],
)
def test_clones_that_are_broken(content: bytes, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        BINARY_FORMATS["mvf"].read_layout(content)
    assert mvf.place_of_name(replay_files.mvf(LAYOUT, "7")[:92]) == slice(0, 0)


NAMES = {b"Jos\xe9": "Jos\xe9", b"\xd5\xc5": "\xd5\xc5", "Jos\xe9".encode(): "Jos\xe9", b"\xff" * 255: "\xff" * 255}
"""Names in several codings, each as it is read."""


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_not_utf_8_is_no_reason_to_refuse_a_game(name: bytes) -> None:
    changed = FILES["rmv"].replace(b"\x08somebody", bytes([len(name)]) + name)
    record, told = read_game_content(changed), read_game_content(FILES["rmv"])
    assert record == replace(told, agent=NAMES[name])


def test_a_name_in_rawvf_may_be_in_any_coding() -> None:
    text = replay_files.rawvf(LAYOUT, replay_files.clicks(("left", 0, 0))).encode()
    for name, read_as in NAMES.items():
        assert read_game_content(text.replace(b"somebody", name)).agent == read_as
    with pytest.raises(BoardError, match=r"^8:3: expected one of \* 0, found 'é'"):
        read_game_content(text.replace(b"\n0000\n", b"\n00\xe90\n", 1))


def test_what_is_no_replay(tmp_path: Path) -> None:
    path = tmp_path / "board"
    write(LAYOUT, path, format="mbf")
    with pytest.raises(BoardError, match="expected a replay, in one of the formats avf, rmv, mvf, evf") as caught:
        read_replay(path)
    assert caught.value.file == str(path)


def test_replays_are_only_read() -> None:
    with pytest.raises(BoardError, match="expected a format that can be written: files of this one are only read"):
        BINARY_FORMATS["evf"].write(LAYOUT)


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "find_spec", lambda name: None)
    with pytest.raises(
        BoardError, match=r"expected the package ms_toollib.*: pip install -e '\.\[replays\]' in the checkout"
    ):
        replays.read(rmv(), "rmv")


def test_a_library_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*arguments: object, **options: object) -> None:
        raise subprocess.TimeoutExpired("ms_toollib", 60)

    answer_with(b"", monkeypatch)
    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(BoardError, match="expected a replay that can be read within 60 s, found one that cannot"):
        replays.read(rmv(), "rmv")


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"[]",
        b'{"layout": [], "positions": []}',
        b'{"layout": [[0]], "positions": [[0, [[99]], null]]}',
        b'{"layout": [[0]], "positions": [[0, [], null]]}',
        b'{"layout": [[0]], "positions": [[0, [[5]], null]]}',
        b'{"layout": [[0]], "positions": [[0, [[10]]]]}',
        b'{"layout": 3, "positions": null}',
    ],
)
def test_an_answer_that_makes_no_sense(answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with(answer, monkeypatch)
    with pytest.raises(BoardError):
        replays.read(rmv(), "rmv")


@given(content=st.binary(max_size=80))
@examples(200)
def test_recognisers_take_any_bytes(content: bytes) -> None:
    assert sum(recognises(content) for recognises in replays.RECOGNISERS.values()) <= 1
