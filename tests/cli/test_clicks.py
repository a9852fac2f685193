"""Command ``clicks``: its formats, files, limits and bad input."""

import json
import re
from contextlib import nullcontext
from pathlib import Path

import pytest

from satsweep import Cell, Layout, Record, random_layout
from satsweep.clicks.fewest import FewestClicks
from satsweep.clicks.path import Click, ClickKind
from satsweep.formats import board_json
from satsweep.render.clicks import clicks_to_text, efficiency_of
from tests.cli import invoke, said, validate
from tests.conftest import Golden
from tests.proofs.certificates import is_refutation

LAYOUT = "start 0,0\n....\n.*..\n....\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text(LAYOUT)
    random_layout("beginner", seed=2).save("beginner.txt")
    return tmp_path


def test_text(golden: Golden) -> None:
    pieces = [
        invoke("clicks", "a.txt", "--anywhere"),
        invoke("clicks", "beginner.txt"),
        invoke("clicks", "beginner.txt", "--no-flags"),
    ]
    assert [(done.exit_code, done.stderr) for done in pieces] == [(0, "")] * 3
    golden("clicks.txt", "\n".join(done.stdout for done in pieces))


def test_json() -> None:
    found = json.loads(invoke("clicks", "a.txt", "--json").stdout)
    validate(found, "clicks")
    assert (found["lower"], found["upper"], found["proved"], found["3bv"], found["given"]) == (5, 5, True, 6, 1)
    assert found["path"][0] == {"click": "dig", "cell": [0, 0]}
    empty = invoke("clicks", "-", "--json", stdin="**\n")
    validate(json.loads(empty.stdout), "clicks")
    assert json.loads(empty.stdout)["path"] == []


def test_starts_of_the_layout_and_of_the_option() -> None:
    first = [
        json.loads(invoke("clicks", "a.txt", "--json", *options).stdout)["path"][0]["cell"]
        for options in ([], ["--anywhere"], ["--start", "2,2", "--start", "1,0"])
    ]
    assert first == [[0, 0], [0, 3], [2, 2]]


def test_the_rest_of_a_game_in_play() -> None:
    Path("board.txt").write_text("##1.\n#F1.\n##1.\n")
    found = json.loads(invoke("clicks", "a.txt", "--board", "board.txt", "--json").stdout)
    assert [click["click"] for click in found["path"]] == ["dig", "chord"]
    Path("board.txt").write_text("F#1.\n##1.\n##1.\n")
    found = json.loads(invoke("clicks", "a.txt", "--board", "board.txt", "--json").stdout)
    assert found["path"][0] == {"click": "unflag", "cell": [0, 0]} and found["upper"] == 4


def test_a_path_is_a_game_and_a_moving_picture() -> None:
    done = invoke("clicks", "beginner.txt", "--record", "game.json", "--animation", "path.svg", "-o", "out.txt")
    assert (done.exit_code, done.stdout) == (0, "")
    record = Record.load("game.json")
    assert record.won and len({move.turn for move in record.moves}) == 15
    assert record.layout.cells == Layout.load("beginner.txt").cells
    assert "animation" in Path("path.svg").read_text() and "15, and no fewer" in Path("out.txt").read_text()


def test_out_of_time_there_are_bounds() -> None:
    random_layout("intermediate", seed=2).save("intermediate.txt")
    done = invoke("clicks", "intermediate.txt", "--seconds", "0", "--json")
    found = json.loads(done.stdout)
    validate(found, "clicks")
    assert done.exit_code == 4 and not found["proved"] and found["lower"] < found["upper"] == 65
    text = invoke("clicks", "intermediate.txt", "--seconds", "0").stdout
    assert "the time was up" in text and f"efficiency {100 * found['efficiency']:.1f} %\n" in text


