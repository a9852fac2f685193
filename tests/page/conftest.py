"""Fixtures of tests of the page: where it comes from, a browser, and a visit that must log no error.

Tests with ``url`` or ``visit`` run on the page of the server, on the folder of ``satsweep static``, and on the folder
with its network cut after the first load, but for those marked ``server``. On the folder they are ``slow``: CI runs
them in a job of their own (``scripts/test --folder``). Browser and server are started once for all tests of the page
that a process runs, so nothing of a test may stay in the server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from satsweep.page.offline.build import write
from tests.page.browsing import CHROMIUM, MISSING, POCKET, Visit
from tests.page.folder import built, hosted
from tests.page.pages import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SERVER, FOLDER, OFF_LINE = "server", "folder", "off-line"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what only a server does on the folder, and say why."""
    callspec, mark = getattr(item, "callspec", None), item.get_closest_marker("server")
    if callspec is not None and mark is not None and callspec.params.get("url", SERVER) != SERVER:
        pytest.skip(mark.args[0])


@pytest.fixture(
    scope="package", params=[SERVER, *(pytest.param(name, marks=pytest.mark.slow) for name in (FOLDER, OFF_LINE))]
)
def url(request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if request.param == SERVER:
        with served(rate=200, burst=400) as found:
            yield found
        return
    directory = tmp_path_factory.mktemp("folder")
    write(built(), directory)
    with hosted(directory, off_line=request.param == OFF_LINE) as place:
        yield place
        place.close()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    assert CHROMIUM is not None, MISSING
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visits(browser: Browser, url: str) -> Iterator[Callable[..., Visit]]:
    """Visits with any devices, which must log no error."""
    made: list[Visit] = []

    def visit(**device: Any) -> Visit:
        made.append(Visit(browser, url, **device))
        return made[-1]

    yield visit
    for one in made:
        one.leave()
        assert one.complaints == []


@pytest.fixture
def visit(visits: Callable[..., Visit]) -> Visit:
    return visits()


@pytest.fixture
def phone(visits: Callable[..., Visit]) -> Visit:
    return visits(**POCKET)
