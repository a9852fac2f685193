"""Kinds of cells, and the likelihoods of their meanings by looks alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from satsweep.formats.pictures.cells import (
    GLYPH,
    LEAST_CONTRAST,
    MARGIN,
    SIDE,
    backgrounds,
    contrasts,
    glyph,
    inks,
    inner,
    margins,
    plain_colours,
    strengths,
)
from satsweep.formats.pictures.glyphs import CLASSES, likelihoods

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from satsweep.formats.pictures.edges import Floats

SYMBOLS = "#.12345678F*?"
"""Meanings of a cell; ? is hidden from the reader."""
COVERED, ZERO, FLAG, MINE, UNKNOWN = (SYMBOLS.index(symbol) for symbol in "#.F*?")
MOST_KINDS = 120
"""Most kinds of a picture; cells left over count among the nearest kind."""
SAME_INK, SAME_COLOUR, SAME_RIM = 0.22, 8.0, 9.0
"""Greatest differences within a kind: of the ink, as a share, of grounds and rims."""
CUT_OFF = 0.3
"""Share of nothing known with which smaller margins are tried, for large digits."""
ROUGH = 3.0
"""Difference of half the pixels of a plain cell, of 255, that is grain."""
FAINT, NOTHING_KNOWN = 24.0, 0.6
"""Contrast, of 255, and share of nothing known, of what counts as nothing."""
MIDDLE = 6
"""Pixels at each side of a cell beyond which every glyph has something."""
SOLID, SPECK, FULL = 0.5, 0.05, 0.9
"""Strength of a pixel of a glyph, and the least and the most share of these.

A drawing with less is a speck or part of a line, one with more a tile."""
KNOWN, QUIET, MAYBE_QUIET = 0.5, 0.35, 0.5
"""Likelihood of the likeliest glyph, and shares of the contrast of known ones.

