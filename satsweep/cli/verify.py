"""Command ``verify``: check a certificate without loading a solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.exits import NO, fail
from satsweep.cli.output import check_readable, display_name, write
from satsweep.text import counted

if TYPE_CHECKING:
    from satsweep.layout import Layout


def verify(
    board: Annotated[
        str, typer.Argument(metavar="BOARD", help="A board, or a layout, as text or JSON; - is standard input.")
    ],
    certificate: Annotated[
        str,
        typer.Argument(
            metavar="CERTIFICATE",
            help="Output of `satsweep solve --certify`, `generate --trace` or `rate --proof`; - is standard input.",
        ),
    ],
    mines: options.MineTotal = None,
    flags: options.Flags = "ignore",
) -> None:
    """Check a certificate against its board, without a solver.

    The checker reads the constraints off the board, and checks every step of every proof. An accepted cell is forced in
    every layout that agrees with the board. A certificate may leave out forced cells.

    A trace is checked against its layout: certificates and single numbers clear it from the start. A proof that the
    layout needs a guess is checked likewise: in its worlds each cell that no player can open safely is once a mine.

    Exit codes: 0 accepted, 1 rejected, 2 usage, 3 bad input, 130 interrupted.
    """
    from satsweep.formats import errors_in_file, read_text
    from satsweep.formats.certificates import is_guess_proof, is_trace
    from satsweep.proofs.certificate import Rejected

    if board == certificate == "-":
        raise options.wrong("CERTIFICATE", "expected one file that is not standard input, found none")
    for file in (board, certificate):
        check_readable(file, "a file")
    with errors_in_file(certificate):
        text = read_text(certificate, "a certificate")
    try:
        if is_trace(text):
            lines = _of_trace(board, certificate, text)
        elif is_guess_proof(text):
            lines = _of_guess_proof(board, certificate, text)
        else:
            lines = _of_certificate(board, certificate, text, mines, trust=flags == "trust")
    except Rejected as error:
        fail(f"{display_name(certificate)}: rejected: {error}", NO)
    write([f"{line}\n" for line in lines], None)


def _of_certificate(file: str, certificate: str, text: str, mines: int | None, *, trust: bool) -> list[str]:
    """Check a certificate of a board, with the mine total of the command line."""
    from dataclasses import replace

    from satsweep.board import Board
    from satsweep.formats import certificates, errors_in_file
    from satsweep.proofs.verify import verified_lines, verify as check

    board = Board.load(file)
    with errors_in_file(certificate):
        proofs = certificates.from_json(text)
    if mines is not None:
        with options.naming_options({"mines": "--mines"}):
            board = replace(board, mines=mines, density=None)
    return verified_lines(check(board, proofs, trust_flags=trust))


def _of_trace(file: str, certificate: str, text: str) -> list[str]:
    """Check that a trace clears the layout of a file."""
    from satsweep.formats import certificates, errors_in_file
    from satsweep.layout import Layout
    from satsweep.proofs.trace import check, traced_line

    layout = Layout.load(file)
    with errors_in_file(certificate):
        trace = certificates.trace_from_json(text)
    _check_same(layout, trace.layout, "trace")
    return [traced_line(trace, check(trace))]


def _of_guess_proof(file: str, certificate: str, text: str) -> list[str]:
    """Check that the layout of a file needs a guess."""
    from satsweep.formats import certificates, errors_in_file
    from satsweep.layout import Layout
    from satsweep.proofs.trace import check_guess

    layout = Layout.load(file)
    with errors_in_file(certificate):
        proof = certificates.guess_proof_from_json(text)
    _check_same(layout, proof.layout, "proof")
    cells = counted(check_guess(proof), "covered cell")
    proved = f"{counted(len(proof.worlds), 'world')}, in which each of {cells} is a mine"
    return [f"accepted: needs a guess from {proof.layout.start}, {proved}"]


def _check_same(layout: Layout, proved: Layout, noun: str) -> None:
    """Raise Rejected unless a proof is about a layout and its start."""
    from satsweep.proofs.certificate import Rejected

    if (layout.cells, layout.topology) != (proved.cells, proved.topology):
        raise Rejected(f"the {noun} is for another layout")
    if layout.start not in (None, proved.start):
        raise Rejected(f"the {noun} starts at {proved.start}, the layout at {layout.start}")
