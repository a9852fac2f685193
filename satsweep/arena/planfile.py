"""Plan files: plans as TOML, read strictly, and the plans that ship with satsweep.

::

    title = "Basic and gem by density"
    agents = ["basic", "gem"]
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

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from importlib.resources import as_file, files
from itertools import islice, product
from math import floor, prod
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar, cast, get_args

from satsweep.agents.fingerprint import source_files
from satsweep.agents.isolated import rules_of
from satsweep.arena.measures import with_measurements
from satsweep.arena.plan import Figure, Plan, PlayedBy
from satsweep.arena.sprt import Sprt
from satsweep.board import Cell
from satsweep.errors import BoardError, SatsweepError
from satsweep.formats import errors_in_file, read_layouts, read_text
from satsweep.formats.records import rule_of
from satsweep.formats.strict import DecimalText, Node
from satsweep.formats.toml import toml_node
from satsweep.games.rules import RULES, STANDARD_RULES, FirstClick, Rules
from satsweep.games.setting import Setting, settings_by_kind, shared_rules
from satsweep.layout import Layout
from satsweep.topology import SQUARE, topology_named

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
MAX_SETTINGS = 10_000
_KEYS = ("agents", "boards")
_OPTIONAL_KEYS = (
    "title",
    "source",
    "games",
    "seconds",
    "until",
    "sprt",
    "seed",
    "rules",
    "figure",
    "chains",
    "evaluations",
    "calibration",
    "plays",
    "played-by",
)
_BOARDS = ("size", "mines", "density", "topology", "layouts")
_AGAINST = ("density", "mines", "area")


def read_plan(path: str | Path) -> Plan:
    """Read a plan from a file.

    Raises BoardError with file, line and column for anything that is not a plan.
    """
    with errors_in_file(path):
        node = toml_node(read_text(path, "a plan"))
        fields = node.fields(_KEYS, _OPTIONAL_KEYS)
        subjects = _subjects(fields["agents"])
        rules = _rules(fields, subjects)

        def optional(key: str, read: Callable[[Node], Any], default: Any = None) -> Any:
            return read(fields[key]) if key in fields else default

        plan = Plan(
            agents=tuple(subjects),
            settings=_settings(fields["boards"], rules, Path(path).parent),
            games=optional("games", lambda node: _positive(node, _count)),
            seed=optional("seed", _seed, "0"),
            seconds=optional("seconds", lambda node: float(_positive(node, Node.number))),
            until=optional("until", lambda node: float(_positive(node, Node.number))),
            name=Path(path).stem,
            title=optional("title", Node.string, ""),
            source=optional("source", Node.string, ""),
            figure=optional("figure", _figure),
            chains=optional("chains", Node.boolean, False),
            evaluations=optional("evaluations", Node.boolean, False),
            calibration=optional("calibration", Node.boolean, False),
            played_by=optional("played-by", _played_by, "auto"),
            plays=optional("plays", lambda node: _positive(node, _count), 1),
        )
        return with_measurements(_with_sprt(plan, fields["sprt"]) if "sprt" in fields else plan)


def files_of(path: str | Path) -> list[Path]:
    """The file of a plan, and those of the agents and layouts that it names.

    A file that cannot be read is left to ``read_plan``.
    """
    found = [Path(path)]
    with suppress(OSError, ValueError, KeyError, AttributeError, TypeError):
        fields = tomllib.loads(Path(path).read_text(encoding="utf-8"))
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


class _Located(NamedTuple):
    """A value of a key, and the node where it is written."""

    node: Node
    value: Any


_Combination = Mapping[str, _Located]
"""One value for each key."""


def _seed(node: Node) -> str:
    if type(node.value) is int:
        return str(int(node.number()))
    if isinstance(node.value, str) and not isinstance(node.value, DecimalText):
        return node.value
    node.fail("expected 'seed' as an integer or a string")


def _positive(node: Node, read: Callable[[Node], _Number]) -> _Number:
    number = read(node)
    if number <= 0:
        node.fail(f"expected {_key(node)!r} above 0")
    return number


def _key(node: Node) -> str:
    return next((step for step in reversed(node.path) if isinstance(step, str)), "")


def _count(node: Node) -> int:
    if node.integer() >= 10**9:
        node.fail(f"expected {_key(node)!r} to be less than {10**9:,}")
    return node.integer()


def _subjects(node: Node) -> dict[str, Rules]:
    """The agents, each with the rules that it was made for."""
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


# --- rules -----------------------------------------------------------------------------------------------------------


def _cell(node: Node) -> Cell:
    return Cell(*_pair(node, "[row, col]"))


_RULES = {rule.key: name for name, rule in RULES.items()}
"""Fields of ``Rules`` by their keys."""


def _rule(key: str, node: Node) -> object:
    """Read the value of a rule."""
    name = _RULES[key]
    return _cell(node) if RULES[name].kind is Cell else RULES[name].meant(key, rule_of(node, name))


class _PlanRules(NamedTuple):
    """The default rules, and the plan's table of rules, which overrides them."""

    default: Rules
    overrides: _Combination

    def of(self, combination: _Combination) -> Rules:
        """The rules of boards, which override those of the plan."""
        values = {**self.overrides, **combination}
        return replace(self.default, **{name: values[key].value for key, name in _RULES.items() if key in values})


def _rules(fields: Mapping[str, Node], subjects: Mapping[str, Rules]) -> _PlanRules:
    overrides = fields["rules"].fields((), _RULES) if "rules" in fields else {}
    return _PlanRules(
        shared_rules(subjects.values(), STANDARD_RULES),
        {key: _Located(node, _rule(key, node)) for key, node in overrides.items()},
    )


