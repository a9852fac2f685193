"""Command ``rate``: its formats, its proofs, collections, bad input."""

import csv
import io
import json
from pathlib import Path

import pytest

from satsweep import Layout, Rules, play
from satsweep.agents import agent_named
from satsweep.assessment import rate as rating_module
from satsweep.assessment.rate import Rating, rate
from satsweep.formats import FORMATS, board_json, certificates
from satsweep.games.deal import game_rng, random_layout
from satsweep.games.rules import FirstClick
from satsweep.proofs.trace import GuessProof, Trace, check, check_guess
from tests.cli import invoke, validate
from tests.conftest import Golden
from tests.formats.replay_files import clicks, link, rawvf

NO_GUESS = Layout(("..*.", "....", ".*..", "...."), start=(0, 0))
GUESS = Layout((".*", ".."), start=(0, 0))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text(f"{NO_GUESS}\n")
    Path("b.txt").write_text(f"{GUESS}\n")
    return tmp_path


def collection(count: int) -> list[Layout]:
    layouts = []
    for number in range(count):
        layout = random_layout(6, 7, 6, game_rng("collection", number))
        start = next(cell for cell in layout.board(()) if not layout.is_mine(cell))
        layouts.append(Layout(layout.cells, start=start))
    return layouts


def lines_of(layouts: list[Layout]) -> str:
    return "".join(json.dumps(json.loads(board_json.to_json(layout))) + "\n" for layout in layouts)


def test_text(folder: Path, golden: Golden) -> None:
    done = invoke("rate", "a.txt", "b.txt")
    assert (done.exit_code, done.stderr) == (0, "")
    golden("rate.txt", done.stdout)
    exact = invoke("rate", "b.txt", "--exact").stdout
    assert "  least risk    1/3 at 0,1\n" in exact


def test_json(folder: Path) -> None:
    done = invoke("rate", "a.txt", "b.txt", "--json")
    first, second = json.loads(done.stdout)
    for found in (first, second):
        validate(found, "rating")
    assert (first["file"], first["number"], first["needs_guess"], first["first_guess"]) == ("a.txt", 1, False, None)
    assert first["proved"] == {"positions": 2, "cells": 8} and first["cleared_by"] == ["sat"]
    guess = second["first_guess"]
    assert second["needs_guess"] and second["proved"] is None and guess["risk_exact"] == "1/3"
    assert (guess["opened"], guess["undecided"], guess["cell"]) == (1, [[0, 1], [1, 0], [1, 1]], [0, 1])
    assert guess["board"] == ["1#", "##"] and guess["mine_world"] == [".*", ".."] and guess["worlds"] == 3
    lines = invoke("rate", "a.txt", "b.txt", "--jsonl").stdout.splitlines()
    assert [json.loads(line) for line in lines] == [first, second]


def test_csv(folder: Path) -> None:
    done = invoke("rate", "a.txt", "b.txt", "--format", "csv", "-o", "out.csv")
    assert (done.exit_code, done.stdout) == (0, "")
    first, second = csv.DictReader(io.StringIO(Path("out.csv").read_text()))
    assert (first["needs_guess"], first["cleared_by"], first["beyond_basic"], first["risk"]) == ("0", "sat", "8", "")
    assert (second["needs_guess"], second["3bv"], second["undecided"], second["risk"]) == ("1", "3", "3", "1/3")
    assert (second["start"], second["cell"]) == ("0,0", "0,1")


def test_collections(folder: Path) -> None:
    """Quick ratings say the same as whole ones, as far as they go, of every layout of a file."""
    layouts = collection(15)
    Path("many.jsonl").write_text(lines_of(layouts))
    quick = [json.loads(line) for line in invoke("rate", "many.jsonl", "--quick", "--jsonl").stdout.splitlines()]
    whole = [json.loads(line) for line in invoke("rate", "many.jsonl", "--jsonl").stdout.splitlines()]
    assert [found["number"] for found in quick] == list(range(1, 16))
    for layout, few, all_of_it in zip(layouts, quick, whole, strict=True):
        validate(few, "rating")
        validate(all_of_it, "rating")
        assert all_of_it["needs_guess"] is rate(layout).needs_guess
        all_of_it["cleared_by"] = [name for name in all_of_it["cleared_by"] if name in ("basic", "sat")]
        assert few == {key: all_of_it[key] for key in few}
    assert {found["needs_guess"] for found in whole} == {True, False}
    assert invoke("rate", "many.jsonl", "--quick").stdout.count("many.jsonl: layout") == 15


