"""Latency of the page in headless Chromium: clicks, hints, reasons, risks, and a board of 100x100.

    python benchmarks/page.py --json benchmarks/results/page.json
    python benchmarks/page.py edits

``click`` is the time from a click on a cell of Play until the frame with the opened cell is done; ``hint``, ``reason``
and ``risks`` last until the answer of the server is on the page. Positions are those of expert games. On 100x100,
``handler`` is the time until the page's own code has run, ``painted`` the time until the frame after it is done.
``edits`` has the time from a key that draws on a cell of Solve until the risks of the changed board are on the page,
and until the frame with them is done. Frames are those of two seconds in which a game is played. No graphics card takes
part: the processor draws everything.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from satsweep.analysis.analyse import analyse
from satsweep.board import Cell
from satsweep.games.deal import random_layout
from satsweep.games.game import Game
from satsweep.games.rules import FirstClick, Rules
from tests.page.browsing import CHROMIUM, packed
from tests.page.pages import served

GAME = "#watch?agent=basic&rows=100&cols=100&mines=1500&seed=1&move=0"
SPEEDS = {"20": 4, "100": 6, "1,000": 8}
TIMES = 20
"""Repetitions of each question."""
PAINTED = """async (element) => {
  const began = performance.now();
  element.click();
  const handler = performance.now() - began;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  return [handler, performance.now() - began];
}"""
CHANGED = """async ([pressed, changed]) => {
  const shown = () => [...document.querySelectorAll(changed)].map((one) => one.textContent + one.className).join();
  const before = shown();
  const began = performance.now();
  document.querySelector(pressed).click();
  while (shown() === before && performance.now() < began + 20000) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""
DROPPED = """async (text) => {
  const facts = () => document.querySelector("#view-solve .facts div");
  const before = facts();
  const dataTransfer = new DataTransfer();
  dataTransfer.setData("text", text);
  const began = performance.now();
  window.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  while (!facts() || facts() === before) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""
EDITED = """async (cells) => {
  const facts = document.querySelector("#view-solve .facts");
  const drawn = () => new Promise((done) => {
    const seen = new MutationObserver(() => {
      if (!facts.childElementCount) return;
      seen.disconnect();
      done();
    });
    seen.observe(facts, { childList: true });
  });
  const times = [];
  for (const [index, key] of cells) {
    const cell = document.querySelector(`#view-solve [data-i="${index}"]`);
    cell.focus();
    await new Promise((done) => setTimeout(done, 300));
    const began = performance.now();
    const shown = drawn();
    cell.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await shown;
    const here = performance.now() - began;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    times.push([here, performance.now() - began]);
  }
  return times;
}"""
FRAMES = """async () => {
  const frames = [];
  let last = performance.now();
  const end = last + 2000;
  while (last < end) {
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - last);
    last = now;
  }
  return frames;
}"""


def spread(values: list[float]) -> list[float]:
    """The median, and the value that 95 % do not exceed."""
    return [statistics.median(values), sorted(values)[int(0.95 * (len(values) - 1))]]


def positions(count: int) -> list[str]:
    """Positions of expert games after the safe cells have been opened eight times."""
    found = []
    for seed in range(count):
        rng = Random(seed)
        game = Game(random_layout(16, 30, 99, rng), Rules(first=FirstClick.ZERO), rng)
        game.open(Cell(8, 15))
        for _ in range(8):
            for cell in analyse(game.board).safe:
                if game.is_covered(cell) and game.outcome is None:
                    game.open(cell)
        found.append(str(game.board.without_flags()))
    return found


def asked(page: Any, url: str) -> dict[str, list[float]]:
    """Latency of clicks and questions, in milliseconds."""
    risks, reasons, clicks, hints = [], [], [], []
    page.goto(url + "#solve")
    page.locator("#view-solve .figures").wait_for()
    for text in positions(TIMES):
        risks.append(page.evaluate(DROPPED, text))
        cell = "#view-solve .cell.hot:not(.best)"
        reasons.append(page.evaluate(CHANGED, [cell, "#view-solve .why:not([aria-label]) :is(h2, .steps, .exact)"]))
    for seed in range(TIMES):
        page.goto("about:blank")
        page.goto(f"{url}#play?rows=16&cols=30&mines=99&seed={seed}")
        middle = "#view-play [data-i='255']"
        page.locator(middle).wait_for()
        page.locator(middle).click()
        page.locator("#view-play .cell.open").first.wait_for()
        hints.append(page.evaluate(CHANGED, ["#play-hint", "#view-play .why li, #view-play .hint li"]))
        corner = page.locator("#view-play .cell.covered").first
        clicks.append(corner.evaluate(PAINTED)[1])
    named = {"click": clicks, "hint": hints, "reason": reasons, "risks of an expert board": risks}
    return {f"{name}: median, 95 %": spread(values) for name, values in named.items()}


def large(page: Any, url: str) -> dict[str, Any]:
    """Figures of a board of 100x100, in milliseconds."""
    found: dict[str, Any] = {}
    began = time.perf_counter()
    page.goto("about:blank")
    page.goto(url + GAME)
    page.locator("#view-watch [role=gridcell]").nth(9999).wait_for()
    found["100x100: the board is there"] = 1000 * (time.perf_counter() - began)
    place = page.locator(".place")
    while place.text_content().endswith(("+", " 0")):
        page.wait_for_timeout(50)

    def click(selector: str, times: int = 1) -> list[float]:
        clicks = [page.locator(selector).first.evaluate(PAINTED) for _ in range(times)]
        return [statistics.median(taken) for taken in zip(*clicks, strict=True)]

    found["100x100, to the end: handler, painted"] = click("[aria-label='To the end']")
    found["100x100, a move back: handler, painted"] = click("[aria-label='Previous move']", 15)
    found["100x100, to the start: handler, painted"] = click("[aria-label='To the start']")
    for speed, step in SPEEDS.items():
        page.get_by_label("Speed").fill(str(step))
        click("#watch-play")
        frames = page.evaluate(FRAMES)
        found[f"100x100, frames at {speed} moves a second: median, 95 %"] = spread(frames)
        if page.locator("[aria-label='Pause']").count():
            click("#watch-play")
    click("[aria-label='To the end']")
    began = time.perf_counter()
    page.locator("#watch-solve").evaluate("button => button.click()")
    page.locator("#view-solve .figures").wait_for()
    found["100x100: opened in Solve, with all risks"] = 1000 * (time.perf_counter() - began)
    found["100x100, a click on a cell: handler, painted"] = click("#view-solve .cell.covered", 15)
    return found


def wide() -> str:
    """A position of a game on 100x100, in which half of the cells are open."""
    rng = Random(1)
    game = Game(random_layout(100, 100, 1_500, rng), Rules(first=FirstClick.ZERO), rng)
    game.open(Cell(50, 50))
    while sum(symbol == "#" for symbol in game.board.symbols) > 5_000:
        for cell in analyse(game.board).safe:
            if game.is_covered(cell) and game.outcome is None:
                game.open(cell)
    return str(game.board.without_flags())


def edits(page: Any, url: str) -> dict[str, Any]:
    """Time from an edit to the risks of the changed board, in milliseconds."""
    found: dict[str, Any] = {}
    for name, text in (("expert", positions(1)[0]), ("100x100", wide())):
        page.goto("about:blank")
        page.goto(url + f"#solve?p={packed(text)}")
        page.locator("#view-solve .figures").wait_for()
        page.wait_for_timeout(3_000)
        symbols = "".join(line for line in text.splitlines() if line[:5] not in ("mines", "start"))
        numbers = [index for index, symbol in enumerate(symbols) if symbol in "123"][:: max(1, len(symbols) // 400)]
        changes = [[index, key] for index in numbers[:TIMES] for key in ("#", symbols[index])]
        times = page.evaluate(EDITED, changes)
        for at, what in enumerate(("on the page", "painted")):
            found[f"{name}, an edit, risks {what}: median, 95 %"] = spread([one[at] for one in times])
    return found


def measured(page: Any, url: str, parts: list[Callable[[Any, str], dict[str, Any]]]) -> dict[str, Any]:
    """All figures of some parts."""
    return {name: value for part in parts for name, value in part(page, url).items()}


def main() -> None:
    """Start a server and a browser, and print the figures."""
    from playwright.sync_api import sync_playwright

    parts = {"asked": asked, "large": large, "edits": edits}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help="what to measure (everything)")
    parser.add_argument("--json", type=Path, help="write the figures as JSON, too")
    arguments = parser.parse_args()
    with served(rate=1000, burst=2000) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        found = measured(page, url, [parts[name] for name in arguments.parts or parts])
        browser.close()
    for name, value in found.items():
        values = value if isinstance(value, list) else [value]
        print(f"{name:60} {', '.join(f'{one:.0f}' for one in values)} ms")
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
