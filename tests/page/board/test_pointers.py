"""Pointers on a board, for all views: what buttons, fingers and strokes do, in Node, and in Chromium in Play."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.page.browsing import PHONE, Visit, expect, in_browser
from tests.page.node import node
from tests.page.play.test_view import GAME, begin

IMPORTS = """
    import { mock } from "node:test";
    import { letPoint } from "./board/pointers.js";
    mock.timers.enable({ apis: ["setTimeout"] });
"""
MACHINE = """
    globalThis.window = Object.assign(new EventTarget(), { setTimeout: (...how) => setTimeout(...how) });
    globalThis.document = { elementFromPoint: (x) => x };
    if (!globalThis.navigator) globalThis.navigator = {};
    const told = [];
    const does = (name) => (index) => told.push(`${name} ${index}`);
    const all = Object.fromEntries(["left", "right", "middle", "both", "hold"].map((name) => [name, does(name)]));
    const grid = new EventTarget();
    const cells = Array(9).fill({ focus() {} });
    const board = {
        grid, cells, on: all, painting: null, ends: new AbortController(), focus() {}, showTip() {},
        sink: (indices) => { if (indices.length) told.push(`sunk ${indices}`); },
    };
    letPoint(board, (event) => event.cell ?? (typeof event.target === "number" ? event.target : null));
    const fire = (to, name, fields) => {
        const event = Object.assign(new Event(name, { cancelable: true }), fields);
        to.dispatchEvent(event);
        return event.defaultPrevented;
    };
    const BUTTONS = [1, 4, 2];  // bits of event.buttons, by the number of the button
    let buttons = 0;
    const mouse = {
        down(button, cell, more) {
            if (!buttons) fire(grid, "pointerdown", { pointerType: "mouse", isPrimary: true, button, cell });
            buttons |= BUTTONS[button];
            fire(grid, "mousedown", { button, buttons, cell, ...more });
        },
        over: (cell) => fire(grid, "mouseover", { buttons, cell }),
        up(button, cell) {
            buttons &= ~BUTTONS[button];
            fire(window, "mouseup", { button, buttons, cell });
            if (!buttons) fire(window, "pointerup", {});
            if (button === 0) fire(grid, "click", { detail: 1, cell });
        },
    };
    const finger = {
        down: (cell, more) =>
            fire(grid, "pointerdown", {
                pointerType: "touch", isPrimary: true, button: 0, clientX: 0, clientY: 0, cell, ...more,
            }),
        move: (x) => fire(grid, "pointermove", { clientX: x, clientY: 0 }),
        up(cell) {
            fire(window, "pointerup", {});
            // Browsers repeat a tap as events of a mouse.
            for (const name of ["mousedown", "mouseup"]) fire(grid, name, { button: 0, buttons: 0, cell });
            fire(grid, "click", { detail: 1, cell });
        },
    };
    const wait = (milliseconds) => mock.timers.tick(milliseconds);