def test_proofs(folder: Path) -> None:
    done = invoke("rate", "a.txt", "b.txt", "--proof", "proof{}.json", "--jsonl")
    assert done.exit_code == 0
    trace = certificates.from_json(Path("proof1.json").read_text())
    proof = certificates.from_json(Path("proof2.json").read_text())
    assert isinstance(trace, Trace) and trace.layout == NO_GUESS and check(trace).proofs == 8
    assert isinstance(proof, GuessProof) and proof.layout == GUESS and check_guess(proof) == 3
    accepted = invoke("verify", "a.txt", "proof1.json")
    assert accepted.stdout == "accepted: needs no guess from 0,0, 8 cells proved in 2 positions\n"
    accepted = invoke("verify", "b.txt", "proof2.json")
    assert accepted.stdout == "accepted: needs a guess from 0,0, 3 worlds, in which each of 3 covered cells is a mine\n"
    assert json.loads(invoke("schema", "guess").stdout)["title"].startswith("Proof that a Minesweeper board needs")
    validate(json.loads(Path("proof2.json").read_text()), "guess")


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        (str(NO_GUESS), "rejected: the proof is for another layout"),
        (str(Layout(GUESS.cells, start=(1, 0))), "rejected: the proof starts at 0,0, the layout at 1,0"),
    ],
)
def test_proofs_of_other_layouts(layout: str, message: str, folder: Path) -> None:
    invoke("rate", "b.txt", "--proof", "proof.json")
    Path("other.txt").write_text(layout)
    done = invoke("verify", "other.txt", "proof.json")
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", f"proof.json: {message}\n")


def test_no_proof_without_a_start(folder: Path) -> None:
    Path("c.txt").write_text("..*\n")
    done = invoke("rate", "c.txt", "--proof", "proof.json")
    assert (done.exit_code, done.stderr) == (3, "c.txt: no proof, without a start\n")
    assert "not decided: the layout has no start; --start names one" in done.stdout


def test_folders(folder: Path) -> None:
    (folder / "boards" / "more").mkdir(parents=True)
    Path("boards/b.txt").write_text(f"{GUESS}\n")
    Path("boards/more/a.txt").write_text(f"{NO_GUESS}\n")
    Path("boards/.hidden").write_text("no layout")
    done = invoke("rate", "boards", "a.txt", "--jsonl")
    rated = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.exit_code, done.stderr) == (0, "")
    assert [Path(one["file"]).name for one in rated] == ["b.txt", "a.txt", "a.txt"]


def test_a_game_with_one_wrong_move_is_a_game(folder: Path) -> None:
    """The move is told, not a key that layouts lack; and of a layout its cell."""
    play(NO_GUESS, agent_named("basic"), Rules(FirstClick.GIVEN)).save("game.json")
    assert invoke("rate", "game.json").exit_code == 0
    text = Path("game.json").read_text().replace('"reason": "deduced"', '"reason": "guessed"', 1)
    Path("game.json").write_text(text.replace(", 1]", ", 2]", 1))
    done = invoke("rate", "game.json")
    assert done.exit_code == 3 and "expected the move to reveal" in done.stderr
    Path("layout.json").write_text('{\n "layout": ["*..","..x"], "mines": 1}\n')
    assert invoke("rate", "layout.json").stderr == "layout.json:2:22: expected one of . *, found 'x'\n"


@pytest.mark.parametrize("more", ["", ', "versions": null', ', "versions": ["0.1"]'])
def test_a_head_without_versions_is_refused(more: str, folder: Path) -> None:
    Path("kept.jsonl").write_text(f'{{"file": "satsweep: kept ratings"{more}}}\n')
    done = invoke("rate", "a.txt", "--keep", "kept.jsonl")
    assert done.exit_code == 3 and done.stderr.startswith("kept.jsonl:1: expected the versions that began it, found ")


