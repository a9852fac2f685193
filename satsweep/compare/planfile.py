"""Plans as TOML files, read strictly; those that ship with the package are found by their names.

::

    title = "Basic and gem by density"
    agents = ["basic", "gem"]
    games = 50                        # or seconds = 60, or until = 0.2 (points); seed = 0
    chains = true                     # measure chains of influence, too, for agents that name their clues

    [rules]                           # of all boards: first, start, cascade, play-on, goal, clues, tells-total
    first = "any"
    play-on = true

    [[boards]]                        # any value may be a list: every combination is a setting, in the order written
    size = [25, 25]
    density = { from = 0, to = 1, step = 0.02 }

    [figure]
    measure = "score"
    against = "density"               # or mines, or area

Boards have a size, mines or a density, of which the nearest whole number of mines is taken, perhaps a topology, and
perhaps rules of their own; or ``layouts = "games.jsonl"``, a file beside the plan. Agents that were all made for the
same rules play by these unless the plan says otherwise, others by the standard rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from importlib.resources import as_file, files
from itertools import islice, product
from math import floor, prod
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar

from satsweep.agents.load import Subject, subject
from satsweep.board import Cell
from satsweep.clues import clues_named
from satsweep.compare.plan import Figure, Plan
from satsweep.errors import BoardError, SatsweepError
from satsweep.formats import errors_in_file, read_layouts, read_text
from satsweep.formats.strict import DecimalText, Node
from satsweep.formats.toml import toml_node
from satsweep.games.rules import STANDARD_RULES, FirstClick, Goal, Rules
from satsweep.games.setting import Setting, by_size
from satsweep.layout import Layout
from satsweep.topology import SQUARE, topology_named

EXPERIMENTS = (
    "gem-density",
    "gem-select",
    "tank-limit",
    "unreliable-clues",
    "bfs-dfs",
    "sam-density",
    "mine-search-area",
    "mine-search-density",
    "levels",
    "critical-density",
    "chain-length",
)
"""The experiments that ship with the package, document by document."""

DEFAULT = "default"
"""The plan of a comparison that says nothing but who plays."""

_Number = TypeVar("_Number", int, Fraction)
MAX_SETTINGS = 10_000
_KEYS = ("agents", "boards")
_KEYS_TOO = ("title", "source", "games", "seconds", "until", "seed", "rules", "figure", "chains")
_BOARDS = ("size", "mines", "density", "topology", "layouts")
_AGAINST = ("density", "mines", "area")


def read_plan(path: str | Path) -> Plan:
    """Read a plan from a file. Raises BoardError naming the file, line and column for whatever is no plan."""
    with errors_in_file(path):
        node = toml_node(read_text(path, "a plan"))
        fields = node.fields(_KEYS, _KEYS_TOO)
        subjects = _subjects(fields["agents"])
        rules = _rules(fields, subjects)

        def said(key: str, read: Callable[[Node], Any], otherwise: Any = None) -> Any:
            return read(fields[key]) if key in fields else otherwise

        return Plan(
            agents=tuple(one.name for one in subjects),
            settings=_settings(fields["boards"], rules, Path(path).parent),
            games=said("games", lambda node: _above_0(node, _count)),
            seed=said("seed", _seed, "0"),
            seconds=said("seconds", lambda node: float(_above_0(node, Node.number))),
            until=said("until", lambda node: float(_above_0(node, Node.number))),
            name=Path(path).stem,
            title=said("title", Node.string, ""),
            source=said("source", Node.string, ""),
            figure=said("figure", _figure),
            chains=said("chains", Node.boolean, False),
        )


def plan_named(name: str) -> Plan:
    """A plan that ships with the package. Raises ValueError for a name that none has.

    >>> plan_named("gem-density").agents
    ('basic', 'gem')
    """
    if name not in (*EXPERIMENTS, DEFAULT):
        raise ValueError(f"expected a plan among {', '.join((*EXPERIMENTS, DEFAULT))}, found {name!r}")
    with as_file(files("satsweep.compare") / "plans" / f"{name}.toml") as path:
        return read_plan(path)


def plan_names() -> list[str]:
    """The names of the experiments that ship with the package."""
    return list(EXPERIMENTS)


class _Choice(NamedTuple):
    """One of the values that a key may have, and where it is written."""

    node: Node
    value: Any


_Chosen = Mapping[str, _Choice]


def _seed(node: Node) -> str:
    if type(node.value) is int:
        return str(int(node.number()))
    if isinstance(node.value, str) and not isinstance(node.value, DecimalText):
        return node.value
    node.fail("expected 'seed' as an integer or a string")


def _above_0(node: Node, read: Callable[[Node], _Number]) -> _Number:
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


def _subjects(node: Node) -> list[Subject]:
    found: list[Subject] = []
    for item in node.items() or node.fail("expected at least one agent"):
        name = item.string()
        if name in [one.name for one in found]:
            item.fail(f"expected {name[:40]!r} once, found it again")
        try:
            found.append(subject(name))
        except (SatsweepError, ValueError, TypeError) as error:
            item.fail(str(error).partition("\n")[0])
    return found


def _figure(node: Node) -> Figure:
    fields = node.fields(("measure",), ("against",))
    against = fields["against"].string() if "against" in fields else _AGAINST[0]
    if against not in _AGAINST:
        fields["against"].fail(f"expected 'against' among {', '.join(_AGAINST)}")
    return Figure(fields["measure"].string(), against)


# --- rules -----------------------------------------------------------------------------------------------------------


def _cell(node: Node) -> Cell:
    return Cell(*_pair(node, "[row, col]"))


_RULES: dict[str, tuple[str, Callable[[Node], object]]] = {
    "first": ("first", lambda node: node.choice(FirstClick)),
    "start": ("start", _cell),
    "cascade": ("cascade", Node.boolean),
    "play-on": ("fatal", lambda node: not node.boolean()),
    "goal": ("goal", lambda node: node.choice(Goal)),
    "clues": ("clues", lambda node: node.string_as(clues_named)),
    "tells-total": ("tells_total", Node.boolean),
}
"""What a plan may say about the rules: the field of ``Rules``, and how its value is read."""


class _Ruled(NamedTuple):
    """The rules of all boards, and what the plan itself says of them."""

    base: Rules
    said: _Chosen

    def of(self, chosen: _Chosen) -> Rules:
        """The rules of boards that say something of their own."""
        said = {**self.said, **chosen}
        return replace(self.base, **{field: said[key].value for key, (field, _) in _RULES.items() if key in said})


def _rules(fields: Mapping[str, Node], subjects: list[Subject]) -> _Ruled:
    made_for = {one.rules for one in subjects}
    said = fields["rules"].fields((), _RULES) if "rules" in fields else {}
    return _Ruled(
        made_for.pop() if len(made_for) == 1 else STANDARD_RULES,
        {key: _Choice(node, _RULES[key][1](node)) for key, node in said.items()},
    )


# --- boards ----------------------------------------------------------------------------------------------------------


def _settings(node: Node, rules: _Ruled, beside: Path) -> tuple[Setting, ...]:
    """All settings, each once, in the order written."""
    found: dict[Setting, None] = {}
    for entry in node.items() or node.fail("expected at least one [[boards]]"):
        choices = _choices(entry, beside)
        if len(found) + prod(map(len, choices.values())) > MAX_SETTINGS:
            entry.fail(f"expected at most {MAX_SETTINGS:,} settings, found more")
        for values in product(*choices.values()):
            chosen = dict(zip(choices, values, strict=True))
            found.update(dict.fromkeys(_built(entry, chosen, rules)))
    return tuple(found)


def _choices(entry: Node, beside: Path) -> dict[str, list[_Choice]]:
    """What each key of an entry may be."""
    fields = entry.fields((), (*_BOARDS, *_RULES))
    for key in _BOARDS[:-1]:
        if key in fields and "layouts" in fields:
            fields[key].fail(f"expected no {key!r} beside 'layouts'")
    if not {"size", "layouts"} & fields.keys():
        entry.fail("expected the key 'size', or 'layouts'")
    if "size" in fields and len({"mines", "density"} & fields.keys()) != 1:
        entry.fail("expected one of the keys 'mines' and 'density'")
    readers: dict[str, Callable[[Node], object]] = {
        **{key: read for key, (_, read) in _RULES.items()},
        "size": lambda node: _pair(node, "[rows, columns]"),
        "mines": _count,
        "density": _density,
        "topology": lambda node: node.string_as(topology_named),
        "layouts": lambda node: _layouts(node, beside),
    }
    return {key: list(islice(_alternatives(key, node, readers[key]), MAX_SETTINGS + 1)) for key, node in fields.items()}


def _alternatives(key: str, node: Node, read: Callable[[Node], object]) -> Iterator[_Choice]:
    """The values that a key may have: those of a list or of a range, or the one that is there."""
    several = isinstance(node.value, list)
    if several and key in ("size", "start"):
        several = bool(node.value) and isinstance(node.value[0], list)
    if several and not node.value:
        node.fail(f"expected at least one value of {key!r}")
    for item in node.items() if several else [node]:
        if key in ("mines", "density") and isinstance(item.value, dict):
            yield from (_Choice(item, value) for value in _range(item, read))
        else:
            yield _Choice(item, read(item))


def _range(node: Node, read: Callable[[Node], Any]) -> Iterator[Any]:
    """The values from one to another, which is among them if the step leads to it."""
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
    """A density, also one written as a fraction, like "1/15"."""
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


def _layouts(node: Node, beside: Path) -> list[Layout]:
    name = node.string()
    return read_layouts(beside / name) if name else node.fail("expected the name of a file")


def _built(entry: Node, chosen: _Chosen, ruled: _Ruled) -> tuple[Setting, ...]:
    """The settings that one combination stands for: one, or with layouts one for each kind of board among them."""
    rules = ruled.of(chosen)
    try:
        if "layouts" not in chosen:
            return (_setting(chosen, rules),)
        layouts = chosen["layouts"].value
        if rules.first is FirstClick.GIVEN and rules.start is None and any(layout.start is None for layout in layouts):
            raise BoardError("expected layouts with a start, as the first cell is given", at="layouts")
        return by_size(layouts, rules)
    except BoardError as error:
        _misfit(error, entry, {**ruled.said, **chosen})


def _setting(chosen: _Chosen, rules: Rules) -> Setting:
    rows, cols = chosen["size"].value
    topology = chosen["topology"].value if "topology" in chosen else SQUARE
    if "mines" in chosen:
        mines = chosen["mines"].value
    else:
        mines = floor(chosen["density"].value * rows * cols + Fraction(1, 2))
    return Setting(rows, cols, mines, rules, topology)


def _misfit(error: BoardError, entry: Node, said: _Chosen) -> NoReturn:
    """Blame what is written for a setting that cannot be."""
    blamed = (error.at, "density") if error.at == "mines" else (error.at, "size")
    for key in (*blamed, "layouts"):
        if key in said:
            said[str(key)].node.fail(error.message)
    entry.fail(error.message)
