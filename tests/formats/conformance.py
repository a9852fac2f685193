"""Samples of each format with their values, and broken texts with the places and words of their errors.

They stand in ``samples/cases.txt``, but for those that would be long or unreadable there. Files of .board are
the examples of their specification, and so is the text of minesweepr. ``test_conformance.py`` runs the suite.
"""

import json
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from satsweep import Board, Layout, Statement
from satsweep.formats import StatementSet

HERE = Path(__file__).parent / "samples"
LAYOUT = Layout(("..*", "..."))
BOARD = Board(("#1#", "111"), mines=1)
MINE_FILE, BOARD_FILE, RECORD = (
    (HERE / name).read_text("utf-8") for name in ("position.mine", "ascii.board", "record.json")
)
ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
DEEP = '{"board": ' + "[" * 100_000 + "]" * 100_000 + "}"
BEFORE_MOVES, AFTER_MOVES = RECORD.partition("[\n    {")[0], RECORD.partition("}\n  ]")[2]
# The place of a comma that is too many is the comma's from Python 3.13.
COMMA = 18 if sys.version_info < (3, 13) else 17


class Sample(NamedTuple):
    """A text of a format and its value."""

    form: str
    text: str
    value: Any

    def __str__(self) -> str:
        return f"{self.form}-{self.text}"[:60]


class Broken(NamedTuple):
    """A text that is read as a kind of value, and the beginning of the error."""

    form: str
    kind: str
    text: str
    error: str

    def __str__(self) -> str:
        return f"{self.form}-{self.error}"[:60]


def cases() -> Iterator[Sample | Broken]:
    for section in (HERE / "cases.txt").read_text("utf-8").split("--- ")[1:]:
        title, _, rest = section.partition("\n")
        form, kind, *file = title.split()
        lines: list[str] = []
        for line in rest.splitlines():
            mark, said, text = line[:2], line[2:], re.sub(" /( |$)", "\n", "\n".join(lines))
            if file and mark in ("= ", "! "):
                before, _, after = text.replace("\\n", "\n").partition(" =>")
                base = (HERE / file[0]).read_text("utf-8")
                assert base.count(before) == 1, text
                text = base.replace(before, after.removeprefix(" "))
            if mark == "= ":
                read = Board.from_text if kind == "Board" else Layout.from_text
                yield Sample(form, text, read(said.replace(" / ", "\n")))
            elif mark == "! ":
                yield Broken(form, kind, text, said)
            elif mark != "//":
                lines.append(line)
                continue
            lines = []


CASES = list(cases())
SAMPLES = [case for case in CASES if isinstance(case, Sample)] + [
    Sample("mbf-hex", "1E 10 00 00", Layout(("." * 30,) * 16)),
    Sample("ptta-link", "?b=1&m=g0000000000000000", Layout(("*........", *["." * 9] * 8))),
    Sample("rules", '{"rules": []}', StatementSet(())),
    Sample("rules", '{"rules": [{"num_mines": 1, "cells": ["a", 2]}]}', StatementSet((Statement(1, ["a", 2]),))),
    Sample("rules", '{"total_cells": 3, "total_mines": null, "rules": []}', StatementSet((), total_cells=3)),
    Sample("rules", '{"rules": [], "mine_prob": 0.2}', StatementSet((), density=Fraction(1, 5))),
    Sample("rules", '{"rules": [], "mine_prob": 2e-1, "total_cells": 9}', StatementSet((), 9, None, Fraction(1, 5))),
    Sample(
        "graph",
        '{"edges": [["a", "b"], ["b", "c"], ["c", 4], ["4", "b"]], "open": {"b": 1, "4": null}, "total_mines": 1}',
        StatementSet((Statement(1, ["a", "c"]),), 2, 1, None, ("a", "c")),
    ),
]
BROKEN = [case for case in CASES if isinstance(case, Broken)] + [
    Broken("json", "Board", '{"board": ["#1"],}', f"1:{COMMA}: expected JSON"),
    Broken("json", "Board", '{"board": ["##"], "mines": ' + "1" * 5000 + "}", "1:28: expected a number of few digits"),
    Broken("json", "Board", DEEP, "1:1: expected JSON of at most 500 levels, found it nested too deeply"),
    Broken("game", "Record", f"{BEFORE_MOVES}{{}}{AFTER_MOVES}", "9:12: expected 'moves' as a list"),
    Broken("jsm-link", "Board", f"?analysis=adacaaabb{ALPHABET[52] * 100_000}", "1:20: expected 6 cells, found more"),
]


def search(dim: str, bombs: str, safe: str, board: str) -> str:
    return json.dumps({"dim": dim, "bombs": bombs, "safe": safe, "board": board})
