"""Fixtures of tests of the page: a server, a browser, and a visit that must log no error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.web.browsing import CHROMIUM, MISSING, Visit
from tests.web.pages import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served(rate=200, burst=400) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, MISSING
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, url: str) -> Iterator[Visit]:
    found = Visit(browser, url)
    yield found
    found.context.close()
    assert found.complaints == []
