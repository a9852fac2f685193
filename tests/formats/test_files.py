"""Reading and writing files: names, standard input, bytes that are no text, files of many."""

import io
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import example, given

from satsweep import FORMATS, Board, BoardError, Layout, Statement, formats
from satsweep.formats import (
    BINARY_FORMATS,
    MAX_BYTES,
    StatementSet,
    all_formats,
    jsm,
    load,
    read_layouts,
    write,
)
from tests.cli import invoke
from tests.formats import conformance
from tests.games.test_record import by_hand
from tests.strategies import malformed_bytes, written

BOARD = Board(("##1.", "##21", "####"), mines=3)
LAYOUT = Layout(("*...", "..*.", "...."), start=(0, 3))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "board"


def test_the_formats_are_these() -> None:
    """The format ``text`` recognises everything, so it has to be tried last."""
    assert list(FORMATS)[-1] == "text"
    assert list(all_formats()) == [*FORMATS, *BINARY_FORMATS]
    assert all(format.summary for format in all_formats().values())
    recognisers = {
        f"satsweep.formats.{path.stem}.{name}"
        for path in Path(formats.__file__).parent.glob("*.py")
        for name in re.findall(r"^def (\w*recognises\w*)", path.read_text("utf-8"), re.MULTILINE)
    }
    assert recognisers <= {f"{one.recognises.__module__}.{one.recognises.__name__}" for one in all_formats().values()}


def test_values_load_and_save(tmp_path: Path) -> None:
    """The end of the name says the format, unless the format is named."""
    statements = StatementSet((Statement(1, ["a", "b"]),), total_cells=2)
    for value, name in ((BOARD, "a.mine"), (BOARD, "a.json"), (LAYOUT, "a.txt"), (by_hand(), "a.json")):
        value.save(tmp_path / name)
        assert type(value).load(tmp_path / name) == type(value).load(str(tmp_path / name)) == value
    statements.save(tmp_path / "a", format="rules")
    assert StatementSet.load(tmp_path / "a") == statements
    with pytest.raises(ValueError, match=r"or a name that ends in one of \.cnf, \.json, .*, found '.*/a'"):
        BOARD.save(tmp_path / "a")
    with pytest.raises(ValueError, match="expected a format among .*, found 'x'"):
        BOARD.save(tmp_path / "a", format="x")
    with pytest.raises(
        BoardError, match="expected a layout, with all its mines, found a game, with its moves"
    ) as caught:
        by_hand().save(tmp_path / "a.mbf")
    assert caught.value.file == str(tmp_path / "a.mbf") and not (tmp_path / "a.mbf").exists()


def test_json_is_written_one_row_a_line(file: Path) -> None:
    write(BOARD, file, format="json")
    assert file.read_text() == '{\n  "mines": 3,\n  "board": [\n    "##1.",\n    "##21",\n    "####"\n  ]\n}\n'


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_other_peoples_editors(mark: bytes, newline: bytes, file: Path) -> None:
    for value in (LAYOUT, BOARD):
        for name, text in written(value).items():
            if name != "rules" and FORMATS[name].is_read:
                file.write_bytes(mark + text.encode().replace(b"\n", newline))
                assert load(type(value), file, format=name) == value
                assert name == "georgia-tech-old" or type(value).load(file) == value
                assert value == BOARD or name == "georgia-tech-old" or read_layouts(file) == [value]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(str(BOARD).encode())))
    assert Board.load("-") == BOARD
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"##\n#x\n")))
    with pytest.raises(BoardError, match=r"^<stdin>:2:2: expected one of"):
        Board.load("-")


def test_a_file_with_both_gives_what_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "both.board"
    path.write_text(FORMATS["board"].write(Layout(("*..",))) + "\n[view]\nU1U\n")
    assert formats.read(path) == Board.load(path) == Board(("#1#",), mines=1)
    assert formats.read(path, layout=True) == Layout.load(path) == Layout(("*..",))


def test_a_link_or_an_id_stands_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    board, layout, link = conformance.BOARD, conformance.LAYOUT, jsm.write_link(conformance.BOARD).rstrip()
    assert Board.load(link) == board and Layout.load("3x2n1:u20") == layout
    path = tmp_path / "a link.txt"
    for text, value in ((link, board), ("  3x2n1:u20\n", layout)):
        path.write_text(f"\n{text}\n")
        assert type(value).load(path) == value
    long = jsm.write_link(Board(("#.F." * 300,) * 9, mines=9)).rstrip()
    assert len(long) > 4096, "longer than any name of a file"
    assert Board.load(long).cols == 1200
    with pytest.raises(BoardError, match=r"^<argument>:1:\d+: expected 6 cells, found 5"):
        Board.load(link[:-1] + conformance.ALPHABET[12])
    with pytest.raises(BoardError, match=r"^<argument>:1:8: expected a hexadecimal digit, found 'g'"):
        Layout.load("3x2n1:ug0")
    (tmp_path / "3x2n1:ug0").write_text("3x2n1:u20")
    assert Layout.load("3x2n1:ug0") == layout, "a file of that name goes first"
    assert Layout.load("03 02 00 01 02 00") == layout
    for none in (Path("03 02 00 01 02 00"), Path("3x2n1:u20"), Path("https://example.org/board")):
        with pytest.raises(BoardError, match="expected a readable file: No such file"):
            Layout.load(none)


