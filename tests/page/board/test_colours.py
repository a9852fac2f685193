"""Colours of boards in both themes: every number can be read on every colour of a risk, and risks look different."""

import math
import re

import pytest

from satsweep.render.colours import heat
from tests.page.node import node
from tests.page.test_structure import STATIC

LEAST = 4.5
"""Contrast of text by WCAG 2.2, 1.4.3."""
STEP = 0.035
"""Distance in Oklab of risks that differ by an eighth; it can be seen with cells side by side."""
THEMES = {"light": 0, "dark": 1}
Colour = tuple[float, float, float]
VALUES = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", (STATIC / "app" / "style.css").read_text("utf-8"))
"""Colours of the page by name, light and dark."""


def of(hexadecimal: str) -> Colour:
    """Linear red, green and blue."""
    shares = (int(hexadecimal[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    dark, light = sorted(0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in (one, other))
    return (light + 0.05) / (dark + 0.05)


def product(rows: tuple[Colour, Colour, Colour], colour: Colour) -> Colour:
    red, green, blue = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in rows)
    return red, green, blue


def oklab(colour: Colour) -> Colour:
    """Ottosson (2020)."""
    cones = product(
        ((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
         (0.0883024619, 0.2817188376, 0.6299787005)), colour,
    )  # fmt: skip
    long, middle, short = map(math.cbrt, cones)
    return product(
        ((0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099),
         (0.0259040371, 0.7827717662, -0.8086757660)), (long, middle, short),
    )  # fmt: skip


def linear(lab: Colour) -> Colour:
    long, middle, short = product(
        ((1, 0.3963377774, 0.2158037573), (1, -0.1055613458, -0.0638541728), (1, -0.0894841775, -1.2914855480)), lab
    )
    return product(
        ((4.0767416621, -3.3077115913, 0.2309699292), (-1.2684380046, 2.6097574011, -0.3413193965),
         (-0.0041960863, -0.7034186147, 1.7076147010)), (long**3, middle**3, short**3),
    )  # fmt: skip


def scale(theme: str) -> list[Colour]:
    """The colours of all risks as a browser mixes them, in Oklab."""
    named = {name: oklab(of(both[THEMES[theme]])) for name, *both in VALUES}
    rules = node(
        'import { colourOf, shadeOf } from "./board/heat.js";'
        "console.log(JSON.stringify([...Array(shadeOf(1) + 1).keys()].map(colourOf)));"
    )
    found = []
    for rule in rules:
        match = re.fullmatch(r"color-mix\(in oklab, var\(--(\w+)\) ([\d.e-]+)%, var\(--(\w+)\)\)", rule)
        assert match is not None
        share = float(match[2]) / 100
        red, green, blue = (b + (a - b) * share for a, b in zip(named[match[1]], named[match[3]], strict=True))
        found.append((red, green, blue))
    return found


@pytest.mark.parametrize("theme", THEMES)
def test_numbers_can_be_read_on_every_colour_of_a_risk(theme: str) -> None:
    colours = {name: of(both[THEMES[theme]]) for name, *both in VALUES}
    least = min(contrast(linear(shade), colours["hot-ink"]) for shade in scale(theme))
    assert least >= LEAST
    for number in range(1, 9):
        assert contrast(colours[f"n{number}"], colours["open"]) >= LEAST


@pytest.mark.parametrize("theme", THEMES)
def test_risks_that_differ_look_different(theme: str) -> None:
    shades = scale(theme)
    eighths = shades[:: len(shades) // 8]
    assert len(eighths) == 9
    assert min(math.dist(one, other) for one, other in zip(eighths, eighths[1:], strict=False)) >= STEP


def test_numbers_can_be_read_in_pictures() -> None:
    """Pictures are light, whatever the theme."""
    assert min(contrast(of(heat(percent / 100)), of("#1a1a1a")) for percent in range(101)) >= LEAST
