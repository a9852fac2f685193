"""Ratings of layouts as text, JSON and CSV; generated boards as text and JSON."""

import json
from collections.abc import Iterable, Iterator
from fractions import Fraction

from satsweep.assessment.rate import FirstGuess, Rating
from satsweep.formats import board_json
from satsweep.generator.run import GeneratedBoard
from satsweep.generator.spec import WEAKER_AGENTS, BoardSpec, GenerationMethod
from satsweep.layout import Layout
from satsweep.render.board_text import SAFE_IN_WORLD, bracketed_lines, rows_of_world, side_by_side
from satsweep.render.clicks import bounds_values, clicks_and_efficiency, efficiency_of, efficiency_text
from satsweep.render.number_text import fraction, percent, percent_and_fraction, rounded_and_exact
from satsweep.text import counted, csv_text
from satsweep.topology import SQUARE

_INDENT = 14
_COLUMNS = (
    *("file", "number", "rows", "cols", "mines", "topology", "start", "3bv", "openings", "islands", "needs_guess"),
    *("cleared_by", *(f"beyond_{name}" for name in WEAKER_AGENTS), "longest_chain", "opened", "undecided", "cell"),
    *("risk", "win_chance", "clicks_lower", "clicks_upper"),
)
"""Columns of the CSV."""


def rating_to_text(
    rating: Rating, name: str, *, exact: bool = False, draw: bool = True, width: int | None = None
) -> Iterator[str]:
    """Yield the facts about a layout, and with ``draw`` its first guess, line by line."""
    yield f"{name}\n"
    for key, value in rating_facts(rating, exact=exact):
        yield f"  {key:<{_INDENT}}{value}\n"
    if rating.guess is not None and draw:
        yield "\n"
        for line in guess_lines(rating.guess, width):
            yield f"{line}\n"


def rating_facts(rating: Rating, *, exact: bool = False) -> Iterator[tuple[str, str]]:
    layout, guess = rating.layout, rating.guess
    grid = "" if layout.topology == SQUARE else f", {layout.topology.name}"
    yield "board", f"{layout.rows}x{layout.cols}, {counted(layout.mines, 'mine')}{grid}"
    islands = counted(rating.islands, "island")
    yield "3BV", f"{rating.bv:,}, {counted(rating.openings, 'opening')}, {islands}"
    if rating.clicks is not None:
        yield "fewest clicks", clicks_and_efficiency(rating.clicks)
    if rating.needs_guess is None:
        yield "guess", "not decided: the layout has no start; --start names one"
        return
    yield "guess", f"{'needed' if rating.needs_guess else 'not needed'} from {layout.start}"
    if not rating.needs_guess:
        yield "cleared by", ", ".join(rating.cleared_by)
    if rating.beyond:
        yield "beyond", ", ".join(f"{name} {claims:,}" for name, claims in rating.beyond.items())
    if rating.chain is not None:
        yield "longest chain", f"{rating.chain:,}"
    if rating.trace is not None:
        proofs = sum(len(certificate.proofs) for certificate in rating.trace.certificates)
        yield "proof", f"trace checked, {counted(proofs, 'cell')} proved where single numbers are silent"
    elif rating.needs_guess is False and not rating.quick:
        yield "proof", "none within the limits: a forced cell on the way has too long a proof"
    if guess is not None:
        yield (
            "first guess",
            f"after {counted(_opened(guess), 'open cell')}: {counted(len(guess.cells), 'cell')} undecided",
        )
        risk = "not known within the budget" if guess.risk is None else _chance_text(guess.risk, exact)
        yield "least risk", f"{risk} at {guess.cell}"
        if guess.win_chance is not None:
            yield "best play", f"wins {_chance_text(guess.win_chance, exact)} of the games from there"
        yield "proof", f"checked: {counted(len(guess.proof.worlds), 'world')}, each covered cell a mine in one of them"


def guess_lines(guess: FirstGuess, width: int | None = None) -> Iterator[str]:
    """The position of a first guess, and two worlds of it side by side.

    >>> from satsweep import Layout
    >>> from satsweep.assessment.rate import rate
    >>> print(*guess_lines(rate(Layout((".*", ".."), start=(0, 0))).guess), sep="\\n")
    Both worlds agree with every number. In one of them 0,1 is safe, in the other it is a mine:
    <BLANKLINE>
    one world (* mine, - safe)      another world
      0 1                             0 1
    0 1[-]                          0 1[*]
    1 * -                           1 - -
    """
    board, cell = guess.proof.board, guess.cell
    yield f"Both worlds agree with every number. In one of them {cell} is safe, in the other it is a mine:"
    yield ""
    worlds = guess.safe_world, guess.mine_world
    one, other = (bracketed_lines(board, rows_of_world(board, world), [cell]) for world in worlds)
    yield from side_by_side([f"one world (* mine, {SAFE_IN_WORLD} safe)", *one], ["another world", *other], width)


def rating_values(rating: Rating, file: str, number: int) -> dict[str, object]:
    """A rating as JSON values; a quick one has no more than the kernels find.

    ``number`` counts the layouts of the file, from 1.
    """
    layout, guess = rating.layout, rating.guess
    fields: dict[str, object] = {
        "file": file,
        "number": number,
        "rows": layout.rows,
        "cols": layout.cols,
        "mines": layout.mines,
        "topology": layout.topology.name,
        "start": layout.start,
        "3bv": rating.bv,
        "openings": rating.openings,
        "islands": rating.islands,
        "needs_guess": rating.needs_guess,
        "cleared_by": rating.cleared_by,
    }
    if rating.clicks is not None:
        fields["clicks"] = bounds_values(rating.clicks)
    if rating.quick:
        return fields
    fields |= {"claims_beyond": dict(rating.beyond), "longest_chain": rating.chain, "proved": None}
    if rating.trace is not None:
        certificates = rating.trace.certificates
        cells = sum(len(certificate.proofs) for certificate in certificates)
        fields["proved"] = {"positions": len(certificates), "cells": cells}
    fields["first_guess"] = None if guess is None else _guess_values(guess)
    return fields


