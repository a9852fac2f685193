"""Pictures of the page in the documents: ``python -m tests.page.screenshots`` takes them all again.

With names as arguments (``solve-1440-light``) it takes these. Each is a WebP of at most ``MOST`` bytes, with as few
losses as that allows.
"""

import sys
from collections.abc import Callable
from io import BytesIO

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests import ROOT
from tests.page.browsing import CHROMIUM, POCKET, Visit, expect
from tests.page.pages import served
from tests.pictures.skins import sample

FOLDER = ROOT / "docs" / "pictures"
MOST = 60_000
SIZES = {1440: (1440, 900), 1280: (1280, 800), 390: (390, 844)}
QUALITIES = (90, 80, 70, 60, 50)


def solve(visit: Visit) -> Page:
    page = visit.open("#solve")
    visit.cell(2, 2, "solve").click()
    expect(page.locator("#view-solve .steps li").first).to_be_visible()
    return page


def play(visit: Visit) -> Page:
    page = visit.open("#play?rows=16&cols=16&mines=40&seed=22")
    visit.cell(8, 8, "play").click()
    expect(page.locator("#view-play .cell.open").first).to_be_visible()
    for step in range(1, 5):
        page.locator("#play-more" if step > 1 else "#play-hint").click()
        expect(page.locator(".hint-steps li")).to_have_count(step)
    return page


def review(visit: Visit) -> Page:
    page = visit.open("#review")
    page.locator("#review-example").click()
    page.locator("#review-mistake").click()
    expect(page.locator("#view-review .judged")).to_contain_text("Blunder")
    return page


def watch(visit: Visit) -> Page:
    page = visit.open("#watch?agent=sat&rows=16&cols=16&mines=40&seed=3&move=30")
    expect(page.get_by_role("heading", name="Why it must be so")).to_be_visible()
    expect(page.locator("#view-watch .next h3")).to_contain_text("Now: ")
    return page


def train(visit: Visit) -> Page:
    page = visit.open("#train?puzzle=puzzles-2026-69i")
    visit.cell(2, 3, "train").click()
    expect(page.locator("#view-train .why li").first).to_be_visible()
    return page


def picture(visit: Visit) -> Page:
    page = visit.open("#picture")
    page.locator("#picture-file").set_input_files(
        {"name": "a.png", "mimeType": "image/png", "buffer": sample(87).content}
    )
    expect(page.locator("#view-picture .facts")).to_contain_text("Solutions")
    visit.cell(2, 8, "picture").click()
    expect(page.get_by_role("menu")).to_be_visible()
    return page


Taken = tuple[Callable[[Visit], Page], int, str, str]
TAKEN: dict[str, Taken] = {
    f"{take.__name__}-{width}-{theme}{'' if skin == 'plain' else f'-{skin}'}": (take, width, theme, skin)
    for take, width, theme, skin in (
        (solve, 1440, "light", "plain"), (solve, 390, "dark", "plain"), (solve, 1280, "light", "classic"),
        (picture, 1280, "light", "plain"), (play, 1440, "dark", "plain"), (play, 390, "light", "plain"),
        (review, 1440, "light", "plain"), (review, 390, "dark", "plain"),
        (watch, 1440, "light", "plain"), (watch, 1280, "dark", "plain"),
        (train, 1280, "light", "plain"), (train, 390, "dark", "plain"),
    )
}  # fmt: skip
"""The pictures by name: what is shown, how wide, in which theme and skin."""


def small(screenshot: bytes) -> bytes:
    """A screenshot as WebP, in the best quality that is small enough."""
    picture = Image.open(BytesIO(screenshot)).convert("RGB")
    for quality in QUALITIES:
        file = BytesIO()
        picture.save(file, "WEBP", quality=quality, method=6)
        if len(file.getvalue()) <= MOST:
            break
    return file.getvalue()


def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    with served(rate=200, burst=400) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name in names or TAKEN:
            take, width, theme, skin = TAKEN[name]
            wide, tall = SIZES[width]
            device = {**(POCKET if width == 390 else {}), "viewport": {"width": wide, "height": tall}}
            visit = Visit(browser, url, counting="players", color_scheme=theme, **device)
            visit.page.add_init_script(f"try {{ localStorage['satsweep-skin'] = '{skin}'; }} catch {{}}")
            page = take(visit)
            page.mouse.move(0, 0)
            expect(page.locator("#waiting")).to_be_hidden()
            page.wait_for_load_state("networkidle")  # signs in cells are files
            (FOLDER / f"{name}.webp").write_bytes(small(page.screenshot()))
            visit.leave()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
