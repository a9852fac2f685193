"""The puzzles of Train, which one comes next, and ratings by Glicko-2."""

import json
import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from satsweep.analysis.analyse import analyse
from satsweep.analysis.endgame import endgame
from satsweep.board import Board, Cell
from satsweep.learn.corpus import BANDS, load
from tests import ROOT
from tests.page.node import STATIC, node

PUZZLES: list[dict[str, Any]] = json.loads((STATIC / "train" / "puzzles.json").read_text("utf-8"))
GUESS = "best guess"


def board_of(puzzle: dict[str, Any]) -> Board:
    return Board.from_text(puzzle["board"])


def test_some_puzzles_are_those_of_their_rows() -> None:
    subprocess.run([sys.executable, "scripts/puzzles.py", "--check", "60"], cwd=ROOT, check=True)


@pytest.mark.extended
def test_a_twelfth_of_the_puzzles_are_those_of_their_rows() -> None:
    subprocess.run([sys.executable, "scripts/puzzles.py", "--check", "12"], cwd=ROOT, check=True)


@pytest.mark.slow
def test_all_puzzles_are_those_of_their_rows() -> None:
    subprocess.run([sys.executable, "scripts/puzzles.py", "--check"], cwd=ROOT, check=True)


def test_the_sample_of_the_corpus_has_the_same_rows() -> None:
    rows = {row["id"]: row for row in load(ROOT / "examples" / "corpus", "puzzles")}
    shared = [puzzle for puzzle in PUZZLES if puzzle["id"] in rows]
    assert len(shared) > 50
    for puzzle in shared:
        row = rows[puzzle["id"]]
        assert [puzzle[name] for name in ("band", "pattern", "mine")] == [
            row[name] for name in ("band", "pattern", "mine")
        ]
        board = board_of(puzzle)
        assert len(board.covered) == row["board"].count("#")


def test_all_techniques_are_there_the_easiest_first() -> None:
    bands = list(Counter(puzzle["band"] for puzzle in PUZZLES))
    assert bands == ["pairs and subsets", "several numbers", "case distinction", "mine total", GUESS]
    assert set(bands) == {*BANDS[1:], GUESS}
    assert len({puzzle["id"] for puzzle in PUZZLES}) == len(PUZZLES) > 300
    assert all(max(board_of(puzzle).rows, board_of(puzzle).cols) <= 10 for puzzle in PUZZLES)


def test_the_page_about_train_has_the_numbers_and_ratings_of_puzzles() -> None:
    ratings: dict[str, list[int]] = {}
    for puzzle in PUZZLES:
        ratings.setdefault(puzzle["band"], []).append(puzzle["rating"])
    said = re.findall(
        r"^\| ([a-z ]+) \| (\d+) \| (\d+) to (\d+) \|$", (ROOT / "docs/guides/page.md").read_text("utf-8"), re.M
    )
    assert said == [(band, str(len(own)), str(min(own)), str(max(own))) for band, own in ratings.items()]


def agrees(board: Board, solution: str) -> bool:
    """Return whether a solution has the numbers, mines and total of a board; counted here."""
    cols = board.cols
    mines = {Cell(*divmod(at, cols)) for at, symbol in enumerate(solution) if symbol == "*"}
    for cell in board:
        around = sum(Cell(cell.row + i, cell.col + j) in mines for i, j in product((-1, 0, 1), repeat=2))
        symbol = board[cell]
        if symbol.isdigit() and int(symbol) != around:
            return False
        if (symbol == "*") > (cell in mines) or (symbol not in "#*" and cell in mines):
            return False
    return board.mines is None or board.mines == len(mines)


def test_every_covered_cell_is_right_or_refuted() -> None:
    """Reasons for what is certain, and for every other cell a solution in which it is not what is asked for."""
    for puzzle in PUZZLES:
        if puzzle["band"] == GUESS:
            continue
        board, mine = board_of(puzzle), puzzle["mine"]
        analysis = analyse(board, engine="elimination")
        right = {Cell.of(tuple(reason["cell"])) for reason in puzzle["reasons"]}
        others = {Cell.of(tuple(cell)) for cell in puzzle["others"]}
        assert (right, others) == tuple(
            map(set, (analysis.mines, analysis.safe) if mine else (analysis.safe, analysis.mines))
        )
        assert all(agrees(board, solution) for solution in puzzle["refutations"])
        for cell in set(board.covered) - right - others:
            shown = {solution[cell.row * board.cols + cell.col] == "*" for solution in puzzle["refutations"]}
            assert (not mine) in shown