ELSEWHERE = "<argument>:1:1: minesweeper.online keeps the game on its server: draw the board, or save the replay"
NO_BOARD = "<argument>:1:1: expected a link with ?analysis=, ?b= and &m=, or # and a game ID"
NO_GAME = "<argument>:1:1: expected a link with ?b=, &m= and &c="


@pytest.mark.parametrize(
    "command",
    ["solve {}", "explain {}", "convert {} - --to text", "rate {}", "clicks {}", "review {}", "play --replay {}",
     "play --layout {}", "chains --record {}", "verify {} proof", "verify board {}", "find-mines {}",
     "audit --agent ai0 --position {}", "compare --agents sat,tank --layouts {}"],
)  # fmt: skip
def test_a_link_without_a_board_is_explained_by_every_command(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same line as for standard input, instead of "No such file"."""
    monkeypatch.chdir(tmp_path)
    Path("board").write_text("mines 1\n#1\n")
    Path("proof").write_text('{"mines": 1, "board": ["#1"], "proofs": [], "uncertified": []}')
    words = command.split()
    games = words[0] in ("review", "chains") or "--replay" in words
    for link, line in {
        "https://minesweeper.online/game/1": ELSEWHERE,
        "minesweeper.online/game/1": ELSEWHERE,
        "https://example.org/a-board": NO_GAME if games else NO_BOARD,
    }.items():
        result = invoke(*(link if word == "{}" else word for word in words))
        if words[1] == "board" and link.startswith("https://e"):
            line = "<argument>:1:1: expected a certificate, found a link, which is not followed"
        assert (result.exit_code, result.stdout) == (3, "")
        assert result.stderr.splitlines()[0].startswith(line)


def test_links_from_standard_input_say_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command in ("solve", "rate", "review", "explain"):
        for link in ("https://minesweeper.online/game/1", "https://example.org/a-board"):
            piped, given = invoke(command, "-", stdin=f"{link}\n").stderr, invoke(command, link).stderr
            assert piped.replace("<stdin>", "<argument>") == given
    Path("minesweeper.online.txt").write_text("mines 1\n#1\n11\n")
    assert invoke("solve", "minesweeper.online.txt").exit_code == 0
    assert "No such file" in invoke("solve", "minesweeper.online.board").stderr


# --- files that are not even text ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "line", "column", "message"),
    [
        (b"", 1, 1, "expected a board or layout, found nothing"),
        (b" \n\t\r\n", 1, 1, "expected a board or layout, found nothing"),
        (b"\xef\xbb\xbf", 1, 1, "expected a board or layout, found nothing"),
        # The mark is no character of the first line: the wrong byte is the second one.
        (b"\xef\xbb\xbf#\xff\n", 1, 2, "expected UTF-8, found the byte 0xff"),
        (b"\xff\xfe#\x00", 1, 1, "expected UTF-8, found the byte 0xff"),
        (b"##\n#\xc3\n", 2, 2, "expected UTF-8, found the byte 0xc3"),
        (b"##\n#\x00\n", 2, 2, "expected one of # . 0-8 * F ?, found '\\x00'"),
        (b"\x89PMG\r\n\x1a\n", 1, 1, "expected UTF-8, found the byte 0x89"),
    ],
)
def test_bytes_that_are_no_board(content: bytes, line: int, column: int, message: str, file: Path) -> None:
    file.write_bytes(content)
    with pytest.raises(BoardError) as caught:
        Board.load(file)
    assert message in caught.value.message
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(file), line, column)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(BoardError, match="expected a readable file: ") as caught:
            Board.load(path)
        assert caught.value.file == str(path)
    with pytest.raises(BoardError, match="expected the name of a file"):
        Board.load("a\0b")


def test_huge_files_are_refused(file: Path) -> None:
    with open(file, "wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    with pytest.raises(BoardError, match="expected at most 67,108,864 bytes, found more"):
        Board.load(file)


@given(content=malformed_bytes())
@example(content=b"\xef\xbb\xbf\xef\xbb\xbf{}")
@example(content=b'{"layout": ["*."]}\n{}')
@example(content=b'{}\n"')
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "anything"
    file.write_bytes(content)
    for reader, kind in ((Board.load, Board), (Layout.load, Layout), (read_layouts, list)):
        try:
            assert isinstance(reader(file), kind)
        except BoardError as error:
            assert error.file == str(file)


# --- files of many ---------------------------------------------------------------------------------------------------


def test_layouts_are_read_line_by_line(file: Path) -> None:
    """A line may be of any JSON format; blank lines and unknown fields do not matter."""
    file.write_text(
        '{"id": "expert-0", "start": [0, 1], "layout": ["*."]}\n\n'
        '{"dim": "1,2", "bombs": "1", "safe": "0,0", "board": "19"}\r\n'
        '  {"layout": ["..."]}'
    )
    assert read_layouts(file) == [Layout(("*.",), start=(0, 1)), Layout((".*",), start=(0, 0)), Layout(("...",))]
