"""Readers of benchmarks/results, and the formats of figures in tables."""

import ast
import csv
import json
from collections.abc import Callable, Iterable, Sequence
from math import floor, log10, sqrt
from pathlib import Path
from typing import Any

Row = dict[str, str]
Table = list[str]
"""The lines of a Markdown table."""

NORMAL = 1.959964
"""The 97.5 % quantile of the normal distribution."""


class Results:
    """Results of one checkout, read from its files."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "benchmarks" / "results"

    def json(self, name: str) -> Any:
        """Return the content of a JSON file."""
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def json_lines(self, name: str) -> list[dict[str, Any]]:
        """Return the objects of a JSON Lines file."""
        return [json.loads(line) for line in (self.folder / name).read_text(encoding="utf-8").splitlines()]

    def rows(self, name: str) -> list[Row]:
        """Return the rows of a CSV file that ``satsweep compare --csv`` has written."""
        with (self.folder / name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def best_known(self) -> dict[str, tuple[str, list[int], str]]:
        """Return promise, start and best published rate of each board.

        ``benchmarks/records.py`` is parsed, not imported: this script does without the package and its dependencies.
        """
        tree = ast.parse((self.root / "benchmarks" / "records.py").read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
                if getattr(node.targets[0], "id", "") != "RECORDS":
                    continue
                found = {}
                for key, value in zip(node.value.keys, node.value.values, strict=True):
                    assert key is not None and isinstance(value, ast.Call)
                    _, _, _, first, start, rate, *_ = map(ast.literal_eval, value.args)
                    found[ast.literal_eval(key)] = first, [*start], rate
                return found
        raise LookupError("benchmarks/records.py has no table RECORDS")


CELL = {"---": "---", "": " "}
"""The cells of a table that stand without a space on either side."""


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """Return a Markdown table."""
    lines = [list(header), ["---"] * len(header), *map(list, rows)]
    assert {len(line) for line in lines} == {len(header)}, "all rows of a table have the same number of columns"
    return ["|" + "|".join(CELL.get(cell, f" {cell} ") for cell in line) + "|" for line in lines]


def one(rows: Iterable[Row], /, **wanted: object) -> Row:
    """Return the only row with these values; numbers are compared as numbers."""
    found = [row for row in rows if all(same(row[key], value) for key, value in wanted.items())]
    if len(found) != 1:
        raise LookupError(f"{len(found)} rows have {wanted}, where one is needed")
    return found[0]


def same(text: str, value: object) -> bool:
    """Tell whether a field of a CSV file has this value."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return text == str(value)
    return text != "" and abs(float(text) - value) < 1e-9


def fixed(value: str | float, digits: int = 0) -> str:
    """Return a number with this many decimals, thousands separated."""
    return f"{float(value):,.{digits}f}"


def percent(share: str | float, digits: int = 1) -> str:
    """Return a share as a percentage, without the sign."""
    return fixed(100 * float(share), digits)


def with_interval(row: Row, name: str, digits: int = 1) -> str:
    """Return a mean and half the width of its 95 % interval."""
    half = (float(row[f"{name}_high"]) - float(row[f"{name}_low"])) / 2
    return f"{fixed(row[name], digits)} ± {fixed(half, digits)}"


def figures(value: float, count: int = 2) -> str:
    """Return a number with this many significant figures, never with an exponent."""
    return fixed(value, max(0, count - 1 - floor(log10(value))))


def duration(seconds: float) -> str:
    """Return a time below a second in whole milliseconds, a longer one in seconds."""
    return f"{fixed(1000 * seconds)} ms" if seconds < 1 else f"{fixed(seconds, 1)} s"


def milliseconds(row: Row) -> str:
    """Return the time of a game in two or three figures."""
    value = float(row["ms"])
    return figures(float(f"{value:.2g}")) if value < 100 else fixed(value)


def powers(rows: Sequence[Row], column: str, *factors: Callable[[Row], float]) -> list[tuple[float, float]]:
    """Return the exponents of a power law, with half the widths of their intervals.

    These are of 95 %. The logarithm of a column is fitted by least squares to those of the factors.
    """
    import numpy as np
    from scipy.special import stdtrit

    xs = np.log([[factor(row) for row in rows] for factor in factors])
    y = np.log([float(row[column]) for row in rows])
    quantile = stdtrit(len(rows) - len(factors) - 1, 0.975)
    design = np.column_stack([np.ones(len(rows)), *xs])
    slopes, (squares,), *_ = np.linalg.lstsq(design, y)
    errors = np.sqrt(squares / (len(rows) - len(slopes)) * np.diag(np.linalg.inv(design.T @ design)))
    return [(slope, quantile * error) for slope, error in zip(slopes[1:], errors[1:], strict=True)]


def area(row: Row) -> float:
    """Return the number of cells of a board."""
    return float(row["rows"]) * float(row["cols"])


def power(found: tuple[float, float]) -> str:
    """Return an exponent and half the width of its interval."""
    return f"{fixed(found[0], 2)} ± {fixed(found[1], 2)}"


def wilson(won: int, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    rate, square = won / games, NORMAL**2
    middle = (rate + square / (2 * games)) / (1 + square / games)
    half = NORMAL / (1 + square / games) * sqrt(rate * (1 - rate) / games + square / (4 * games**2))
    return middle - half, middle + half


def quantile(values: Iterable[float], share: float) -> float:
    """Return a quantile as ``benchmarks/engines.py`` defines it."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


Maker = Callable[[Results], Table]
"""A function that makes a table from results."""
