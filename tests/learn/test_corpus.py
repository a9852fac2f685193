"""The corpus: made the same way every time, right by second engines, and no planted error passes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from satsweep.analysis.analyse import analyse
from satsweep.board import Board, Cell
from satsweep.cli import app
from satsweep.errors import BoardError, SatsweepError, StoreError
from satsweep.formats.certificates import to_json
from satsweep.formats.strict import DecimalText
from satsweep.learn.corpus import BANDS, TABLES, check, load, make
from satsweep.learn.corpus.bands import easiest
from satsweep.learn.corpus.checker import SECOND_PROVERS, faults_of
from satsweep.learn.corpus.keys import KeyedPosition, audit_key, explained_example, keyed_rows
from satsweep.learn.corpus.maker import MANIFEST, candidate_of
from satsweep.learn.corpus.rows import rows_of
from satsweep.learn.corpus.tables import Row, canonical, form_of, split_of, to_line, write_parquet
from satsweep.proofs.certify import certify
from satsweep.why.explainer import explain_forced
from tests import ROOT
from tests.brute_force import worlds

SAMPLE = ROOT / "examples/corpus"
ROWS = {table: load(SAMPLE, table) for table in TABLES}
"""The sample in the repository."""


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["corpus", *map(str, arguments)])
    return result.exit_code, result.output


@pytest.mark.parametrize("table", TABLES)
def test_the_sample_is_right(table: str) -> None:
    """Every twentieth row here; all of them in CI. In the fifth guess cells of least risk differ in what they win."""
    rows = ROWS[table]
    assert len(rows) == 200
    assert len({row["form"] for row in rows}) == 200
    assert [faults_of(table, row) for row in rows[::20]] == [[]] * 10
    for row in (rows[4], rows[7]):
        assert to_line(row) in map(to_line, json.loads(json.dumps(rows_of(table, 2026, candidate_of(row)))))


@pytest.mark.extended
@pytest.mark.parametrize("table", TABLES)
def test_the_whole_sample_is_right(table: str) -> None:
    assert [faults for _, faults in check(SAMPLE, table, jobs=1) if faults] == []


def damaged(value: Any) -> object:
    """A value of the same kind that is another one."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case None:
            return 3
        case [[int(), *_], *_] | []:
            return [*value, [0, 0]]
        case [int(row), int(col)]:
            return [col + 1, row]
        case [str(), *_]:
            at = next(at for at, line in enumerate(value) if "/" in line)
            return [*value[:at], value[at].replace("/", "/1", 1), *value[at + 1 :]]
        case [[[*_], *_], *_]:
            return value[1:]
        case str() if "," in value:
            return value.replace(":0", ":1", 1) if ":0" in value else value + " "
        case str() if "\n" in value:
            return value.translate(str.maketrans("#1.", "1.#")) if "#" in value else value.replace("*", ".", 1)
        case _:
            return f"{value}1"


COLUMNS = [(table, column) for table, own in TABLES.items() for column in own.columns]


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_a_planted_error_is_found(table: str, column: str, tmp_path: Path) -> None:
    """An error in one column, in a row where the column says something."""
    row = next(row for row in ROWS[table] if row[column] not in (None, []))
    wrong = row | {column: damaged(row[column])}
    assert wrong != row
    (tmp_path / f"{table}.jsonl").write_text(to_line(wrong), encoding="utf-8")
    shutil.copy(SAMPLE / MANIFEST, tmp_path)
    ((line, faults),) = check(tmp_path, table, jobs=1)
    assert line == 1
    assert faults


def test_a_board_that_stands_in_a_table_already_is_found(tmp_path: Path) -> None:
    """Turned, under another number, so that it is right by itself."""
    first, later = ROWS["positions"][0], ROWS["positions"][1]
    turned = "\n".join(map("".join, zip(*first["board"].splitlines()[::-1], strict=True)))
    again = first | {"id": later["id"], "board": turned, "rows": first["cols"], "cols": first["rows"]}
    (tmp_path / "positions.jsonl").write_text(to_line(first) + to_line(again), encoding="utf-8")
    (_, right), (line, faults) = check(tmp_path, "positions", jobs=1)
    assert right == [] and line == 2
    assert [fault.message for fault in faults if fault.column == "form"] == [
        "expected a new form, found one of an earlier row"
    ]


