"""Tables of the manual and of benchmarks/README.md, from results."""

from collections.abc import Sequence
from math import comb, hypot
from typing import Any

from results import Maker, Results, Table, duration, figures, fixed, percent, quantile, table, wilson

PLAYERS, BASE = ("sat", "deep:2", "deep:4", "deep:5"), "deep:2"


def interval(found: Sequence[float], digits: int = 2) -> str:
    """Return a mean and the half of its interval."""
    return f"{fixed(found[0], digits)} ± {fixed(found[1], digits)}"


def records(results: Results) -> Table:
    """Return win rate and speed of compiled players, beside the best published rate.

    A row is a board and a start: the published one first, then others of which ``BASE`` played games.
    """
    lines = results.json_lines("records.jsonl")
    rows = []
    for board, (first, published, rate) in results.best_known().items():
        played = [line for line in lines if line["board"] == board]
        starts = dict.fromkeys([tuple(published), *(tuple(line["start"]) for line in played)])
        for start in starts:
            from_there = {line["player"]: line for line in played if tuple(line["start"]) == start}
            row = ["{}, {} at {},{}".format(board.split()[0], first, *start), rate if start == tuple(published) else ""]
            base = from_there[BASE]
            for player in PLAYERS:
                line = from_there.get(player)
                row.append(interval(share_of(line, base), 3) if line else "")
                if player == BASE:
                    row.append(fixed(base["games"]))
                row.append(fixed(line["games_per_cpu_second"]) if line else "")
            rows.append(row)
    header = ["board, start", "best known"]
    for player in PLAYERS:
        header += [f"`{player}`", *(["games"] if player == BASE else []), "games/s"]
    return table(header, rows)


def share_of(line: dict[str, Any], base: dict[str, Any]) -> tuple[float, float]:
    """Return the win rate of a player and half its interval.

    Some are known as what they gain over ``base``.
    """
    if "gain" not in line:
        return line["luckless"][0], line["luckless"][1]
    (mean, half), (more, also) = base["luckless"], line["gain"]
    return mean + more, hypot(half, also)


def exact_times(results: Results, name: str, engine: str) -> tuple[list[float], list[dict[str, Any]]]:
    """Return the seconds of positions that an engine answered, and all its results."""
    ours = [line for line in results.json(name) if line["engine"] == engine]
    return [line["seconds"] for line in ours if line["outcome"] == "exact"], ours


def share_answered(times: list[float], ours: list[dict[str, Any]]) -> str:
    """Return how many positions were answered: ``all``, or a number."""
    return "all" if len(times) == len(ours) else str(len(times))


def engines(results: Results) -> Table:
    """Return the manual's summary of the exact engine beside the compiled peer."""
    stuck = []
    for engine in ("auto", "ms_toollib"):
        times, ours = exact_times(results, "expert.json", engine)
        median, late = (figures(1000 * quantile(times, share)) for share in (0.5, 0.99))
        stuck.append(f"{share_answered(times, ours)}, median {median} ms, 99th percentile {late} ms")
    hard, of_hard = exact_times(results, "hard.json", "auto")
    peer, _ = exact_times(results, "hard.json", "ms_toollib")
    extreme, of_extreme = exact_times(results, "extreme.json", "auto")
    most = max(line["peak_mb"] for line in of_extreme) / 1000
    return table(
        ["boards", "satsweep", "ms_toollib (compiled, float64)"],
        [
            ["200 stuck expert positions", *stuck],
            [
                "30 hard positions up to 100x100, 10 s each",
                f"{share_answered(hard, of_hard)} {len(of_hard)}, the slowest in {figures(max(hard))} s",
                str(len(peer)),
            ],
            [
                "20 extreme positions up to 300x300, 60 s each",
                f"{share_answered(extreme, of_extreme)} {len(of_extreme)}, the slowest in {figures(max(extreme))} s "
                f"and {fixed(most)} GB",
                "not tried",
            ],
        ],
    )


def expert(results: Results) -> Table:
    """Return the milliseconds of each engine on expert positions."""
    rows = []
    for engine in ("auto", "elimination", "sat", "cpsat", "ms_toollib"):
        times, _ = exact_times(results, "expert.json", engine)
        spread = [fixed(1000 * quantile(times, share), 2) for share in (0.5, 0.9, 0.99, 1)]
        rows.append([engine, str(len(times)), *spread])
    return table(["engine", "answered", "median", "p90", "p99", "max"], rows)


