"""Speed of rating expert layouts, quick and whole, and a check of the answers.

    python benchmarks/rate.py --json benchmarks/results/rate.json

The layouts are expert boards from a start in the middle without mines around, rated in one process with all code
loaded. Times are processor times, which other programs on the machine disturb less: the quick rating of values, of a
file of JSON Lines to lines of JSON as the command does it, and in Python alone; then the whole rating, which proves
each answer. Quick and whole ratings agree, every proof is written, read again and checked, and ``sat`` plays some of
the boards: it has to guess exactly where the rating says so.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from satsweep.agents import agent_named
from satsweep.assessment import rate as rating_module
from satsweep.assessment.rate import Rating, rate, ratings
from satsweep.board import Cell
from satsweep.formats import board_json, certificates, read_layouts
from satsweep.games.game import play
from satsweep.games.record import MoveReason
from satsweep.generator.no_guess import drawn
from satsweep.generator.spec import BoardSpec
from satsweep.generator.walkthrough import GIVEN_START_RULES
from satsweep.layout import Layout
from satsweep.proofs.trace import GuessProof, Trace, check, check_guess
from satsweep.render.rating import json_line

SPEC = BoardSpec(16, 30, 99, start=Cell(8, 15))
SHARES = 5


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result of some work, and its processor time in seconds."""
    begun = time.process_time()
    return work(), time.process_time() - begun


def speeds(layouts: list[Layout], work: Callable[[list[Layout]], object]) -> dict[str, object]:
    """Layouts a second: the median of some shares, the slowest and the fastest."""
    each = len(layouts) // SHARES
    found = []
    for share in range(SHARES):
        some = layouts[share * each : (share + 1) * each]
        _, seconds = timed(partial(work, some))
        found.append(each / seconds)
    found.sort()
    return {
        "layouts": each * SHARES,
        "a_second": round(statistics.median(found), 2),
        "slowest_share": round(found[0], 2),
        "fastest_share": round(found[-1], 2),
    }


def of_a_file(layouts: list[Layout]) -> list[str]:
    """Read layouts from a file of JSON Lines, and return the lines of their ratings."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "layouts.jsonl"
        path.write_text("".join(json.dumps(json.loads(board_json.to_json(layout))) + "\n" for layout in layouts))
        found = ratings(read_layouts(path))
        return [json_line(rating, str(path), number) for number, rating in enumerate(found, 1)]


def in_python(layouts: list[Layout]) -> list[Rating]:
    """Quick ratings without the kernels."""
    with mock.patch.object(rating_module, "_stuck_by_kernels", return_value={}):
        return list(ratings(layouts))


def check_proof(rating: Rating) -> int:
    """Check the proof of a rating after it was written and read; return its size."""
    if rating.guess is not None:
        proof = certificates.from_json(certificates.to_json(rating.guess.proof))
        assert isinstance(proof, GuessProof)
        check_guess(proof)
        return len(rating.guess.proof.worlds)
    assert rating.trace is not None
    trace = certificates.from_json(certificates.to_json(rating.trace))
    assert isinstance(trace, Trace)
    return check(trace).proofs


def main() -> None:
    """Measure, check, and write the result."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result here")
    parser.add_argument("--layouts", type=int, default=20_000, help="layouts of the quick rating")
    parser.add_argument("--whole", type=int, default=200, help="layouts of the whole rating")
    options = parser.parse_args()
    layouts = [drawn(SPEC, "rate", number)[0] for number in range(options.layouts)]
    few = layouts[: options.whole]
    list(ratings(few))
    quick = list(ratings(layouts))
    whole, seconds = [], []
    for layout in few:
        rating, took = timed(partial(rate, layout))
        whole.append(rating)
        seconds.append(took)
    assert [rating.needs_guess for rating in whole] == [rating.needs_guess for rating in quick[: len(few)]]
    assert [rating.needs_guess for rating in in_python(few)] == [rating.needs_guess for rating in whole]
    sizes = [check_proof(rating) for rating in whole]
    for rating in whole:
        game = play(rating.layout, agent_named("sat"), GIVEN_START_RULES)
        assert rating.needs_guess is (MoveReason.GUESSED in [move.reason for move in game.moves])
    guesses = [place for place, rating in enumerate(whole) if rating.guess is not None]
    none = [place for place, rating in enumerate(whole) if rating.guess is None]
    found = {
        "quick": {
            "values": speeds(layouts, lambda some: list(ratings(some))),
            "file": speeds(layouts, of_a_file),
            "python": speeds(few, in_python),
        },
        "need_no_guess": sum(rating.needs_guess is False for rating in quick),
        "whole": {
            "layouts": len(few),
            "need_no_guess": len(none),
            "seconds_no_guess": round(statistics.median(seconds[place] for place in none), 3),
            "seconds_guess": round(statistics.median(seconds[place] for place in guesses), 3),
            "slowest_seconds": round(max(seconds), 2),
            "cells_proved": round(statistics.mean(sizes[place] for place in none), 1),
            "worlds": round(statistics.mean(sizes[place] for place in guesses), 1),
            "most_worlds": max(sizes[place] for place in guesses),
            "win_chance_known": sum(whole[place].guess.win_chance is not None for place in guesses),
        },
    }
    text = json.dumps(found, indent=1) + "\n"
    print(text, end="")
    if options.json:
        options.json.write_text(text)


if __name__ == "__main__":
    main()
