"""The page is self-contained and well formed, has all numbers, and escapes input."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from satsweep.arena.pages import MAX_FAILURES, page
from satsweep.arena.plan import Plan
from satsweep.arena.report import Report
from satsweep.arena.result import FAILED, Result
from satsweep.arena.tables import tables_of
from tests.arena.reports import AREAS, DENSITIES, LEVELS, SINGLE, SIZES, report_of

VOID = {"meta", "br"}
PLANS = pytest.mark.parametrize(
    "plan", [SINGLE, DENSITIES, SIZES, AREAS, LEVELS], ids=lambda plan: str(plan.settings[0])
)


class Page(HTMLParser):
    """Parsed page: attributes, text, and tables as rows of cells.

    Elements must be closed in order.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        if tag in VOID:
            return
        self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.tables[-1][-1][-1] += data
        elif self.open and self.open[-1] != "style":
            self.text.append(data)


@pytest.mark.extended
@PLANS
def test_pages_are_well_formed_and_whole(plan: Plan) -> None:
    text = page(report_of(plan))
    found = Page(text)
    names = [value for name, value in found.attributes if name == "id"]
    assert names and len(names) == len(set(names))
    for name, value in found.attributes:
        assert not name.startswith("on")
        if name in ("src", "href", "xlink:href"):
            assert value is not None and value.startswith("#") and value[1:] in names
    assert set(re.findall(r"url\(#([^)]*)\)", text)) <= set(names)
    # The names of the languages of a drawing, which nothing fetches.
    assert set(re.findall(r"https?://[^\"\s]*", text)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "prefers-color-scheme: dark" in text and "<script" not in text and "@import" not in text


@PLANS
def test_pages_have_every_number_of_every_table(plan: Plan) -> None:
    report = report_of(plan)
    tables = Page(page(report)).tables
    expected = list(tables_of(report, brief=False))
    assert len(tables) == len(expected) > 0
    for found, table in zip(tables, expected, strict=True):
        assert found[0] == [column.head for column in table.columns]
        for row, cells in enumerate(zip(*(column.cells for column in table.columns), strict=True)):
            spanned = table.group_starts and row not in table.group_starts
            assert found[row + 1] == list(cells)[bool(spanned) :]


def test_rows_of_a_setting_share_its_name() -> None:
    text = page(report_of(DENSITIES))
    assert text.count('scope="rowgroup" rowspan="2"') == len(DENSITIES.settings)


@pytest.mark.parametrize(("plan", "figures"), [(SINGLE, 1), (SIZES, 1), (DENSITIES, 2), (AREAS, 2)])
def test_figures_of_the_measure_and_of_games_won(plan: Plan, figures: int) -> None:
    assert page(report_of(plan)).count("<figure>") == figures


def test_facts_about_the_run() -> None:
    text = " ".join(Page(page(report_of(DENSITIES), "satsweep compare --plan densities")).text)
    for part in (
        "densities",
        "a document",
        "basic, gem",
        "4 games in each setting",
        "64 played",
        "satsweep compare --",
    ):
        assert part in text
    assert "Command" not in page(report_of(DENSITIES))


def test_input_is_escaped() -> None:
    nasty = "<img src=x onerror=alert(1)> & \"'"
    plan = replace(SINGLE, title=nasty, source=nasty, seed=nasty, name=nasty)
    failure = Result(0, 3, 0, FAILED, message=nasty, layout="*.\n.*")
    report = replace(report_of(SINGLE), plan=plan, failures=(failure,), versions={"satsweep": nasty})
    text = page(report, nasty)
    assert "<img" not in text
    found = Page(text)
    assert "".join(found.text).count(nasty) >= 6
    assert "basic, game 3 of 9x9, 10 mines, first cell safe" in found.text and "*.\n.*" in found.text


def test_a_page_is_not_drowned_in_failures() -> None:
    failures = tuple(Result(0, game, 0, FAILED, message="no") for game in range(MAX_FAILURES + 7))
    text = page(replace(report_of(SINGLE), failures=failures))
    assert "Games that failed (107)" in text and "and 7 more" in text
    assert text.count("<p>no</p>") == MAX_FAILURES


def test_the_same_report_makes_the_same_page() -> None:
    assert page(report_of(SIZES)) == page(report_of(SIZES))


def test_a_page_without_games() -> None:
    assert Page(page(Report.of(SINGLE, []))).tables == []
