"""Tables of docs/experiments.md, from files that ``satsweep compare --csv`` wrote."""

from collections.abc import Sequence
from math import hypot

from results import (
    Maker,
    Results,
    Row,
    Table,
    area,
    fixed,
    milliseconds,
    one,
    percent,
    power,
    powers,
    same,
    table,
    with_interval,
)

DENSITIES = [tenth / 10 for tenth in range(1, 10)]

# Table 3.1 of Xu, Zhang and Geng (2017): share of 100 games won with 5, 10, 15, 20 and 25 mines.
XU_EXACT = (".98", ".84", ".58", ".19", ".03")
XU_TOO_LOW = (".80", ".69", ".35", ".08", ".00")


def by_density(
    results: Results, name: str, agents: Sequence[str], beyond: str = "", densities: Sequence[float] = DENSITIES
) -> Table:
    """Return scores by density, and the share of deductions that ``basic`` lacks."""
    rows = results.rows(name)
    lines = []
    for density in densities:
        # The number of mines is whole, so no density of a board is exactly the one that was asked for.
        nearest = min((float(row["density"]) for row in rows), key=lambda known: abs(known - density))
        found = [one(rows, density=nearest, agent=agent) for agent in agents]
        line = [fixed(density, 2).lstrip("0"), *(f"{percent(row['score'])} %" for row in found)]
        share = f"{percent(found[-1]['beyond_basic'])} %" if found[-1]["beyond_basic"] else ""
        lines.append(line + ([share] if beyond else []))
    return table(["density", *agents] + ([beyond] if beyond else []), lines)


def gem_density(results: Results) -> Table:
    """Return the score of ``basic`` and ``gem`` by density."""
    densities = [*DENSITIES, 0.96, 1.0]
    return by_density(results, "gem-density.csv", ("basic", "gem"), "gem's deductions beyond basic", densities)


def gem_select(results: Results) -> Table:
    """Return the score of ``gem`` and ``gem-select`` by density."""
    return by_density(results, "gem-select.csv", ("gem", "gem-select"))


THRESHOLDS = (0, 1, 2, 5, 10, 20, 100)


def select_threshold(results: Results) -> Table:
    """Return the score of ``gem-select`` by threshold and density."""
    rows = results.rows("select-threshold.csv")
    densities = sorted({float(row["density"]) for row in rows})
    lines = []
    for threshold in THRESHOLDS:
        found = (one(rows, density=density, agent=f"gem-select:{threshold}") for density in densities)
        lines.append([f"{threshold} %", *(f"{with_interval_in_percent(row, 'score')} %" for row in found)])
    shown = (fixed(density, 1).removeprefix("0") for density in densities)
    return table(["threshold", *(f"density {density}" for density in shown)], lines)


def with_interval_in_percent(row: Row, name: str) -> str:
    """Return a share and half the width of its 95 % interval, in percent."""
    half = (float(row[f"{name}_high"]) - float(row[f"{name}_low"])) / 2
    return f"{percent(row[name])} ± {percent(half)}"


DEDUCING = ("tank", "subset", "gem", "gem-full", "gem-refute", "sat")


def deductions(results: Results) -> Table:
    """Return the share of forced cells that agents find beyond single numbers."""
    lines = []
    for line in results.json("deductions.json"):
        cells = (f"{percent(line['cells'][agent] / line['forced'], 0)} %" for agent in DEDUCING)
        lines.append([line["boards"], f"{line['decidable']} of {line['positions']}", *cells])
    return table(["boards", "positions with a forced cell", *DEDUCING], lines)


def haridas_nair(results: Results) -> Table:
    """Return the mines found on the board of Haridas and Nair, as shares of the games."""
    lines = []
    for agent, found in results.json("haridas_nair.json").items():
        games = sum(found.values())
        mean = sum(int(mines) * count for mines, count in found.items()) / games
        shares = [f"{percent(found.get(str(mines), 0) / games, 0)} %" for mines in (18, 19, 20, 21, 22)]
        fewer = sum(count for mines, count in found.items() if int(mines) < 18)
        lines.append([agent, fixed(mean, 1), f"{percent(fewer / games, 0)} %", *shares])
    return table(["agent", "mines found", "fewer than 18", "18", "19", "20", "21", "22"], lines)


