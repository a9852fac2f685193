"""Questions that the page sends to the server in a session of Solve and one of Play, in headless Chromium.

    python benchmarks/page_questions.py [--json FILE]

*Solve*: a position of an expert game is dropped, ten safe cells are opened one after the other as in the game, and the
reasons of two cells are asked for. *Play*: an expert board that single numbers clear; ten hints are read to their end
and followed, risks are shown for the last five of them, then a mine is opened and the game reviewed. Each action comes
after the answers to the one before.
"""

import argparse
import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Page, sync_playwright

from satsweep.analysis.analyse import analyse
from satsweep.board import Cell
from satsweep.games.deal import random_layout
from satsweep.games.game import Game
from satsweep.games.rules import FirstClick, Rules
from tests.page.browsing import CHROMIUM, Visit, answered
from tests.page.pages import served

REST = 1_500
"""Milliseconds after which a page that has all its answers asks nothing by itself."""


class Counted(Visit):
    """A visit that counts the questions of its WebSocket."""

    def another(self) -> Page:
        page = super().another()
        self.asked: Counter[str] = Counter()
        self.waiting: set[int] = set()
        page.on("websocket", self._listen)
        return page

    def _listen(self, socket: Any) -> None:
        socket.on("framesent", lambda text: self._sent(json.loads(text)))
        socket.on("framereceived", lambda text: self._came(json.loads(text)))

    def _sent(self, message: dict[str, Any]) -> None:
        if "ask" in message:
            self.asked[message["ask"]] += 1
            self.waiting.add(message["id"])

    def _came(self, message: dict[str, Any]) -> None:
        if "part" not in message:
            self.waiting.discard(message["id"])

    def rest(self) -> None:
        self.page.wait_for_timeout(REST)
        while self.waiting:
            self.page.wait_for_timeout(50)


def expert() -> Game:
    """A game of ten rounds of safe cells."""
    rng = Random(3)
    game = Game(random_layout(16, 30, 99, rng), Rules(first=FirstClick.ZERO), rng)
    game.open(Cell(8, 15))
    while analyse(game.board).worlds is None or sum(map(game.is_covered, game.board)) > 330:
        for cell in analyse(game.board).safe:
            if game.is_covered(cell):
                game.open(cell)
    return game


def solve(visit: Counted) -> None:
    game = expert()
    visit.bring(str(game.board.without_flags()))
    answered(visit.page).wait_for()
    visit.rest()
    for _ in range(10):
        cell = analyse(game.board).safe[0]
        opened = game.open(cell).revealed
        number = opened[0][1]
        visit.cell(*cell, "solve").focus()
        visit.page.keyboard.press(str(number))
        visit.rest()
        for other, shown in opened[1:]:
            visit.cell(*other, "solve").focus()
            visit.page.keyboard.press(str(shown))
    visit.rest()
    for kind in ("safe", "sure"):
        visit.page.locator(f"#view-solve .cell.{kind}").first.click()
        visit.rest()


def play(visit: Counted) -> None:
    page = visit.open("#play?rows=16&cols=30&mines=99&luck=single&seed=7")
    visit.cell(8, 15, "play").click()
    visit.rest()
    for number in range(10):
        if number == 5:
            page.locator("#play-risks").click()
            visit.rest()
        page.locator("#play-hint").click()
        visit.rest()
        while page.locator("#play-more").count():
            page.locator("#play-more").click()
            visit.rest()
    mine = page.locator("#view-play .cell.sure").first
    mine.click()
    visit.rest()
    if page.get_by_role("button", name="Open it anyway").count():
        page.get_by_role("button", name="Open it anyway").click()
    page.locator("#play-next").wait_for()
    visit.rest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    told = {}
    with served(rate=200, burst=400) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for session in (solve, play):
            visit = Counted(browser, url)
            session(visit)
            told[session.__name__] = {"questions": visit.asked.total(), **dict(sorted(visit.asked.items()))}
            visit.leave()
        browser.close()
    print(json.dumps(told, indent=2))
    if options.json:
        options.json.write_text(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    main()
