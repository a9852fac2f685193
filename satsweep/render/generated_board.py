"""Generated boards as text and JSON: how each was made, and how hard it is."""

import json
from collections.abc import Iterator

from satsweep.formats import board_json
from satsweep.generator.run import GeneratedBoard
from satsweep.generator.spec import BoardSpec, GenerationMethod
from satsweep.layout import Layout
from satsweep.text import counted


def generation_lines(generated: GeneratedBoard, spec: BoardSpec, seed: int | str) -> Iterator[str]:
    """Lines about a board: number, method, difficulty, checked trace."""
    yield f"board {generated.number} of seed {seed}{_spec_text(spec)}"
    yield _method_text(generated)
    difficulty = generated.difficulty
    if difficulty is not None:
        chain = "" if difficulty.chain is None else f", longest chain {difficulty.chain:,}"
        yield f"3BV {difficulty.bv:,}, {counted(difficulty.openings, 'opening')}{chain}"
        if difficulty.beyond:
            yield "claims beyond " + ", ".join(f"{name} {claims:,}" for name, claims in difficulty.beyond.items())
    if generated.trace is not None:
        proofs = sum(len(certificate.proofs) for certificate in generated.trace.certificates)
        yield f"trace checked, {counted(proofs, 'cell')} proved where single numbers are silent"


def _spec_text(spec: BoardSpec) -> str:
    if not spec.no_guess:
        return "" if spec.start is None else f", start at {spec.start}"
    text = f": needs no guess from {spec.start}"
    player, weaker = spec.labels
    text += "" if player == "sat" else f", solved by {player}"
    return text + ("" if weaker is None else f", beyond {weaker}")


def _method_text(generated: GeneratedBoard) -> str:
    drawn = f"{counted(generated.candidates, 'layout')} drawn"
    if generated.method is GenerationMethod.REPAIR:
        return f"made by repair, not uniform: {drawn}, {counted(generated.changes, 'change')} tried"
    if generated.method is GenerationMethod.REJECTION:
        return f"made by rejection, uniform among all such boards: {drawn}"
    return "drawn uniformly among all layouts"


def json_line(generated: GeneratedBoard, layout: Layout, spec: BoardSpec, seed: int | str) -> str:
    """The layout of a board as a line of JSON, with facts as its comment."""
    difficulty = generated.difficulty
    comment: dict[str, object] = {
        "method": generated.method.value,
        "uniform": generated.method.uniform,
        "candidates": generated.candidates,
        "changes": generated.changes,
    }
    if spec.no_guess:
        player, weaker = spec.labels
        comment |= {"no_guess": True, "solvable_by": player, "beyond": weaker}
    if difficulty is not None:
        comment |= {"3bv": difficulty.bv, "openings": difficulty.openings}
        if difficulty.chain is not None:
            comment |= {"claims_beyond": dict(difficulty.beyond), "longest_chain": difficulty.chain}
    if generated.trace is not None:
        certificates = generated.trace.certificates
        comment["positions_proved"] = len(certificates)
        comment["cells_proved"] = sum(len(certificate.proofs) for certificate in certificates)
    values = json.loads(board_json.to_json(layout))
    return json.dumps({"id": f"{seed}/{generated.number}", **values, "comment": comment})
