"""Replays: ``ms_toollib`` reads them, and all its failures are BoardErrors.

The library (PyPI; extra ``replays``) comes without replays. It wrote the three EVF (a game on a 4x4 board, versions 0,
3 and 4 of the format); the RMV is put together here by the rules of its format.
"""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings, strategies as st

from satsweep import Board, BoardError, Layout
from satsweep.formats import BINARY_FORMATS, Replay, read_replay, replays, write
from tests.formats import replay_files
from tests.formats.replay_files import Event

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


@pytest.mark.parametrize("name", FILES)
def test_replays_are_recognised_by_content(name: str) -> None:
    recognised = [other for other, format in BINARY_FORMATS.items() if format.recognises(FILES[name])]
    assert recognised == [name[:3]]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (bytes([0, 0, 0, 0, 0, 3]) + b"x" * 20 + b"[0|18.10.2022|...]" + b"Skin: a", "avf"),
        (b"*rmv\0\1", "rmv"),
        (b"\x11\x4d" + bytes(30), "mvf"),
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
    for read in (read_replay, Board.load, Layout.load):
        with pytest.raises(BoardError, match=message) as caught:
            read(path)
        assert caught.value.file == str(path)
    assert list(tmp_path.iterdir()) == [path]


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
@settings(max_examples=200)
def test_recognisers_take_any_bytes(content: bytes) -> None:
    assert sum(recognises(content) for recognises in replays.RECOGNISERS.values()) <= 1
