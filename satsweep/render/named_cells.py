"""An analysis of named cells, which have no grid, as text and JSON."""

from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction

from satsweep.formats.strict import json_text
from satsweep.render.number_text import count, digits, fraction, percent
from satsweep.solver.named_cells import NamedCellsAnalysis

_INDENT = 16


def to_text(analysis: NamedCellsAnalysis, *, exact: bool = False) -> Iterator[str]:
    """Yield plain text, line by line: forced cells, then all risks, ascending."""
    risks = analysis.risks
    yield _line("worlds", "not known" if analysis.worlds is None else count(analysis.worlds, exact))
    if analysis.weight is not None:
        yield _line("weight", fraction(analysis.weight) if exact else f"{float(analysis.weight):.4g}")
    yield _line("safe", _name_list(analysis.safe))
    yield _line("mines", _name_list(analysis.mines))
    unknown = [name for name, risk in risks.items() if risk is None]
    if unknown:
        yield _line("not counted", _name_list(unknown))
    by_risk: dict[Fraction, list[Hashable]] = {}
    for name, risk in risks.items():
        if risk is not None and 0 < risk < 1:
            by_risk.setdefault(risk, []).append(name)
    for risk in sorted(by_risk):
        yield _line("risk", f"{percent(risk, exact)} at {_name_list(by_risk[risk])}")
    if analysis.elsewhere is not None:
        yield _line("elsewhere", f"{percent(analysis.elsewhere, exact)} at every cell without a name")


def to_json(analysis: NamedCellsAnalysis) -> Iterator[str]:
    """Yield JSON; ``risk`` is rounded, ``risk_exact`` exact, both null if unknown."""
    risks = analysis.risks
    fields: dict[str, object] = {"worlds": None if analysis.worlds is None else digits(analysis.worlds)}
    if analysis.weight is not None:
        fields["weight"] = fraction(analysis.weight)
    fields |= {"safe": list(analysis.safe), "forced_mines": list(analysis.mines)}
    fields["risk"] = [[name, None if risk is None else float(risk)] for name, risk in risks.items()]
    fields["risk_exact"] = [[name, None if risk is None else fraction(risk)] for name, risk in risks.items()]
    fields["elsewhere"] = None if analysis.elsewhere is None else fraction(analysis.elsewhere)
    fields["complete"] = analysis.complete
    yield json_text(fields)


def printable_name(name: Hashable) -> str:
    """A name in which all characters that cannot be printed are escaped."""
    return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in str(name))


def _name_list(names: Iterable[Hashable]) -> str:
    return " ".join(map(printable_name, names)) or "none"


def _line(name: str, value: str) -> str:
    return f"{name:<{_INDENT}}{value}\n"
