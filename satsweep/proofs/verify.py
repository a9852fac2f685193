"""Check a certificate without trusting whoever made it: no solver takes part, nor anything else that reasons.

What the clues say is read off the board again, here: how many mines there are at least, and at most, which is the same
number where clues are exact. A claim is proved by refuting its opposite: every group of covered cells has bounds on its
number of mines; every clue narrows them, and so does a step of which all bounds but one are impossible (reverse unit
propagation, Goldberg and Novikov 2003, on sums instead of clauses), until some clue or step cannot be met. Or the mines
of parts are counted, by going through all that their groups can hold.

What is accepted is true in every world of the board. That a board has a world at all, and that no forced cell is
missing from the certificate, is not said by it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from operator import le

from satsweep.board import FLAG, MINE, NUMBER_OF, Board, Cell
from satsweep.clues import ClueKind
from satsweep.errors import SatsweepError
from satsweep.proofs.certificate import Certificate, Proof

MAX_STATES = 20_000
"""How many states counting one part may take, so that no certificate keeps its reader busy for ever."""

Literal = tuple[int, bool, int]
"""A bound on a group, by its index: at least so many mines (True), or fewer."""
Sum = tuple[tuple[int, ...], int, int]
"""Some groups, by their indices, and how many mines they hold together: at least, and at most."""


class Rejected(SatsweepError):
    """A certificate does not prove what it claims, about which ``cell`` and in which ``step``, counted from 1."""

    def __init__(self, message: str, *, cell: Cell | None = None, step: int | None = None) -> None:
        super().__init__(message)
        self.message, self.cell, self.step = message, cell, step

    def __str__(self) -> str:
        """What is wrong, after the place, as far as there is one."""
        cell, step = f"cell {self.cell}: " * (self.cell is not None), f"step {self.step}: " * (self.step is not None)
        return f"{cell}{step}{self.message}"


@dataclass(frozen=True, slots=True)
class Verified:
    """How many cells are proved to be safe, and mines; ``uncertified`` are those that are only said to be forced."""

    safe: int
    mines: int
    uncertified: int


def verify(board: Board, certificate: Certificate, *, trust_flags: bool = False) -> Verified:
    """Check every proof of a certificate for a board. Raises Rejected for the first that proves nothing.

    Flags are clues only where they are trusted.
    """
    described = certificate.board
    if (described.cells, described.topology, described.clues) != (board.cells, board.topology, board.clues):
        raise Rejected("the certificate is for another board")
    if described.mines != board.mines:
        raise Rejected(f"the certificate is for {described.mines} mines, the board has {board.mines}")
    covered = dict.fromkeys(board.covered)
    seen: set[Cell] = set()
    for cell in (*(proof.cell for proof in certificate.proofs), *certificate.uncertified):
        if cell not in covered or cell in seen:
            raise Rejected("expected a covered cell, and each once", cell=cell)
        seen.add(cell)
    for proof in certificate.proofs:
        try:
            check(Problem.of(board, covered, proof, trust_flags=trust_flags), proof)
        except Rejected as error:
            error.cell = proof.cell
            raise
    mines = sum(proof.mine for proof in certificate.proofs)
    return Verified(len(certificate.proofs) - mines, mines, len(certificate.uncertified))


@dataclass(frozen=True, slots=True)
class Problem:
    """Clues and the opposite of a claim: groups of cells, bounds on the mines of each, and sums over several.

    There is a sum for every clue, then one for the mine total, if needed.
    """

    groups: tuple[tuple[Cell, ...], ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    sums: tuple[Sum, ...]

    @classmethod
    def of(cls, board: Board, covered: Collection[Cell], proof: Proof, *, trust_flags: bool = False) -> Problem:
        """Read off the board what the clues of a proof say. Raises Rejected where it does not show them."""
        said = list(premises(board, covered, proof, trust_flags=trust_flags))
        speakers: dict[Cell, list[int]] = {proof.cell: []}
        for number, (cells, *_) in enumerate(said):
            for cell in cells:
                speakers.setdefault(cell, []).append(number)
        members: dict[tuple[int, ...], list[Cell]] = {}
        for cell, numbers in speakers.items():
            members.setdefault((cell == proof.cell, *numbers), []).append(cell)
        scopes: list[list[int]] = [[] for _ in said]
        for group, (_, *numbers) in enumerate(members):
            for number in numbers:
                scopes[number].append(group)
        low = tuple(int(claimed and not proof.mine) for claimed, *_ in members)
        high = tuple(low[group] if key[0] else len(members[key]) for group, key in enumerate(members))
        sums = tuple((tuple(scope), least, most) for scope, (_, least, most) in zip(scopes, said, strict=True))
        return cls(tuple(map(tuple, members.values())), low, high, sums)

    def gap(self, steps: Sequence[Sequence[Literal]]) -> int | None:
        """The first step, from 0, that does not follow, or how many there are if they leave a world; None: a proof."""
        for number, step in enumerate((*steps, ())):
            low, high = list(self.low), list(self.high)
            for group, at_least, count in step:
                assume((group, not at_least, count), low, high)
            if all(map(le, low, high)) and not refuted(self.sums, steps[:number], low, high):
                return number
        return None

    def held(self, clues: Sequence[int]) -> list[int]:
        """How many mines the groups of some clues can hold together. Raises Rejected where that takes too long.

        A state is how many mines each clue has so far, and what is known of it is a set of sums, bit by bit. A clue
        that is met whatever comes counts as if it had the least that it needs, so in the end there is one state.
        """
        said = [self.sums[clue] for clue in clues]
        places: dict[int, list[int]] = {}
        for place, (groups, _, _) in enumerate(said):
            for group in groups:
                places.setdefault(group, []).append(place)
        left = [sum(self.high[group] for group in groups) for groups, _, _ in said]

        def counted(place: int, mines: int) -> int:
            _, least, most = said[place]
            return least if least <= mines <= most - left[place] else mines

        states, made = {tuple([counted(place, 0) for place in range(len(said))]): 1}, 0
        for group, touched in places.items():
            for place in touched:
                left[place] -= self.high[group]
            further: dict[tuple[int, ...], int] = {}
            for before, sums in states.items():
                for mines in range(self.low[group], self.high[group] + 1):
                    after = list(before)
                    for place in touched:
                        after[place] = counted(place, before[place] + mines)
                    if all(said[place][1] - left[place] <= after[place] <= said[place][2] for place in touched):
                        further[tuple(after)] = further.get(tuple(after), 0) | sums << mines
            states, made = further, made + len(further)
            if made > MAX_STATES:
                raise Rejected(f"expected parts that take at most {MAX_STATES:,} states to count")
        sums = states.get(tuple([least for _, least, _ in said]), 0)
        return [mines for mines in range(sums.bit_length()) if sums >> mines & 1]


def premises(
    board: Board, covered: Collection[Cell], proof: Proof, *, trust_flags: bool
) -> Iterator[tuple[list[Cell], int, int]]:
    """Covered cells and how many of them are mines, at least and at most, clue by clue; then the total.

    Known mines are taken off.
    """
    kind = board.clues.kind
    for number, clue in enumerate(proof.clues):
        on_grid = 0 <= clue.cell.row < board.rows and 0 <= clue.cell.col < board.cols
        shown = board[clue.cell] if on_grid else ""
        wrong = shown != FLAG if clue.number is None else NUMBER_OF.get(shown) != clue.number
        if wrong or clue in proof.clues[:number]:
            raise Rejected(f"expected clues that the board shows, and each once, found another at {clue.cell}")
        if clue.number is None:
            if not trust_flags:
                raise Rejected(f"expected no flags among the clues, as they are not trusted, found one at {clue.cell}")
            yield [clue.cell], 1, 1
        else:
            around = board.neighbours(clue.cell)
            known = sum(board[cell] == MINE for cell in around)
            least = 0 if kind is ClueKind.OVERESTIMATE else clue.number
            most = len(around) if kind is ClueKind.UNDERESTIMATE else clue.number
            yield [cell for cell in around if cell in covered], least - known, most - known
    if proof.total is not None:
        if proof.total != board.mines:
            raise Rejected(f"expected the mine total of the board, found {proof.total}")
        left = proof.total - board.symbols.count(MINE)
        yield list(covered), left, left


def check(problem: Problem, proof: Proof) -> None:
    """Check that parts or steps refute the opposite of a claim. Raises Rejected where they do not."""
    if proof.parts:
        _check_parts(problem, proof)
        return
    place = {tuple(sorted(cells)): group for group, cells in enumerate(problem.groups)}
    steps: list[list[Literal]] = []
    for number, step in enumerate(proof.steps, 1):
        if any(tuple(sorted(bound.cells)) not in place for bound in step):
            raise Rejected("expected all cells, and no others, that the same clues speak about", step=number)
        steps.append([(place[tuple(sorted(one.cells))], one.at_least, one.count + (not one.at_least)) for one in step])
    gap = problem.gap(steps)
    if gap is not None:
        follows = "what the proof ends in" if gap == len(steps) else "this"
        raise Rejected(f"{follows} does not follow from the clues and the steps before", step=gap + 1)


def _check_parts(problem: Problem, proof: Proof) -> None:
    place = {clue.cell: number for number, clue in enumerate(proof.clues)}
    if proof.steps or sorted(cell for part in proof.parts for cell in part.clues) != sorted(place):
        raise Rejected("expected every clue in one of the parts, and no steps beside them")
    rest = set(range(len(problem.groups)))
    together = {0}
    for number, part in enumerate(proof.parts, 1):
        clues = [place[cell] for cell in part.clues]
        groups = {group for clue in clues for group in problem.sums[clue][0]}
        if not groups <= rest:
            raise Rejected("expected parts that share no cell", step=number)
        rest -= groups
        if list(part.sums) != (held := problem.held(clues)):
            raise Rejected(f"expected the sums {held}, found {list(part.sums)}", step=number)
        together = {mines + more for mines in together for more in held}
    least, most = sum(problem.low[group] for group in rest), sum(problem.high[group] for group in rest)
    left = None if proof.total is None else problem.sums[-1][1]
    if any(left is None or least <= left - mines <= most for mines in together):
        raise Rejected("the sums of the parts leave a possibility that it is otherwise")


def refuted(sums: Sequence[Sum], steps: Sequence[Sequence[Literal]], low: list[int], high: list[int]) -> bool:
    """Narrow bounds, in place, until nothing changes any more. Whether they leave some sum or step impossible."""
    before: list[int] = []
    while before != low + high:
        before = low + high
        for groups, least, most in sums:
            lowest, highest = sum([low[group] for group in groups]), sum([high[group] for group in groups])
            if lowest > most or highest < least:
                return True
            for group in groups if lowest < highest else ():
                fewest, room = low[group], high[group]
                low[group] = max(fewest, least - highest + room)
                high[group] = min(room, most - lowest + fewest)
        for step in steps:
            possible = [(g, at_least, n) for g, at_least, n in step if (high[g] >= n if at_least else low[g] < n)]
            if not possible:
                return True
            if len(possible) == 1:
                assume(possible[0], low, high)
    return False


def assume(literal: Literal, low: list[int], high: list[int]) -> None:
    """Narrow the bounds of a group, in place."""
    group, at_least, count = literal
    if at_least:
        low[group] = max(low[group], count)
    else:
        high[group] = min(high[group], count - 1)
