"""Audits of many agents, the files of a folder: a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from glob import glob
from typing import NamedTuple

from satsweep.formats.strict import json_text, lines
from satsweep.oracle.report import Audit
from satsweep.render.number_text import percent, rounded_and_exact

_HEAD = ("agent", "claims", "unsound", "found", "beyond basic", "least risk", "failed")


class Submission(NamedTuple):
    """An agent's audit, or the error that keeps it from being loaded."""

    agent: str
    audit: Audit | None
    error: str = ""

    @property
    def passes(self) -> bool:
        """True if every claim and risk is right and no game failed."""
        audit = self.audit
        return audit is not None and audit.sound and not (audit.wrong_risks or audit.failures)


def files_of(pattern: str) -> list[str]:
    """Return the files of a pattern, in the order of their names."""
    return sorted(glob(pattern, recursive=True))


def submissions_to_text(found: Sequence[Submission]) -> Iterator[str]:
    """Yield a table with a line for each agent, those that do not load last."""
    rows = [_HEAD, *(_row(one.agent, one.audit) for one in found if one.audit is not None)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows if len(rows) > 1 else []:
        numbers = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield f"{'  '.join([row[0].ljust(widths[0]), *numbers])}\n"
    for one in found:
        if one.audit is None:
            yield f"{one.error.partition(chr(10))[0]}\n"


def _row(agent: str, audit: Audit) -> tuple[str, ...]:
    def share(part: int, whole: int) -> str:
        return percent(Fraction(part, whole)) if whole else "-"

    return (
        agent,
        f"{audit.claims:,}",
        f"{len(audit.unsound):,}",
        share(audit.found, audit.forced),
        share(audit.found_beyond, audit.forced_beyond),
        share(audit.least_risk_guesses, len(audit.regrets)),
        f"{len(audit.failures):,}",
    )


def submissions_to_json(found: Sequence[Submission]) -> Iterator[str]:
    """Yield the agents as JSON, one a line."""
    yield json_text({"agents": lines(map(_values, found))})


def _values(one: Submission) -> dict[str, object]:
    audit = one.audit
    if audit is None:
        return {"agent": one.agent, "passes": False, "error": one.error}
    return {
        "agent": one.agent,
        "passes": one.passes,
        "claims": audit.claims,
        "unsound": len(audit.unsound),
        "forced": audit.forced,
        "found": audit.found,
        **rounded_and_exact("completeness_beyond", audit.completeness_beyond),
        "guesses": audit.guesses,
        "least_risk_guesses": audit.least_risk_guesses,
        "failures": [failure.message for failure in audit.failures],
    }
