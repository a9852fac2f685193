"""Marks on boards differ in their form and not in their colour alone, also in the legend and in the classic skin."""

from __future__ import annotations

import itertools
import json
import re

import pytest

from tests.page.board.test_colours import LEAST, contrast, of
from tests.page.browsing import MARKS, Visit, expect
from tests.page.test_everywhere import PLACES, begin
from tests.page.test_structure import STATIC

pytestmark = MARKS
MARKED = dict.fromkeys(
    re.findall(r"^  (\w+): \"", (STATIC / "board" / "board.js").read_text().split("const MARKS")[1], re.M)
)
"""Names of all marks."""
ONE = {"last", "target"}
"""The cell that is spoken of: the last move where games are watched, the chosen cell elsewhere."""

FORMS = """(marks) => {
    const cell = document.querySelector("#view-play .cell.covered");
    const usual = cell.className;
    const colours = /(rgba?|oklab|color)\\([^()]*\\)|url\\([^)]*\\/board/g;
    const gradients = (image) => image.replace(colours, "");
    const form = (one, pseudo) => {
        const style = getComputedStyle(one, pseudo);
        return [
            style.outlineStyle, style.borderTopStyle, style.maskImage !== "none", style.content !== "none",
            style.boxShadow.split("inset").length, gradients(style.backgroundImage),
        ].join(" ");
    };
    const forms = marks.map((mark) => {
        cell.className = `cell covered ${mark}`;
        return [mark, [null, "::before", "::after"].map((pseudo) => form(cell, pseudo)).join(" | ")];
    });
    cell.className = usual;
    return Object.fromEntries(forms);
}"""
"""What is left of marks once their colours are taken away."""


def chosen(visit: Visit, **kept: str) -> None:
    for name, value in kept.items():
        visit.page.add_init_script(f"try {{ localStorage['satsweep-{name}'] ??= '{value}'; }} catch {{}}")


@pytest.mark.parametrize("skin", ["plain", "classic"])
def test_marks_differ_in_form(visit: Visit, skin: str) -> None:
    chosen(visit, skin=skin)
    page = begin(visit, "play")
    forms = page.evaluate(FORMS, list(MARKED))
    assert forms.pop("last") == forms["target"]
    unmarked = page.evaluate(FORMS, ["none"])["none"]
    alike = [(one, other) for one, other in itertools.combinations(forms, 2) if forms[one] == forms[other]]
    assert alike == [] and unmarked not in forms.values()


def test_the_legend_has_the_forms_of_the_board(visit: Visit) -> None:
    """Frames are the same rules, and what is safe or a mine has its sign."""
    page = begin(visit, "solve")
    form = """([mark, pseudo]) => {
        const shown = (style, part) => [style[`${part}Style`], style[`${part}Color`]];
        const key = document.querySelector(`#view-solve .key.${mark}`);
        const cell = document.querySelector("#view-solve .cell.covered");
        const usual = cell.className;
        cell.className = `cell covered ${mark}`;
        const part = pseudo ? "borderTop" : "outline";
        const found = [shown(getComputedStyle(cell, pseudo), part), shown(getComputedStyle(key, "::before"), part)];
        cell.className = usual;
        return found;
    }"""
    for mark, pseudo in (("best", None), ("clue", None), ("toss", "::after")):
        on_board, in_legend = page.evaluate(form, [mark, pseudo])
        assert in_legend == on_board and in_legend[0] != "none"
    image = "(key) => getComputedStyle(key, '::before').backgroundImage"
    for mark, sign in (("safe", "check"), ("sure", "mine")):
        assert f"board/{sign}.svg" in page.locator(f"#view-solve .key.{mark}").evaluate(image)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_classic_skin_is_chosen_and_kept(visit: Visit, theme: str) -> None:
    """Raised cells and the digits' colours of the nineties, there before the first paint, and readable."""
    chosen(visit, theme=theme)
    page = begin(visit, "solve")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Skin of boards").select_option("classic")
    page.locator("#settings").get_by_role("button", name="Close").click()
    expect(page.locator("#view-solve .cell.covered").first).to_have_css("border-top-style", "solid")
    assert visit.violations() == []
    page = visit.open(PLACES["solve"])
    expect(page.locator("html")).to_have_attribute("data-skin", "classic")
    expect(page.locator("#view-solve .cell").first).to_be_visible()
    colour = """(names) => names.map((name) => {
        const probe = document.querySelector("#view-solve .lead");
        probe.style.color = `var(--${name})`;
        return getComputedStyle(probe).color.match(/\\d+/g).slice(0, 3).map(Number);
    })"""
    names = ["open", *(f"n{number}" for number in range(1, 9))]
    ground, *digits = ["#" + "".join(f"{part:02x}" for part in rgb) for rgb in page.evaluate(colour, names)]
    assert len(set(digits)) == 8
    assert min(contrast(of(digit), of(ground)) for digit in digits) >= LEAST


def test_what_is_kept_of_a_skin_and_is_none_leaves_the_plain_one(visit: Visit) -> None:
    chosen(visit, skin="glass", theme="purple")
    page = begin(visit, "solve")
    assert json.loads(page.evaluate("JSON.stringify({ ...document.documentElement.dataset })")) == {}
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_label("Skin of boards")).to_have_value("plain")
