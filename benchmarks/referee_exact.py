"""The game once more for ``referee.py``: counts, best play and statistics from their definitions, with Python alone.

Nothing is imported from the package, so an error there has no way into what the referee finds. Boards are lists of
lines: a digit or ``.`` is an open cell, ``*`` a known mine, ``?`` open without a number, anything else covered.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import atan, comb, cos, exp, inf, lgamma, log, pi, sqrt
from statistics import NormalDist

Cell = tuple[int, int]
Polynomial = dict[int, int]
"""Ways to place each number of mines."""


def beside(cell: Cell, rows: int, cols: int) -> list[Cell]:
    return [
        (row, col)
        for row in range(max(cell[0] - 1, 0), min(cell[0] + 2, rows))
        for col in range(max(cell[1] - 1, 0), min(cell[1] + 2, cols))
        if (row, col) != cell
    ]


class Position:
    """What a player sees, as boxes: covered cells beside the same numbers.

    ``mines`` is None where the total is unknown; then every arrangement beside numbers is as likely.
    """

    def __init__(self, lines: Sequence[str], mines: int | None) -> None:
        self.rows, self.cols = len(lines), len(lines[0])
        at = {(row, col): symbol for row, line in enumerate(lines) for col, symbol in enumerate(line)}
        self.covered = [cell for cell, symbol in at.items() if symbol not in "0123456789.*?"]
        self.left = None if mines is None else mines - sum(symbol == "*" for symbol in at.values())
        covered, self.needs, touching = set(self.covered), dict[Cell, int](), defaultdict[Cell, list[Cell]](list)
        for cell, symbol in at.items():
            if symbol in "012345678.":
                around = beside(cell, self.rows, self.cols)
                self.needs[cell] = int(symbol.replace(".", "0")) - sum(at[near] == "*" for near in around)
                for near in covered.intersection(around):
                    touching[near].append(cell)
        boxes = defaultdict[tuple[Cell, ...], list[Cell]](list)
        for cell in self.covered:
            boxes[tuple(sorted(touching[cell]))].append(cell)
        self.sea = boxes.pop((), [])
        self.boxes = sorted(boxes.items())

    def parts(self) -> list[list[int]]:
        """Boxes that numbers tie together."""
        of_number: dict[Cell, int] = {}
        found: list[list[int]] = []
        part_of: dict[int, list[int]] = {}
        for at, (numbers, _) in enumerate(self.boxes):
            joined = [at]
            for other in {id(part_of[of_number[n]]): part_of[of_number[n]] for n in numbers if n in of_number}.values():
                joined += other
            for one in joined:
                part_of[one] = joined
            of_number.update(dict.fromkeys(numbers, at))
        for part in {id(part): sorted(part) for part in part_of.values()}.values():
            found.append(part)
        return found

    def ways(self, part: Sequence[int], weighted: int | None = None) -> Polynomial:
        """Ways of the boxes of a part; times the mines in one of them, if it is ``weighted``."""
        order, waiting, later = [], set(part), defaultdict[Cell, int](int)
        near: set[Cell] = set()
        while waiting:  # numbers that have begun are ended first
            at = min(waiting, key=lambda box: (-len(near.intersection(self.boxes[box][0])), box))
            waiting.discard(at)
            order.append(at)
            near.update(self.boxes[at][0])
            for number in self.boxes[at][0]:
                later[number] += len(self.boxes[at][1])
        states: dict[tuple[tuple[Cell, int], ...], Polynomial] = {(): {0: 1}}
        for at in order:
            numbers, cells = self.boxes[at]
            following: dict[tuple[tuple[Cell, int], ...], Polynomial] = {}
            for number in numbers:
                later[number] -= len(cells)
            for state, polynomial in states.items():
                open_needs = dict(state)
                for count in range(len(cells) + 1):
                    needs = dict(open_needs)
                    for number in numbers:
                        needs[number] = needs.get(number, self.needs[number]) - count
                    if any(not 0 <= needs[number] <= later[number] for number in numbers):
                        continue
                    key = tuple(sorted((number, need) for number, need in needs.items() if later[number]))
                    factor = comb(len(cells), count) * (count if at == weighted else 1)
                    into = following.setdefault(key, defaultdict(int))
                    for mines, ways in polynomial.items():
                        into[mines + count] += ways * factor
            states = following
        return states.get((), {})

    def count(self) -> int:
        """The number of worlds."""
        return self._in_all([self.ways(part) for part in self.parts()])

    def risks(self) -> dict[Cell, Fraction]:
        """The risk of every covered cell, exactly."""
        parts = self.parts()
        plain = [self.ways(part) for part in parts]
        worlds, found = self._in_all(plain), dict[Cell, Fraction]()
        for number, part in enumerate(parts):
            others = plain[:number] + plain[number + 1 :]
            for at in part:
                mines = self._in_all([*others, self.ways(part, at)])
                found.update(dict.fromkeys(self.boxes[at][1], Fraction(mines, worlds * len(self.boxes[at][1]))))
        if self.sea and self.left is not None:
            expected = self.left - sum(found.values())
            found.update(dict.fromkeys(self.sea, Fraction(expected) / len(self.sea)))
        return found

    def _in_all(self, polynomials: Iterable[Polynomial]) -> int:
        product: Polynomial = {0: 1}
        for one in polynomials:
            into: defaultdict[int, int] = defaultdict(int)
            for mines, ways in product.items():
                for more, also in one.items():
                    into[mines + more] += ways * also
            product = into
        if self.left is None:
            return sum(product.values())
        return sum(
            ways * comb(len(self.sea), self.left - mines) for mines, ways in product.items() if mines <= self.left
        )

    def worlds(self) -> list[frozenset[Cell]]:
        """The mines of every world, one after the other."""
        assert self.left is not None
        cells = [*(cell for _, box in self.boxes for cell in box), *self.sea]
        numbers = {cell: numbers for numbers, box in self.boxes for cell in box}
        free = {number: sum(number in numbers[cell] for cell in numbers) for number in self.needs}
        found: list[frozenset[Cell]] = []

        def place(at: int, mined: list[Cell], needs: dict[Cell, int], free: dict[Cell, int]) -> None:
            assert self.left is not None
            if at == len(cells):
                found.append(frozenset(mined))
                return
            touched = numbers.get(cells[at], ())
            for mine in (0, 1):
                if not 0 <= self.left - len(mined) - mine <= len(cells) - at - 1:
                    continue
                now = needs | {number: needs[number] - mine for number in touched}
                then = free | {number: free[number] - 1 for number in touched}
                if all(0 <= now[number] <= then[number] for number in touched):
                    place(at + 1, mined + [cells[at]] * mine, now, then)

        place(0, [], self.needs, free)
        return found


class BestPlay:
    """Best play among some worlds, all of them as likely: worlds that are won."""

    def __init__(self, rows: int, cols: int, worlds: Sequence[frozenset[Cell]], known: frozenset[Cell]) -> None:
        self.cells = [(row, col) for row in range(rows) for col in range(cols)]
        self.worlds = worlds
        self.shows = [
            {cell: sum(near in mined or near in known for near in beside(cell, rows, cols)) for cell in self.cells
             if cell not in mined and cell not in known}
            for mined in worlds
        ]  # fmt: skip
        self.won = cache(self._won)

    def with_cell(self, worlds: frozenset[int], cell: Cell) -> int:
        """Worlds that are won if this cell is opened next."""
        return sum(self.won(part) for part in self._split([at for at in worlds if cell in self.shows[at]], [cell]))

    def _split(self, worlds: Iterable[int], cells: Sequence[Cell]) -> Iterator[frozenset[int]]:
        parts = defaultdict[tuple[int, ...], list[int]](list)
        for at in worlds:
            parts[tuple(self.shows[at][cell] for cell in cells)].append(at)
        return map(frozenset, parts.values())

    def _won(self, worlds: frozenset[int]) -> int:
        if len(worlds) <= 1:
            return len(worlds)
        safe = [cell for cell in self.cells if all(cell in self.shows[at] for at in worlds)]
        parts = list(self._split(worlds, safe))
        if len(parts) > 1:
            return sum(map(self.won, parts))
        tried = {cell: sum(cell in self.shows[at] for at in worlds) for cell in set(self.cells).difference(safe)}
        best = 0
        for cell in sorted(tried, key=lambda cell: -tried[cell]):
            if tried[cell] <= best:
                break
            best = max(best, self.with_cell(worlds, cell))
        return best


def bv_and_openings(layout: Sequence[str]) -> tuple[int, int]:
    """3BV of a layout, and its openings."""
    rows, cols = len(layout), len(layout[0])
    mined = {(row, col) for row in range(rows) for col in range(cols) if layout[row][col] == "*"}
    zeros = {(row, col) for row in range(rows) for col in range(cols)} - mined
    safe, zeros = zeros, {cell for cell in zeros if mined.isdisjoint(beside(cell, rows, cols))}
    covered, openings = set(safe), 0
    while zeros:
        openings += 1
        reached = {zeros.pop()}
        while reached:
            cell = reached.pop()
            covered.discard(cell)
            around = set(beside(cell, rows, cols))
            covered -= around
            reached |= around & zeros
            zeros -= around
    return openings + len(covered), openings


# Statistics


def wilson(rate: float, n: float) -> tuple[float, float]:
    """Wilson's interval of 95 % of a share of n."""
    z2 = NormalDist().inv_cdf(0.975) ** 2
    middle, half = rate + z2 / 2 / n, sqrt(z2 * rate * (1 - rate) / n + z2 * z2 / 4 / n / n)
    return max(0.0, (middle - half) / (1 + z2 / n)), min(1.0, (middle + half) / (1 + z2 / n))


