"""Command ``review``: its formats, folders, kept reviews, bad input."""

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from satsweep import Cell, Layout, Record, Rules, play
from satsweep.agents import agent_named
from satsweep.assessment import review as reviewing
from satsweep.assessment.verdicts import Review
from satsweep.cli.review import ROLLED
from satsweep.cli.shared_work import files_in
from satsweep.games.deal import game_rng, random_layout
from satsweep.kernels import board_engine
from satsweep.render.review_json import GAME_COLUMNS, MOVE_COLUMNS
from satsweep.solver import compiled
from tests.cli import invoke, validate
from tests.conftest import Golden
from tests.formats.replay_files import clicks, rawvf

GUESSES = Layout(("*.", ".."))
NOTE = "there is no compiled library: win chances are known only near the end of games and on small boards\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of four games, one of them a replay with times, and a file that is no game."""
    monkeypatch.chdir(tmp_path)
    for door in (board_engine, compiled):
        monkeypatch.setattr(door, "is_there", lambda: False)
    games = tmp_path / "games"
    (games / "more").mkdir(parents=True)
    for number in range(3):
        rng = game_rng("review", number)
        record = play(random_layout(3, 4, 3, rng), agent_named("basic"), Rules(), rng)
        record.save(games / f"{number}.json")
        os.utime(games / f"{number}.json", (1_700_000_000 + number * 2_600_000,) * 2)
    layout = Layout((".*.*", "....", "*..."))
    (games / "more" / "replay.rawvf").write_text(rawvf(layout, clicks(("left", 0, 0), ("left", 0, 2))))
    (games / ".hidden").write_text("no game")
    start = Rules(start=Cell(1, 1))
    play(GUESSES, agent_named("random"), start, game_rng("a", 1)).save(tmp_path / "a.json")
    return tmp_path


def test_text_of_a_game(folder: Path, golden: Golden) -> None:
    found = invoke("review", "a.json")
    assert (found.exit_code, found.stderr) == (0, NOTE)
    golden("review.txt", found.stdout)


def test_json_of_a_game(folder: Path) -> None:
    values = json.loads(invoke("review", "a.json", "--json").stdout)
    validate(values, "review")
    assert values["exact"] == {"start": "1/3", "skill": "0", "luck": "-1/3", "end": "0"}
    assert values["moves"][1]["choice"]["risk"] == "1/3"


def test_games_and_moves_as_csv(folder: Path) -> None:
    found = invoke("review", "games", "--format", "csv", "--moves", "moves.csv")
    assert found.exit_code == 0
    rows = list(csv.DictReader(io.StringIO(found.stdout)))
    assert list(rows[0]) == list(GAME_COLUMNS) and len(rows) == 4
    for row in rows:
        parts = [float(row[name]) for name in ("start", "skill", "luck", "end")]
        assert sum(parts[:3]) == pytest.approx(parts[3], abs=1e-12)
    moves = list(csv.DictReader(io.StringIO(Path("moves.csv").read_text())))
    assert list(moves[0]) == list(MOVE_COLUMNS)
    assert {row["file"] for row in moves} == {row["file"] for row in rows}
    assert [row["time"] != "" for row in moves if "rawvf" in row["file"]] == [True, True]


@pytest.mark.extended
def test_sums_by_month(folder: Path) -> None:
    text = invoke("review", "games", "--history").stdout
    assert text.startswith("4 games, ") and "expected wins" in text
    assert [line.split()[0] for line in text.splitlines() if line.startswith("  20")][:3] == [
        "2023-11", "2023-12", "2024-01",
    ]  # fmt: skip
    values = json.loads(invoke("review", "games", "--json").stdout)
    validate(values, "review")
    assert values["summary"]["games"] == 4 and list(values["months"])[:1] == ["2023-11"]
    assert sum(month["games"] for month in values["months"].values()) == 4


