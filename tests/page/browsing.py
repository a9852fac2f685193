"""Visits of the page in headless Chromium."""

from __future__ import annotations

import base64
import os
import shutil
import zlib
from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from tests import PATIENCE, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
MISSING = "no Chromium on this machine: apt-get install chromium-headless-shell"
# Elsewhere these tests may be skipped; CI has to have a browser.
MARKS = [
    pytest.mark.extended,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None and os.environ.get("CI") != "true", reason=MISSING),
]


def in_browser(test: Any) -> Any:
    """Mark a test of a file whose other tests need no browser."""
    for mark in MARKS:
        test = mark(test)
    return test


DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
POCKET = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
"""A phone."""
THEMES = [
    ("light", DESKTOP),
    pytest.param("dark", DESKTOP, marks=pytest.mark.slow),
    pytest.param("light", PHONE, marks=pytest.mark.slow),
    ("dark", PHONE),
]
"""Themes and sizes; two have both of each."""
BLOCKED = "Service Worker registration blocked by Playwright"
"""The complaint of a folder in a visit that wants no service workers."""


def unpacked(url: str) -> str:
    """The position that an address of Solve carries."""
    code = url.partition("?p=")[2]
    return zlib.decompress(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)), wbits=-15).decode()


def packed(text: str) -> str:
    """A position as an address carries it."""
    bytes = zlib.compressobj(wbits=-15)
    return base64.urlsafe_b64encode(bytes.compress(text.encode()) + bytes.flush()).decode().rstrip("=")


class Place(str):
    """An address. Every visit has a new browser context."""

    patience = 1_000 * PATIENCE
    """Milliseconds that a page may take on a busy machine."""

    def enter(self, browser: Browser, device: dict[str, Any]) -> BrowserContext:
        return browser.new_context(**device)

    def leave(self, context: BrowserContext) -> None:
        context.close()


class Visit:
    """Pages of a browser context, and the errors and warnings that they log."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        *,
        viewport: Any = DESKTOP,
        reduced_motion: Any = "reduce",
        color_scheme: Any = "light",
        counting: Any = "files",
        **device: Any,
    ) -> None:
        from playwright.sync_api import expect as expecting

        self.url = url if isinstance(url, Place) else Place(url)
        expecting.set_options(timeout=self.url.patience)
        self.viewport = viewport
        self.media = {"reduced_motion": reduced_motion, "color_scheme": color_scheme}
        self.context = self.url.enter(browser, device)
        self.context.set_default_timeout(self.url.patience)
        self.counting = counting
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.complaints: list[str] = []
        self.page = self.another()

    def leave(self) -> None:
        self.url.leave(self.context)

    def another(self) -> Page:
        page = self.context.new_page()
        # Tests name cells as satsweep's files do; test_places.py has what a new visitor sees.
        page.add_init_script(f"try {{ localStorage['satsweep-counting'] ??= '{self.counting}'; }} catch {{}}")
        page.set_viewport_size(self.viewport)
        page.emulate_media(**self.media)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)
        return page

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type in ("error", "warning") and said.text != BLOCKED:
            self.complaints.append(said.text)

    def open(self, place: str, page: Page | None = None) -> Page:
        """Go to a place of the page, from nowhere."""
        page = page or self.page
        page.goto("about:blank")
        page.goto(self.url + place)
        return page

    def bring(self, text: str) -> None:
        self.open(f"#solve?p={packed(text)}")

    def paste(self, text: str) -> None:
        self.open("#solve")
        self.page.get_by_role("button", name="Open or paste").click()
        self.page.get_by_role("textbox", name="Position").fill(text)
        self.page.get_by_role("button", name="Open", exact=True).click()

    def shared(self, view: str) -> str:
        """The link that the button of a view copies."""
        button = self.page.locator(f"#{view}-share")
        button.click()
        expect(button).to_have_text("Copied")
        link: str = self.page.evaluate("navigator.clipboard.readText()")
        return link

    def cell(self, row: int, col: int, view: str) -> Any:
        """A cell of the board that is in sight."""
        row_of = f"#view-{view} [role=row][aria-rowindex='{row + 1}']"
        return self.page.locator(f"{row_of} [role=gridcell][aria-colindex='{col + 1}']")

    def violations(self) -> list[tuple[str, list[str]]]:
        """What axe finds wrong with the page for assistive technology."""
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page).response["violations"]
        return [(rule["id"], [node["html"][:150] for node in rule["nodes"][:3]]) for rule in found]

    def symbols(self, view: str, page: Page | None = None) -> list[str]:
        """The accessible names of all cells, without their places, once the view waits for no answer."""
        page = page or self.page
        expect(page.locator(f"#view-{view}")).not_to_have_attribute("aria-busy", "true")
        names = "cells => cells.map((cell) => cell.getAttribute('aria-label').split(', ').slice(2).join(', '))"
        labels: list[str] = page.locator(f"#view-{view} [role=gridcell]").evaluate_all(names)
        return labels


def wait_on(page: Page, condition: Callable[[], object]) -> None:
    """Wait for what should happen while the page goes on."""
    wait_until(condition, lambda: page.wait_for_timeout(20))


def expect(locator: Any) -> Any:
    """Playwright's expect, with the patience of the last visit."""
    from playwright.sync_api import expect as expecting

    return expecting(locator)


def short(sentence: Sequence[Any]) -> str:
    """A sentence as the page shows it: cells by row and column, as the tests choose, and all those of a block."""

    def named(part: Any) -> str:
        if isinstance(part, str):
            return part
        block = part if isinstance(part, dict) else {"rows": part[:1], "cols": part[1:]}
        *others, last = (f"{row},{col}" for row, col in product(block["rows"], block["cols"]))
        return f"{' '.join(others)} and {last}" if others else last

    return "".join(map(named, sentence))


def answered(page: Page) -> Any:
    """What Solve says of its position, which it does once it has an answer."""
    return page.locator("#view-solve .figures", has_text="Solutions")
