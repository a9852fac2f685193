"""Reviews of games as text."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import isfinite
from textwrap import wrap

from satsweep.assessment.collection import CollectionSummary, GameSummary, Mean, by_month, collection_of
from satsweep.assessment.overlooked import overlooked
from satsweep.assessment.verdicts import Judgement, MoveClass, Review, ReviewedMove
from satsweep.board import Cell
from satsweep.render.number_text import fraction, percent
from satsweep.text import counted
from satsweep.topology import SQUARE

_INDENT = 14
KNOWN = {
    "exact": "win chances are exact",
    "estimate": "win chances are estimates where many worlds are left",
    "risk": "win chances are not known, only risks",
}
"""How win chances are known, in words."""


def review_to_text(review: Review, name: str, *, exact: bool = False, width: int | None = None) -> Iterator[str]:
    """Yield the facts of a review and a line for each choice."""
    yield f"{name}\n"
    for key, value in review_facts(review, exact=exact):
        yield f"  {key:<{_INDENT}}{value}\n"
    if not review.judgements:
        return
    yield f"\n  {'move':>5}  {'cell':<8} {'class':<11} {'risk':>8} {'least':>8}"
    yield f"  {'chance':>8} {'best':>8} {'luck':>7}\n"
    last: Cell | None = None
    for move, judgement in review.judgements:
        yield _choice_line(move, judgement, exact)
        overlooked_cell = judgement.missed[0][0] if judgement.missed else None
        again = [f"{last} was still safe."] if last is not None and overlooked_cell == last else None
        last = overlooked_cell
        for line in again or remarks(move, judgement):
            yield from (f"         {piece}\n" for piece in wrap(line, max(40, (width or 100) - 10)))


def review_facts(review: Review, *, exact: bool = False) -> Iterator[tuple[str, str]]:
    """Facts about a reviewed game, as names and values."""
    layout, record = review.record.layout, review.record
    grid = "" if layout.topology == SQUARE else f", {layout.topology.name}"
    yield "board", f"{layout.rows}x{layout.cols}, {counted(layout.mines, 'mine')}{grid}, {record.rules}"
    yield "player", record.agent
    yield "outcome", f"{'won' if record.won else 'not won'}: {record.outcome.why}"
    yield "known", KNOWN[review.known]
    if review.start is not None and review.skill is not None and review.luck is not None and review.end is not None:
        yield "start", percent(review.start, exact)
        yield "skill", points(review.skill, exact)
        yield "luck", points(review.luck, exact)
        yield "end", percent(review.end, exact)
    yield "moves", ", ".join(f"{kind.value} {count:,}" for kind, count in review.classes.items() if count) or "none"
    if missed := {technique.value: count for technique, count in review.missed.items() if count}:
        yield "overlooked", ", ".join(f"{name} {count:,}" for name, count in missed.items())
    if review.wrong_flags:
        yield "wrong flags", " ".join(str(move.move.cell) for move in review.wrong_flags)
    yield "pluck", f"{review.pluck:.3f}" if isfinite(review.pluck) else "infinite: a certain mine was opened"
    times = [move.move.time for move in review.moves if move.move.time is not None]
    if times:
        slowest = max((move for move in review.moves if move.seconds is not None), key=lambda move: move.seconds or 0)
        yield "time", f"{max(times):.2f} s, longest {slowest.seconds:.2f} s before move {slowest.number}"


def points(value: Fraction, exact: bool = False) -> str:
    """A part of a win chance with its sign, in points.

    >>> points(Fraction(-1, 8)), points(Fraction(1, 3), exact=True), points(Fraction(0))
    ('-12.50 points', '1/3', '0 points')
    """
    if exact:
        return fraction(value)
    return f"{100 * float(value):+.2f} points" if value else "0 points"


def chance_text(value: Fraction | None, exact: bool = False) -> str:
    """A win chance in a table; ? if it is not known."""
    return "?" if value is None else percent(min(Fraction(1), max(Fraction(0), value)), exact)


def _choice_line(move: ReviewedMove, judgement: Judgement, exact: bool) -> str:
    cells = " ".join(map(str, judgement.cells[:1])) + ("+" if len(judgement.cells) > 1 else "")
    luck = f"{100 * float(move.luck):+.1f}" if move.before is not None else "?"
    return (
        f"  {move.number:>5}  {cells:<8} {judgement.kind.value:<11} {percent(judgement.risk, exact):>8} "
        f"{percent(judgement.least_risk, exact):>8}  {chance_text(judgement.chosen, exact):>8} "
        f"{chance_text(judgement.possible, exact):>8} {luck:>7}\n"
    )


def move_in_words(move: ReviewedMove) -> str:
    """The verdict on a move in sentences; empty for a move that nothing is said of."""
    if move.wrong_flag:
        return "This flag was wrong."
    if move.kind is MoveClass.FORCED and move.technique is not None:
        return f"Certainly safe, by {move.technique.value}."
    judgement = move.judgement
    if judgement is None:
        return "The first cell." if move.kind is MoveClass.START else ""
    least = f"least {percent(judgement.least_risk)}" if judgement.least_risk else "and none was needed"
    said = [f"{judgement.kind.value.capitalize()}: risk {percent(judgement.risk)}, {least}."]
    if judgement.chosen is not None:
        chosen, possible = chance_text(judgement.chosen), chance_text(judgement.possible)
        best = "." if chosen == possible else f", {possible} with the best cell."
        said.append(f"Chance to win {chosen}{best} Luck: {points(move.luck)}.")
    return " ".join((*said, *remarks(move, judgement)))


def remarks(move: ReviewedMove, judgement: Judgement) -> Iterator[str]:
    """Sentences about a choice: the best cell, or the reason of an overlooked one."""
    found = overlooked(judgement)
    if found is not None:
        others = len(judgement.missed) - 1
        more = f" (and {counted(others, 'other cell')})" if others else ""
        technique = judgement.missed[0][1].value
        yield f"{found.cell} was certainly safe{more}, by {technique}. {' '.join(found.sentences)}"
    elif judgement.best is not None and judgement.kind not in (MoveClass.BEST, MoveClass.GOOD):
        yield f"Better: {judgement.best}."
    if judgement.risk == 1:
        yield f"{_cells(judgement.cells)} had to hold a mine."
    if move.move.time is not None and move.seconds is not None and move.seconds >= 1:
        yield f"Thought for {move.seconds:.1f} s."


def _cells(cells: Iterable[Cell]) -> str:
    return " and ".join(map(str, cells))


def collection_to_text(games: Iterable[GameSummary], *, history: bool = False) -> Iterator[str]:
    """Yield the sums over games, and with ``history`` a line for each month."""
    rows = list(games)
    sums = collection_of(rows)
    yield f"{counted(sums.games, 'game')}, {sums.won:,} won\n"
    for key, value in collection_facts(sums):
        yield f"  {key:<{_INDENT}}{value}\n"
    months = by_month(rows) if history else {}
    if months:
        yield f"\n  {'month':<8} {'games':>6} {'won':>6} {'expected':>9} {'skill':>8} {'luck':>8}  misses most\n"
    for month, own in months.items():
        parts = (mean and f"{100 * mean.mean:+.2f}" for mean in (own.skill, own.luck))
        expected = f"{own.expected.mean:.1f}" if own.expected else "?"
        skill, luck = (part or "?" for part in parts)
        yield (
            f"  {month:<8} {own.games:>6,} {own.won:>6,} {expected:>9} {skill:>8} {luck:>8}  {own.most_missed or '-'}\n"
        )


def collection_facts(sums: CollectionSummary) -> Iterator[tuple[str, str]]:
    """Facts about a set of games, as names and values."""
    if sums.judged:
        of = "" if sums.judged == sums.games else f" of {sums.judged:,} games whose win chances are known"
        yield "expected wins", f"{_mean(sums.expected, 1, 1)}{of}"
        yield "start", f"{_mean(sums.start)} % a game"
        yield "skill", f"{_mean(sums.skill)} points a game"
        yield "luck", f"{_mean(sums.luck)} points a game"
    yield "moves", ", ".join(f"{name} {count:,}" for name, count in sums.classes.items() if count) or "none"
    if sums.most_missed:
        yield (
            "misses most",
            ", ".join(
                f"{name} {count:,}" for name, count in sorted(sums.missed.items(), key=lambda one: -one[1]) if count
            ),
        )
    if sums.wrong_flags:
        yield "wrong flags", f"{sums.wrong_flags:,}"
    if sums.seconds:
        yield "time", f"{_mean(sums.seconds, 1, 1)} s a game"


def _mean(mean: Mean | None, scale: float = 100, digits: int = 2) -> str:
    """A mean with its interval."""
    if mean is None:
        return "?"
    half = f" ± {scale * mean.half:.{digits}f}" if isfinite(mean.half) else ""
    return f"{scale * mean.mean:.{digits}f}{half}"