def hard(results: Results) -> Table:
    """Return time and memory of each engine on hard positions."""
    rows = []
    for engine in ("auto", "ms_toollib"):
        times, ours = exact_times(results, "hard.json", engine)
        most = max(line["peak_mb"] for line in ours if line["outcome"] == "exact")
        spread = [duration(quantile(times, share)) for share in (0.5, 0.9, 1)]
        rows.append([engine, str(len(times)), *spread, fixed(most)])
    return table(["engine", "answered", "median", "p90", "max", "peak MB"], rows)


def short(seconds: float) -> str:
    """Return a time that may be less than a millisecond."""
    return duration(seconds) if seconds >= 0.001 else f"{figures(1000 * seconds)} ms"


def counters(results: Results) -> Table:
    """Return processor times of all risks beside one count of a model counter."""
    lines = results.json("counters.json")["positions"]
    rows = []
    for group in dict.fromkeys(line["group"] for line in lines):
        here = [line for line in lines if line["group"] == group]
        both = [line for line in here if line["satsweep"] is not None and line["ganak"] is not None]
        times = {name: [line[name] for line in both] for name in ("satsweep", "ganak")}
        ratios = [line["ganak"] / line["satsweep"] for line in both]
        rows.append(
            [
                group,
                f"{len(both)} of {len(here)}",
                *(short(quantile(times[name], share)) for name in times for share in (0.5, 1)),
                *(figures(quantile(ratios, share)) for share in (0, 0.5, 1)),
            ]
        )
    header = [
        "positions",
        "counted by both",
        "satsweep, all risks, median",
        "at most",
        "Ganak, one count, median",
        "at most",
    ]
    return table([*header, "ratio, least", "median", "most"], rows)


def ladder(results: Results) -> Table:
    """Return what each of the extreme positions takes."""
    rows = [
        [
            line["id"],
            f"{line['components']:,}",
            str(line["width"]),
            f"{line['states']:,}",
            f"{line['worlds_bits']:,}",
            fixed(line["seconds"], 2),
            fixed(line["peak_mb"]),
        ]
        for line in results.json("extreme.json")
    ]
    return table(["position", "components", "width", "states", "bits", "seconds", "peak MB"], rows)


def share_won(won: int, games: int) -> tuple[str, str]:
    """Return percent won, and the 95 % interval."""
    low, high = wilson(won, games)
    return f"{percent(won / games, 2)} %", f"{percent(low, 2)} to {percent(high, 2)}"


def games_of(results: Results) -> dict[str, tuple[int, int]]:
    """Return games won and games played of each agent and run on expert boards."""
    found = {line["agent"]: (line["won"], line["games"]) for line in results.json("play_expert.json")["results"]}
    for line in results.json("play_sat_seeds.json")["results"]:
        found[f"sat, seed {line['seed']}"] = line["won"], line["games"]
    ours = [pair for name, pair in found.items() if name.split(",")[0] == "sat"]
    found["sat, all three runs"] = sum(won for won, _ in ours), sum(games for _, games in ours)
    return found


def games(results: Results) -> Table:
    """Return the games that each agent has won on expert boards."""
    found = games_of(results)
    rows: list[list[str]] = []
    for name in (
        "sat, all three runs", "sat", "sat, seed s1", "sat, seed s2", "gem-full", "gem", "tank", "gem-select", "subset",
        "basic", "bfs", "dfs", "random",
    ):  # fmt: skip
        rate, interval = share_won(*found[name])
        called = "sat, first run" if name == "sat" else name
        if not rows:
            called, rate = "**sat**, all three runs", f"**{rate}**"
        rows.append([called, f"{found[name][1]:,}", rate, interval])
    return table(["agent", "games", "won", "95 % interval (Wilson)"], rows)


def play(results: Results) -> Table:
    """Return the manual's summary of play: expert games won, games a second in Python."""
    found = games_of(results)
    speed = {line["agent"]: line for line in results.json("play_speed.json")["results"]}
    rows: list[list[str]] = []
    for name in ("sat", "gem", "tank", "subset", "basic"):
        won, played = found["sat, all three runs" if name == "sat" else name]
        rate, interval = share_won(won, played)
        interval = f"95 %: {interval}" if not rows else interval
        rows.append([name, f"{rate} of {played:,} ({interval})", fixed(speed[name]["games_per_second_per_core"])])
    peer = speed["ms_toollib"]
    rows.append(
        [
            "the risks of ms_toollib, a random one of the safest cells",
            f"{fixed(peer['percent'])} % of {peer['games']}",
            fixed(peer["games_per_second_per_core"]),
        ]
    )
    return table(["agent", "won", "games a second and core"], rows)


