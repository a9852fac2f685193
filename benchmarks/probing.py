"""Knowledge gained by each probe of ai0, orderly and at random.

    python benchmarks/probing.py --plays 50 --json benchmarks/results/probing.json --plots benchmarks/results

Covre and Reddy picture their agent on a 30x30 board with one mine, at 16|20, and the safe start at 19|15. The gain of a
probe is the number of cells that become known by it, at most nine. Each way to probe plays that board until the mine is
found, and the same board without a mine until every cell is known, which shows the whole pattern. Plays of one board
differ in the draws among equal probes.
"""

import argparse
import json
import re
from pathlib import Path
from typing import Any

from satsweep import Layout, Record, Rules, agent_named, play
from satsweep.agents.ai0 import PROBES
from satsweep.arena.canvas import framed, save, styled
from satsweep.arena.stats import mean
from satsweep.games.deal import game_rng
from satsweep.games.rules import FIND_MINES_RULES, FirstClick

PICTURED = Layout.load(Path(__file__).parent.parent / "examples" / "covre_reddy.txt")
BLANK = PICTURED.with_mines([])
FULL = 9
EVERY_CELL = Rules(first=FirstClick.GIVEN, cascade=False, fatal=False)
COLOURS = dict(zip(PROBES, ("#0072b2", "#d55e00"), strict=True))


def games(layout: Layout, rules: Rules, probes: str, plays: int) -> list[Record]:
    """Return several plays of one board."""
    return [play(layout, agent_named(f"ai0:{probes}"), rules, game_rng(0, number)) for number in range(plays)]


def gains(game: Record) -> list[int]:
    """Return the gain of each cell opened while no risk was known, the start first."""
    found = (re.search(r"probe, gain (\d)", move.why) for move in game.moves)
    return [FULL, *(int(match[1]) for match in found if match)]


def estimated(values: list[int]) -> list[float]:
    """Return the mean and its 95 % interval."""
    found = mean(sum(values), sum(value * value for value in values), len(values))
    assert found is not None
    return [found.mean, found.low, found.high]


def measured(probes: str, plays: int) -> dict[str, Any]:
    """Return the gains of one way to probe."""
    whole = [gains(game) for game in games(BLANK, EVERY_CELL, probes, plays)]
    to_mine = [game.measures.opened for game in games(PICTURED, FIND_MINES_RULES, probes, plays)]
    longest = max(map(len, whole))
    by_number = [[line[number] for line in whole if number < len(line)] for number in range(longest)]
    return {
        "probes": probes,
        "plays": plays,
        "full": estimated([next((n for n, gain in enumerate(line) if gain < FULL), len(line)) for line in whole]),
        "known_by_full": estimated([sum(gain for gain in line if gain == FULL) for line in whole]),
        "in_all": estimated([len(line) for line in whole]),
        "after_fifty": estimated([sum(line[:50]) for line in whole]),
        "to_mine": estimated(to_mine),
        "gains": [sum(values) / len(values) for values in by_number],
        "still": [len(values) for values in by_number],
    }


def figures(result: list[dict[str, Any]], folder: Path) -> None:
    """Draw the gain of each probe, and the pattern of one play of each way."""
    foot = ["30x30, start at 19,15, no mine; ai0 and ai0:random."]
    with styled():
        legend = [(f"{name} probes", {"color": colour}) for name, colour in COLOURS.items()]
        drawing, (axes,) = framed(
            [""], width=5.2, height=3.0, title="Cells that become known by each probe",
            subtitle=f"mean of {result[0]['plays']} plays", foot=foot, legend=legend, xlabel="probe",
        )  # fmt: skip
        for line in result:
            found = line["gains"]
            axes.plot(range(1, len(found) + 1), found, color=COLOURS[line["probes"]])
        axes.set_ylim(0, FULL + 0.5)
        save(drawing, folder / "probing_gain.svg")
        drawn = {probes: games(BLANK, EVERY_CELL, probes, 1)[0] for probes in PROBES}
        drawing, grid = framed(
            [f"{probes}: {len(gains(game))} probes" for probes, game in drawn.items()], width=3.4,
            height=3.4, title="Probes until every cell is known",
            subtitle="dark: gain of nine cells; light: fewer; ringed: the start", foot=foot,
        )  # fmt: skip
        for axes, (probes, game) in zip(grid, drawn.items(), strict=True):
            _draw_pattern(axes, game, COLOURS[probes])
        save(drawing, folder / "probing_pattern.svg")


def _draw_pattern(axes: Any, game: Record, colour: str) -> None:
    cells = [cell for move in game.moves for cell, _ in move.revealed]
    for full, alpha in ((True, 1.0), (False, 0.4)):
        some = [cell for cell, gain in zip(cells, gains(game), strict=True) if (gain == FULL) is full]
        axes.plot(
            [cell.col for cell in some], [cell.row for cell in some], "s", color=colour, alpha=alpha, markersize=5.5,
            markeredgewidth=0,
        )  # fmt: skip
    axes.plot([cells[0].col], [cells[0].row], "o", markersize=11, markerfacecolor="none", markeredgecolor="#1a1a1a")
    axes.set_xlim(-0.5, BLANK.cols - 0.5)
    axes.set_ylim(BLANK.rows - 0.5, -0.5)
    axes.set_aspect("equal")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--plays", type=int, default=50, help="plays of each board")
    options.add_argument("--json", type=Path, help="file for the result")
    options.add_argument("--plots", type=Path, help="folder for the figures")
    chosen = options.parse_args()
    result = [measured(probes, chosen.plays) for probes in PROBES]
    for line in result:
        print(json.dumps({name: value for name, value in line.items() if name not in ("gains", "still")}))
    if chosen.json:
        chosen.json.write_text(json.dumps(result) + "\n", encoding="utf-8")
    if chosen.plots:
        figures(result, chosen.plots)


if __name__ == "__main__":
    main()
