"""Bare statements about named cells, against brute force over every set of mines."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import example, given, strategies as st

from satsweep import BoardError, Budget, BudgetExceeded, Contradiction, Statement, solve_statements
from satsweep.questions.statements import graph_statements
from satsweep.solver.engines import ENGINES
from tests.strategies import densities

Named = tuple[int, frozenset[Hashable]]

NAMES: list[Hashable] = ["a", "b", 1, "1", (0, 1), frozenset({2}), None, 2.5, b"a"]


@st.composite
def rule_sets(draw: st.DrawFn) -> list[Named]:
    """Rules that some set of mines satisfies, now and then with a count off by one."""
    mines = draw(st.sets(st.sampled_from(NAMES)))
    scopes = draw(st.lists(st.frozensets(st.sampled_from(NAMES), max_size=5), max_size=5))
    off = draw(st.sampled_from((0, 0, 0, 0, 1)))
    return [(len(scope & mines) + (off if number == 0 else 0), scope) for number, scope in enumerate(scopes)]


@dataclass(frozen=True)
class Answer:
    worlds: int
    weight: Fraction
    risk: dict[Hashable, Fraction]
    elsewhere: Fraction | None


def by_brute_force(rules: list[Named], cells: int, mines: int | None, density: Fraction | None) -> Answer | None:
    """Every set of named mines, times the ways to fill the other cells."""
    names = list(dict.fromkeys(name for _, scope in rules for name in scope))
    sea = cells - len(names)
    p = Fraction(1, 2) if density is None else density
    worlds, weight, hits, wet = 0, Fraction(0), dict.fromkeys(names, Fraction(0)), Fraction(0)
    for choice in product((False, True), repeat=len(names)):
        world = {name for name, mine in zip(names, choice, strict=True) if mine}
        if any(len(scope & world) != count for count, scope in rules):
            continue
        for more in range(sea + 1) if mines is None else [mines - len(world)]:
            ways = comb(sea, more) if more >= 0 else 0
            share = ways * p ** (len(world) + more) * (1 - p) ** (cells - len(world) - more)
            worlds, weight = worlds + ways, weight + share
            wet += share * more / sea if sea else 0
            for name in world:
                hits[name] += share
    if not worlds:
        return None
    risk = {name: hit / weight for name, hit in hits.items()}
    return Answer(worlds, weight, risk, wet / weight if sea else None)


@given(rule_sets(), st.integers(0, 4), st.none() | st.integers(0, 13), st.none() | densities)
@example([], 10, 3, None)
@example([(0, frozenset())], 2, None, None)
@example([(1, frozenset("ab"))], 1, 2, None)
@example([(1, frozenset("ab"))], 1, None, Fraction(1, 5))
def test_rules_against_brute_force(rules: list[Named], sea: int, mines: int | None, density: Fraction | None) -> None:
    names = {name for _, scope in rules for name in scope}
    cells = len(names) + sea
    if mines is not None:
        mines, density = min(mines, cells), None
    expected = by_brute_force(rules, cells, mines, density)
    if expected is None:
        with pytest.raises(Contradiction):
            solve_statements(rules, total_cells=cells, total_mines=mines, density=density)
        return
    analysis = solve_statements(rules, total_cells=cells, total_mines=mines, density=density)
    assert analysis.complete
    assert analysis.worlds == expected.worlds
    assert analysis.weight == (None if density is None else expected.weight)
    assert analysis.risks == expected.risk == {name: analysis.risk(name) for name in names}
    assert analysis.elsewhere == expected.elsewhere
    assert set(analysis.names) == names
    assert analysis.safe == tuple(name for name in analysis.names if expected.risk[name] == 0)
    assert analysis.mines == tuple(name for name in analysis.names if expected.risk[name] == 1)


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_agree_on_rules(engine: str) -> None:
    """Two rules that share a cell, by hand.

    There is one mine on b, or one on a and one on c; the third cell is of the sea.
    """
    analysis = solve_statements([(1, "ab"), (1, "bc")], total_cells=5, total_mines=2, engine=engine)
    assert analysis.worlds == 2 + 1
    assert analysis.risks == {"a": Fraction(1, 3), "b": Fraction(2, 3), "c": Fraction(1, 3)}
    assert analysis.elsewhere == Fraction(1, 3)
    assert {work.engine for work in analysis.work} <= {"sat", "elimination", "cpsat", "compiled"}


def test_three_ways_to_write_a_rule() -> None:
    rules: list[Statement | Mapping[str, object] | tuple[int, Iterable[Hashable]]]
    rules = [Statement(1, ["a", "b"]), (1, ["a", "b"]), {"num_mines": 1, "cells": ("b", "a")}]
    assert len({repr(solve_statements([rule]).risks) for rule in rules}) == 1
    assert Statement(1, "ab") == Statement(1, ("b", "a", "a")) and Statement.read((1, "ab")) == Statement(1, "ab")


def test_names_keep_the_order_in_which_rules_name_them() -> None:
    analysis = solve_statements([(0, ["z"]), (2, ["c", "b"]), (0, ["a"])])
    assert analysis.safe == ("z", "a") and set(analysis.mines) == {"b", "c"}


def test_there_are_no_cells_but_those_that_are_named() -> None:
    assert solve_statements([]).worlds == 1 and solve_statements([]).elsewhere is None
    assert solve_statements([(1, "ab")]).elsewhere is None


@pytest.mark.parametrize("cells", [None, 0, 3])
def test_mines_among_no_cells_are_a_contradiction(cells: int | None) -> None:
    with pytest.raises(Contradiction) as caught:
        solve_statements([(1, [])], total_cells=cells)
    assert caught.value.clues == (Statement(1, ()),)


def test_contradictions_name_rules() -> None:
    bystander = (1, "xyz")
    with pytest.raises(Contradiction, match="these rules cannot all be true") as caught:
        solve_statements([bystander, (1, "ab"), (0, "a"), (0, "b")])
    assert (
        set(caught.value.clues) == {Statement(1, "ab"), Statement(0, "a"), Statement(0, "b")} and not caught.value.total
    )
    with pytest.raises(Contradiction, match="at least 2") as caught:
        solve_statements([(1, "ab"), (1, "cd")], total_cells=9, total_mines=1)
    assert caught.value.total and set(caught.value.clues) == {Statement(1, "ab"), Statement(1, "cd")}
    with pytest.raises(Contradiction, match="at most 3"):
        solve_statements([(1, "ab"), (1, "cd")], total_cells=5, total_mines=4)


@pytest.mark.parametrize(
    "rule",
    [
        (-1, "ab"),
        (True, "ab"),
        (1.0, "ab"),
        ("1", "ab"),
        (1, 5),
        (1, [[]]),
        (1,),
        (1, "a", "b"),
        7,
        None,
        {"num_mines": 1},
        {"cells": ["a"]},
        {"num_mines": None, "cells": []},
    ],
)
def test_what_is_no_rule(rule: object) -> None:
    with pytest.raises(BoardError, match="expected"):
        solve_statements([rule])  # type: ignore[list-item]


@pytest.mark.parametrize(
    "totals",
    [
        {"total_cells": 1},
        {"total_cells": -1},
        {"total_cells": 10**7},
        {"total_mines": 3},
        {"total_mines": -1},
        {"total_mines": True},
        {"total_cells": 5, "total_mines": 6},
        {"total_mines": 1, "density": "0.5"},
        {"density": "1"},
    ],
)
def test_totals_that_make_no_sense(totals: dict[str, object]) -> None:
    with pytest.raises(BoardError, match="expected"):
        solve_statements([(1, "ab")], **totals)  # type: ignore[arg-type]


def test_only_named_cells_have_a_risk() -> None:
    with pytest.raises(ValueError, match="expected a cell that a rule names, found 'c'"):
        solve_statements([(1, "ab")], total_cells=5).risk("c")


def test_a_budget_leaves_what_is_forced() -> None:
    rules = [(1, "ab"), (1, "bc"), (0, "z")]
    poor = solve_statements(rules, budget=Budget(states=0))
    assert poor.safe == ("z",) and poor.risks == {"a": None, "b": None, "c": None, "z": 0}
    assert not poor.complete and poor.worlds is None
    with pytest.raises(BudgetExceeded):
        poor.risk("a")
    assert solve_statements(rules, total_mines=1, budget=Budget(states=0)).mines == ("b",)


def test_without_a_count_elsewhere_is_not_known_either() -> None:
    """Two mines in all, one or two of them on a b c, which are not counted.

    The rest of the sea depends on them.
    """
    poor = solve_statements([(1, "ab"), (1, "bc")], total_cells=5, total_mines=2, budget=Budget(states=0))
    assert poor.elsewhere is None and poor.worlds is None


def test_graph_statements() -> None:
    edges = [("a", "b"), ("b", "c"), ("c", "d")]
    assert graph_statements(edges, {"b": 1, "c": None}) == [Statement(1, ["a"])]
    assert graph_statements(edges, {"b": 2}, known_mines=["c"]) == [Statement(1, ["a"])]
    with pytest.raises(BoardError, match="expected edges between two nodes, found one from 'a' to itself"):
        graph_statements([("a", "a")], {})
    with pytest.raises(BoardError, match="expected at least 1 at 'b', as many mines as are known, found 0"):
        graph_statements(edges, {"b": 0}, known_mines=["c"])
