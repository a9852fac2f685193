"""Chains of influence: by hand, by a naive implementation, and in mirrored games."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby, product
from random import Random

import networkx
import pytest
from hypothesis import assume, given, strategies as st

from satsweep.agents import AGENTS, agent_named
from satsweep.board import Board, Cell
from satsweep.clues import clues_named
from satsweep.errors import AgentError, BoardError
from satsweep.games.agent import Agent, Deduction, Inference
from satsweep.games.deal import game_rng, random_layout, with_start
from satsweep.games.game import Game, play, record
from satsweep.games.record import Action, Move, MoveReason, Outcome, Record
from satsweep.games.rules import FirstClick, Goal, Rules
from satsweep.layout import Layout
from satsweep.topology import SQUARE, TORUS
from satsweep.why.influence import CASCADE, Influence, chains
from tests.brute_force import touching
from tests.strategies import clue_models, layouts

NAMING_AGENTS = sorted(set(AGENTS) - {"sat", "deep"})
"""The agents that name the numbers behind their claims."""


@st.composite
def games(draw: st.DrawFn, max_cells: int = 36) -> Record:
    """Draw games: all agents that name clues, all rules, topologies and clue models."""
    name = draw(st.sampled_from(NAMING_AGENTS))
    rng = Random(draw(st.integers(0, 9999)))
    layout = draw(layouts(max_cells))
    if draw(st.booleans()):
        # Few mines, so there is much to conclude.
        rows, cols = draw(st.integers(2, 6)), draw(st.integers(2, max_cells // 6))
        topology = draw(st.sampled_from((SQUARE, TORUS)))
        layout = random_layout(rows, cols, rows * cols // draw(st.integers(4, 9)), rng, topology=topology)
    rules = Rules(
        draw(st.sampled_from((FirstClick.ANY, FirstClick.SAFE, FirstClick.ZERO, FirstClick.GIVEN))),
        draw(st.none() | st.just(Cell(0, 0))),
        draw(st.booleans()),
        draw(st.booleans()),
        draw(st.sampled_from(Goal)),
        clues_named(draw(st.one_of(st.just("exact"), clue_models))),
    )
    try:
        if rules.first is FirstClick.GIVEN and layout.start is None:
            layout = with_start(layout, rng)
        return play(layout, agent_named(name), rules, rng, name=name)
    except (BoardError, ValueError):
        assume(False)
        raise


def real_games() -> Iterator[Record]:
    """Yield games with mines so dense that agents need several numbers at once."""
    for name, topology, fatal in product(("tank", "subset", "gem"), (SQUARE, TORUS), (True, False)):
        rng = game_rng(name, 5)
        yield play(
            random_layout(9, 10, 17, rng, topology=topology), agent_named(name), Rules(fatal=fatal), rng, name=name
        )


# --- a naive second implementation -----------------------------------------------------------------------------------


def possible(
    numbers: Mapping[Cell, int], kind: str, around: Mapping[Cell, list[Cell]], known: Mapping[Cell, bool]
) -> bool:
    """Return whether mines can be laid around numbers, by trying all values."""
    for clue, number in numbers.items():
        if kind != "underestimate" and sum(known.get(cell, False) for cell in around[clue]) > number:
            return False
        if kind != "overestimate" and sum(known.get(cell, True) for cell in around[clue]) < number:
            return False
    free = next((cell for clue in numbers for cell in around[clue] if cell not in known), None)
    return free is None or any(possible(numbers, kind, around, {**known, free: mine}) for mine in (False, True))


class Naive:
    """Depths by the definition: the least d for which shallower facts suffice."""

    def __init__(self, played: Record) -> None:
        layout = played.layout
        table = layout.topology.neighbours(layout.rows, layout.cols)
        cells = [Cell(row, col) for row in range(layout.rows) for col in range(layout.cols)]
        self.around = {cell: [cells[other] for other in table[index]] for index, cell in enumerate(cells)}
        self.depths: dict[Cell, int] = {}
        self.mines: dict[Cell, bool] = {}
        self.opened: dict[Cell, int] = {}
        self.numbers: dict[Cell, int] = {}
        self.accepted_unproved: set[Cell] = set()
        self.found = played.outcome is Outcome.FOUND
        self.kind = str(played.rules.clues).split()[0]
        zero = played.rules.first is FirstClick.ZERO and played.moves
        self.promised = played.moves[0].cell if zero else None
        for _, group in groupby(played.moves, lambda move: (move.turn, move.reason is MoveReason.DEDUCED)):
            moves = list(group)
            if moves[0].reason is MoveReason.DEDUCED:
                self.deduced(moves)
            for move in moves:
                if move.action is Action.OPEN:
                    self.depths.setdefault(move.cell, 0)
                    self.cascade(move)
                    self.mines |= {cell: number is None for cell, number in move.revealed}
                    self.opened |= dict.fromkeys((cell for cell, _ in move.revealed), move.turn)
                    self.numbers |= {cell: number for cell, number in move.revealed if isinstance(number, int)}

    def forced(self, move: Move, known: Mapping[Cell, bool]) -> bool:
        assert move.inference is not None
        numbers = {clue: self.numbers[clue] for clue in move.inference.clues}
        opposite = {move.cell: move.action is not Action.FLAG}
        return not possible(numbers, self.kind, self.around, {**known, **dict.fromkeys(numbers, False), **opposite})

    def touched(self, clues: tuple[Cell, ...]) -> set[Cell]:
        return {cell for clue in clues for cell in self.around[clue]} & self.depths.keys() - set(clues)

    def depth_unproved(self, move: Move) -> int:
        assert move.inference is not None
        clues = move.inference.clues
        return 1 + max(self.depths[cell] for cell in self.touched(clues).union(clues))

    def depth(self, move: Move) -> int | None:
        assert move.inference is not None
        clues = move.inference.clues
        touched = self.touched(clues)
        least = max(self.depths[clue] for clue in clues)
        for most in range(-1, max((self.depths[cell] for cell in touched), default=-1) + 1):
            if self.forced(move, {cell: self.mines[cell] for cell in touched if self.depths[cell] <= most}):
                return 1 + max(least, most)
        return None

    def deduced(self, moves: list[Move]) -> None:
        waiting = {move.cell: move for move in moves if move.cell not in self.depths}
        while waiting:
            found = {cell: self.depth(move) for cell, move in waiting.items()}
            if not any(found.values()):
                before = len(self.depths)
                for move in moves:
                    if move.cell in self.depths and move.action is Action.OPEN:
                        self.cascade(move)
                if len(self.depths) == before:
                    # The game was over before the cells were opened that were claimed to be safe with these mines, or
                    # the agent reads inexact numbers as if they were exact.
                    over = self.found and all(move.action is Action.FLAG for move in waiting.values())
                    assert over or self.kind in ("underestimate", "overestimate")
                    self.accepted_unproved |= set(waiting)
                    found = {cell: self.depth_unproved(move) for cell, move in waiting.items()}
            for cell, depth in found.items():
                if depth is not None:
                    self.depths[cell] = depth
                    self.mines[cell] = waiting.pop(cell).action is Action.FLAG

    def cascade(self, move: Move) -> None:
        """Add the cells that a cascade opened, breadth first."""
        opened = dict(move.revealed)
        queue = [move.cell]
        for cell in queue:
            for other in self.around[cell] if self.opens(cell, opened[cell]) else ():
                if other in opened and other not in queue:
                    queue.append(other)
                    self.depths.setdefault(other, self.depths[cell] + 1)
                    self.mines.setdefault(other, False)

    def opens(self, cell: Cell, shown: int | str | None) -> bool:
        """Return whether a number, or the rules, leave no room for a mine around a cell."""
        return cell == self.promised or (shown == 0 and self.kind != "underestimate")


def steps(found: Influence, one: Cell, other: Cell) -> int:
    """Return the distance of two cells, by adding all neighbours repeatedly."""
    board = Board(("#" * found.cols,) * found.rows, topology=found.topology)
    reached, number = {one}, 0
    while other not in reached:
        reached, number = reached.union(*(touching(board, cell) for cell in reached)), number + 1
    return number


def check(played: Record) -> None:
    found = chains(played)
    naive = Naive(played)
    assert {fact.cell: fact.depth for fact in found.facts} == naive.depths
    assert found.length == max(naive.depths.values(), default=0)
    deep = Counter(depth for depth in naive.depths.values() if depth)
    assert found.breadth == max(deep.values(), default=0)
    assert found.determined == deep.total() >= found.length
    check_graph(found)
    check_facts(played, found, naive)


def check_graph(found: Influence) -> None:
    """Check the figures against those that networkx computes from the edges."""
    graph = found.graph
    assert networkx.is_directed_acyclic_graph(graph)
    assert networkx.dag_longest_path_length(graph) == found.length if found.facts else not graph
    place = {fact.cell: number for number, fact in enumerate(found.facts)}
    assert all(place[before] < place[after] for before, after in graph.edges), "in the order of time"
    roots = [root.cell for root in found.roots]
    assert {cell for cell in graph if not graph.pred[cell]} == set(roots)
    influenced = {root: networkx.descendants(graph, root) for root in roots}
    assert set().union(*influenced.values()) == set(graph) - set(roots)
    distances = {(root, cell): steps(found, root, cell) for root in roots for cell in influenced[root]}
    assert found.reach == max(distances.values(), default=0)
    if found.farthest is not None:
        assert distances[found.farthest[:2]] == found.farthest.steps == found.reach
    cells = [fact.cell for fact in found.chain]
    assert [fact.depth for fact in found.chain] == list(range(found.length + 1)) or not found.facts
    assert all(graph.has_edge(before, after) for before, after in zip(cells, cells[1:], strict=False))


def check_facts(played: Record, found: Influence, naive: Naive) -> None:
    """Check that numbers and facts force their cell, and no fact can be spared."""
    moves = {move.cell: move for move in reversed(played.moves) if move.reason is MoveReason.DEDUCED}
    for fact in found.facts:
        if fact.rule == CASCADE:
            (zero,) = fact.clues
            assert naive.opens(zero, naive.numbers.get(zero)) and fact.cell in naive.around[zero] and not fact.known
        elif not fact.is_root and fact.cell not in naive.accepted_unproved:
            move = moves[fact.cell]
            assert move.inference == (fact.rule, fact.clues) and move.turn == fact.turn
            # A cell that was opened by a wrong claim is known from then on for what it is.
            opened = {cell: turn for cell, turn in naive.opened.items() if turn < fact.turn}
            known = {cell: naive.mines[cell] if cell in opened else found.by_cell[cell].mine for cell in fact.known}
            assert known.keys() <= {cell for clue in fact.clues for cell in naive.around[clue]} - set(fact.clues)
            assert naive.forced(move, known)
            for left_out in known:
                assert not naive.forced(move, {cell: known[cell] for cell in known if cell != left_out})


@given(games())
def test_chains_agree_with_the_definition(played: Record) -> None:
    check(played)


@pytest.mark.parametrize("seed", [2, 4, 9])
def test_a_claim_that_was_wrong_is_known_for_what_it_is_afterwards(seed: int) -> None:
    """``basic`` takes a mine for safe, as a number counts too many mines, and goes on from what it opened."""
    rules = Rules(FirstClick.ANY, cascade=False, fatal=False, clues=clues_named("overestimate"))
    layout = Layout(("*....", "..*..", ".....", ".....", "...*."))
    played = play(layout, agent_named("basic"), rules, Random(seed), name="basic")
    wrong = {move.cell: move.turn for move in played.moves if move.reason is MoveReason.DEDUCED and move.exploded}
    assert any(fact.turn > wrong[cell] for fact in chains(played).facts for cell in wrong.keys() & {*fact.known})
    check(played)


@pytest.mark.parametrize("played", list(real_games()), ids=lambda played: played.agent)
def test_chains_of_real_games(played: Record) -> None:
    check(played)


def test_real_games_need_facts_of_all_kinds() -> None:
    """Otherwise the tests of real games would prove less than they seem to."""
    kinds: Counter[tuple[bool, ...]] = Counter(
        (len(fact.clues) > 2, {found.by_cell[cell].mine for cell in fact.known} == {True, False})
        for found in map(chains, real_games())
        for fact in found.facts
        if not fact.is_root
    )
    assert min(kinds[kind] for kind in product((False, True), repeat=2)) > 0


# --- mirrors ---------------------------------------------------------------------------------------------------------


# --- by hand ---------------------------------------------------------------------------------------------------------


def columns(found: Influence) -> list[tuple[int, int, list[int], list[int]]]:
    """Return for each fact of a one-row board: column, depth, clues, known cells."""
    return [
        (fact.cell.col, fact.depth, [cell.col for cell in fact.clues], [cell.col for cell in fact.known])
        for fact in found.facts
    ]


def test_of_facts_that_suffice_the_shallowest_are_needed() -> None:
    """Either mine makes cell 3 safe; the left one is known from the start, the right one through a cascade.

    ::

        . * . . . * . . . .
        1 # 1 # 1 # 1 . . .
    """
    game = Game(Layout((".*...*....",)), Rules(FirstClick.ANY))
    for col in (0, 2, 4, 8):
        game.open((0, col), MoveReason.CHOSEN)
    game.turn = 1
    for col, clue in ((1, 0), (5, 6)):
        game.flag((0, col), MoveReason.DEDUCED, Inference("single point", (Cell(0, clue),)))
    game.turn = 2
    game.open((0, 3), MoveReason.DEDUCED, Inference("both", (Cell(0, 2), Cell(0, 4))))
    found = chains(record(game, "me"))
    facts = {col: (depth, known) for col, depth, _, known in columns(found)}
    assert facts[1] == (1, []) and facts[5][0] == 3 and facts[3] == (2, [1])


def test_a_promised_opening_is_one_root_whatever_it_shows() -> None:
    """The first number may be too high, but the rules promise that no mine is around it."""
    game = Game(Layout(("...*.",)), Rules(FirstClick.ZERO, clues=clues_named("overestimate")))
    game.open((0, 0), MoveReason.START)
    assert game.board[0, 0] != "." and game.board[0, 1] != "#"
    game.stop(Outcome.STOPPED)
    found = chains(record(game, "me"))
    assert [(fact.cell.col, fact.depth, fact.rule) for fact in found.facts] == [(0, 0, "start"), (1, 1, CASCADE)]


def test_a_claim_that_does_not_follow_is_accepted() -> None:
    """No number of #1#1#1# proves a mine; a claim rests on all known around its clues."""
    game = Game(Layout(("*...*.",)), Rules(FirstClick.ANY))
    for col in (1, 3, 5):
        game.open((0, col), MoveReason.CHOSEN)
    game.turn = 1
    for col, clues in ((0, [1]), (4, [3, 1])):
        game.flag((0, col), MoveReason.DEDUCED, Inference("a hunch", tuple(Cell(0, clue) for clue in clues)))
    game.turn = 2
    game.open((0, 2), MoveReason.DEDUCED, Inference("another", (Cell(0, 1), Cell(0, 5))))
    assert game.outcome is Outcome.CLEARED
    found = chains(record(game, "me"))
    assert columns(found)[3:] == [(0, 1, [1], []), (4, 1, [3, 1], []), (2, 2, [1, 5], [0])]


