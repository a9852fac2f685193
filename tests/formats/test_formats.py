"""File formats: round trips, places of errors, no exception but BoardError."""

import io
import json
import re
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import example, given, strategies as st

from satsweep import FORMATS, Board, BoardError, Layout, Statement, formats
from satsweep.formats import BINARY_FORMATS, MAX_BYTES, StatementSet, all_formats, board_json, read_layouts, write
from tests.games.test_record import by_hand
from tests.strategies import (
    arbitrary_boards,
    boards,
    layouts,
    malformed_bytes,
    malformed_texts,
    unreliable_boards,
    written,
)

ROWS = ("##1.", "##21", "####")
BOARD = Board(ROWS, mines=3)
LAYOUT = Layout(("*...", "..*.", "...."), start=(0, 3))

any_board = st.one_of(boards(max_covered=30), arbitrary_boards(max_cells=30))
OURS = ("json", "text")
our_formats = pytest.mark.parametrize("name", OURS)
every_format_with_a_start = pytest.mark.parametrize("name", sorted(written(LAYOUT)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "board"


# --- round trips -----------------------------------------------------------------------------------------------


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


@our_formats
@given(board=any_board)
def test_boards_read_back(name: str, board: Board) -> None:
    format = FORMATS[name]
    text = format.write(board)
    assert text.endswith("\n") and not text.endswith("\n\n")
    assert format.recognises(text) and format.read_board(text) == board
    assert next(other for other, format in FORMATS.items() if format.recognises(text)) == name


@given(board=st.one_of(boards(), unreliable_boards(), arbitrary_boards()))
def test_a_format_keeps_all_of_a_board_or_refuses_it(board: Board) -> None:
    """For any topology, numbers and clue model."""
    for format in all_formats().values():
        if format.boards and format.writer is not None:
            with suppress(BoardError):
                assert format.read_board(format.write(board)) == board
    for name in ("text", "json"):
        assert FORMATS[name].read_board(FORMATS[name].write(board)) == board


@given(layout=layouts())
def test_layouts_read_back(layout: Layout) -> None:
    texts = written(layout)
    assert texts.keys() >= set(OURS)
    for name, text in texts.items():
        assert FORMATS[name].read_layout(text) == layout
        if name != "georgia-tech-old":  # no content tells this one from the newer format
            assert next(other for other, format in FORMATS.items() if format.recognises(text)) == name


@our_formats
def test_boards_in_files_read_back(name: str, file: Path) -> None:
    write(BOARD, file, format=name)
    assert Board.load(file) == Board.load(str(file)) == Board.load(file, format=name) == BOARD


@every_format_with_a_start
def test_layouts_in_files_read_back(name: str, file: Path) -> None:
    write(LAYOUT, file, format=name)
    assert Layout.load(file) == Layout.load(file, format=name) == LAYOUT


def test_values_load_and_save(tmp_path: Path) -> None:
    """The end of the name says the format, unless the format is named."""
    statements = StatementSet((Statement(1, ["a", "b"]),), total_cells=2)
    for value, name in ((BOARD, "a.mine"), (BOARD, "a.json"), (LAYOUT, "a.txt"), (by_hand(), "a.json")):
        value.save(tmp_path / name)
        assert type(value).load(tmp_path / name) == type(value).load(str(tmp_path / name)) == value
    statements.save(tmp_path / "a", format="rules")
    assert StatementSet.load(tmp_path / "a") == statements
    with pytest.raises(ValueError, match=r"expected a format, or a name that ends in one of \.json, .*, found '.*/a'"):
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
    for value, read in ((LAYOUT, Layout.load), (BOARD, Board.load)):
        for name, text in written(value).items():
            if name not in ("georgia-tech-old", "rules"):
                file.write_bytes(mark + text.encode().replace(b"\n", newline))
                assert read(file) == value


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(str(BOARD).encode())))
    assert Board.load("-") == BOARD
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"##\n#x\n")))
    with pytest.raises(BoardError, match=r"^<stdin>:2:2: expected one of"):
        Board.load("-")


