"""Boards that were ordered: what is said of each, in words and as values."""

from __future__ import annotations

import json
from collections.abc import Iterator

from satsweep.formats import board_json
from satsweep.generator.run import GeneratedBoard
from satsweep.generator.spec import BoardSpec, GenerationMethod


def facts(made: GeneratedBoard, order: BoardSpec, seed: int | str) -> Iterator[str]:
    """Lines that say which board this is, how it was made, how hard it is, and that its trace was checked."""
    yield f"board {made.number} of seed {seed}{_kind(order)}"
    yield _way(made)
    hard = made.difficulty
    if hard is not None:
        openings = f"{hard.openings:,} opening{'s' * (hard.openings != 1)}"
        yield f"3BV {hard.bv:,}, {openings}" + ("" if hard.chain is None else f", longest chain {hard.chain:,}")
        if hard.beyond:
            yield "claims beyond " + ", ".join(f"{name} {claims:,}" for name, claims in hard.beyond.items())
    if made.trace is not None:
        proofs = sum(len(certificate.proofs) for certificate in made.trace.certificates)
        yield f"trace checked, {proofs:,} {'cell' if proofs == 1 else 'cells'} proved where single numbers are silent"


def _kind(order: BoardSpec) -> str:
    if not order.no_guess:
        return "" if order.start is None else f", start at {order.start}"
    said = f": needs no guess from {order.start}"
    said += "" if order.solvable_by == "sat" else f", solved by {order.solvable_by}"
    return said + ("" if order.beyond is None else f", beyond {order.beyond}")


def _way(made: GeneratedBoard) -> str:
    drawn = f"{made.candidates:,} {'layout' if made.candidates == 1 else 'layouts'} drawn"
    if made.method is GenerationMethod.REPAIR:
        return f"made by repair, not uniform: {drawn}, {made.changes:,} changes tried"
    if made.method is GenerationMethod.REJECTION:
        return f"made by rejection, uniform among all such boards: {drawn}"
    return "drawn uniformly among all layouts"


def one_line(made: GeneratedBoard, order: BoardSpec, seed: int | str) -> str:
    """A board as a line of JSON that reads as a layout, with all that is known of it as its comment."""
    hard = made.difficulty
    comment: dict[str, object] = {
        "method": made.method.value,
        "uniform": made.method.uniform,
        "candidates": made.candidates,
        "changes": made.changes,
    }
    if order.no_guess:
        comment |= {"no_guess": True, "solvable_by": order.solvable_by, "beyond": order.beyond}
    if hard is not None:
        comment |= {"3bv": hard.bv, "openings": hard.openings}
        if hard.chain is not None:
            comment |= {"claims_beyond": dict(hard.beyond), "longest_chain": hard.chain}
    if made.trace is not None:
        certificates = made.trace.certificates
        comment["positions_proved"] = len(certificates)
        comment["cells_proved"] = sum(len(certificate.proofs) for certificate in certificates)
    layout = json.loads(board_json.to_json(made.layout))
    return json.dumps({"id": f"{seed}/{made.number}", **layout, "comment": comment})