def play_speed(results: Results) -> Table:
    """Return games a second of agents in Python, also as a multiple of the peer's."""
    lines = results.json("play_speed.json")["results"]
    peer = next(line["games_per_second_per_core"] for line in lines if line["agent"] == "ms_toollib")
    rows = []
    for line in lines:
        speed = line["games_per_second_per_core"]
        rest = [fixed(line[name], 1) for name in ("turns_per_game", "guesses_per_game")]
        rows.append([line["agent"], fixed(speed), fixed(speed / peer, 2), *rest])
    return table(["agent", "games a second", "to the peer", "turns a game", "guesses a game"], rows)


def generate(results: Results) -> Table:
    """Return how many boards without a guess each generator makes a second."""
    names = {
        "satsweep, rejection": "rejection, uniform",
        "satsweep, repair": "repair",
        "ms_toollib, laymine_solvable": "ms_toollib, `laymine_solvable`",
        "ms_toollib, laymine_solvable_adjust": "ms_toollib, `laymine_solvable_adjust`",
    }
    rows: list[list[str]] = []
    before = None
    for line in results.json("generate.json")["ways"]:
        mines = f"{line['mines']} mines" if line["mines"] != before else ""
        before = line["mines"]
        speeds = [line[key] for key in ("a_second", "slowest_share", "fastest_share")]
        middle, low, high = (fixed(speed, 1 if speeds[0] < 10 else 0) for speed in speeds)
        rows.append([mines, names[line["way"]], str(line["boards"]), middle, f"{low} to {high}"])
    return table(["16x30 with", "", "boards", "a second", "slowest to fastest share"], rows)


def wasm(results: Results) -> Table:
    """Return the speed of the engine in JavaScript beside the native library."""
    rows = []
    for line in results.json("wasm.json"):
        speeds = (fixed(line[key], 1 if line[key] < 10 else 0) for key in ("native", "wasm"))
        rows.append([line["work"], *speeds, fixed(line["ratio"], 2)])
    return table(["", "native, a second", "in Node, a second", "ratio"], rows)


def generated(results: Results) -> Table:
    """Return how hard generated boards are."""
    checked = results.json("generate.json")["checked"]
    agents = checked["cleared_by"]
    return table(
        [f"of {checked['measured']} of them", ""],
        [
            [
                "3BV, openings, longest chain, on average",
                f"{fixed(checked['3bv'], 1)}, {fixed(checked['openings'], 1)}, {fixed(checked['longest_chain'], 1)}",
            ],
            [
                "cleared by " + ", ".join(f"`{name}`" for name in agents),
                ", ".join(str(count) for count in agents.values()),
            ],
        ],
    )


def repaired(results: Results) -> Table:
    """Return how repaired boards differ from drawn ones."""
    names = {"drawn": "drawn, a guess allowed", "rejection": "rejection, uniform", "ms_toollib": "ms_toollib"}
    rows: list[list[str]] = []
    before = None
    for line in results.json("repaired.json"):
        size = f"{line['size']}/{line['mines']}"
        times = "" if line["way"] == "drawn" else f"{figures(line['milliseconds'])}, {figures(line['slowest'])}"
        numbers = [fixed(line["3bv"], 0), fixed(line["openings"], 1), fixed(100 * line["walled_in"], 1)]
        cleared = (fixed(100 * count / line["boards"]) for count in line["cleared_by"].values())
        settled = (fixed(100 * share, 1) for share in line["techniques"].values())
        rows.append([size if size != before else "", names.get(line["way"], line["way"]), times, *numbers])
        rows[-1] += [", ".join(settled), ", ".join(cleared), f"{line['boards']} of {line['tried']}"]
        before = size
    header = ["", "ms a board, slowest", "3BV", "openings", "walled in, %"]
    header += ["settled by a single number, a pair, several, the total, %", "`basic`, `subset`, `sat` clear, %", "made"]
    return table(["board", *header], rows)