# --- the JSON form ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "board"),
    [
        ('{"board": ["#1"]}', Board(("#1",))),
        ('{"mines": null, "board": ["#1"]}', Board(("#1",))),
        ('{"board": [[-1, 1, 0], [-1, 2, 1], [9, -1, -1]], "mines": 2}', Board(("#1.", "#21", "*##"), mines=2)),
        ('{"board": ["#1"], "density": 0.1}', Board(("#1",), density="1/10")),
        ('{"board": ["#1"], "density": "1/3"}', Board(("#1",), density="1/3")),
        ('{"board": ["#1"], "density": 1e-3, "topology": "torus"}', Board(("#1",), density="1/1000", topology="torus")),
        ('{"id": 7, "comment": [1.5], "rows": 1, "cols": 2, "board": ["F1"]}', Board(("F1",))),
        (' \n{"board":\n["\\u0023\\u0031"]}\n', Board(("#1",))),
    ],
)
def test_boards_in_json(text: str, board: Board, file: Path) -> None:
    assert board_json.board_from_json(text) == board
    file.write_text(text)
    assert Board.load(file) == board


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ('{"layout": ["*."], "mines": 1, "start": [0, 1]}', Layout(("*.",), start=(0, 1))),
        ('{"board": ["*."], "topology": "torus", "rows": 1, "cols": 2}', Layout(("*.",), topology="torus")),
        ('{"layout": [[9, 0]]}', Layout(("*.",))),
    ],
)
def test_layouts_in_json(text: str, layout: Layout) -> None:
    assert board_json.layout_from_json(text) == layout


WRONG_JSON = [
    ("{", 1, 2, "expected JSON"),
    ('{"board": ["#1"]', 1, 17, "expected JSON"),
    ('{"board": ["#1"],}', 1, None, "expected JSON"),
    ('{"board": ["#1"]} x', 1, 19, "expected JSON: extra data"),
    ("[]", 1, 1, "expected a JSON object with 'board'"),
    ('"##"', 1, 1, "expected a JSON object with 'board'"),
    ("{}", 1, 1, "expected the key 'board'"),
    ('\n {"mines": 3}', 2, 2, "expected the key 'board'"),
    ('{"board": "##"}', 1, 11, "expected 'board' as a list of rows"),
    ('{"board": null}', 1, 11, "expected 'board' as a list of rows"),
    ('{"board": []}', 1, 1, "found none"),
    ('{"board": [""]}', 1, 1, "found none"),
    ('{"board": ["##",\n  "#x"]}', 2, 5, "expected one of # . 0-8 * F ?, found 'x'"),
    ('{"board": ["##",\n  "#"]}', 2, 5, "expected 2 cells as in the first row, found 1"),
    ('{"board": ["##",\n  3]}', 2, 3, "expected a row as a string or a list of integers"),
    ('{"board": ["##",\n  1.5]}', 2, 3, "expected a row as a string or a list of integers"),
    ('{"board": [[-1, 0],\n  [-1, 10]]}', 2, 8, "expected an integer from -1 (covered) to 9 (mine)"),
    ('{"board": [[-1, true]]}', 1, 17, "expected an integer from -1 (covered) to 9 (mine)"),
    ('{"board": [[-1, 1.0]]}', 1, 17, "expected an integer from -1 (covered) to 9 (mine)"),
    ('{"board": [[-1, [0]]]}', 1, 17, "expected an integer from -1 (covered) to 9 (mine)"),
    ('{"board": [[-1, -1],\n [-1, 4]]}', 2, 7, "expected at most 3, as many as the cell has neighbours, found 4"),
    ('{"board": ["##"], "mines": 3}', 1, 28, "expected a mine total between 0 and the 2 cells, found 3"),
    ('{"board": ["##"], "mines": "1"}', 1, 28, "expected the mine total as an integer, found '1'"),
    ('{"board": ["##"], "mines": 1.0}', 1, 28, "expected the mine total as an integer"),
    ('{"board": ["##"], "mines": true}', 1, 28, "expected the mine total as an integer, found True"),
    ('{"board": ["##"], "mines": NaN}', 1, 28, "expected a number, found NaN"),
    ('{"board": ["##"], "mines": ' + "1" * 5000 + "}", 1, 28, "expected a number of few digits"),
    ('{"board": ["##"], "density": 1.5}', 1, 30, "expected a density strictly between 0 and 1, found '1.5'"),
    ('{"board": ["##"], "density": true}', 1, 30, "expected a density as a number"),
    ('{"board": ["##"], "density": [1]}', 1, 30, "expected a density as a number"),
    ('{"board": ["##"], "density": 0.5, "mines": 1}', 1, 30, "expected a mine total or a density, found both"),
    (
        '{"board": ["##"], "topology": "cube"}',
        1,
        31,
        "expected a topology among square, torus, hexagonal, orthogonal, knight, or offsets or edges, found 'cube'",
    ),
    ('{"board": ["##"], "topology": 3}', 1, 31, "expected a topology as a string"),
    ('{"board": ["##"],\n "rows": 2}', 2, 10, "expected rows to be the 1 of the board"),
    ('{"board": ["##"], "cols": "2"}', 1, 27, "expected cols to be the 2 of the board"),
    ('{"board": ["##"], "rows": true}', 1, 27, "expected rows to be the 1 of the board"),
    ('{"board": ["##"], "size": 2}', 1, 27, "expected a key among board, mines,"),
    ('{"board": ["##"],\n "mines": 1, "mines": 2}', 2, None, "expected the key 'mines' once, found it again"),
    ('{"board": ' + "[" * 100_000 + "]" * 100_000 + "}", 1, 1, "nested too deeply"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), WRONG_JSON, ids=lambda part: str(part)[:40])
