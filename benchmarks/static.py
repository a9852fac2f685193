"""The page without a server: size of its first load, its start, and its time for a stuck position.

    python benchmarks/static.py [--positions 50] [--wheels FOLDER] [--json FILE]

Sizes are those of all files, as they are and compressed by gzip one by one, as hosts do, and of those that the first
answer takes, before Python is loaded. A start is the time from the request for the page to the answer to its first
question, in Chromium: with nothing kept, and from what the first visit has kept (median of several). Then both the page
and a process like those of the server solve the same positions of expert games, one after another; the ratio is that of
the medians.
"""

import argparse
import gzip
import json
import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import BrowserContext, sync_playwright

from satsweep.board import Board
from satsweep.page.answers import answer_to
from satsweep.page.offline.build import build, gathered, write
from satsweep.page.questions import LIMITS, Question
from satsweep.page.workers import warming
from tests.page.browsing import CHROMIUM, answered
from tests.page.folder import before_python, hosted, noting

CORPUS = Path(__file__).parents[1] / "tests" / "data" / "positions_expert.jsonl"
STARTS = 7
SOLVED = """async (boards) => {
  const { Connection } = await import("./engine/connection.js");
  const satsweep = new Connection();
  const seconds = [];
  for (const board of boards) {
    const begun = performance.now();
    await satsweep.ask("solve", { board });
    seconds.push((performance.now() - begun) / 1000);
  }
  return seconds;
}"""

KEPT = """async () => {
  for (;;) {
    const name = (await caches.keys()).find((name) => name.startsWith("satsweep code"));
    if (name && (await (await caches.open(name)).keys()).length === 2) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}"""
ANSWERED = """new MutationObserver(() => {
  const said = document.querySelector("#view-solve .facts")?.textContent ?? "";
  if (said.includes("Solutions")) window.answered ??= performance.now() / 1000;
}).observe(document, { subtree: true, childList: true, characterData: true });"""


def boards(number: int) -> list[str]:
    """The texts of some expert positions."""
    lines = CORPUS.read_text().splitlines()[:number]
    return [str(Board(tuple(found["board"]), mines=found["mines"])) for found in map(json.loads, lines)]


def in_process(texts: list[str]) -> list[float]:
    """Seconds of each position in a process that is as warm as the server's workers."""
    for _ in warming(LIMITS):
        pass
    times = []
    for text in texts:
        question = Question.of(json.dumps({"id": 0, "ask": "solve", "board": text}))
        begun = time.perf_counter()
        answer_to(question, LIMITS, lambda part: None)
        times.append(time.perf_counter() - begun)
    return times


def start(context: BrowserContext, url: str) -> tuple[float, list[str]]:
    """Seconds from the request for the page to the moment of its first answer, and all files that it asks for."""
    page = context.new_page()
    asked = noting(page, url)
    page.add_init_script(ANSWERED)
    page.goto(f"{url}#solve")
    answered(page).wait_for(timeout=120_000)
    seconds: float = page.evaluate("window.answered")
    page.evaluate(KEPT)
    page.close()
    return seconds, asked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=50)
    parser.add_argument("--wheels", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = build(gathered(options.wheels))
    texts = boards(options.positions)
    told: dict[str, object] = {
        "files": len(found),
        "megabytes": sum(map(len, found.values())) / 1e6,
        "megabytes_compressed": sum(min(len(one), len(gzip.compress(one))) for one in found.values()) / 1e6,
    }
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        write(found, Path(made))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with hosted(Path(made)) as url:
            context = browser.new_context()
            told["first_start"], asked = start(context, url)
            told["kilobytes_of_first_answer"] = before_python(asked, found) / 1e3
            told["kept_start"] = median(start(context, url)[0] for _ in range(STARTS))
            page = context.new_page()
            page.goto(f"{url}example.html")
            page.evaluate(SOLVED, texts[:1])
            in_browser = median(page.evaluate(SOLVED, texts))
        browser.close()
    here = median(in_process(texts))
    told |= {"positions": len(texts), "browser": in_browser, "process": here, "ratio": in_browser / here}
    print(json.dumps(told, indent=2))
    if options.json:
        options.json.write_text(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    main()