A drawing with less of both is the texture of a plain cell, or may be, for the last."""
TEXTURED = 0.04
"""Share of cells with something faint from which on that is a texture."""
SURE_GLYPH = 0.7
"""Likelihood of a glyph that is surely known."""
COMMON = 0.25
"""Share of all cells above which a kind is neither flags nor shown mines."""
PALETTE = {
    1: (0, 0, 255),
    2: (0, 125, 0),
    3: (240, 0, 0),
    4: (0, 0, 128),
    5: (128, 0, 0),
    6: (0, 128, 128),
    7: (0, 0, 0),
    8: (128, 128, 128),
}
"""Colours that most games have taken over from the first ones."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """Cells by their look: ``of`` has the kind of each cell, in row-major order.

    ``unary`` has the logarithm of the likelihood of each of SYMBOLS for each kind, by its look alone. ``blank`` are
    kinds with nothing drawn, ``rims`` and ``behind`` their rims and backgrounds, ``sizes`` their numbers of cells.
    """

    of: NDArray[np.int64]
    sizes: NDArray[np.int64]
    blank: NDArray[np.bool_]
    unary: Floats
    behind: Floats
    rims: Floats
    faint: NDArray[np.bool_]
    """Kinds with what is or may be the bevel or texture of plain cells."""
    textured: NDArray[np.bool_]
    """Blank kinds with something faint that counts as nothing."""
    strange: float
    """Share of cells on which something is drawn that is nothing known."""
    cut: float
    """The same with what counts as nothing, as much does that a wrong lattice cuts."""
    digits: float
    """Number of cells with what is surely a digit, a flag or a mine."""


def kinds_of(cells: Floats) -> Kinds:
    """Kinds of the cells of a lattice."""
    inside = inner(cells, int(np.quantile(margins(cells), 0.2)))
    plain = plain_colours(inside)
    behind = backgrounds(inside, plain)
    rims = _rims(cells)
    of = _grouped(inside, behind, strengths(inside, behind), rims)
    count = int(of.max()) + 1
    sizes = np.bincount(of, minlength=count)
    mean = _means(cells, of, sizes)
    looks = _looks(inner(mean, MARGIN), plain)

    def tried(some: NDArray[np.int64], beside: int) -> None:
        for kind, look in zip(some, _looks(inner(mean[some], beside), plain), strict=True):
            looks[kind] = looks[kind].better(look, plain)

    wide = margins(mean)
    for beside in np.unique(wide[wide > MARGIN]):
        tried(np.flatnonzero(wide == beside), int(beside))
    cut_off = np.flatnonzero([look.unknown > CUT_OFF for look in looks])
    for beside in range(MARGIN - 1, 0, -1):
        tried(cut_off, beside)
    unknown = np.array([look.unknown for look in looks])
    drawn = np.array([look.classes is not None for look in looks])
    unsure = np.flatnonzero(drawn & np.array([look.likeliest < SURE_GLYPH for look in looks]))
    for kind, middle in zip(unsure.tolist(), _looks(inner(mean[unsure], MIDDLE), plain), strict=True):
        if middle.contrast < LEAST_CONTRAST and not looks[kind].is_shape(middle.ground, plain):
            looks[kind] = looks[kind]._replace(classes=None)  # what is around the middle is a bevel
    quietness = _quietness(looks, sizes)
    bare = np.array([look.classes is None for look in looks])
    around = _means(rims, of, sizes)
    looks = _without_textures(looks, quietness, around)
    blank = np.array([look.classes is None for look in looks])
    strange, cut = (float((shares * sizes).sum() / len(cells)) for shares in (np.where(blank, 0, unknown), unknown))
    unary = np.full((count, len(SYMBOLS)), -12.0, np.float32)
    unary[blank] = _BLANK
    digits = 0.0
    quiet = drawn & (quietness < MAYBE_QUIET)
    rough = sizes[quiet].sum() > TEXTURED * len(cells)
    for kind, look in enumerate(looks):
        if look.classes is not None:
            shares = look.classes @ _MEANING
            shares[2:10] *= np.exp(_by_colour(look.ink))
            if rough and quiet[kind]:
                shares[[COVERED, ZERO, FLAG]] = shares[[COVERED, ZERO, FLAG]] @ _QUIET
            if sizes[kind] > COMMON * len(cells):
                shares[COVERED] += shares[[FLAG, MINE]].sum()
                shares[[FLAG, MINE]] = 0.0
            unary[kind] = np.log(shares / shares.sum() + 2e-4)
            sure = float(look.classes[:11].max())
            digits += sure * float(sizes[kind]) if sure > SURE_GLYPH else 0.0
    ground = np.array([look.ground for look in looks])
    return Kinds(
        of, sizes, blank, unary, ground, around, faint=drawn & blank | quiet, textured=blank & ~bare, strange=strange,
        cut=cut, digits=digits,
    )  # fmt: skip


class _Look(NamedTuple):
    """Look of a kind: colours of the ground and of the ink, and shares of CLASSES.

    There are no shares if nothing is drawn, or something faint that is nothing known, as JPEG leaves. ``contrast`` is
    that of what is drawn, ``full`` the share of its square that it fills.
    """

    ground: Floats
    ink: Floats
    contrast: float
    full: float
    classes: Floats | None

    @property
    def unknown(self) -> float:
        """Likelihood of a glyph that is nothing known."""
        return 0.0 if self.classes is None else float(self.classes[-1])

    @property
    def likeliest(self) -> float:
        """Likelihood of the likeliest known glyph."""
        return 0.0 if self.classes is None else float(self.classes[:-1].max())

    def better(self, other: _Look, plain: Floats) -> _Look:
        """The other look, with another margin, unless it is less like something known.

        A plain middle may be that of a mine.
        """
        if other.classes is None and self.is_shape(other.ground, plain):
            return self
        if self.classes is None or other.classes is None:
            return other
        return self if self.classes[-1] < other.classes[-1] else other

    def is_shape(self, middle: Floats, plain: Floats) -> bool:
        """Return whether what is drawn has the colour of the middle, and is not a tile."""
        grounds = np.concatenate([self.ground[None], plain])
        apart = float(np.abs(grounds - middle).max(axis=1).min())
        return self.classes is not None and self.full < FULL and apart > FAINT


def _looks(insides: Floats, plain: Floats) -> list[_Look]:
    """Look of each cell without its margin."""
    if not len(insides):
        return []
    grounds = backgrounds(insides, plain)
    drawn = strengths(insides, grounds)
    strong = contrasts(drawn)
    found = [
        _Look(ground, ink, float(contrast), 1.0, None)
        for ground, ink, contrast in zip(grounds, inks(insides, drawn, strong), strong, strict=True)
    ]
    some = np.flatnonzero(strong >= LEAST_CONTRAST)
    shapes = np.array([glyph(drawn[one], found[one].contrast) for one in some], np.float32).reshape(-1, GLYPH * GLYPH)
    shares = np.exp(likelihoods(shapes)).astype(np.float32) if len(some) else shapes
    for one, shape, classes in zip(some, shapes, shares, strict=True):
        faint = found[one].contrast < FAINT and classes[-1] > NOTHING_KNOWN
        found[one] = found[one]._replace(full=float((shape > SOLID).mean()), classes=None if faint else classes)
    return found


def _quietness(looks: list[_Look], sizes: NDArray[np.int64]) -> Floats:
    """Contrast of unknown kinds, as a share of that of known ones; 1 for others."""
    sure = np.array([look.likeliest > SURE_GLYPH for look in looks])
    unknown = np.array([look.classes is not None and look.likeliest < KNOWN for look in looks])
    strong = np.array([look.contrast for look in looks], np.float32)
    usual = np.median(np.repeat(strong[sure], sizes[sure])) if sure.any() else 1.0
    found: Floats = np.where(unknown & sure.any(), strong / usual, 1.0).astype(np.float32)
    return found


def _without_textures(looks: list[_Look], quietness: Floats, rims: Floats) -> list[_Look]:
    """Looks without unknown drawings that are specks, or much fainter than known ones.

    It is a glyph after all if cells without it look the same otherwise.
    """
    grounds = np.array([look.ground for look in looks])
    bare = np.array([look.classes is None for look in looks])
    found = list(looks)
    for kind, look in enumerate(looks):
        speck = look.full < SPECK and quietness[kind] != 1
        if quietness[kind] < QUIET or speck:
            apart = np.abs(grounds[bare] - look.ground).max(axis=1) > SAME_COLOUR
            apart |= np.abs(rims[bare] - rims[kind]).mean(axis=1) > SAME_RIM
            if apart.all():
                found[kind] = look._replace(classes=None)
    return found


def _means(values: Floats, of: NDArray[np.int64], sizes: NDArray[np.int64]) -> Floats:
    """Mean of each kind."""
    total = np.zeros((len(sizes), *values.shape[1:]), np.float32)
    np.add.at(total, of, values)
    mean = total / sizes.astype(np.float32).reshape(-1, *[1] * (values.ndim - 1))
    result: Floats = mean.astype(np.float32, copy=False)
    return result


def _rims(cells: Floats) -> Floats:
    """Pixels of each cell near its sides."""
    wide = MARGIN + 1
    parts = (
        cells[:, :wide].mean(axis=1),
        cells[:, SIDE - wide :].mean(axis=1),
        cells[:, :, :wide].mean(axis=2),
        cells[:, :, SIDE - wide :].mean(axis=2),
    )
    found: Floats = np.concatenate([part[:, 3:-3].reshape(len(cells), -1) for part in parts], axis=1)
    return found


def _grouped(inside: Floats, behind: Floats, drawn: Floats, rims: Floats) -> NDArray[np.int64]:
    """Kind of each cell: that of the first cell that looks the same."""
    ink, contrast = drawn.mean(axis=(1, 2)), contrasts(drawn)
    # A thin 1 differs little from a cell with nothing, but one of them has something drawn in it.
    bare, full = contrast < LEAST_CONTRAST, contrast > 2 * LEAST_CONTRAST
    rough = bare & (np.median(drawn, axis=(1, 2)) > ROUGH)
    of = np.full(len(inside), -1)
    flat = inside.reshape(len(inside), -1)
    left = np.arange(len(inside))
    kind = 0
    while len(left):
        first = left[0]
        if kind >= MOST_KINDS:
            first_of = np.array([np.flatnonzero(of == one)[0] for one in range(kind)])
            of[left] = [int(np.abs(flat[first_of] - flat[one]).mean(axis=1).argmin()) for one in left]
            break
        near = left[
            (np.abs(behind[left] - behind[first]).max(axis=1) < SAME_COLOUR)
            & (np.abs(rims[left] - rims[first]).mean(axis=1) < SAME_RIM)
            & ~((bare[left] & full[first]) | (full[left] & bare[first]))
        ]
        scale = np.maximum((ink[near] + ink[first]) / 2, 8.0)
        same = near[
            (np.abs(flat[near] - flat[first]).mean(axis=1) / scale < SAME_INK * (1 if kind < MOST_KINDS // 2 else 1.7))
            | (rough[near] & rough[first])
        ]
        of[same] = kind
        left = left[of[left] < 0]
        kind += 1
    return of


def _by_colour(colour: Floats) -> Floats:
    """Logarithm of how the colour of an ink changes the odds of each digit from 1."""
    palette = np.array([PALETTE[digit] for digit in range(1, 9)], np.float32)
    distance = np.abs(colour - palette).max(axis=1)
    found: Floats = np.log(0.35 * 10 * np.exp(-0.5 * (distance / 45) ** 2) + 0.65)
    return found


_BLANK = np.full(len(SYMBOLS), -11.0, np.float32)
_BLANK[[COVERED, ZERO, UNKNOWN]] = -0.7, -0.7, -5.0
_QUIET = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.35, 0.15]], np.float32)
"""Shares of a covered cell, a zero and a flag that are these in faint ones."""
_MEANING = np.zeros((len(CLASSES), len(SYMBOLS)), np.float32)
"""Shares of the meanings of each class of glyphs."""
for _class, _symbol in zip("123456780F*?", "12345678.F*#", strict=True):
    _MEANING[CLASSES.index(_class), SYMBOLS.index(_symbol)] = 1.0
_MEANING[CLASSES.index("*"), [FLAG, MINE]] = 0.2, 0.65
"""Flags of many forms look like mines, which only games that are over show."""
_MEANING[CLASSES.index("x")] = 0.02
_MEANING[CLASSES.index("x"), [COVERED, ZERO, FLAG, MINE, UNKNOWN]] = 0.22, 0.06, 0.28, 0.08, 0.22