def rate(results: Results) -> Table:
    """Return how many layouts are rated a second, without proofs."""
    names = {"values": "values", "file": "JSON Lines, read and written", "python": "values, without kernels"}
    rows = []
    for way, line in results.json("rate.json")["quick"].items():
        middle, low, high = (fixed(line[key], 0) for key in ("a_second", "slowest_share", "fastest_share"))
        rows.append([names[way], fixed(line["layouts"]), middle, f"{low} to {high}"])
    return table(["quick rating of", "layouts", "a second", "slowest to fastest share"], rows)


def rated(results: Results) -> Table:
    """Return times and sizes of ratings with proofs."""
    whole = results.json("rate.json")["whole"]
    guesses = whole["layouts"] - whole["need_no_guess"]
    rows = [
        ["layouts", fixed(whole["need_no_guess"]), fixed(guesses)],
        ["seconds, median", fixed(whole["seconds_no_guess"], 2), fixed(whole["seconds_guess"], 2)],
        ["proof, on average", f"{fixed(whole['cells_proved'], 1)} cells", f"{fixed(whole['worlds'], 1)} worlds"],
        ["win chance of best play known", "", fixed(whole["win_chance_known"])],
    ]
    return table(["whole rating", "needs no guess", "needs a guess"], rows)


def reviews(results: Results) -> Table:
    """Return mean luck and skill of players, in points, with standard errors."""
    rows = []
    for line in results.rows("reviews.csv"):
        above = f"{line['above']} ± {line['above_error']}, {line['p']}" if line["above"] else ""
        rows.append([
            line["level"],
            f"`{line['agent']}`",
            fixed(line["games"]),
            f"{line['won']} %",
            f"{line['luck']} ± {line['luck_error']} ({line['errors']})",
            f"{line['skill']} ± {line['skill_error']}",
            above,
            line["games_per_second"],
        ])  # fmt: skip
    luck, above = "luck (in standard errors)", "above the one before, p"
    return table(["level", "player", "games", "won", luck, "skill", above, "games/s"], rows)


def startup(results: Results) -> Table:
    """Return how long commands take to start."""
    rows = []
    for line in results.json("startup.json"):
        times = line["median_ms"], line["without_bytecode_ms"]
        rows.append([f"`{line['command']}`", *(f"{fixed(time)} ms" for time in times)])
    return table(["command", "median", "without bytecode"], rows)


def envs(results: Results) -> Table:
    """Return steps a second of environments for learners."""
    names = {"vector": "{games:,} games at once", "one": "`MinesweeperEnv`", "jumanji": "jumanji, {games:,} at once"}
    rows = [
        [
            names[line["env"]].format_map(line),
            line["board"],
            line["reward"],
            line["player"],
            fixed(float(f"{line['steps_s']:.3g}")),
        ]
        for line in results.json("envs.json")
    ]
    return table(["environment", "board", "reward", "player", "steps a second"], rows)


def arena_blocks(results: Results) -> Table:
    """Return what a game costs the arena beside its play."""
    rows = [
        [
            line["level"],
            fixed(line["games"]),
            f"{fixed(line['worker_us'], 2)} µs",
            f"{fixed(line['collector_us'], 3)} µs",
            fixed(line["bytes"], 1),
        ]
        for line in results.json("arena_blocks.json")
    ]
    return table(["level", "games of a block", "worker, a game", "collector, a game", "bytes a game"], rows)


def rewards(results: Results) -> Table:
    """Return the episodes that rewards need to tell players apart."""
    found = results.json("rewards.json")
    names = list(found["pairs"][0]["episodes"])
    rows = [
        [" from ".join(pair["players"][::-1]), *(_needed(*pair["episodes"][name]) for name in names)]
        for pair in found["pairs"]
    ]
    return table(["players", *names], rows)


def _needed(mean: float | None, low: float | None, high: float | None) -> str:
    """Episodes that are needed, with an interval; None is an infinite number."""
    if mean is None or low is None:
        return "unknown"
    return f"{fixed(low)} or more" if high is None else f"{fixed(mean)} ({fixed(low)} to {fixed(high)})"


def reward_means(results: Results) -> Table:
    """Return the mean rewards of players."""
    means = results.json("rewards.json")["means"]
    names = ("regret", "win chance", "win")
    rows = []
    for player, own in means.items():
        estimates = (own[name] for name in names)
        shown = (f"{percent(mean, 2)} ± {percent((high - low) / 2, 2)}" for mean, low, high in estimates)
        rows.append([f"`{player}`", *shown])
    return table(["player", *names], rows)


