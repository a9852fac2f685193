"""The page is self-contained and well formed, has all numbers, and escapes input."""

import re
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest

from satsweep.arena.pages import MAX_FAILURES, page
from satsweep.arena.plan import Plan
from satsweep.arena.report import Report
from satsweep.arena.result import FAILED, Result
from satsweep.arena.tables import tables_of
from tests.arena.reports import AREAS, DENSITIES, LEVELS, SINGLE, SIZES, report_of

PLANS = pytest.mark.parametrize(
    "plan", [SINGLE, DENSITIES, SIZES, AREAS, LEVELS], ids=lambda plan: str(plan.settings[0])
)


@cache
def page_of(plan: Plan) -> str:
    return page(report_of(plan))


def parsed(text: str) -> ElementTree.Element:
    """The page as a tree: every element is closed, in order, but for the kinds that HTML never closes."""
    return ElementTree.fromstring(re.sub(r"<(meta|br)([^>]*)>", r"<\1\2/>", text))


@pytest.mark.extended
@PLANS
def test_pages_are_well_formed_and_whole(plan: Plan) -> None:
    text = page_of(plan)
    attributes = [pair for element in parsed(text).iter() for pair in element.attrib.items()]
    names = [value for name, value in attributes if name == "id"]
    assert names and len(names) == len(set(names))
    for name, value in attributes:
        assert not name.startswith("on")
        if name.endswith(("src", "href")):
            assert value.startswith("#") and value[1:] in names
    assert set(re.findall(r"url\(#([^)]*)\)", text)) <= set(names)
    # The names of the languages of a drawing, which nothing fetches.
    assert set(re.findall(r"https?://[^\"\s]*", text)) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "prefers-color-scheme: dark" in text and "<script" not in text and "@import" not in text


@PLANS
def test_pages_have_every_number_of_every_table(plan: Plan) -> None:
    report = report_of(plan)
    tables = [
        [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]
        for table in parsed(page_of(plan)).iter("table")
    ]
    expected = list(tables_of(report, brief=False))
    assert len(tables) == len(expected) > 0
    for found, table in zip(tables, expected, strict=True):
        assert found[0] == [column.head for column in table.columns]
        for row, cells in enumerate(zip(*(column.cells for column in table.columns), strict=True)):
            spanned = table.group_starts and row not in table.group_starts
            assert found[row + 1] == list(cells)[bool(spanned) :]


def test_rows_of_a_setting_share_its_name() -> None:
    text = page_of(DENSITIES)
    assert text.count('scope="rowgroup" rowspan="2"') == len(DENSITIES.settings)


@pytest.mark.parametrize(("plan", "figures"), [(SINGLE, 1), (SIZES, 1), (DENSITIES, 2), (AREAS, 2)])
def test_figures_of_the_measure_and_of_games_won(plan: Plan, figures: int) -> None:
    assert page_of(plan).count("<figure>") == figures


def test_facts_about_the_run() -> None:
    text = " ".join(parsed(page(report_of(DENSITIES), "satsweep compare --plan densities")).itertext())
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
    found = list(parsed(text).itertext())
    assert "".join(found).count(nasty) >= 6
    assert "basic, game 3 of 9x9, 10 mines, first cell safe" in found and "*.\n.*" in found


def test_a_page_is_not_drowned_in_failures() -> None:
    failures = tuple(Result(0, game, 0, FAILED, message="no") for game in range(MAX_FAILURES + 7))
    text = page(replace(report_of(SINGLE), failures=failures))
    assert "Games that failed (107)" in text and "and 7 more" in text
    assert text.count("<p>no</p>") == MAX_FAILURES


def test_the_same_report_makes_the_same_page() -> None:
    assert page_of(SIZES) == page(report_of(SIZES))


def test_a_page_without_games() -> None:
    assert parsed(page(Report.of(SINGLE, []))).find(".//table") is None