def test_chances_of_guesses_are_those_of_best_play() -> None:
    guesses = [puzzle for puzzle in PUZZLES if puzzle["band"] == GUESS]
    assert len({puzzle["pattern"] for puzzle in guesses}) == 3
    for puzzle in guesses[::5]:
        board = board_of(puzzle)
        analysis = analyse(board)
        search = endgame(analysis)
        assert search is not None
        wins = {cell: search.win_with(cell) for cell in board.covered}
        told = {Cell(row, col): (Fraction(risk), Fraction(win)) for row, col, risk, win in puzzle["chances"]}
        assert told == {cell: (analysis.risk(cell), win) for cell, win in wins.items()}
        assert {Cell.of(tuple(cell)) for cell in puzzle["best"]} == {
            cell for cell, win in wins.items() if win == max(wins.values())
        }
        assert 0 not in {risk for risk, _ in told.values()}
        assert sorted(set(wins.values()))[-2] <= max(wins.values()) - Fraction(2, 100)


def test_the_worked_example_of_glicko_2() -> None:
    """Glickman, "Example of the Glicko-2 system" (2012): a period of three games."""
    found = node("""
        import { rated } from "./train/glicko2.js";
        const games = [[1400, 30, 1], [1550, 100, 0], [1700, 300, 0]];
        const player = { rating: 1500, deviation: 200, volatility: 0.06 };
        const played = games.map(([rating, deviation, score]) => ({ rating, deviation, score }));
        console.log(JSON.stringify([rated(player, played), rated(player, [])]));
    """)
    period, idle = found
    assert period["rating"] == pytest.approx(1464.06, abs=0.01)
    assert period["deviation"] == pytest.approx(151.52, abs=0.005)
    assert period["volatility"] == pytest.approx(0.05999, abs=0.00001)
    assert idle["rating"] == 1500
    assert idle["deviation"] == pytest.approx(200.2714, abs=0.0001)


def test_a_right_answer_raises_the_rating_and_all_answers_make_it_surer() -> None:
    levels = range(1000, 2400, 100)
    ratings = node(f"""
        import {{ rated, UNRATED }} from "./train/glicko2.js";
        const after = (rating, score) => rated(UNRATED, [{{ rating, deviation: 100, score }}]);
        console.log(JSON.stringify({list(levels)}.map((rating) => [after(rating, 1), after(rating, 0)])));
    """)
    for won, lost in ratings:
        assert lost["rating"] < 1500 < won["rating"]
        assert max(won["deviation"], lost["deviation"]) < 350
    assert [won["rating"] for won, _ in ratings] == sorted(won["rating"] for won, _ in ratings)
    assert [lost["rating"] for _, lost in ratings] == sorted(lost["rating"] for _, lost in ratings)


NEXT = """
    import { readFileSync } from "node:fs";
    import { Puzzles } from "./train/puzzles.js";
    const puzzles = new Puzzles(JSON.parse(readFileSync("train/puzzles.json", "utf8")));
    const any = { band: "", pattern: "" };
"""


def test_the_next_puzzle_is_near_the_rating_and_new() -> None:
    found = node(f"""{NEXT}
        const drawn = [];
        let last = null;
        for (let at = 0; at < 60; at++) drawn.push((last = puzzles.next(any, 1500, drawn, last)).id);
        console.log(JSON.stringify(drawn));
    """)
    ratings = {puzzle["id"]: puzzle["rating"] for puzzle in PUZZLES}
    assert len(set(found)) == len(found)
    assert max(abs(ratings[one] - 1500) for one in found) <= 75


def test_when_all_are_answered_the_oldest_answer_comes_again() -> None:
    band = "case distinction"
    found = node(f"""{NEXT}
        const wanted = {{ band: "{band}", pattern: "" }};
        const ids = puzzles.of(wanted).map(({{ id }}) => id);
        const first = puzzles.next(wanted, 1500, ids);
        const second = puzzles.next(wanted, 1500, [...ids.slice(1), first.id], first);
        const one = {{ all: [puzzles.named(ids[0])] }};
        const only = Puzzles.prototype.next.call(new Puzzles(one.all), any, 1500, [ids[0]], one.all[0]);
        console.log(JSON.stringify([first.id, second.id, only.id, ids.slice(0, 2)]));
    """)
    first, second, only, ids = found
    assert [first, second, only] == [*ids, ids[0]]