# --- boards ----------------------------------------------------------------------------------------------------------


def _settings(node: Node, rules: _PlanRules, folder: Path) -> tuple[Setting, ...]:
    """All settings without duplicates, in the order written."""
    found: dict[Setting, None] = {}
    for entry in node.items() or node.fail("expected at least one [[boards]]"):
        values = _values_by_key(entry, folder)
        if len(found) + prod(map(len, values.values())) > MAX_SETTINGS:
            entry.fail(f"expected at most {MAX_SETTINGS:,} settings, found more")
        for chosen in product(*values.values()):
            combination = dict(zip(values, chosen, strict=True))
            found.update(dict.fromkeys(_settings_of(entry, combination, rules)))
    return tuple(found)


def _values_by_key(entry: Node, folder: Path) -> dict[str, list[_Located]]:
    """All values of each key of an entry."""
    fields = entry.fields((), (*_BOARDS, *_RULES))
    for key in _BOARDS[:-1]:
        if key in fields and "layouts" in fields:
            fields[key].fail(f"expected no {key!r} beside 'layouts'")
    if not {"size", "layouts"} & fields.keys():
        entry.fail("expected the key 'size', or 'layouts'")
    if "size" in fields and len({"mines", "density"} & fields.keys()) != 1:
        entry.fail("expected one of the keys 'mines' and 'density'")
    readers: dict[str, Callable[[Node], object]] = {
        **{key: partial(_rule, key) for key in _RULES},
        "size": lambda node: _pair(node, "[rows, columns]"),
        "mines": _count,
        "density": _density,
        "topology": lambda node: node.string_as(topology_named),
        "layouts": lambda node: _layouts(node, folder),
    }
    return {key: list(islice(_values(key, node, readers[key]), MAX_SETTINGS + 1)) for key, node in fields.items()}


def _values(key: str, node: Node, read: Callable[[Node], object]) -> Iterator[_Located]:
    """Values of a key: those of a list or of a range, or a single one."""
    several = isinstance(node.value, list)
    if several and key in ("size", "start"):
        several = bool(node.value) and isinstance(node.value[0], list)
    if several and not node.value:
        node.fail(f"expected at least one value of {key!r}")
    for item in node.items() if several else [node]:
        if key in ("mines", "density") and isinstance(item.value, dict):
            yield from (_Located(item, value) for value in _range(item, read))
        else:
            yield _Located(item, read(item))


def _range(node: Node, read: Callable[[Node], Any]) -> Iterator[Any]:
    """Values of a range; its end is one of them if the step reaches it."""
    fields = node.fields(("from", "to", "step"))
    low, high, step = (read(fields[key]) for key in ("from", "to", "step"))
    if step <= 0:
        fields["step"].fail("expected 'step' above 0")
    if low > high:
        fields["to"].fail("expected 'to' to be 'from' at least")
    steps = (high - low) // step
    if steps >= MAX_SETTINGS:
        fields["step"].fail(f"expected at most {MAX_SETTINGS:,} settings, found more")
    return (low + number * step for number in range(steps + 1))


def _pair(node: Node, expected: str) -> tuple[int, int]:
    if not isinstance(node.value, list) or len(node.value) != 2:
        node.fail(f"expected {_key(node)!r} as {expected}")
    first, second = map(_count, node.items())
    return first, second


def _density(node: Node) -> Fraction:
    """A density, as a number or as a fraction like "1/15"."""
    value = node.value
    if isinstance(value, str) and not isinstance(value, DecimalText):
        parts = value.split("/")
        if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
            node.fail("expected 'density' as a number, or as a fraction like \"1/15\"")
        density = Fraction(int(parts[0]), int(parts[1]) or node.fail("expected a fraction that is not over 0"))
    else:
        density = node.number()
    if not 0 <= density <= 1:
        node.fail("expected a density from 0 to 1")
    return density


def _layouts(node: Node, folder: Path) -> list[Layout]:
    name = node.string()
    return read_layouts(folder / name) if name else node.fail("expected the name of a file")


def _settings_of(entry: Node, combination: _Combination, plan_rules: _PlanRules) -> tuple[Setting, ...]:
    """Settings of one combination: with layouts one per kind of board, otherwise one."""
    rules = plan_rules.of(combination)
    try:
        if "layouts" not in combination:
            return (_setting(combination, rules),)
        layouts = combination["layouts"].value
        if rules.first is FirstClick.GIVEN and rules.start is None and any(layout.start is None for layout in layouts):
            raise BoardError("expected layouts with a start, as the first cell is given", at="layouts")
        return settings_by_kind(layouts, rules)
    except BoardError as error:
        _blame(error, entry, {**plan_rules.overrides, **combination})


def _setting(combination: _Combination, rules: Rules) -> Setting:
    rows, cols = combination["size"].value
    topology = combination["topology"].value if "topology" in combination else SQUARE
    if "mines" in combination:
        mines = combination["mines"].value
    else:
        mines = floor(combination["density"].value * rows * cols + Fraction(1, 2))
    return Setting(rows, cols, mines, rules, topology)


def _blame(error: BoardError, entry: Node, values: _Combination) -> NoReturn:
    """Report an impossible setting at the value that makes it impossible."""
    blamed = (error.at, "density") if error.at == "mines" else (error.at, "size")
    for key in (*blamed, "layouts"):
        if key in values:
            values[str(key)].node.fail(error.message)
    entry.fail(error.message)