def test_a_guess_in_which_something_is_certain_is_found() -> None:
    rows = (row for row in ROWS["positions"] if bool(row["safe"]) != bool(row["mined"]))
    row = next(row for row in rows if int(row["worlds"]) < 1000)
    said = faults_of("guesses", dict.fromkeys(TABLES["guesses"].columns, []) | {
        name: value for name, value in row.items() if name in TABLES["guesses"].columns
    })  # fmt: skip
    assert ("board", "expected a position in which nothing is certain") in said


def test_each_set_that_no_play_can_tell_apart_is_listed() -> None:
    row = next(row for row in ROWS["guesses"] if len(row["unavoidable"]) > 1)
    for at, cells in enumerate(row["unavoidable"]):
        others = [*row["unavoidable"][:at], *row["unavoidable"][at + 1 :]]
        ((column, message),) = faults_of("guesses", row | {"unavoidable": others})
        assert column == "unavoidable" and message == f"expected {sorted(cells)} among the sets, found it missing"


def test_a_number_of_a_puzzle_that_is_not_needed_is_found() -> None:
    row = next(row for row in ROWS["puzzles"] if "?" in row["board"] and row["board"].count("#") <= 12)
    board = Board(row["board"].splitlines(), mines=row["mines"])
    world = next(iter(worlds(board)))
    hidden = next(cell for cell in board if board[cell] == "?")
    number = sum(cell in world or board[cell] == "*" for cell in board.neighbours(hidden))
    lines = [*board.cells]
    lines[hidden.row] = lines[hidden.row][: hidden.col] + ".12345678"[number] + lines[hidden.row][hidden.col + 1 :]
    shown = Board(lines, mines=row["mines"])
    analysis = analyse(shown)
    proof = to_json(certify(shown, [explain_forced(shown, Cell.of(row["cell"]), mine=row["mine"])]))
    changed = row | {"board": "\n".join(lines), "certificate": proof, "numbers": row["numbers"] + 1}
    changed |= {"form": form_of(changed), "safe": [*map(list, analysis.safe)], "mined": [*map(list, analysis.mines)]}
    said = [message for column, message in faults_of("puzzles", changed) if column == "numbers"]
    assert f"expected numbers that are all needed, found {hidden} that is not" in said


@pytest.mark.extended
def test_rows_do_not_depend_on_how_they_are_made(tmp_path: Path) -> None:
    """In one process or two, in one go or cut off anywhere: the same bytes."""
    for table in ("positions", "puzzles"):
        rows = list(make(tmp_path / "one", table, 30, 7, jobs=1))
        whole = (tmp_path / "one" / f"{table}.jsonl").read_bytes()
        list(make(tmp_path / "two", table, 30, 7, jobs=2))
        assert (tmp_path / "two" / f"{table}.jsonl").read_bytes() == whole
        list(islice(make(tmp_path / "cut", table, 30, 7, jobs=1), 11))
        path = tmp_path / "cut" / f"{table}.jsonl"
        path.write_bytes(path.read_bytes()[:-40])
        assert len(list(make(tmp_path / "cut", table, 30, 7, jobs=1))) == 30
        assert path.read_bytes() == whole
        assert [row["form"] for row in rows] == [form_of(row) for row in rows]
        with pytest.raises(StoreError, match=r"expected at most 3 rows, found 30; use another folder"):
            list(make(tmp_path / "one", table, 3, 7))
    with pytest.raises(StoreError, match=r'corpus.json: expected \{"seed": "8".*use another folder'):
        list(make(tmp_path / "one", "puzzles", 30, 8))


def test_mirror_images_are_one_form_in_one_split() -> None:
    for row in (*ROWS["boards"][:20], *ROWS["puzzles"][:20]):
        key = "board" if "board" in row else "layout"
        turned = row | {key: "\n".join(map("".join, zip(*row[key].splitlines()[::-1], strict=True)))}
        if "start" in row:
            turned["start"] = [row["start"][1], row["rows"] - 1 - row["start"][0]]
        assert form_of(turned) == row["form"]
    grid = ["#1.", "..2"]
    assert canonical(grid) != canonical(["#1.", ".2."])
    splits = Counter(split_of(row["form"]) for rows in ROWS.values() for row in rows)
    assert splits["train"] > 560 < 10 * splits["test"]