def gem_matrix(results: Results) -> Table:
    """Return the size of gem's matrix and its time by density and board."""
    lines = []
    for part in results.json("gem_matrix.json"):
        for line in part["sizes"]:
            means = (fixed(line[name], 0) for name in ("base", "rows", "columns"))
            most = f"{line['most_rows']} x {line['most_columns']}"
            times = (fixed(1000 * line[name], 2) for name in ("seconds", "most_seconds"))
            lines.append(
                [fixed(part["density"], 1).removeprefix("0"), f"{line['side']}x{line['side']}", *means, most, *times]
            )
    return table(
        ["density", "board", "open numbers", "rows", "columns", "most rows x columns", "mean ms", "longest ms"], lines
    )


def gem_matrix_exponents(results: Results) -> Table:
    """Return the exponents with which gem's matrix and its time grow."""
    names = ("rows_by_cells", "seconds_by_cells", "columns_by_rows", "seconds_by_rows")
    return table(
        ["density", "rows by cells", "time by cells", "columns by rows", "time by rows"],
        [
            [fixed(part["density"], 1).removeprefix("0"), *(fixed(part["exponents"][name], 2) for name in names)]
            for part in results.json("gem_matrix.json")
        ],
    )


CASES = ("nothing is safe", "numbers", "mine total")
GROUPS = ("2 neighbouring numbers", "2 numbers, 2 cells apart", "3 numbers", "4 numbers", "5 numbers")


def tank_struggles(results: Results) -> Table:
    """Return why tank guesses, by mines, and which agents would not have to."""
    lines = []
    for line in results.json("tank_struggles.json")["counts"]:
        turns, found = sum(line["cases"].values()), line["found"]
        cases = (f"{percent(line['cases'].get(case, 0) / turns, 0)} %" for case in CASES)
        share = (f"{percent(found[agent] / line['cases']['numbers'], 0)} %" for agent in DEDUCING[1:5])
        lines.append([str(line["mines"]), fixed(turns / line["games"], 1), *cases, *share])
    header = ["mines", "guesses a game", "no safe cell", "one by numbers", "one by the total as well"]
    return table([*header, *(f"by numbers: {agent} sees it" for agent in DEDUCING[1:5])], lines)


def tank_groups(results: Results) -> Table:
    """Return the least numbers that prove a safe cell which tank misses, by mines."""
    lines = []
    for line in results.json("tank_struggles.json")["counts"]:
        groups = line["groups"]
        assert set(groups) <= set(GROUPS), "every group has its column"
        lines.append([str(line["mines"]), *(str(groups.get(group, 0)) for group in GROUPS)])
    return table(["mines", *GROUPS], lines)


def tank_positions(results: Results) -> Table:
    """Return the smallest position of each group, drawn side by side as text."""
    blocks = []
    positions = results.json("tank_struggles.json")["positions"]
    for group in (group for group in GROUPS if group in positions):
        rows = [list(row) for row in positions[group]["board"]]
        row, col = positions[group]["safe"]
        rows[row][col] = "S"
        blocks.append([group, "", *(" ".join(line) for line in rows)])
    height, widths = max(map(len, blocks)), [max(map(len, block)) for block in blocks]
    lines = [
        "   ".join(
            (block[number] if number < len(block) else "").ljust(width)
            for block, width in zip(blocks, widths, strict=True)
        ).rstrip()
        for number in range(height)
    ]
    return ["```text", *lines, "```"]


TOLD_AGENTS = {"tank": "tank", "gem-select": "gem-select", "sat": "sat", "rough_density": "sat, density 1/5 assumed"}


def known_total(results: Results) -> Table:
    """Return games won with the mine total told and hidden, on the same boards."""
    found = results.json("known_total.json")
    lines = []
    for board in dict.fromkeys(line["board"] for line in found):
        for agent, label in TOLD_AGENTS.items():
            (line,) = (line for line in found if (line["board"], line["agent"]) == (board, agent))
            told, hidden = (f"{percent(line[name] / line['games'])} %" for name in ("told", "hidden"))
            mean, low, high = (f"{100 * value:+.1f}" for value in line["gain"])
            p = fixed(line["p"], 2) if line["p"] >= 0.01 else f"{line['p']:.1e}"
            lines.append([board, label, told, hidden, f"{mean} ({low} to {high})", p])
    return table(["board/mines", "agent", "total told", "hidden", "gain, points", "p"], lines)


