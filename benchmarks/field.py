"""Programs of others beside `sat` on the same layouts: games won, published rates, and times as ratios.

    python examples/umi/foreign/build.py
    cd build/foreign
    satsweep compare --agents sat,cmd:pseq.toml --board beginner --games 10000 --store stores/pseq.sqlite
    python ../../benchmarks/field.py stores --output ../../benchmarks/results/field.json

The stores have runs of ``sat`` with engines of examples/umi/foreign; of several runs of an engine the one with the most
games counts. Times are processor times, to be compared with those of ``sat`` in the same run, since other work may have
slowed down both. docs/ladder/README.md has the commands of the committed results.

Over UMI a program reads a board and writes an answer each turn. ``peers.py`` has times without the protocol.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from satsweep.agents.engine import PREFIX
from satsweep.arena import Store
from satsweep.arena.ladder import read_ladder
from satsweep.arena.report import AgentSummary, Section, anchor_values, estimate_values
from satsweep.arena.run import report_on

ROOT = Path(__file__).resolve().parent.parent
OURS = "sat"


def milliseconds(summary: AgentSummary) -> dict[str, float]:
    """The processor time of a game and of a turn."""
    game, turns = summary.measured["ms"], summary.measured["turns"]
    assert game is not None and turns is not None
    return {"game": game.mean, "turn": game.mean / turns.mean}


def lines(section: Section, published: dict[tuple[str, str], Any], seed: str) -> Iterator[dict[str, Any]]:
    """The engines of a run on one board."""
    by_name = {summary.agent: summary for summary in section.summaries}
    ours = by_name.get(OURS)
    for summary in section.summaries:
        if ours is None or not summary.agent.startswith(PREFIX):
            continue
        (pair,) = (one for one in section.comparisons if {one.first, one.second} == {OURS, summary.agent})
        difference = pair.difference if pair.first == OURS or pair.difference is None else pair.difference.negated
        yield {
            "board": f"{section.setting.rows}x{section.setting.cols}, {section.setting.mines} mines",
            "engine": Path(summary.agent.removeprefix(PREFIX)).stem,
            "seed": seed,
            "games": summary.games,
            "failed": summary.failed,
            "won": estimate_values(summary.measured["won"]),
            "published": published.get((str(section.setting), summary.agent)),
            "ahead_of_sat": estimate_values(difference),
            "milliseconds": milliseconds(summary),
            "milliseconds_of_sat": milliseconds(ours),
        }


def read_stores(stores: Path) -> list[dict[str, Any]]:
    """The engines of all stores, the smallest board first."""
    published = {
        (str(section.setting), line.engine): line.published and anchor_values(line.published)
        for section in read_ladder(stores)
        for line in section.lines
    }
    most: dict[tuple[str, str], dict[str, Any]] = {}
    for path in sorted(stores.glob("*.sqlite")):
        with Store(path, writing=False) as store:
            for info in store.runs():
                report = report_on(store.run(info.number))
                for section in report.sections:
                    for line in lines(section, published, report.plan.seed):
                        key = line["board"], line["engine"]
                        if key not in most or line["games"] > most[key]["games"]:
                            most[key] = line
    return [most[key] for key in sorted(most, key=lambda key: (int(key[0].split()[1]), key[1]))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stores", type=Path, help="folder of stores")
    parser.add_argument("--output", type=Path, required=True, help="JSON file")
    given = parser.parse_args()
    given.output.write_text(json.dumps(read_stores(given.stores), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