def test_a_cell_that_a_cascade_opened_in_the_same_turn() -> None:
    """Cell 3 was claimed, too, but the cascade from 4 came first and is recorded.

    ::

        . * . . . . * . .
        # # 1 # # 1 # 1 0     before the turn
    """
    game = Game(Layout((".*....*..",)), Rules(FirstClick.ANY))
    for col in (2, 5, 8):
        game.open((0, col), MoveReason.CHOSEN)
    assert game.board.cells == ("##1##1#1.",)
    game.turn = 1
    for col, clue in ((1, 2), (6, 7)):
        game.flag((0, col), MoveReason.DEDUCED, Inference("single point", (Cell(0, clue),)))
    game.open((0, 4), MoveReason.DEDUCED, Inference("single point", (Cell(0, 5),)))
    game.stop(Outcome.STOPPED)
    found = chains(record(game, "me"))
    assert columns(found)[3:] == [
        (7, 1, [8], []),
        (6, 2, [7], [8]),
        (4, 3, [5], [6]),
        (3, 4, [4], []),
        (1, 5, [2], [3]),
    ]
    assert [fact.cell.col for fact in found.chain] == [8, 7, 6, 4, 3, 1]
    assert (found.length, found.reach, found.farthest) == (5, 7, (Cell(0, 8), Cell(0, 1), 7))