def half_won(curve: Sequence[tuple[float, float]]) -> float:
    """Return where half of the games are won, from places and shares won there.

    It is where the straight line between the two places around it crosses 0.5.
    """
    (left, above), (right, below) = next(
        (here, there) for here, there in zip(curve, curve[1:], strict=False) if here[1] >= 0.5 > there[1]
    )
    return left + (right - left) * (above - 0.5) / (above - below)


def known_total_half(results: Results) -> Table:
    """Return the mines with which half of the games are won, total told and hidden."""
    found = [line for line in results.json("known_total.json") if line["board"].startswith("20x20/")]
    lines = []
    for agent, label in TOLD_AGENTS.items():
        line = [label]
        for name in ("told", "hidden"):
            curve = [
                (int(one["board"].partition("/")[2]), one[name] / one["games"])
                for one in found
                if one["agent"] == agent
            ]
            line.append(fixed(half_won(curve)))
        lines.append(line)
    return table(["agent", "half of the games up to, total told", "hidden"], lines)


def probing(results: Results) -> Table:
    """Return the share of cells opened with orderly and with random probes, by mines."""
    rows = results.rows("probing.csv")
    lines = []
    for mines in sorted({int(row["mines"]) for row in rows}):
        found = (one(rows, mines=mines, agent=agent) for agent in ("ai0", "ai0:random"))
        lines.append([str(mines), *(f"{with_interval_in_percent(row, 'opened')} %" for row in found)])
    return table(["mines on 30x30", "orderly (`ai0`)", "random (`ai0:random`)"], lines)


def probing_gain(results: Results) -> Table:
    """Return the gains of orderly and of random probes on the document's board."""
    lines = []
    for line in results.json("probing.json"):

        def shown(name: str, line: dict[str, list[float]] = line) -> str:
            mean, low, high = line[name]
            return fixed(mean, 1) if high - low < 1e-9 else f"{fixed(mean, 1)} ± {fixed((high - low) / 2, 1)}"

        lines.append([str(line["probes"]), *map(shown, ("full", "known_by_full", "in_all", "to_mine"))])
    header = ["probes", "in a row that gain 9", "cells known by all that gain 9", "until every cell is known"]
    return table([*header, "cells opened to find the mine"], lines)


def unreliable_clues(results: Results) -> Table:
    """Return the share of games won with unreliable clues, beside the document's."""
    rows = results.rows("unreliable-clues.csv")

    def won(clues: str, agent: str) -> list[str]:
        found = (one(rows, clues=clues, agent=agent, mines=mines) for mines in (5, 10, 15, 20, 25))
        return [fixed(row["won"], 3).removeprefix("0") for row in found]

    lines = [
        ["exact", "document", *XU_EXACT],
        ["", "tank", *won("exact", "tank")],
        ["", "sat", *won("exact", "sat")],
        ["too low", "document", *XU_TOO_LOW],
    ]
    for clues in ("underestimate 1/20", "underestimate", "random 9/10", "random 1/2", "overestimate 1/20"):
        lines += [[f"`{clues}`", "tank", *won(clues, "tank")], ["", "sat", *won(clues, "sat")]]
    both = won("overestimate", "tank")
    assert both == won("overestimate", "sat"), "one row stands for both agents"
    lines.append(["`overestimate`", "both", *both])
    return table(["clues", "agent", "5 mines", "10", "15", "20", "25"], lines)


def bfs_dfs(results: Results) -> Table:
    """Return the percentage of games won by ``bfs`` and ``dfs``, by size and density."""
    return _of_bfs_and_dfs(results, "won")


def bfs_dfs_revealed(results: Results) -> Table:
    """Return the percentage of the mines that ``bfs`` and ``dfs`` flag rightly."""
    return _of_bfs_and_dfs(results, "score")


def _of_bfs_and_dfs(results: Results, column: str) -> Table:
    rows = results.rows("bfs-dfs.csv")
    parts = (20, 15, 10, 5)
    lines = []
    for first in ("safe", "zero"):
        for side in (10, 20, 30, 40):
            line = [f"{side}x{side}", first]
            for part in parts:
                mines = round(side * side / part)
                both = [one(rows, rows=side, first=first, mines=mines, agent=agent)[column] for agent in ("bfs", "dfs")]
                line.append(", ".join("0" if float(share) == 0 else percent(share) for share in both) + " %")
            lines.append(line)
    return table(["board", "first cell", *(f"1/{part}: bfs, dfs" for part in parts)], lines)


