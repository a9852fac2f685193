"""``solve --deep``: chances to win, estimates marked, the tree of best play, no library."""

import json
from fractions import Fraction
from typing import Any

import pytest

from satsweep.analysis.advice import advise
from satsweep.analysis.analyse import analyse
from satsweep.analysis.endgame import Endgame, endgame
from satsweep.board import Cell
from satsweep.render.number_text import about_percent
from tests.cli import invoke, validate
from tests.cli.test_one_ranking import is_stuck
from tests.games.positions import positions_of_games
from tests.solver.test_corpora import corpus

SMALL = "mines 2\n#1#\n1##\n###\n"


def deep(board: object) -> dict[str, Any]:
    result = invoke("solve", "-", "--deep", "--json", stdin=f"{board}\n")
    assert (result.exit_code, result.stderr) == (0, "")
    answer: dict[str, Any] = json.loads(result.stdout)
    validate(answer)
    return answer


def no_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the compiled library away."""
    monkeypatch.setattr("satsweep.solver.compiled.is_there", lambda: False)


def check_tree(tree: dict[str, Any], position: Endgame) -> None:
    """Every branch has the chances of the search, and they add up."""
    assert (tree["worlds"], Fraction(tree["win"])) == (position.size, position.win)
    assert tree["won"] == position.win * position.size
    if position.win == 1:
        assert "cell" not in tree
        return
    cell = Cell(*tree["cell"])
    after = position.numbers(cell)
    assert [own["number"] for own in tree["numbers"]] == list(after)
    assert tree["won"] == sum(own["won"] for own in tree["numbers"]) == position.win_with(cell) * position.size
    assert tree["lost"] == tree["worlds"] - sum(own["worlds"] for own in tree["numbers"])
    for own in tree["numbers"]:
        check_tree(own, after[own["number"]])


@pytest.mark.extended
def test_endgames_are_exact_with_their_tree_where_there_are_no_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    no_kernels(monkeypatch)
    tried = 0
    for board, _ in positions_of_games(6, 6, 8, seed=22, games=12):
        found = endgame(analyse(board))
        if found is None or not found.cells or not is_stuck(board):
            continue
        answer = deep(board)
        advice = answer["advice"]
        assert advice["kind"] == "exact" and answer["best_play"] is not None
        assert all(own["win_exact"] is not None for own in advice["candidates"])
        assert Fraction(advice["candidates"][0]["win_exact"]) == found.win
        assert found.win == 1 or answer["best_play"]["cell"] == answer["best"]["cell"]
        check_tree(answer["best_play"], found)
        tried += 1
    assert tried > 3


def test_a_large_tree_is_cut_in_text_only() -> None:
    board = "mines 5\n" + "\n".join(["####"] * 3)
    said = invoke("solve", "-", "--deep", stdin=board).stdout.splitlines()
    assert said[-1].startswith("... and ") and said[-1].endswith("more lines; --json has the whole tree")

    def lines(tree: dict[str, Any]) -> int:
        return sum(1 + lines(own) for own in tree.get("numbers", ()))

    left = int(said[-1].split()[2].replace(",", ""))
    assert lines(deep(board)["best_play"]) == left + 60


def test_a_game_that_needs_no_guess_any_more() -> None:
    board = "mines 3\n##1.\n##21\n####"
    safe = next(
        str(own) for own, _ in positions_of_games(5, 5, 3, seed=1, games=3) if (tree := endgame(analyse(own))) and
        tree.cells and tree.win == 1 and analyse(own).safe
    )  # fmt: skip
    assert "best play wins for certain: no guess is needed\n" in invoke("solve", "-", "--deep", stdin=safe).stdout
    assert invoke("solve", "-", stdin=board).stdout.count("best play") == 0
    assert "best_play" not in json.loads(invoke("solve", "-", "--json", stdin=board).stdout)


@pytest.mark.extended
def test_elsewhere_there_are_estimates_that_are_marked() -> None:
    stuck = filter(is_stuck, corpus("positions_expert").values())
    board = next(own for own in stuck if advise(analyse(own)).kind == "estimate")
    answer = deep(board)
    first = answer["advice"]["candidates"][0]
    assert (answer["advice"]["kind"], answer["best_play"], first["win_exact"]) == ("estimate", None, None)
    assert 0 < first["win"] < 1 and "(estimate)" in answer["advice"]["sentence"]
    said = invoke("solve", "-", "--deep", stdin=str(board)).stdout
    assert about_percent(first["win"]) in said and "chances to win are estimates of the deep player" in said


REMARKS = {
    "library": "the deep player needs the compiled library, which is not installed",
    "total": "the deep player needs a mine total",
    "noise": "the deep player needs exact numbers in all open cells",
    "large": "the board is too large for the deep player",
}
OPEN = "\n".join(["#" * 12] * 12)


@pytest.mark.parametrize("why", REMARKS)
def test_why_no_chance_is_known(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    large = "mines 900\n" + "\n".join(["#" * 102] * 102)
    noise = "mines 3\nclues random 1/10\n##1\n###\n###\n###"
    board = {"library": f"mines 30\n{OPEN}", "total": "##1\n###\n###", "noise": noise, "large": large}[why]
    if why == "library":
        no_kernels(monkeypatch)
    result = invoke("solve", "-", "--deep", stdin=board)
    assert result.exit_code == 0
    assert result.stderr == f"{REMARKS[why]}: the chances to win are not known, so the least risk comes first\n"
    assert "wins" not in result.stdout and "safe cell follows" in result.stdout
