"""What a reason, its words and its certificate cost, over every forced cell of the positions of a corpus.

    python benchmarks/reasons.py --corpus tests/data/positions_expert.jsonl
    python benchmarks/reasons.py --corpus tests/data/positions_hard.jsonl --seconds 60

``--seconds`` ends each board. Times are those of each cell; what the cells of a board share (the analysis, the solver)
is counted with the first. Prints how many clues reasons have, how many are proved to be smallest, which sentences
apply, how long proofs are, and what the verifier takes.
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
        with Explainer(board) as reasons:
            source = reasons.all()
            while (reason := timed(finding, lambda source=source: next(source, None))) is not None:
                clues[len(reason.clues)] += 1
                totals += reason.total
                smallest += reason.smallest
                if len(reason.clues) > 1:
                    several.append(finding[-1])
                rules[timed(telling, lambda reason=reason: argument_in_words(reason)).rule] += 1
                certificate = timed(certifying, lambda board=board, reason=reason: certify(board, [reason]))
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
