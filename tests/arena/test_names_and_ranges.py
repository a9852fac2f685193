"""Names of agents in reports, ranges of boards, and marks of figures side by side."""

import json
from pathlib import Path

import pytest

from satsweep.arena.plan import Plan
from satsweep.arena.plot import Curve, _shifts
from satsweep.arena.run import compare
from satsweep.arena.stats import Estimate
from satsweep.errors import BoardError
from satsweep.games.deal import boards_named
from satsweep.games.setting import Setting
from tests import ROOT
from tests.cli import invoke

MINE = f"{ROOT}/examples/students/single_rows.py"


def test_an_agent_is_called_as_one_likes(tmp_path: Path) -> None:
    base = ("--board", "5x5/4", "--games", 2, "--jobs", 1)
    named = invoke("compare", "--agents", f"gem,Mine={MINE}", *base, "--store", tmp_path / "a.db", "--json")
    assert [one["agent"] for one in json.loads(named.stdout)["settings"][0]["agents"]] == ["gem", "Mine"]
    plain = invoke("compare", "--agents", f"gem,{MINE}", *base, "--store", tmp_path / "a.db", "--json")
    assert [one["agent"] for one in json.loads(plain.stdout)["settings"][0]["agents"]] == ["gem", "single_rows.py"]
    assert invoke("results", tmp_path / "a.db").exit_code == 0, "one run: a name changes no game"


def test_a_name_is_kept_with_a_plan() -> None:
    plan = Plan(("gem", MINE), (Setting(5, 5, 4),), called=("gem", "Mine"))
    assert Plan.of(plan.described()).labels == ("gem", "Mine")
    assert plan.identity == Plan(("gem", MINE), (Setting(5, 5, 4),)).identity


def test_names_in_the_library() -> None:
    report = compare(["Single=basic", "sat"], "5x5/0.1:0.2", games=2, jobs=1)
    assert report.plan.labels == ("Single", "sat")
    assert [section.setting.mines for section in report.sections] == [2, 4, 5]


@pytest.mark.parametrize("board", ["9x9/12:10", "9x9/1:80:0", "9x9/0.1:", "9x9/0:1000000:1", "9x9/0:90"])
def test_ranges_without_boards(board: str) -> None:
    with pytest.raises(BoardError, match="^expected "):
        boards_named(board)


def test_marks_that_overlap_are_moved_shifts() -> None:
    def curve(label: str, *means: float) -> Curve:
        return Curve(label, [(float(place), Estimate(mean)) for place, mean in enumerate(means)])

    apart = [curve("a", 90, 50), curve("b", 80, 20)]
    assert _shifts(apart) == [0, 0] and _shifts(apart[:1]) == [0]
    assert _shifts([curve("a", 90, 50), curve("b", 90, 20), curve("c", 5, 10)]) == [-5, 0, 5]
    assert _shifts([curve("a", *range(20)), curve("b", *range(20))]) == [0, 0], "bands need no room"
    assert _shifts([curve("a")]) == [0]
