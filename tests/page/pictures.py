"""Pictures of the page in the documents: ``python -m tests.page.pictures`` takes them all again."""

from playwright.sync_api import Page, sync_playwright

from tests import ROOT
from tests.page.browsing import CHROMIUM, Visit, expect
from tests.page.pages import served
from tests.pictures.skins import sample


def solve(visit: Visit) -> Page:
    page = visit.open("#solve")
    visit.cell(2, 2, "solve").click()
    expect(page.locator("#view-solve .steps li").first).to_be_visible()
    return page


def play(visit: Visit) -> Page:
    page = visit.open("#play?rows=16&cols=16&mines=40&seed=22")
    visit.cell(8, 8, "play").click()
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
        {"name": "a.png", "mimeType": "image/png", "buffer": sample(3).content}
    )
    expect(page.locator("#view-picture .facts")).to_contain_text("Solutions")
    visit.cell(3, 0, "picture").click()
    expect(page.get_by_role("menu")).to_be_visible()
    return page


def main() -> None:
    with served(rate=200, burst=400) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for take in (solve, play, review, watch, train, picture):
            visit = Visit(browser, url, counting="players")
            page = take(visit)
            page.mouse.move(0, 0)
            page.screenshot(path=ROOT / "docs" / f"page_{take.__name__}.png")
            visit.leave()
        browser.close()


if __name__ == "__main__":
    main()