def sam_density(results: Results) -> Table:
    """Return the score of ``basic`` and ``subset`` by the number of mines."""
    rows = results.rows("sam-density.csv")
    lines = []
    for mines in range(0, 1000, 100):
        basic, subset = (one(rows, mines=mines, agent=agent) for agent in ("basic", "subset"))
        scores = [
            percent(row["score"]) if 0 < float(row["score"]) < 1 else percent(row["score"], 0)
            for row in (basic, subset)
        ]
        beyond = f"{percent(subset['beyond_basic'])} %" if subset["beyond_basic"] and 0 < mines < 900 else ""
        lines.append([str(mines), *(f"{score} %" for score in scores), beyond])
    return table(["mines", "basic", "subset", "subset's deductions beyond basic"], lines)


def opened(rows: list[Row], /, **where: object) -> list[str]:
    """Return the share of cells that ``ai0`` and ``ai1`` open."""
    return [f"{percent(one(rows, agent=agent, **where)['opened'])} %" for agent in ("ai0", "ai1")]


MINE_SEARCH_SIZES = ((10, 10), (20, 20), (20, 30), (25, 40))


def mine_search_area(results: Results) -> Table:
    """Return the share of cells opened by the area of the board."""
    rows = results.rows("mine-search-area.csv")
    lines = [[f"{height}x{width}", *opened(rows, rows=height, cols=width)] for height, width in MINE_SEARCH_SIZES]
    return table(["10 % mines on", "ai0", "ai1"], lines)


def mine_search_density(results: Results) -> Table:
    """Return the share of cells opened by the density of mines."""
    rows = results.rows("mine-search-density.csv")
    lines = [[f"{part} %", *opened(rows, density=part / 100)] for part in (2, 6, 10, 14, 20)]
    return table(["mines on 20x20", "ai0", "ai1"], lines)


def mine_search_plays(results: Results) -> Table:
    """Return the luck of the board and of the play of ``ai0`` and ``ai1``."""
    rows = results.rows("mine-search-plays.csv")
    lines = []
    for kind in dict.fromkeys((row["rows"], row["cols"], row["mines"]) for row in rows):
        line, deviations, opened = ["{}x{}, {} mines".format(*kind)], [], []
        for agent in ("ai0", "ai1"):
            row = one(rows, agent=agent, **dict(zip(("rows", "cols", "mines"), map(int, kind), strict=True)))
            parts = [float(row[f"opened_{name}_deviation"]) for name in ("board", "play")]
            low, high = (percent(row[f"opened_board_share_{end}"], 0) for end in ("low", "high"))
            line += [percent(part, 2) for part in parts]
            line.append(f"{percent(row['opened_board_share'], 0)} % ({low}-{high})")
            deviations.append(hypot(*parts))
            opened.append(float(row["opened"]))
        times = deviations[1] / deviations[0]
        lines.append([*line, f"{fixed(times, 2)} times", f"{fixed(times * opened[0] / opened[1], 2)} times"])
    header = [f"{agent} {name}" for agent in ("ai0:", "ai1:") for name in ("boards", "plays", "board's share")]
    return table(["board", *header, "deviation of a game, ai1 to ai0", "as a share of the cells opened"], lines)


STAGES = ("single point", "subset", "SAT", "mine total")
ENGINES = ("sat", "elimination")
LEVELS = {"beginner": (9, 9, 10), "intermediate": (16, 16, 40), "expert": (16, 30, 99)}


def levels(results: Results) -> Table:
    """Return win rates on the usual boards, beside the best published ones."""
    rows = results.rows("levels.csv")
    settings = [(level, first) for first in ("safe", "zero") for level in LEVELS]
    lines = []
    for agent in dict.fromkeys(row["agent"] for row in rows):
        line = [agent]
        for level, first in settings:
            height, width, mines = LEVELS[level]
            row = one(rows, rows=height, cols=width, mines=mines, first=first, agent=agent)
            cell = percent(row["won"])
            if agent == "sat":
                cell += f" ({percent(row['won_low'])}-{percent(row['won_high'])})"
            line.append(cell)
        lines.append(line)
    best = results.best_known()
    names = (level if first == "safe" else f"{level} {first}" for level, first in settings)
    lines.append(["published (Tu et al. 2017; Hill on expert)", *(best[name][2].split(" ±")[0] for name in names)])
    return table(["agent", *(f"{level}, {first}" for level, first in settings)], lines)


