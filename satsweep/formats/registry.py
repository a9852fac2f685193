"""All formats that satsweep reads and writes: text formats and binary ones.

Each of the two tables is in the order in which formats are tried; the first that recognises a file reads it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from satsweep.board import Board
from satsweep.formats import (
    board_file,
    board_json,
    cnf,
    georgia_tech,
    graph,
    jsm,
    mbf,
    minesweepr,
    picture,
    ptta,
    rawvf,
    replays,
    tatham,
    tatham_save,
)
from satsweep.formats.format import Format
from satsweep.layout import Layout
from satsweep.text import TextForm

if TYPE_CHECKING:
    from satsweep.games.record import Record


def _read_record(text: str) -> Record:
    from satsweep.formats import records  # boards are read without the code of games

    return records.from_json(text)


def _write_json(value: Board | Layout | Record) -> str:
    if isinstance(value, Board | Layout):
        return board_json.to_json(value)
    from satsweep.formats import records

    return records.to_json(value)


FORMATS: dict[str, Format[str]] = {
    "georgia-tech": Format(
        "the JSON of the mine search: dim, bombs, safe, board, rows first",
        georgia_tech.recognises,
        layout=georgia_tech.read_layout,
        game=georgia_tech.read_game,
        writer=georgia_tech.write,
        parts=georgia_tech.parts,
    ),
    "georgia-tech-old": Format(
        "the same as older files have it, columns first; read as such only by name",
        lambda text: False,
        layout=georgia_tech.read_older_layout,
        writer=georgia_tech.write_older,
        parts=georgia_tech.parts,
    ),
    "rules": Format(
        "rules of minesweepr, JSON: statements about named cells without a grid",
        minesweepr.recognises_statements,
        statements=minesweepr.read_statements,
        writer=minesweepr.write_statements,
        also_writes=("Board",),
    ),
    "graph": Format(
        "JSON: the edges of any graph, and the numbers of its open nodes",
        graph.recognises,
        statements=graph.read_statements,
    ),
    "cnf": Format(
        "a formula for model counters: DIMACS with projection and weights",
        lambda text: False,
        writer=cnf.write,
        also_writes=("Board", "StatementSet"),
        suffixes=(".cnf",),
    ),
    "json": Format(
        "a JSON object with board or layout",
        board_json.is_json,
        board=board_json.board_from_json,
        layout=board_json.layout_from_json,
        game=_read_record,
        writer=_write_json,
        also_writes=("Record",),
        suffixes=(".json",),
        means_layout=board_json.shows_all_mines,
        parts=board_json.parts,
    ),
    "jsm-link": Format(
        "a link that opens JSMinesweeper, ?analysis=",
        jsm.recognises_link,
        board=jsm.read_link,
        writer=jsm.write_link,
        inline=True,
    ),
    "ptta-link": Format(
        "a link that opens the ZiNi calculator of PTTA or LlamaSweeper, ?b=&m=",
        ptta.recognises,
        layout=ptta.read_layout,
        game=ptta.read_game,
        writer=ptta.write,
        inline=True,
        parts=lambda text: ("moves",) if ptta.has_clicks(text) else (),
    ),
    "tatham-save": Format(
        "a saved game of Simon Tatham's Mines",
        tatham_save.recognises,
        board=tatham_save.read_board,
        layout=tatham_save.read_layout,
        game=tatham_save.read_game,
        parts=lambda text: ("moves",),
    ),
    "tatham-masked": Format(
        "a game ID of Simon Tatham's Mines, masked",
        tatham.is_masked,
        layout=tatham.read_layout,
        writer=tatham.write_masked,
        inline=True,
    ),
    "tatham": Format(
        "a game ID of Simon Tatham's Mines, plain",
        tatham.recognises,
        layout=tatham.read_layout,
        writer=tatham.write_plain,
        inline=True,
    ),
    "jsm": Format(
        "the text of JSMinesweeper",
        jsm.recognises,
        board=jsm.read_board,
        writer=jsm.write,
        suffixes=(".mine",),
    ),
    "board": Format(
        "MINESWEEPER-BOARD v0.1: sections [real] and [view]",
        board_file.recognises,
        board=board_file.read_board,
        layout=board_file.read_layout,
        writer=board_file.write,
        suffixes=(".board",),
        means_layout=board_file.shows_all_mines,
        parts=board_file.parts,
    ),
    "rawvf": Format(
        "a replay as text; its layout",
        rawvf.recognises,
        layout=rawvf.read_layout,
        game=rawvf.read_game,
        writer=rawvf.write,
        also_writes=("Record",),
        suffixes=(".rawvf",),
        parts=lambda text: ("moves",) if rawvf.has_clicks(text) else (),
    ),
    "mbf-hex": Format(
        "MBF as pairs of hexadecimal digits",
        mbf.hex_recognises,
        layout=mbf.read_hex,
        writer=mbf.write_hex,
        suffixes=(".hex",),
        inline=True,
    ),
    "minesweepr": Format(
        "the text of minesweepr, x for unknown cells; recognised as text",
        lambda text: False,
        board=Board.from_text,
        writer=minesweepr.write,
        remarks=TextForm.remarks_on,
    ),
    "text": Format(
        "header lines, then one line a row; with blanks, emoji or numbered as satsweep prints it",
        lambda text: True,
        board=Board.from_text,
        layout=Layout.from_text,
        writer=lambda value: f"{value}\n",
        suffixes=(".txt",),
        means_layout=TextForm.shows_all_mines,
        parts=lambda text: ("comment",) if re.search(r"^\s*//", text, re.MULTILINE) else (),
        remarks=TextForm.remarks_on,
    ),
}
"""Every text format, in the order of recognition: the last takes what is left."""


def _is_mbf(content: bytes) -> bool:
    """Return whether bytes are an MBF file, or a broken one and no replay."""
    replay = any(recognises(content) for recognises in replays.RECOGNISERS.values())
    return mbf.is_valid(content) or (mbf.may_be_mbf(content) and not replay)


_PROGRAMS = {"avf": "Arbiter", "rmv": "Viennasweeper", "mvf": "Minesweeper Clone", "evf": "Metasweeper"}

BINARY_FORMATS: dict[str, Format[bytes]] = {
    "picture": Format(
        "a screenshot of any game: PNG, JPEG, GIF, WebP, BMP; needs the extra pictures",
        picture.recognises,
        board=picture.read_board,
        remarks=picture.remarks,
    ),
    "mbf": Format(
        "MBF, also called ABF: width, height, mines",
        _is_mbf,
        layout=mbf.read_layout,
        writer=mbf.write,
        suffixes=(".mbf", ".abf"),
    ),
    **{
        name: Format(
            f"a replay of {_PROGRAMS[name]}; needs the extra replays",
            recognises,
            board=replays.board_reader(name),
            layout=replays.layout_reader(name),
            game=replays.game_reader(name),
            parts=lambda content: ("moves",),
        )
        for name, recognises in replays.RECOGNISERS.items()
    },
}
"""Every binary format, in the order of recognition, which is before text."""
