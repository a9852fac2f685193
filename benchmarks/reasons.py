"""Cost of explanations, their words and certificates, on a corpus.

    python benchmarks/reasons.py --corpus tests/data/positions_expert.jsonl
    python benchmarks/reasons.py --corpus tests/data/positions_hard.jsonl --seconds 60

Every forced cell of every position is explained. ``--seconds`` limits the time for each board. Times are per cell; work
that the cells of a board share (the analysis, the solver) counts for the first. The benchmark prints the numbers of
clues, how many explanations are proved to be smallest, the rules of the arguments, and the times for proofs and their
verification.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any, TypeVar

from satsweep.formats import read_boards
from satsweep.proofs.certify import certify
from satsweep.proofs.verify import verify
from satsweep.why.explainer import Explainer
from satsweep.why.sentences import argument_in_words

_T = TypeVar("_T")


def timed(times: list[float], make: Callable[[], _T]) -> _T:
    begun = time.perf_counter()
    made = make()
    times.append(1000 * (time.perf_counter() - begun))
    return made


def spread(times: list[float]) -> dict[str, float]:
    return {
        "median_ms": round(median(times), 3),
        "p99_ms": round(quantiles(times, n=100)[98], 3),
        "mean_ms": round(sum(times) / len(times), 3),
        "max_ms": round(max(times), 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    finding: list[float] = []
    telling: list[float] = []
    certifying: list[float] = []
    verifying: list[float] = []
    clues: Counter[int] = Counter()
    rules: Counter[str] = Counter()
    several: list[float] = []
    totals = smallest = cut = 0
    for board in read_boards(arguments.corpus):
        end = time.monotonic() + arguments.seconds
        with Explainer(board) as explainer:
            source = explainer.all()
            while (explanation := timed(finding, lambda source=source: next(source, None))) is not None:
                clues[len(explanation.clues)] += 1
                totals += explanation.total
                smallest += explanation.smallest
                if len(explanation.clues) > 1:
                    several.append(finding[-1])
                rules[timed(telling, lambda explanation=explanation: argument_in_words(explanation)).rule] += 1
                certificate = timed(certifying, lambda found=explanation: certify(found.board, [found]))
                timed(verifying, lambda board=board, certificate=certificate: verify(board, certificate))
                if time.monotonic() > end:
                    cut += 1
                    break
            else:
                finding.pop()
    found: dict[str, Any] = {
        "corpus": arguments.corpus.name,
        "reasons": len(telling),
        "boards_cut_short": cut,
        "find": spread(finding),
        "find_those_of_several_clues": spread(several),
        "tell": spread(telling),
        "certify": spread(certifying),
        "verify": spread(verifying),
        "with_total": totals,
        "proved_smallest": smallest,
        "clues": dict(sorted(clues.items())),
        "rules": dict(rules.most_common()),
    }
    print(json.dumps(found, indent=1))
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