@pytest.mark.parametrize("source", ["a.json", "games"])
def test_pages_need_no_network(folder: Path, source: str) -> None:
    found = invoke("review", source, "--format", "html", "-o", "page.html")
    assert (found.exit_code, found.stdout) == (0, "")
    page = Path("page.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "") and "prefers-color-scheme: dark" in page


def test_finished_reviews_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = invoke("review", "games", "--keep", "kept.jsonl", "--jobs", "1").stdout
    lines = Path("kept.jsonl").read_text().splitlines()
    assert len(lines) == 5
    # An interrupt has cut the last line: only its file is reviewed again.
    Path("kept.jsonl").write_text("\n".join(lines[:4]) + "\n" + lines[4][:50])
    reviewed: list[Record] = []
    own = reviewing.review

    def counted(record: Record, **more: Any) -> Review:
        reviewed.append(record)
        return own(record, **more)

    monkeypatch.setattr(reviewing, "review", counted)
    for _ in range(2):
        assert invoke("review", "games", "--keep", "kept.jsonl", "--jobs", "1").stdout == first
        assert len(reviewed) == 1


def test_other_content_settings_and_standard_input_are_reviewed_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files: list[str] = []
    own = reviewing.review

    def counted(record: Record, **more: Any) -> Review:
        files.append(record.agent)
        return own(record, **more)

    monkeypatch.setattr(reviewing, "review", counted)
    game = Path("a.json").read_text()
    for expected, (file, *more) in enumerate([("a.json",), ("a.json", "--rolled", "9"), ("-",), ("-",)], 1):
        invoke("review", file, *more, "--keep", "kept.jsonl", stdin=game)
        assert len(files) == expected
    invoke("review", "a.json", "--keep", "kept.jsonl")
    assert len(files) == 4, "it is kept"
    Path("a.json").write_text(f"{game}\n")
    invoke("review", "a.json", "--keep", "kept.jsonl")
    assert len(files) == 5
    invoke("review", "a.json", "--keep", "kept.jsonl", "--moves", "moves.csv")
    invoke("review", "a.json", "--keep", "kept.jsonl", "--moves", "again.csv")
    assert len(files) == 6 and Path("moves.csv").read_text() == Path("again.csv").read_text()


def test_bad_files_are_reported_and_the_rest_is_reviewed(folder: Path) -> None:
    (folder / "games" / "bad.json").write_text('{"agent": 1}')
    found = invoke("review", "games")
    assert found.exit_code == 3 and found.stdout.startswith("4 games")
    said = found.stderr.removeprefix(NOTE)
    assert "bad.json" in said and len(said.splitlines()) == 1
    alone = invoke("review", "games/bad.json")
    assert (alone.exit_code, alone.stdout) == (3, "") and len(alone.stderr.removeprefix(NOTE).splitlines()) == 1


def test_files_below_folders(folder: Path) -> None:
    names = [Path(name).name for name in files_in(["games", "a.json", "-"])]
    assert names == ["0.json", "1.json", "2.json", "replay.rawvf", "a.json", "-"]


def test_one_default_of_roll_outs(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """A game is reviewed alike alone, among many, by the library and on the page."""
    assert ROLLED == reviewing.ROLLED
    rolled: list[int] = []
    own = reviewing.review

    def noted(record: Record, **how: Any) -> Review:
        rolled.append(how["rolled"])
        return own(record, **how)

    monkeypatch.setattr(reviewing, "review", noted)
    invoke("review", "a.json")
    invoke("review", "a.json", "games/0.json", "--jobs", "1")
    assert rolled == [ROLLED] * 3


def test_the_mode_of_a_game_and_another_one(folder: Path) -> None:
    """The option is stronger than the file, in a review of one game and of many; a blank may be a hyphen."""
    game = json.loads(Path("a.json").read_text()) | {"mode": "UPK"}
    Path("upk.json").write_text(json.dumps(game))
    assert "\n  mode          upk: the player may have known the board" in invoke("review", "upk.json").stdout
    values = json.loads(invoke("review", "upk.json", "--json", "--mode", "no-guess").stdout)
    validate(values, "review")
    assert (values["mode"], values["start"]) == ("no guess", 1.0)
    many = json.loads(invoke("review", "upk.json", "a.json", "--json").stdout)
    validate(many, "review")
    assert [(row["mode"], row["known"]) for row in many["games"]] == [("upk", "risk"), ("standard", "exact")]
    many = json.loads(invoke("review", "upk.json", "a.json", "--json", "--mode", "standard").stdout)
    assert {(row["mode"], row["known"]) for row in many["games"]} == {("standard", "exact")}
    wrong = invoke("review", "upk.json", "--mode", "blitz")
    assert wrong.exit_code == 2 and "expected a mode among standard, win7, no-guess" in " ".join(wrong.stderr.split())


def test_without_kernels_it_says_so(folder: Path) -> None:
    rng = game_rng("large", 0)
    play(random_layout(8, 8, 10, rng), agent_named("random"), Rules(), rng).save("large.json")
    found = invoke("review", "large.json")
    assert found.exit_code == 0 and "only near the end of games" in found.stderr
    assert "win chances are not known, only risks" in found.stdout