def student(freedom: float) -> float:
    """The 97.5 % quantile of Student's t, by bisection of its integral."""
    if freedom == inf:
        return NormalDist().inv_cdf(0.975)

    def beyond(t: float) -> float:
        """P(|T| > t): Simpson's rule on the density, t = sqrt(f) tan(angle)."""
        scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - 0.5 * log(pi))
        low, steps = atan(t / sqrt(freedom)), 2_000
        width = (pi / 2 - low) / steps
        values = [max(cos(low + at * width), 0.0) ** (freedom - 1) if at < steps or freedom >= 1 else 0.0
                  for at in range(steps + 1)]  # fmt: skip
        return 2 * scale * width / 3 * (values[0] + values[-1] + 4 * sum(values[1:-1:2]) + 2 * sum(values[2:-1:2]))

    low, high = 0.0, 1e4
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if beyond(middle) > 0.05 else (low, middle)
    return low


def mean_and_error(values: Sequence[float]) -> tuple[float, float, float]:
    """Mean, its variance, and the degrees of freedom of that."""
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values), len(values) - 1


def summed(terms: Sequence[tuple[float, tuple[float, float, float]]]) -> tuple[float, float]:
    """The sum of means times their weights, and half its interval by Welch and Satterthwaite."""
    mean = sum(weight * part[0] for weight, part in terms)
    variances = [weight**2 * part[1] for weight, part in terms]
    spread = sum(variance**2 / part[2] for variance, (_, part) in zip(variances, terms, strict=True))
    return mean, student(sum(variances) ** 2 / spread if spread else inf) * sqrt(sum(variances))
