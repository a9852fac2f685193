"""Command ``verify``: check a certificate without loading a solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.output import BAD_INPUT, check_readable, display_name, fail, write
from satsweep.text import counted

if TYPE_CHECKING:
    from satsweep.board import Board
    from satsweep.layout import Layout
    from satsweep.proofs.certificate import Certificate

REJECTED = 1


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
    from satsweep.formats.guess_proofs import is_guess_proof
    from satsweep.formats.traces import is_trace
    from satsweep.proofs.accepted import verified_lines
    from satsweep.proofs.certificate import Rejected
    from satsweep.proofs.verify import verify as check

    if board == certificate == "-":
        raise typer.BadParameter("expected one file that is not standard input, found none", param_hint="'CERTIFICATE'")
    for file in (board, certificate):
        check_readable(file, "a file")
    text = _read_text(certificate)
    if is_trace(text):
        _check_trace(board, certificate, text)
        return
    if is_guess_proof(text):
        _check_guess(board, certificate, text)
        return
    position, proofs = _read(board, certificate, text, mines)
    try:
        result = check(position, proofs, trust_flags=flags == "trust")
    except Rejected as error:
        fail(f"{display_name(certificate)}: rejected: {error}", REJECTED)
    write([f"{line}\n" for line in verified_lines(result)], None)


def _read_text(certificate: str) -> str:
    from satsweep.errors import BoardError
    from satsweep.formats import errors_in_file, read_text

    try:
        with errors_in_file(certificate):
            return read_text(certificate, "a certificate")
    except BoardError as error:
        fail(str(error), BAD_INPUT)


def _check_trace(file: str, certificate: str, text: str) -> None:
    """Check that a trace clears the layout of a file."""
    from satsweep.errors import BoardError
    from satsweep.formats import errors_in_file, traces
    from satsweep.layout import Layout
    from satsweep.proofs.accepted import traced_line
    from satsweep.proofs.certificate import Rejected
    from satsweep.proofs.trace import check

    try:
        layout = Layout.load(file)
        with errors_in_file(certificate):
            trace = traces.from_json(text)
        _check_same(layout, trace.layout, "trace")
        result = check(trace)
    except Rejected as error:
        fail(f"{display_name(certificate)}: rejected: {error}", REJECTED)
    except BoardError as error:
        fail(str(error), BAD_INPUT)
    write([f"{traced_line(trace, result)}\n"], None)


def _check_guess(file: str, certificate: str, text: str) -> None:
    """Check that the layout of a file needs a guess."""
    from satsweep.errors import BoardError
    from satsweep.formats import errors_in_file, guess_proofs
    from satsweep.layout import Layout
    from satsweep.proofs.certificate import Rejected
    from satsweep.proofs.guess import check

    try:
        layout = Layout.load(file)
        with errors_in_file(certificate):
            proof = guess_proofs.from_json(text)
        _check_same(layout, proof.layout, "proof")
        cells = check(proof)
    except Rejected as error:
        fail(f"{display_name(certificate)}: rejected: {error}", REJECTED)
    except BoardError as error:
        fail(str(error), BAD_INPUT)
    proved = f"{counted(len(proof.worlds), 'world')}, in which each of {counted(cells, 'covered cell')} is a mine"
    write([f"accepted: needs a guess from {proof.layout.start}, {proved}\n"], None)


def _check_same(layout: Layout, proved: Layout, noun: str) -> None:
    """Raise Rejected unless a proof is about a layout and its start."""
    from satsweep.proofs.certificate import Rejected

    if (layout.cells, layout.topology) != (proved.cells, proved.topology):
        raise Rejected(f"the {noun} is for another layout")
    if layout.start not in (None, proved.start):
        raise Rejected(f"the {noun} starts at {proved.start}, the layout at {layout.start}")


def _read(board: str, certificate: str, text: str, mines: int | None) -> tuple[Board, Certificate]:
    """Read a board, with the mine total of the command line, and a certificate."""
    from dataclasses import replace

    from satsweep.board import Board
    from satsweep.errors import BoardError
    from satsweep.formats import certificates, errors_in_file

    try:
        position = Board.load(board)
        with errors_in_file(certificate):
            proofs = certificates.from_json(text)
    except BoardError as error:
        fail(str(error), BAD_INPUT)
    if mines is None:
        return position, proofs
    with options.naming_options({"mines": "--mines"}):
        return replace(position, mines=mines, density=None), proofs
