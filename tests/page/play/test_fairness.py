"""Mines that are redrawn in Play: by the engine in the browser and by Python, on the page, and in its reviews."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from satsweep import Board, Layout, Rules, analyse, random_layout
from satsweep.board import COVERED, Cell
from satsweep.errors import BoardError
from satsweep.formats import read_game_content
from satsweep.games.game import Game, replay
from satsweep.games.redraw import decision
from satsweep.games.rules import Redraw
from tests.page.browsing import Visit, expect, in_browser
from tests.page.engine.test_answers import engine
from tests.page.pages import ask

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page


REDRAWN = [redraw for redraw in Redraw if redraw is not Redraw.NEVER]
LEAD = "#view-play .lead"


def opened_cells(board: Board) -> list[Cell]:
    return [cell for cell in board if not board.is_covered(cell)]


def played(games: int) -> Iterator[tuple[Board, Layout]]:
    """Positions of games in which any cells are opened that are no mine, with their layouts."""
    for number in range(games):
        rng = Random(number)
        layout = random_layout("6x6/8" if number % 2 else "9x9/14", rng=rng)
        game = Game(layout, Rules(), rng)
        while game.outcome is None:
            yield game.board, game.layout
            safe = [cell for cell in game.board if game.is_covered(cell) and not game.layout.is_mine(cell)]
            game.open(rng.choice(safe) if game.moves else rng.choice([*game.board]))


@pytest.mark.extended
@pytest.mark.parametrize("redraw", REDRAWN)
def test_python_and_the_engine_decide_alike_and_draw_what_agrees(redraw: Redraw) -> None:
    rng = Random(1)
    asked: list[dict[str, Any]] = []
    for board, layout in played(8):
        covered = [cell for cell in board if board.is_covered(cell)]
        for cell in rng.sample(covered, min(2, len(covered))):
            asked.append({"board": str(board), "layout": str(layout), "opening": cell, "redraw": redraw.value})
    moved = 0
    for one, (_, own) in zip(asked, engine({"ask": "redraw", **one} for one in asked), strict=True):
        board, before, cell = Board.from_text(one["board"]), Layout.from_text(one["layout"]), Cell(*one["opening"])
        analysis = analyse(board)
        assert analysis.least_risk is not None
        decided = decision(redraw, analysis.risk(cell), analysis.least_risk)
        for found in (own, ask("redraw", **one)):
            assert found["safe"] == sorted(map(board.index, analysis.safe))
            assert (found["layout"] is None) == (decided in (None, before.is_mine(cell)))
            if found["layout"] is not None:
                after = Layout(tuple(found["layout"]))
                assert after.is_mine(cell) is decided and after.mines == before.mines
                assert after.board(opened_cells(board)) == board
                numbers = [after.number(one) for one in board]
                assert found["shown"] == "".join("*" if n is None else ".12345678"[n] for n in numbers)
                moved += 1
    assert moved > 10


def test_the_engine_draws_every_layout_equally_often() -> None:
    """A middle cell that is spared: the layouts of the rest, by the seed."""
    board, layout = Board(("###", "###"), mines=2), Layout(("*..", "*.."))
    asked = {"board": str(board), "layout": str(layout), "opening": (0, 0), "redraw": "fair"}
    found = engine({"ask": "redraw", **asked, "seed": str(seed)} for seed in range(1000))
    counts = Counter("".join(answer["layout"]) for _, answer in found)
    assert len(counts) == 10 and all(text[0] == "." for text in counts)
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 27.9, "9 degrees of freedom, p = 0.001"


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"layout": "...\n*.*"}, "one grid"),
        ({"layout": ".*\n.*", "board": "mines 1\n##\n##"}, "one mine total"),
        ({"opening": (0, 5)}, "expected a covered cell"),
        ({"opening": (0, 0), "board": "mines 2\n2#\n##"}, "expected a covered cell"),
        ({"redraw": "kind"}, "never"),
        ({"board": "mines 2\n1#\n#1"}, "possible"),
        ({"board": "mines 2\nclues underestimate\n##\n##"}, "exact clues"),
    ],
)
def test_questions_without_an_answer(values: dict[str, Any], found: str) -> None:
    asked = {"board": "mines 2\n##\n##", "layout": "..\n**", "opening": (0, 1), "redraw": "fair"}
    with pytest.raises(BoardError, match=found):
        ask("redraw", **{**asked, **values})


# The page


def board_of(visit: Visit, rows: int, cols: int, mines: int, page: Page | None = None) -> Board:
    """What the player sees."""
    signs = {"covered": COVERED, "flagged": COVERED, "empty": "."}
    text = "".join(signs.get(label.split(",")[0], label[:1]) for label in visit.symbols("play", page))
    return Board(tuple(text[first : first + cols] for first in range(0, rows * cols, cols)), mines=mines)


def play_by_risk(visit: Visit, rows: int, cols: int, mines: int) -> list[Board]:
    """Open cells of least risk until the game is over; all that was seen."""
    page, seen = visit.page, [board_of(visit, rows, cols, mines)]
    while page.locator("#view-play .review").count() == 0:
        cell = analyse(seen[-1]).safest[0]
        visit.cell(*cell, "play").click()
        expect(visit.cell(*cell, "play")).not_to_have_accessible_name(re.compile(", covered"))
        if page.locator(LEAD).text_content() not in ("", "Open a cell to begin."):
            break
        seen.append(board_of(visit, rows, cols, mines))
    return seen


def saved_game(page: Page, view: str) -> Any:
    with page.expect_download() as downloading:
        page.locator(f"#{view}-file").last.click()
    assert downloading.value.suggested_filename == "game.json"
    return read_game_content(Path(downloading.value.path()).read_bytes())


@in_browser
def test_a_fair_game_forgives_and_says_so(visit: Visit) -> None:
    """Cells of least risk win, whatever lay there; a link, a file and Review have the same game."""
    page = visit.open("#play?rows=7&cols=7&mines=13&seed=3&redraw=fair&first=safe")
    expect(page.locator(".meaning")).to_have_text(
        "While no cell is certainly safe, a cell of least risk is never a mine."
    )
    seen = play_by_risk(visit, 7, 7, 13)
    expect(page.locator(LEAD)).to_contain_text("Cleared in")
    guesses = [(one, analyse(one)) for one in seen[1:]]
    spared = sum(not found.safe for _, found in guesses)
    assert spared > 0
    for before, after in zip(seen, seen[1:], strict=False):
        assert all(after[cell] == before[cell] for cell in opened_cells(before)), "what is shown never changes"
    review = page.locator("#view-play .review")
    expect(review.locator(".decided h3")).to_have_text(f"Guesses that were spared: {spared}")
    expect(review.locator(".note").last).to_contain_text("luck is left out")
    ended = visit.symbols("play")
    review.locator(".decided button").first.click()
    expect(review.locator(".judged")).to_contain_text("The rule spared it.")
    record = saved_game(page, "play")
    assert record.rules.redraw is Redraw.FAIR and record.won and len(list(replay(record))) == len(record.moves)
    for board in seen[1:]:
        assert record.layout.board(opened_cells(board)) == board, "the last layout agrees with all that was shown"
    link = visit.shared("play")
    other = visit.another()
    other.goto(link)
    expect(other.locator("#view-play .decided h3")).to_have_text(f"Guesses that were spared: {spared}")
    assert visit.symbols("play", other) == ended
    assert saved_game(other, "play").layout == record.layout
    other.locator("#play-reviewed").click()
    expect(other.locator("#view-review .decided h3")).to_have_text(f"Guesses that were spared: {spared}")
    other.locator("#view-review .decided button").first.click()
    expect(other.locator("#view-review .judged")).to_contain_text("The rule spared it.")
    assert saved_game(other, "review").layout == record.layout


@in_browser
@pytest.mark.parametrize("rule", ["cruel", "cruel-all"])
def test_a_cruel_game_punishes_and_says_so(visit: Visit, rule: str) -> None:
    page = visit.open(f"#play?rows=9&cols=9&mines=10&seed=5&redraw={rule}")
    page.get_by_label("Warn me").uncheck()
    visit.cell(4, 4, "play").click()
    expect(visit.cell(4, 4, "play")).to_have_accessible_name(re.compile("empty"))
    board = board_of(visit, 9, 9, 10)
    analysis = analyse(board)
    assert analysis.safe
    cell = min((cell for cell in board.covered if 0 < analysis.risk(cell) < 1), key=analysis.risk)
    visit.cell(*cell, "play").click()
    expect(page.locator(LEAD)).to_contain_text("That was a mine")
    expect(page.locator("#view-play .decided h3")).to_have_text("Guesses that were punished: 1")
    page.locator("#view-play .decided button").click()
    expect(page.locator("#view-play .judged")).to_contain_text("The rule punished it.")
    record = saved_game(page, "play")
    assert record.rules.redraw.value == rule and record.layout.is_mine(cell)
    assert record.layout.board(opened_cells(board)) == board
    page.locator("#play-archive").click()
    expect(page.locator(".archive")).to_contain_text("cruel")