def test_json_that_is_no_board(text: str, line: int, column: int | None, message: str, file: Path) -> None:
    file.write_text(text)
    with pytest.raises(BoardError) as caught:
        Board.load(file)
    error = caught.value
    assert message in error.message
    assert error.line == line and column in (None, error.column)
    assert str(error).startswith(f"{file}:{line}:") and "\n" not in str(error)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ('{"layout": ["*."], "mines": 2}', 29, "expected the total to be the 1 mine shown, found 2"),
        ('{"layout": ["*."], "mines": "1"}', 29, "expected the mine total as an integer"),
        ('{"layout": ["*."], "start": [0, 2]}', 29, "expected a start on the 1x2 grid, found 0,2"),
        ('{"layout": ["*."], "start": [0]}', 29, "expected start as [row, col]"),
        ('{"layout": ["*."], "start": "0,1"}', 29, "expected start as [row, col]"),
        ('{"layout": ["*."], "start": [0, true]}', 29, "expected start as [row, col]"),
        ('{"layout": ["*#"]}', 15, "expected one of . *, found '#'"),
        ('{"layout": ["*."], "density": 0.5}', 31, "expected a key among layout, board, mines,"),
        ("{}", 1, "expected the key"),
    ],
)
def test_json_that_is_no_layout(text: str, column: int, message: str) -> None:
    with pytest.raises(BoardError) as caught:
        board_json.layout_from_json(text)
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (1, column)


# --- files that are not even text ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "line", "column", "message"),
    [
        (b"", 1, 1, "expected a board or layout, found nothing"),
        (b" \n\t\r\n", 1, 1, "expected a board or layout, found nothing"),
        (b"\xef\xbb\xbf", 1, 1, "expected a board or layout, found nothing"),
        (b"\xff\xfe#\x00", 1, 1, "expected UTF-8, found the byte 0xff"),
        (b"##\n#\xc3\n", 2, 2, "expected UTF-8, found the byte 0xc3"),
        (b"##\n#\x00\n", 2, 2, "expected one of # . 0-8 * F ?, found '\\x00'"),
        (b"\x89PNG\r\n\x1a\n", 1, 1, "expected UTF-8, found the byte 0x89"),
    ],
)
def test_bytes_that_are_no_board(content: bytes, line: int, column: int, message: str, file: Path) -> None:
    file.write_bytes(content)
    with pytest.raises(BoardError) as caught:
        Board.load(file)
    assert message in caught.value.message
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(file), line, column)


def test_a_wrong_byte_after_a_byte_order_mark_is_the_one_that_is_named(file: Path) -> None:
    """The mark is no character of the first line: the wrong byte is the second one."""
    file.write_bytes(b"\xef\xbb\xbf#\xff\n")
    with pytest.raises(BoardError) as caught:
        Board.load(file)
    assert "found the byte 0xff" in str(caught.value)
    assert (caught.value.line, caught.value.column) == (1, 2)


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


def test_truncated_files_are_refused(file: Path) -> None:
    """The JSON form of a board is no board when it is cut anywhere."""
    text = board_json.to_json(BOARD)
    for end in range(len(text.rstrip())):
        file.write_text(text[:end])
        with pytest.raises(BoardError):
            Board.load(file)


# --- anything at all -------------------------------------------------------------------------------------------