def reasons(results: Results) -> Table:
    """Return the milliseconds that reasons, words, certificates and their checks take."""
    found = results.json("reasons.json")
    names = {
        "find": "find",
        "find_those_of_several_clues": "find, of those that take more than one number",
        "tell": "tell",
        "certify": "certify",
        "verify": "verify",
    }
    rows = []
    for key, name in names.items():
        times = found[key]
        rows.append(
            [
                name,
                figures(times["median_ms"], 1 if times["median_ms"] < 0.01 else 2),
                figures(times["p99_ms"], 2 if times["p99_ms"] < 100 else 3),
                fixed(times["mean_ms"], 1) if times["mean_ms"] >= 1 else fixed(times["mean_ms"], 2),
                fixed(times["max_ms"]),
            ]
        )
    return table(["", "median", "p99", "mean", "max"], rows)


def serve(results: Results) -> Table:
    """Return how long the page's server takes to answer."""
    answers = results.json("serve.json")["answers"]
    names = {"solve": "solve", "guesses": "guesses", "watch": "watch, a whole game"}
    rows = []
    for key, name in names.items():
        found = answers[key]
        rows.append(
            [
                name,
                f"{found['count']:,}",
                f"{fixed(1000 * found['median'])} ms",
                f"{fixed(found['p95'], 2)} s",
                f"{fixed(found['most'], 1)} s",
            ]
        )
    return table(["", "answers", "median", "95 % within", "at most"], rows)


def page(results: Results) -> Table:
    """Return how long the page takes, now and before the advice."""
    now, before = results.json("page.json"), results.json("page_before.json")
    rows = []
    for name, value in now.items():
        pairs = [one if isinstance(one, list) else [one] for one in (before[name], value)]
        rows.append([name, *(", ".join(f"{fixed(part)} ms" for part in pair) for pair in pairs)])
    return table(["", "before", "now"], rows)


def soak(results: Results) -> Table:
    """Return how long honest clients wait while the server is attacked."""
    figures = results.json("soak.json")
    names = {"solve": "solve", "guesses": "guesses", "watch": "watch, a whole game", "page": "the page"}
    rows = []
    for found, name in [(figures["answers"].get(key), name) for key, name in names.items()] + [
        (figures["outside outages"], "all, with workers"),
        (figures["in outages"], "all, in outages"),
    ]:
        if found is not None:
            times = [f"{fixed(1000 * found[key])} ms" for key in ("median", "p95", "p99")]
            rows.append([name, f"{found['count']:,}", *times, f"{fixed(found['most'], 1)} s"])
    return table(["", "answers", "median", "95 % within", "99 % within", "at most"], rows)


LEAST_CELLS = 20
"""Cells of the smallest boards in the table of best play."""
ROOT = 60_000
"""Most layouts of a board that ``deep`` searches from its first cell on."""


def optimal(results: Results) -> Table:
    """Return what best play wins on whole boards, under both rules."""
    rows = []
    for line in results.json_lines("optimal.jsonl"):
        if "player" in line or cells_of(line["board"]) < LEAST_CELLS:
            continue
        row = [line["board"]]
        for rule in "safe", "zero":
            best = line[rule]
            if best is None:
                row += ["none", "", ""]
                continue
            share = percent(best["won"] / best["boards"], 2)
            row += ["{},{}".format(*best["cell"]), f"{best['won']:,} of {best['boards']:,}", share]
        rows.append([*row, fixed(line["seconds"], 1 if line["seconds"] < 10 else 0), f"{line['megabytes']:,}"])
    header = ["board", "first cell, safe", "best play wins", "%", "first cell, zero", "best play wins", "%", "s", "MB"]
    return table(header, rows)


def cells_of(board: str) -> int:
    """Return the number of cells of a board such as ``6x6/4``."""
    rows, _, cols = board.partition("/")[0].partition("x")
    return int(rows) * int(cols)


def layouts_of(board: str) -> int:
    """Return the number of layouts of a board."""
    return comb(cells_of(board), int(board.partition("/")[2]))


