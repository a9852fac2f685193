"""Command ``verify``: check a certificate without loading a solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.exits import NO, fail
from satsweep.cli.output import check_readable, display_name, write

if TYPE_CHECKING:
    from satsweep.proofs.certificate import Certificate
    from satsweep.proofs.click_sweep import SweepProof
    from satsweep.proofs.clicks import ClicksProof
    from satsweep.proofs.trace import GuessProof, Trace


def verify(
    board: Annotated[
        str, typer.Argument(metavar="BOARD", help="A board, or a layout, as text or JSON; - is standard input.")
    ],
    certificate: Annotated[
        str,
        typer.Argument(
            metavar="CERTIFICATE",
            help="Output of `satsweep solve --certify`, `generate --trace`, `rate --proof` or `clicks --certify`; - is "
            "standard input.",
        ),
    ],
    mines: options.MineTotal = None,
    part: options.Part = None,
    flags: options.Flags = "ignore",
) -> None:
    """Check a certificate against its board, without a solver.

    The checker reads the constraints off the board, and checks every step of every proof. An accepted cell is forced in
    every layout that agrees with the board. A certificate may leave out forced cells.

    A trace is checked against its layout: certificates and single numbers clear it from the start. A proof that the
    layout needs a guess is checked likewise: in its worlds each cell that no player can open safely is once a mine.
    A proof of fewest clicks is checked against the layout's rules: its chords are decided once more in its order, or
    its refutation is followed step by step.

    Exit codes: 0 accepted, 1 rejected, 2 usage, 3 bad input, 130 interrupted.
    """
    from satsweep.formats import certificates, errors_in_file, read_text
    from satsweep.proofs.certificate import Certificate, Rejected

    if board == certificate == "-":
        raise options.wrong("CERTIFICATE", "expected one file that is not standard input, found none")
    for file in (board, certificate):
        check_readable(file, "a file")
    with errors_in_file(certificate):
        proof = certificates.from_json(read_text(certificate, "a certificate"))
    try:
        if isinstance(proof, Certificate):
            lines = _of_board(board, proof, mines, part, trust=flags == "trust")
        else:
            given_options = {"--mines": mines is not None, "--part": part is not None, "--flags": flags == "trust"}
            for option, given in given_options.items():
                if given:
                    found = f"{certificates.kind_of(proof).noun} of a layout"
                    raise options.wrong(option, f"expected a certificate of a board with it, found a {found}")
            lines = _of_layout(board, proof)
    except Rejected as error:
        fail(f"{display_name(certificate)}: rejected: {error}", NO)
    write([f"{line}\n" for line in lines], None)


def _of_board(file: str, proof: Certificate, mines: int | None, part: str | None, *, trust: bool) -> list[str]:
    """Check a certificate of a board, with total and part of the command line."""
    from dataclasses import replace

    from satsweep.board import Board
    from satsweep.proofs.verify import verified_lines, verify as check

    with options.reading_part(part):
        board = Board.load(file)
    board = options.as_part(board, part)
    if mines is not None:
        with options.naming_options({"mines": "--mines"}):
            board = replace(board, mines=mines, density=None)
    return verified_lines(check(board, proof, trust_flags=trust))


def _of_layout(file: str, proof: Trace | GuessProof | ClicksProof | SweepProof) -> list[str]:
    """Check a proof about the layout of a file."""
    from satsweep.formats.certificates import kind_of
    from satsweep.layout import Layout
    from satsweep.proofs.certificate import Rejected

    layout, proved, kind = Layout.load(file), proof.layout, kind_of(proof)
    if (layout.cells, layout.topology) != (proved.cells, proved.topology):
        raise Rejected(f"the {kind.noun} is for another layout")
    if proved.start and layout.start not in (None, proved.start):
        raise Rejected(f"the {kind.noun} starts at {proved.start}, the layout at {layout.start}")
    return kind.check(proof)
