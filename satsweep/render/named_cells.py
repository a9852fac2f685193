"""What is known about named cells, as text and as JSON: there is no grid to draw."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction

from satsweep.render.facts import count, digits, fraction, percent
from satsweep.solver.named_cells import NamedCellsAnalysis

_INDENT = 16


def to_text(analysis: NamedCellsAnalysis, *, exact: bool = False) -> Iterator[str]:
    """Plain text, a line at a time: what is forced, then the risk of every other cell, the least first."""
    risks = analysis.risks
    yield _line("worlds", "not known" if analysis.worlds is None else count(analysis.worlds, exact))
    if analysis.weight is not None:
        yield _line("weight", fraction(analysis.weight) if exact else f"{float(analysis.weight):.4g}")
    yield _line("safe", _named(analysis.safe))
    yield _line("mines", _named(analysis.mines))
    unknown = [name for name, risk in risks.items() if risk is None]
    if unknown:
        yield _line("not counted", _named(unknown))
    same: dict[Fraction, list[Hashable]] = {}
    for name, risk in risks.items():
        if risk is not None and 0 < risk < 1:
            same.setdefault(risk, []).append(name)
    for risk in sorted(same):
        yield _line("risk", f"{percent(risk, exact)} at {_named(same[risk])}")
    if analysis.elsewhere is not None:
        yield _line("elsewhere", f"{percent(analysis.elsewhere, exact)} at every cell without a name")


def to_json(analysis: NamedCellsAnalysis) -> Iterator[str]:
    """A JSON object; risks are rounded in ``risk`` and exact in ``risk_exact``, null where they are not known."""
    risks = analysis.risks
    fields: dict[str, object] = {"worlds": None if analysis.worlds is None else digits(analysis.worlds)}
    if analysis.weight is not None:
        fields["weight"] = fraction(analysis.weight)
    fields |= {"safe": list(analysis.safe), "forced_mines": list(analysis.mines)}
    fields["risk"] = [[name, None if risk is None else float(risk)] for name, risk in risks.items()]
    fields["risk_exact"] = [[name, None if risk is None else fraction(risk)] for name, risk in risks.items()]
    fields["elsewhere"] = None if analysis.elsewhere is None else fraction(analysis.elsewhere)
    fields["complete"] = analysis.complete
    body = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in fields.items())
    yield f"{{\n{body}\n}}\n"


def name_of(name: Hashable) -> str:
    """A name as a line of text can show it, whatever is in it."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in str(name))


def _named(names: Iterable[Hashable]) -> str:
    return " ".join(map(name_of, names)) or "none"


def _line(name: str, value: str) -> str:
    return f"{name:<{_INDENT}}{value}\n"