"""


def acted(*codes: str) -> list[Any]:
    """What boards of nine cells are told to do: a board for each code."""
    runs = (f"(() => {{ {MACHINE} {code}; return told; }})()" for code in codes)
    return list(node(f"{IMPORTS} console.log(JSON.stringify([{', '.join(runs)}]));"))


def test_gestures(subtests: pytest.Subtests) -> None:
    expected: list[tuple[str, list[str]]] = [
        ("mouse.down(0, 1); mouse.up(0, 1)", ["left 1"]),
        ("mouse.down(0, 1); mouse.over(2); mouse.up(0, 2)", ["left 2"]),
        ("mouse.down(0, 1); mouse.up(0, null)", []),
        ("mouse.down(2, 1); mouse.up(2, 1)", ["right 1"]),
        ("board.on = { ...all, atOnce: true }; mouse.down(2, 1); told.push('up'); mouse.up(2, 1)", ["right 1", "up"]),
        ("mouse.down(0, 1, { ctrlKey: true }); mouse.up(0, 1)", ["right 1"]),
        ("mouse.down(1, 1); mouse.up(1, 1)", ["middle 1"]),
        ("mouse.down(0, 1); mouse.down(2, 1); mouse.up(2, 1); mouse.up(0, 1)", ["both 1"]),
        ("mouse.down(2, 1); mouse.down(0, 1); mouse.up(0, 1); mouse.up(2, 1); mouse.down(0, 3); mouse.up(0, 3)",
         ["both 1", "left 3"]),
        ("board.on = { left: does('left') }; mouse.down(0, 1); mouse.down(2, 1); mouse.up(2, 1); mouse.up(0, 1)", []),
        ("board.on = {}; mouse.down(0, 1); mouse.up(0, 1)", []),
        ("board.on = { ...all, sunk: (name, index) => [index, index + 1] }; mouse.down(0, 1); mouse.over(2);"
         "mouse.up(0, 2)", ["sunk 1,2", "sunk 2,3", "left 2"]),
        ("finger.down(4); wait(100); finger.up(4)", ["left 4"]),
        ("finger.down(4); wait(429); told.push('not yet'); wait(1); finger.up(4)", ["not yet", "hold 4"]),
        ("board.on = { left: does('left') }; finger.down(4); wait(900); finger.up(4)", ["left 4"]),
        ("finger.down(4); finger.move(30); wait(900); finger.up(4)", []),
        ("finger.down(4); finger.move(9); finger.up(4)", ["left 4"]),
        ("finger.down(4); finger.down(5, { isPrimary: false }); wait(900); finger.up(4); finger.up(5)", []),
        ("finger.down(4); finger.down(null); wait(900)", []),
        ("finger.down(4); board.ends.abort(); wait(900)", []),
        ("finger.down(4); finger.up(4); mouse.down(0, 1); mouse.up(0, 1)", ["left 4", "left 1"]),
        ("fire(grid, 'click', { detail: 0, cell: 7 })", ["left 7"]),
        ("fire(grid, 'keydown', {}); fire(grid, 'contextmenu', { cell: 7 })", ["right 7"]),
        ("mouse.down(2, 1); fire(grid, 'contextmenu', { cell: 1 }); mouse.up(2, 1)", ["right 1"]),
    ]  # fmt: skip
    for (code, told), found in zip(expected, acted(*(code for code, _ in expected)), strict=True):
        with subtests.test(code):
            assert found == told


def test_a_brush_paints_and_does_nothing_else() -> None:
    assert acted("""
        board.painting = "1";
        const paint = (index, first) => told.push(`paint ${index} ${first}`);
        board.on = { ...all, paint, turn: (index, by) => told.push(`turn ${index} ${by}`) };
        told.push(fire(grid, "pointerdown", { pointerType: "pen", isPrimary: true, button: 0, cell: 0 }));
        for (const cell of [0, 1, 1, null, 2]) fire(grid, "pointermove", { clientX: cell });
        wait(900);
        fire(window, "pointerup", {});
        fire(grid, "pointermove", { clientX: 3 });
        fire(grid, "click", { detail: 1, cell: 2 });
        fire(grid, "wheel", { deltaY: -1, cell: 5 });
        fire(grid, "wheel", { deltaY: -1, cell: 5, ctrlKey: true });
        mouse.down(2, 8);
        mouse.up(2, 8)
    """) == [["paint 0 true", True, "paint 1 false", "paint 2 false", "turn 5 1", "right 8"]]  # fmt: skip


def test_a_finger_paints_with_a_tap_and_a_drag_is_left_to_the_browser() -> None:
    assert acted("""
        board.painting = "1";
        board.on = { ...all, paint: (index, first) => told.push(`paint ${index} ${first}`) };
        told.push(finger.down(0));
        finger.up(0);
        finger.down(3);
        finger.move(99);
        finger.up(4);
        finger.down(5);
        wait(900);
        finger.up(5)
    """) == [[False, "paint 0 true", "hold 5"]]  # fmt: skip


def test_the_menu_of_the_browser_is_left_where_nothing_flags() -> None:
    assert acted("""
        const menu = (cell) => told.push(fire(grid, "contextmenu", { cell }));
        menu(1);
        menu(null);
        board.on = { left: does("left") };
        menu(1)
    """) == [[True, False, False]]  # fmt: skip


# In Chromium


@in_browser
def test_fingers(phone: Visit) -> None:
    """On a phone a tap opens, a long press flags, and nothing sticks out of the page."""
    visit = phone
    page = visit.open(GAME)
    visit.cell(4, 4, "play").tap()
    expect(visit.cell(4, 4, "play")).to_have_accessible_name(re.compile("empty"))
    page.locator("#play-flagging").tap()
    page.locator("#view-play .cell.covered").first.tap()
    expect(page.locator("#view-play .cell.flag")).to_have_count(1)
    page.locator("#play-flagging").tap()
    touch = page.locator("#view-play .cell.covered:not(.flag)").first
    box = touch.bounding_box()
    assert box is not None
    client = visit.context.new_cdp_session(page)
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [place]})
    expect(page.locator("#view-play .cell.flag")).to_have_count(2)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#view-play .cell.flag")).to_have_count(2)
    for view in ("watch", "solve", "play"):
        visit.open(f"#{view}")
        expect(page.locator(f"#view-{view} .cell").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def down(page: Any, cell: Any, button: str = "left") -> None:
    box = cell.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down(button=button)


@in_browser
def test_cells_sink_while_a_button_is_down_that_opens_them(visit: Visit) -> None:
    page = begin(visit)
    page.get_by_label("Warn me").uncheck()
    number, sunk = page.locator("#view-play .cell.n1").first, page.locator("#view-play .cell.sunk")
    index = int(number.get_attribute("data-i") or "")
    row, col = divmod(index, 9)
    around = [9 * r + c for r in range(row - 1, row + 2) for c in range(col - 1, col + 2) if 0 <= r < 9 and 0 <= c < 9]
    symbols = visit.symbols("play")
    covered = {str(one) for one in around if symbols[one].startswith("covered")}
    for button in ("left", "middle"):
        down(page, number, button)
        expect(sunk).to_have_count(len(covered))
        assert set(sunk.evaluate_all("cells => cells.map((cell) => cell.dataset.i)")) == covered
        page.mouse.move(1, 1)
        expect(sunk).to_have_count(0)
        page.mouse.up(button=button)
    down(page, number, "right")
    expect(sunk).to_have_count(0)
    page.mouse.up(button="right")
    assert visit.symbols("play") == symbols


@in_browser
def test_a_long_press_takes_as_long_as_the_user_likes(phone: Visit) -> None:
    page = begin(phone)
    page.evaluate("localStorage['satsweep-settings-press'] = '1000'")
    cell = page.locator("#view-play .cell.covered").last
    touch = """(cell, name) => cell.dispatchEvent(new PointerEvent(name, {
        pointerType: "touch", isPrimary: true, bubbles: true, button: 0,
    }))"""
    cell.evaluate(touch, "pointerdown")
    page.wait_for_timeout(600)
    cell.evaluate(touch, "pointerup")
    expect(page.locator("#view-play .cell.flag")).to_have_count(0)
    page.evaluate("localStorage['satsweep-settings-press'] = '250'")
    cell.evaluate(touch, "pointerdown")
    expect(page.locator("#view-play .cell.flag")).to_have_count(1)
    cell.evaluate(touch, "pointerup")
