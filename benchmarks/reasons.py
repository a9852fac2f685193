"""Costs of explanations, sentences and certificates, on the boards of a corpus.

    python benchmarks/reasons.py --corpus tests/data/positions_expert.jsonl
    python benchmarks/reasons.py --corpus tests/data/positions_hard.jsonl --seconds 60

All forced cells are explained; ``--seconds`` ends each board. Times are those of each cell; the work that the cells of
a board share (the analysis, the solver) counts with the first. Prints the numbers of clues, the number of explanations
that are proved to be smallest, the rules of the sentences, and the times of finding, wording, proving and verifying.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from satsweep.formats import read_boards
from satsweep.proofs.certify import certify
from satsweep.proofs.verify import verify
from satsweep.why.explainer import Explainer
from satsweep.why.sentences import argument_in_words


@contextmanager
def timed(times: list[float]) -> Iterator[None]:
    """Append the milliseconds of a block to ``times``."""
    begun = time.perf_counter()
    yield
    times.append(1000 * (time.perf_counter() - begun))


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
            explanations = explainer.all()
            while True:
                with timed(finding):
                    explanation = next(explanations, None)
                if explanation is None:
                    finding.pop()
                    break
                clues[len(explanation.clues)] += 1
                totals += explanation.total
                smallest += explanation.smallest
                if len(explanation.clues) > 1:
                    several.append(finding[-1])
                with timed(telling):
                    argument = argument_in_words(explanation)
                rules[argument.rule] += 1
                with timed(certifying):
                    certificate = certify(board, [explanation])
                with timed(verifying):
                    verify(board, certificate)
                if time.monotonic() > end:
                    cut += 1
                    break
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
