"""Reviews of games as text."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import floor, isfinite, prod
from textwrap import wrap

from satsweep.assessment.collection import CollectionSummary, GameSummary, Mean, by_month, collection_of
from satsweep.assessment.overlooked import overlooked
from satsweep.assessment.verdicts import VERDICTS, Judgement, MoveClass, Review, ReviewedMove, class_of
from satsweep.board import Cell
from satsweep.clicks.fewest import FewestClicks
from satsweep.games.modes import ModeChances
from satsweep.render.clicks import game_clicks_facts
from satsweep.render.number_text import about_percent, fraction, percent, signed, tenths
from satsweep.sentence import Sentence, joined, named
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
    if review.mode.said:
        yield "mode", f"{record.mode}: {review.mode.said}"
    yield "known", f"{KNOWN[review.known]}{'; mines were redrawn, so luck is left out' if review.is_redrawn else ''}"
    yield from _parts(review, exact)
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


def _parts(review: Review, exact: bool) -> Iterator[tuple[str, str]]:
    """Start, skill, luck and end, where they are known; estimates with one decimal."""
    start, skill, luck, end = review.parts
    if start is None or skill is None or luck is None or end is None:
        return
    if exact or review.known == "exact":
        yield from (("start", percent(start, exact)), ("skill", points(skill, exact)), ("luck", points(luck, exact)))
    else:
        yield "start", chance_text(start, known=start == 1)
        yield "skill", about_points(skill, review.error)
        yield "luck", about_points(luck)
    yield "end", chance_text(end, exact, known=end in (0, 1) or review.known == "exact")


def about_points(value: Fraction, error: Fraction | None = None) -> str:
    """An estimated part of a win chance with its sign, and its standard error.

    >>> about_points(Fraction(-1, 8), Fraction(1, 100)), about_points(Fraction(1, 3)), about_points(Fraction(0))
    ('about -12.5 ± 1.0 %', 'about +33.3 %', '0 %')
    """
    if not value:
        return "0 %"
    told, half = signed(value), f" ± {100 * float(error):.1f}" if error else ""
    return f"{'' if told[0] in '<>' else 'about '}{told}{half} %"


def points(value: Fraction, exact: bool = False) -> str:
    """A part of a win chance with its sign.

    >>> points(Fraction(-1, 8)), points(Fraction(1, 3), exact=True), points(Fraction(0))
    ('-12.50 %', '1/3', '0 %')
    """
    if exact:
        return fraction(value)
    return f"{signed(value, 2)} %"


def chance_text(value: Fraction | None, exact: bool = False, *, known: bool = True) -> str:
    """A win chance, ? if there is none; an estimate if it is not ``known`` exactly.

    >>> chance_text(Fraction(2, 3)), chance_text(Fraction(2, 3), known=False), chance_text(None)
    ('66.67 %', 'about 66.6 %', '?')
    """
    if value is None:
        return "?"
    return percent(value, exact) if known or exact else about_percent(value)


def _column(value: Fraction | None, exact: bool, known: bool) -> str:
    """A win chance in a table, where estimates have one decimal."""
    return chance_text(value, exact) if known or exact or value is None else f"{tenths(value)} %"


def _choice_line(move: ReviewedMove, judgement: Judgement, exact: bool) -> str:
    cells = " ".join(map(str, judgement.cells[:1])) + ("+" if len(judgement.cells) > 1 else "")
    luck = signed(move.luck) if move.before is not None else "?"
    return (
        f"  {move.number:>5}  {cells:<8} {judgement.kind.value:<11} {percent(judgement.risk, exact):>8} "
        f"{percent(judgement.least_risk, exact):>8}  {_column(judgement.chosen, exact, judgement.exact):>8} "
        f"{_column(judgement.possible, exact, judgement.exact):>8} {luck:>7}\n"
    )


def move_in_words(move: ReviewedMove) -> Sentence:
    """The verdict on a move in sentences; empty for a move that nothing is said of."""
    if move.wrong_flag:
        return Sentence("This flag was wrong: the cell is no mine.")
    if move.kind is MoveClass.SAFE and move.technique is not None:
        return Sentence(f"Safe, by {TECHNIQUES[move.technique].phrase}.")
    judgement = move.judgement
    if judgement is None:
        return Sentence("The first cell." if move.kind is MoveClass.START else "")
    said = Sentence(f"{judgement.kind.value.capitalize()}: ", _verdict(judgement))
    return joined((said, *_chances(move, judgement), *_reason(judgement), *_thinking(move)))


def remarks(move: ReviewedMove, judgement: Judgement) -> Iterator[str]:
    """Sentences about a choice in a table that has its class, risk and chances."""
    if VERDICTS[judgement.kind].is_fault or judgement.risk == 1:
        yield joined((_verdict(judgement), *_reason(judgement)))
    yield from _thinking(move)


def _verdict(judgement: Judgement) -> Sentence:
    """The verdict on a choice: what was better, and by how much."""
    cells, risk = joined(map(named, judgement.cells), " and "), percent(judgement.risk)
    own = Sentence(cells, " had to be a mine" if judgement.risk == 1 else f" had {risk} risk")
    wins = "" if judgement.is_by_risk or not judgement.loss or judgement.loss < 0 else f": {_more_wins(judgement)}"
    if judgement.missed:
        others = len(judgement.missed) - 1
        more = f" (and {counted(others, 'other cell')})" if others else ""
        return Sentence(named(judgement.missed[0][0]), f" was safe{more}, and ", own, f"{wins}.")
    best, best_risk, is_best = judgement.best, judgement.best_risk, judgement.kind is MoveClass.BEST
    if judgement.is_first:
        if best is None or is_best:
            return Sentence("no first cell wins more often.")
        return Sentence(named(best), f" is a better first cell{wins}.")
    if best is None or best_risk is None or best in judgement.cells or is_best:
        if judgement.risk > judgement.least_risk:
            return Sentence(own, f". The least was {percent(judgement.least_risk)}, which wins no more often.")
        return Sentence(own, ", and no cell had less.")
    if judgement.risk == 1:
        return Sentence(own, "; ", named(best), f" had {percent(best_risk)} risk{wins}.")
    if best_risk < judgement.risk:
        return Sentence(named(best), f" was safer, {percent(best_risk)} risk instead of {risk}{wins}.")
    if best_risk == judgement.risk:
        return Sentence(named(best), f" was as safe ({risk} risk) and opens more{wins}.")
    return Sentence(named(best), f" had more risk, {percent(best_risk)} instead of {risk}, but opens more{wins}.")


def _more_wins(judgement: Judgement) -> str:
    """The win chance that a choice gave away, rounded within its class."""
    lost, error = judgement.loss or Fraction(0), 100 * float(judgement.error)
    shown = round(1000 * lost)
    if class_of(Fraction(shown, 1000)) is not class_of(lost):
        shown = floor(1000 * lost)
    if not shown:
        return "under 0.1 % more wins"
    told = f"{shown / 10:.1f} ± {error:.1f}" if error else f"{shown / 10:g}"
    return f"{'' if judgement.exact else 'about '}{told} % more wins"


def _chances(move: ReviewedMove, judgement: Judgement) -> Iterator[str]:
    """The win chance with a choice, and once it was made."""
    if judgement.chosen is not None and judgement.possible is not None and judgement.risk < 1:
        known = judgement.exact
        after = chance_text(move.after, known=known or move.after in (0, 1))
        once = "" if move.after is None or move.move.exploded else f", {after} once it was open"
        yield f"Chance to win: {chance_text(judgement.chosen, known=known)}{once}."


def _reason(judgement: Judgement) -> Iterator[str]:
    """The reason of an overlooked cell."""
    found = overlooked(judgement)
    if found is not None:
        yield Sentence(named(found.cell), f" is safe by {TECHNIQUES[found.technique].phrase}: ", found.argument.text)


def _thinking(move: ReviewedMove) -> Iterator[str]:
    if move.move.time is not None and move.seconds is not None and move.seconds >= 1:
        yield f"Thought for {move.seconds:.1f} s."


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
    said = _guesses(guesses)
    if review.start is not None and review.skill is not None:
        best = all(own.kind is MoveClass.BEST for own in guesses)
        return f"{said} {_wins(review.start, review.skill, known=review.known == 'exact', were_best=best)}"
    if review.is_redrawn:
        return f"{said} Mines were redrawn, so luck is left out."
    if review.mode.chances is ModeChances.UNKNOWN:
        return f"{said} In this mode {review.mode.said}."
    survived = prod((1 - judgement.risk for judgement in guesses), start=Fraction(1))
    return f"{said} {'It goes' if len(guesses) == 1 else 'All of them go'} well with {percent(survived)}."


def _guesses(guesses: Sequence[Judgement]) -> str:
    """How many guesses there were, and how good they were."""
    better = sum(VERDICTS[judgement.kind].is_fault for judgement in guesses)
    good = "as good as any" if all(own.kind is MoveClass.BEST for own in guesses) else "nearly as good as the best"
    if len(guesses) == 1:
        return f"One guess, {'and there was a better move' if better else good}."
    return f"{len(guesses)} guesses, {f'a better move for {better} of them' if better else good}."


def _wins(start: Fraction, skill: Fraction, *, known: bool = True, were_best: bool = False) -> str:
    """The share of games that choices win, beside that of the best ones.

    >>> _wins(Fraction(1, 2), Fraction(-1, 100))
    'Choices like these win 49.0 % of such games, the best ones 50.0 %.'
    >>> _wins(Fraction(1, 2), Fraction(-1, 10**4))
    'The best choices win 50.0 % of such games, and these less than 0.1 % fewer.'
    """
    own, best = (_share(max(part, Fraction(0)), known) for part in (start + skill, start))
    if skill >= 0:  # estimates can be above the best
        return f"The best choices win {best} of such games{', and these were the best' if were_best else ''}."
    if own == best:
        return f"The best choices win {best} of such games, and these less than 0.1 % fewer."
    return f"Choices like these win {own if start + skill > 0 else 'hardly any'} of such games, the best ones {best}."


def _share(chance: Fraction, known: bool) -> str:
    return f"{tenths(chance)} %" if known or chance == 1 else about_percent(chance)


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