def compare(results: Results) -> Table:
    """Return three agents on the same boards, with the paired differences."""
    lines = []
    for setting in results.json("compare.json")["settings"]:
        agents = {line["agent"]: line["measures"]["won"]["mean"] for line in setting["agents"]}
        pairs = {(line["first"], line["second"]): line for line in setting["comparisons"]}
        size = tuple(setting["setting"][key] for key in ("rows", "cols", "mines"))
        line = [next(level for level, known in LEVELS.items() if known == size)]
        line += [f"{percent(agents[agent])} %" for agent in ("basic", "gem", "sat")]
        for pair in (("basic", "gem"), ("gem", "sat")):
            found = pairs[pair]
            mean, low, high = (percent(found["difference"][key]) for key in ("mean", "low", "high"))
            line.append(f"+{mean} ({low} to {high}), p = {found['p']:.1e}")
        lines.append(line)
    return table(["board", "basic", "gem", "sat", "gem - basic", "sat - gem"], lines)


def stages(results: Results) -> Table:
    """Return forced cells by stage, and components by the engine that counts them."""
    lines = []
    for level, found in results.json("stages.json")["levels"].items():
        forced, counted = found["forced"], found["components"]
        every = sum(forced.values())
        shares = (f"{forced[stage]:,} ({percent(forced[stage] / every, 2)} %)" for stage in STAGES)
        lines.append([level, f"{found['positions']:,}", *shares, *(f"{counted[engine]:,}" for engine in ENGINES)])
    counters = (f"components counted by {name}" for name in ("PySAT", "elimination"))
    return table(["board", "positions", *STAGES, *counters], lines)


def critical_density(results: Results) -> Table:
    """Return densities at which the exact agent wins nine, five and one of ten games."""
    rows = results.rows("critical-density.csv")
    lines = []
    for side in (10, 15, 20, 30, 40):
        curve = sorted((float(row["density"]), float(row["won"])) for row in rows if same(row["rows"], side))
        often = max(density for density, won in curve if won >= 0.9)
        seldom = min(density for density, won in curve if won < 0.1)
        figures = (fixed(often, 2), fixed(half_won(curve), 3), fixed(seldom, 2))
        lines.append([f"{side}x{side}", *(figure.removeprefix("0") for figure in figures)])
    return table(["board", "wins nine of ten up to", "half of all at", "fewer than one of ten from"], lines)


def chain_length(results: Results) -> Table:
    """Return the longest chain of a game by the number of mines."""
    rows = results.rows("chain-length.csv")
    lines = []
    for mines in (0, 20, 40, 50, 60, 70, 80, 90, 100, 120):
        one_life = {agent: one(rows, mines=mines, agent=agent, fatal="True") for agent in ("tank", "gem")}
        play_on = {agent: one(rows, mines=mines, agent=agent, fatal="False") for agent in ("basic", "tank", "gem")}
        lines.append(
            [
                str(mines),
                f"{percent(one_life['tank']['won'])} %",
                *(with_interval(row, "chain") for row in one_life.values()),
                *(with_interval(row, "chain") for row in play_on.values()),
                *(fixed(play_on["tank"][name], 1) for name in ("reach", "guesses")),
            ]
        )
    return table(
        [
            "mines", "tank won", "tank, one life", "gem, one life", "basic, play on", "tank, play on", "gem, play on",
            "tank, play on: reach", "guesses",
        ],
        lines,
    )  # fmt: skip


def chain_sizes(results: Results) -> Table:
    """Return the longest chain of a game by the size of the board."""
    rows = results.rows("chain-sizes.csv")
    lines = []
    for side in (10, 20, 30, 40):
        line = [f"{side}x{side}"]
        for density in (0.1, 0.2):
            row = one(rows, rows=side, density=density)
            line += [with_interval(row, "chain"), fixed(row["reach"], 1)]
        lines.append(line)
    return table(["board", "longest chain, 10 % mines", "reach", "longest chain, 20 % mines", "reach"], lines)


