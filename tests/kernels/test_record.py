"""Fields of the working record: declared once, by a module that uses them; lists that must match do."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import satsweep.kernels
from satsweep.games.record import Outcome
from satsweep.kernels.endgame import few, regions, search, sets
from satsweep.kernels.games import player
from satsweep.kernels.record import OWNERS, WORK

HERE = Path(satsweep.kernels.__file__).parent
FOLDERS = ["position", "lookahead", "endgame", "games"]
OWNER = {field.name: owner.__name__.removeprefix("satsweep.kernels.") for owner in OWNERS for field in owner.FIELDS}


def targets(node: ast.AST) -> Iterator[ast.AST]:
    """Expressions that an assignment sets, without their indices."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from targets(target)
    elif isinstance(node, ast.AugAssign):
        yield from targets(node.target)
    elif isinstance(node, ast.Tuple):
        for element in node.elts:
            yield from targets(element)
    elif isinstance(node, ast.Subscript):
        yield from targets(node.value)
    elif isinstance(node, ast.Attribute | ast.Name):
        yield node


def field_of(node: ast.AST) -> str | None:
    """Field that an expression names, as ``w.NAME``, or ``v.NAME`` of a second record."""
    found = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("w", "v")
    return node.attr if found and isinstance(node, ast.Attribute) else None


def found_in(root: ast.AST) -> tuple[set[str], set[str]]:
    """Fields that a module uses, and those that it assigns."""
    nodes = list(ast.walk(root))
    assigned = [target for node in nodes if isinstance(node, ast.Assign | ast.AugAssign) for target in targets(node)]
    return {name for node in nodes if (name := field_of(node))}, {name for node in assigned if (name := field_of(node))}


@cache
def modules() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Modules that use a field, and those that assign it, by its name."""
    uses: dict[str, set[str]] = defaultdict(set)
    assigned: dict[str, set[str]] = defaultdict(set)
    for path in HERE.rglob("*.py"):
        module = ".".join(path.relative_to(HERE).with_suffix("").parts)
        for found, names in zip((uses, assigned), found_in(ast.parse(path.read_text())), strict=True):
            for name in names:
                found[name].add(module)
    return uses, assigned


def test_the_test_sees_fields() -> None:
    tree = ast.parse("w.a, x = w.b[w.c], 1\nw.d[w.e] += w.f.g\nx = u.h\n(w.i[1], w.j), y = z")
    assert found_in(tree) == (set("abcdefij"), set("adij"))


def test_kernels_use_declared_fields_and_nothing_else_is_declared() -> None:
    assert set(modules()[0]) == set(OWNER) == set(WORK.names or ())
    assert [owner.__name__ for owner in OWNERS if not all(field.meaning for field in owner.FIELDS)] == []


def test_every_module_with_fields_is_an_owner() -> None:
    with_fields = {path for path in HERE.rglob("*.py") if "\nFIELDS = (" in path.read_text()}
    assert with_fields == {Path(owner.__file__ or "") for owner in OWNERS}


def test_fields_are_declared_where_they_are_set() -> None:
    """Of the folders that set a field the first has its owner."""
    uses, assigned = modules()
    for field, owner in OWNER.items():
        assert owner in uses[field], field
        if setters := assigned[field]:
            folders = {module.split(".")[0] for module in setters}
            assert owner in setters and owner.split(".")[0] == min(folders, key=FOLDERS.index), field


NOT_COPIED = {
    "the table of neighbours": "cells degree nb nb_at back no_graph",
    "lists that are empty": "found beyond pending pending_mine queue dirty",
    "what is weighed anew": "act n_act low_sum high_sum ways after before sea_mined sea_clear",
    "scratch": "cell_mark number_mark stamp cell_next signature sub_con order meet n_con n_group",
}
"""Fields of a position that ``copy_position`` leaves, by the reason; also those of ``SCRATCH``."""
SCRATCH = ("con_", "group_", "l_")


def test_a_copy_of_a_position_is_complete() -> None:
    """A new field of a position is copied, or has its reason here."""
    parts = [
        part
        for part in ast.parse((HERE / "lookahead" / "rollouts.py").read_text()).body
        if isinstance(part, ast.FunctionDef) and part.name in ("copy_position", "copy_pools")
    ]
    copied = set().union(*(found_in(part)[1] for part in parts))
    left = {name for names in NOT_COPIED.values() for name in names.split()}
    assert len(parts) == 2 and not copied & left
    position = {name for name, owner in OWNER.items() if owner.startswith("position.") and not name.startswith(SCRATCH)}
    assert copied | left == position


def test_outcomes_have_the_names_of_their_codes() -> None:
    codes = [getattr(player, name.upper().replace(" ", "_")) for name in player.OUTCOMES]
    assert codes == list(range(len(codes)))
    assert set(player.OUTCOMES) - {outcome.value for outcome in Outcome} == {"on", "beyond", "no room"}


def test_places_in_the_endgames_arrays_are_all_there() -> None:
    """The last place of each list is the last one of its array."""
    room = sets.sets(1, 1)
    assert (room.size.size - 1, room.few.size.size - 1) == (sets.SLOTS, few.SORTED)
    assert (room.frame.shape[1] - 1, room.few.frame.shape[1] - 1) == (search.KEPT, few.REACHED)
    assert room.part.shape[1] - 1 == search.PLACE
    assert {regions.FROM, regions.TO, regions.LEAST, regions.MOST} == set(range(sets.PART))
    assert room.spent.size - 1 == few.BUDGET
