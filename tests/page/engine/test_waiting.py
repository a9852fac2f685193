"""What is waited for is always said: in Node with a clock of its own, and on the page while the server is slow."""

import re
from typing import Any

import pytest

from satsweep.page.answers import ANSWERS
from tests.page.browsing import Visit, expect, in_browser
from tests.page.node import node

WAITS = """
    import { Waiting } from "./engine/waiting.js";
    let now = 0;
    const told = [];
    const waits = new Waiting((said, time) => told.push(time ? `${said}, ${time}` : said), () => now);
    const at = (time) => { now = time; waits.look(); };
"""
HELD = """
    window.held = [];
    Object.defineProperty(WebSocket.prototype, "onmessage", {
        set(take) {
            this.addEventListener("message", (event) => {
                if (window.holding) held.push(() => take(event));
                else take(event);
            });
        },
    });
"""


def told(code: str) -> Any:
    return node(f"{WAITS} {code} console.log(JSON.stringify(told));")


def test_every_question_has_its_words() -> None:
    words = node("""
        import { QUESTIONS } from "./engine/questions.js";
        console.log(JSON.stringify(Object.entries(QUESTIONS).map(([name, { work }]) => [name, work])));
    """)
    assert {name for name, _ in words} == ANSWERS.keys() and len({work for _, work in words}) == len(words)


def test_seconds_are_counted_until_the_answer_is_there() -> None:
    """What is answered at once needs no word, and of several things the oldest is said."""
    assert told("""
        let answer, fail;
        const first = waits.during("Reading", () => new Promise((resolve) => { answer = resolve; }));
        at(399); at(400); at(1700);
        const second = waits.during("Writing", () => new Promise((_, reject) => { fail = reject; }));
        at(2500);
        answer("text");
        if (await first !== "text") told.push("no answer");
        at(2800); fail(new Error("full"));
        await second.catch((error) => told.push(error.message));
        await waits.during("Placing", async () => 3);
        if (waits.timer !== undefined) told.push("still counting");
    """) == ["Reading, 0 s", "Reading, 1 s", "Reading, 2 s", "Writing, 0 s", "Writing, 1 s", "", "full"]


def test_what_can_be_seen_is_said_no_more() -> None:
    assert told("""
        let seen;
        waits.during("The solver begins", (see) => { seen = see; return new Promise(() => {}); });
        at(1000); seen(); at(9000);
    """) == ["The solver begins, 1 s", ""]


def test_the_start_of_python_goes_before_the_question_that_waits_for_it() -> None:
    assert told("""
        waits.starts(1);
        waits.during("Reading", () => new Promise(() => {}));
        waits.starts(0); at(4000); waits.starts(0.356); at(4100); waits.starts(1);
        clearInterval(waits.timer);
    """) == ["Python starts, 0 s, 0 %", "Python starts, 4 s, 0 %", "Python starts, 4 s, 35 %", "Reading, 4 s"]


@in_browser
@pytest.mark.server("a folder has no WebSocket that could be held back")
def test_a_slow_review_says_that_it_is_made(visit: Visit) -> None:
    visit.page.add_init_script(HELD)
    page = visit.open("#review")
    expect(page.locator("#review-example")).to_be_visible()
    page.evaluate("window.holding = true")
    page.locator("#review-example").click()
    waiting = page.locator("#waiting")
    expect(waiting).to_have_text(re.compile(r"Reviewing the game, [1-9] s"))
    assert visit.violations() == []
    page.evaluate("() => { holding = false; for (const take of held.splice(0)) take(); }")
    expect(waiting).to_be_hidden()
    expect(page.locator("#view-review .cell").first).to_be_visible()
