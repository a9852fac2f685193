"""Ladder: engines ranked on each board, from any number of stores.

A line is one version of an engine on one kind of board; of several runs the one with the most games counts. Layout i
depends on the seed and on i alone, so engines of different stores are compared in pairs wherever seed, board and rules
are the same. They rank by win rates on equal boards (``satsweep.arena.equal_boards``). The *soundness* of claims is
judged by the layout: a flag that is wrong at the end, and a mine opened that was no guess, is a wrong claim.
*Calibration* holds the risks that an engine stated with its guesses against the mines that it hit, and the chances to
win that it stated against the games that it won; runs with ``calibration`` have them.
"""

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

from satsweep.agents.engine import PREFIX
from satsweep.arena.equal_boards import on_boards_of
from satsweep.arena.kernel_games import may_play
from satsweep.arena.measures import MEASURES, Anchor, anchors_of, win_difference
from satsweep.arena.report import anchor_values, estimate_values
from satsweep.arena.result import Dropouts, PairLayoutSums, PairSums, layout_and_play
from satsweep.arena.stats import Estimate, clustered_share
from satsweep.arena.store import Run, Store
from satsweep.errors import StoreError, unreadable
from satsweep.formats.strict import parse_json
from satsweep.games.setting import Setting

SQLITE = b"SQLite format 3\0"
RISKS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 1.0)
"""Limits of the classes of stated risks; each has its lower limit, the last both."""
CHANCES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Limits of the classes of stated chances to win, likewise."""


class Calibration(NamedTuple):
    """Guesses of similar stated probability: number, mean, and share that came true.

    The probability is that of a mine, or that of winning the game.
    """

    low: float
    high: float
    guesses: int
    stated: float
    true: Estimate | None


@dataclass(frozen=True, slots=True)
class LadderLine:
    """One version of an engine on one kind of board.

    ``milliseconds`` is the time of a game, of compiled code if ``by_kernels``, or in Python; ``milliseconds_a_turn``
    that of a turn. ``guesses`` is per game. ``published`` is the rate that the authors of a wrapped program state.
    ``wrong_claims`` counts the claims, of all ``claims``, that the layout refutes. ``risks`` has a class for each range
    of stated risks, and before them one for all; ``chances`` has the same of stated chances to win. Both are empty
    without calibration. ``outcomes`` says for each game whether it was won. ``equal`` is the win rate on all boards of
    the engine with the most games of the seed, None for that engine and where no boards are common.
    """

    engine: str
    version: str
    seed: str
    plays: int
    games: int
    failed: int
    won: Estimate
    published: Anchor | None
    milliseconds: float | None
    milliseconds_a_turn: float | None
    by_kernels: bool
    guesses: float | None
    claims: int
    wrong_claims: int
    risks: tuple[Calibration, ...]
    chances: tuple[Calibration, ...]
    store: str
    run: int
    outcomes: dict[int, int]
    equal: Estimate | None = None

    @property
    def key(self) -> str:
        return f"{self.engine} ({self.version})"

    @property
    def level(self) -> Estimate:
        """The win rate by which the line ranks."""
        return self.won if self.equal is None else self.equal


class LadderPair(NamedTuple):
    """Two engines on the same layouts, the better one first.

    ``difference`` is the win rate of the first less that of the second, ``superiority`` the likelihood that the first
    is better (LOS).
    """

    first: str
    second: str
    games: int
    difference: Estimate
    superiority: float


@dataclass(frozen=True, slots=True)
class LadderSection:
    """A board with its rules: lines by win rate on equal boards, and pairs.

    ``layouts`` is a digest of the layouts if they were given, not drawn.
    """

    setting: Setting
    layouts: str | None
    lines: tuple[LadderLine, ...]
    pairs: tuple[LadderPair, ...]


Commands = Callable[[LadderSection], list[str]]
"""Commands that play the games of a board again."""


def read_ladder(directory: Path) -> list[LadderSection]:
    """The ladder of all stores in a directory, the smallest board first.

    Files that are no SQLite files are left out. Raises StoreError if there is no store, or one cannot be read.
    """
    try:
        files = [path for path in sorted(directory.iterdir()) if path.is_file() and _begins(path, SQLITE)]
    except OSError as error:
        raise StoreError(f"{directory}: {unreadable(error, 'directory of stores')}") from None
    found: defaultdict[str, dict[tuple[str, str], LadderLine]] = defaultdict(dict)
    for file in files:
        with Store(file, writing=False) as store:
            for info in store.runs():
                for values, line in _lines(store.run(info.number), file.name):
                    lines = found[json.dumps(values)]
                    key = line.engine, line.version
                    lines[key] = _merged(lines[key], line) if key in lines else line
    if not found:
        raise StoreError(f"{directory}: expected stores with games, as `satsweep compare --store` keeps them")
    sections = [_section(json.loads(values), [*lines.values()]) for values, lines in found.items()]
    return sorted(sections, key=lambda one: (one.setting.area, one.setting.mines, str(one.setting), one.layouts or ""))


def _begins(path: Path, start: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(start)) == start


def _lines(run: Run, file: str) -> Iterator[tuple[dict[str, object], LadderLine]]:
    plan, out = run.info.plan, Dropouts(run.failures()).out
    settings, digests = _identity(run, file)
    games = _games_of(run)
    for sums in run.agent_sums():
        setting, name = plan.settings[sums.setting], plan.labels[sums.agent]
        won = MEASURES["won"].estimate(sums, setting)
        digest = digests[sums.agent]
        if won is None or (sums.setting, sums.agent) in out:
            continue
        outcomes, risks, chances = games[sums.setting, sums.agent]
        milliseconds, turns, guesses = (MEASURES[key].estimate(sums, setting) for key in ("ms", "turns", "guesses"))
        yield (
            settings[sums.setting],
            LadderLine(
                name,
                digest[:8] if digest else f"satsweep {run.info.versions['satsweep']}",
                plan.seed,
                plan.plays,
                sums.games,
                sums.failed,
                won,
                _published(name, setting),
                milliseconds and milliseconds.mean,
                milliseconds.mean / turns.mean if milliseconds and turns and turns.mean else None,
                bool(sums.timed) and may_play(plan, sums.setting, sums.agent),
                guesses and guesses.mean,
                sums.sums["claims"],
                sums.sums["wrong"] + max(sums.sums["mines_hit"] - sums.sums["guesses_lost"], 0),
                _calibration(risks, RISKS),
                _calibration(chances, CHANCES),
                file,
                run.number,
                outcomes,
            ),
        )


class _AgentGames(NamedTuple):
    """Games of an agent in a setting: which it won, and what it stated.

    Games in which it stated no risks, or no chances, are left out there.
    """

    outcomes: dict[int, int]
    risks: list[list[tuple[int, bool]]]
    chances: list[list[tuple[int, bool]]]


def _games_of(run: Run) -> dict[tuple[int, int], _AgentGames]:
    """Games of a run, by setting and agent."""
    found: defaultdict[tuple[int, int], _AgentGames] = defaultdict(lambda: _AgentGames({}, [], []))
    for block in run.columns():
        for agent, games in block.agents().items():
            names = ("game", "won", "risks", "win_chances")
            numbers, won, risks, chances = (games.arrays[name].tolist() for name in names)
            own = found[games.setting, agent]
            own.outcomes.update(zip(numbers, won, strict=True))
            own.risks.extend(_stated_risks(game) for game in risks if game is not None)
            stated = zip(chances, won, strict=True)
            own.chances.extend(_stated_chances(game, is_won) for game, is_won in stated if game is not None)
    return found


def _published(engine: str, setting: Setting) -> Anchor | None:
    """The rate that the authors of a wrapped program state.

    ``cmd:pseq.toml`` is the engine pseq.
    """
    name = Path(engine.removeprefix(PREFIX)).stem if engine.startswith(PREFIX) else None
    return next((anchor for anchor in anchors_of(setting) if name and anchor.engine == name), None)


def _merged(one: LadderLine, other: LadderLine) -> LadderLine:
    """The line with more games, with the probabilities of whichever states more."""
    first, second = (one, other) if one.games >= other.games else (other, one)
    risks = max(first.risks, second.risks, key=_guesses_in)
    chances = max(first.chances, second.chances, key=_guesses_in)
    return replace(first, risks=risks, chances=chances)


def _guesses_in(classes: Sequence[Calibration]) -> int:
    """Number of guesses of all classes, of which the first has all."""
    return classes[0].guesses if classes else 0


def _stated_risks(game: str) -> list[tuple[int, bool]]:
    """The risks of ``Result.risks``, each with True if there was a mine."""
    return [(abs(int(text)), text.startswith("-")) for text in game.split()]


def _stated_chances(game: str, won: int) -> list[tuple[int, bool]]:
    """The chances of ``Result.win_chances``, each with True if the game was won."""
    return [(int(text), bool(won)) for text in game.split()]


def _calibration(games: Iterable[list[tuple[int, bool]]], limits: Sequence[float]) -> tuple[Calibration, ...]:
    """Classes of the probabilities that games state, in millionths; the first has all."""
    by_class: list[list[list[tuple[int, bool]]]] = [[] for _ in limits]
    for game in games:
        in_game: defaultdict[int, list[tuple[int, bool]]] = defaultdict(list)
        for one in game:
            at = max(number for number, low in enumerate(limits[:-1]) if low <= one[0] / 1_000_000)
            in_game[0].append(one)
            in_game[at + 1].append(one)
        for number, found in in_game.items():
            by_class[number].append(found)
    classes = []
    for (low, high), found_games in zip([(0.0, 1.0), *pairwise(limits)], by_class, strict=True):
        if found_games:
            # Guesses of one game are alike, so the game is the unit.
            sizes = [len(game) for game in found_games]
            true = [sum(came_true for _, came_true in game) for game in found_games]
            mean = sum(value for game in found_games for value, _ in game) / sum(sizes) / 1_000_000
            classes.append(Calibration(low, high, sum(sizes), mean, clustered_share(true, sizes)))
    return tuple(classes)


def _identity(run: Run, file: str) -> tuple[list[dict[str, object]], list[str | None]]:
    """Settings and digests of agents in the identity of a run.

    Raises StoreError for one that does not fit its plan.
    """
    try:
        found = parse_json(run.info.identity)
        digests = [digest for _, digest in found["agents"]]
        texts = [*digests, *(values["layouts"] for values in found["settings"])]
        settings, plan = tuple(map(Setting.from_values, found["settings"])), run.info.plan
        is_text = all(one is None or isinstance(one, str) for one in texts)
        if (settings, len(digests), is_text) != (plan.settings, len(plan.agents), True):
            raise ValueError("expected the agents and settings of its plan")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise StoreError(f"{file}: run {run.number} cannot be read: {error}") from None
    return found["settings"], digests


def _section(values: dict[str, object], lines: list[LadderLine]) -> LadderSection:
    ranked = sorted(
        _on_equal_boards(lines), key=lambda line: (-line.level.mean, -line.games, line.engine, line.version)
    )
    pairs = (_pair(one, other) for one, other in combinations(ranked, 2))
    layouts = values["layouts"]
    digest = None if layouts is None else str(layouts)
    return LadderSection(Setting.from_values(values), digest, tuple(ranked), tuple(filter(None, pairs)))


def _on_equal_boards(lines: Sequence[LadderLine]) -> Iterator[LadderLine]:
    """The lines; those with fewer boards than the reference have ``equal``."""
    of_seed: defaultdict[tuple[str, int], list[LadderLine]] = defaultdict(list)
    for line in lines:
        of_seed[line.seed, line.plays].append(line)
    for (_, plays), own in of_seed.items():
        most = max(own, key=lambda line: (line.games, line.won.mean, line.key))
        for line in own:
            same = line.outcomes.keys() == most.outcomes.keys()
            yield line if same else replace(line, equal=on_boards_of(most.outcomes, line.outcomes, plays))


def _pair(one: LadderLine, other: LadderLine) -> LadderPair | None:
    """The pair of two lines; None unless they have layouts in common."""
    if (one.seed, one.plays) != (other.seed, other.plays):
        return None
    both = sorted(one.outcomes.keys() & other.outcomes.keys())
    changes = [one.outcomes[game] - other.outcomes[game] for game in both]
    sums = PairSums(0, 0, 1, len(both), changes.count(-1), changes.count(1))
    if one.plays > 1:
        layouts: defaultdict[int, PairLayoutSums] = defaultdict(PairLayoutSums)
        for game, change in zip(both, changes, strict=True):
            layout = layouts[layout_and_play(game, one.plays)[0]]
            layout.games += 1
            layout.more_won += change
        sums.layouts = list(layouts.values())
    difference, _ = win_difference(sums)
    if difference is None:
        return None
    squares = sum(layout.more_won**2 for layout in sums.layouts) if sums.layouts else len(both) - changes.count(0)
    superiority = 0.5 * math.erfc(-sum(changes) / math.sqrt(2 * squares)) if squares else 0.5
    return LadderPair(one.key, other.key, len(both), difference, superiority)


def ladder_values(sections: Iterable[LadderSection], commands: Commands) -> dict[str, object]:
    """The ladder as plain values, which ``schemas/ladder.schema.json`` describes."""
    return {"boards": [_section_values(section, commands(section)) for section in sections]}


def ladder_json(sections: Iterable[LadderSection], commands: Commands) -> str:
    return json.dumps(ladder_values(sections, commands), indent=2, ensure_ascii=False) + "\n"


def _section_values(section: LadderSection, commands: list[str]) -> dict[str, object]:
    return {
        "board": str(section.setting),
        "setting": {**section.setting.to_values(), "layouts": section.layouts},
        "commands": commands,
        "engines": [
            {
                "rank": rank,
                "engine": line.engine,
                "version": line.version,
                "seed": line.seed,
                "plays": line.plays,
                "games": line.games,
                "failed": line.failed,
                "won": estimate_values(line.won),
                "equal": estimate_values(line.equal),
                "published": line.published and anchor_values(line.published),
                "milliseconds": line.milliseconds,
                "milliseconds_a_turn": line.milliseconds_a_turn,
                "by_kernels": line.by_kernels,
                "guesses": line.guesses,
                "claims": line.claims,
                "wrong_claims": line.wrong_claims,
                "calibration": [_calibration_values(found, "hit") for found in line.risks],
                "win_calibration": [_calibration_values(found, "won") for found in line.chances],
                "store": line.store,
                "run": line.run,
            }
            for rank, line in enumerate(section.lines, 1)
        ],
        "pairs": [{**pair._asdict(), "difference": estimate_values(pair.difference)} for pair in section.pairs],
    }


def _calibration_values(found: Calibration, true: str) -> dict[str, object]:
    """A class as plain values; ``true`` names the share that came true."""
    values = found._asdict()
    del values["true"]
    return values | {true: estimate_values(found.true)}
