"""Check of a certificate without trust in its author, and without a solver.

No other code that reasons takes part. The constraints of the clues are read off the board again: a lower and an upper
bound on the mines, which are the same number where clues are exact. Clues whose bounds are not known prove nothing. A
claim is proved by refuting its opposite: every group of covered cells has bounds on its number of mines; every clue
narrows them, and so does a step of which all bounds but one are impossible (reverse unit propagation, Goldberg and
Novikov 2003, on sums instead of clauses), until some clue or step cannot be satisfied. Or the mines of parts are
counted, by going through all that their groups can hold.

An accepted claim is true in every world of the board. A certificate does not prove that the board has a world at all,
nor that it names every forced cell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from operator import le

from satsweep.board import FLAG, MINE, NUMBER_OF, Board, Cell
from satsweep.clues import CLUE_KINDS
from satsweep.proofs.certificate import Certificate, Clue, Proof, Rejected, WorkLimit
from satsweep.text import counted

MAX_STATES = 20_000
"""Limit on the states for counting one part."""

Literal = tuple[int, bool, int]
"""A bound on a group, by its index: at least this many mines (True), or fewer."""
Steps = Sequence[Sequence[Literal]]
"""Steps, each a clause of bounds."""
Sum = tuple[tuple[int, ...], int, int]
"""Groups, by their indices, and the least and most mines they hold together."""


@dataclass(frozen=True, slots=True)
class Verified:
    """Numbers of cells proved safe, proved to be mines, and listed without proof."""

    safe: int
    mines: int
    uncertified: int


def verified_lines(result: Verified) -> list[str]:
    """An accepted certificate: what it proves, and what it lists without proof.

    >>> verified_lines(Verified(safe=1, mines=2, uncertified=0))
    ['accepted: 3 cells are forced, 1 safe and 2 mines']
    """
    forced = result.safe + result.mines
    proved = f"{counted(forced, 'cell')} {'is' if forced == 1 else 'are'} forced"
    lines = [f"accepted: {proved}, {result.safe:,} safe and {counted(result.mines, 'mine')}"]
    if result.uncertified:
        lines.append(f"listed as forced, but not certified: {counted(result.uncertified, 'cell')}")
    return lines


def verify(
    board: Board, certificate: Certificate, *, trust_flags: bool = False, work: WorkLimit | None = None
) -> Verified:
    """Check every proof of a certificate for a board.

    Raises Rejected for the first that proves nothing, or takes too much work; certificates may share ``work``. Flags
    are clues only where they are trusted.
    """
    work = work or WorkLimit()
    work.allow(certificate.items)
    described = certificate.board
    if any(getattr(described, field) != getattr(board, field) for field in ("cells", "topology", "clues", "part")):
        raise Rejected("the certificate is for another board")
    if described.mines != board.mines:
        raise Rejected(f"the certificate is for a mine total of {described.mines}, the board has {board.mines}")
    covered = dict.fromkeys((*board.covered, *board.unseen))
    seen: set[Cell] = set()
    for cell in (*(proof.cell for proof in certificate.proofs), *certificate.uncertified):
        if cell not in covered or cell in seen:
            raise Rejected("expected a covered cell, and each once", cell=cell)
        seen.add(cell)
    for proof in certificate.proofs:
        try:
            check(Problem.of(board, covered, proof, work, trust_flags), proof)
        except Rejected as error:
            error.cell = proof.cell
            raise
    mines = sum(proof.mine for proof in certificate.proofs)
    return Verified(len(certificate.proofs) - mines, mines, len(certificate.uncertified))


@dataclass(frozen=True, slots=True)
class Problem:
    """Clues and the opposite of a claim: bounds of groups, and sums, the total last."""

    groups: tuple[tuple[Cell, ...], ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    sums: tuple[Sum, ...]
    work: WorkLimit

    @classmethod
    def of(cls, board: Board, covered: Collection[Cell], proof: Proof, work: WorkLimit, trust_flags: bool) -> Problem:
        """Read the clues of a proof off the board. Raises Rejected if it lacks one."""
        clue_sums = list(premises(board, covered, proof, trust_flags=trust_flags))
        clues_of: dict[Cell, list[int]] = {proof.cell: []}
        for number, (cells, *_) in enumerate(clue_sums):
            work.spend(len(cells))
            for cell in cells:
                clues_of.setdefault(cell, []).append(number)
        members: dict[tuple[int, ...], list[Cell]] = {}
        for cell, numbers in clues_of.items():
            members.setdefault((cell == proof.cell, *numbers), []).append(cell)
        scopes: list[list[int]] = [[] for _ in clue_sums]
        for group, (_, *numbers) in enumerate(members):
            for number in numbers:
                scopes[number].append(group)
        low = tuple(int(claimed and not proof.mine) for claimed, *_ in members)
        high = tuple(low[group] if key[0] else len(members[key]) for group, key in enumerate(members))
        sums = tuple((tuple(scope), least, most) for scope, (_, least, most) in zip(scopes, clue_sums, strict=True))
        return cls(tuple(map(tuple, members.values())), low, high, sums, work)

    def first_gap(self, steps: Steps) -> int | None:
        """The first step, from 0, that does not follow, the end included; None if all do."""
        for number, step in enumerate((*steps, ())):
            low, high = list(self.low), list(self.high)
            for group, at_least, count in step:
                narrow((group, not at_least, count), low, high)
            if all(map(le, low, high)) and not refuted(self.sums, steps[:number], low, high, self.work):
                return number
        return None

    def possible_sums(self, clues: Sequence[int]) -> list[int]:
        """Return the numbers of mines that the groups of some clues can hold together.

        This is a dynamic program over the groups. A state is the number of mines of each clue so far, and its value a
        set of sums, as bits. A clue that can no longer be violated counts as if it had the least that it needs, so one
        state is left in the end. Raises Rejected past ``MAX_STATES`` states.
        """
        clue_sums = [self.sums[clue] for clue in clues]
        places: dict[int, list[int]] = {}
        for place, (groups, _, _) in enumerate(clue_sums):
            for group in groups:
                places.setdefault(group, []).append(place)
        left = [sum(self.high[group] for group in groups) for groups, _, _ in clue_sums]

        def counted(place: int, mines: int) -> int:
            _, least, most = clue_sums[place]
            return least if least <= mines <= most - left[place] else mines

        states, visited = {tuple([counted(place, 0) for place in range(len(clue_sums))]): 1}, 0
        for group, touched in places.items():
            for place in touched:
                left[place] -= self.high[group]
            further: dict[tuple[int, ...], int] = {}
            for before, sums in states.items():
                self.work.spend(len(clue_sums) * (self.high[group] - self.low[group] + 1))
                for mines in range(self.low[group], self.high[group] + 1):
                    after = list(before)
                    for place in touched:
                        after[place] = counted(place, before[place] + mines)
                    if all(
                        clue_sums[place][1] - left[place] <= after[place] <= clue_sums[place][2] for place in touched
                    ):
                        further[tuple(after)] = further.get(tuple(after), 0) | sums << mines
            states, visited = further, visited + len(further)
            if visited > MAX_STATES:
                raise Rejected(f"expected parts that take at most {MAX_STATES:,} states to count")
        sums = states.get(tuple([least for _, least, _ in clue_sums]), 0)
        return [mines for mines in range(sums.bit_length()) if sums >> mines & 1]


def premises(
    board: Board, covered: Collection[Cell], proof: Proof, *, trust_flags: bool
) -> Iterator[tuple[list[Cell], int, int]]:
    """Yield covered cells with their least and most unknown mines, the total last.

    Unseen cells around a part are covered ones, and the total of the larger board is the most that it can hold. Raises
    Rejected for clues whose bounds are not known: that they are exact is nothing to assume.
    """
    kind, seen = CLUE_KINDS.get(board.clues.kind), set[Clue]()
    for clue in proof.clues:
        on_grid = 0 <= clue.cell.row < board.rows and 0 <= clue.cell.col < board.cols
        shown = board[clue.cell] if on_grid else ""
        wrong = shown != FLAG if clue.number is None else NUMBER_OF.get(shown) != clue.number
        if wrong or clue in seen:
            raise Rejected(f"expected clues that the board shows, and each once, found another at {clue.cell}")
        seen.add(clue)
        if clue.number is None:
            if not trust_flags:
                raise Rejected(f"expected no flags among the clues, as they are not trusted, found one at {clue.cell}")
            yield [clue.cell], 1, 1
        else:
            if kind is None or kind.bounds is None:
                raise Rejected(f"expected clues whose bounds this checker knows, found {board.clues}")
            around = board.neighbours(clue.cell)
            known = sum(board[cell] == MINE for cell in around)
            least, most = kind.bounds(clue.number, len(around))
            yield [cell for cell in around if cell in covered], least - known, most - known
    if proof.total is not None:
        if proof.total != board.mines:
            raise Rejected(f"expected the mine total of the board, found {proof.total}")
        left = proof.total - board.symbols.count(MINE)
        yield list(covered), 0 if board.part else left, left


def check(problem: Problem, proof: Proof) -> None:
    """Check that parts or steps refute the opposite of a claim, or raise Rejected."""
    if proof.parts:
        _check_parts(problem, proof)
        return
    place = {tuple(sorted(cells)): group for group, cells in enumerate(problem.groups)}
    steps: list[list[Literal]] = []
    for number, step in enumerate(proof.steps, 1):
        if any(tuple(sorted(bound.cells)) not in place for bound in step):
            raise Rejected("expected all cells, and no others, that the same clues speak about", step=number)
        steps.append([(place[tuple(sorted(one.cells))], one.at_least, one.count + (not one.at_least)) for one in step])
    gap = problem.first_gap(steps)
    if gap is not None:
        follows = "what the proof ends in" if gap == len(steps) else "this"
        raise Rejected(f"{follows} does not follow from the clues and the steps before", step=gap + 1)


def _check_parts(problem: Problem, proof: Proof) -> None:
    place = {clue.cell: number for number, clue in enumerate(proof.clues)}
    if proof.steps or sorted(cell for part in proof.parts for cell in part.clues) != sorted(place):
        raise Rejected("expected every clue in one of the parts, and no steps beside them")
    rest, together = set(range(len(problem.groups))), {0}
    for number, part in enumerate(proof.parts, 1):
        clues = [place[cell] for cell in part.clues]
        groups = {group for clue in clues for group in problem.sums[clue][0]}
        if not groups <= rest:
            raise Rejected("expected parts that share no cell", step=number)
        rest -= groups
        if list(part.sums) != (sums := problem.possible_sums(clues)):
            raise Rejected(f"expected the sums {sums}, found {list(part.sums)}", step=number)
        problem.work.spend(len(sums) * len(together))
        together = {mines + more for mines in together for more in sums}
    least, most = sum(problem.low[group] for group in rest), sum(problem.high[group] for group in rest)
    fewest, allowed = (0, float("inf")) if proof.total is None else problem.sums[-1][1:]
    if any(mines + least <= allowed and fewest <= mines + most for mines in together):
        raise Rejected("the sums of the parts leave a possibility that it is otherwise")


def refuted(sums: Sequence[Sum], steps: Steps, low: list[int], high: list[int], work: WorkLimit) -> bool:
    """Narrow bounds in place to a fixed point; return whether it is a contradiction."""
    before: list[int] = []
    amount = sum(len(groups) for groups, *_ in sums) + sum(map(len, steps)) + len(low)
    while before != low + high:
        before = low + high
        work.spend(amount)
        sums = sums[::-1]  # to and fro, as clues may be in an order against the chain of their consequences
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
                narrow(possible[0], low, high)
    return False


def narrow(literal: Literal, low: list[int], high: list[int]) -> None:
    group, at_least, count = literal
    if at_least:
        low[group] = max(low[group], count)
    else:
        high[group] = min(high[group], count - 1)
