"""Audits as self-contained HTML pages."""

from satsweep.oracle.report import Audit
from satsweep.render.audit import audit_facts, failure_lines, refutations
from satsweep.render.lessons import lessons_on_page
from satsweep.render.templates import page_of


def audit_page(audit: Audit, *, exact: bool = False, missed: int | None = None, noun: str = "game") -> str:
    """A self-contained page: figures, false claims, missed cells as pictures."""
    return page_of(
        "audit.html",
        title=f"Audit of {audit.agent}",
        facts=list(audit_facts(audit, exact)),
        refutations=["\n".join(lines) for lines in refutations(audit)],
        lessons=lessons_on_page(audit, 1 if missed is None else missed),
        failures=list(failure_lines(audit, noun)),
    )