def times_cells(results: Results) -> Table:
    """Return processor time and evaluations by the size of the board, with exponents."""
    rows = results.rows("times.csv")
    grown = [row for row in rows if same(row["mines"], int(0.15 * area(row) + 0.5))]
    sizes = sorted({int(row["rows"]) for row in grown})
    lines = []
    for agent in dict.fromkeys(row["agent"] for row in rows):
        of_agent = [row for row in grown if row["agent"] == agent]
        counted = all(float(row["evaluations"]) for row in of_agent)
        lines.append(
            [
                agent,
                *(milliseconds(one(of_agent, rows=side)) for side in sizes),
                power(*powers(of_agent, "ms", area)),
                power(*powers(of_agent, "evaluations", area)) if counted else "",
            ]
        )
    heads = [f"{side}x{side}" for side in sizes]
    return table(["agent", *heads, "exponent of the time", "exponent of evaluations"], lines)


def times_density(results: Results) -> Table:
    """Return processor time by density, on boards of one size."""
    rows = [row for row in results.rows("times.csv") if same(row["rows"], 20)]
    densities = sorted({float(row["density"]) for row in rows})
    lines = [
        [agent, *(milliseconds(one(rows, agent=agent, density=density)) for density in densities)]
        for agent in dict.fromkeys(row["agent"] for row in rows)
    ]
    return table(["agent", *(fixed(density, 2).removeprefix("0") for density in densities)], lines)


def bfs_dfs_times(results: Results) -> Table:
    """Return processor time and evaluations of ``bfs`` and ``dfs``."""
    rows = results.rows("bfs-dfs-times.csv")
    parts = (20, 15, 10, 5)
    lines = []
    for column, head in (("ms", "ms"), ("evaluations", "evaluations")):
        for side in (10, 20, 30, 40):
            line = [f"{side}x{side}", head]
            for part in parts:
                both = [one(rows, rows=side, mines=round(side * side / part), agent=name) for name in ("bfs", "dfs")]
                line.append(", ".join(milliseconds(row) if column == "ms" else fixed(row[column]) for row in both))
            lines.append(line)
    return table(["board", "of a game", *(f"1/{part}: bfs, dfs" for part in parts)], lines)


def bfs_dfs_fit(results: Results) -> Table:
    """Return the exponents of cells and density in the times of ``bfs`` and ``dfs``."""
    rows = results.rows("bfs-dfs-times.csv")
    lines = []
    for agent in ("bfs", "dfs"):
        for column, head in (("ms", "time"), ("evaluations", "evaluations")):
            for least, among in ((0.0, "all"), (0.15, "up to 1/10")):
                chosen = [row for row in rows if row["agent"] == agent and (not least or float(row["density"]) < least)]
                cells, density = powers(chosen, column, area, lambda row: float(row["density"]))
                lines.append([agent, head, among, power(cells), power(density)])
    return table(["agent", "of", "densities", "exponent of the cells", "exponent of the density"], lines)


def sam_density_times(results: Results) -> Table:
    """Return processor time of ``basic`` and ``subset``, and mines hit, by mines."""
    times, hits = results.rows("sam-density-times.csv"), results.rows("sam-density.csv")
    lines = []
    for mines in range(0, 1000, 100):
        basic, subset = (one(times, mines=mines, agent=agent) for agent in ("basic", "subset"))
        ratio = float(subset["ms"]) / float(basic["ms"])
        hit = [one(hits, mines=mines, agent=agent) for agent in ("basic", "subset")]
        lines.append(
            [
                str(mines),
                milliseconds(basic),
                milliseconds(subset),
                fixed(ratio, 1),
                fixed(float(subset["turns"])),
                *(with_interval(row, "mines_hit") for row in hit),
            ]
        )
    heads = ["mines", "basic, ms", "subset, ms", "ratio", "turns of subset", "mines hit, basic", "mines hit, subset"]
    return table(heads, lines)


def gem_density_times(results: Results) -> Table:
    """Return processor time of ``basic`` and ``gem`` by density."""
    rows = results.rows("gem-density-times.csv")
    lines = []
    for density in (0.02, 0.06, *DENSITIES, 0.94, 0.98):
        nearest = min((float(row["density"]) for row in rows), key=lambda known: abs(known - density))
        basic, gem = (one(rows, density=nearest, agent=agent) for agent in ("basic", "gem"))
        scores = [f"{percent(row['score'])} %" for row in (basic, gem)]
        ratio = float(gem["ms"]) / float(basic["ms"])
        lines.append([fixed(density, 2).lstrip("0"), *scores, milliseconds(basic), milliseconds(gem), fixed(ratio, 1)])
    return table(["density", "basic", "gem", "basic, ms", "gem, ms", "ratio"], lines)


