r"""Gain by knowing the mine total: games won with it told and hidden, on the same boards.

    satsweep compare --plan known-total --store known-total.sqlite
    satsweep compare --plan benchmarks/data/rough-density.toml --store rough-density.sqlite
    python benchmarks/known_total.py known-total.sqlite rough-density.sqlite \
        --json benchmarks/results/known_total.json --plot benchmarks/results/known_total_gain.svg

The report of ``compare`` pairs agents within a setting. Here two settings are paired, which differ only in what the
player is told and so have the same layouts. The games of ``rough_density``, which is sat with the total hidden and a
cell in five taken for a mine, are paired with those of sat that is told the total.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from satsweep.arena.canvas import framed, save, styled
from satsweep.arena.stats import difference, mcnemar
from satsweep.arena.store import Store

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROUGH = "rough_density"
STYLES = {"sat": ("#0072b2", "o"), ROUGH: ("#56b4e9", "s"), "tank": ("#d55e00", "^"), "gem-select": ("#009e73", "D")}
LABELS = {name: name for name in STYLES} | {ROUGH: "sat, over a rough density"}
Wins = dict[tuple[str, str, bool], dict[int, bool]]
"""Whether each game was won, by board, agent and whether the total was told."""


def wins(file: Path) -> Wins:
    """Return the games of a store."""
    found: Wins = {}
    with Store(file, writing=False) as store:
        run = store.run()
        plan = run.info.plan
        for result in run.results():
            setting, name = plan.settings[result.setting], plan.agents[result.agent]
            agent = ROUGH if ROUGH in name else name
            key = f"{setting.rows}x{setting.cols}/{setting.mines}", agent, setting.rules.tells_total
            found.setdefault(key, {})[result.game] = result.outcome == "cleared"
    return found


def figure(result: list[dict[str, Any]]) -> Figure:
    """Draw the gain of each agent by mines, on 20x20."""
    legend = [(LABELS[name], {"color": colour, "marker": marker}) for name, (colour, marker) in STYLES.items()]
    with styled():
        drawing, (axes,) = framed(
            [""], width=5.2, height=3.2, title="Games won by knowing the mine total",
            subtitle=f"20x20, first cell safe; points, {result[0]['games']} pairs of games each",
            foot=["Intervals: 95 %, of the difference on the same boards."], legend=legend, xlabel="mines",
        )  # fmt: skip
        for name, (colour, marker) in STYLES.items():
            lines = [line for line in result if line["agent"] == name and line["board"].startswith("20x20/")]
            mines = [int(line["board"].partition("/")[2]) for line in lines]
            mean, low, high = ([100 * line["gain"][end] for line in lines] for end in range(3))
            axes.plot(mines, mean, color=colour, marker=marker)
            axes.vlines(mines, low, high, color=colour, linewidth=1.2, alpha=0.6)
        axes.axhline(0, color="#444444", linewidth=0.8)
    return drawing


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("stores", type=Path, nargs="+", help="results of both plans")
    options.add_argument("--json", type=Path, help="file for the result")
    options.add_argument("--plot", type=Path, help="file for the figure")
    chosen = options.parse_args()
    found = {key: games for store in chosen.stores for key, games in wins(store).items()}
    result = []
    for (board, agent, told), hidden in found.items():
        if not told:
            known = found[board, "sat" if agent == ROUGH else agent, True]
            pairs = Counter((won, known[game]) for game, won in hidden.items() if game in known)
            games, only_hidden, only_told = pairs.total(), pairs[True, False], pairs[False, True]
            gain = difference(games, only_hidden, only_told)
            assert gain is not None
            result.append({
                "board": board, "agent": agent, "games": games, "told": pairs[True, True] + only_told,
                "hidden": pairs[True, True] + only_hidden, "only_told": only_told, "only_hidden": only_hidden,
                "gain": list(gain), "p": mcnemar(only_hidden, only_told),
            })  # fmt: skip
            print(json.dumps(result[-1]))
    if chosen.json:
        chosen.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if chosen.plot:
        save(figure(result), chosen.plot)


if __name__ == "__main__":
    main()