@pytest.mark.extended
def test_a_proof_that_verify_accepts() -> None:
    done = invoke("clicks", "beginner.txt", "--certify", "proof.json", "--drup", "drup")
    assert (done.exit_code, done.stderr) == (0, "")
    validate(json.loads(Path("proof.json").read_text()), "clicks-proof")
    assert invoke("clicks", "beginner.txt", "--certify", "sweep.json").exit_code == 0
    validate(json.loads(Path("sweep.json").read_text()), "clicks-sweep")
    swept = invoke("verify", "beginner.txt", "sweep.json")
    assert swept.exit_code == 0 and swept.stdout.startswith("accepted: no fewer than 15 clicks clear the layout, ")
    false = Path("sweep.json").read_text().replace('"clicks": 15', '"clicks": 16')
    said = invoke("verify", "beginner.txt", "-", stdin=false).stderr
    assert "rejected: the states show that 15 clicks are the fewest, not 16" in said
    bad = invoke("verify", "beginner.txt", "-", stdin=false.replace('"order": [', '"order": [-1, '))
    assert bad.exit_code == 3 and "as an integer from 0" in bad.stderr
    checked = invoke("verify", "beginner.txt", "proof.json")
    assert checked.exit_code == 0 and checked.stdout.startswith("accepted: no fewer than 15 clicks clear the layout, ")
    formula, proof = (Path("drup", name).read_text() for name in ("clicks.cnf", "clicks.drup"))
    assert is_refutation(formula, proof)
    assert invoke("clicks", "a.txt", "--certify", "start.json").exit_code == 0
    assert "5 clicks that begin with digs at 0,0 clear" in invoke("verify", "a.txt", "start.json").stdout
    other = invoke("verify", "a.txt", "proof.json")
    assert (other.exit_code, other.stderr) == (1, "proof.json: rejected: the proof is for another layout\n")
    wrong = Path("proof.json").read_text().replace('"clicks": 15', '"clicks": 14')
    refused = invoke("verify", "beginner.txt", "-", stdin=wrong)
    assert refused.exit_code == 1 and "the cores show that 15 clicks are needed, not 14" in refused.stderr


