"""Questions that courses ask about an agent, as far as measurements answer them."""

from collections.abc import Iterator

from satsweep.arena.coursework.study import BESIDE, Ending, Study
from satsweep.arena.stats import Estimate
from satsweep.render.number_text import percent
from satsweep.text import counted

_SIMPLE, *_, _EXACT = BESIDE
_CLOSE = 0.02
"""Difference of win rates that counts as none."""


def answered(study: Study) -> Iterator[tuple[str, str]]:
    """Yield questions with answers, one or two sentences each."""
    yield "Is everything that it claims true?", _soundness(study)
    yield "Does it find all that can be found?", _completeness(study)
    yield "What does it find that no number says on its own?", _beyond(study)
    yield "At which density of mines does the game become hard for it?", _hard(study)
    yield "Where is it better than an agent of single numbers, and where is it not?", _against(study, _SIMPLE)
    yield "How far is it from an agent that finds everything and opens the least risky cell?", _against(study, _EXACT)
    yield "Does it lose by bad luck or by mistakes?", _losses(study)
    yield "What does a game cost?", _cost(study)


def _soundness(study: Study) -> str:
    audit = study.audit
    if not audit.claims:
        return "It makes no claims: it names a cell to open, and is judged by the risk of that cell."
    if audit.sound:
        return f"Yes: {counted(audit.claims, 'claim')} in {counted(audit.games, 'game')}, each true in every world."
    one = sum(bool(claim.broken) for claim in audit.unsound)
    seen = f"; {one:,} of them break the rule of a single number" if one else ""
    return f"No: {len(audit.unsound):,} of {counted(audit.claims, 'claim')} do not follow{seen}."


def _completeness(study: Study) -> str:
    audit = study.audit
    if not audit.claims or audit.completeness is None:
        return "It claims nothing, so nothing is found."
    return f"It finds {audit.found:,} of {counted(audit.forced, 'forced cell')}, {percent(audit.completeness)}."


def _beyond(study: Study) -> str:
    audit = study.audit
    if audit.completeness_beyond is None:
        return "No such cell came up."
    share = percent(audit.completeness_beyond)
    return f"{audit.found_beyond:,} of {counted(audit.forced_beyond, 'cell')} of this kind, {share}."


def _hard(study: Study) -> str:
    points = [(_density(study, mines), own.mean) for mines, own in _of(study, study.label)]
    for (before, high), (after, low) in zip(points, points[1:], strict=False):
        if high >= 0.5 > low:
            half = before + (after - before) * (high - 0.5) / (high - low)
            return f"It wins half of its games at about {half:.0f} % mines."
    if not points:
        return "It finished no game."
    said = "more" if points[-1][1] >= 0.5 else "less"
    return f"It wins {said} than half of its games at every density from {points[0][0]:.0f} to {points[-1][0]:.0f} %."


def _against(study: Study, other: str) -> str:
    theirs = dict(_of(study, other))
    leads = {mines: own.mean - theirs[mines].mean for mines, own in _of(study, study.label) if mines in theirs}
    if not leads:
        return "There is no comparison."
    best, worst = max(leads, key=leads.__getitem__), min(leads, key=leads.__getitem__)
    if max(map(abs, leads.values())) <= _CLOSE:
        return f"It wins as often as {other} at every density, within {100 * _CLOSE:.0f} points."
    return (
        f"It is {_points(leads[best])} {other} at {_density(study, best):.0f} % mines, at best, and "
        f"{_points(leads[worst])} it at {_density(study, worst):.0f} %, at worst."
    )


def _losses(study: Study) -> str:
    lost = {kind: study.endings[kind] for kind in _LOST if study.endings[kind]}
    total = sum(lost.values())
    if not total:
        return "It lost no game to a mine."
    drawn = "" if study.audit.guesses or not study.audit.claims else " It names no cell to guess, so one is drawn."
    parts = ", ".join(f"{count:,} {kind.value.removeprefix('lost ')}" for kind, count in lost.items())
    return f"Of {counted(total, 'lost game')}: {parts}.{drawn}"


_LOST = (Ending.LUCK, Ending.START, Ending.CLAIM, Ending.SAFE, Ending.RISKIER)


def _cost(study: Study) -> str:
    found = [own.mean for _, own in _of(study, study.label, "ms")]
    if not found:
        return "It finished no game."
    return f"From {min(found):.3g} to {max(found):.3g} ms of processor time, by density."


def _of(study: Study, agent: str, measure: str = "won") -> Iterator[tuple[int, Estimate]]:
    for mines, found in study.rates(measure):
        if (own := found.get(agent)) is not None:
            yield mines, own


def _density(study: Study, mines: int) -> float:
    return 100 * mines / study.setting.area


def _points(lead: float) -> str:
    return f"{100 * abs(lead):.0f} points {'ahead of' if lead >= 0 else 'behind'}"
