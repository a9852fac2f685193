"""Latency of the page on a board of 100x100 in headless Chromium.

    python benchmarks/page.py

``handler`` is the time until the page's own code has run, ``painted`` the time until the frame after it is done. Frames
are those of two seconds in which a game is played. No graphics card takes part: the processor draws everything.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.web.pages import served

GAME = "#watch?agent=basic&rows=100&cols=100&mines=1500&seed=1&move=0"
SPEEDS = {"20": 4, "100": 6, "1,000": 8}
CLICK = """async (element) => {
  const began = performance.now();
  element.click();
  const handler = performance.now() - began;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  return [handler, performance.now() - began];
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


def measured(page: Any, url: str) -> dict[str, Any]:
    """Return all figures, in milliseconds."""
    found: dict[str, Any] = {}
    began = time.perf_counter()
    page.goto(url + GAME)
    page.locator("#view-watch [role=gridcell]").nth(9999).wait_for()
    found["the board is there"] = 1000 * (time.perf_counter() - began)
    place = page.locator(".place")
    while place.text_content().endswith(("+", " 0")):
        page.wait_for_timeout(50)

    def click(selector: str, times: int = 1) -> list[float]:
        clicks = [page.locator(selector).first.evaluate(CLICK) for _ in range(times)]
        return [statistics.median(taken) for taken in zip(*clicks, strict=True)]

    found["to the end: handler, painted"] = click("[aria-label='To the end']")
    found["a move back: handler, painted"] = click("[aria-label='A move back']", 15)
    found["to the start: handler, painted"] = click("[aria-label='To the start']")
    for speed, step in SPEEDS.items():
        page.get_by_label("Speed").fill(str(step))
        click("#watch-play")
        frames = sorted(page.evaluate(FRAMES))
        found[f"frames at {speed} moves a second: median, 95 %"] = [
            statistics.median(frames),
            frames[int(0.95 * len(frames))],
        ]
        if page.locator("[aria-label='Pause']").count():
            click("#watch-play")
    click("[aria-label='To the end']")
    began = time.perf_counter()
    page.locator("#watch-solve").click()
    page.locator("#view-solve .facts div").first.wait_for()
    found["opened in Solve, with all risks"] = 1000 * (time.perf_counter() - began)
    found["a click on a cell: handler, painted"] = click("#view-solve .cell.covered", 15)
    return found


def main() -> None:
    """Start a server and a browser, and print the figures."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the figures as JSON, too")
    arguments = parser.parse_args()
    with served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        found = measured(page, url)
        browser.close()
    for name, value in found.items():
        values = value if isinstance(value, list) else [value]
        print(f"{name:45} {', '.join(f'{one:.0f}' for one in values)} ms")
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
