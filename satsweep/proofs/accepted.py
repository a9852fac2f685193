"""Results of the checks of certificates and traces, as lines of text."""

from satsweep.proofs.trace import Checked, Trace
from satsweep.proofs.verify import Verified
from satsweep.text import counted


def verified_lines(result: Verified) -> list[str]:
    """An accepted certificate: what it proves, and what it lists without proof.

    >>> verified_lines(Verified(safe=1, mines=2, uncertified=0))
    ['accepted: 3 cells are forced, 1 safe and 2 mines']
    """
    forced = result.safe + result.mines
    are = "is" if forced == 1 else "are"
    lines = [
        f"accepted: {counted(forced, 'cell')} {are} forced, {result.safe:,} safe and {counted(result.mines, 'mine')}"
    ]
    if result.uncertified:
        lines.append(f"listed as forced, but not certified: {counted(result.uncertified, 'cell')}")
    return lines


def traced_line(trace: Trace, result: Checked) -> str:
    """An accepted trace: its start, and how much it proves."""
    proved = f"{counted(result.proofs, 'cell')} proved in {counted(result.positions, 'position')}"
    return f"accepted: needs no guess from {trace.layout.start}, {proved}"
