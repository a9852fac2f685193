"""The state of Train in Node: what an answer changes, and what follows for the screen."""

import json
from fractions import Fraction
from typing import Any

from tests.page.node import node
from tests.page.train.test_puzzles import PUZZLES

PLAIN = next(one for one in PUZZLES if "reasons" in one and one["others"] and one["refutations"])
CHOICE = next(one for one in PUZZLES if "best" in one)
TOLD = """
    const told = (state) => ({
        phase: state.phase, chosen: state.chosen, verdict: state.verdict, lead: state.lead, remarks: state.remarks,
        marks: state.marks(), rule: state.reason?.rule ?? null, best: state.best?.cell ?? null, kind: state.kind,
        labels: state.position.cells.map((_, index) => state.look(index)),
    });
"""


def told(puzzle: dict[str, Any], code: str) -> list[dict[str, Any]]:
    """States that follow each other, as the screen shows them."""
    found: list[dict[str, Any]] = node(
        'import { TrainState } from "./train/state.js";'
        f"{TOLD} const puzzle = {json.dumps(puzzle)}; const first = new TrainState().asking(puzzle);"
        "const at = ([row, col]) => row * first.position.cols + col;"
        f"console.log(JSON.stringify([first, ...{code}].map(told)));"
    )
    return found


def test_a_wrong_answer_is_refuted_asked_again_and_answered() -> None:
    wrong = PLAIN["others"][0]
    states = told(
        PLAIN,
        f"""(() => {{
            const missed = first.answered(at({wrong}), -9);
            const again = missed.askingAgain();
            return [missed, again, again.answered(at(puzzle.reasons[0].cell), 0)];
        }})()""",
    )
    asked, missed, again, right = states
    assert asked["lead"] == again["lead"] and asked["lead"][0].startswith("Which cell is certainly")
    assert (missed["phase"], missed["lead"][0], missed["remarks"]) == (
        "missed", wrong, "Your rating: −9. Try again, or see the answer.",
    )  # fmt: skip
    assert (again["chosen"], again["marks"]["target"], again["phase"]) == (None, [], "missed")
    assert (right["phase"], right["verdict"], right["remarks"]) == ("over", "Yes", "")
    assert right["rule"] == PLAIN["reasons"][0]["rule"] and right["marks"]["clue"]
    cols = len(PLAIN["board"].splitlines()[-1])
    for cells, mine in ((PLAIN["others"], not PLAIN["mine"]), ([PLAIN["reasons"][0]["cell"]], PLAIN["mine"])):
        assert {right["labels"][row * cols + col].get("heat") for row, col in cells} == {int(mine)}
    assert asked["rule"] is None and any(look.get("heat") is not None for look in right["labels"])


def test_a_cell_that_is_not_certain_is_refuted_by_a_solution_on_the_board() -> None:
    for puzzle in PUZZLES:
        if "refutations" not in puzzle or not puzzle["refutations"]:
            continue
        certain = {tuple(one["cell"]) for one in puzzle["reasons"]} | set(map(tuple, puzzle["others"]))
        rows = [line for line in puzzle["board"].splitlines() if " " not in line]
        unsure = [(r, c) for r, row in enumerate(rows) for c, symbol in enumerate(row) if symbol == "#"]
        unsure = [cell for cell in unsure if cell not in certain]
        if unsure:
            break
    (_, missed) = told(puzzle, f"[first.answered(at({list(unsure[0])}), 0)]")
    opposite = "safe" if puzzle["mine"] else "a mine"
    assert missed["lead"] == [list(unsure[0]), f" is not certain: in the solution on the board it is {opposite}."]
    at = unsure[0][0] * len(rows[0]) + unsure[0][1]
    assert missed["labels"][at]["label"] == f"{opposite} in this solution"
    said = {look.get("label") for look in missed["labels"]}
    assert {"a mine in this solution", "safe in this solution"} & said


def test_the_best_guess_or_another_one() -> None:
    best, cells = CHOICE["best"], [list(one[:2]) for one in CHOICE["chances"]]
    other = next(cell for cell in cells if cell not in best)
    asked, right, wrong, shown = told(
        CHOICE, f"[first.answered(at({best[0]}), 8), first.answered(at({other}), -8), first.revealed(null)]"
    )
    assert (right["verdict"], wrong["verdict"], shown["verdict"]) == ("Right", "Not the best", "The answer")
    assert right["lead"][1] == best[0] and right["lead"][2].endswith("no cell wins more often.")
    assert wrong["lead"][1] == other and wrong["lead"][3] == best[0]
    assert right["marks"]["target"] == [] and len(wrong["marks"]["target"]) == 1
    assert shown["remarks"].startswith("You have answered this one before")
    assert asked["best"] is None and right["best"] == wrong["best"] == best[0]


def test_the_best_guess_is_compared_with_the_least_risky_other_one() -> None:
    choices = [one for one in PUZZLES if "best" in one]
    found = node(
        'import { whyBest } from "./train/answers.js";'
        f"console.log(JSON.stringify({json.dumps(choices)}.map(whyBest)));"
    )
    kinds = set()
    for puzzle, sentence in zip(choices, found, strict=True):
        risks = {(row, col): Fraction(risk) for row, col, risk, _ in puzzle["chances"]}
        best = [tuple(cell) for cell in puzzle["best"]]
        least = min(risk for cell, risk in risks.items() if cell not in best)
        kinds.add(least > risks[best[0]])
        if least > risks[best[0]]:
            assert len(sentence) == 1 and sentence[0].endswith(", is the least.")
        else:
            assert risks[tuple(sentence[1])] == least and ("the same" in sentence[2]) == (least == risks[best[0]])
    assert kinds == {True, False}