@pytest.mark.parametrize("format", ["text", "json", "csv"])
def test_finished_ratings_are_kept(format: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("many.jsonl").write_text(lines_of(collection(5)))
    call = ("rate", "a.txt", "many.jsonl", "--format", format, "--keep", "kept.jsonl")
    first = invoke(*call).stdout
    assert first == invoke(*call[:-2]).stdout
    lines = Path("kept.jsonl").read_text().splitlines()
    assert len(lines) == 7
    # An interrupt has cut the last line: only its layout is rated again.
    Path("kept.jsonl").write_text("\n".join(lines[:6]) + "\n" + lines[6][:50])
    rated: list[Layout] = []

    def counted(layout: Layout, *, budget: float | None) -> Rating:
        rated.append(layout)
        return rate(layout)

    monkeypatch.setattr(rating_module, "rate", counted)
    for _ in range(2):
        assert invoke(*call).stdout == first and len(rated) == 1
    # Another name, and other settings, are rated again.
    Path("c.txt").write_text(f"{NO_GUESS}\n")
    assert "c.txt" in invoke("rate", "c.txt", *call[3:]).stdout and len(rated) == 2
    invoke("rate", "a.txt", "--exact", *call[3:])
    assert len(rated) == 3


@pytest.mark.extended
@pytest.mark.parametrize("quick", [("--quick",), ()])
def test_processes_share_the_layouts(quick: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating_module, "BATCH", 6)
    Path("many.jsonl").write_text(lines_of(collection(26)))
    call = ("rate", "many.jsonl", "bad.txt", "a.txt", "--jsonl", *quick)
    alone, shared = invoke(*call, "--jobs", "1"), invoke(*call, "--jobs", "2")
    assert len(alone.stdout.splitlines()) == 27
    assert (shared.exit_code, shared.stdout, shared.stderr) == (3, alone.stdout, alone.stderr)


def test_starts(folder: Path) -> None:
    assert "guess         needed from 0,3" in invoke("rate", "a.txt", "--start", "0,3").stdout
    done = invoke("rate", "b.txt", "a.txt", "--start", "0,1")
    assert done.exit_code == 3 and done.stderr == "b.txt: expected a start on a safe cell, found a mine at 0,1\n"
    assert "a.txt" in done.stdout and "needed from 0,1" in done.stdout, "the rest is rated"
    Path("played.rawvf").write_text(rawvf(NO_GUESS, clicks(("right", 0, 2), ("left", 3, 3))))
    assert json.loads(invoke("rate", "played.rawvf", "--jsonl").stdout)["start"] == [3, 3]
    played = link(Layout(NO_GUESS.cells), [("left", 3, 0)])
    assert json.loads(invoke("rate", played, "--jsonl", "--quick").stdout)["start"] == [3, 0]
    unplayed = FORMATS["ptta-link"].write(Layout(NO_GUESS.cells)).strip()
    assert json.loads(invoke("rate", unplayed, "--jsonl", "--quick").stdout)["start"] is None


def test_standard_input(folder: Path) -> None:
    for text in (f"{GUESS}\n", lines_of([GUESS])):
        done = invoke("rate", "-", "--jsonl", stdin=text)
        found = json.loads(done.stdout)
        assert (done.exit_code, found["file"], found["needs_guess"]) == (0, "<stdin>", True)


def test_bad_input_leaves_the_rest(folder: Path) -> None:
    Path("bad.txt").write_text("mines x\n")
    for format in ("--json", "--jsonl"):
        done = invoke("rate", "bad.txt", "a.txt", "nothing.txt", format)
        assert done.exit_code == 3 and json.loads(done.stdout)
        assert [line.split(":")[0] for line in done.stderr.splitlines()] == ["bad.txt", "nothing.txt"]
    done = invoke("rate", "bad.txt", "--json")
    assert (done.exit_code, json.loads(done.stdout)) == (3, [])


@pytest.mark.parametrize("format", ["--json", "--jsonl"])
def test_an_interrupt_keeps_what_is_finished(format: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def rate_some(layout: Layout, *, budget: float | None) -> Rating:
        if layout == GUESS:
            raise KeyboardInterrupt
        return rate(layout)

    monkeypatch.setattr(rating_module, "rate", rate_some)
    done = invoke("rate", "a.txt", "b.txt", format, "-o", "out.json")
    assert (done.exit_code, done.stderr) == (130, "interrupted after 1\n")
    found = json.loads(Path("out.json").read_text())
    assert (found[0] if format == "--json" else found)["file"] == "a.txt"
