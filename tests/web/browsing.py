"""Visits of the page in headless Chromium."""

from __future__ import annotations

import base64
import os
import re
import shutil
import zlib
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MISSING = "no Chromium on this machine: apt-get install chromium"
# Elsewhere these tests may be skipped; CI has to have a browser.
MARKS = [
    pytest.mark.extended,
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None and os.environ.get("CI") != "true", reason=MISSING),
]
DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
PATIENCE = 30_000


def unpacked(url: str) -> str:
    """The position that an address of Solve carries."""
    code = url.partition("?p=")[2]
    return zlib.decompress(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)), wbits=-15).decode()


def packed(text: str) -> str:
    """A position as an address carries it."""
    bytes = zlib.compressobj(wbits=-15)
    return base64.urlsafe_b64encode(bytes.compress(text.encode()) + bytes.flush()).decode().rstrip("=")


class Visit:
    """A browser context with a page, and the errors and warnings that it logs."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": DESKTOP, "reduced_motion": "reduce"} | options)
        self.context.set_default_timeout(PATIENCE)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.url = url
        self.complaints: list[str] = []
        self.page = self.another()

    def another(self) -> Page:
        """One more page."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "console", lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None
        )
        return page

    def open(self, place: str, page: Page | None = None) -> Page:
        """Go to a place of the page, from nowhere."""
        page = page or self.page
        page.goto("about:blank")
        page.goto(self.url + place)
        return page

    def bring(self, text: str) -> None:
        """Follow a link to a position."""
        self.open(f"#solve?p={packed(text)}")

    def paste(self, text: str) -> None:
        """Paste a position into Solve."""
        self.open("#solve")
        self.page.get_by_role("button", name="Open or paste").click()
        self.page.get_by_role("textbox", name="Position").fill(text)
        self.page.get_by_role("button", name="Open", exact=True).click()

    def cell(self, row: int, col: int, view: str) -> Any:
        """A cell of the board that is in sight."""
        return self.page.locator(f"#view-{view}").get_by_role(
            "gridcell", name=re.compile(rf"^row {row}, column {col},")
        )

    def symbols(self, view: str, page: Page | None = None) -> list[str]:
        """The accessible names of all cells, without their places."""
        labels: list[str] = (
            (page or self.page)
            .locator(f"#view-{view} [role=gridcell]")
            .evaluate_all(
                "cells => cells.map((cell) => cell.getAttribute('aria-label').split(', ').slice(2).join(', '))"
            )
        )
        return labels


def expect(locator: Any) -> Any:
    """Playwright's expect, with a long timeout for a busy machine."""
    from playwright.sync_api import expect as expecting

    expecting.set_options(timeout=PATIENCE)
    return expecting(locator)