def _guess_values(guess: FirstGuess) -> dict[str, object]:
    return {
        "opened": _opened(guess),
        "undecided": guess.cells,
        "cell": guess.cell,
        **rounded_and_exact("risk", guess.risk),
        **rounded_and_exact("win_chance", guess.win_chance),
        "board": guess.proof.board.cells,
        "safe_world": guess.safe_world.cells,
        "mine_world": guess.mine_world.cells,
        "worlds": len(guess.proof.worlds),
    }


def csv_line(rating: Rating, file: str, number: int) -> str:
    """A rating as a line of CSV; what is not known is empty."""
    values = rating_values(rating, file, number)
    guess = rating.guess
    row: dict[str, object] = {name: values.get(name) for name in _COLUMNS}
    row |= {f"beyond_{name}": claims for name, claims in rating.beyond.items()}
    if rating.clicks is not None:
        row |= {"clicks_lower": rating.clicks.lower, "clicks_upper": rating.clicks.upper}
    row["start"] = rating.layout.start
    row["needs_guess"] = "" if rating.needs_guess is None else int(rating.needs_guess)
    row["cleared_by"] = " ".join(rating.cleared_by)
    if guess is not None:
        row |= {"opened": _opened(guess), "undecided": len(guess.cells), "cell": guess.cell}
        row["risk"] = None if guess.risk is None else fraction(guess.risk)
        row["win_chance"] = None if guess.win_chance is None else fraction(guess.win_chance)
    return csv_text([row[name] for name in _COLUMNS])


def json_line(rating: Rating, file: str, number: int) -> str:
    return json.dumps(rating_values(rating, file, number))


def ratings_to_text(ratings: Iterable[str], *, quick: bool = False) -> Iterator[str]:
    """Texts of ratings, with a blank line between two unless they are ``quick``."""
    for number, rating in enumerate(ratings):
        yield rating if quick or number == 0 else f"\n{rating}"


def ratings_to_json(ratings: Iterable[str]) -> Iterator[str]:
    """JSON objects in a list, one a line."""
    yield "["
    end = "]\n"
    for number, rating in enumerate(ratings):
        yield f"{',' * (number > 0)}\n  {rating}"
        end = "\n]\n"
    yield end


def ratings_to_jsonl(ratings: Iterable[str]) -> Iterator[str]:
    for rating in ratings:
        yield f"{rating}\n"


def ratings_to_csv(ratings: Iterable[str]) -> Iterator[str]:
    """Lines of CSV under the names of their columns."""
    yield csv_text(_COLUMNS)
    yield from ratings


def _chance_text(chance: Fraction, exact: bool) -> str:
    return percent(chance, exact) if exact else percent_and_fraction(chance)


def _opened(guess: FirstGuess) -> int:
    return sum(not guess.proof.board.is_covered(cell) for cell in guess.proof.board)


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
    if generated.clicks is not None:
        yield f"{counted(generated.clicks.upper, 'click')} clear it{efficiency_of(generated.clicks)}"
    if generated.trace is not None:
        proofs = sum(len(certificate.proofs) for certificate in generated.trace.certificates)
        yield f"trace checked, {counted(proofs, 'cell')} proved where single numbers are silent"


def _spec_text(spec: BoardSpec) -> str:
    if not spec.no_guess:
        return ("" if spec.start is None else f", start at {spec.start}") + _clicks_text(spec)
    text = f": needs no guess from {spec.start}"
    player, weaker = spec.labels
    text += "" if player == "sat" else f", solved by {player}"
    return text + ("" if weaker is None else f", beyond {weaker}") + _clicks_text(spec)


def _clicks_text(spec: BoardSpec) -> str:
    text = "" if spec.clicks is None else f", at most {counted(spec.clicks, 'click')}"
    return text + ("" if spec.efficiency is None else f", efficiency at least {efficiency_text(spec.efficiency)}")


def _method_text(generated: GeneratedBoard) -> str:
    drawn = f"{counted(generated.candidates, 'layout')} drawn"
    if generated.method is GenerationMethod.REPAIR:
        return f"made by repair, not uniform: {drawn}, {counted(generated.changes, 'change')} tried"
    if generated.method is GenerationMethod.REJECTION:
        return f"made by rejection, uniform among all such boards: {drawn}"
    return "drawn uniformly among all layouts"


def generated_line(generated: GeneratedBoard, layout: Layout, spec: BoardSpec, seed: int | str) -> str:
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
    if generated.clicks is not None:
        efficiency = generated.clicks.efficiency
        comment |= {"clicks": generated.clicks.upper, "efficiency": None if efficiency is None else float(efficiency)}
    if generated.trace is not None:
        certificates = generated.trace.certificates
        comment["positions_proved"] = len(certificates)
        comment["cells_proved"] = sum(len(certificate.proofs) for certificate in certificates)
    values = json.loads(board_json.to_json(layout))
    return json.dumps({"id": f"{seed}/{generated.number}", **values, "comment": comment})