def test_bands_are_nested_and_both_ways_to_find_them_agree() -> None:
    assert {row["band"] for row in ROWS["boards"]} == set(BANDS)
    for row in ROWS["positions"]:
        board = Board(row["board"].splitlines(), mines=row["mines"])
        one, other = easiest(board), easiest(board, provers=SECOND_PROVERS)
        assert (one and one[0], one and one[1]) == (other and other[0], other and other[1])


def test_puzzles_and_guesses_against_brute_force() -> None:
    """The small ones: their certain cells and risks by listing every layout."""
    small = [row for row in ROWS["puzzles"] if row["board"].count("#") <= 12]
    assert len(small) > 100
    for row in small:
        board = Board(row["board"].splitlines(), mines=row["mines"])
        every = list(worlds(board))
        mined = [cell for cell in board.covered if all(cell in world for world in every)]
        safe = [cell for cell in board.covered if not any(cell in world for world in every)]
        assert ([Cell.of(cell) for cell in row["mined"]], [Cell.of(cell) for cell in row["safe"]]) == (mined, safe)
        assert Cell.of(row["cell"]) in (mined if row["mine"] else safe)
        assert row["sentence"].endswith(".")


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "read.py"],
        ["node", "read.mjs"],
        pytest.param(["java", "Read.java", "."], marks=pytest.mark.extended),
    ],
)
def test_readers_of_others(command: list[str]) -> None:
    """Twenty lines in three languages count the same patterns."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    lines = subprocess.run(command, cwd=SAMPLE, capture_output=True, text=True, check=True).stdout.splitlines()
    patterns = Counter(row["pattern"] for row in ROWS["puzzles"])
    first = ROWS["puzzles"][0]
    assert lines[: len(patterns)] == [f"{pattern} {count}" for pattern, count in sorted(patterns.items())]
    assert lines[-1].endswith(first["sentence"])
    assert sum(line.strip() != "" for line in (SAMPLE / command[1]).read_text(encoding="utf-8").splitlines()) <= 30


@pytest.mark.extended
def test_the_command(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    assert run("make", folder, "--count", 12, "--seed", 3, "--jobs", 1, "--table", "puzzles", "--parquet")[0] == 0
    pyarrow = pytest.importorskip("pyarrow.parquet")
    assert pyarrow.read_table(folder / "puzzles.parquet").to_pylist() == load(folder, "puzzles")
    assert run("check", folder, "--table", "puzzles", "--jobs", 1) == (0, "puzzles: 12 rows, all right\n")
    path = folder / "puzzles.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('"numbers":2', '"numbers":3', 1), encoding="utf-8")
    code, output = run("check", folder, "--table", "puzzles", "--jobs", 1)
    assert code == 1
    assert "column numbers: expected 2, found 3" in output
    path.write_text("[]\n", encoding="utf-8")
    assert run("check", folder, "--table", "puzzles")[0] == 3
    with pytest.raises(SatsweepError, match="jsonl:1: expected a JSON object"):
        load(folder, "puzzles")
    with pytest.raises(ValueError, match="expected a table among boards, positions, puzzles, guesses, found 'games'"):
        load(folder, "games")


def test_a_folder_with_some_of_the_tables_is_checked(tmp_path: Path) -> None:
    """As `corpus make --table` makes one; those that are absent are named."""
    assert run("make", tmp_path, "--count", 2, "--seed", 3, "--jobs", 1, "--table", "puzzles")[0] == 0
    told = "boards: absent\npositions: absent\nguesses: absent\npuzzles: 2 rows, all right\n"
    assert run("check", tmp_path, "--jobs", 1) == (0, told)
    code, said = run("check", tmp_path, "--table", "boards", "--jobs", 1)
    assert code == 3 and "boards.jsonl" in said
    (empty := tmp_path / "empty").mkdir()
    code, said = run("check", empty)
    assert code == 3 and "expected a folder with one of boards.jsonl, positions.jsonl" in said


PAIR = ["###", "121"]
KEYS: dict[str, tuple[Row, str, str]] = {
    "right": ({"board": PAIR, "mined": [[0, 0], [0, 2]]}, "right", ""),
    "as text": ({"board": "###\n121", "mined": "[(0, 0), (0, 2)]"}, "right", ""),
    "integers": ({"board": [[-2, -2, -2], [1, 2, 1]], "mined": [[0, 0], [0, 2]]}, "right", ""),
    "in columns": ({"board": "x x x\n1 2 1", "mined": [[0, 2], [0, 0]]}, "right", ""),
    "incomplete": ({"board": PAIR, "mined": [[0, 0]]}, "incomplete", "0,2 is a mine, and the key lacks it. "),
    "not forced": ({"board": ["##", "#1"], "mined": [[0, 0]]}, "wrong", "0,0 is in the key as certainly a mine, and"),
    "safe": ({"board": PAIR, "mined": [[0, 0], [0, 1], [0, 2]]}, "wrong", "0,1 is safe, and in the key."),
    "off the board": ({"board": PAIR, "mined": [[0, 0], [0, 2], [7, 7]]}, "wrong", "7,7 is in the key, but is no"),
    "impossible": ({"board": ["1#."], "mined": [[0, 1]]}, "impossible", "No world agrees with the position."),
    "Enigmata": (
        {"prompt": "", "meta": json.dumps({"question": [[-2, -2, -2], [1, 2, 1]], "answer": [[0, 0]]})},
        "incomplete",
        "0,2 is a mine",
    ),
    "SynLogic": (
        {"metadata": {"revealed_grid": [["X", "1"], ["X", "1"]], "current_mines": [[0, 0]], "full_grid": ["M1", "11"]}},
        "wrong",
        "0,0 is in the key as certainly a mine, and there are layouts in which it is,",
    ),
    "the total decides": (
        {"metadata": {"revealed_grid": ["XX", "X1"], "current_mines": [], "full_grid": ["MM", "M3"]}},
        "right",
        "",
    ),
    "a total that is not said": (
        {"metadata": {"revealed_grid": ["1XX"], "current_mines": [[0, 1], [0, 2]], "full_grid": ["1MM"]}},
        "ambiguous total",
        "0,2 is in the key as certainly a mine, and there are layouts",
    ),
}


@pytest.mark.parametrize(("row", "verdict", "words"), KEYS.values(), ids=KEYS)
def test_keys_of_others(row: Row, verdict: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "keys.jsonl"
    path.write_text(to_line(row), encoding="utf-8")
    ((line, position),) = keyed_rows(path)
    found = audit_key(position)
    assert (line, found.verdict) == (1, verdict)
    if verdict != "right":
        assert " ".join(explained_example(position, found)).startswith(words.strip())
    result = CliRunner().invoke(app, ["audit-keys", str(path)])
    assert result.exit_code == (verdict != "right")
    assert words.strip() in result.output
    as_json = json.loads(CliRunner().invoke(app, ["audit-keys", str(path), "--json"]).output)
    assert as_json["verdicts"][verdict] == 1


def test_keys_are_compared_with_brute_force() -> None:
    """The keys of the sample are right; without a cell, or with another, they are not."""
    for row in ROWS["positions"][::3]:
        board = Board(row["board"].splitlines(), mines=row["mines"])
        for safe, key in ((False, row["mined"]), (True, row["safe"])):
            cells = frozenset(map(Cell.of, key))
            assert audit_key(KeyedPosition(board, cells, safe)).verdict == "right"
            if cells:
                lacking = audit_key(KeyedPosition(board, cells - {min(cells)}, safe))
                assert (lacking.verdict, lacking.missing) == ("incomplete", (min(cells),))
            other = next((cell for cell in board.covered if cell not in cells), None)
            if other is not None:
                wrong = audit_key(KeyedPosition(board, cells | {other}, safe))
                assert (wrong.verdict, wrong.unfounded) == ("wrong", (other,))


def test_fields_of_keys_have_names(tmp_path: Path) -> None:
    path = tmp_path / "keys.jsonl"
    path.write_text('{"a": {"b": ["###", "121"]}, "m": 2, "k": [[0, 1]]}\n{"a": 1}\n', encoding="utf-8")
    rows = keyed_rows(path, board="a.b", key="k", mines="m", safe=True)
    assert next(rows)[1] == KeyedPosition(Board(PAIR, mines=2), frozenset({Cell(0, 1)}), safe=True)
    with pytest.raises(SatsweepError, match=r"jsonl:2: expected a position with a key: expected the field m, found a"):
        next(rows)
    assert CliRunner().invoke(app, ["audit-keys", str(path), "--board", "a.b", "--key", "k", "--safe"]).exit_code == 3


def test_an_audit_of_keys_goes_on_behind_rows_that_cannot_be_read(tmp_path: Path) -> None:
    def synlogic(full_grid: object) -> Row:
        return {"metadata": {"revealed_grid": ["1XX"], "current_mines": [[0, 1], [0, 2]], "full_grid": full_grid}}

    good = {"board": PAIR, "mined": [[0, 0], [0, 2]], "m": 2}
    bad = {
        '{"board": ["##"], "mined": null, "m": 1}': "expected a list of cells as [row, col], found null",
        '{"board": ["##"], "mined": [], "m": 1e999}': "expected an integer, found 1e999",
        '{"board": ["##"], "mined": [], "m": "2\u00b2"}': 'expected an integer, found "2\\u00b2"',
        '{"board": ["##"], "mined": [[0.5, 0]], "m": 1}': "expected an integer, found 0.5",
        '{"board": ["##"], "mined": [[true, 0]], "m": 1}': "expected an integer, found true",
        '{"board": ["##"], "mined": [[0, 0, 0]], "m": 1}': "expected a list of cells as [row, col], found [[0, 0, 0]]",
        '{"board": ["##"], "mined": [], "m": 7}': "expected a mine total between 0 and the 2 cells, found 7",
        '{"board": [["\\u001b[2J"]], "mined": [], "m": 1}': 'expected a cell of the board, found "\\u001b[2J"',
        '{"board": [7], "mined": [], "m": 1}': "expected a row of the board, found 7",
        '{"board": {"\\ud800": 1}, "mined": [], "m": 1}': 'expected a board, found {"\\ud800": 1}',
        '{"board": ["#"], "\\u001b": 1, "m": 1}': "expected the field mined, found board, \\x1b, m",
        "[" * 100_000: ":1: expected JSON of at most 500 levels",
    }
    path = tmp_path / "keys.jsonl"
    for text, error in bad.items():
        path.write_text(f"{json.dumps(good)}\n{text}\n{json.dumps(good)}\n", encoding="utf-8")
        done = CliRunner().invoke(app, ["audit-keys", str(path), "--board", "board", "--mines", "m"])
        assert done.exit_code == 3 and done.stderr.startswith(f"{path}:2:") and error in done.stderr, done.stderr
        assert done.stderr.endswith(f"{path}: 1 row could not be read\n") and "right           2, 100 %" in done.stdout
    with pytest.raises(BoardError, match=r"keys.jsonl:2:1: expected JSON of at most 500 levels"):
        list(keyed_rows(path))

    totals = [synlogic(one) for one in (["1MM"], ["MMMM"], 7, ["1.."], [7], None)]
    path.write_text("".join(map(to_line, totals)), encoding="utf-8")
    refused = list[BoardError]()
    audited = [(line, audit_key(one).verdict) for line, one in keyed_rows(path, refused=refused.append)]
    assert audited == [(1, "ambiguous total"), (4, "wrong"), (6, "wrong")]
    assert [error.line for error in refused] == [2, 3, 5]


HOSTILE: list[object] = [
    None,
    True,
    7,
    -1,
    10**30,
    DecimalText("1e999"),
    "",
    "\\ud800\\x1b[2J",
    "1/0",
    [],
    [[]],
    [[7, 10**30]],
    [["a"]],
    {},
    {"a": 1},
]
"""Values that no column has, but for a few."""


@pytest.mark.parametrize("first", [0, pytest.param(1, marks=pytest.mark.extended)])
@pytest.mark.parametrize("table", TABLES)
def test_any_value_of_a_row_is_right_or_a_fault(table: str, first: int) -> None:
    """Every second value for a column, and the others for the next one."""
    row = ROWS[table][0]
    for at, column in enumerate(row):
        for value in HOSTILE[(at + first) % 2 :: 2]:
            if value != row[column]:
                faults = faults_of(table, row | {column: value})
                assert all(isinstance(text, str) for fault in faults for text in fault)
                assert faults or column in ("id", "split", "mines"), (column, value)


@pytest.mark.parametrize("value", ["seven", [[0]], "\ud800"])
def test_parquet_of_rows_of_other_types_is_one_line(value: object, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    column = "board" if value == "\ud800" else "rows"
    row = json.dumps(ROWS["puzzles"][0] | {column: value})
    (tmp_path / "puzzles.jsonl").write_text(f"{row}\n", encoding="utf-8")
    with pytest.raises(SatsweepError, match="puzzles.jsonl: expected rows of the corpus: ") as caught:
        write_parquet(tmp_path, "puzzles")
    assert str(caught.value).isprintable() and not (tmp_path / "puzzles.parquet").exists()
