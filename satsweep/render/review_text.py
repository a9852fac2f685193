"""Reviews of games as text."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import isfinite, prod
from textwrap import wrap

from satsweep.assessment.collection import CollectionSummary, GameSummary, Mean, by_month, collection_of
from satsweep.assessment.overlooked import overlooked
from satsweep.assessment.verdicts import VERDICTS, Judgement, MoveClass, Review, ReviewedMove
from satsweep.board import Cell
from satsweep.clicks.fewest import FewestClicks
from satsweep.games.rules import Redraw
from satsweep.render.clicks import game_clicks_facts
from satsweep.render.number_text import fraction, percent
from satsweep.techniques import TECHNIQUES
from satsweep.text import counted
from satsweep.topology import SQUARE

_INDENT = 14
KNOWN = {
    "exact": "win chances are exact",
    "estimate": "win chances are estimates where many worlds are left",
    "risk": "win chances are not known, only risks",
}
"""How win chances are known, in words."""


def review_to_text(
    review: Review, name: str, *, exact: bool = False, width: int | None = None, best: FewestClicks | None = None
) -> Iterator[str]:
    """Yield a review: in short, its facts, and a line for each choice.

    ``best`` are the fewest clicks that clear its board.
    """
    yield f"{name}\n  {summary_in_words(review)}\n"
    clicks = review.clicks
    for key, value in (
        *review_facts(review, exact=exact),
        *(game_clicks_facts(clicks, best) if clicks is not None else ()),
    ):
        yield f"  {key:<{_INDENT}}{value}\n"
    if not review.judgements:
        return
    yield f"\n  {'move':>5}  {'cell':<8} {'class':<11} {'risk':>8} {'least':>8}"
    yield f"  {'chance':>8} {'best':>8} {'luck':>7}\n"
    last: Cell | None = None
    for move, judgement in review.judgements:
        yield _choice_line(move, judgement, exact)
        missed = judgement.missed[0][0] if judgement.missed else None
        again = [f"{last} was still safe."] if last is not None and missed == last else None
        last = missed
        for line in again or remarks(move, judgement):
            yield from (f"         {piece}\n" for piece in wrap(line, max(40, (width or 100) - 10)))


def review_facts(review: Review, *, exact: bool = False) -> Iterator[tuple[str, str]]:
    """Facts about a reviewed game, as names and values."""
    layout, record = review.record.layout, review.record
    grid = "" if layout.topology == SQUARE else f", {layout.topology.name}"
    yield "board", f"{layout.rows}x{layout.cols}, {counted(layout.mines, 'mine')}{grid}, {record.rules}"
    yield "player", record.agent
    yield "outcome", f"{'won' if record.won else 'not won'}: {record.outcome.why}"
    redrawn = record.rules.redraw is not Redraw.NEVER
    yield "known", f"{KNOWN[review.known]}; mines were redrawn, so luck is left out" if redrawn else KNOWN[review.known]
    if review.start is not None and review.skill is not None and review.luck is not None and review.end is not None:
        yield "start", percent(review.start, exact)
        yield "skill", points(review.skill, exact)
        yield "luck", points(review.luck, exact)
        yield "end", percent(review.end, exact)
    yield "moves", ", ".join(f"{kind.value} {count:,}" for kind, count in review.classes.items() if count) or "none"
    if missed := {technique.value: count for technique, count in review.missed.items() if count}:
        yield "overlooked", ", ".join(f"{name} {count:,}" for name, count in missed.items())
    decided = review.decided
    for name, mine in (("spared", False), ("punished", True)):
        cells = [move.move.cell for move in review.moves if decided.get(move.number) is mine]
        if cells:
            yield name, " ".join(map(str, cells))
    if review.wrong_flags:
        yield "wrong flags", " ".join(str(move.move.cell) for move in review.wrong_flags)
    yield "pluck", f"{review.pluck:.3f}" if isfinite(review.pluck) else "infinite: a certain mine was opened"
    times = [move.move.time for move in review.moves if move.move.time is not None]
    if times:
        slowest = max((move for move in review.moves if move.seconds is not None), key=lambda move: move.seconds or 0)
        yield "time", f"{max(times):.2f} s, longest {slowest.seconds:.2f} s before move {slowest.number}"


def points(value: Fraction, exact: bool = False) -> str:
    """A part of a win chance with its sign.

    >>> points(Fraction(-1, 8)), points(Fraction(1, 3), exact=True), points(Fraction(0))
    ('-12.50 %', '1/3', '0 %')
    """
    if exact:
        return fraction(value)
    return f"{100 * float(value):+.2f} %" if value else "0 %"


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
        return "This flag was wrong: the cell is no mine."
    if move.kind is MoveClass.SAFE and move.technique is not None:
        return f"Safe, by {TECHNIQUES[move.technique].phrase}."
    judgement = move.judgement
    if judgement is None:
        return "The first cell." if move.kind is MoveClass.START else ""
    said = f"{judgement.kind.value.capitalize()}: {_verdict(judgement)}"
    return " ".join((said, *_chances(move, judgement), *_reason(judgement), *_thinking(move)))


def remarks(move: ReviewedMove, judgement: Judgement) -> Iterator[str]:
    """Sentences about a choice in a table that has its class, risk and chances."""
    if VERDICTS[judgement.kind].is_fault or judgement.risk == 1:
        yield " ".join((_verdict(judgement), *_reason(judgement)))
    yield from _thinking(move)


def _verdict(judgement: Judgement) -> str:
    """The verdict on a choice: what was better, and by how much."""
    cells, risk = _cells(judgement.cells), percent(judgement.risk)
    own = f"{cells} had to be a mine" if judgement.risk == 1 else f"{cells} had {risk} risk"
    wins = f": {_more_wins(judgement)}" if judgement.loss is not None and judgement.loss > 0 else ""
    if judgement.missed:
        others = len(judgement.missed) - 1
        more = f" (and {counted(others, 'other cell')})" if others else ""
        return f"{judgement.missed[0][0]} was safe{more}, and {own}{wins}."
    best, best_risk = judgement.best, judgement.best_risk
    if judgement.is_first:
        is_best = judgement.kind is MoveClass.BEST or best is None
        return "no first cell wins more often." if is_best else f"{best} is a better first cell{wins}."
    if best is None or best_risk is None or best in judgement.cells or judgement.kind is MoveClass.BEST:
        if judgement.risk > judgement.least_risk:
            return f"{own}. The least was {percent(judgement.least_risk)}, which wins no more often."
        return f"{own}, and no cell had less."
    if judgement.risk == 1:
        return f"{own}; {best} had {percent(best_risk)} risk{wins}."
    if best_risk < judgement.risk:
        return f"{best} was safer, {percent(best_risk)} risk instead of {risk}{wins}."
    if best_risk == judgement.risk:
        return f"{best} was as safe ({risk} risk) and opens more{wins}."
    return f"{best} had more risk, {percent(best_risk)} instead of {risk}, but opens more{wins}."


def _more_wins(judgement: Judgement) -> str:
    """The win chance that a choice gave away."""
    lost, error = 100 * float(judgement.loss or 0), 100 * float(judgement.error)
    about, half = "" if judgement.exact else "about ", f" ± {error:.1f}" if error else ""
    told = f"{lost:.1f}{half}" if half else f"{lost:.1f}".removesuffix(".0")
    return f"{about}{told} % more wins" if lost >= 0.05 else "under 0.1 % more wins"


def _chances(move: ReviewedMove, judgement: Judgement) -> Iterator[str]:
    """The win chance with a choice, and once it was made."""
    if judgement.chosen is not None and judgement.possible is not None and judgement.risk < 1:
        about = "" if judgement.exact else "about "
        after = "" if move.after is None or move.move.exploded else f", {chance_text(move.after)} once it was open"
        yield f"Chance to win: {about}{chance_text(judgement.chosen)}{after}."


def _reason(judgement: Judgement) -> Iterator[str]:
    """The reason of an overlooked cell."""
    found = overlooked(judgement)
    if found is not None:
        yield f"{found.cell} is safe by {TECHNIQUES[found.technique].phrase}: {found.argument}"


def _thinking(move: ReviewedMove) -> Iterator[str]:
    if move.move.time is not None and move.seconds is not None and move.seconds >= 1:
        yield f"Thought for {move.seconds:.1f} s."


def _cells(cells: Iterable[Cell]) -> str:
    return " and ".join(map(str, cells))


def summary_in_words(review: Review) -> str:
    """A game in a sentence or two: its guesses, and what they were worth.

    >>> from satsweep import Record
    >>> from satsweep.assessment.review import review
    >>> summary_in_words(review(Record.load("examples/game.json"), kernels=False))
    '3 guesses, a better move for 2 of them. All of them go well with 33.68 %.'
    """
    guesses = [judgement for _, judgement in review.judgements if not judgement.is_first]
    if not guesses:
        return "No luck was needed: every cell was safe." if review.record.won else "No guess was made."
    better = sum(VERDICTS[judgement.kind].is_fault for judgement in guesses)
    if len(guesses) == 1:
        said = "One guess" + (", and there was a better move." if better else ", as good as any.")
    else:
        there = f"a better move for {better} of them" if better else "as good as any"
        said = f"{len(guesses)} guesses, {there}."
    if review.start is not None and review.skill is not None:
        own, best = (f"{100 * float(part):.1f} %" for part in (review.start + review.skill, review.start))
        if review.skill >= 0 or own == best:  # estimates can be above the best
            return f"{said} The best choices win {best} of such games{'' if better else ', and these were the best'}."
        own = own if review.start + review.skill > 0 else "hardly any"
        return f"{said} Choices like these win {own} of such games, the best ones {best}."
    if review.record.rules.redraw is not Redraw.NEVER:
        return f"{said} Mines were redrawn, so luck is left out."
    survived = prod((1 - judgement.risk for judgement in guesses), start=Fraction(1))
    return f"{said} {'It goes' if len(guesses) == 1 else 'All of them go'} well with {percent(survived)}."


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
        yield "skill", f"{_mean(sums.skill)} % a game"
        yield "luck", f"{_mean(sums.luck)} % a game"
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