def mine_search_times(results: Results) -> Table:
    """Return processor time of ``ai0`` and ``ai1`` by area and by density."""
    areas, densities = (results.rows(f"mine-search-{name}-times.csv") for name in ("area", "density"))
    boards: list[tuple[str, list[Row], dict[str, float]]]
    boards = [(f"{rows}x{cols}, 10 %", areas, {"rows": rows, "cols": cols}) for rows, cols in MINE_SEARCH_SIZES]
    boards += [(f"20x20, {part} %", densities, {"density": part / 100}) for part in (2, 6, 10, 14, 20)]
    lines = []
    for label, rows, where in boards:
        both = [one(rows, agent=agent, **where) for agent in ("ai0", "ai1")]
        lines.append([label, *map(milliseconds, both), fixed(float(both[0]["ms"]) / float(both[1]["ms"]), 1)])
    return table(["board", "ai0, ms", "ai1, ms", "ratio"], lines)


def exponents(rows: list[Row], agent: str) -> list[str]:
    """Return the exponents of the area in an agent's time, turns and time of a turn."""
    chosen = [{**row, "turn": str(float(row["ms"]) / float(row["turns"]))} for row in rows if row["agent"] == agent]
    return [power(*powers(chosen, column, area)) for column in ("ms", "turns", "turn")]


EXPONENTS = ("exponent of the time", "of the turns", "of the time of a turn")


def gem_exponents(results: Results) -> Table:
    """Return the exponents of the area in the times of ``basic`` and ``gem``."""
    rows = results.rows("gem-times.csv")
    lines = []
    for agent in ("basic", "gem"):
        times = [milliseconds(one(rows, agent=agent, rows=side)) for side in (10, 15, 20, 30, 40)]
        lines.append([agent, *times, *exponents(rows, agent)])
    return table(["agent", "10x10", "15x15", "20x20", "30x30", "40x40", *EXPONENTS], lines)


def mine_search_exponents(results: Results) -> Table:
    """Return the exponents of the area in the times of ``ai0`` and ``ai1``."""
    lines = []
    for label, name in (("10 % mines", "mine-search-area-times.csv"), ("every cell a mine", "mine-search-worst.csv")):
        rows = results.rows(name)
        for agent, claim in (("ai0", "(nm)^2 at worst"), ("ai1", "nm at worst")):
            lines.append([label, agent, claim, *exponents(rows, agent)])
    return table(["boards", "agent", "document", *EXPONENTS], lines)


TABLES: dict[str, Maker] = {
    "gem-density": gem_density,
    "gem-select": gem_select,
    "select-threshold": select_threshold,
    "deductions": deductions,
    "haridas-nair": haridas_nair,
    "gem-matrix": gem_matrix,
    "gem-matrix-exponents": gem_matrix_exponents,
    "tank-struggles": tank_struggles,
    "tank-groups": tank_groups,
    "tank-positions": tank_positions,
    "known-total": known_total,
    "known-total-half": known_total_half,
    "probing": probing,
    "probing-gain": probing_gain,
    "unreliable-clues": unreliable_clues,
    "bfs-dfs": bfs_dfs,
    "bfs-dfs-revealed": bfs_dfs_revealed,
    "sam-density": sam_density,
    "mine-search-area": mine_search_area,
    "mine-search-density": mine_search_density,
    "mine-search-plays": mine_search_plays,
    "levels": levels,
    "compare": compare,
    "stages": stages,
    "critical-density": critical_density,
    "chain-length": chain_length,
    "chain-sizes": chain_sizes,
    "times-cells": times_cells,
    "times-density": times_density,
    "bfs-dfs-times": bfs_dfs_times,
    "bfs-dfs-fit": bfs_dfs_fit,
    "sam-density-times": sam_density_times,
    "gem-density-times": gem_density_times,
    "gem-exponents": gem_exponents,
    "mine-search-times": mine_search_times,
    "mine-search-exponents": mine_search_exponents,
}
