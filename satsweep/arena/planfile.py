"""Plan files: plans as TOML, read strictly, and the plans that ship with satsweep.

::

    title = "Basic and gem by density"
    agents = ["basic", "gem"]         # or "all", those that ship with satsweep
    games = 50                        # or seconds = 60, or until = 0.2 (points); seed = 0
    sprt = { h0 = 0, h1 = 0.5 }       # until this test of two agents decides (points); alpha, beta, two-sided
    plays = 5                         # of each layout, each with other guesses; games counts all of them
    chains = true                     # measure chains of influence, too, for agents that name their clues
    evaluations = true                # count evaluations, too, for agents that report them; Python plays
    calibration = true                # keep the risks that agents state with guesses, for a ladder; Python plays
    played-by = "python"              # or kernels, or auto: who plays sat and deep

    [rules]                           # of all boards: first, start, cascade, play-on, goal, clues, tells-total
    first = "any"
    play-on = true

    [[boards]]                        # any value may be a list: every combination is a setting, in the order written
    size = [25, 25]
    density = { from = 0, to = 1, step = 0.02 }

    [figure]
    measure = "score"
    against = "density"               # or mines, or area

Boards have a size, mines or a density, of which the nearest number of mines is taken, perhaps a topology, and
perhaps rules of their own; or ``layouts = "games.jsonl"``, a file beside the plan. If all agents were made for the same
rules, these are the default, otherwise the standard rules.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, TypeVar, cast, get_args

from satsweep.agents import AGENTS
from satsweep.agents.fingerprint import source_files
from satsweep.agents.isolated import rules_of
from satsweep.arena.measures import with_measurements
from satsweep.arena.plan import MEASUREMENTS, Figure, Plan, PlayedBy
from satsweep.arena.plan_boards import count, key_of, plan_rules, settings_of
from satsweep.arena.sprt import Sprt
from satsweep.errors import BoardError, SatsweepError
from satsweep.formats import errors_in_file, read_text
from satsweep.formats.strict import DecimalText, Node
from satsweep.formats.toml import parse_toml, toml_node
from satsweep.games.rules import STANDARD_RULES, Rules
from satsweep.games.setting import shared_rules

EXPERIMENTS = (
    "gem-density",
    "gem-select",
    "select-threshold",
    "tank-limit",
    "known-total",
    "unreliable-clues",
    "bfs-dfs",
    "sam-density",
    "mine-search-area",
    "mine-search-density",
    "mine-search-plays",
    "probing",
    "levels",
    "critical-density",
    "chain-length",
    "times",
)
"""Names of the experiments that ship with satsweep, in the order of the documents."""

DEFAULT = "default"
"""Name of the plan of a comparison without boards or a plan."""

_Number = TypeVar("_Number", int, Fraction)
_AGAINST = ("density", "mines", "area")


def read_plan(path: str | Path) -> Plan:
    """Read a plan from a file.

    Raises BoardError with file, line and column for anything that is not a plan.
    """
    with errors_in_file(path):
        node = toml_node(read_text(path, "a plan"))
        fields = node.fields(("agents", "boards"), (*_READERS, "rules", "sprt"))
        subjects = _subjects(fields["agents"])
        rules = plan_rules(fields.get("rules"), shared_rules(subjects.values(), STANDARD_RULES))
        plan = Plan(
            agents=tuple(subjects),
            settings=settings_of(fields["boards"], rules, Path(path).parent),
            name=Path(path).stem,
            **{key.replace("-", "_"): read(fields[key]) for key, read in _READERS.items() if key in fields},
        )
        return with_measurements(_with_sprt(plan, fields["sprt"]) if "sprt" in fields else plan)


def files_of(path: str | Path) -> list[Path]:
    """The file of a plan, and those of the agents and layouts that it names.

    A file that cannot be read is left to ``read_plan``.
    """
    found = [Path(path)]
    with suppress(OSError, ValueError, KeyError, AttributeError, TypeError):
        fields = parse_toml(Path(path).read_text(encoding="utf-8"))
        found += [file for name in fields["agents"] for file in source_files(name)]
        for boards in fields["boards"]:
            named = boards.get("layouts", [])
            found += [Path(path).parent / name for name in ([named] if isinstance(named, str) else named)]
    return found


def plan_named(name: str) -> Plan:
    """A plan that ships with satsweep; raises ValueError for an unknown name.

    >>> plan_named("gem-density").agents
    ('basic', 'gem')
    """
    if name not in (*EXPERIMENTS, DEFAULT):
        raise ValueError(f"expected a plan among {', '.join((*EXPERIMENTS, DEFAULT))}, found {name!r}")
    with as_file(files("satsweep.arena") / "plans" / f"{name}.toml") as path:
        return read_plan(path)


def plan_names() -> list[str]:
    """Names of the experiments that ship with satsweep."""
    return list(EXPERIMENTS)


def _seed(node: Node) -> str:
    if type(node.value) is int:
        return str(int(node.number()))
    if isinstance(node.value, str) and not isinstance(node.value, DecimalText):
        return node.value
    node.fail("expected 'seed' as an integer or a string")


def _positive(node: Node, read: Callable[[Node], _Number]) -> _Number:
    number = read(node)
    if number <= 0:
        node.fail(f"expected {key_of(node)!r} above 0")
    return number


def _subjects(node: Node) -> dict[str, Rules]:
    """Agents by name, with their rules; ``"all"`` is every one of this package."""
    if node.value == "all":
        return {name: entry.rules for name, entry in AGENTS.items() if not entry.source.startswith("installed")}
    found: dict[str, Rules] = {}
    for item in node.items() or node.fail("expected at least one agent"):
        name = item.string()
        if name in found:
            item.fail(f"expected {name[:40]!r} once, found it again")
        try:
            found[name] = rules_of(name)
        except (SatsweepError, ValueError, TypeError) as error:
            item.fail(str(error).partition("\n")[0])
    return found


def _played_by(node: Node) -> PlayedBy:
    for name in get_args(PlayedBy):
        if name == node.string():
            return cast(PlayedBy, name)
    node.fail(f"expected 'played-by' among {', '.join(get_args(PlayedBy))}")


def _with_sprt(plan: Plan, node: Node) -> Plan:
    fields = node.fields(("h0", "h1"), ("alpha", "beta", "two-sided"))
    numbers = {name: float(fields[name].number()) for name in fields if name != "two-sided"}
    two_sided = "two-sided" in fields and fields["two-sided"].boolean()
    try:
        return replace(plan, sprt=Sprt(**numbers, two_sided=two_sided))
    except BoardError as error:
        fields.get(str(error.at), node).fail(error.message)


def _figure(node: Node) -> Figure:
    fields = node.fields(("measure",), ("against",))
    against = fields["against"].string() if "against" in fields else _AGAINST[0]
    if against not in _AGAINST:
        fields["against"].fail(f"expected 'against' among {', '.join(_AGAINST)}")
    return Figure(fields["measure"].string(), against)


def _positive_count(node: Node) -> int:
    return _positive(node, count)


def _positive_number(node: Node) -> float:
    return float(_positive(node, Node.number))


_READERS: dict[str, Callable[[Node], Any]] = {
    "title": Node.string,
    "source": Node.string,
    "games": _positive_count,
    "seconds": _positive_number,
    "until": _positive_number,
    "seed": _seed,
    "figure": _figure,
    **dict.fromkeys(MEASUREMENTS, Node.boolean),
    "plays": _positive_count,
    "played-by": _played_by,
}
"""Optional keys that are fields of ``Plan``, and how each is read."""