def test_a_proof_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof of cores, where that of the sweep takes too much work to check."""
    monkeypatch.setattr("satsweep.proofs.click_sweep.MOST_WORK", 100)
    monkeypatch.setattr("satsweep.clicks.certify.MOST_BYTES", 100)
    done = invoke("clicks", "beginner.txt", "--certify", "proof.json", "--json")
    assert (done.exit_code, done.stderr) == (4, "no proof was written: expected a proof of at most 0.0001 MB\n")
    assert json.loads(done.stdout)["proved"] and not Path("proof.json").exists()


def test_bad_input() -> None:
    one = json.dumps(json.loads(board_json.to_json(Layout(("*.",)))))
    Path("two.txt").write_text(f"{one}\n{one}\n")
    for arguments, code, message in [
        (["nothere.txt"], 3, "nothere.txt: expected a readable file: No such file or directory"),
        (["two.txt"], 3, "two.txt: expected one layout, found 2"),
        (["a.txt", "--start", "1,1"], 2, "expected a start on a covered safe cell, found a mine at 1,1"),
        (["a.txt", "--start", "x"], 2, "expected a cell as row,col, each a number from 0, found 'x'"),
        (["a.txt", "--anywhere", "--start", "0,0"], 2, "expected no --start with it"),
        (["a.txt", "--seconds", "-1"], 2, "expected seconds, at least 0, found -1"),
        (["a.txt", "--pace", "1"], 2, "expected --animation with it"),
        (["a.txt", "--board", "two.txt"], 3, "two.txt"),
        (
            ["a.txt", "--board", "two.txt", "--certify", "x"],
            2,
            "Invalid value for '--certify': expected no --board with it",
        ),
        (["a.txt", "--no-flags", "--drup", "x"], 2, "Invalid value for '--drup': expected no --no-flags with it"),
    ]:
        done = invoke("clicks", *arguments)
        assert (done.exit_code, done.stdout) == (code, "")
        assert message in (said(done.stderr) if code == 2 else done.stderr)


def test_ratings_have_the_fewest_clicks() -> None:
    rating = json.loads(invoke("rate", "beginner.txt", "--clicks", "--jsonl").stdout)
    validate(rating, "rating")
    assert rating["clicks"] == {"lower": 15, "upper": 15, "proved": True, "3bv": 24, "efficiency": 1.6}
    assert rating["3bv"] == 24
    quick = invoke("rate", "beginner.txt", "a.txt", "--clicks", "--quick", "--format", "csv").stdout.splitlines()
    assert [line.split(",")[-2:] for line in quick] == [["clicks_lower", "clicks_upper"], ["15", "15"], ["4", "4"]]
    assert (
        "  fewest clicks 15, and no fewer clear the layout (efficiency 160.0 %)\n"
        in invoke("rate", "beginner.txt", "--clicks").stdout
    )
    assert "clicks" not in json.loads(invoke("rate", "beginner.txt", "--jsonl").stdout)
    assert json.loads(invoke("rate", "a.txt", "--clicks", "--quick", "--jsonl").stdout)["clicks"]["upper"] == 4


def test_a_review_counts_clicks_and_compares_them() -> None:
    assert invoke("clicks", "beginner.txt", "--no-flags", "--record", "game.json").exit_code == 0
    text = invoke("review", "game.json", "--clicks").stdout
    assert (
        "  clicks        24: 24 digs\n  3BV           24, throughput 100.0 %\n  fewest clicks 15, and no fewer" in text
    )
    found = json.loads(invoke("review", "game.json", "--clicks", "--json").stdout)
    validate(found, "review")
    fewest = {"lower": 15, "upper": 15, "proved": True, "3bv": 24, "efficiency": 1.6}
    kinds = {"dig": 24, "flag": 0, "unflag": 0, "chord": 0}
    assert found["clicks"] == {
        **{"made": 24, "kinds": kinds, "3bv": 24, "solved": 24, "throughput": 1.0, "not_needed": 0, "start": None},
        "fewest": fewest,
    }
    assert [move["click"] for move in found["moves"]] == [move["solved"] for move in found["moves"]]
    assert "fewest" not in json.loads(invoke("review", "game.json", "--json").stdout)["clicks"]
    page = invoke("review", "game.json", "--clicks", "--format", "html").stdout
    (values,) = re.findall(r'<script type="application/json" id="game">(.*?)</script>', page, re.DOTALL)
    shown = json.loads(values)
    assert (shown["best"]["lower"], shown["best"]["upper"], shown["best"]["proved"]) == (15, 15, True)
    assert shown["review"]["moves"][-1]["click_said"] == "Click 24, a dig: 24 of 24 3BV, throughput 100.0 %."
    assert invoke("clicks", "beginner.txt", "--record", "best.json").exit_code == 0
    best = json.loads(invoke("review", "best.json", "--clicks", "--json").stdout)["clicks"]
    assert best["made"] == best["fewest"]["upper"] == 15 < len(Record.load("best.json").moves)
    assert invoke("review", "game.json", "--clicks", "--format", "csv").exit_code == 2
    assert invoke("review", "game.json", "best.json", "--clicks").exit_code == 2


def test_a_review_of_a_game_whose_rules_open_the_first_cell() -> None:
    """The fewest clicks are those from there, with that cell as the first."""
    done = invoke("play", "--agent", "sat", "--layout", "a.txt", "--record", "agent.json", "--first", "given")
    assert done.exit_code == 0
    found = json.loads(invoke("review", "agent.json", "--clicks", "--json").stdout)["clicks"]
    assert found["made"] == len(Record.load("agent.json").moves) and found["start"] == [0, 0]
    assert found["fewest"]["upper"] == 5 and found["not_needed"] == 2
    text = invoke("review", "agent.json", "--clicks").stdout
    assert "  not needed    1 dig, 1 flag: dig 0,2, flag 1,1\n" in text and "(efficiency 120.0 %), from 0,0\n" in text


def test_rules_without_3bv_have_no_clicks() -> None:
    done = invoke("play", "--agent", "sat", "--layout", "beginner.txt", "--record", "game.json", "--no-cascade")
    assert done.exit_code == 0
    assert json.loads(invoke("review", "game.json", "--json").stdout)["clicks"] is None
    refused = invoke("review", "game.json", "--clicks")
    expected = "game.json: expected a board to clear by exact numbers and a cascade for --clicks\n"
    assert (refused.exit_code, refused.stdout, refused.stderr) == (3, "", expected)


def test_the_bar_tells_how_far_a_sweep_is(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[float, str]] = []

    class Bar:
        def show(self, completed: float, text: str, *, total: float) -> None:
            assert total == 1
            shown.append((completed, text))

    monkeypatch.setattr("satsweep.cli.clicks.progress_bar", lambda: nullcontext(Bar()))
    monkeypatch.setattr("satsweep.clicks.sweep.SLICE", 500)
    random_layout("expert", seed="clicks 4").save("expert.txt")
    assert invoke("clicks", "expert.txt").exit_code == 0
    assert any(0 < completed < 1 and text.endswith("% swept") for completed, text in shown)
    assert shown[-1] == (1.0, "117 clicks")


def test_clicks_of_one_cell_stand_there_together() -> None:
    """A cell that is dug and then chorded: both numbers where there is room, else a letter for both."""
    cell, mine = Cell(1, 1), Cell(0, 0)
    kinds = ((ClickKind.DIG, cell), (ClickKind.FLAG, mine), (ClickKind.CHORD, cell))
    found = FewestClicks(Layout(("*..", "...", "...")), tuple(Click(*own) for own in kinds), 2, 3)
    assert "1+3c" in "".join(clicks_to_text(found, "a", width=80))
    narrow = [line.split() for line in clicks_to_text(found, "a", width=12)]
    assert ["0", "f", ".", "."] in narrow and ["1", ".", "b", "."] in narrow


@pytest.mark.parametrize(
    ("clicks", "lower", "said"),
    [(5, 5, " (efficiency 120.0 %)"), (5, 4, " (efficiency 120.0 %, at most 150.0 %)"), (0, 0, "")],
)
def test_the_most_efficiency_is_that_of_the_fewest_clicks(clicks: int, lower: int, said: str) -> None:
    dig = Click(ClickKind.DIG, Cell(0, 1))
    assert efficiency_of(FewestClicks(Layout(("*.",)), (dig,) * clicks, lower, 6)) == said