def test_a_chosen_flag_is_an_opinion() -> None:
    game = Game(Layout(("*..",)), Rules(FirstClick.ANY))
    game.open((0, 1), MoveReason.CHOSEN)
    game.flag((0, 2), MoveReason.CHOSEN)
    game.unflag((0, 2), MoveReason.CHOSEN)
    game.stop(Outcome.STOPPED)
    assert [fact.cell for fact in chains(record(game, "a person")).facts] == [Cell(0, 1)]


def test_nothing_happened() -> None:
    found = chains(Record("me", Rules(FirstClick.ANY), Layout(("*",)), (), Outcome.STOPPED))
    assert (found.length, found.reach, found.breadth, found.chain, found.farthest) == (0, 0, 0, (), None)


# --- claims without numbers, and records -----------------------------------------------------------------------------


def test_agents_that_do_not_name_numbers_have_no_chains() -> None:
    rng = game_rng(1, 0)
    played = play(random_layout(9, 9, 10, rng), agent_named("sat"), Rules(), rng, name="sat")
    with pytest.raises(AgentError, match=r"names the numbers behind its claims, found that sat does not for \d,\d by "):
        chains(played)
    silent = Agent(lambda board: Deduction(safe=(Cell(0, 1),)), lambda board, rng: None)
    played = play(Layout(("..*",)), silent, Rules(start=Cell(0, 0), cascade=False), name="silent")
    with pytest.raises(AgentError, match="found that silent does not for 0,1$"):
        chains(played)


@pytest.mark.parametrize("clue", [(0, 1), (0, 2), (0, 3), (5, 0), (-1, 0), (0, -3)])
def test_a_clue_is_an_open_number(clue: tuple[int, int]) -> None:
    game = Game(Layout(("..*",)), Rules(FirstClick.ANY, cascade=False))
    game.open((0, 0), MoveReason.START)
    game.turn = 1
    game.open((0, 1), MoveReason.DEDUCED, Inference("single point", (clue,)))  # type: ignore[arg-type]
    game.stop(Outcome.STOPPED)
    with pytest.raises(
        AgentError, match=rf"expected open numbers behind the claim about 0,1, found {clue[0]},{clue[1]}"
    ):
        chains(record(game, "me"))


def test_the_graph_as_graphml() -> None:
    found = chains(next(real_games()))
    lines = "\n".join(networkx.generate_graphml(found.graph))
    again = networkx.parse_graphml(lines)
    assert {str(cell): fields for cell, fields in found.graph.nodes(data=True)} == dict(again.nodes(data=True))
    assert {(str(one), str(other)) for one, other in found.graph.edges} == set(again.edges)
    assert set(networkx.get_edge_attributes(again, "kind").values()) == {"clue", "known"}