def optimal_played(results: Results) -> Table:
    """Return what ``deep`` wins on boards that it does not search from the root."""
    lines = {line["board"]: line for line in results.json_lines("optimal.jsonl") if "player" not in line}
    rows = []
    for line in results.json_lines("optimal.jsonl"):
        if "player" in line and layouts_of(line["board"]) > ROOT:
            boards = lines[line["board"]][line["rule"]]["boards"]
            lost = percent((line["best"] - line["won"]) / boards, 3)
            rows.append([line["board"], line["rule"], f"{boards:,}", f"{line['best']:,}", f"{line['won']:,}", lost])
    return table(["board", "first cell", "layouts", "best play", "`deep:4`", "short of it, points"], rows)


def openings(results: Results) -> Table:
    """Return the best first cells of the usual boards, and the best cells after them."""
    rows = []
    lines = results.json_lines("openings.jsonl")
    for line in lines:
        if "first" in line:
            others = "; ".join(f"{row},{col} {interval(found)}" for (row, col), found in line["first"][1:])
            row, col = line["first"][0][0]
            rows.append([line["board"], f"{row},{col}", interval(line["again"]), f"{line['games']:,}", others])
    return table(["board", "best first cell", "`deep:2` wins", "games", "next best ones"], rows)


def second_cells(results: Results) -> Table:
    """Return the best second cells after each number, and that of ``deep:2``."""
    rows = []
    for line in results.json_lines("openings.jsonl"):
        if "shown" in line:
            (row, col), found = line["second"][0]
            cells = ["{},{}".format(*line["start"]), "{},{}".format(*line["deep:2"])]
            rows.append(
                [
                    line["board"],
                    cells[0],
                    str(line["shown"]),
                    percent(line["chance"], 1),
                    f"{row},{col} {interval(found)}",
                ]
                + [cells[1], interval(line["short"])]
            )
    header = [
        "board",
        "first cell",
        "shows",
        "% of games",
        "best second cell",
        "that of `deep:2`",
        "short of it, points",
    ]
    return table(header, rows)


BOUNDS = {
    "expert": "bound.json",
    "intermediate": "bound_intermediate.json",
    "8x8": "bound_8x8.json",
    "beginner": "bound_beginner.json",
}


def bounds(results: Results) -> Table:
    """Return the upper bound of the chance to win for each board."""
    rows = []
    for board, name in BOUNDS.items():
        found = results.json(name)
        bound, any_cell = ([found[key]["percent"], found[key]["95 %"]] for key in ("bound", "any first cell"))
        rows.append([board, interval(bound), interval(any_cell), f"{found['cpu_seconds']:,}"])
    return table(["board", "from the corner, at most, %", "any first cell, at most", "s"], rows)


def bound_parts(results: Results) -> Table:
    """Return the upper bound after each first number."""
    rows = []
    for board, name in BOUNDS.items():
        found = results.json(name)
        for number, key in enumerate(("boards", "first 1", "first 2", "first 3")):
            part = found[key]
            count = f"{part['count']} samples"
            if not number:
                more = f"{part.get('middle', 0):,} after two guesses, {part['deeper']:,} after three"
                count = f"{part['count']:,} boards, {more}"
            bound = interval([part["mean"], part["95 %"]])
            rows.append([board, str(number), fixed(part["chance"], 1), bound, count])
    return table(["board", "first number in the corner", "its chance, %", "bound after it, %", "from"], rows)


def sprt(results: Results) -> Table:
    """Return decisions and lengths of simulated sequential tests."""
    rows = []
    for line in results.json("sprt.json"):
        kind = [f"{line['plays']} plays"] * (line["plays"] > 1) + ["two-sided"] * line["two_sided"]
        shares = [percent(line[name] / line["runs"], 2) for name in ("h1_accepted", "minus_h1_accepted")]
        rows.append(
            [
                ", ".join([f"{line['h0']:g},{line['h1']:g}", *kind]),
                f"{line['alpha']:g}, {line['beta']:g}",
                f"{line['discordant']:g} %",
                f"{line['change']:g}",
                " / ".join(shares[: 1 + line["two_sided"]]),
                fixed(line["layouts"]),
                "" if line["wald"] is None else fixed(line["wald"]),
                fixed(line["layouts_95"]),
                fixed(line["fixed"]),
            ]
        )
    header = ["test", "alpha, beta", "discordant", "true", "H1 (/ -H1) accepted, %"]
    return table([*header, "layouts", "by Wald", "95 % of runs within", "fixed"], rows)


