"""``verify``: check a certificate, with nothing loaded that solves."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from satsweep.cli import options
from satsweep.cli.output import BAD_INPUT, fail, named, print_all

if TYPE_CHECKING:
    from satsweep.board import Board
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
            help="What `satsweep solve --certify` wrote, or `satsweep generate --trace`; - is standard input.",
        ),
    ],
    mines: Annotated[
        int | None, typer.Option(metavar="N", help="The mine total, instead of what the board says.")
    ] = None,
    flags: options.Flags = "ignore",
) -> None:
    """Check a certificate against the board, without a solver: that every cell in it is forced, and why.

    Constraints are read off the board, and every step of every proof is checked. What is accepted is true in every
    layout that agrees with the board; that no forced cell is missing is not part of a certificate.

    A trace is checked against its layout: that certificates and single numbers clear it from the start.

    Exit codes: 0 accepted, 1 rejected, 2 usage, 3 bad input, 130 interrupted.
    """
    from satsweep.formats.traces import is_trace
    from satsweep.proofs.verify import Rejected, verify as check

    if board == certificate == "-":
        raise typer.BadParameter("expected one file that is not standard input, found none", param_hint="'CERTIFICATE'")
    if "-" in (board, certificate) and sys.stdin is None:
        fail("<stdin>: expected a file, found it closed", BAD_INPUT)
    text = _text(certificate)
    if is_trace(text):
        _follow(board, certificate, text)
        return
    seen, read = _read(board, certificate, text, mines)
    try:
        found = check(seen, read, trust_flags=flags == "trust")
    except Rejected as error:
        fail(f"{named(certificate)}: rejected: {error}", REJECTED)
    forced = found.safe + found.mines
    said = f"accepted: {_cells(forced)} {'is' if forced == 1 else 'are'} forced, "
    said += f"{found.safe:,} safe and {found.mines:,} {'mine' if found.mines == 1 else 'mines'}\n"
    if found.uncertified:
        said += f"not certified, though said to be forced: {_cells(found.uncertified)}\n"
    print_all([said])


def _cells(number: int) -> str:
    return f"{number:,} {'cell' if number == 1 else 'cells'}"


def _text(certificate: str) -> str:
    from satsweep.errors import BoardError
    from satsweep.formats import errors_in_file, read_text

    try:
        with errors_in_file(certificate):
            return read_text(certificate, "a certificate")
    except BoardError as error:
        fail(str(error), BAD_INPUT)


def _follow(file: str, certificate: str, text: str) -> None:
    """Check that a trace clears the layout of a file."""
    from satsweep.errors import BoardError
    from satsweep.formats import errors_in_file, read_layout, traces
    from satsweep.proofs.trace import check
    from satsweep.proofs.verify import Rejected

    try:
        layout = read_layout(file)
        with errors_in_file(certificate):
            trace = traces.from_json(text)
        if (layout.cells, layout.topology) != (trace.layout.cells, trace.layout.topology):
            raise Rejected("the trace is for another layout")
        if layout.start not in (None, trace.layout.start):
            raise Rejected(f"the trace starts at {trace.layout.start}, the layout at {layout.start}")
        found = check(trace)
    except Rejected as error:
        fail(f"{named(certificate)}: rejected: {error}", REJECTED)
    except BoardError as error:
        fail(str(error), BAD_INPUT)
    said = f"accepted: needs no guess from {trace.layout.start}, {_cells(found.proofs)} proved in "
    print_all([f"{said}{found.positions:,} {'position' if found.positions == 1 else 'positions'}\n"])


def _read(board: str, certificate: str, text: str, mines: int | None) -> tuple[Board, Certificate]:
    from dataclasses import replace

    from satsweep.errors import BoardError
    from satsweep.formats import certificates, errors_in_file, read_board

    try:
        seen = read_board(board)
        with errors_in_file(certificate):
            read = certificates.from_json(text)
    except BoardError as error:
        fail(str(error), BAD_INPUT)
    if mines is None:
        return seen, read
    try:
        return replace(seen, mines=mines, density=None), read
    except BoardError as error:
        raise typer.BadParameter(error.message, param_hint="'--mines'") from None
