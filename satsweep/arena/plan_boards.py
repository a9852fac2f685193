"""Boards of plan files: a setting for each combination of sizes and rules.

``satsweep.arena.planfile`` shows what a plan may say of boards and rules.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice, product
from math import floor, prod
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar

from satsweep.board import Cell
from satsweep.errors import BoardError
from satsweep.formats import read_layouts
from satsweep.formats.records import rule_of
from satsweep.formats.strict import DecimalText, Node
from satsweep.games.rules import RULES, FirstClick, Rules
from satsweep.games.setting import Setting, settings_by_kind
from satsweep.layout import Layout
from satsweep.topology import SQUARE, topology_named

_Number = TypeVar("_Number", int, Fraction)
MAX_SETTINGS = 10_000
_BOARDS = ("size", "mines", "density", "topology", "layouts")


class _Located(NamedTuple):
    """A value of a key, and the node where it is written."""

    node: Node
    value: Any


_Combination = Mapping[str, _Located]
"""One value for each key."""


def key_of(node: Node) -> str:
    """The key that a value belongs to, that of its list if it is in one."""
    return next((step for step in reversed(node.path) if isinstance(step, str)), "")


def count(node: Node) -> int:
    """Read an integer from 0 that is no more than games can be."""
    if node.integer() >= 10**9:
        node.fail(f"expected {key_of(node)!r} to be less than {10**9:,}")
    return node.integer()


# --- rules -----------------------------------------------------------------------------------------------------------


def _cell(node: Node) -> Cell:
    return Cell(*_pair(node, "[row, col]"))


_OPPOSITE = "play-on"
_RULES = {_OPPOSITE if name == "fatal" else name.replace("_", "-"): name for name in RULES}
"""Fields of ``Rules`` by their keys, one of which says the opposite."""


def _rule(key: str, node: Node) -> object:
    name = _RULES[key]
    said = _cell(node) if RULES[name].kind is Cell else rule_of(node, name)
    return not said if key == _OPPOSITE else said


class PlanRules(NamedTuple):
    """The default rules, and the plan's table of rules, which overrides them."""

    default: Rules
    overrides: _Combination

    def of(self, combination: _Combination) -> Rules:
        """The rules of boards, of which those of their own come before those of the plan."""
        values = {**self.overrides, **combination}
        return replace(self.default, **{name: values[key].value for key, name in _RULES.items() if key in values})


def plan_rules(node: Node | None, default: Rules) -> PlanRules:
    """The rules of a plan: the default ones, and its table of rules if there is one."""
    overrides = node.fields((), _RULES) if node else {}
    return PlanRules(default, {key: _Located(node, _rule(key, node)) for key, node in overrides.items()})


# --- boards ----------------------------------------------------------------------------------------------------------


def settings_of(node: Node, rules: PlanRules, folder: Path) -> tuple[Setting, ...]:
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
        "mines": count,
        "density": _density,
        "topology": lambda node: node.string_as(topology_named),
        "layouts": lambda node: _layouts(node, folder),
    }
    return {key: list(islice(_values(key, node, readers[key]), MAX_SETTINGS + 1)) for key, node in fields.items()}


def _values(key: str, node: Node, read: Callable[[Node], object]) -> Iterator[_Located]:
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
        node.fail(f"expected {key_of(node)!r} as {expected}")
    first, second = map(count, node.items())
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


def _settings_of(entry: Node, combination: _Combination, plan_rules: PlanRules) -> tuple[Setting, ...]:
    """Settings of one combination: with layouts one per kind of board, otherwise one."""
    try:
        rules = plan_rules.of(combination)
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