def umi(results: Results) -> Table:
    """Return the overhead of the protocol for a move, on both sides."""
    rows = results.json("umi.json")["microseconds_a_move"]
    header = ["positions", "arena, µs", "`satsweep umi`, µs"]
    return table(header, [[row["positions"], fixed(row["arena"]), fixed(row["engine"])] for row in rows])


def umi_engines(results: Results) -> Table:
    """Return games of the example engines."""
    found = results.json("umi.json")
    rows = [[f"`{row['engine']}`", str(row["games"]), str(row["failed"]), percent(row["won"], 0)]
            for row in found["engines"]]  # fmt: skip
    return table(["engine", "games", "failed", "won, %"], rows)


def field(results: Results) -> Table:
    """Return programs of others on the layouts of ``sat``, beside published rates."""
    rows = []
    lines = results.json("field.json")
    boards = list(dict.fromkeys(line["board"] for line in lines))
    for line in sorted(lines, key=lambda line: (boards.index(line["board"]), -line["ahead_of_sat"]["mean"])):
        won, published, ahead = line["won"], line["published"], line["ahead_of_sat"]
        time, ours = line["milliseconds"], line["milliseconds_of_sat"]
        rows.append(
            [
                line["board"],
                f"`{line['engine']}`",
                f"{line['games']:,}" + (f" ({line['failed']} failed)" if line["failed"] else ""),
                f"{percent(won['mean'], 2)} ({percent(won['low'], 2)} to {percent(won['high'], 2)})",
                f"{published['won_percent']:g} ± {published['plus_minus']:g}" if published else "none",
                f"{100 * ahead['mean']:+.2f} ± {percent((ahead['high'] - ahead['low']) / 2, 2)}",
                figures(time["game"]),
                figures(time["turn"]),
                figures(time["game"] / ours["game"]),
            ]
        )
    header = ["board", "engine", "games", "won, % (95 %)", "published, %", "ahead of `sat`, points"]
    return table([*header, "ms a game", "ms a turn", "times `sat`"], rows)


def peers_positions(results: Results) -> Table:
    """Return times of one position by programs in turns."""
    rows = [
        [f"`{line['program']}`", figures(line["milliseconds"]), figures(line["ratio"])]
        for line in results.json("peers.json")["positions"]
    ]
    return table(["program", "ms a position, median", "times satsweep"], rows)


def peers_games(results: Results) -> Table:
    """Return times of games in the own loops of programs, in turns."""
    rows = []
    for line in results.json("peers.json")["games"]:
        middle, low, high = map(figures, line["ratio"])
        speed = figures(line["a_second"])
        rows.append([line["board"], f"`{line['program']}`", f"{line['games']:,}", speed, middle, f"{low} to {high}"])
    return table(["board", "program", "games", "games a second, median", "times `sat`, median", "rounds"], rows)


def large_boards(results: Results) -> Table:
    """Return times of answers on large boards."""
    rows = [
        [
            line["board"],
            f"{line['components']:,}",
            *(duration(line["seconds"][part]) for part in ("board", "analyse", "risks", "best")),
            figures(line["microseconds_a_cell"]),
        ]
        for line in results.json("large_boards.json")
    ]
    return table(["board, density", "components", "`Board`", "`analyse`", "risks", "best cell", "µs a cell, all"], rows)


TABLES: dict[str, Maker] = {
    "large-boards": large_boards,
    "field": field,
    "peers-positions": peers_positions,
    "peers-games": peers_games,
    "umi": umi,
    "umi-engines": umi_engines,
    "records": records,
    "engines": engines,
    "expert": expert,
    "hard": hard,
    "ladder": ladder,
    "counters": counters,
    "games": games,
    "play": play,
    "play-speed": play_speed,
    "wasm": wasm,
    "generate": generate,
    "generated": generated,
    "repaired": repaired,
    "rate": rate,
    "rated": rated,
    "reviews": reviews,
    "startup": startup,
    "arena-blocks": arena_blocks,
    "envs": envs,
    "rewards": rewards,
    "reward-means": reward_means,
    "reasons": reasons,
    "page": page,
    "serve": serve,
    "openings": openings,
    "second-cells": second_cells,
    "bounds": bounds,
    "bound-parts": bound_parts,
    "soak": soak,
    "optimal": optimal,
    "optimal-played": optimal_played,
    "sprt": sprt,
}
