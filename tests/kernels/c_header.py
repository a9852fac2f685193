"""The header of the C interface, read: functions with their parameters, and the ranges of these."""

import re
from collections.abc import Callable
from ctypes import CDLL, c_int32, c_int64, c_size_t, c_void_p
from pathlib import Path
from typing import Any, NamedTuple

from satsweep.kernels.toolchain.library import KERNELS

HEADER = (KERNELS / "c" / "satsweep.h").read_text()
LIMITS = {"INT32_MAX": 2**31 - 1, "INT64_MAX": 2**63 - 1}
BITS = {"int8_t": 8, "uint8_t": 8, "char": 8, "int": 32, "int32_t": 32, "int64_t": 64, "size_t": 64}
NUMBERS: dict[str, Any] = {"int": c_int32, "int32_t": c_int32, "int64_t": c_int64, "size_t": c_size_t}
MAY_BE_NULL = {
    ("worlds", "worlds"), ("worlds", "digits"), ("candidates", "cells"), ("candidates", "scores"), ("play", "mined"),
    ("play", "moves"), ("play_layout", "moves"),
}  # fmt: skip
"""Functions, and those of their pointers that may be null."""


class Parameter(NamedTuple):
    """``kind`` is a type of C; ``given`` says of a pointer that the function reads what it points to."""

    name: str
    kind: str
    is_pointer: bool
    given: bool

    @property
    def extremes(self) -> tuple[int, int]:
        bits = BITS[self.kind]
        return (0, 2**bits - 1) if self.kind in ("uint8_t", "size_t") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def functions() -> dict[str, list[Parameter]]:
    """Functions that get a room, by their names without the prefix; all parameters but the room."""
    text = re.sub(r"\s+", " ", HEADER)
    found = re.findall(r"SATSWEEP_API int satsweep_(\w+)\( ?void \*room, ([^)]*)\);", text)
    return {name: [_parameter(one) for one in parameters.split(", ")] for name, parameters in found}


def _parameter(text: str) -> Parameter:
    *words, name = text.replace("*", " * ").split()
    kind = next(word for word in words if word not in ("const", "*"))
    in_and_out = name in ("candidate", "shown", "layout")
    return Parameter(name, kind, "*" in words, "const" in words or in_and_out)


def ranges() -> dict[str, dict[str, str]]:
    """Ranges of parameters by name, with a star for what they point to: by function, that of all others by ''."""
    found: dict[str, dict[str, str]] = {}
    for names, text in re.findall(r"^   ((?:[\w*]+, )*[\w*]+) {2,}(\S.*)$", HEADER, re.MULTILINE):
        first, *rest = text.removesuffix(" */").split("; ")
        own = {"": first}
        for functions_, range_ in (part.split(": ") for part in rest if ": " in part):
            own.update(dict.fromkeys(functions_.split(", "), range_))
        found.update(dict.fromkeys(names.split(", "), own))
    return found


RANGES = ranges()


def bounds(function: str, parameter: Parameter, lengths: dict[str, int]) -> tuple[int, int] | None:
    """The least and the greatest number that a parameter may be, or point to; None where there is no bound."""
    own = RANGES[parameter.name + "*" * parameter.is_pointer]
    text = own.get(function, own[""])
    if " to " not in text:
        return None
    least, most = (sum_of(part, lengths) for part in text.split(" to "))
    return least, most


def sum_of(text: str, lengths: dict[str, int]) -> int:
    """The value of a bound: a number or a name, less another."""
    first, *rest = ({**LIMITS, **lengths}[word] if word[0].isalpha() else int(word) for word in text.split(" - "))
    return first - sum(rest)


def outside(function: str, parameter: Parameter, lengths: dict[str, int]) -> list[int]:
    """Numbers of the parameter's type that are out of its range."""
    found = bounds(function, parameter, lengths)
    if found is None:
        return []
    (least, most), (low, high) = found, parameter.extremes
    fine = {255} if parameter.name == "shown" else set()
    tried = {low, least - 1, most + 1, high} - fine
    return sorted(number for number in tried if low <= number <= high and not least <= number <= most)


def loaded(path: Path) -> dict[str, Callable[..., int]]:
    """The functions of a library that get a room, with addresses for all pointers."""
    library, found = CDLL(str(path)), dict[str, Callable[..., int]]()
    for name, parameters in functions().items():
        called = library[f"satsweep_{name}"]
        called.argtypes = [c_void_p, *(c_void_p if one.is_pointer else NUMBERS[one.kind] for one in parameters)]
        found[name] = called
    return found