READERS = [
    reader
    for format in FORMATS.values()
    for reader in (format.read_board, format.read_layout, format.read_statements, format.read)
]


@given(malformed_texts())
@example('{"board": ["\\ud800"]}')
@example('{"\\ud800": 1}')
@example('{"comment": "mines", "mines": 1, "mines": 2}')
@example('{"board": [["#"]], "topology": 1e5}')
@example("\ufeff{}")
@example("\x0b{")
@example("mines\u20281\n##")
@example('{"density": 1e999999999999, "board": ["#"]}')
@example('{"density": -0, "board": ["#"]}')
@example("density 1e-99\n##")
@example('{"dim": "1,1", "bombs": "0", "safe": "0,0", "board": "\u0663"}')
@example('{"dim": "0,9", "bombs": "0", "safe": "0,0", "board": ""}')
@example('{"dim": 1e5, "bombs": [], "safe": null, "board": "9"}')
@example("density 00000/00000\n##")
def test_readers_raise_board_errors_and_nothing_else(text: str) -> None:
    for format in FORMATS.values():
        format.recognises(text)
    for reader in READERS:
        try:
            value = reader(text)
        except BoardError as error:
            assert error.message and (error.line or 0) >= 1 and (error.column or 0) >= 1
            assert "\n" not in str(error), "one line"
        else:
            assert isinstance(value, Board | Layout | StatementSet)


@given(content=malformed_bytes())
@example(content=b"\xef\xbb\xbf\xef\xbb\xbf{}")
def test_files_raise_board_errors_and_nothing_else(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "anything"
    file.write_bytes(content)
    for read in (Board.load, Layout.load):
        try:
            read(file)
        except BoardError as error:
            assert error.file == str(file)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4), st.lists), st.data())
def test_any_json_value_in_any_field(value: object, data: st.DataObject) -> None:
    fields = {
        "board": ["#1"],
        "mines": 1,
        data.draw(
            st.sampled_from(
                ["board", "layout", "mines", "density", "topology", "rows", "cols", "start", "id", "comment"]
            )
        ): value,
    }
    text = json.dumps(fields)
    for reader in (board_json.board_from_json, board_json.layout_from_json):
        try:
            reader(text)
        except BoardError as error:
            assert error.line == 1 and (error.column or 0) >= 1


# --- files of many ---------------------------------------------------------------------------------------------------


def test_layouts_are_read_line_by_line(file: Path) -> None:
    """A line may be of any JSON format; blank lines and unknown fields do not matter."""
    file.write_text(
        '{"id": "expert-0", "start": [0, 1], "layout": ["*."]}\n\n'
        '{"dim": "1,2", "bombs": "1", "safe": "0,0", "board": "19"}\r\n'
        '  {"layout": ["..."]}'
    )
    assert read_layouts(file) == [Layout(("*.",), start=(0, 1)), Layout((".*",), start=(0, 0)), Layout(("...",))]


@every_format_with_a_start
def test_a_file_of_one_layout_is_a_list_of_one(name: str, file: Path) -> None:
    write(LAYOUT, file, format=name)
    assert read_layouts(file) == [LAYOUT]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "expected a board or layout, found nothing"),
        ('{"layout": ["*."]}\n\n{"layout": ["*x"]}', 3, 15, "expected one of . *, found 'x'"),
        ('{"layout": ["*."]}\n{"layout": ["*."], "mines": 2}', 2, 29, "expected the total to be the 1 mine shown"),
        ('{"layout": ["*."]}\n*.\n', 2, 1, "expected a JSON object of its own in every line"),
        ("*.\n.#\n", 2, 2, "expected one of . *, found '#'"),
    ],
)
def test_a_file_of_layouts_is_wrong_at_a_line(text: str, line: int, column: int, message: str, file: Path) -> None:
    file.write_text(text)
    with pytest.raises(BoardError) as caught:
        read_layouts(file)
    error = caught.value
    assert message in error.message
    assert (error.file, error.line, error.column) == (str(file), line, column)


@given(content=malformed_bytes())
@example(content=b'{"layout": ["*."]}\n{}')
@example(content=b'{}\n"')
def test_files_of_layouts_raise_board_errors_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = tmp_path_factory.getbasetemp() / "layouts"
    file.write_bytes(content)
    try:
        assert all(isinstance(layout, Layout) for layout in read_layouts(file))
    except BoardError as error:
        assert error.file == str(file)
