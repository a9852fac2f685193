"""Certificates and traces that are brought to the page, and the verdict on them.

They are checked as by ``satsweep verify``. Both have the board or layout that they are about, and so has the answer.
"""

from __future__ import annotations

from satsweep.formats import certificates, traces
from satsweep.proofs.accepted import traced_line, verified_lines
from satsweep.proofs.rejection import Rejected
from satsweep.proofs.trace import check
from satsweep.proofs.verify import verify
from satsweep.web.limits import Limits
from satsweep.web.questions import Values


def is_proof(content: bytes) -> bool:
    """Return whether some content is a certificate or a trace, which has proofs in it."""
    return content.lstrip().startswith(b"{") and (b'"proofs"' in content or b'"certificates"' in content)


def proof_values(content: bytes, limits: Limits) -> Values:
    """The verdict on a certificate or trace, and its board or layout.

    Raises BoardError where it cannot be read.
    """
    text = content.decode("utf-8", "replace")
    if traces.is_trace(text):
        trace = traces.from_json(text)
        limits.check(trace.layout.rows, trace.layout.cols)
        told: dict[str, object] = {"kind": "proof", "about": "layout", "text": str(trace.layout)}
        try:
            return {**told, "accepted": True, "said": [traced_line(trace, check(trace))]}
        except Rejected as error:
            return {**told, "accepted": False, "said": [f"rejected: {error}"]}
    certificate = certificates.from_json(text)
    limits.check(certificate.board.rows, certificate.board.cols)
    told = {"kind": "proof", "about": "board", "text": str(certificate.board)}
    try:
        return {**told, "accepted": True, "said": verified_lines(verify(certificate.board, certificate))}
    except Rejected as error:
        return {**told, "accepted": False, "said": [f"rejected: {error}"]}
